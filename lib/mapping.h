/*
 * mapping: files as bytes in memory, which the system reads when they are
 * needed.
 *
 * If a file becomes shorter while it is mapped, reading the bytes that it has
 * lost ends a program by SIGBUS.  Here zeros take their place, so that readers,
 * which must take any bytes, go on.  There is one
 * handler of a signal, so the state belongs to the program, not to a caller.
 * Any thread may map, unmap and read.
 */
#ifndef MAPPING_H
#define MAPPING_H

#include "str.h"

/*
 * Maps `size` bytes of a file that is open as fd; at least one zero follows
 * them, whatever happens to the file.  Returns no bytes if that fails.
 */
struct str mapping_add(int fd, const char *path, unsigned long long size);

/*
 * Maps `size` bytes from an offset on, which a page begins at; no path is told
 * for it, if it is cut off.
 */
struct str mapping_add_part(int fd, unsigned long long offset, size_t size);

/*
 * Unmaps what these returned, by its first byte; what they did not return, NULL
 * among that, is left alone.  True if it was cut off.
 */
bool mapping_remove(const void *start);

/*
 * Calls tell for each file that was cut off while it was mapped, or that cannot
 * be read, since the last time.
 */
void mapping_tell_cut(void (*tell)(const char *path));

#endif
