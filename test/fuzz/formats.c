/*
 * The input is the tracing data of a recording.  Whatever they are, a field
 * that can be read overlaps no other one, and is read where raw data reach its
 * end, and only there.
 */
#include <string.h>

#include "fuzz.h"
#include "perf/data/formats.h"

#define LOOKED_AT	50	/* tracepoints */
#define RAW		(2 * (size_t)UINT16_MAX)

static char raw[RAW];

/* Requires a field to be read where its bytes are. */
static void
check_field(const struct raw_field *field)
{
	size_t end = (size_t)field->offset + field->size;
	int64_t number;

	require(end <= RAW, "raw data can hold it");
	require(field_number(field, (struct str){ raw, end }, &number) ==
	    field->is_number, "a number is read");
	require(end == 0 || !field_number(field, (struct str){ raw, end - 1 },
	    &number), "its last byte is needed");
}

static void
check(const struct tracepoint *tracepoint)
{
	static const char *const names[] = { "prev_pid", "prev_state",
		"next_pid", "pid", "prev_comm", "name", "common_type", "" };
	const struct str letters = STR("SDTtXZPIxKWN");
	struct raw_field field;
	uint64_t flags;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (tracepoint_field(tracepoint, str_from(names[i]), &field) ==
		    NULL)
			check_field(&field);
	flags = tracepoint_flags(tracepoint, STR("prev_state"), letters);
	require((tracepoint_flags(tracepoint, STR("prev_state"), STR("XZ")) &
	    ~flags) == 0, "some letters are of all");
}

void
fuzz_formats(struct str input)
{
	struct formats formats = { 0 };
	const struct intmap_slot *slot;
	struct tracepoint found;
	size_t i, looked_at = 0;

	memset(raw, 'a', RAW);
	formats_add(&formats, input);
	for (i = 0; formats.ids.count > 0 && i >> formats.ids.bits == 0 &&
	    looked_at < LOOKED_AT; i++) {
		slot = &formats.ids.slots[i];
		if (slot->number == 0)
			continue;
		looked_at++;
		found = *formats_find(&formats,
		    intmap_pair(slot->high, slot->low));
		require(found.text.len > 0, "what was added is found");
		check(&found);
	}
	formats_free(&formats);
}
