#include <stdlib.h>

#include "profile.h"

/* Stores the value of a field if it has the number. */
static void
take(const struct protobuf_field *field, uint64_t number, uint64_t *value)
{
	if (field->number == number)
		*value = field->value;
}

static bool
add_type(struct profile *profile, struct protobuf message)
{
	struct profile_type type = { 0, 0 };
	struct protobuf_field field;

	while (protobuf_next(&message, &field)) {
		take(&field, 1, &type.name);
		take(&field, 2, &type.unit);
	}
	profile->types = mem_grow(profile->types, &profile->type_room,
	    profile->type_count + 1, sizeof(*profile->types));
	profile->types[profile->type_count++] = type;
	return !message.bytes.failed;
}

/* Returns the number of an id, from 0; it may be new. */
static uint32_t
add_id(struct intmap *ids, uint64_t id)
{
	uint32_t *number = intmap_at(ids, id);

	if (*number == 0)
		*number = (uint32_t)ids->count;
	return *number - 1;
}

static bool
add_mapping(struct profile *profile, struct protobuf message)
{
	struct profile_mapping mapping = { 0 };
	struct protobuf_field field;
	uint64_t id = 0;
	uint32_t number;

	while (protobuf_next(&message, &field)) {
		take(&field, 1, &id);
		take(&field, 2, &mapping.start);
		take(&field, 4, &mapping.offset);
		take(&field, 5, &mapping.file);
		take(&field, 6, &mapping.build_id);
	}
	number = add_id(&profile->mapping_ids, id);
	profile->mappings = mem_grow(profile->mappings,
	    &profile->mapping_room, (size_t)number + 1, sizeof(mapping));
	profile->mappings[number] = mapping;
	return !message.bytes.failed;
}

/* Adds a location, whose lines are read when a sample has it. */
static bool
add_location(struct profile *profile, const struct protobuf_field *location)
{
	struct protobuf message = protobuf_message(location);
	struct protobuf_field field;
	uint64_t id = 0;
	uint32_t number;

	while (protobuf_next(&message, &field))
		take(&field, 1, &id);
	number = add_id(&profile->location_ids, id);
	profile->locations = mem_grow(profile->locations,
	    &profile->location_room, (size_t)number + 1,
	    sizeof(*profile->locations));
	profile->locations[number] = protobuf_text(location);
	return !message.bytes.failed;
}

static bool
add_function(struct profile *profile, struct protobuf message)
{
	struct profile_function function = { 0, 0, 0 };
	struct protobuf_field field;
	uint64_t id = 0;
	uint32_t number;

	while (protobuf_next(&message, &field)) {
		take(&field, 1, &id);
		take(&field, 2, &function.name);
		take(&field, 3, &function.system_name);
		take(&field, 4, &function.file);
	}
	number = add_id(&profile->function_ids, id);
	profile->functions = mem_grow(profile->functions,
	    &profile->function_room, (size_t)number + 1, sizeof(function));
	profile->functions[number] = function;
	return !message.bytes.failed;
}

static void
add_string(struct profile *profile, struct str string)
{
	profile->strings = mem_grow(profile->strings, &profile->string_room,
	    profile->string_count + 1, sizeof(*profile->strings));
	profile->strings[profile->string_count++] = string;
}

/* Adds a field to the tables; false if it is damaged. */
static bool
add(struct profile *profile, const struct protobuf_field *field)
{
	struct protobuf message = protobuf_message(field);

	switch (field->number) {
	case PROFILE_TYPE:
		return add_type(profile, message);
	case PROFILE_SAMPLE:
		profile->samples++;
		return true;
	case PROFILE_MAPPING:
		return add_mapping(profile, message);
	case PROFILE_LOCATION:
		return add_location(profile, field);
	case PROFILE_FUNCTION:
		return add_function(profile, message);
	case PROFILE_STRING:
		add_string(profile, protobuf_text(field));
		return true;
	case PROFILE_DEFAULT_TYPE:
		profile->default_type = field->value;
		return true;
	default:
		return true;
	}
}

const char *
profile_open(struct profile *profile, struct str message, size_t size)
{
	struct protobuf fields = protobuf_from(message);
	const unsigned long long most = content_budget(size).most;
	long long before = mem_taken();
	struct protobuf_field field;

	*profile = (struct profile){ .message = message, .size = size };
	intmap_init(&profile->mapping_ids);
	intmap_init(&profile->location_ids);
	intmap_init(&profile->function_ids);
	while (protobuf_next(&fields, &field)) {
		if (!add(profile, &field))
			return "it is damaged: a table of the profile has an "
			    "entry that is cut short";
		if (message.len + (unsigned long long)(mem_taken() - before) >
		    most)
			return "it unpacks to more than 400 times its size";
	}
	if (fields.bytes.failed)
		return profile->type_count == 0 ?
		    "it is not a profile in pprof's format" :
		    "it is damaged or cut short";
	return profile->type_count == 0 || profile->string_count == 0 ?
	    "it is not a profile in pprof's format: it does not say what "
	    "its samples are of" : NULL;
}

void
profile_free(struct profile *profile)
{
	intmap_free(&profile->mapping_ids);
	intmap_free(&profile->location_ids);
	intmap_free(&profile->function_ids);
	free(profile->strings);
	free(profile->types);
	free(profile->mappings);
	free(profile->locations);
	free(profile->functions);
}

/*
 * Samples.
 */

#define NUMBERS	16	/* values that are read at once */

/*
 * Takes the value at `place`, if it is in this field, which begins at `first`.
 */
static bool
take_value(struct protobuf_field *field, size_t place, size_t *first,
    int64_t *value)
{
	uint64_t numbers[NUMBERS];
	size_t count;

	while ((count = protobuf_numbers(field, numbers, NUMBERS)) > 0) {
		if (place - *first < count)
			*value = (int64_t)numbers[place - *first];
		*first += count;
	}
	return !field->bytes.failed;
}

bool
profile_sample_read(struct str text, size_t place,
    struct profile_sample *sample)
{
	struct protobuf message = protobuf_from(text);
	struct protobuf_field field;
	size_t first = 0, lists = 0;
	bool good = true;

	*sample = (struct profile_sample){ .message = text };
	while (good && protobuf_next(&message, &field))
		if (field.number == SAMPLE_VALUES)
			good = take_value(&field, place, &first,
			    &sample->value);
		else if (field.number == SAMPLE_LOCATIONS)
			sample->ids = lists++ == 0 ? protobuf_text(&field) :
			    STR("");
	return good && !message.bytes.failed;
}
