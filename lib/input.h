/*
 * input: the lines of a tool's operands, one file after another, read by the
 * block; "-" and no operand at all are standard input.
 *
 * A file that cannot be opened or read is reported on standard error, and
 * reading goes on with the next one.
 */
#ifndef INPUT_H
#define INPUT_H

#include "str.h"

struct input {
	const char *const *operands;	/* those still to be read, up to NULL */
	const char *name;	/* of the file that is read, for messages */
	size_t line;		/* number of the line given out last */
	size_t lines;		/* how many were given out, of all files */
	bool failed;		/* something could not be read */
	int fd;			/* -1 between files */
	bool at_end;		/* of the file */
	char *data;		/* the block, with unread bytes from start */
	size_t start, end, room;
};

/* Reads the operands, a list that ends with NULL. */
void input_init(struct input *input, const char *const *operands);

/*
 * The next line without its line end, LF or CRLF; false at the end.  The slice
 * lives until the next call.
 */
bool input_line(struct input *input, struct str *line);

/* Ends reading before the end. */
void input_stop(struct input *input);

#endif
