/*
 * moment: when a record of a recording takes effect: at its time, and of equal
 * times in the order of the file.
 */
#ifndef MOMENT_H
#define MOMENT_H

#include <stdbool.h>
#include <stdint.h>

struct moment {
	uint64_t time;		/* 0 if the record does not tell it */
	uint64_t number;	/* of the record, as they are read */
};

static inline bool
moment_is_before(struct moment moment, struct moment other)
{
	return moment.time != other.time ? moment.time < other.time :
	    moment.number < other.number;
}

#endif
