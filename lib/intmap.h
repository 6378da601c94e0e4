/*
 * intmap: finds numbers by numbers: a thread by its tid, a call by the two
 * functions, a location by the id that a profile gives it.
 *
 *	uint32_t *number = intmap_at(&map, intmap_pair(from, to));
 *
 *	if (*number == 0)
 *		*number = add_call(from, to);
 *
 * A key's number is never 0: that means that the map lacks the key.  Callers
 * that count from 0 store one more.
 *
 * It is a hash table with open addressing that grows when it is half full.  A
 * key is hashed by a product with a secret that each run draws anew, so that
 * input cannot be made to collide.
 */
#ifndef INTMAP_H
#define INTMAP_H

#include <stddef.h>
#include <stdint.h>

/* The key is in two halves, so a slot has 12 bytes, not 16. */
struct intmap_slot {
	uint32_t high, low;
	uint32_t number;	/* 0 in an empty slot */
};

/* It begins as { 0 }. */
struct intmap {
	struct intmap_slot *slots;
	size_t count;		/* of keys */
	unsigned bits;		/* of a slot's place */
	uint64_t secret;
};

/* Frees what a map holds, and leaves it empty. */
void intmap_free(struct intmap *map);

/* Returns the slot of a key, or the empty one in which it belongs. */
static inline struct intmap_slot *
intmap_slot(const struct intmap *map, uint64_t key)
{
	size_t mask = ((size_t)1 << map->bits) - 1;
	size_t at = (size_t)(key * map->secret >> (64 - map->bits));
	uint32_t high = (uint32_t)(key >> 32), low = (uint32_t)key;
	struct intmap_slot *slot;

	while ((slot = &map->slots[at])->number != 0 &&
	    (slot->low != low || slot->high != high))
		at = (at + 1) & mask;
	return slot;
}

/* Returns the number of a key, or 0. */
static inline uint32_t
intmap_find(const struct intmap *map, uint64_t key)
{
	return map->slots == NULL ? 0 : intmap_slot(map, key)->number;
}

/*
 * Returns where the number of a key is, until the next call, for reading and
 * changing it.  It is 0 if the key is new; then the caller stores one at once.
 */
uint32_t *intmap_at(struct intmap *map, uint64_t key);

/* Returns the key of two numbers. */
static inline uint64_t
intmap_pair(uint32_t first, uint32_t second)
{
	return (uint64_t)first << 32 | second;
}

#endif
