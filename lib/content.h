/*
 * content: reads a file to its end, in pieces, and unpacks what gzip packed.
 *
 *	content_begin(&content, name, bytes, fd);
 *	while (content_next(&content, &piece))
 *		use(piece);
 *	if (content.trouble != NULL)
 *		(why it could not be read to its end)
 *	content_end(&content);
 */
#ifndef CONTENT_H
#define CONTENT_H

#include <stdint.h>

#include "gzip.h"
#include "text.h"

struct content {
	const char *name;	/* of the file, for messages */
	struct str ahead;	/* bytes that were read, still packed */
	int fd;
	bool at_end;		/* of it */
	struct gzip *gzip;	/* NULL: it is not packed */
	struct str peeked;	/* given; content_next gives them again */
	size_t packed;		/* bytes that were read, packed or not */
	unsigned long long unpacked;	/* bytes that they became */
	bool counts_memory;	/* that this thread takes as unpacked bytes */
	long long taken;	/* before that: what mem_taken() returned */
	char *block;
	struct text whole;	/* what content_all read */
	const char *mapped;	/* the file, if content_all mapped it */
	const char *trouble;	/* NULL: none */
	bool *lost;		/* set if a part is left out, or NULL */
};

/* How many bytes may be made of a file, and how many were. */
struct budget {
	unsigned long long made, most;
};

/*
 * Returns how many bytes may be made of the bytes read.  A file that makes more
 * is meant to fill memory, for instance by many references to a long text.
 */
struct budget content_budget(unsigned long long read);

/* Takes bytes of a budget; false if it does not have them. */
static inline bool
budget_take(struct budget *budget, unsigned long long bytes)
{
	budget->made += bytes;
	return budget->made <= budget->most;
}

/*
 * Begins with a file that is open as fd.  The caller has read its first
 * `bytes`; they must outlive the first piece.
 */
void content_begin(struct content *content, const char *name,
    struct str bytes, int fd);

/*
 * Gives the next bytes, one or more; they live until the next call.  False at
 * the end, and on trouble, such as data that is made to fill memory.
 */
bool content_next(struct content *content, struct str *piece);

/* Tells what followed the compressed data, and frees all that was given. */
void content_end(struct content *content);

/*
 * Gives all of the file at once, until content_end; false, with the trouble, if
 * that fails, or if it is more than `most` bytes.
 */
bool content_all(struct content *content, struct str *all, size_t most);

#endif
