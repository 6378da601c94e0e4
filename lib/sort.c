/*
 * A natural merge sort: runs that stand in order already are found first, and
 * then merged pairwise, level by level.  qsort(3) is not used since it is
 * quadratic at worst on some systems, and our input is often sorted already.
 */
#include <stdlib.h>

#include "mem.h"
#include "sort.h"

/* Where the run that begins at `from` ends. */
static size_t
run_end(const struct sort_item *items, size_t from, size_t count)
{
	size_t end = from + 1;

	while (end < count &&
	    str_compare(items[end - 1].key, items[end].key) <= 0)
		end++;
	return end;
}

static void
merge(const struct sort_item *a, const struct sort_item *a_end,
    const struct sort_item *b, const struct sort_item *b_end,
    struct sort_item *out)
{
	while (a < a_end && b < b_end)
		*out++ = str_compare(a->key, b->key) <= 0 ? *a++ : *b++;
	while (a < a_end)
		*out++ = *a++;
	while (b < b_end)
		*out++ = *b++;
}

/* Merges neighbouring runs into `out` and their ends into `ends`: how many. */
static size_t
merge_pairs(const struct sort_item *items, struct sort_item *out,
    size_t *ends, size_t runs)
{
	size_t i, from = 0, middle, end;

	for (i = 0; i < runs; i += 2) {
		middle = ends[i];
		end = i + 1 < runs ? ends[i + 1] : middle;
		merge(items + from, items + middle, items + middle,
		    items + end, out + from);
		ends[i / 2] = from = end;
	}
	return (runs + 1) / 2;
}

void
sort_items(struct sort_item *items, size_t count)
{
	struct sort_item *from = items, *to, *spare, *swap;
	size_t *ends = NULL, room = 0, runs = 0, end;

	for (end = 0; end < count; runs++) {
		end = run_end(items, end, count);
		ends = mem_grow(ends, &room, runs + 1, sizeof(*ends));
		ends[runs] = end;
	}
	if (runs > 1) {
		to = spare = mem_array(count, sizeof(*items));
		while (runs > 1) {
			runs = merge_pairs(from, to, ends, runs);
			swap = from;
			from = to;
			to = swap;
		}
		if (from != items)
			memcpy(items, from, count * sizeof(*items));
		free(spare);
	}
	free(ends);
}
