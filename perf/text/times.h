/*
 * times: finds when the first and the last sample were made that perf script
 * prints, by a pass over all of a file.
 */
#ifndef TIMES_H
#define TIMES_H

#include "lib/input.h"

struct times {
	uint64_t first, last;	/* in ns; both 0 if no line has one */
};

/*
 * Finds them in a file whose lines have a form of EVENT_..., and which has been
 * read so far; reading goes on there.  False if it can only be read once.
 */
bool times_find(const struct beginning *file, unsigned form,
    struct times *times);

#endif
