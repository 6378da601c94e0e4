#include <stdlib.h>

#include "formats.h"
#include "lib/bytes.h"

#define MAGIC		((struct str){ "\x17\x08\x44tracing", 10 })

void
formats_free(struct formats *formats)
{
	free(formats->list);
	intmap_free(&formats->ids);
	arena_free(&formats->arena);
}

/* Returns a number of up to 8 bytes in either order. */
static uint64_t
join_bytes(struct str bytes, bool is_big)
{
	uint64_t number = 0;
	size_t i;

	for (i = 0; i < bytes.len; i++)
		number = number << 8 | (unsigned char)bytes.data[
		    is_big ? i : bytes.len - 1 - i];
	return number;
}

/* Reads a size, and a text of that size. */
static struct str
read_sized(struct bytes *bytes, bool is_big)
{
	return bytes_text(bytes, join_bytes(bytes_text(bytes, 8), is_big));
}

/* Returns what follows "ID: " or the like in a format's text; or nothing. */
static struct str
find_entry(struct str text, struct str start)
{
	struct str line;

	while (text.len > 0) {
		line = str_cut(&text, '\n');
		if (str_starts(line, start))
			return str_trim(str_skip(line, start.len));
	}
	return STR("");
}

static void
add_tracepoint(struct formats *formats, struct tracepoint tracepoint)
{
	unsigned long long id;
	uint32_t *place;

	if (!str_number(find_entry(tracepoint.text, STR("ID:")), &id))
		return;
	place = intmap_at(&formats->ids, id);
	if (*place > 0)
		return;
	tracepoint.system = arena_copy(&formats->arena, tracepoint.system);
	tracepoint.text = arena_copy(&formats->arena, tracepoint.text);
	tracepoint.name = find_entry(tracepoint.text, STR("name:"));
	*LIST_ADD(formats->list, formats->count, formats->room) = tracepoint;
	*place = (uint32_t)formats->count;
}

void
formats_add(struct formats *formats, struct str data)
{
	struct bytes bytes = bytes_from(data);
	struct tracepoint tracepoint = { .is_big = false };
	uint64_t systems, count;
	bool is_big;

	if (!str_equal(bytes_text(&bytes, MAGIC.len), MAGIC))
		return;
	bytes_string(&bytes);
	is_big = tracepoint.is_big = bytes_u8(&bytes) == 1;
	bytes_skip(&bytes, 5);
	if (!str_equal(bytes_string(&bytes), STR("header_page")))
		return;
	read_sized(&bytes, is_big);
	if (!str_equal(bytes_string(&bytes), STR("header_event")))
		return;
	read_sized(&bytes, is_big);
	count = join_bytes(bytes_text(&bytes, 4), is_big);
	for (; count > 0 && !bytes.failed; count--)
		read_sized(&bytes, is_big);
	systems = join_bytes(bytes_text(&bytes, 4), is_big);
	for (; systems > 0 && !bytes.failed; systems--) {
		tracepoint.system = bytes_string(&bytes);
		count = join_bytes(bytes_text(&bytes, 4), is_big);
		for (; count > 0 && !bytes.failed; count--) {
			tracepoint.text = read_sized(&bytes, is_big);
			if (!bytes.failed)
				add_tracepoint(formats, tracepoint);
		}
	}
}

const struct tracepoint *
formats_find(const struct formats *formats, uint64_t id)
{
	static const struct tracepoint none;
	uint32_t place = intmap_find(&formats->ids, id);

	return place == 0 ? &none : &formats->list[place - 1];
}

/* Cuts "offset:8;" off a line; false unless it is a number of 32 bits. */
static bool
read_part(struct str *line, struct str start, uint32_t *number)
{
	struct str part = str_trim(str_cut(line, ';'));
	unsigned long long said;

	if (!str_starts(part, start) ||
	    !str_number(str_skip(part, start.len), &said) || said > UINT32_MAX)
		return false;
	*number = (uint32_t)said;
	return true;
}

/*
 * Reads a line of a format; false if it is not a field.  An offset beyond 32
 * bits gives a field outside any data.
 *
 *	field:char prev_comm[16];  offset:8;  size:16;  signed:0;
 *	field:__data_loc char[] name;  offset:24;  size:4;  signed:0;
 */
static bool
read_field(struct str line, struct str *name, struct raw_field *field)
{
	const struct str label = STR("field:");
	struct str all = str_trim(str_cut(&line, ';'));
	uint32_t is_signed = 0;
	size_t start, end;

	if (!str_starts(all, label))
		return false;
	all = str_skip(all, label.len);
	end = str_ends(all, STR("]")) ? str_find_last(all, '[') : all.len;
	for (start = end; start > 0 && is_word(all.data[start - 1]); )
		start--;
	*name = str_between(all, start, end);
	if (!read_part(&line, STR("offset:"), &field->offset) ||
	    !read_part(&line, STR("size:"), &field->size))
		field->offset = field->size = UINT32_MAX;
	read_part(&line, STR("signed:"), &is_signed);
	field->is_signed = is_signed != 0;
	/* __data_loc is where a text is */
	field->is_number = end == all.len &&
	    (field->size == 1 || field->size == 2 || field->size == 4 ||
	    field->size == 8) && !str_starts(all, STR("__data_loc ")) &&
	    !str_starts(all, STR("__rel_loc "));
	return true;
}

const char *
tracepoint_field(const struct tracepoint *tracepoint, struct str name,
    struct raw_field *field)
{
	struct str rest = tracepoint->text, read;
	struct raw_field other;
	size_t count = 0;

	do {
		if (rest.len == 0)
			return "is not in the event's format";
	} while (!read_field(str_cut(&rest, '\n'), &read, field) ||
	    !str_equal(read, name));
	field->is_big = tracepoint->is_big;
	/* no raw data are larger */
	if (field->offset > UINT16_MAX || field->size > UINT16_MAX)
		return "lies outside the samples";
	for (rest = tracepoint->text; rest.len > 0; )
		count += read_field(str_cut(&rest, '\n'), &read, &other) &&
		    field->size > 0 && other.size > 0 &&
		    other.offset < field->offset + field->size &&
		    field->offset < (uint64_t)other.offset + other.size;
	return count > 1 ? "overlaps another one" : NULL;
}

bool
field_number(const struct raw_field *field, struct str raw,
    int64_t *number)
{
	unsigned unused = 64 - 8 * field->size;
	uint64_t bits;

	if (!field->is_number ||
	    (uint64_t)field->offset + field->size > raw.len)
		return false;
	bits = join_bytes(str_between(raw, field->offset,
	    field->offset + field->size), field->is_big);
	if (field->is_signed && (bits << unused >> 63) != 0)
		bits |= ~(UINT64_MAX >> unused);
	*number = (int64_t)bits;
	return true;
}

uint64_t
tracepoint_flags(const struct tracepoint *tracepoint, struct str field,
    struct str letters)
{
	const struct str call = STR("__print_flags(REC->");
	struct str text = find_entry(tracepoint->text, STR("print fmt:"));
	unsigned long long flag;
	uint64_t bits = 0;

	do {
		text = str_skip(text, str_search(text, call));
		if (text.len == 0)
			return 0;
		text = str_skip(text, call.len);
	} while (!str_starts(text, field));
	text = str_take(text, str_search(text, STR("})")));
	while ((text = str_skip(text, str_find(text, '{'))).len > 0) {
		text = str_trim_start(str_skip(text, 1));
		flag = 0;
		if (str_starts(text, STR("0x"))) {
			text = str_skip(text, 2);
			flag = str_hex(&text);
		} else {
			str_number(text, &flag);
			text = str_skip(text, str_digits(text));
		}
		if (text.len > 5 && str_starts(text, STR(", \"")) &&
		    text.data[4] == '"' &&
		    str_find(letters, text.data[3]) < letters.len)
			bits |= flag;
	}
	return bits;
}
