#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

#define READ_BYTES	((size_t)64 * 1024)

extern char **environ;

/* Makes a pipe whose ends are not passed on to other programs. */
static bool
make_pipe(int ends[2])
{
	if (pipe(ends) != 0)
		return false;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return true;
}

/* Closes the open ends of a pipe; keeps errno. */
static void
close_pipe(const int ends[2])
{
	int error = errno;

	if (ends[0] >= 0)
		close(ends[0]);
	if (ends[1] >= 0)
		close(ends[1]);
	errno = error;
}

/* Starts a program; Ctrl-C ends it if the end of its input does not. */
static int
spawn_masked(pid_t *pid, char *const argv[],
    const posix_spawn_file_actions_t *actions, bool has_input)
{
	posix_spawnattr_t attributes;
	sigset_t mask;
	int error = posix_spawnattr_init(&attributes);

	if (error != 0)
		return error;
	sigprocmask(SIG_SETMASK, NULL, &mask);
	if (has_input)
		sigaddset(&mask, SIGINT);
	error = posix_spawnattr_setsigmask(&attributes, &mask);
	if (error == 0)
		error = posix_spawnattr_setflags(&attributes,
		    POSIX_SPAWN_SETSIGMASK);
	if (error == 0)
		error = posix_spawnp(pid, argv[0], actions, &attributes, argv,
		    environ);
	posix_spawnattr_destroy(&attributes);
	return error;
}

/* Starts the program with `input` and `output` as its standard streams. */
static int
spawn(pid_t *pid, char *const argv[], int input, int output)
{
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error != 0)
		return error;
	if (input < 0)
		error = posix_spawn_file_actions_addopen(&actions,
		    STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	else if (input != STDIN_FILENO)
		error = posix_spawn_file_actions_adddup2(&actions, input,
		    STDIN_FILENO);
	if (error == 0)
		error = posix_spawn_file_actions_adddup2(&actions, output,
		    STDOUT_FILENO);
	if (error == 0)
		error = posix_spawn_file_actions_addopen(&actions,
		    STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (error == 0)
		error = spawn_masked(pid, argv, &actions,
		    input != CHILD_NOTHING);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

bool
child_start(struct child *child, char *const argv[], int input)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 };

	*child = (struct child){ .to = -1, .from = -1 };
	if (make_pipe(out) && (input != CHILD_PIPE || make_pipe(in))) {
		errno = spawn(&child->pid, argv, input == CHILD_PIPE ? in[0] :
		    input, out[1]);
		if (errno == 0) {
			child->from = out[0];
			child->to = in[1];
			close(out[1]);
			if (in[0] >= 0)
				close(in[0]);
			if (in[1] >= 0)
				fcntl(in[1], F_SETFL, O_NONBLOCK);
			return true;
		}
		child->pid = 0;
	}
	close_pipe(in);
	close_pipe(out);
	return false;
}

/* Writes as much as the pipe has room for; if nobody reads, no signal comes. */
static ssize_t
write_some(int fd, struct str s)
{
	sigset_t broken, before, pending;
	ssize_t written;
	int error, number;

	sigemptyset(&broken);
	sigaddset(&broken, SIGPIPE);
	sigprocmask(SIG_BLOCK, &broken, &before);
	written = write(fd, s.data, s.len);
	error = errno;
	if (written < 0 && error == EPIPE && !sigismember(&before, SIGPIPE) &&
	    sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE))
		sigwait(&broken, &number);
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return written;
}

ssize_t
child_exchange(struct child *child, struct str *input, struct text *output,
    int seconds)
{
	struct pollfd files[2] = {
		{ .fd = child->from, .events = POLLIN },
		{ .fd = child->to, .events = POLLOUT },
	};
	ssize_t written, got;
	char *to;
	int ready;

	do
		ready = poll(files, input->len > 0 ? 2 : 1, seconds * 1000);
	while (ready < 0 && errno == EINTR);
	if (ready == 0)
		errno = ETIMEDOUT;
	if (ready <= 0)
		return -1;
	if (input->len > 0 && files[1].revents != 0) {
		written = write_some(child->to, *input);
		if (written > 0)
			*input = str_skip(*input, (size_t)written);
		else if (errno != EAGAIN && errno != EINTR)
			input->len = 0;	/* it has ended, or our bytes have */
	}
	if (files[0].revents == 0)
		return 1;
	to = text_extend(output, READ_BYTES);
	do
		got = read(child->from, to, READ_BYTES);
	while (got < 0 && errno == EINTR);
	output->len -= READ_BYTES - (got > 0 ? (size_t)got : 0);
	return got;
}

void
child_end_input(struct child *child)
{
	if (child->to >= 0)
		close(child->to);
	child->to = -1;
}

/* Waits for the child; nothing more of its output is read. */
static bool
reap(struct child *child)
{
	int status = 1;
	pid_t ended;

	child_end_input(child);
	close(child->from);
	child->from = -1;
	do
		ended = waitpid(child->pid, &status, 0);
	while (ended < 0 && errno == EINTR);
	child->pid = 0;
	return ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool
child_finish(struct child *child)
{
	return child->pid > 0 && reap(child);
}

void
child_stop(struct child *child)
{
	if (child->pid <= 0)
		return;
	kill(child->pid, SIGKILL);
	reap(child);
}
