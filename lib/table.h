/*
 * table: finds texts, and numbers them 0, 1, 2, ... in the order in which they
 * were first added.  Callers keep what belongs to a text in arrays of theirs.
 *
 * It is a hash table with open addressing that grows when it is half full.  The
 * hash is seeded anew in every run, so that input cannot be made to collide.
 */
#ifndef TABLE_H
#define TABLE_H

#include <stdint.h>

#include "mem.h"
#include "str.h"

/* It has the hash, too, so that a key that differs is rarely looked at. */
struct table_slot {
	uint32_t hash;
	uint32_t number;	/* plus one; 0 in an empty slot */
};

/* It begins as { 0 }. */
struct table {
	struct str *keys;	/* the texts, by number */
	uint32_t count;		/* the number of keys */
	size_t room;		/* for keys */
	struct table_slot *slots;
	size_t mask;		/* the number of slots, less one */
	struct arena arena;
};

#define TABLE_NONE	UINT32_MAX

/* Frees what a table holds, and leaves it empty. */
void table_free(struct table *table);

/* Returns the number of key; a new one is copied into the table. */
uint32_t table_add(struct table *table, struct str key);

/* Returns the number of key, or TABLE_NONE if it was not added. */
uint32_t table_find(const struct table *table, struct str key);

/*
 * Returns twice as many slots, with what these hold; frees these.  The mask is
 * their number, 2^n, less one.  Each is at its hash or the next empty slot.
 */
struct table_slot *table_double(struct table_slot *slots, size_t *mask);

/* Seeds the hash of all tables, unless that was done; table_add does, too. */
void table_seed(void);

/* Returns the hash of a key for other tables; table_seed comes first. */
uint32_t table_hash(struct str key);

/*
 * Returns an odd number, another one in every run, after table_seed.  A number
 * times this one, modulo 2^64, has a hash in its highest bits.
 */
uint64_t table_multiplier(void);

/*
 * Returns the two halves of the 128-bit product of a and b, folded into one
 * word.  It depends on every bit of both: a hash.
 */
static inline uint64_t
table_fold(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 uint128;
	uint128 product = (uint128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
	uint64_t a0 = a & UINT32_MAX, a1 = a >> 32;
	uint64_t b0 = b & UINT32_MAX, b1 = b >> 32;
	uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
	uint64_t other = a0 * b1 + (middle & UINT32_MAX);

	return (a * b) ^ (a1 * b1 + (middle >> 32) + (other >> 32));
#endif
}

/* Returns all numbers, in the byte order of their texts, to be freed. */
uint32_t *table_order(const struct table *table);

#endif
