#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "fetch.h"
#include "lib/options.h"
#include "lib/progress.h"

#define PATIENCE	90	/* seconds, without $DEBUGINFOD_TIMEOUT */
#define WORDS_MAX	(sizeof("executable ") + 2 * BUILD_ID_MAX)

enum answer { ANSWER_AWAITED, ANSWER_FOUND, ANSWER_NONE };

void
fetches_open(struct fetches *fetches)
{
	const char *timeout = getenv("DEBUGINFOD_TIMEOUT");

	fetches->patience = PATIENCE;
	if (timeout != NULL && options_integer(timeout, &fetches->patience) &&
	    fetches->patience <= 0)
		fetches->patience = LONG_MAX;	/* no limit */
}

void
fetches_close(struct fetches *fetches)
{
	table_free(&fetches->files);
	free(fetches->answers);
}

static time_t
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

/* Starts debuginfod-find for the next file; notes why it does not start. */
static void
start_next(struct fetches *fetches)
{
	struct fetch *fetch = &fetches->running[fetches->count];
	uint32_t file = fetches->next++;
	struct str key = fetches->files.keys[file];
	char program[] = "debuginfod-find", words[WORDS_MAX];
	char *argv[] = { program, words, NULL, NULL };

	snprintf(words, sizeof(words), "%.*s", (int)key.len, key.data);
	argv[2] = strchr(words, ' ') + 1;
	argv[2][-1] = '\0';
	fetches->answers[file] = ANSWER_NONE;
	if (fetches->counts.error != 0)
		return;
	if (!child_start(&fetch->child, argv, CHILD_NOTHING)) {
		fetches->counts.error = errno;
		return;
	}
	fetch->file = file;
	fetch->since = now();
	fetches->count++;
	fetches->counts.asked++;
}

/*
 * Waits up to a second, and ends the fetches that have answered, by their
 * status, or take too long.  What they print is only the path.
 */
static void
await(struct fetches *fetches)
{
	struct pollfd files[FETCH_AT_A_TIME];
	struct fetch *fetch;
	struct str input = STR("");
	struct text path = { 0 };
	ssize_t got;
	size_t i;

	for (i = 0; i < fetches->count; i++)
		files[i] = (struct pollfd){
			.fd = fetches->running[i].child.from, .events = POLLIN
		};
	poll(files, (nfds_t)fetches->count, 1000);
	for (i = fetches->count; i-- > 0;) {
		fetch = &fetches->running[i];
		got = files[i].revents == 0 ? 1 :
		    child_exchange(&fetch->child, &input, &path, 0);
		if (got > 0 && now() - fetch->since < fetches->patience)
			continue;
		if (got != 0) {
			child_stop(&fetch->child);
			fetches->counts.late++;
		} else if (child_finish(&fetch->child)) {
			fetches->answers[fetch->file] = ANSWER_FOUND;
			fetches->counts.found++;
		}
		*fetch = fetches->running[--fetches->count];
	}
	free(path.data);
}

void
fetches_run(struct fetches *fetches)
{
	fetches->notes = fetches->noted = false;
	for (;;) {
		while (fetches->next < fetches->files.count &&
		    fetches->count < FETCH_AT_A_TIME)
			start_next(fetches);
		if (fetches->count == 0)
			return;
		progress_add(0, STR("debuginfod"));
		await(fetches);
	}
}

bool
fetch_file(struct fetches *fetches, const char *kind, const struct build_id *id)
{
	char hex[2 * BUILD_ID_MAX + 1];
	struct text key = { 0 };
	unsigned char *answer;
	uint32_t file;

	if (fetches->noted)
		return false;
	text_add_format(&key, "%s %s", kind, build_id_hex(id, hex));
	file = table_add(&fetches->files, text_str(&key));
	free(key.data);
	fetches->answers = mem_grow_zero(fetches->answers, &fetches->room,
	    file + (size_t)1, sizeof(*fetches->answers));
	if (!fetches->notes)
		fetches_run(fetches);
	answer = &fetches->answers[file];
	fetches->noted = *answer == ANSWER_AWAITED;
	return *answer == ANSWER_FOUND;
}
