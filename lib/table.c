#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "sort.h"
#include "table.h"

#define FIRST_SLOTS	((size_t)1024)

/* The two halves of the 128-bit product of a and b, folded into one. */
static uint64_t
fold_product(uint64_t a, uint64_t b)
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

static uint64_t
load(const char *bytes, size_t len)
{
	uint64_t word = 0;

	memcpy(&word, bytes, len);
	return word;
}

/*
 * Sixteen bytes a step: a product of two words, each of which holds a secret,
 * so that bytes cannot be chosen to make a factor zero.
 */
static uint32_t
hash(const struct table *table, struct str key)
{
	uint64_t state = table->seed[0] ^ key.len;
	const char *at = key.data;
	size_t left = key.len;

	for (; left >= 16; at += 16, left -= 16)
		state = fold_product(load(at, 8) ^ table->seed[1],
		    load(at + 8, 8) ^ state);
	if (left >= 8)
		state = fold_product(load(at, 8) ^ table->seed[1],
		    load(at + 8, left - 8) ^ state);
	else if (left > 0)
		state = fold_product(load(at, left) ^ table->seed[1], state);
	state = fold_product(state ^ table->seed[0], table->seed[1]);
	return (uint32_t)(state ^ state >> 32);
}

/* Random bytes; where there are none, what differs from run to run. */
static void
fill_seed(struct table *table)
{
	int fd = open("/dev/urandom", O_RDONLY);
	ssize_t got = -1;

	if (fd >= 0) {
		got = read(fd, table->seed, sizeof(table->seed));
		close(fd);
	}
	if (got != (ssize_t)sizeof(table->seed)) {
		table->seed[0] = (uint64_t)time(NULL) ^ (uintptr_t)table;
		table->seed[1] = (uint64_t)getpid() << 32;
	}
	table->seed[0] ^= UINT64_C(0x9E3779B97F4A7C15);
	table->seed[1] |= UINT64_C(0x8000000000000001);
}

void
table_init(struct table *table)
{
	*table = (struct table){ .mask = FIRST_SLOTS - 1 };
	table->slots = mem_array(FIRST_SLOTS, sizeof(*table->slots));
	fill_seed(table);
}

void
table_free(struct table *table)
{
	free(table->keys);
	free(table->hashes);
	free(table->slots);
	arena_free(&table->arena);
}

/* The slot that holds key, or the empty one in which it belongs. */
static size_t
find_slot(const struct table *table, struct str key, uint32_t hashed)
{
	size_t slot = hashed & table->mask;
	uint32_t number;

	while (table->slots[slot] != 0) {
		number = table->slots[slot] - 1;
		if (table->hashes[number] == hashed &&
		    str_equal(table->keys[number], key))
			break;
		slot = (slot + 1) & table->mask;
	}
	return slot;
}

static void
double_slots(struct table *table)
{
	size_t slots = (table->mask + 1) * 2, slot;
	uint32_t number;

	free(table->slots);
	table->slots = mem_array(slots, sizeof(*table->slots));
	table->mask = slots - 1;
	for (number = 0; number < table->count; number++) {
		slot = table->hashes[number] & table->mask;
		while (table->slots[slot] != 0)
			slot = (slot + 1) & table->mask;
		table->slots[slot] = number + 1;
	}
}

uint32_t
table_add(struct table *table, struct str key)
{
	uint32_t hashed = hash(table, key);
	size_t slot = find_slot(table, key, hashed), room = table->room;

	if (table->slots[slot] != 0)
		return table->slots[slot] - 1;
	if (table->count == TABLE_NONE - 1)
		errx(1, "more than %lu different texts",
		    (unsigned long)table->count);
	table->keys = mem_grow(table->keys, &room, table->count + 1,
	    sizeof(*table->keys));
	table->hashes = mem_grow(table->hashes, &table->room, table->count + 1,
	    sizeof(*table->hashes));
	table->keys[table->count] = arena_copy(&table->arena, key);
	table->hashes[table->count] = hashed;
	table->slots[slot] = ++table->count;
	if (table->count > table->mask / 2)
		double_slots(table);
	return table->count - 1;
}

uint32_t
table_find(const struct table *table, struct str key)
{
	size_t slot = find_slot(table, key, hash(table, key));

	return table->slots[slot] == 0 ? TABLE_NONE : table->slots[slot] - 1;
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
