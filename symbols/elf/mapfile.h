/* mapfile: the one place that opens files of symbols, regular files only. */
#ifndef MAPFILE_H
#define MAPFILE_H

#include "elf.h"
#include "lib/text.h"

/*
 * Maps the file at a path, a format as in printf(3), to be removed by
 * mapping_remove; false if it does not exist.  An empty one has no bytes.  What
 * the file has on the disk is the account's credit.
 */
bool mapfile_open(struct str *bytes, struct account *account,
    const char *format, ...);

/* Unmaps an open file; nothing if elf is { 0 } or closed. */
void mapfile_close(struct elf *elf);

/*
 * Reads a file into text, up to its end or 256 MB; false on failure.  Files of
 * /proc have a size of 0, so the size is not used.
 */
bool mapfile_read(const char *path, struct text *text);

/*
 * Reads a file that anybody may have written, such as /tmp/perf-PID.map.  It
 * must belong to root, to us or to the user of that process; otherwise *foreign
 * is set.  What exceeds the account is left out.
 */
bool mapfile_read_of(const char *path, long pid, struct account *account,
    struct text *text, bool *foreign);

#endif
