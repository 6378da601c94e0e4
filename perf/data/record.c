#include "record.h"

#define WORD	ATTR_WORD

/* Bits of misc. */
#define MISC_DATA	(1 << 13)	/* MMAP: not executable */
#define MISC_MADE_UP	(1 << 13)	/* FORK: of what ran already */
#define MISC_ID		(1 << 14)	/* MMAP2: no device and inode */
#define MISC_ID_SIZE	(1 << 15)	/* BUILD_ID: it has a size */

#define PROTECTION_EXECUTE	4	/* of mmap(2), as Linux counts */
#define PROTECTION_ANDROID_JIT	0x4000	/* one of simpleperf's own */
#define FLAG_HUGE		0x40000

/* Bits of attr.branch_type. */
#define BRANCH_INDEX	(UINT64_C(1) << 17)
#define BRANCH_COUNTERS	(UINT64_C(1) << 19)	/* since Linux 6.8 */

#define ID_MAX		20	/* bytes of a build id */
#define KSYMBOL_GONE	1

/* Reads `count` items of some bytes each. */
static struct str
read_items(struct bytes *bytes, uint64_t count, size_t size)
{
	if (count > bytes_left(bytes) / size)
		bytes_fail(bytes);
	return bytes_text(bytes, count * size);
}

static struct str
read_chain(struct bytes *bytes)
{
	return read_items(bytes, bytes_u64(bytes), WORD);
}

bool
record_fields(const struct record *record, struct record_fields *fields)
{
	struct bytes bytes = bytes_from(str_skip(record->bytes, RECORD_HEADER));
	size_t id_len = ID_MAX;
	uint32_t protection;

	*fields = (struct record_fields){
		.executable = (record->misc & MISC_DATA) == 0,
		.copies_maps = (record->misc & MISC_MADE_UP) == 0,
	};
	switch (record->type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
	case RECORD_COMM:
		fields->pid = bytes_i32(&bytes);
		fields->tid = bytes_i32(&bytes);
		if (record->type != RECORD_COMM) {
			fields->start = bytes_u64(&bytes);
			fields->len = bytes_u64(&bytes);
			fields->offset = bytes_u64(&bytes);
		}
		if (record->type == RECORD_MMAP2) {
			id_len = bytes_u8(&bytes);
			bytes_skip(&bytes, 3);
			/* without an ID: device, inode and generation */
			fields->build_id = bytes_text(&bytes, ID_MAX);
			if ((record->misc & MISC_ID) == 0)
				id_len = 0;
			protection = bytes_u32(&bytes);
			fields->executable = protection & PROTECTION_EXECUTE;
			fields->is_android_jit =
			    protection & PROTECTION_ANDROID_JIT;
			fields->huge = bytes_u32(&bytes) & FLAG_HUGE;
		}
		fields->name = bytes_string(&bytes);
		break;
	case RECORD_FORK:
	case RECORD_EXIT:
		fields->pid = bytes_i32(&bytes);
		fields->parent_pid = bytes_i32(&bytes);
		fields->tid = bytes_i32(&bytes);
		fields->parent_tid = bytes_i32(&bytes);
		break;
	case RECORD_KSYMBOL:
		fields->start = bytes_u64(&bytes);
		fields->len = bytes_u32(&bytes);
		bytes_skip(&bytes, 2);
		fields->is_gone = (bytes_u16(&bytes) & KSYMBOL_GONE) != 0;
		fields->name = bytes_string(&bytes);
		break;
	case RECORD_CGROUP:
		fields->id = bytes_u64(&bytes);
		fields->name = bytes_string(&bytes);
		break;
	case RECORD_DEFERRED_CHAIN:
		fields->id = bytes_u64(&bytes);
		fields->chain = read_chain(&bytes);
		break;
	case RECORD_BUILD_ID:
		bytes_skip(&bytes, sizeof(fields->pid));
		fields->build_id = bytes_text(&bytes, ID_MAX);
		id_len = bytes_u8(&bytes);
		bytes_skip(&bytes, 3);
		if ((record->misc & MISC_ID_SIZE) == 0)
			id_len = ID_MAX;
		fields->name = bytes_string(&bytes);
		break;
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
		bytes_skip(&bytes, record->type == RECORD_LOST ? WORD : 0);
		fields->lost = bytes_u64(&bytes);
		return true;
	case RECORD_TICKS:
		fields->ticks.shift = bytes_u64(&bytes);
		fields->ticks.multiplier = bytes_u64(&bytes);
		fields->ticks.zero = bytes_u64(&bytes);
		break;
	}
	if (id_len < fields->build_id.len)
		fields->build_id.len = id_len;
	return !bytes.failed && record_is_pid(fields->pid) &&
	    record_is_pid(fields->tid) && record_is_pid(fields->parent_pid) &&
	    record_is_pid(fields->parent_tid);
}

/*
 * Reads the values of counters.  One is its value, times and the ID; a group is
 * its size, times, and of each the value and the ID.
 */
static void
read_reads(struct bytes *bytes, const struct attr *attr,
    struct record_sample *sample)
{
	uint64_t has = attr->read_fields, count = 1;
	size_t times = ((has & READ_ENABLED) != 0 ? WORD : 0) +
	    ((has & READ_RUNNING) != 0 ? WORD : 0);

	sample->has_reads = (has & READ_ID) != 0;
	sample->id_at = WORD;
	if ((has & READ_GROUP) != 0) {
		count = bytes_u64(bytes);
		bytes_skip(bytes, times);
	} else
		sample->id_at += times;
	sample->read_size = sample->id_at + (sample->has_reads ? WORD : 0) +
	    ((has & READ_LOST) != 0 ? WORD : 0);
	sample->reads = read_items(bytes, count, sample->read_size);
}

bool
record_sample_front(const struct record *record, const struct attr *attr,
    struct record_sample *sample, struct bytes *bytes)
{
	struct sample_user *user = &sample->user;
	uint64_t mask = attr->user_registers, count, size = 0;
	struct str branches;

	*sample = (struct record_sample){
		.has_chain = (attr->fields & SAMPLE_CALLCHAIN) != 0,
		.has_rest = attr_has_branch_chains(attr) || (attr->fields &
		    (SAMPLE_USER_REGISTERS | SAMPLE_USER_STACK)) != 0,
	};
	if (!record_words(record, attr, sample))
		return false;
	*bytes = bytes_from(str_skip(record->bytes, attr->at.end));
	if ((attr->fields & SAMPLE_READ) != 0)
		read_reads(bytes, attr, sample);
	if (sample->has_chain)
		sample->chain = read_chain(bytes);
	sample->rest = str_skip(record->bytes,
	    record->bytes.len - bytes_left(bytes));
	if (!sample->has_rest)
		return !bytes->failed;
	if ((attr->fields & SAMPLE_RAW) != 0)
		bytes_skip(bytes, bytes_u32(bytes));
	if ((attr->fields & SAMPLE_BRANCHES) != 0) {
		count = bytes_u64(bytes);
		if ((attr->branch_type & BRANCH_INDEX) != 0)
			bytes_skip(bytes, WORD);
		branches = read_items(bytes, count, RECORD_BRANCH);
		if (attr_has_branch_chains(attr))
			sample->branches = branches;
		if ((attr->branch_type & BRANCH_COUNTERS) != 0)
			read_items(bytes, count, WORD);
	}
	if ((attr->fields & SAMPLE_USER_REGISTERS) != 0) {
		user->abi = bytes_u64(bytes);
		user->mask = mask;
		for (count = 0; mask != 0; count++)
			mask &= mask - 1;
		if (user->abi != 0)
			user->registers = bytes_text(bytes, count * WORD);
	}
	if ((attr->fields & SAMPLE_USER_STACK) != 0)
		size = bytes_u64(bytes);
	user->stack_size = (size_t)size;
	return !bytes->failed && size <= SIZE_MAX;
}

bool
record_sample(const struct record *record, const struct attr *attr,
    struct record_sample *sample)
{
	struct sample_user *user = &sample->user;
	struct bytes bytes;
	uint64_t filled;

	if (!record_sample_front(record, attr, sample, &bytes))
		return false;
	if (user->stack_size == 0)
		return true;
	/* the copy has its full size, and then how many bytes are in use */
	user->stack = bytes_text(&bytes, user->stack_size);
	filled = bytes_u64(&bytes);
	if (filled > user->stack_size)
		return false;
	user->stack = str_take(user->stack, (size_t)filled);
	user->there = user->stack.len;
	return !bytes.failed;
}

/* A size of 4 bytes, and as many bytes; the kernel aligns what follows. */
struct str
sample_raw(const struct record_sample *sample, const struct attr *attr)
{
	struct bytes bytes = bytes_from(sample->rest);

	return (attr->fields & SAMPLE_RAW) == 0 ? STR("") :
	    bytes_text(&bytes, bytes_u32(&bytes));
}

bool
sample_read_off_cpu(struct record_sample *sample, const struct attr *attr)
{
	struct bytes bytes = bytes_from(sample_raw(sample, attr));

	if ((attr->fields & SAMPLE_RAW) == 0)
		return true;
	sample->pid = bytes_i32(&bytes);
	sample->tid = bytes_i32(&bytes);
	sample->period = bytes_u64(&bytes);
	sample->chain = read_chain(&bytes);
	sample->has_chain = true;
	return !bytes.failed && record_is_pid(sample->pid) &&
	    record_is_pid(sample->tid);
}

uint64_t
record_end_word(const struct record *record, size_t back, uint64_t none)
{
	size_t at = record->bytes.len / WORD * WORD;

	return back == 0 || at < RECORD_HEADER + back ? none :
	    attr_word(record->bytes.data + at - back);
}

int32_t
record_tid(const struct record *record, const struct attr *attr)
{
	return (int32_t)(record_end_word(record, attr->back.tid, UINT64_MAX) >>
	    32);
}

uint64_t
record_time(const struct record *record, const struct attr *attr)
{
	if (record->type == RECORD_SAMPLE)
		return record->bytes.len < attr->at.end ? RECORD_NO_TIME :
		    record_word(record, attr->at.time, RECORD_NO_TIME);
	return record_end_word(record, attr->back.time, RECORD_NO_TIME);
}
