/*
 * formats: the layout of tracepoints' raw data, from tracing data:
 *
 *	17 08 44 "tracing"  "0.6" 0  big-endian (1)  long's size (1)  page (4)
 *	"header_page" 0   size (8)  text
 *	"header_event" 0  size (8)  text
 *	count (4)  { size (8)  text } ...		of ftrace's own events
 *	count (4)  { "sched" 0  count (4)  { size (8)  text } ... } ...
 *	...						symbols and names
 *
 * A text is what the kernel has in events/sched/sched_switch/format of tracefs:
 *
 *	name: sched_switch
 *	ID: 372
 *	format:
 *		field:unsigned short common_type;  offset:0;  size:2;  signed:0;
 *		...
 *		field:char prev_comm[16];  offset:8;  size:16;  signed:0;
 *		field:pid_t prev_pid;  offset:24;  size:4;  signed:1;
 *
 *	print fmt: "prev_comm=%s prev_pid=%d ...", REC->prev_comm, ...
 *
 * See util/trace-event-info.c of tools/perf in Linux, which writes all this,
 * and Documentation/trace/events.rst.
 */
#ifndef FORMATS_H
#define FORMATS_H

#include <stdint.h>

#include "lib/intmap.h"
#include "lib/mem.h"

struct tracepoint {
	struct str system, name;	/* "sched", "sched_switch" */
	struct str text;	/* of its format; empty: unknown */
	bool is_big;		/* numbers have their highest byte first */
};

struct formats {
	struct intmap ids;	/* the places of tracepoints, plus one */
	struct tracepoint *list;
	size_t count, room;
	struct arena arena;
};

void formats_free(struct formats *formats);

/* Adds copies of the formats in tracing data; the first with an ID counts. */
void formats_add(struct formats *formats, struct str data);

/*
 * Returns the tracepoint with an ID, an attr's config; an unknown one has no
 * text.  It lives until others are added.
 */
const struct tracepoint *formats_find(const struct formats *formats,
    uint64_t id);

struct raw_field {
	bool is_number;		/* of 1, 2, 4 or 8 bytes */
	uint32_t offset, size;	/* in the raw data */
	bool is_signed, is_big;
};

/*
 * Finds a field by its name, slowly.  Returns NULL, or why it cannot be read,
 * the end of "the field prev_pid ...".
 */
const char *tracepoint_field(const struct tracepoint *tracepoint,
    struct str name, struct raw_field *field);

/* Reads a number from raw data; false if it is cut off or no number. */
bool field_number(const struct raw_field *field, struct str raw,
    int64_t *number);

/*
 * Returns the bits of a field that a format prints as these letters, or 0:
 *
 *	__print_flags(REC->prev_state & ..., "|", { 0x0001, "S" }, ...)
 */
uint64_t tracepoint_flags(const struct tracepoint *tracepoint, struct str field,
    struct str letters);

#endif
