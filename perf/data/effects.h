/*
 * effects: what the records of a recording that are no samples do: to its
 * threads, and their names and maps, and to the kernel's.
 */
#ifndef EFFECTS_H
#define EFFECTS_H

#include "datafile.h"
#include "phase.h"

/* Begins with the first three, and perhaps the next, set, and all else zero. */
struct effects {
	const struct datafile *file;
	const char *symfs;	/* the folder that is meant by "/", or "" */
	const char *kallsyms;	/* the file with the kernel's names, or NULL */
	bool reads_ahead;	/* the kernel's names, where many will need
				   them, in a thread */
	struct modules modules;
	struct tasks tasks;
	struct maps *kernel;
	struct maps *nothing;	/* no maps */
	struct moment known;	/* when the kernel was, if it is */

	struct phase *phase;	/* of the record that is taken... */
	struct moment moment;	/* ...and when that is */
	unsigned long long lost;	/* records, by the kernel */
	unsigned long long deferred;	/* call chains that came late */
};

void effects_init(struct effects *effects);
void effects_free(struct effects *effects);

/* Returns how many bytes all that records have told takes. */
unsigned long long effects_bytes(const struct effects *effects);

/*
 * Takes a record of the kernel that is no sample, at a moment of a phase; false
 * if it makes no sense.
 */
bool effects_take(struct effects *effects, struct phase *phase,
    struct moment moment, const struct record *record);

#endif
