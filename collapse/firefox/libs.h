/*
 * libs: the programs and libraries that a profile of the Firefox profiler
 * lists, and where in a process they are.
 */
#ifndef LIBS_H
#define LIBS_H

#include <stdint.h>

#include "lib/json.h"
#include "lib/mem.h"

struct lib {
	struct str path, name;
	struct str build_id;		/* in hexadecimal, or "" */
	struct str breakpad_id;		/* part of it, in another form */
	uint64_t start, end;		/* addresses, where they are told... */
	uint64_t offset;		/* ...and where in the file start is */
};

/* It begins as { 0 }. */
struct libs {
	struct lib *list;	/* in the profile's order */
	size_t count, room;
	const struct lib **order;	/* by start, once one was asked for */
	struct arena arena;
};

/*
 * Adds an array of libraries, the next value, of whose texts it keeps copies;
 * json->trouble tells what is wrong with it.
 */
void libs_read(struct json *json, struct libs *libs);

void libs_free(struct libs *libs);

/*
 * Returns the library at an address of its process, or NULL; it lives until
 * another one is added.
 */
const struct lib *libs_find(struct libs *libs, uint64_t address);

#endif
