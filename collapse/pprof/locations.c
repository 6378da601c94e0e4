#include <stdlib.h>

#include "locations.h"
#include "symbols/demangle/demangle.h"

enum { ID = 1, MAPPING = 2, ADDRESS = 3, LINE = 4 };	/* fields */

#define NUMBERS	64	/* ids that are read at once */

/* The fields of a location besides its lines. */
struct location {
	uint64_t mapping, address;
	size_t lines;
};

void
locations_init(struct locations *locations)
{
	size_t count = locations->profile->location_ids.count;

	locations->known = mem_array(count, sizeof(*locations->known));
	locations->most = count + 1;
	locations->single = mem_array(locations->most,
	    sizeof(*locations->single));
}

void
locations_free(struct locations *locations)
{
	free(locations->known);
	free(locations->single);
	free(locations->names.data);
	arena_free(&locations->arena);
}

static bool
is_mangled(struct str name)
{
	return str_starts(name, STR("_Z")) || str_starts(name, STR("_R"));
}

/* Adds a function's name, which some profilers leave mangled. */
static void
add_function(struct locations *locations,
    const struct profile_function *function)
{
	const struct profile *profile = locations->profile;
	struct str name = profile_string(profile, function->name);
	struct text demangled = { 0 };

	if (name.len == 0)
		name = profile_string(profile, function->system_name);
	if (is_mangled(name) && demangle(name, &demangled))
		name = text_str(&demangled);
	native_add_name(&locations->names, name);
	free(demangled.data);
}

/* Adds the function of a line, which is { 1 function id, 2 line }. */
static bool
add_line(struct locations *locations, struct protobuf line)
{
	static const struct profile_function unknown;
	const struct profile *profile = locations->profile;
	const struct profile_function *function;
	struct protobuf_field field;
	uint64_t id = 0, row = 0;
	uint32_t number;

	while (protobuf_next(&line, &field))
		if (field.number == 1)
			id = field.value;
		else if (field.number == 2)
			row = field.value;
	number = intmap_find(&profile->function_ids, id);
	if (line.bytes.failed || (number == 0 && id != 0))
		return false;
	function = number == 0 ? &unknown : &profile->functions[number - 1];
	add_function(locations, function);
	if (locations->native->lines)
		native_add_line(&locations->names,
		    profile_string(profile, function->file), row);
	return true;
}

/* Finds the functions at an address without a line. */
static bool
add_address(struct locations *locations, const struct location *location)
{
	const struct profile *profile = locations->profile;
	const struct profile_mapping *mapping;
	uint32_t number, file;
	struct str path;

	number = intmap_find(&profile->mapping_ids, location->mapping);
	if (number == 0 && location->mapping != 0)
		return false;
	if (number == 0) {
		native_add_unknown(locations->native, STR(""),
		    location->address, &locations->names);
		return true;
	}
	mapping = &profile->mappings[number - 1];
	path = profile_string(profile, mapping->file);
	budget_take(locations->budget, path.len);
	file = native_file(locations->native, path,
	    profile_string(profile, mapping->build_id));
	native_names(locations->native, file, NATIVE_OFFSET,
	    location->address - mapping->start + mapping->offset,
	    &locations->names);
	return true;
}

/* Reads all fields except lines, which it counts; false if one is damaged. */
static bool
parse_location(struct str text, struct location *location)
{
	struct protobuf message = protobuf_from(text);
	struct protobuf_field field;

	*location = (struct location){ 0, 0, 0 };
	while (protobuf_next(&message, &field))
		switch (field.number) {
		case MAPPING:
			location->mapping = field.value;
			break;
		case ADDRESS:
			location->address = field.value;
			break;
		case LINE:
			location->lines++;
			break;
		}
	return !message.bytes.failed;
}

/*
 * Adds the names of the lines: the innermost function comes first, then those
 * into which it was inlined.
 */
static bool
add_lines(struct locations *locations, struct str text, size_t count)
{
	struct protobuf message = protobuf_from(text);
	struct text *names = &locations->names;
	struct protobuf_field field;
	struct str *lines = mem_array(count, sizeof(*lines));
	size_t i = 0, before;
	bool good = true;

	while (protobuf_next(&message, &field))
		if (field.number == LINE)
			lines[i++] = protobuf_text(&field);
	for (; good && i > 0; i--) {
		before = names->len;
		if (names->len > 0)
			text_add_char(names, ';');
		good = add_line(locations, protobuf_from(lines[i - 1]));
		if (i < count)
			text_add(names, STR("_[i]"));
		/* any number of lines may be of one function */
		good &= budget_take(locations->budget, names->len - before);
		if (locations->native->not_inlined)
			break;
	}
	free(lines);
	return good;
}

/* Reads a location for the first time; NULL if it is damaged. */
static const struct calls *
read_location(struct locations *locations, uint32_t number)
{
	struct str text = locations->profile->locations[number];
	struct calls *known = &locations->known[number], calls;
	struct location location;
	uint32_t *frames;

	locations->names.len = 0;
	if (!parse_location(text, &location) || !(location.lines > 0 ?
	    add_lines(locations, text, location.lines) :
	    add_address(locations, &location) &&
	    budget_take(locations->budget, locations->names.len)))
		return NULL;
	calls = namer_calls(locations->namer, text_str(&locations->names));
	frames = arena_take(&locations->arena,
	    calls.count * sizeof(*frames));
	memcpy(frames, calls.frames, calls.count * sizeof(*frames));
	*known = (struct calls){ frames, calls.count, false };
	return known;
}

/* Adds the calls of the location with that id to a stack. */
static bool
push_location(struct locations *locations, uint64_t id, struct stack *stack)
{
	uint32_t number = intmap_find(&locations->profile->location_ids, id);
	const struct calls *calls;

	if (number == 0)
		return false;
	calls = &locations->known[number - 1];
	if (calls->frames == NULL)
		calls = read_location(locations, number - 1);
	if (calls == NULL)
		return false;
	if (calls->count == 1 && id < locations->most)
		locations->single[id] = calls->frames[0] + 1;
	calls_push(stack, *calls);
	return true;
}

bool
locations_push(struct locations *locations, struct protobuf_field *ids,
    struct stack *stack)
{
	const uint32_t *single = locations->single;
	size_t most = locations->most, count, i;
	uint64_t numbers[NUMBERS], id;

	while ((count = protobuf_numbers(ids, numbers, NUMBERS)) > 0)
		for (i = 0; i < count; i++) {
			id = numbers[i];
			if (id < most && single[id] > 0)
				stack_push(stack, single[id] - 1);
			else if (!push_location(locations, id, stack))
				return false;
		}
	return !ids->bytes.failed;
}
