#include <stdlib.h>

#include "intmap.h"
#include "mem.h"
#include "message.h"
#include "table.h"

#define FIRST_BITS	6
#define MOST		(UINT32_MAX - 1)

static struct intmap_slot *
make_slots(unsigned bits)
{
	return mem_array((size_t)1 << bits, sizeof(struct intmap_slot));
}

void
intmap_free(struct intmap *map)
{
	if (map->slots == NULL)
		return;
	mem_give_back(((size_t)1 << map->bits) * sizeof(*map->slots));
	free(map->slots);
	*map = (struct intmap){ 0 };
}

uint32_t *
intmap_at(struct intmap *map, uint64_t key)
{
	struct intmap_slot *slot, *old;
	size_t count, i;

	if (map->slots == NULL) {
		table_seed();
		*map = (struct intmap){ make_slots(FIRST_BITS), 0, FIRST_BITS,
		    table_multiplier() };
	}
	slot = intmap_slot(map, key);
	if (slot->number != 0)
		return &slot->number;
	if (map->count == MOST)
		message_fail("more than %lu different numbers",
		    (unsigned long)MOST);
	count = (size_t)1 << map->bits;
	if (++map->count > count / 2) {
		old = map->slots;
		map->slots = make_slots(++map->bits);
		for (i = 0; i < count; i++)
			if (old[i].number != 0)
				*intmap_slot(map, intmap_pair(old[i].high,
				    old[i].low)) = old[i];
		mem_give_back(count * sizeof(*old));
		free(old);
		slot = intmap_slot(map, key);
	}
	slot->high = (uint32_t)(key >> 32);
	slot->low = (uint32_t)key;
	return &slot->number;
}
