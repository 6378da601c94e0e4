/*
 * orphans: counts the stacks that were unwound, and those of them that end
 * before the first function of their thread, with the reasons.
 */
#ifndef ORPHANS_H
#define ORPHANS_H

#include "modules.h"

enum orphan_reason {
	ORPHAN_COPY,		/* the stack goes on where its copy ends */
	ORPHAN_TABLES,		/* its module has no unwinding tables */
	ORPHAN_NO_MAP,		/* nothing is mapped at its address */
	ORPHAN_LOST,		/* the tables lead nowhere */
	ORPHAN_REASONS		/* or none: it is whole */
};

/* Begins as { 0 }. */
struct orphans {
	unsigned long long stacks;
	unsigned long long by[ORPHAN_REASONS];
	unsigned long long joined;	/* of those that were cut short */
	unsigned long long doubled;	/* would be whole in twice the copy */
	size_t copied;			/* the longest copy that was short */
	unsigned long long *in;		/* modules without tables, by number */
	size_t modules, modules_room;
};

/* Counts a stack that ends in code without tables, of a module. */
void orphans_note_module(struct orphans *orphans, const struct module *module);

/* Adds what others have counted. */
void orphans_add(struct orphans *orphans, const struct orphans *others);

/*
 * Says, of the recording `name`, how many stacks end early, and why, and what
 * helps, if these are more than one in a hundred.
 */
void orphans_report(const struct orphans *orphans, const char *name,
    const struct modules *modules, bool stitched);

void orphans_free(struct orphans *orphans);

#endif
