#include <stdlib.h>

#include "header.h"

#define MAGIC		STR("PERFILE2")
#define OTHER_ENDIAN	STR("2ELIFREP")
#define FIRST_MAGIC	STR("PERFFILE")
#define FILE_HEADER	104	/* bytes... */
#define OLD_HEADER	72	/* ...and without features */
#define SECTION		16

#define UPDATE_NAME	2	/* a kind of RECORD_EVENT_UPDATE */

static struct header_section
read_section(struct bytes *bytes)
{
	struct header_section section;

	section.offset = bytes_u64(bytes);
	section.size = bytes_u64(bytes);
	return section;
}

const char *
header_read(struct str text, struct header *header)
{
	struct bytes bytes = bytes_from(text);
	size_t i;

	*header = (struct header){ .is_pipe = false };
	if (str_starts(text, OTHER_ENDIAN))
		return "recorded on a big-endian machine" ONLY_PERF;
	if (str_starts(text, FIRST_MAGIC))
		return "recorded by perf of 2012 or before" ONLY_PERF;
	if (!str_starts(text, MAGIC))
		return "no recording of perf";
	bytes_skip(&bytes, MAGIC.len);
	header->size = bytes_u64(&bytes);
	header->is_pipe = header->size == HEADER_PIPE;
	if (header->is_pipe && !bytes.failed)
		return NULL;
	header->event_size = bytes_u64(&bytes);
	header->events = read_section(&bytes);
	header->data = read_section(&bytes);
	read_section(&bytes);
	if (bytes.failed)
		return "the recording ends inside its header";
	if (header->size == FILE_HEADER)
		for (i = 0; i < HEADER_FEATURES / 64; i++)
			header->features[i] = bytes_u64(&bytes);
	else if (header->size != OLD_HEADER)
		return "the recording has a header of an unknown size";
	if (header->event_size <= SECTION)
		return "the recording's header does not tell the size of "
		    "events; was perf record killed?";
	return NULL;
}

struct header_section
header_read_event(struct str text, struct attr *attr)
{
	struct bytes bytes = bytes_from(text), ids = bytes;

	*attr = attr_read(&bytes);
	bytes_seek(&ids, text.len < SECTION ? 0 : text.len - SECTION);
	return read_section(&ids);
}

void
header_add_counters(struct attrs *attrs, struct str ids)
{
	struct bytes bytes = bytes_from(ids);

	while (attrs->count > 0 && bytes_left(&bytes) >= sizeof(uint64_t))
		attrs_add_counter(attrs, bytes_u64(&bytes));
}

void
header_read_attr(struct attrs *attrs, struct str record)
{
	struct bytes bytes = bytes_from(record);
	struct attr attr;

	bytes_skip(&bytes, RECORD_HEADER);
	attr = attr_read(&bytes);
	if (bytes.failed)
		return;
	attrs_add(attrs, attr);
	header_add_counters(attrs, bytes_text(&bytes, bytes_left(&bytes)));
}

/* A length, and as many bytes; a NUL may end the text earlier. */
static struct str
read_text(struct bytes *bytes)
{
	uint32_t len = bytes_u32(bytes);
	struct str text = bytes_text(bytes, len);

	return str_take(text, str_find(text, '\0'));
}

void
header_name_events(struct attrs *attrs, struct str section)
{
	struct bytes bytes = bytes_from(section);
	uint32_t count = bytes_u32(&bytes), size = bytes_u32(&bytes), i, ids;
	struct str name;

	for (i = 0; i < count && !bytes.failed; i++) {
		bytes_skip(&bytes, size);
		ids = bytes_u32(&bytes);
		name = read_text(&bytes);
		bytes_skip(&bytes, ids * (uint64_t)sizeof(uint64_t));
		if (!bytes.failed)
			attrs_name(attrs, i, name);
	}
}

/* Names the events that a line, "cpu-cycles:u,0,0", has by their numbers. */
static void
name_by_numbers(struct attrs *attrs, struct str line)
{
	struct text text = { 0 };
	const struct attr *attr;
	size_t i;

	for (i = 0; i < attrs->count; i++) {
		attr = &attrs->list[i];
		text.len = 0;
		text_add_format(&text, ",%lu,%llu", (unsigned long)attr->type,
		    (unsigned long long)attr->config);
		if (str_ends(line, text_str(&text)))
			attrs_name(attrs, i, str_take(line,
			    line.len - text.len));
	}
	free(text.data);
}

/* Keys and values, each ended by a NUL. */
void
header_name_simpleperf_events(struct attrs *attrs, struct str section)
{
	struct bytes bytes = bytes_from(section);
	struct str key, value, line;

	while (bytes_left(&bytes) > 0) {
		key = bytes_string(&bytes);
		value = bytes_string(&bytes);
		if (!str_equal(key, STR("event_type_info")))
			continue;
		while (value.len > 0) {
			line = str_take(value, str_find(value, '\n'));
			name_by_numbers(attrs, line);
			value = str_skip(value, line.len +
			    (line.len < value.len));
		}
	}
}

void
header_update_event(struct attrs *attrs, struct str record)
{
	struct bytes bytes = bytes_from(record);
	struct counter *counter;
	uint64_t kind, id;
	struct str name;

	bytes_skip(&bytes, RECORD_HEADER);
	kind = bytes_u64(&bytes);
	id = bytes_u64(&bytes);
	name = bytes_string(&bytes);
	if (bytes.failed || kind != UPDATE_NAME || attrs->count == 0)
		return;
	counter = attrs->count == 1 || id == 0 ? NULL :
	    attrs_counter(attrs, id);
	attrs_name(attrs, counter == NULL ? 0 : counter->attr, name);
}

void
header_note_ids(struct modules *modules, struct str section)
{
	struct record_build_id id;
	struct record record;

	while (section.len >= RECORD_HEADER) {
		record = record_at(section.data);
		if (record.bytes.len < RECORD_HEADER ||
		    record.bytes.len > section.len)
			return;
		if (record_build_id(&record, &id))
			modules_note_id(modules, id.name, id.id,
			    record_mode(&record) == MODE_KERNEL);
		section = str_skip(section, record.bytes.len);
	}
}

struct str
header_text(struct str section)
{
	struct bytes bytes = bytes_from(section);

	return read_text(&bytes);
}
