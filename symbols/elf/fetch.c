#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "fetch.h"
#include "lib/child.h"
#include "lib/options.h"
#include "lib/progress.h"
#include "lib/table.h"

#define PATIENCE	90	/* seconds, unless the environment tells */

enum answer { ANSWER_AWAITED, ANSWER_FOUND, ANSWER_NONE, ANSWER_LATE };

struct fetches {
	long patience;		/* seconds */
	pthread_mutex_t lock;	/* for what follows */
	pthread_cond_t answered;
	struct table files;	/* that were asked for: "debuginfo 3f9a..." */
	enum answer *answers;	/* for each of these */
	size_t room;
	int running;
	struct fetch_counts counts;
};

/* Returns the seconds that a file may take; 0 and less are no limit. */
static long
find_patience(void)
{
	const char *told = getenv("DEBUGINFOD_TIMEOUT");
	long seconds;

	if (told == NULL || !options_integer(told, &seconds))
		return PATIENCE;
	return seconds > 0 ? seconds : LONG_MAX;
}

struct fetches *
fetches_new(void)
{
	struct fetches *fetches = mem_array(1, sizeof(*fetches));

	fetches->patience = find_patience();
	pthread_mutex_init(&fetches->lock, NULL);
	pthread_cond_init(&fetches->answered, NULL);
	table_init(&fetches->files);
	return fetches;
}

void
fetches_free(struct fetches *fetches)
{
	if (fetches == NULL)
		return;
	table_free(&fetches->files);
	free(fetches->answers);
	pthread_cond_destroy(&fetches->answered);
	pthread_mutex_destroy(&fetches->lock);
	free(fetches);
}

/*
 * Waits for the answer, which is the status; what is printed is the path, and
 * makes nobody wait longer.
 */
static enum answer
await(struct child *child, long seconds)
{
	struct tally tally = { 0 };
	char path[4096];
	struct timespec start, now;
	ssize_t got;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		progress_tell(&tally, tally, STR("debuginfod"));
		got = child_read(child, path, sizeof(path), 1);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((got > 0 || (got < 0 && errno == ETIMEDOUT)) &&
	    now.tv_sec - start.tv_sec < seconds);
	if (got == 0)
		return child_finish(child) ? ANSWER_FOUND : ANSWER_NONE;
	child_stop(child);
	return ANSWER_LATE;
}

/* Starts debuginfod-find and waits for it; stores why it does not start. */
static enum answer
ask(const char *kind, const char *hex, long seconds, int *error)
{
	char program[] = "debuginfod-find", of[16], id[2 * BUILD_ID_MAX + 1];
	char *const argv[] = { program, of, id, NULL };
	struct child child;

	snprintf(of, sizeof(of), "%s", kind);
	snprintf(id, sizeof(id), "%s", hex);
	if (child_start_ended(&child, argv, CHILD_NOTHING))
		return await(&child, seconds);
	*error = errno;
	return ANSWER_NONE;
}

/* Asks for a file that nobody has asked for; the lock is held around it. */
static enum answer
ask_in_turn(struct fetches *fetches, const char *kind, const char *hex)
{
	struct fetch_counts *counts = &fetches->counts;
	enum answer answer;
	int error = 0;

	while (fetches->running == FETCH_MOST)
		pthread_cond_wait(&fetches->answered, &fetches->lock);
	if (counts->error != 0)
		return ANSWER_NONE;
	fetches->running++;
	pthread_mutex_unlock(&fetches->lock);
	answer = ask(kind, hex, fetches->patience, &error);
	pthread_mutex_lock(&fetches->lock);
	fetches->running--;
	if (error != 0)
		counts->error = error;
	counts->asked += error == 0;
	counts->found += answer == ANSWER_FOUND;
	counts->late += answer == ANSWER_LATE;
	return answer;
}

bool
fetch_file(struct fetches *fetches, const char *kind, const struct build_id *id)
{
	char hex[2 * BUILD_ID_MAX + 1];
	struct text key = { 0 };
	uint32_t number, before;
	enum answer answer;

	text_add_format(&key, "%s %s", kind, build_id_hex(id, hex));
	pthread_mutex_lock(&fetches->lock);
	before = fetches->files.count;
	number = table_add(&fetches->files, text_str(&key));
	if (number == before) {
		fetches->answers = mem_grow(fetches->answers, &fetches->room,
		    number + (size_t)1, sizeof(*fetches->answers));
		fetches->answers[number] = ANSWER_AWAITED;
		answer = ask_in_turn(fetches, kind, hex);
		fetches->answers[number] = answer;
		pthread_cond_broadcast(&fetches->answered);
	}
	while ((answer = fetches->answers[number]) == ANSWER_AWAITED)
		pthread_cond_wait(&fetches->answered, &fetches->lock);
	pthread_mutex_unlock(&fetches->lock);
	free(key.data);
	return answer == ANSWER_FOUND;
}

struct fetch_counts
fetches_counts(const struct fetches *fetches)
{
	return fetches->counts;
}
