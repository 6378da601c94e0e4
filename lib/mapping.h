/*
 * mapping: files as bytes in memory; the system reads them when needed.
 *
 * If a file becomes shorter while it is mapped, reading the bytes that it has
 * lost ends a program by SIGBUS.  Here zeros take their place, so that readers
 * go on: they must take any bytes anyway.  A signal has one handler, so the
 * state belongs to the program, not to a caller.
 */
#ifndef MAPPING_H
#define MAPPING_H

#include "str.h"

/*
 * Maps `size` bytes of a file that is open as fd, from an offset at which a
 * page begins; at least one zero follows them, whatever happens to the file.
 * Returns no bytes, and errno, if that fails.  If the file is cut off,
 * mapping_tell_cut reports its path, unless that is "".
 */
struct str mapping_add(int fd, const char *path, unsigned long long offset,
    unsigned long long size);

/* Unmaps what mapping_add returned; leaves other bytes, and NULL, alone. */
void mapping_remove(const void *start);

/* Notes why a file could not be read: the first by path, others by number. */
void mapping_note_failure(const char *path, const char *reason);

/* Calls tell if there are such files, since the last time, and returns true. */
bool mapping_tell_failures(void (*tell)(const char *path, const char *reason,
    size_t more));

/*
 * Calls tell for each file that was cut off while it was mapped, or that cannot
 * be read, since the last time.
 */
void mapping_tell_cut(void (*tell)(const char *path));

#endif
