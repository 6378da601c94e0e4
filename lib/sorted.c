#include "bound.h"
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

/* True for the first text of a block if it is `text` or before it. */
static bool
begins_up_to(const void *block, const void *text)
{
	return str_compare(((const struct sorted_text *)block)->rest,
	    *(const struct str *)text) <= 0;
}

/* Returns the last block that begins with `text` or before it, or the first. */
static size_t
find_block(const struct sorted *sorted, struct str text)
{
	size_t after = lower_bound(&text, sorted->texts,
	    (sorted->count + BLOCK - 1) / BLOCK,
	    BLOCK * sizeof(*sorted->texts), begins_up_to);

	return after > 0 ? after - 1 : 0;
}

/*
 * Compares without making texts whole: a short one may stand beside one of
 * megabytes, and be looked for as often as there are lines.
 */
bool
sorted_find(const struct sorted *sorted, struct str text,
    struct sorted_cursor *at)
{
	size_t i = find_block(sorted, text) * BLOCK, common = 0;
	const struct sorted_text *next;
	struct str rest = text;

	for (; i < sorted->count; i++) {
		next = &sorted->texts[i];
		if (next->kept > common)
			continue;	/* it is before, as the last one is */
		if (next->kept < common || str_compare(next->rest, rest) > 0)
			return false;
		common += str_common(next->rest, rest);
		rest = str_skip(text, common);
		if (rest.len == 0 && common == next->kept + next->rest.len) {
			at->next = i + 1;
			at->text.len = 0;
			text_add(&at->text, text);
			return true;
		}
	}
	return false;
}

bool
sorted_is_next(const struct sorted *sorted, const struct sorted_cursor *at,
    struct str text)
{
	const struct sorted_text *next;

	if (at->next == sorted->count)
		return false;
	next = &sorted->texts[at->next];
	return text.len == next->kept + next->rest.len &&
	    str_ends(text, next->rest) &&
	    str_starts(text, str_take(text_str(&at->text), next->kept));
}
