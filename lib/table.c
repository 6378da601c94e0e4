#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "message.h"
#include "sort.h"
#include "table.h"

#define FIRST_SLOTS	((size_t)256)

static uint64_t seed[2];	/* of all tables */

/* Takes random bytes, or, without /dev/urandom, others in each run. */
void
table_seed(void)
{
	static bool is_filled;
	ssize_t got = -1;
	int fd;

	if (is_filled)
		return;
	is_filled = true;
	fd = open("/dev/urandom", O_RDONLY);
	if (fd >= 0) {
		got = read(fd, seed, sizeof(seed));
		close(fd);
	}
	if (got != (ssize_t)sizeof(seed)) {
		seed[0] = (uint64_t)time(NULL) ^ (uintptr_t)&fd;
		seed[1] = (uint64_t)getpid() << 32;
	}
	seed[0] ^= UINT64_C(0x9E3779B97F4A7C15);
	seed[1] |= UINT64_C(0x8000000000000001);
}

static uint64_t
load_8(const char *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

/*
 * Hashes sixteen bytes a step, by a product of two words, each with a secret,
 * so that bytes cannot be chosen to make a factor zero.
 */
uint32_t
table_hash(struct str key)
{
	uint64_t state = seed[0] ^ key.len, last = 0;
	const char *at = key.data;
	size_t left = key.len;

	for (; left >= 16; at += 16, left -= 16)
		state = table_fold(load_8(at) ^ seed[1],
		    load_8(at + 8) ^ state);
	if (left >= 8)
		state = table_fold(load_8(at) ^ seed[1],
		    load_8(at + left - 8) ^ state);
	else if (left > 0) {
		if (key.len >= 8)
			last = load_8(at + left - 8);
		while (key.len < 8 && left-- > 0)
			last = last << 8 | (unsigned char)at[left];
		state = table_fold(last ^ seed[1], state);
	}
	state = table_fold(state ^ seed[0], seed[1]);
	return (uint32_t)(state ^ state >> 32);
}

uint64_t
table_multiplier(void)
{
	return seed[0] | 1;
}

void
table_free(struct table *table)
{
	if (table->slots == NULL)
		return;
	mem_give_back(table->room * sizeof(*table->keys) +
	    (table->mask + 1) * sizeof(*table->slots));
	free(table->keys);
	free(table->slots);
	arena_free(&table->arena);
	*table = (struct table){ 0 };
}

/* Returns the slot that holds key, or the empty one in which it belongs. */
static struct table_slot *
find_slot(const struct table *table, struct str key, uint32_t hashed)
{
	size_t at = hashed & table->mask;
	struct table_slot *slot;

	for (; (slot = &table->slots[at])->number != 0;
	    at = (at + 1) & table->mask)
		if (slot->hash == hashed &&
		    str_equal(table->keys[slot->number - 1], key))
			break;
	return slot;
}

struct table_slot *
table_double(struct table_slot *old, size_t *mask)
{
	size_t count = *mask + 1, i, at;
	struct table_slot *slots = mem_array(count * 2, sizeof(*slots));

	*mask = count * 2 - 1;
	for (i = 0; i < count; i++) {
		if (old[i].number == 0)
			continue;
		at = old[i].hash & *mask;
		while (slots[at].number != 0)
			at = (at + 1) & *mask;
		slots[at] = old[i];
	}
	mem_give_back(count * sizeof(*old));
	free(old);
	return slots;
}

uint32_t
table_add(struct table *table, struct str key)
{
	uint32_t hashed;
	struct table_slot *slot;

	if (table->slots == NULL) {
		table_seed();
		table->mask = FIRST_SLOTS - 1;
		table->slots = mem_array(FIRST_SLOTS, sizeof(*table->slots));
	}
	hashed = table_hash(key);
	slot = find_slot(table, key, hashed);
	if (slot->number != 0)
		return slot->number - 1;
	if (table->count == TABLE_NONE - 1)
		message_fail("more than %lu different texts",
		    (unsigned long)table->count);
	*LIST_AT(table->keys, table->count, table->room) =
	    arena_copy(&table->arena, key);
	*slot = (struct table_slot){ hashed, ++table->count };
	if (table->count > table->mask / 2)
		table->slots = table_double(table->slots, &table->mask);
	return table->count - 1;
}

uint32_t
table_find(const struct table *table, struct str key)
{
	const struct table_slot *slot;

	if (table->slots == NULL)
		return TABLE_NONE;
	slot = find_slot(table, key, table_hash(key));
	return slot->number == 0 ? TABLE_NONE : slot->number - 1;
}

uint32_t *
table_order(const struct table *table)
{
	struct sort_item *items = mem_array(table->count, sizeof(*items));
	uint32_t *order = mem_array(table->count, sizeof(*order)), i;

	for (i = 0; i < table->count; i++)
		items[i] = (struct sort_item){ table->keys[i], i };
	sort_items(items, table->count);
	for (i = 0; i < table->count; i++)
		order[i] = (uint32_t)items[i].number;
	free(items);
	return order;
}
