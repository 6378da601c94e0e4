#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "radix.h"

#define DIGIT_BITS	11
#define DIGITS		(1 << DIGIT_BITS)

/* Sorts by the digit at `shift`; equal ones keep their order. */
static void
sort_by_digit(const struct radix_item *from, struct radix_item *to,
    size_t count, unsigned shift)
{
	size_t places[DIGITS] = { 0 }, place = 0, i, n;

	for (i = 0; i < count; i++)
		places[from[i].key >> shift & (DIGITS - 1)]++;
	for (i = 0; i < DIGITS; i++) {
		n = places[i];
		places[i] = place;
		place += n;
	}
	for (i = 0; i < count; i++)
		to[places[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
}

void
radix_sort(struct radix_item *items, size_t count)
{
	struct radix_item *other = mem_array(count, sizeof(*other));
	struct radix_item *from = items, *to = other, *swap;
	uint64_t differences = 0;
	unsigned shift;
	size_t i;

	for (i = 1; i < count; i++)
		differences |= items[i].key ^ items[0].key;
	for (shift = 0; shift < 64; shift += DIGIT_BITS) {
		if ((differences >> shift & (DIGITS - 1)) == 0)
			continue;
		sort_by_digit(from, to, count, shift);
		swap = from;
		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, count * sizeof(*items));
	free(other);
}
