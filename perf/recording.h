/*
 * recording: folds what perf record writes, perf.data, without perf script.
 *
 * What comes out are the stacks that script.h makes of what perf script prints
 * of the same file.  The records are read by datafile, brought into order by
 * order, and change what is known of tasks and their maps; samples go to chain,
 * where they become stacks.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include "../lib/options.h"
#include "datafile.h"
#include "order.h"
#include "samples.h"

#define RECORDING_STACK	127	/* frames of a stack, unless told otherwise */

/* What the command line asks for. */
struct recording_options {
	const char *symfs;	/* the folder that is meant by "/", or "" */
	const char *kallsyms;	/* the file with the kernel's names, or NULL */
	struct option_range max_stack;
};

/* True if a file that begins so is a recording, or one that is refused. */
bool recording_begins(struct str bytes);

/*
 * Folds the recording that is open as fd, of which `bytes` were read before: all
 * that is whole, with a warning where it is not.  Returns NULL, or why it was
 * not folded, and which command does it.
 */
const char *recording_fold(const struct recording_options *options,
    const struct recording_target *target, const char *name,
    struct str bytes, int fd);

#endif
