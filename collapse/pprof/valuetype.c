#include <stdlib.h>

#include "lib/message.h"
#include "valuetype.h"

static struct str
name_of(const struct profile *profile, size_t place)
{
	return profile_string(profile, profile->types[place].name);
}

/* Adds "cpu/nanoseconds". */
static void
add_type(struct text *text, const struct profile *profile, size_t place)
{
	struct str unit = profile_string(profile, profile->types[place].unit);

	text_add(text, name_of(profile, place));
	text_add_char(text, '/');
	text_add(text, unit);
}

/* Finds the type of that name; false if there is none. */
static bool
find(const struct profile *profile, struct str name, size_t *place)
{
	size_t i;

	for (i = 0; i < profile->type_count; i++)
		if (str_equal(name_of(profile, i), name)) {
			*place = i;
			return true;
		}
	return false;
}

static const char *
end_trouble(struct value_type *type)
{
	text_add_char(&type->trouble, '\0');
	return type->trouble.data;
}

/* Says which types there are instead of the one that is wanted. */
static const char *
refuse_name(struct value_type *type, const struct profile *profile)
{
	struct text *trouble = &type->trouble;
	size_t i;

	trouble->len = 0;
	text_add(trouble, STR("its samples have no "));
	message_add_shown(trouble, str_from(type->wanted));
	text_add(trouble, STR(", but "));
	for (i = 0; i < profile->type_count; i++) {
		if (i > 0)
			text_add(trouble, STR(", "));
		message_add_shown(trouble, name_of(profile, i));
	}
	return end_trouble(type);
}

/* Says that what counts is not what did in profiles before. */
static const char *
refuse_other(struct value_type *type, struct str found)
{
	struct text *trouble = &type->trouble;

	trouble->len = 0;
	text_add(trouble, STR("its samples are of "));
	message_add_shown(trouble, found);
	text_add(trouble, STR(", not of "));
	message_add_shown(trouble, text_str(&type->chosen));
	text_add(trouble, STR(" as those before"));
	return end_trouble(type);
}

const char *
value_type_choose(struct value_type *type, const struct profile *profile,
    size_t *place)
{
	struct text found = { 0 };
	const char *trouble = NULL;

	*place = profile->type_count - 1;
	if (type->wanted != NULL) {
		if (!find(profile, str_from(type->wanted), place))
			return refuse_name(type, profile);
	} else if (profile->default_type != 0)
		find(profile, profile_string(profile, profile->default_type),
		    place);
	add_type(&found, profile, *place);
	if (type->chosen.len == 0)
		text_add(&type->chosen, text_str(&found));
	else if (!str_equal(text_str(&found), text_str(&type->chosen)))
		trouble = refuse_other(type, text_str(&found));
	free(found.data);
	return trouble;
}
