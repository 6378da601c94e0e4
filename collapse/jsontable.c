#include <math.h>
#include <stdlib.h>

#include "jsontable.h"

/*
 * Columns.
 */

void
column_add(struct column *column, int64_t value)
{
	*LIST_ADD(column->values, column->count, column->room) = value;
}

void
column_free(struct column *column)
{
	free(column->values);
	*column = (struct column){ .weights = column->weights };
}

/*
 * Tables.
 */

#define FIELDS_MOST	32	/* of the rows of a table */

/* Reads the next value for a column, a weight or the nearest integer. */
static int64_t
read_cell(struct json *json, bool weights)
{
	enum json_type type = json_value(json);
	int64_t near, weight;

	if (type != JSON_NUMBER) {
		json_leave(json, type);
		return type == JSON_TRUE ? 1 : type == JSON_FALSE ? 0 :
		    COLUMN_NONE;
	}
	if (weights && str_fixed(json->text, 3, &weight))
		return weight < 0 ? -1 : weight;
	if (weights && str_starts(json->text, STR("-")))
		return -1;
	if (weights)
		return str_fixed(json->text, 0, &weight) ? -weight :
		    -INT64_MAX;
	if (fabs(json->number) < 0x1p53) {	/* doubles are exact there */
		near = (int64_t)json->number;
		if ((double)near == json->number)
			return near;
	}
	return str_fixed(json->text, 0, &near) ? near : COLUMN_NONE;
}

void
json_to_column(struct json *json, void *at)
{
	struct column *column = at;

	if (json_enters(json, JSON_ARRAY))
		while (json_element(json))
			column_add(column, read_cell(json, column->weights));
}

/* Reads the place of each column in a row: { "prefix": 0, "frame": 1 }. */
static void
read_schema(struct json *json, const struct json_row *rows, void *at,
    struct column *places[FIELDS_MOST])
{
	const struct json_row *row;
	struct str key;
	double place;

	if (!json_enters(json, JSON_OBJECT))
		return;
	while (json_member(json, &key)) {
		row = json_find_row(rows, key);
		if (json_number(json, &place) && row != NULL &&
		    row->reader == json_to_column &&
		    place >= 0 && place < FIELDS_MOST)
			places[(size_t)place] =
			    (void *)((char *)at + row->offset);
	}
}

static void
read_row(struct json *json, struct column *places[FIELDS_MOST])
{
	int64_t cells[FIELDS_MOST];
	size_t i, count = 0;

	if (!json_enters(json, JSON_ARRAY))
		return;
	for (; json_element(json); count++)
		if (count < FIELDS_MOST && places[count] != NULL)
			cells[count] = read_cell(json, places[count]->weights);
		else
			json_skip(json);
	for (i = 0; i < FIELDS_MOST; i++)
		if (places[i] != NULL)
			column_add(places[i],
			    i < count ? cells[i] : COLUMN_NONE);
}

void
json_table(struct json *json, const struct json_row *rows, void *at)
{
	struct column *places[FIELDS_MOST] = { NULL };
	const struct json_row *row;
	struct str key;

	if (!json_enters(json, JSON_OBJECT))
		return;
	while (json_member(json, &key)) {
		row = json_find_row(rows, key);
		if (row != NULL)
			row->reader(json, (char *)at + row->offset);
		else if (str_equal(key, STR("schema")))
			read_schema(json, rows, at, places);
		else if (!str_equal(key, STR("data")))
			json_skip(json);
		else if (json_enters(json, JSON_ARRAY))
			while (json_element(json))
				read_row(json, places);
	}
}

void
json_to_texts(struct json *json, void *at)
{
	struct texts *texts = at;
	struct str text;

	if (!json_enters(json, JSON_ARRAY))
		return;
	while (json_element(json)) {
		text = STR("");
		json_text(json, &text);
		*LIST_ADD(texts->list, texts->count, texts->room) =
		    arena_copy(&texts->arena, text);
	}
}

void
texts_free(struct texts *texts)
{
	free(texts->list);
	arena_free(&texts->arena);
	*texts = (struct texts){ .count = 0 };
}
