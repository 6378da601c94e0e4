#include <stdbool.h>
#include <stdlib.h>

#include "message.h"
#include "pairs.h"
#include "table.h"

#define FIRST_BITS	6
#define MOST		(UINT32_MAX - 1)

static uint32_t *
make_slots(unsigned bits)
{
	return mem_array((size_t)1 << bits, sizeof(uint32_t));
}

void
pairs_init(struct pairs *pairs)
{
	table_seed();
	*pairs = (struct pairs){ .bits = FIRST_BITS,
	    .slots = make_slots(FIRST_BITS) };
}

void
pairs_free(struct pairs *pairs)
{
	free(pairs->list);
	free(pairs->slots);
}

static bool
is_equal(struct pair a, struct pair b)
{
	return a.first == b.first && a.second == b.second;
}

/* Returns the slot of a pair, or the empty one in which it belongs. */
static uint32_t *
find_slot(const struct pairs *pairs, struct pair pair)
{
	uint64_t key = (uint64_t)pair.first << 32 | pair.second;
	size_t mask = ((size_t)1 << pairs->bits) - 1, at;

	at = (size_t)(key * table_multiplier() >> (64 - pairs->bits));
	while (pairs->slots[at] != 0 &&
	    !is_equal(pairs->list[pairs->slots[at] - 1], pair))
		at = (at + 1) & mask;
	return &pairs->slots[at];
}

static void
double_slots(struct pairs *pairs)
{
	uint32_t i;

	free(pairs->slots);
	pairs->slots = make_slots(++pairs->bits);
	for (i = 0; i < pairs->count; i++)
		*find_slot(pairs, pairs->list[i]) = i + 1;
}

/* Adds a pair in an empty slot. */
static uint32_t
add(struct pairs *pairs, uint32_t *slot, struct pair pair)
{
	if (pairs->count == MOST)
		message_fail("more than %lu different pairs",
		    (unsigned long)MOST);
	pairs->list = mem_grow(pairs->list, &pairs->room,
	    (size_t)pairs->count + 1, sizeof(*pairs->list));
	pairs->list[pairs->count] = pair;
	*slot = ++pairs->count;
	if (pairs->count > (size_t)1 << pairs->bits >> 1)
		double_slots(pairs);
	return pairs->count - 1;
}

uint32_t
pairs_add(struct pairs *pairs, uint32_t first, uint32_t second)
{
	struct pair pair = { first, second };
	uint32_t number = pairs->next, *slot;

	if (number >= pairs->count || !is_equal(pairs->list[number], pair)) {
		slot = find_slot(pairs, pair);
		number = *slot != 0 ? *slot - 1 : add(pairs, slot, pair);
	}
	pairs->next = number + 1;
	return number;
}
