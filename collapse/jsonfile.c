#include "jsonfile.h"

static bool
next_piece(void *context, struct str *piece)
{
	return content_next(context, piece);
}

const char *
jsonfile_begin(struct json *json, struct fold *fold, struct content *content,
    const char *kind, const char *starts)
{
	struct str first, text;

	arena_free(&json->texts);
	if (content_peek(content, &first)) {
		text = str_trim_start(first);
		if (text.len == 0 || text.data[0] == '\0' ||
		    strchr(starts, text.data[0]) == NULL)
			return fold_reason(fold, "it is not %s; it looks like "
			    "%s", kind, kind_looks(first));
	}
	json_begin(json, next_piece, content);
	content_count_memory(content);
	/* the first chunk stays, however often texts are forgotten */
	arena_take(&json->texts, 0);
	return NULL;
}

const char *
jsonfile_end(struct json *json, struct fold *fold,
    const struct content *content)
{
	json_end(json);
	if (content->trouble != NULL)
		return content->trouble;
	if (json->trouble == NULL)
		return NULL;
	return fold_reason(fold, "it is damaged at byte %llu: %s",
	    json_offset(json), json->trouble);
}
