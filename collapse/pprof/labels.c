#include "collapse/native.h"
#include "labels.h"
#include "profilesample.h"

enum { KEY = 1, TEXT = 2, NUMBER = 3, UNIT = 4 };	/* fields */

/* Adds the value of a label, if it has the key. */
static void
add_value(struct text *name, const struct profile *profile, struct str key,
    struct protobuf label)
{
	struct protobuf_field field;
	uint64_t values[UNIT + 1] = { 0 };
	struct str text, unit;

	while (protobuf_next(&label, &field))
		if (field.number <= UNIT)
			values[field.number] = field.value;
	text = profile_string(profile, values[TEXT]);
	unit = profile_string(profile, values[UNIT]);
	if (!str_equal(profile_string(profile, values[KEY]), key))
		return;
	if (name->len > 0)
		text_add_char(name, ',');
	if (values[TEXT] != 0) {
		native_add_name(name, text);
		return;
	}
	text_add_format(name, "%lld", (long long)values[NUMBER]);
	if (unit.len > 0) {
		text_add_char(name, ' ');
		native_add_name(name, unit);
	}
}

/* Returns the frame of a sample's labels of one key. */
static struct calls
find_frame(struct labels *labels, const struct profile *profile,
    struct str sample, struct str key, struct namer *namer)
{
	struct protobuf message = protobuf_from(sample);
	struct protobuf_field field;
	const struct budget *budget = labels->budget;
	struct text *name = &labels->name;

	name->len = 0;
	/* any number of labels may have one text */
	while (budget->made + name->len <= budget->most &&
	    protobuf_next(&message, &field))
		if (field.number == SAMPLE_LABEL)
			add_value(name, profile, key,
			    protobuf_message(&field));
	if (name->len == 0) {
		text_add(name, STR("[no "));
		native_add_name(name, key);
		text_add_char(name, ']');
	}
	return namer_calls(namer, text_str(name));
}

bool
labels_push(struct labels *labels, const struct profile *profile,
    struct str sample, struct namer *namer, struct stack *stack)
{
	bool good = true;
	size_t i;

	for (i = labels->keys->count; i > 0; i--) {
		calls_push(stack, find_frame(labels, profile, sample,
		    str_from(labels->keys->values[i - 1]), namer));
		good &= budget_take(labels->budget, labels->name.len);
	}
	return good;
}
