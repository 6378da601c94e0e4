/*
 * source: reads the bytes of a program's operands, one file after another; "-",
 * and no operand at all, is standard input.  The caller reports a file that
 * cannot be opened or read.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>

#include "child.h"

struct source {
	const char *const *operands;	/* those still to be read, up to NULL */
	const char *name;	/* of the file that is read, for messages */
	int fd;			/* -1 between files */
	bool at_end;		/* of the file */
	bool by_lines;		/* each of its lines is a stack */
	unsigned form;		/* what they are like: input_set_form */
	struct child unpacker;	/* of a compressed file; pid 0 without one */
};

/* Begins before the first of the operands, a list that ends with NULL. */
void source_init(struct source *source, const char *const *operands);

/*
 * Steps to the next operand and opens it; false after the last one.  fd is -1,
 * and errno says why, if it cannot be opened.
 */
bool source_next(struct source *source);

/*
 * Reads up to room bytes of the file, and adds them to the progress; returns
 * how many, or -1, with errno, on a failure.  At the end, and after a failure,
 * at_end is set.
 */
ssize_t source_read(struct source *source, char *data, size_t room);

/*
 * Makes source_read unpack the file; its first `bytes` were read already.
 * Returns NULL, or what is wrong.
 */
const char *source_unpack(struct source *source, struct str bytes);

/*
 * Closes the file.  Returns false if it was read to its end and is compressed,
 * but damaged or cut off.
 */
bool source_close(struct source *source);

#endif
