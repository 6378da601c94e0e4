/*
 * perfdata: the recording that perfdata.c, which reads commands, and
 * perflayout.c, which knows how perf.data begins and ends, have in common.
 */
#ifndef PERFDATA_H
#define PERFDATA_H

#include <stddef.h>
#include <stdint.h>

#define MOST_EVENTS	8
#define MOST_IDS	8
#define ATTR_SIZE	128	/* bytes of an event */
#define MARKS_ALL	(1 << 18)	/* flags of an event */
#define MONOTONIC	(1 << 25)

struct buffer {
	unsigned char *data;
	size_t len;
};

struct event {
	char *name;
	uint64_t type, config, fields, read_fields, branches;
	uint64_t flags;
	uint64_t registers;		/* a bit each */
	uint64_t ids[MOST_IDS];		/* of its counters */
	size_t ids_count;
};

/* A recording without its header. */
struct recording {
	struct event events[MOST_EVENTS];
	size_t events_count;
	struct buffer data, build_ids, formats;
	struct buffer files, files2, meta;	/* simpleperf's, or empty */
	char machine[64];
	char release[64];	/* of its kernel, or empty */
	uint64_t first, last;		/* times of samples, or 0 */
	int is_pipe, is_unfinished, is_part;
};

/* Ends the program with a message. */
void fail(const char *why, const char *what);

/* Calls it with the words of each line, NULL after them. */
void each_line(void (*add)(char **words));

/* Returns a number as in C; 0 of NULL. */
uint64_t number(const char *word);

/* Numbers are put in the other byte order. */
extern int is_big;

/*
 * Add bytes, a number of `size` bytes, a text with 1 to 8 NULs, hexadecimal,
 * all that a file holds.
 */
void put(struct buffer *buffer, const void *bytes, size_t len);
void put_number(struct buffer *buffer, uint64_t number, size_t size);
void put_text(struct buffer *buffer, const char *text);
void put_hex(struct buffer *buffer, const char *hex);
void put_contents(struct buffer *buffer, const char *path);

/* Adds numbers of 8 bytes. */
#define PUT(buffer, ...) \
	put_numbers(buffer, (const uint64_t[]){ __VA_ARGS__ }, \
	    sizeof((uint64_t[]){ __VA_ARGS__ }) / 8)
void put_numbers(struct buffer *buffer, const uint64_t *numbers, size_t count);

/*
 * Adds words of a line.  A layout is, for each, the word's number, and how many
 * bytes it has as a number, or a 't' for a text; '-', which is -1, in place of
 * a word's number; or "=N" for the number N of 4 bytes.
 */
void put_layout(struct buffer *buffer, const char *layout, char **words);

/* Prints all of it. */
void print_all(const struct buffer *buffer);

/* Adds an event as perf_event_open(2) takes it. */
void put_attr(struct buffer *buffer, const struct event *event);

/* Adds all that perf record would write. */
void put_recording(struct buffer *file, const struct recording *recording);

#endif
