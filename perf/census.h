/*
 * census: counts samples that a selection leaves out, by their commands, and
 * notes their first and last time, to tell what there is if it leaves nothing.
 */
#ifndef CENSUS_H
#define CENSUS_H

#include <stdint.h>

#include "lib/table.h"
#include "lib/text.h"

struct census {
	unsigned long long count;	/* of samples */
	uint64_t first, last;	/* their times in nanoseconds; the first is
				   UINT64_MAX if none tells it */
	struct table commands;
	unsigned long long *counts;	/* by the number of a command */
	size_t room;
};

void census_init(struct census *census);
void census_free(struct census *census);

/* Counts a sample at a time; 0 or UINT64_MAX: it does not tell it. */
void census_count(struct census *census, struct str command, uint64_t time);

/* Adds what another one has counted. */
void census_merge(struct census *census, const struct census *other);

/*
 * Adds what was counted to a text: "12 from 1.000000000 to 2.500000000, of make
 * (8), cc1 (4)", with the commands of which there are most.
 */
void census_add(const struct census *census, struct text *text);

#endif
