#include <stdlib.h>

#include "ehindex.h"
#include "lib/mem.h"

#define HEADER_VERSION		1
#define TABLE_ENCODING	0x3b	/* 4 bytes with a sign, from the section on */
#define PAIR		8	/* bytes of a function in the table */

struct ehindex_place {
	uint64_t start;		/* of a function */
	uint64_t offset;	/* of its entry in the section */
};

bool
ehindex_take(struct ehindex *index, const struct cfi_section *section,
    struct bytes header, uint64_t header_address)
{
	struct ehpointer_bases bases = { .start = header_address,
	    .data = header_address };
	uint8_t version = bytes_u8(&header), start_encoding, count_encoding;
	uint64_t count;

	start_encoding = bytes_u8(&header);
	count_encoding = bytes_u8(&header);
	if (version != HEADER_VERSION || bytes_u8(&header) != TABLE_ENCODING)
		return false;
	ehpointer_read(&header, start_encoding, &bases);
	count = ehpointer_read(&header, count_encoding, &bases);
	*index = (struct ehindex){ .section = section,
	    .table = header, .table_base = header_address };
	index->table.start = header.next;
	index->count = bytes_left(&header) / PAIR;
	if (count < index->count)
		index->count = (size_t)count;
	return !header.failed && index->count > 0;
}

static int
compare(const void *a, const void *b)
{
	const struct ehindex_place *left = a, *right = b;

	if (left->start != right->start)
		return left->start < right->start ? -1 : 1;
	return (left->offset > right->offset) - (left->offset < right->offset);
}

void
ehindex_make(struct ehindex *index, const struct cfi_section *section)
{
	struct bytes at = section->bytes;
	struct cfi_entry entry;
	uint64_t offset;
	size_t room = 0;

	*index = (struct ehindex){ .section = section };
	while (cfi_next(&at, &offset)) {
		if (!cfi_read(section, offset, &entry) ||
		    entry.start == entry.end)
			continue;
		index->list = mem_grow(index->list, &room, index->count + 1,
		    sizeof(*index->list));
		index->list[index->count++] = (struct ehindex_place){
		    entry.start, offset };
	}
	if (index->count > 0)
		qsort(index->list, index->count, sizeof(*index->list),
		    compare);
}

void
ehindex_free(struct ehindex *index)
{
	free(index->list);
	*index = (struct ehindex){ .count = 0 };
}

/* Returns the function at a place in the table. */
static struct ehindex_place
place_at(const struct ehindex *index, size_t at)
{
	struct bytes table = index->table;
	struct ehindex_place place;

	if (index->list != NULL)
		return index->list[at];
	bytes_seek(&table, at * PAIR);
	place.start = index->table_base + (uint64_t)bytes_i32(&table);
	place.offset = index->table_base + (uint64_t)bytes_i32(&table) -
	    index->section->bases.start;
	return place;
}

bool
ehindex_find(const struct ehindex *index, uint64_t address,
    struct cfi_entry *entry)
{
	size_t low = 0, high = index->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (place_at(index, middle).start > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low > 0 && cfi_read(index->section,
	    place_at(index, low - 1).offset, entry) &&
	    address - entry->start < entry->end - entry->start &&
	    address >= entry->start;
}
