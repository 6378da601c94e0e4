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

struct buffer {
	unsigned char *data;
	size_t len;
};

struct event {
	char *name;
	uint64_t type, config, fields, read_fields, branches;
	uint64_t marks_all, inherits, is_monotonic, defers, is_frequent;
	uint64_t registers;		/* a bit each */
	uint64_t ids[MOST_IDS];		/* of its counters */
	size_t ids_count;
};

/* A recording without its header. */
struct recording {
	struct event events[MOST_EVENTS];
	size_t events_count;
	struct buffer data, build_ids, formats;
	char machine[64];
	uint64_t first, last;		/* times of samples, or 0 */
	int is_pipe, is_unfinished, is_part;
};

/* Ends the program with a message. */
void fail(const char *why, const char *what);

/*
 * Add bytes, a number of `size` bytes, a text with 1 to 8 NULs, hexadecimal, all
 * that a file holds.
 */
void put(struct buffer *buffer, const void *bytes, size_t len);
void put_number(struct buffer *buffer, uint64_t number, size_t size);
void put_text(struct buffer *buffer, const char *text);
void put_hex(struct buffer *buffer, const char *hex);
void put_contents(struct buffer *buffer, const char *path);

/* Adds an event as perf_event_open(2) takes it. */
void put_attr(struct buffer *buffer, const struct event *event);

/* Adds all that perf record would write. */
void put_recording(struct buffer *file, const struct recording *recording);

#endif
