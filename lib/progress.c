#include <sys/ioctl.h>
#include <sys/stat.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>	/* TIOCGWINSZ on illumos */
#include <time.h>
#include <unistd.h>

#include "mem.h"
#include "progress.h"
#include "text.h"
#include "utf8.h"

/* The line comes after DELAY seconds, and anew after INTERVAL. */
#define DELAY		1.0
#define INTERVAL	0.2

#define USUAL_COLUMNS	80
#define MOST_COLUMNS	250
#define LEAST_WHERE	12	/* columns that make a path worth showing */

static struct {
	bool silent, on;
	const char *program, *what;
	bool reads;		/* files */
	unsigned long long size;	/* of these; 0 if it is not known */
	const size_t *counted;
	const uint32_t *stacks;
	pthread_mutex_t lock;	/* for what follows */
	unsigned long long sum;	/* of what was added */
	double begun;		/* seconds, or 0: nothing was added yet */
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

/* Adds the size of an operand from its offset; false if not known. */
static bool
add_size(const char *operand)
{
	bool standard = strcmp(operand, "-") == 0;
	struct stat status;
	off_t start = 0;

	if (standard ? fstat(STDIN_FILENO, &status) != 0 :
	    stat(operand, &status) != 0)
		return true;	/* it will not be read */
	if (standard)
		start = lseek(STDIN_FILENO, 0, SEEK_CUR);
	if (!S_ISREG(status.st_mode) || start < 0)
		return false;
	if (status.st_size > start)
		progress.size += (unsigned long long)(status.st_size - start);
	return true;
}

void
progress_start(const char *program, const char *const *operands,
    const char *counted)
{
	bool known;

	if (progress.silent || !isatty(STDERR_FILENO) || isatty(STDOUT_FILENO))
		return;
	progress.on = true;
	mem_on_failure(progress_clear);
	progress.program = program;
	progress.what = counted;
	progress.reads = operands != NULL;
	if (!progress.reads)
		return;
	known = operands[0] != NULL || add_size("-");
	for (; *operands != NULL; operands++)
		known &= add_size(*operands);
	if (!known)
		progress.size = 0;
}

void
progress_watch(const size_t *counted, const uint32_t *stacks)
{
	progress.counted = counted;
	progress.stacks = stacks;
}

void
progress_forget_size(void)
{
	progress.size = 0;
}

/* Adds "512", "1.23 M", "45.6 G", and so on, and what it is. */
static void
add_scaled(struct text *line, unsigned long long number,
    const char *what)
{
	const char *prefix = " kMGTPE";
	double value = (double)number;

	if (number < 1000) {
		text_add_format(line, "%llu %s", number, what);
		return;
	}
	while (value >= 999.5) {
		value /= 1000;
		prefix++;
	}
	text_add_format(line, "%.*f %c%s%s",
	    value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, *prefix,
	    strcmp(what, "B") == 0 ? "" : " ", what);
}

static void
add_reading(struct text *line, double elapsed)
{
	double done = (double)progress.sum, all = (double)progress.size;
	double seconds;

	/* A file may grow. */
	if (done > all || done <= 0) {
		add_scaled(line, progress.sum, "B");
		return;
	}
	text_add_format(line, "%.0f %% of ", 100 * done / all);
	add_scaled(line, progress.size, "B");
	seconds = elapsed * (all - done) / done;
	if (seconds < 100)
		text_add_format(line, ", %.0f s left", ceil(seconds));
	else if (seconds < 6000)
		text_add_format(line, ", %.0f min left", seconds / 60);
	else
		text_add_format(line, ", %.0f h left", seconds / 3600);
}

/* Adds as much of a path's end as has room, all but printable ASCII as '?'. */
static void
add_where(struct text *line, size_t columns, struct str where)
{
	size_t room = columns > line->len ? columns - line->len : 0;
	size_t length = utf8_length(where), skipped = 0;
	uint32_t code;

	if (where.len == 0 || room < 2 + LEAST_WHERE)
		return;
	room -= 2;
	if (length > room)
		skipped = length - (room - 3);
	text_add_format(line, skipped > 0 ? ", ..." : ", ");
	while (where.len > 0) {
		code = utf8_next(&where);
		if (skipped > 0)
			skipped--;
		else
			text_add_char(line, code >= ' ' && code < 0x7f ?
			    (char)code : '?');
	}
}

/* POSIX has had a call for it since 2024 only. */
size_t
progress_columns(int fd)
{
#ifdef TIOCGWINSZ
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) == 0)
		return size.ws_col;
#else
	(void)fd;
#endif
	return 0;
}

/* Blanks take the old line away on any terminal. */
static void
draw(double elapsed, struct str where)
{
	size_t columns = progress_columns(STDERR_FILENO), i;
	struct text line = { 0 };

	if (columns == 0)
		columns = USUAL_COLUMNS;
	/* one less, or the line would have a second row */
	columns = columns > MOST_COLUMNS ? MOST_COLUMNS : columns - 1;
	text_add_format(&line, "%s: ", progress.program);
	if (progress.reads) {
		add_reading(&line, elapsed);
		text_add_format(&line, ", ");
	}
	add_scaled(&line, progress.counted != NULL ? *progress.counted :
	    progress.sum, progress.what);
	if (progress.stacks != NULL && *progress.stacks > 0) {
		text_add_format(&line, ", ");
		add_scaled(&line, *progress.stacks, "stacks");
	}
	add_where(&line, columns, where);
	if (line.len > columns)
		line.len = columns;
	for (i = 0; i < line.len; i++)
		if (is_control(line.data[i]) || line.data[i] == '\t')
			line.data[i] = '?';
	fprintf(stderr, "\r%*s\r%.*s", (int)progress.columns, "",
	    (int)line.len, line.data);
	progress.columns = line.len;
	free(line.data);
}

void
progress_add(unsigned long long amount, struct str where)
{
	double time;
	pid_t group;

	if (!progress.on)
		return;
	time = now();
	pthread_mutex_lock(&progress.lock);
	progress.sum += amount;
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
