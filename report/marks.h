/*
 * marks: which names are of functions that were inlined into their callers, as
 * "square_[i]" is, for formats that have a place for that.
 */
#ifndef MARKS_H
#define MARKS_H

#include "lib/table.h"

struct marks {
	struct table functions;	/* names without the mark */
	uint32_t *function_of;	/* by the number of a name */
	bool *is_inlined;	/* the same */
};

/* Looks at all names of a table, which must outlive the marks. */
void marks_init(struct marks *marks, const struct table *names);

#endif
