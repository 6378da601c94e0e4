/*
 * stats: counts the addresses of samples that have no function, though they are
 * in a module, and the stacks that were unwound, but end before the first
 * function of their thread; and says so at the end of a recording.
 */
#ifndef STATS_H
#define STATS_H

#include "modules.h"

/* Why a stack ends too early. */
enum stack_end {
	END_COPY,		/* the stack goes on where its copy ends */
	END_TABLES,		/* its module has no unwinding tables */
	END_NO_MAP,		/* nothing is mapped at its address */
	END_LOST,		/* the tables lead nowhere */
	END_REASONS		/* or none: it is complete */
};

/* Begins as { 0 }. */
struct stats {
	unsigned long long addresses;	/* of samples counted */
	unsigned long long unknown;	/* those without a function */

	unsigned long long stacks;	/* that were unwound */
	unsigned long long ends[END_REASONS + 1];	/* and complete ones */
	unsigned long long joined;	/* truncated ones */
	unsigned long long doubled;	/* would fit into twice the copy */
	size_t copied;			/* the longest copy that was short */
};

/*
 * Says, of the recording `name`, what is missing where a third of all addresses
 * have no function; and how many stacks end early, and why, and what helps, if
 * these are more than one in a hundred.
 */
void stats_report(const struct stats *stats, const char *name,
    const struct modules *modules, bool stitched);

#endif
