#include "sorted.h"

struct sorted_text {
	size_t kept;		/* bytes in common with the text before */
	struct str rest;
};

#define BLOCK	16		/* texts, of which the first is whole */

size_t
sorted_add(struct sorted *sorted, struct str text)
{
	struct str last = text_str(&sorted->last);
	size_t common = str_common(last, text), kept = common;

	if (sorted->count > 0 && common == text.len && common == last.len)
		return sorted->count - 1;
	if (sorted->count > 0 && str_precedes(str_skip(text, common),
	    str_skip(last, common)))
		return SORTED_NONE;
	if (sorted->count % BLOCK == 0)
		kept = 0;
	sorted->texts = mem_grow(sorted->texts, &sorted->room,
	    sorted->count + 1, sizeof(*sorted->texts));
	sorted->texts[sorted->count] = (struct sorted_text){ kept,
	    arena_copy(&sorted->arena, str_skip(text, kept)) };
	sorted->last.len = common;
	text_add(&sorted->last, str_skip(text, common));
	return sorted->count++;
}

bool
sorted_next(const struct sorted *sorted, struct sorted_cursor *at)
{
	const struct sorted_text *next;

	if (at->next == sorted->count)
		return false;
	next = &sorted->texts[at->next++];
	at->text.len = next->kept;
	text_add(&at->text, next->rest);
	return true;
}

/* Returns the last block that begins with `text` or before it, or the first. */
static size_t
find_block(const struct sorted *sorted, struct str text)
{
	size_t low = 0, high = (sorted->count + BLOCK - 1) / BLOCK, middle;

	while (low + 1 < high) {
		middle = low + (high - low) / 2;
		if (str_compare(sorted->texts[middle * BLOCK].rest, text) <= 0)
			low = middle;
		else
			high = middle;
	}
	return low;
}

bool
sorted_find(const struct sorted *sorted, struct str text,
    struct sorted_cursor *at)
{
	int order = -1;

	at->next = find_block(sorted, text) * BLOCK;
	while (order < 0 && sorted_next(sorted, at))
		order = str_compare(text_str(&at->text), text);
	return order == 0;
}
