#include <math.h>
#include <stdlib.h>

#include "jsontable.h"

#define FIELDS_MOST	32	/* of the rows of a table */

/* Returns a whole number near it, COLUMN_NONE if none can be. */
static int64_t
whole(double number)
{
	const double most = 9e18;
	int64_t near;

	if (!(fabs(number) < most))
		return COLUMN_NONE;
	near = (int64_t)number;
	return (double)near == number ? near : (int64_t)llround(number);
}

/* Reads the next value for a column. */
static int64_t
read_cell(struct json *json, int scale)
{
	enum json_type type = json_value(json);

	if (type == JSON_NUMBER)
		return whole(scale > 1 ? json->number * scale : json->number);
	json_leave(json, type);
	return type == JSON_TRUE ? 1 : type == JSON_FALSE ? 0 : COLUMN_NONE;
}

static const struct table_field *
find_field(const struct table_field *fields, struct str name)
{
	for (; fields->name != NULL; fields++)
		if (str_equal(str_from(fields->name), name))
			return fields;
	return NULL;
}

/* Reads a column, or a text. */
static void
read_field(struct json *json, const struct table_field *field)
{
	struct str text;

	if (field->text != NULL) {
		field->text->len = 0;
		if (json_text(json, &text))
			text_add(field->text, text);
	} else if (json_enters(json, JSON_ARRAY))
		while (json_element(json)) {
			column_add(field->column,
			    read_cell(json, field->scale));
			json->made += sizeof(int64_t);
		}
}

/* Reads in which place of a row each field is: { "prefix": 0, "frame": 1 }. */
static void
read_schema(struct json *json, const struct table_field *fields,
    const struct table_field *places[FIELDS_MOST])
{
	const struct table_field *field;
	struct str key;
	double place;

	if (!json_enters(json, JSON_OBJECT))
		return;
	while (json_member(json, &key)) {
		field = find_field(fields, key);
		if (json_number(json, &place) && field != NULL &&
		    place >= 0 && place < FIELDS_MOST)
			places[(size_t)place] = field;
	}
}

static void
read_row(struct json *json, const struct table_field *places[FIELDS_MOST])
{
	int64_t cells[FIELDS_MOST];
	size_t i, count = 0;

	if (!json_enters(json, JSON_ARRAY))
		return;
	for (; json_element(json); count++)
		if (count < FIELDS_MOST && places[count] != NULL)
			cells[count] = read_cell(json, places[count]->scale);
		else
			json_skip(json);
	for (i = 0; i < FIELDS_MOST; i++)
		if (places[i] != NULL && places[i]->column != NULL) {
			column_add(places[i]->column,
			    i < count ? cells[i] : COLUMN_NONE);
			json->made += sizeof(int64_t);
		}
}

void
json_table(struct json *json, const struct table_field *fields)
{
	const struct table_field *places[FIELDS_MOST] = { NULL }, *field;
	struct str key;

	if (!json_enters(json, JSON_OBJECT))
		return;
	while (json_member(json, &key)) {
		field = find_field(fields, key);
		if (field != NULL)
			read_field(json, field);
		else if (str_equal(key, STR("schema")))
			read_schema(json, fields, places);
		else if (!str_equal(key, STR("data")))
			json_skip(json);
		else if (json_enters(json, JSON_ARRAY))
			while (json_element(json))
				read_row(json, places);
	}
}

void
json_texts(struct json *json, struct texts *texts)
{
	struct str text;

	if (!json_enters(json, JSON_ARRAY))
		return;
	while (json_element(json)) {
		text = STR("");
		json_text(json, &text);
		texts->list = mem_grow(texts->list, &texts->room,
		    texts->count + 1, sizeof(*texts->list));
		texts->list[texts->count++] = arena_copy(&texts->arena, text);
		json->made += sizeof(text) + text.len;
	}
}

void
texts_free(struct texts *texts)
{
	free(texts->list);
	arena_free(&texts->arena);
	*texts = (struct texts){ .count = 0 };
}
