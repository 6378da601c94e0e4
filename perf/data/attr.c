#include <stdlib.h>

#include "attr.h"

#define HEADER	8	/* bytes in front of a record's fields */
#define WORD	ATTR_WORD

/* Bits of attr.flags. */
#define EXCLUDE_USER	(UINT64_C(1) << 4)
#define EXCLUDE_KERNEL	(UINT64_C(1) << 5)
#define EXCLUDE_HV	(UINT64_C(1) << 6)
#define PRECISE_SHIFT	15
#define EXCLUDE_HOST	(UINT64_C(1) << 19)
#define EXCLUDE_GUEST	(UINT64_C(1) << 20)

#define USE_CLOCK	(UINT64_C(1) << 25)

/* The size of the first version, and what a size of 0 means. */
#define LEAST_SIZE	64

/* perf has no longer names; each sample compares them. */
#define NAME_MOST	4096

/* A field of 8 bytes, and where its place is kept. */
struct word_field {
	uint64_t field;
	size_t kept;
};

#define KEPT(member)	offsetof(struct attr_places, member)
#define NOT_KEPT	KEPT(end)

/* What samples begin with, in this order, as far as it was asked for... */
static const struct word_field sample_words[] = {
	{ SAMPLE_IDENTIFIER, KEPT(id) }, { SAMPLE_IP, KEPT(ip) },
	{ SAMPLE_TID, KEPT(tid) }, { SAMPLE_TIME, KEPT(time) },
	{ SAMPLE_ADDRESS, NOT_KEPT }, { SAMPLE_ID, KEPT(id) },
	{ SAMPLE_STREAM_ID, NOT_KEPT }, { SAMPLE_CPU, KEPT(cpu) },
	{ SAMPLE_PERIOD, KEPT(period) }, { 0 }
};

/* ...and what other records end with, from the last one back. */
static const struct word_field end_words[] = {
	{ SAMPLE_IDENTIFIER, KEPT(id) }, { SAMPLE_CPU, KEPT(cpu) },
	{ SAMPLE_STREAM_ID, NOT_KEPT }, { SAMPLE_ID, KEPT(id) },
	{ SAMPLE_TIME, KEPT(time) }, { SAMPLE_TID, KEPT(tid) }, { 0 }
};

/* Finds the places of such fields, the first of which is at `begin`. */
static struct attr_places
find_places(uint64_t fields, const struct word_field *order, size_t begin)
{
	struct attr_places places = { .end = begin };
	size_t *kept;

	for (; order->field != 0; order++) {
		if ((fields & order->field) == 0)
			continue;
		kept = (size_t *)((char *)&places + order->kept);
		if (*kept == 0)
			*kept = places.end;
		places.end += WORD;
	}
	return places;
}

struct attr
attr_read(struct bytes *bytes)
{
	struct bytes rest = *bytes, body;
	struct attr attr = { .type = 0 };
	uint32_t size;

	bytes_skip(&rest, 4);
	size = bytes_u32(&rest);
	body = bytes_take(bytes, size == 0 ? LEAST_SIZE : size);
	attr.type = bytes_u32(&body);
	bytes_skip(&body, 4);
	attr.config = bytes_u64(&body);
	attr.period = bytes_u64(&body);
	attr.fields = bytes_u64(&body);
	attr.read_fields = bytes_u64(&body);
	attr.flags = bytes_u64(&body);
	bytes_skip(&body, 4);
	attr.breakpoint_type = bytes_u32(&body);
	attr.breakpoint_address = bytes_u64(&body);
	/* 0 in versions that end before these */
	bytes_skip(&body, WORD);
	attr.branch_type = bytes_u64(&body);
	attr.user_registers = bytes_u64(&body);
	bytes_skip(&body, 4);
	attr.clock = bytes_i32(&body);
	if ((attr.flags & USE_CLOCK) == 0)
		attr.clock = -1;
	attr.at = find_places(attr.fields, sample_words, HEADER);
	/* a sample ends with CGROUP, DATA_PAGE and CODE_PAGE, or AUX */
	if ((attr.fields & (SAMPLE_CGROUP | SAMPLE_AUX)) == SAMPLE_CGROUP &&
	    attr.fields <= SAMPLE_KNOWN)
		attr.at.cgroup_back = WORD * (1U +
		    ((attr.fields & SAMPLE_DATA_PAGE) != 0) +
		    ((attr.fields & SAMPLE_CODE_PAGE) != 0));
	if (attr_marks_all(&attr))
		attr.back = find_places(attr.fields, end_words, WORD);
	return attr;
}

static const char *
find_name(const char *const *names, size_t count, uint64_t number)
{
	return number < count ? names[number] : "unknown";
}

/* ":u", ":k", ":ppp" or ":H", if not all is counted as usual */
static void
add_modifiers(uint64_t flags, struct text *text)
{
	uint64_t precise = flags >> PRECISE_SHIFT & 3;
	bool has_modes =
	    (flags & (EXCLUDE_KERNEL | EXCLUDE_USER | EXCLUDE_HV)) != 0;
	/* perf excludes guests where it is asked for modes or precision */
	bool has_hosts = (flags & EXCLUDE_HOST) != 0 ||
	    ((flags & EXCLUDE_GUEST) != 0) == (has_modes || precise > 0);
	size_t before = text->len;

	text_add_format(text, ":%s%s%s%.*s%s%s",
	    has_modes && (flags & EXCLUDE_KERNEL) == 0 ? "k" : "",
	    has_modes && (flags & EXCLUDE_USER) == 0 ? "u" : "",
	    has_modes && (flags & EXCLUDE_HV) == 0 ? "h" : "",
	    (int)precise, "ppp",
	    has_hosts && (flags & EXCLUDE_HOST) == 0 ? "H" : "",
	    has_hosts && (flags & EXCLUDE_GUEST) == 0 ? "G" : "");
	if (text->len == before + 1)
		text->len = before;
}

void
attr_add_name(const struct attr *attr, struct text *text)
{
	static const char *const hardware[] = { "cycles", "instructions",
		"cache-references", "cache-misses", "branches",
		"branch-misses", "bus-cycles", "stalled-cycles-frontend",
		"stalled-cycles-backend", "ref-cycles" };
	static const char *const software[] = { "cpu-clock", "task-clock",
		"page-faults", "context-switches", "cpu-migrations",
		"minor-faults", "major-faults", "alignment-faults",
		"emulation-faults", "dummy" };
	static const char *const caches[] = { "L1-dcache", "L1-icache", "LLC",
		"dTLB", "iTLB", "branch", "node" };
	static const char *const kinds[] = { "load", "store", "prefetch" };
	static const char *const all[] = { "loads", "stores", "prefetches" };
	bool are_misses = (attr->config >> 16 & 0xff) != 0;

	switch (attr->type) {
	case ATTR_HARDWARE:	/* a hybrid's PMU is in the upper half */
		text_add(text, str_from(find_name(hardware, 10,
		    attr->config & UINT32_MAX)));
		break;
	case ATTR_SOFTWARE:
		text_add(text, str_from(find_name(software, 10,
		    attr->config)));
		break;
	case ATTR_TRACEPOINT:
		text_add(text, STR("unknown tracepoint"));
		return;
	case ATTR_CACHE:
		/* "L1-dcache-load-misses", three bytes of config */
		text_add_format(text, "%s-%s%s",
		    find_name(caches, 7, attr->config & 0xff),
		    find_name(are_misses ? kinds : all, 3,
		    attr->config >> 8 & 0xff), are_misses ? "-misses" : "");
		break;
	case ATTR_RAW:
		text_add_format(text, "raw 0x%llx",
		    (unsigned long long)attr->config);
		break;
	case ATTR_BREAKPOINT:
		/* "mem:0x4010:rw" */
		text_add_format(text, "mem:0x%llx:%s%s%s",
		    (unsigned long long)attr->breakpoint_address,
		    (attr->breakpoint_type & 1) != 0 ? "r" : "",
		    (attr->breakpoint_type & 2) != 0 ? "w" : "",
		    (attr->breakpoint_type & 4) != 0 ? "x" : "");
		break;
	default:
		text_add_format(text, "unknown attr type: %lu",
		    (unsigned long)attr->type);
		return;
	}
	add_modifiers(attr->flags, text);
}

void
attrs_free(struct attrs *attrs)
{
	free(attrs->list);
	free(attrs->last);
	intmap_free(&attrs->ids);
	table_free(&attrs->values);
	arena_free(&attrs->arena);
}

void
attrs_add(struct attrs *attrs, struct attr attr, struct bytes ids)
{
	uint32_t *place;

	*LIST_ADD(attrs->list, attrs->count, attrs->room) = attr;
	attrs->fields |= attr.fields;
	attrs->defers_chains |= attr_defers_chains(&attr);
	if (attr.type == ATTR_TRACEPOINT)
		attrs->traced |= attr.fields;
	attrs->time_at = attrs->count == 1 ||
	    attrs->time_at == attr.at.time ? attr.at.time : 0;
	while (bytes_left(&ids) >= WORD) {
		place = intmap_at(&attrs->ids, bytes_u64(&ids));
		if (*place == 0)
			*place = (uint32_t)attrs->count;
	}
}

void
attrs_name(struct attrs *attrs, size_t place, struct str name)
{
	name.len = name.len < NAME_MOST ? name.len : NAME_MOST;
	if (place < attrs->count && attrs->list[place].name.len == 0)
		attrs->list[place].name = arena_copy(&attrs->arena, name);
}

uint64_t *
attrs_last(struct attrs *attrs, uint64_t id, int32_t tid)
{
	const uint64_t key[] = { id, (uint32_t)tid };
	uint32_t number = table_add(&attrs->values,
	    (struct str){ (const char *)key, sizeof(key) });

	attrs->last = mem_grow_zero(attrs->last, &attrs->last_room,
	    (size_t)number + 1, sizeof(*attrs->last));
	return &attrs->last[number];
}

struct attr *
attrs_find(struct attrs *attrs, struct str record, bool is_sample)
{
	size_t words = record.len / WORD * WORD;
	size_t back = attrs->count <= 1 ? 0 : attrs->list->back.id;

	if (is_sample)
		return attrs_of_sample(attrs, record);
	if (back == 0)
		return attrs->list;
	return words < HEADER + back ? NULL :
	    attrs_by_id(attrs, attr_word(record.data + words - back));
}
