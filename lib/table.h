/*
 * table: a set of texts, each of which gets a number: 0, 1, 2, ... in the
 * order in which they were first added.  What belongs to a text the caller
 * keeps in an array of its own, at that number.
 *
 * Open addressing, grown at half full.  The hash is seeded anew in every run,
 * so that input cannot be made to collide.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdint.h>

#include "mem.h"
#include "str.h"

struct table {
	struct str *keys;	/* the texts, by number */
	uint32_t count;		/* how many there are */
	size_t room;		/* for keys */
	struct slot *slots;
	size_t mask;		/* how many slots there are, less one */
	struct arena arena;
};

#define TABLE_NONE	UINT32_MAX

void table_init(struct table *table);

void table_free(struct table *table);

/* The number of key, which is copied into the table when it is new. */
uint32_t table_add(struct table *table, struct str key);

#define TABLE_BATCH	16

/*
 * Adds up to TABLE_BATCH keys, and stores their numbers.  What a large table
 * waits for is memory, and here it waits for that of all keys at once: the
 * stacks of a profile are counted in two thirds of the time.
 */
void table_add_batch(struct table *table, const struct str *keys, size_t count,
    uint32_t *numbers);

/* The number of key, or TABLE_NONE. */
uint32_t table_find(const struct table *table, struct str key);

/*
 * Returns the hash of a key, another one in every run, for tables of other
 * kinds.  table_seed must have been called, as table_init does.
 */
uint32_t table_hash(struct str key);
void table_seed(void);

/* All numbers, in the byte order of their texts. */
uint32_t *table_order(const struct table *table);

#endif
