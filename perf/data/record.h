/*
 * record: the records of perf.data, from bytes to structs.
 *
 *	type (4)  misc (2)  size (2)  fields ...
 *
 * Texts and chains are slices of the record.
 */
#ifndef RECORD_H
#define RECORD_H

#include "attr.h"

#define RECORD_HEADER	8	/* bytes */

/* The kernel's records, and perf's own. */
enum record_type {
	RECORD_MMAP = 1,
	RECORD_LOST = 2,
	RECORD_COMM = 3,
	RECORD_EXIT = 4,
	RECORD_FORK = 7,
	RECORD_SAMPLE = 9,
	RECORD_MMAP2 = 10,
	RECORD_LOST_SAMPLES = 13,
	RECORD_SWITCH = 14,
	RECORD_SWITCH_ALL = 15,		/* SWITCH_CPU_WIDE */
	RECORD_KSYMBOL = 17,
	RECORD_CGROUP = 19,
	RECORD_DEFERRED_CHAIN = 22,	/* of samples before it; Linux 6.19 */
	RECORD_OWN = 64,		/* the first of perf's own */
	RECORD_ATTR = 64,
	RECORD_TRACING_DATA = 66,	/* data follow it in a pipe */
	RECORD_BUILD_ID = 67,
	RECORD_FINISHED_ROUND = 68,
	RECORD_AUXTRACE_INFO = 70,
	RECORD_AUXTRACE = 71,		/* data follow it */
	RECORD_EVENT_UPDATE = 78,
	RECORD_TICKS = 79,		/* TIME_CONV */
	RECORD_FEATURE = 80,
	RECORD_COMPRESSED = 81,
	RECORD_COMPRESSED2 = 83,	/* aligned: its size is its own */
	RECORD_SIMPLEPERF = 32768,	/* simpleperf's are above; their misc is
					   the upper half of their size */
	RECORD_SIMPLEPERF_END = 33024
};

/* The processor's mode, in three bits of misc. */
enum record_mode {
	MODE_UNKNOWN,
	MODE_KERNEL,
	MODE_USER,
	MODE_HYPERVISOR,
	MODE_GUEST_KERNEL,
	MODE_GUEST_USER
};

/* Words of a chain that tell the mode of the addresses that follow. */
#define CONTEXT_FIRST		(UINT64_MAX - 4094)	/* the lowest */
#define CONTEXT_USER		(UINT64_MAX - 511)
#define CONTEXT_USER_DEFERRED	(UINT64_MAX - 639)	/* see recording.c */
#define CONTEXT_KERNEL		(UINT64_MAX - 127)
#define CONTEXT_HYPERVISOR	(UINT64_MAX - 31)

/* One of ours: the user's addresses follow, of any size, to the end. */
#define CONTEXT_UNWOUND		CONTEXT_FIRST

static inline enum record_mode
context_mode(uint64_t context)
{
	switch (context) {
	case CONTEXT_USER:
	case CONTEXT_USER_DEFERRED:
	case CONTEXT_UNWOUND:
		return MODE_USER;
	case CONTEXT_KERNEL:
		return MODE_KERNEL;
	case CONTEXT_HYPERVISOR:
		return MODE_HYPERVISOR;
	default:
		return MODE_UNKNOWN;
	}
}

struct record {
	uint32_t type;
	uint16_t misc;
	struct str bytes;	/* with the header */
};

/* Returns the record at these bytes, as long as its header says. */
static inline struct record
record_at(const char *data)
{
	uint64_t word = attr_word(data);

	return (struct record){ (uint32_t)word, (uint16_t)(word >> 32),
	    { data, (size_t)(word >> 48) } };
}

static inline enum record_mode
record_mode(const struct record *record)
{
	return record->misc & 7;
}

static inline bool
record_is_guest(const struct record *record)
{
	return record_mode(record) == MODE_GUEST_KERNEL ||
	    record_mode(record) == MODE_GUEST_USER;
}

/* True up to Linux's PID_MAX_LIMIT, and for -1, a thread that has ended. */
static inline bool
record_is_pid(int32_t number)
{
	return number >= -1 && number <= 1 << 22;
}

/* Converts the processor's time stamp counter to the recording's clock. */
struct record_ticks {
	uint64_t shift, multiplier, zero;
};

/* What records other than samples hold; a type has some of these. */
struct record_fields {
	int32_t pid, tid, parent_pid, parent_tid;
	uint64_t start, len, offset;	/* of a map, or a function */
	uint64_t id;		/* of a cgroup; cookie of a deferred chain */
	struct str chain;	/* that samples with the cookie wait for */
	struct str build_id;		/* empty if not known */
	struct str name;	/* of a file, thread or function; a path */
	bool executable;
	bool huge;		/* of huge pages: not a file */
	bool is_android_jit;	/* a function that Android's runtime compiled */
	bool copies_maps;	/* FORK, unless perf made the record up */
	bool is_gone;		/* KSYMBOL: the kernel has lost a function */
	uint64_t lost;		/* records that the kernel could not store */
	struct record_ticks ticks;
};

/*
 * Reads the records that have such fields; nothing of others.  False if bytes
 * are missing, or an ID is impossible; a LOST without its number lost nothing.
 */
bool record_fields(const struct record *record, struct record_fields *fields);

/* The state of a program, from which its stack can be unwound. */
struct sample_user {
	uint64_t abi;		/* 0: none, 1: of 32 bits, 2: of 64 */
	uint64_t mask;		/* a bit for each of... */
	struct str registers;	/* ...these, 8 bytes each */
	size_t stack_size;	/* that was asked for; it may hold less: */
	struct str stack;	/* a copy, from the stack pointer on... */
	size_t there;		/* ...of which this much is in memory, and... */
	int fd;			/* ...the rest in this file... */
	uint64_t at;		/* ...from here on */
};

/* Bytes of a call that a processor recorded: from (8)  to (8)  flags (8). */
#define RECORD_BRANCH	24

/* The parts of a sample that make it count. */
struct record_sample {
	const char *ip;		/* its word; zeros: unknown */
	int32_t pid, tid;	/* -1: unknown */
	uint64_t period;
	bool has_chain;
	struct str chain;	/* addresses and contexts, 8 bytes each */
	bool has_reads;		/* then its period is in these... */
	struct str reads;	/* ...of read_size bytes each, a value first */
	size_t read_size, id_at;	/* the place of the ID in each */
	bool has_rest;		/* then its last part is made from these: */
	struct sample_user user;
	struct str branches;	/* calls, the innermost first; or NULL */
	struct str rest;	/* what follows the chain, of any sample */
};

/* Returns the raw data of a sample, of a tracepoint or eBPF; or "". */
struct str sample_raw(const struct record_sample *sample,
    const struct attr *attr);

/*
 * Reads the raw data of a sample of perf record --off-cpu, since perf 6.16:
 *
 *	pid (4)  tid (4)  period (8)  count (8)  chain (8 each)  cgroup (8)
 *
 * False if it makes no sense.  Before 6.16 they were ordinary samples.
 */
bool sample_read_off_cpu(struct record_sample *sample, const struct attr *attr);

/* Returns the word at a place in a record, or `none` if that is 0. */
static inline uint64_t
record_word(const struct record *record, size_t at, uint64_t none)
{
	return at == 0 ? none : attr_word(record->bytes.data + at);
}

/* Does the same in a record other than a sample, `back` from its end. */
uint64_t record_end_word(const struct record *record, size_t back,
    uint64_t none);

/* Returns the thread of a record other than a sample; -1 if it is unknown. */
int32_t record_tid(const struct record *record, const struct attr *attr);

/* Reads the fields of 8 bytes; false if some are missing or make no sense. */
static inline bool
record_words(const struct record *record, const struct attr *attr,
    struct record_sample *sample)
{
	const struct attr_places *at = &attr->at;
	uint64_t ids;

	if (record->bytes.len < at->end)
		return false;
	ids = record_word(record, at->tid, UINT64_MAX);
	sample->ip = at->ip == 0 ? "\0\0\0\0\0\0\0" :
	    record->bytes.data + at->ip;
	sample->pid = (int32_t)(uint32_t)ids;
	sample->tid = (int32_t)(uint32_t)(ids >> 32);
	sample->period = record_word(record, at->period, attr->period);
	return record_is_pid(sample->pid) && record_is_pid(sample->tid);
}

/* Reads a sample of an event whose samples are plain; false as record_words. */
static inline bool
record_plain_sample(const struct record *record, const struct attr *attr,
    struct record_sample *sample)
{
	struct str rest;
	uint64_t count;

	if (!record_words(record, attr, sample))
		return false;
	sample->has_chain = true;
	sample->has_reads = sample->has_rest = false;
	rest = str_skip(record->bytes, attr->at.end);
	if (rest.len < ATTR_WORD)
		return false;
	count = attr_word(rest.data);
	sample->chain = (struct str){ rest.data + ATTR_WORD,
	    (size_t)count * ATTR_WORD };
	return count < rest.len / ATTR_WORD;
}

/* Reads a sample up to its stack copy, with which `bytes` goes on. */
bool record_sample_front(const struct record *record, const struct attr *attr,
    struct record_sample *sample, struct bytes *bytes);

/* Reads any sample; false as record_words. */
bool record_sample(const struct record *record, const struct attr *attr,
    struct record_sample *sample);

#define RECORD_NO_TIME	UINT64_MAX

/* Returns when a record was made; RECORD_NO_TIME if it does not tell. */
uint64_t record_time(const struct record *record, const struct attr *attr);

/* Returns a record's time for ordering; 0 if not all records have one. */
static inline uint64_t
record_turn(const struct record *record, struct attrs *attrs, bool is_pipe)
{
	bool is_sample = record->type == RECORD_SAMPLE;
	const struct attr *attr;
	uint64_t time = RECORD_NO_TIME;

	if (attrs->count == 0 ||
	    (!is_pipe && !attr_marks_all(attrs->list)))
		return 0;
	/* mostly it is in the same place for all events */
	if (is_sample && attrs->time_at > 0 &&
	    attrs->time_at + sizeof(time) <= record->bytes.len)
		time = attr_word(record->bytes.data + attrs->time_at);
	else if ((attr = attrs_find(attrs, record->bytes, is_sample)) != NULL)
		time = record_time(record, attr);
	return time == RECORD_NO_TIME ? 0 : time;
}

#endif
