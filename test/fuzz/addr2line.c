/*
 * The input is an answer of addr2line, a line "%%", and an answer of nm; no
 * process is started.  A call takes two lines of the answer.
 */
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../symbols/addr2line.h"
#include "fuzz.h"

/* A pipe holds this much at least while nobody reads. */
#define MOST_BYTES	4096

#define NOBODY		((pid_t)0x7fffffff)	/* more than any process */

static struct str answer, symbols;
static int output;

/* These take the place of libc's. */

int
posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int from,
    int to)
{
	(void)actions;
	if (to == STDOUT_FILENO)
		output = from;
	return 0;
}

int
posix_spawnp(pid_t *pid, const char *name,
    const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const words[],
    char *const environment[])
{
	struct str said = strcmp(name, "nm") == 0 ? symbols : answer;

	(void)actions;
	(void)attributes;
	(void)words;
	(void)environment;
	*pid = NOBODY;
	if (said.len > MOST_BYTES)
		said.len = MOST_BYTES;
	require(said.len == 0 || write(output, said.data, said.len) ==
	    (ssize_t)said.len, "a pipe holds the answer");
	return 0;
}

int
kill(pid_t pid, int signal)
{
	require(pid == NOBODY && signal == SIGKILL, "what is ended is addr2line");
	return 0;
}

pid_t
waitpid(pid_t pid, int *status, int options)
{
	(void)status;
	(void)options;
	require(pid == NOBODY, "what is waited for is addr2line");
	return pid;
}

static size_t
count_lines(struct str s)
{
	size_t count = 0;

	while (s.len > 0) {
		fuzz_line(&s);
		count++;
	}
	return count;
}

static int
ask(void *context)
{
	struct addr2line *inliner = addr2line_new(context != NULL);
	struct text calls = { 0 };
	const struct str module = STR("in");
	size_t before;
	int i;

	for (i = 0; i < 4; i++) {
		before = calls.len;
		if (addr2line_calls(inliner, module, STR("12ab"), i % 2 == 0 ?
		    STR("main+0x1f") : STR("[unknown]"), &calls))
			require(calls.len > before, "an answer is a call");
		else
			require(calls.len == before, "no answer is no call");
	}
	require(count_lines(text_str(&calls)) <= 4 * count_lines(answer) / 2,
	    "two lines of an answer are a call");
	addr2line_end(inliner);
	return 0;
}

void
fuzz_input(struct str input)
{
	bool context;

	fuzz_write("in", STR(""));
	answer = fuzz_cut(&input, STR("\n%%\n"));
	symbols = input;
	fuzz_call(ask, NULL);
	fuzz_call(ask, &context);
}
