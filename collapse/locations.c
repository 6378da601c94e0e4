#include <stdlib.h>

#include "fold/folded.h"
#include "locations.h"
#include "symbols/demangle/demangle.h"

#define NUMBERS	64	/* references that are read at once */
#define FIELDS	6	/* of an entry, without its id */
#define NAMES	32	/* bytes of names for each byte of the profile */
#define LINES	10	/* times as many bytes as a file may unpack to */

void
locations_free(struct locations *locations)
{
	int i;

	for (i = 0; i < TABLES; i++) {
		free(locations->tables[i].list);
		intmap_free(&locations->tables[i].ids);
	}
	free(locations->known);
	free(locations->single);
	free(locations->name.data);
	free(locations->lines);
	arena_free(&locations->arena);
}

void
locations_add(struct locations *locations, int table, struct str entry)
{
	struct entries *entries = &locations->tables[table];
	uint64_t values[2];
	uint32_t *number;

	if (locations->has_ids && table != STRINGS) {
		locations->damaged |= !protobuf_values(entry, values, 2);
		number = intmap_at(&entries->ids, values[1]);
		if (*number != 0) {	/* the last one of an id counts */
			entries->list[*number - 1] = entry;
			return;
		}
		*number = (uint32_t)entries->ids.count;
	}
	*LIST_ADD(entries->list, entries->count, entries->room) = entry;
}

void
locations_begin(struct locations *locations, size_t size, size_t packed)
{
	size_t count = locations->tables[LOCATIONS].count;
	unsigned long long most = (unsigned long long)size * NAMES;
	unsigned long long least = content_budget(0).most;

	/* a long path with each line, or a query as each sample's label, may
	   need as much */
	if (most < least)
		most = least;
	locations->names = content_budget(packed);
	if (locations->names.most > most)
		locations->names.most = most;
	locations->stacks = content_budget(LINES * packed);

	locations->known = mem_array(count, sizeof(*locations->known));
	locations->most = count + 1;
	locations->single = mem_array(locations->most,
	    sizeof(*locations->single));
}

/* Returns the place of the entry that a number refers to; SIZE_MAX: none. */
static size_t
find_place(const struct locations *locations, int table, uint64_t number)
{
	const struct entries *entries = &locations->tables[table];

	if (locations->has_ids && table != STRINGS)
		return (size_t)intmap_find(&entries->ids, number) - 1;
	return number < entries->count ? (size_t)number : SIZE_MAX;
}

struct str
locations_find(struct locations *locations, int table, uint64_t number)
{
	size_t place = find_place(locations, table, number);

	if (place != SIZE_MAX)
		return locations->tables[table].list[place];
	locations->damaged |= number != 0 &&
	    !(locations->has_ids && table == STRINGS);
	return STR("");
}

/* Reads the fields of an entry; fields[1] is the first one behind its id. */
static void
read_entry(struct locations *locations, int table, uint64_t number,
    uint64_t fields[FIELDS])
{
	size_t skipped = locations->has_ids;
	uint64_t values[FIELDS + 1];

	locations->damaged |= !protobuf_values(locations_find(locations, table,
	    number), values, FIELDS + skipped);
	memcpy(fields, values + skipped, FIELDS * sizeof(*fields));
}

/* Adds the names of a location's lines, whose innermost function is first. */
static void
add_lines(struct locations *locations, size_t count)
{
	struct text *text = &locations->name, demangled = { 0 };
	uint64_t line[3], function[FIELDS];
	struct str name;
	size_t i, before;

	for (i = count; i > 0 && !locations->damaged; i--) {
		before = text->len;
		if (i < count)
			text_add_char(text, ';');
		locations->damaged |= !protobuf_values(locations->lines[i - 1],
		    line, 3);
		read_entry(locations, FUNCTIONS, line[1], function);
		name = locations_find(locations, STRINGS, function[1]);
		if (name.len == 0)
			name = locations_find(locations, STRINGS, function[2]);
		/* some profilers leave it mangled */
		demangled.len = 0;
		if ((str_starts(name, STR("_Z")) ||
		    str_starts(name, STR("_R"))) && demangle(name, &demangled))
			name = text_str(&demangled);
		native_add_name(text, name);
		if (locations->native->lines)
			folded_add_line(text, str_base(locations_find(
			    locations, STRINGS, function[3])), line[2]);
		if (i < count)
			text_add(text, STR("_[i]"));
		/* any number of lines may be of one function */
		if (!budget_take(&locations->names, text->len - before) ||
		    locations->native->not_inlined)
			break;
	}
	free(demangled.data);
}

static void
add_address(struct locations *locations, uint64_t number, uint64_t address)
{
	uint64_t mapping[FIELDS];
	struct str path;

	read_entry(locations, MAPPINGS, number, mapping);
	path = locations_find(locations, STRINGS, mapping[4]);
	budget_take(&locations->names, path.len);
	if (path.len == 0)
		native_add_unknown(locations->native, path, address,
		    &locations->name);
	else
		native_names(locations->native, native_file(locations->native,
		    path, locations_find(locations, STRINGS,
		    locations->has_ids ? mapping[5] : 0)), NATIVE_OFFSET,
		    address - mapping[1] + mapping[3], &locations->name);
	budget_take(&locations->names, locations->name.len);
}

/* Reads a location for the first time, and notes its calls. */
static void
read_location(struct locations *locations, size_t place)
{
	const size_t skipped = locations->has_ids;
	struct str text = locations->tables[LOCATIONS].list[place];
	struct bytes message = bytes_from(text);
	uint64_t values[FIELDS] = { 0 };
	struct protobuf_field field;
	size_t lines = 0;

	while (protobuf_next(&message, &field))
		if (field.number == 3 + skipped)
			*LIST_ADD(locations->lines, lines,
			    locations->line_room) = protobuf_text(&field);
		else if (field.number < FIELDS)
			values[field.number] = field.value;
	locations->damaged |= message.failed;
	locations->name.len = 0;
	if (lines > 0)
		add_lines(locations, lines);
	else
		add_address(locations, values[1 + skipped],
		    values[2 + skipped]);
	locations->known[place] = calls_keep(namer_calls(locations->namer,
	    text_str(&locations->name)), &locations->arena);
}

static bool
push_location(struct locations *locations, uint64_t number,
    struct stack *stack)
{
	size_t place = find_place(locations, LOCATIONS, number);
	const struct calls *calls;

	if (place == SIZE_MAX) {
		locations->damaged |= number != 0 || locations->has_ids;
		return !locations->damaged;
	}
	calls = &locations->known[place];
	if (calls->frames == NULL)
		read_location(locations, place);
	if (locations->damaged || locations_spent(locations))
		return false;
	if (calls->count == 1 && number < locations->most)
		locations->single[number] = calls->frames[0] + 1;
	calls_push(stack, *calls);
	/* one byte of a stack may expand to any number of frames */
	return budget_take(&locations->stacks,
	    calls->count * sizeof(*calls->frames));
}

bool
locations_push(struct locations *locations, struct protobuf_field *field,
    struct stack *stack)
{
	const uint32_t *single = locations->single;
	size_t most = locations->most, count, i;
	uint64_t numbers[NUMBERS], number;

	while ((count = protobuf_numbers(field, numbers, NUMBERS)) > 0)
		for (i = 0; i < count; i++) {
			number = numbers[i];
			if (number < most && single[number] > 0)
				stack_push(stack, single[number] - 1);
			else if (!push_location(locations, number, stack))
				return false;
		}
	locations->damaged |= field->bytes.failed;
	return !field->bytes.failed;
}

bool
locations_take(struct locations *locations, const struct stack *stack)
{
	const struct str *names = locations->namer->names.keys;
	unsigned long long len = 0;
	size_t i;

	for (i = 0; i < stack->depth; i++)
		len += names[stack->frames[i]].len + 1;
	return budget_take(&locations->stacks, len);
}
