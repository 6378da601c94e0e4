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
	if (content_peek(content, &first)) {
		text = str_trim_start(first);
		if (!str_starts(text, STR("{")) &&
		    (value == NULL || !str_starts(text, STR("["))))
			return fold_reason(fold, "it is not %s; it looks like "
			    "%s", kind, kind_looks(first));
	}
	json_begin(json, next_piece, content);
	content_count_memory(content);
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
