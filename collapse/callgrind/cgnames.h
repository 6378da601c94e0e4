/*
 * cgnames: the names in a file of callgrind's, which come whole once, behind a
 * number in brackets, and as this number alone from then on:
 *
 *	fn=(12) main
 *	fn=(12)
 *
 * Functions, files and objects have numbers of their own.
 */
#ifndef CGNAMES_H
#define CGNAMES_H

#include "lib/table.h"

enum cgnames_kind { CGNAMES_FUNCTION, CGNAMES_FILE, CGNAMES_OBJECT };

/* The meanings of numbers in brackets: small ones, and others. */
struct cgnames_ids {
	uint32_t *small;	/* texts by number, or TABLE_NONE */
	size_t known, room;	/* of these */
	struct table large;	/* digits */
	uint32_t *texts;	/* by number in that table */
	size_t large_room;
};

struct cgnames {
	struct table texts;
	struct cgnames_ids ids[3];	/* by kind */
};

void cgnames_init(struct cgnames *names);
void cgnames_free(struct cgnames *names);

/*
 * Returns the number of a name in texts, given what is behind the '='.  A
 * number in brackets that means nothing yet is a name itself.
 */
uint32_t cgnames_read(struct cgnames *names, enum cgnames_kind kind,
    struct str text);

#endif
