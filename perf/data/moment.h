/*
 * moment: when a record of a recording takes its effect: what has an earlier
 * one is done before.
 */
#ifndef MOMENT_H
#define MOMENT_H

#include <stdbool.h>
#include <stdint.h>

struct moment {
	uint64_t flush;		/* the one of order.h that delivers it */
	uint64_t time;		/* 0 if it does not wait for that */
	uint64_t number;	/* of the record, as they are read */
};

static inline bool
moment_is_before(struct moment moment, struct moment other)
{
	if (moment.flush != other.flush)
		return moment.flush < other.flush;
	if (moment.time != other.time)
		return moment.time < other.time;
	return moment.number < other.number;
}

#endif
