#include <errno.h>
#include <stdlib.h>

#include "content.h"
#include "mem.h"
#include "message.h"

#define BLOCK	((size_t)256 * 1024)

/*
 * What unpacks to so many times its size was made to fill memory: DEFLATE makes
 * up to 1,032 bytes of one, and profiles become 5 to 50 times as large.
 */
#define BOMB_RATIO	400
#define BOMB_LEAST	((size_t)64 * 1024 * 1024)

void
content_begin(struct content *content, const char *name, struct str bytes,
    int fd)
{
	*content = (struct content){
		.name = name, .ahead = bytes, .packed = bytes.len,
		.source = { .name = name, .fd = fd },
		.block = mem_array(BLOCK, 1),
		.gzip = gzip_begins(bytes) ? gzip_new() : NULL,
	};
}

static void
tell(struct content *content, size_t got)
{
	struct tally tally = content->told;

	tally.bytes += got;
	if (content->samples != NULL)
		tally.counted = *content->samples;
	if (content->stacks != NULL)
		tally.stacks = *content->stacks;
	progress_tell(&content->told, tally, STR(""));
}

/* Reads more bytes of the file; false at its end. */
static bool
fill(struct content *content)
{
	ssize_t got;

	if (content->source.at_end)
		return false;
	got = source_read(&content->source, content->block, BLOCK);
	if (got < 0)
		content->trouble = strerror(errno);
	if (got <= 0)
		return false;
	content->ahead = (struct str){ content->block, (size_t)got };
	content->packed += (size_t)got;
	tell(content, (size_t)got);
	return true;
}

/* Unpacks some bytes of those that were read; false when more are needed. */
static bool
unpack(struct content *content, struct str *piece)
{
	while (gzip_next(content->gzip, &content->ahead, piece))
		if (piece->len > 0)
			return true;
	return false;
}

struct budget
content_budget(unsigned long long read)
{
	return (struct budget){ 0, read > BOMB_LEAST / BOMB_RATIO ?
	    read * BOMB_RATIO : BOMB_LEAST };
}

/* Notes how much was unpacked; false if what is made of it is far too much. */
static bool
count_unpacked(struct content *content, size_t len)
{
	struct budget budget = content_budget(content->packed);

	content->unpacked += len;
	budget.made = content->made == NULL ? 0 : *content->made;
	if (!budget_take(&budget, content->unpacked))
		content->trouble = "it unpacks to more than 400 times its "
		    "size";
	return content->trouble == NULL;
}

static bool
next_unpacked(struct content *content, struct str *piece)
{
	do
		if (unpack(content, piece))
			return count_unpacked(content, piece->len);
	while (gzip_wants(content->gzip) && fill(content));
	if (content->trouble == NULL)
		content->trouble = gzip_trouble(content->gzip);
	return false;
}

bool
content_next(struct content *content, struct str *piece)
{
	if (content->trouble != NULL)
		return false;
	if (content->gzip != NULL)
		return next_unpacked(content, piece);
	if (content->ahead.len == 0 && !fill(content))
		return false;
	*piece = content->ahead;
	content->ahead = STR("");
	return true;
}

void
content_end(struct content *content)
{
	if (content->gzip != NULL && gzip_has_garbage(content->gzip))
		message_warn("%s: what follows its compressed data is left "
		    "out", content->name);
	gzip_free(content->gzip);
	free(content->block);
}

bool
content_all(struct content *content, struct text *text, size_t most)
{
	struct str piece;

	while (content_next(content, &piece)) {
		if (piece.len > most - text->len) {
			content->trouble = "it is too large";
			return false;
		}
		text_add(text, piece);
	}
	return content->trouble == NULL;
}
