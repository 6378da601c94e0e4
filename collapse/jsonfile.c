#include "jsonfile.h"

static bool
next_piece(void *context, struct str *piece)
{
	return content_next(context, piece);
}

const char *
jsonfile_reason(struct jsonfile *file, const char *format, ...)
{
	va_list args;

	file->trouble.len = 0;
	va_start(args, format);
	text_add_list(&file->trouble, format, args);
	va_end(args);
	text_add_char(&file->trouble, '\0');
	return file->trouble.data;
}

/* True if the first character, blanks aside, is one of these. */
static bool
begins_with(struct str bytes, const char *starts)
{
	struct str text = str_trim_start(bytes);

	return text.len > 0 && text.data[0] != '\0' &&
	    strchr(starts, text.data[0]) != NULL;
}

const char *
jsonfile_begin(struct jsonfile *file, struct fold *fold,
    const struct beginning *beginning, const char *kind, const char *starts)
{
	struct content *content = &file->content;
	struct str first;

	collapse_begin_content(fold, beginning, content);
	if (content_peek(content, &first) && !begins_with(first, starts))
		return jsonfile_reason(file, "it is not %s; it looks like %s",
		    kind, kind_looks(first));
	json_begin(&file->json, next_piece, content);
	content_count_memory(content);
	/* the first chunk stays, however often texts are forgotten */
	arena_take(&file->json.texts, 0);
	return NULL;
}

const char *
jsonfile_finish(struct jsonfile *file)
{
	json_end(&file->json);
	if (file->content.trouble != NULL)
		return file->content.trouble;
	if (file->json.trouble == NULL)
		return NULL;
	return jsonfile_reason(file, "it is damaged at byte %llu: %s",
	    json_offset(&file->json), file->json.trouble);
}

void
jsonfile_end(struct jsonfile *file)
{
	arena_free(&file->json.texts);
	content_end(&file->content);
}
