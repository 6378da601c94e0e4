/*
 * recording: folds perf.data without perf script.
 *
 * The stacks equal those from the text that perf script prints for the same
 * file.  Records go one after another through
 *
 *	datafile	what a file, a pipe or a folder has, in blocks (reader)
 *	queue		in the order of time
 *	recording	a sample counts, perhaps once its deferred chain comes;
 *			any other record is a change of
 *	    process	  threads, processes and the kernel, with maps, as they
 *			  are now; jitcode has what they compile
 *	samples		is it asked for, of an event that counts, by how much?
 *	callchain	addresses become a stack; backtrace unwinds it
 *
 * and then into stacks, a timeline or waits.  Memory is needed for threads,
 * maps and stacks that there are at once, and for what waits in the queue.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include "lib/options.h"
#include "samples.h"

/* Enough for ten times 10^5 processes with hundreds of mapped files each. */
#define RECORDING_MEMORY	((unsigned long long)4 << 30)

#define RECORDING_STACK	127	/* frames of a stack, by default */

/* The options of the command line. */
struct recording_options {
	struct symbol_sources sources;	/* symfs, kallsyms and buildid_dir */
	unsigned long long memory;	/* that tasks, maps, names may take */
	struct option_range max_stack;	/* frames */
	struct chain_options chains;
};

/* True if a file or a folder is a recording, even one that is refused. */
bool recording_begins(const struct beginning *file);

/*
 * Folds a recording, whose content is at its beginning: everything that is
 * complete, with a warning otherwise.  Returns NULL, or why it was not folded
 * and which command does it, in profile->advice.
 */
const char *recording_fold(const struct recording_options *options,
    struct profile *profile, const struct content *content);

#endif
