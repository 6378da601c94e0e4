/* packed: reads files in gzip, xz or zstd through the installed program. */
#ifndef PACKED_H
#define PACKED_H

#include <stdio.h>

#include "child.h"

/*
 * Returns the name of the program that decompresses a file which begins with
 * these bytes, "xz"; NULL if the file is not compressed.
 */
const char *packed_by(struct str bytes);

/*
 * Starts the program on a compressed file that is open as fd.  The caller has
 * read its first `bytes`.  child->from gives the unpacked file.  A pipe is
 * copied to a temporary file first.  Returns NULL, or why that failed.
 */
const char *packed_open(struct child *child, int fd, struct str bytes);

/* Copies bytes and the rest of a pipe to a temporary file; or returns NULL. */
FILE *packed_copy(int fd, struct str bytes);

enum packed_state {
	PACKED_READ, PACKED_DAMAGED, PACKED_TOO_LARGE, PACKED_NO_PROGRAM
};

/*
 * Adds to `text` what a program unpacks of these bytes, but not much more than
 * `most`.  Of a file's first bytes it adds all, but returns PACKED_DAMAGED.
 */
enum packed_state packed_unpack(const char *program, struct str bytes,
    struct text *text, size_t most);

#endif
