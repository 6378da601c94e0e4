/* threads: does work in several threads, each of which has a part of it. */
#ifndef THREADS_H
#define THREADS_H

#include <stddef.h>

#define THREADS_MOST	64

/* Returns how many processors there are, but at most `most`. */
size_t threads_processors(size_t most);

/*
 * Returns how many threads are to read so many bytes: `jobs` of them, or, if
 * that is 0, as many as pay.
 */
size_t threads_choose(long jobs, unsigned long long bytes);

/*
 * Calls work() in `count` threads, this one among them, each with a part of its
 * own; `parts` is an array of structs of `size` bytes.  If a thread cannot be
 * started, its part and those after it are left out.
 */
void threads_run(void *(*work)(void *), void *parts, size_t size, size_t count);

#endif
