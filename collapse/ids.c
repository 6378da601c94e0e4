#include <stdlib.h>

#include "ids.h"

/*
 * An id is small if it is less than this or twice the number of ids, and so the
 * array is never much larger than what was added.
 */
#define SMALL	1024

void
ids_init(struct ids *ids)
{
	*ids = (struct ids){ .most = 0 };
}

void
ids_free(struct ids *ids)
{
	free(ids->small);
	free(ids->numbers);
	table_free(&ids->others);
}

static struct str
key_of(const uint64_t *id)
{
	return (struct str){ (const char *)id, sizeof(*id) };
}

uint32_t
ids_find_other(const struct ids *ids, uint64_t id)
{
	uint32_t number = TABLE_NONE;

	if (ids->others.count > 0)
		number = table_find(&ids->others, key_of(&id));
	return number == TABLE_NONE ? IDS_NONE : ids->numbers[number];
}

static void
add_small(struct ids *ids, uint64_t id)
{
	size_t before = ids->most;

	if (id >= before) {
		ids->small = mem_grow(ids->small, &ids->most, (size_t)id + 1,
		    sizeof(*ids->small));
		memset(ids->small + before, 0,
		    (ids->most - before) * sizeof(*ids->small));
	}
	ids->small[id] = ++ids->count;
}

static void
add_other(struct ids *ids, uint64_t id)
{
	uint32_t number;

	if (ids->others.count == 0)
		table_init(&ids->others);
	number = table_add(&ids->others, key_of(&id));
	ids->numbers = mem_grow(ids->numbers, &ids->room, (size_t)number + 1,
	    sizeof(*ids->numbers));
	ids->numbers[number] = ids->count++;
}

uint32_t
ids_add(struct ids *ids, uint64_t id)
{
	uint32_t known = ids_find(ids, id);

	if (known != IDS_NONE)
		return known;
	if (id < SMALL || id / 2 < ids->count)
		add_small(ids, id);
	else
		add_other(ids, id);
	return ids->count - 1;
}
