/*
 * fieldcount: counts samples by a field of their tracepoint, as bytes_alloc of
 * kmem:kmalloc, instead of by their periods.
 *
 * A sample without the field is left out, and one in which it is negative, as 8
 * bytes with a sign: the kernel prints numbers in hexadecimal without.
 */
#ifndef FIELDCOUNT_H
#define FIELDCOUNT_H

#include <stdint.h>

#include "lib/str.h"

/* Begins with the field's name set. */
struct fieldcount {
	struct str field;	/* empty: samples count by their periods */
	size_t missing, negative;	/* samples that are left out */
};

static inline bool
fieldcount_is_asked(const struct fieldcount *fields)
{
	return fields->field.len > 0;
}

/*
 * Stores how much a sample counts in which the field was found, or not; false
 * if it is left out, which is noted.
 */
bool fieldcount_take(struct fieldcount *fields, bool is_found, int64_t value,
    uint64_t *count);

/* Says how many samples were left out. */
void fieldcount_report(const struct fieldcount *fields);

#endif
