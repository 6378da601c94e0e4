/*
 * valuetype: chooses which of a pprof profile's values count, of the samples of
 * all operands the same.
 */
#ifndef VALUETYPE_H
#define VALUETYPE_H

#include "lib/text.h"
#include "profile.h"

struct value_type {
	const char *wanted;	/* its name, or NULL for the profile's own */
	struct text chosen;	/* "cpu/nanoseconds", of the first profile */
	struct text trouble;
};

/*
 * Stores the place of the value that counts, from 0.  Returns NULL, or why
 * there is none, which lives until the next call.
 */
const char *value_type_choose(struct value_type *type,
    const struct profile *profile, size_t *place);

#endif
