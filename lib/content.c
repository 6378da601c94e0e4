#include <sys/stat.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "content.h"
#include "input.h"
#include "mapping.h"
#include "mem.h"
#include "message.h"
#include "progress.h"

#define BLOCK	((size_t)256 * 1024)

/*
 * A file that unpacks to more than this was made to fill memory: DEFLATE makes
 * up to 1,032 bytes of one, and profiles become 5 to 50 times as large.
 */
#define BOMB_RATIO	400
#define BOMB_LEAST	((size_t)64 * 1024 * 1024)

/* Gives the file's next bytes, still packed; false at its end. */
static bool
read_more(void *context, struct str *bytes)
{
	struct content *content = context;
	ssize_t got;

	*bytes = content->ahead;
	content->ahead = STR("");
	if (bytes->len > 0 || content->at_end)
		return bytes->len > 0;
	got = input_read(content->fd, content->block, BLOCK);
	content->at_end = got <= 0;
	if (got < 0)
		content->trouble = strerror(errno);
	if (got <= 0)
		return false;
	*bytes = (struct str){ content->block, (size_t)got };
	content->packed += bytes->len;
	return true;
}

void
content_begin(struct content *content, const char *name, struct str bytes,
    int fd)
{
	*content = (struct content){
		.name = name, .ahead = bytes, .packed = bytes.len,
		.fd = fd,
		.block = mem_array(BLOCK, 1),
		.gzip = gzip_begins(bytes) ?
		    gzip_new(read_more, content) : NULL,
	};
}

struct budget
content_budget(unsigned long long read)
{
	return (struct budget){ 0, read > BOMB_LEAST / BOMB_RATIO ?
	    read * BOMB_RATIO : BOMB_LEAST };
}

/* Packed bytes end, with trouble, if far too much is made of the file. */
bool
content_next(struct content *content, struct str *piece)
{
	struct budget budget;

	if (content->trouble != NULL)
		return false;
	*piece = content->peeked;
	content->peeked = STR("");
	if (piece->len > 0)
		return true;
	if (content->gzip == NULL)
		return read_more(content, piece);
	while (piece->len == 0 && gzip_next(content->gzip, piece))
		if (content->unpacked == 0)
			*piece = str_without_mark(*piece);
	if (piece->len == 0) {
		if (content->trouble == NULL)
			content->trouble = gzip_trouble(content->gzip);
		return false;
	}
	budget = content_budget(content->packed);
	content->unpacked += piece->len;
	if (content->counts_memory)
		budget.made = (unsigned long long)(mem_taken() -
		    content->taken);
	if (!budget_take(&budget, content->unpacked))
		content->trouble = "it unpacks to more than 400 times its "
		    "size";
	return content->trouble == NULL;
}

/*
 * Maps a regular file, of which only `ahead` was read, to save copying it.  If
 * it becomes shorter meanwhile, it ends in zeros.
 */
static bool
map_all(struct content *content, struct str *all)
{
	struct stat status;
	int fd = content->fd;

	if (content->gzip != NULL || fstat(fd, &status) != 0 ||
	    !S_ISREG(status.st_mode) ||
	    lseek(fd, 0, SEEK_CUR) != (off_t)content->ahead.len ||
	    status.st_size <= (off_t)content->ahead.len)
		return false;
	*all = mapping_add(fd, "", 0, (unsigned long long)status.st_size);
	if (all->len == 0)
		return false;
	content->mapped = all->data;
	progress_add(all->len - content->packed, STR(""));
	content->packed = all->len;
	return true;
}

bool
content_all(struct content *content, struct str *all, size_t most)
{
	struct str piece;

	if (!map_all(content, all)) {
		while (content_next(content, &piece) &&
		    content->whole.len <= most)
			text_add(&content->whole, piece);
		*all = text_str(&content->whole);
	}
	if (all->len > most)
		content->trouble = "it is too large";
	return content->trouble == NULL;
}

void
content_end(struct content *content)
{
	if (gzip_free(content->gzip)) {
		message_warn("%s: what follows its compressed data is left "
		    "out", content->name);
		if (content->lost != NULL)
			*content->lost = true;
	}
	mapping_remove(content->mapped);
	free(content->whole.data);
	free(content->block);
}
