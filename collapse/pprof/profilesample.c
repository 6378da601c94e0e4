#include "profilesample.h"

#define NUMBERS	16	/* values that are read at once */

/* Takes the value at a place, from the first of those in a field on. */
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
