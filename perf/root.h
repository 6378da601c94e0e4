/*
 * root: names the root of a sample's stack, which is its command, with numbers
 * where they are asked for: COMM, COMM-PID or COMM-PID/TID.  Its cgroup, if
 * that is asked for, is a frame outside it.
 */
#ifndef ROOT_H
#define ROOT_H

#include "fold/calls.h"
#include "lib/text.h"
#include "sample.h"

/* The naming of roots; it begins with its options set and all else zero. */
struct roots {
	bool pid, tid;		/* add these */
	struct text name;
};

/*
 * Returns the root of a sample's stack, which need not tell its process or
 * thread.  Blanks and line ends in names become '_'.
 */
struct root roots_find(struct roots *roots, struct namer *namer,
    const struct sample *sample);

/* Returns the frame of a cgroup's path; "" is of one that is not known. */
uint32_t roots_find_cgroup(struct roots *roots, struct namer *namer,
    struct str path);

#endif
