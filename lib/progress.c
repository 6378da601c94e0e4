#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "mem.h"
#include "progress.h"
#include "source.h"
#include "terminal.h"
#include "utf8.h"

/* The line comes after DELAY seconds, and anew after INTERVAL. */
#define DELAY		1.0
#define INTERVAL	0.2

#define USUAL_COLUMNS	80
#define MOST_COLUMNS	250
#define LEAST_WHERE	12	/* columns that make a path worth showing */

static struct {
	bool silent, on;
	const char *program, *counted;
	bool reads;		/* files */
	unsigned long long size;	/* of these; 0 if it is not known */
	pthread_mutex_t lock;	/* for what follows */
	struct tally sum;
	double begun;		/* seconds, or 0: nothing was counted yet */
	double touched;		/* time when the line was drawn or cleared */
	size_t columns;		/* of the line that is drawn */
} progress = { .lock = PTHREAD_MUTEX_INITIALIZER };

void
progress_silence(void)
{
	progress.silent = true;
}

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void
progress_start(const char *program, const char *const *operands,
    const char *counted)
{
	if (progress.silent || !isatty(STDERR_FILENO) || isatty(STDOUT_FILENO))
		return;
	progress.on = true;
	mem_on_failure(progress_clear);
	progress.program = program;
	progress.counted = counted;
	progress.reads = operands != NULL;
	if (progress.reads && !source_size(operands, &progress.size))
		progress.size = 0;
}

void
progress_forget_size(void)
{
	progress.size = 0;
}

/* A line that is built; it is cut where its columns end. */
struct progress_line {
	char text[MOST_COLUMNS + 1];
	size_t len, columns;
};

static void
add(struct progress_line *line, const char *format, ...)
{
	size_t room = line->columns - line->len;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(line->text + line->len, room + 1, format, args);
	va_end(args);
	if (len > 0)
		line->len += (size_t)len < room ? (size_t)len : room;
}

/* Adds "512", "1.23 M", "45.6 G", and so on, and what it is. */
static void
add_scaled(struct progress_line *line, unsigned long long number,
    const char *what)
{
	const char *prefix = " kMGTPE";
	double value = (double)number;

	if (number < 1000) {
		add(line, "%llu %s", number, what);
		return;
	}
	while (value >= 999.5) {
		value /= 1000;
		prefix++;
	}
	add(line, "%.*f %c%s%s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0,
	    value, *prefix, strcmp(what, "B") == 0 ? "" : " ", what);
}

static void
add_time_left(struct progress_line *line, double seconds)
{
	if (seconds < 100)
		add(line, ", %.0f s left", ceil(seconds));
	else if (seconds < 6000)
		add(line, ", %.0f min left", seconds / 60);
	else
		add(line, ", %.0f h left", seconds / 3600);
}

static void
add_reading(struct progress_line *line, double elapsed)
{
	double done = (double)progress.sum.bytes, all = (double)progress.size;

	/* A file may grow. */
	if (done > all || done <= 0) {
		add_scaled(line, progress.sum.bytes, "B");
		return;
	}
	add(line, "%.0f %% of ", 100 * done / all);
	add_scaled(line, progress.size, "B");
	add_time_left(line, elapsed * (all - done) / done);
}

/* Adds as much of a path's end as has room, all but printable ASCII as '?'. */
static void
add_where(struct progress_line *line, struct str where)
{
	size_t room = line->columns - line->len, skipped = 0;
	size_t length = utf8_length(where);
	uint32_t code;

	if (where.len == 0 || room < 2 + LEAST_WHERE)
		return;
	room -= 2;
	if (length > room)
		skipped = length - (room - 3);
	add(line, skipped > 0 ? ", ..." : ", ");
	while (where.len > 0) {
		code = utf8_next(&where);
		if (skipped > 0)
			skipped--;
		else
			add(line, "%c", code >= ' ' && code < 0x7f ?
			    (int)code : '?');
	}
}

/* Blanks take the old line away on any terminal. */
static void
draw(double elapsed, struct str where)
{
	size_t columns = terminal_columns(STDERR_FILENO), i;
	struct progress_line line = { .len = 0 };

	if (columns == 0)
		columns = USUAL_COLUMNS;
	/* one less, or the line would have a second row */
	line.columns = columns > MOST_COLUMNS ? MOST_COLUMNS : columns - 1;
	add(&line, "%s: ", progress.program);
	if (progress.reads) {
		add_reading(&line, elapsed);
		add(&line, ", ");
	}
	add_scaled(&line, progress.sum.counted, progress.counted);
	if (progress.sum.stacks > 0) {
		add(&line, ", ");
		add_scaled(&line, progress.sum.stacks, "stacks");
	}
	add_where(&line, where);
	for (i = 0; i < line.len; i++)
		if (is_control(line.text[i]) || line.text[i] == '\t')
			line.text[i] = '?';
	fprintf(stderr, "\r%*s\r%s", (int)progress.columns, "", line.text);
	progress.columns = line.len;
}

void
progress_tell(struct tally *told, struct tally tally, struct str where)
{
	struct tally *sum = &progress.sum;
	double time;
	pid_t group;

	if (!progress.on)
		return;
	time = now();
	pthread_mutex_lock(&progress.lock);
	sum->bytes += tally.bytes - told->bytes;
	sum->counted += tally.counted - told->counted;
	if (tally.stacks > sum->stacks)
		sum->stacks = tally.stacks;
	*told = tally;
	if (progress.begun <= 0)
		progress.begun = time;
	if (time - progress.begun >= DELAY &&
	    time - progress.touched >= INTERVAL) {
		progress.touched = time;
		/* in the background, the terminal is left to others */
		group = tcgetpgrp(STDERR_FILENO);
		if (group == -1 || group == getpgrp())
			draw(time - progress.begun, where);
	}
	pthread_mutex_unlock(&progress.lock);
}

void
progress_read(struct tally *told, size_t bytes, const size_t *samples,
    const uint32_t *stacks)
{
	struct tally tally = *told;

	tally.bytes += bytes;
	if (samples != NULL)
		tally.counted = *samples;
	if (stacks != NULL)
		tally.stacks = *stacks;
	progress_tell(told, tally, STR(""));
}

void
progress_clear(void)
{
	int error = errno;

	if (!progress.on)
		return;
	pthread_mutex_lock(&progress.lock);
	if (progress.columns > 0)
		fprintf(stderr, "\r%*s\r", (int)progress.columns, "");
	progress.columns = 0;
	progress.touched = now();
	pthread_mutex_unlock(&progress.lock);
	errno = error;
}
