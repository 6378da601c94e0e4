/*
 * attr: the events of a recording as perf_event_open(2) was asked for them, so
 * the layout of samples; and the IDs by which samples name their event.
 */
#ifndef ATTR_H
#define ATTR_H

#include "lib/bytes.h"
#include "lib/intmap.h"
#include "lib/table.h"
#include "lib/text.h"
#include "formats.h"

/* The fields of a sample. */
enum sample_field {
	SAMPLE_IP = 1 << 0,
	SAMPLE_TID = 1 << 1,
	SAMPLE_TIME = 1 << 2,
	SAMPLE_ADDRESS = 1 << 3,
	SAMPLE_READ = 1 << 4,
	SAMPLE_CALLCHAIN = 1 << 5,
	SAMPLE_ID = 1 << 6,
	SAMPLE_CPU = 1 << 7,
	SAMPLE_PERIOD = 1 << 8,
	SAMPLE_STREAM_ID = 1 << 9,
	SAMPLE_RAW = 1 << 10,
	SAMPLE_BRANCHES = 1 << 11,
	SAMPLE_USER_REGISTERS = 1 << 12,
	SAMPLE_USER_STACK = 1 << 13,
	SAMPLE_IDENTIFIER = 1 << 16,	/* in front of all others */
	SAMPLE_AUX = 1 << 20,		/* at the end, of any size */
	SAMPLE_CGROUP = 1 << 21,
	SAMPLE_DATA_PAGE = 1 << 22,
	SAMPLE_CODE_PAGE = 1 << 23,
	SAMPLE_KNOWN = (1 << 25) - 1
};

/* The fields of a SAMPLE_READ. */
enum read_field {
	READ_ENABLED = 1 << 0,
	READ_RUNNING = 1 << 1,
	READ_ID = 1 << 2,
	READ_GROUP = 1 << 3,
	READ_LOST = 1 << 4,
	READ_KNOWN = 31
};

enum attr_type {
	ATTR_HARDWARE,
	ATTR_SOFTWARE,
	ATTR_TRACEPOINT,
	ATTR_CACHE,
	ATTR_RAW,
	ATTR_BREAKPOINT
};

/* How samples of an event count; begins as { 0 }, before one is met. */
struct counted_event {
	enum { EVENT_UNKNOWN, EVENT_COUNTS, EVENT_OTHER } state;
	uint32_t frame;		/* of its name, plus one; 0: not in stacks */
	struct raw_field field;	/* by which it counts, if... */
	bool has_field;		/* ...it has that */
	bool is_plain;		/* record_plain_sample reads all that counts */
};

/* What samples of an event report about waits; begins as { 0 }. */
struct sched_event {
	uint8_t change;		/* a wait_change */
	struct raw_field prev, state, next;	/* of its raw data */
	uint64_t states;	/* bits of a thread that is not runnable */
	uint64_t ended, uninterruptible;	/* bits with these meanings */
};

struct attr {
	uint32_t type;		/* an attr_type, or one that the kernel gave */
	uint64_t config;
	uint64_t period;	/* of samples without; or samples a second */
	uint64_t fields;	/* of a sample_field each */
	uint64_t read_fields;
	uint64_t flags;
	uint32_t breakpoint_type;
	uint64_t breakpoint_address;
	uint64_t branch_type;
	uint64_t user_registers;	/* a bit for each in a sample */
	int32_t clock;		/* of its times; -1: the kernel's own */
	struct str name;	/* empty until it is known */

	/* Offsets of fields in samples; 0: not in them. */
	struct attr_places {
		size_t ip, tid, time, id, cpu, period;
		size_t end;			/* of all these */
		size_t cgroup_back;		/* from the end */
	} at;
	struct attr_places back;	/* from the end of other records */

	struct counted_event counted;
	struct sched_event sched;
};

#define ATTR_MONOTONIC	1	/* the clock CLOCK_MONOTONIC */

/* Bits of flags. */
#define ATTR_INHERITS	(UINT64_C(1) << 1)
#define ATTR_FREQUENCY	(UINT64_C(1) << 10)
#define ATTR_MARKS_ALL	(UINT64_C(1) << 18)
#define ATTR_DEFERS	(UINT64_C(1) << 38)

#define BRANCH_CALL_STACK	(UINT64_C(1) << 11)	/* of branch_type */

/* True if records that are no samples end with time and id, too. */
static inline bool
attr_marks_all(const struct attr *attr)
{
	return (attr->flags & ATTR_MARKS_ALL) != 0;
}

/* True if programs' call chains come after their samples: see recording.c. */
static inline bool
attr_defers_chains(const struct attr *attr)
{
	return (attr->flags & ATTR_DEFERS) != 0 && (attr->fields &
	    (SAMPLE_CALLCHAIN | SAMPLE_USER_STACK)) == SAMPLE_CALLCHAIN;
}

/* True if call chains are made of the processor's records of branches. */
static inline bool
attr_has_branch_chains(const struct attr *attr)
{
	return (attr->fields & SAMPLE_BRANCHES) != 0 &&
	    (attr->branch_type & BRANCH_CALL_STACK) != 0;
}

/* True if samples hold reads of counters in an unknown format. */
static inline bool
attr_has_unknown_reads(const struct attr *attr)
{
	return (attr->fields & SAMPLE_READ) != 0 &&
	    attr->read_fields > READ_KNOWN;
}

#define ATTR_CPU_CLOCK	0	/* software events, by their config */
#define ATTR_TASK_CLOCK	1
#define ATTR_DUMMY	9
#define ATTR_BPF_OUTPUT	10

/* True if samples are of what perf record --off-cpu measures. */
static inline bool
attr_is_off_cpu(const struct attr *attr)
{
	return attr->type == ATTR_SOFTWARE &&
	    attr->config == ATTR_BPF_OUTPUT &&
	    str_equal(attr->name, STR("offcpu-time"));
}

/* Reads a struct perf_event_attr of any version. */
struct attr attr_read(struct bytes *bytes);

#define ATTR_WORD	8	/* bytes of most fields, and of an address */

/* Reads 8 bytes anywhere. */
static inline uint64_t
attr_word(const char *data)
{
	return bytes_word((const unsigned char *)data);
}

/* Writes 8 bytes anywhere. */
static inline void
attr_put_word(char *at, uint64_t word)
{
	unsigned i;

	for (i = 0; i < ATTR_WORD; i++)
		at[i] = (char)(word >> 8 * i);
}

/* Adds the name that perf gives an event whose name was not recorded. */
void attr_add_name(const struct attr *attr, struct text *text);

/* Begins as { 0 }. */
struct attrs {
	struct attr *list;	/* in the order of the recording */
	size_t count, room;
	size_t named;		/* how many samples_begin knows: all, or 0 */
	uint64_t fields;	/* of samples of any event... */
	uint64_t traced;	/* ...and of any tracepoint */
	struct intmap ids;	/* the places of counters' events, plus one */
	struct table values;	/* numbers them by counter and thread */
	uint64_t *last;		/* the last values */
	size_t last_room;
	size_t time_at;		/* in all samples, or 0 */
	bool defers_chains;	/* an event does */
	struct arena arena;	/* for names */
};

void attrs_free(struct attrs *attrs);

/* Adds an event with the IDs of its counters, 8 bytes each. */
void attrs_add(struct attrs *attrs, struct attr attr, struct bytes ids);

/* Names the event at a place, if there is one without a name. */
void attrs_name(struct attrs *attrs, size_t place, struct str name);

/* Returns the event that a counter counts, or NULL. */
static inline struct attr *
attrs_counted(const struct attrs *attrs, uint64_t id)
{
	uint32_t place = intmap_find(&attrs->ids, id);

	return place == 0 ? NULL : &attrs->list[place - 1];
}

/*
 * Returns the last value of a counter, in one thread or, for INT32_MIN, in all;
 * valid until the next call.
 */
uint64_t *attrs_last(struct attrs *attrs, uint64_t id, int32_t tid);

/* Returns the event with a counter's number, or NULL; the first for 0. */
static inline struct attr *
attrs_by_id(const struct attrs *attrs, uint64_t id)
{
	return id == 0 ? attrs->list : attrs_counted(attrs, id);
}

/*
 * Returns the event of a record, or NULL: the only one, or the one with the ID
 * in the record.  Records that perf made up have the ID 0, and the first
 * event's layout.
 */
struct attr *attrs_find(struct attrs *attrs, struct str record, bool is_sample);

/* The same of a sample. */
static inline struct attr *
attrs_of_sample(const struct attrs *attrs, struct str sample)
{
	size_t id_at = attrs->count <= 1 ? 0 : attrs->list->at.id;

	if (id_at == 0)
		return attrs->list;
	return sample.len < id_at + ATTR_WORD ? NULL :
	    attrs_by_id(attrs, attr_word(sample.data + id_at));
}

#endif
