#include <math.h>
#include <stdlib.h>

#include "jsonfile.h"

static bool
next_piece(void *context, struct str *piece)
{
	return content_next(context, piece);
}

const char *
jsonfile_read(struct json *json, struct fold *fold, struct content *content,
    const char *kind, const struct json_row *rows, void *at)
{
	const struct json_row *value = json_find_row(rows, STR(""));
	struct str first, text;

	arena_free(&json->texts);
	if (content_next(content, &first)) {
		content->peeked = first;
		text = str_trim_start(first);
		if (!str_starts(text, STR("{")) &&
		    (value == NULL || !str_starts(text, STR("["))))
			return fold_reason(fold, "it is not %s; it looks like "
			    "%s", kind, kind_looks(first));
	}
	json_begin(json, next_piece, content);
	content->counts_memory = true;
	content->taken = mem_taken();
	/* the first chunk stays, however often texts are forgotten */
	arena_take(&json->texts, 0);
	if (json_value(json) == JSON_OBJECT)
		json_members(json, rows, at);
	else
		while (json_element(json))
			value->reader(json, at);
	json_end(json);
	if (content->trouble != NULL)
		return content->trouble;
	if (json->trouble == NULL)
		return NULL;
	return fold_reason(fold, "it is damaged at byte %llu: %s",
	    json_offset(json), json->trouble);
}

void
column_add(struct column *column, int64_t value)
{
	*LIST_ADD(column->values, column->count, column->room) = value;
}

int64_t
column_cell(struct json *json, bool weights)
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
	/* doubles are exact there */
	if (fabs(json->number) < 0x1p53 &&
	    (double)(int64_t)json->number == json->number)
		return (int64_t)json->number;
	return str_fixed(json->text, 0, &near) ? near : COLUMN_NONE;
}

void
json_to_column(struct json *json, void *at)
{
	struct column *column = at;

	if (json_enters(json, JSON_ARRAY))
		while (json_element(json))
			column_add(column, column_cell(json, column->weights));
}
