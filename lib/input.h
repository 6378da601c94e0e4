/*
 * input: the lines of a tool's operands, one file after another, read by the
 * block; "-" and no operand at all are standard input.
 *
 * A file that cannot be opened or read is reported on standard error, and
 * reading goes on with the next one.
 */
#ifndef INPUT_H
#define INPUT_H

#include <stdint.h>

#include "progress.h"
#include "str.h"

struct turns;

struct input {
	const char *const *operands;	/* those still to be read, up to NULL */
	const char *name;	/* of the file that is read, for messages */
	size_t line;		/* number of the line given out last; in turns,
				   of those of the block */
	size_t lines;		/* how many were given out, of all files */
	bool failed;		/* something could not be read */
	int fd;			/* -1 between files */
	bool at_end;		/* of the file */
	char *data;		/* the block, with unread bytes from start */
	size_t start, end, room;
	bool file_begins;	/* with this block: line counts from there */

	struct turns *turns;	/* with other threads, or NULL; see turns.h */
	bool has_turn;		/* reads, which the others then do not */
	bool in_block;
	size_t block;		/* its number, if in_block */

	bool shown;		/* as progress, with what input_show was told */
	const size_t *counted;
	const uint32_t *stacks;
	struct tally told;
};

/* Reads the operands, a list that ends with NULL. */
void input_init(struct input *input, const char *const *operands);

/*
 * Shows how far reading is, as progress: with what counts samples, or NULL for
 * lines to be counted, and different stacks, or NULL.
 */
void input_show(struct input *input, const size_t *samples,
    const uint32_t *stacks);

/* How many bytes the operands hold that are files, not pipes. */
long long input_size(const char *const *operands);

/*
 * The next line without its line end, LF or CRLF; false at the end.  The slice
 * lives until the next call.
 */
bool input_line(struct input *input, struct str *line);

/*
 * What has been read beyond the last line given out, for finding out whether
 * lines there are known without taking them one by one.  It may be empty and
 * may end within a line; a NUL stands behind it; it lives until the next call
 * of input_line.
 */
static inline struct str
input_ahead(const struct input *input)
{
	return (struct str){ input->data + input->start,
	    input->end - input->start };
}

/* Steps over the next `len` bytes there, which are `lines` whole lines. */
static inline void
input_skip(struct input *input, size_t len, size_t lines)
{
	input->start += len;
	input->line += lines;
	input->lines += lines;
}

/* Puts bytes where nothing is ahead; takes back all but `len` bytes ahead. */
void input_unread(struct input *input, struct str bytes);
void input_cut(struct input *input, size_t len);

/* Waits until all threads are done with what comes before this block. */
void input_wait(const struct input *input);

/* The number of the line given out last, in its file; after input_wait. */
size_t input_number(const struct input *input);

/* Ends reading before the end. */
void input_stop(struct input *input);

#endif
