/*
 * The viewer expects children side by side after their parent's own counts, the
 * parent's less the children's:
 *
 *	|            main 10            |
 *	  self 2 | a 5          | b 3
 *
 * Frames that differ from this are in lists.  They do if narrow frames were
 * left out, in charts, in lanes and with --total.
 *
 * A digit in base 36 gives the depth of each frame: 0 is a child of the frame
 * before it, 1 a sibling of that, 2 a sibling of its parent; 35 is added to the
 * digit after it.
 */
#include <math.h>

#include "counts.h"

#define FRACTION	1e-12	/* the part of a sum that rounding may change */

/* True if two sums differ, for fractions by more than rounding does. */
static bool
is_other(double a, double b)
{
	return a != b && ((rint(a) == a && rint(b) == b) ||
	    fabs(a - b) > FRACTION * (fabs(a) + fabs(b)));
}

static void
list(struct count_list *list, size_t frame, double count)
{
	struct text *text = &list->text;

	if (text->len > 0)
		text_add_char(text, ' ');
	if (frame - list->last > 1) {
		text_add_number(text, frame - list->last);
		text_add_char(text, ':');
	}
	if (count >= 0 && count < 1e15 && rint(count) == count)
		text_add_number(text, (unsigned long long)count);
	else
		text_add_format(text, "%.17g", count);
	list->last = frame;
}

static void
add_change(struct counts *counts, const struct tree *tree,
    const struct tree_frame *frame)
{
	const struct frame_change *change =
	    &tree->changes[frame - tree->frames];
	double left = change->total, left_before = change->before;
	uint32_t child;

	for (child = frame->first_child; child != 0;
	    child = tree->frames[child].next) {
		left -= tree->changes[child].total;
		left_before -= tree->changes[child].before;
	}
	if (change->total != 0)
		list(&counts->changes, counts->drawn, change->total);
	if (is_other(change->own, left))
		list(&counts->own_changes, counts->drawn, change->own);
	if (tree->widths != TREE_CHANGE)
		return;
	if (change->before != 0)
		list(&counts->befores, counts->drawn, change->before);
	if (is_other(change->own_before, left_before))
		list(&counts->own_befores, counts->drawn, change->own_before);
}

static void
add_fall(struct counts *counts, unsigned depth)
{
	unsigned fall = counts->drawn++ == 0 ? 0 : counts->depth + 1 - depth;

	for (; fall >= 35; fall -= 35)
		text_add_char(&counts->falls, 'z');
	text_add_char(&counts->falls,
	    "0123456789abcdefghijklmnopqrstuvwxyz"[fall]);
	counts->depth = depth;
}

void
counts_add(struct counts *counts, const struct tree *tree,
    const struct tree_frame *frame, double total, double told, double span)
{
	double left = total, begin;
	uint32_t child;

	add_fall(counts, frame->depth);
	counts->free = mem_grow(counts->free, &counts->room,
	    (size_t)frame->depth + 2, sizeof(*counts->free));
	for (child = frame->first_child; child != 0;
	    child = tree->frames[child].next)
		left -= tree->frames[child].total;
	if (total != told)
		list(&counts->totals, counts->drawn, total);
	if (is_other(frame->self, left))
		list(&counts->selves, counts->drawn, frame->self);
	begin = frame->depth == 0 ? 0 : counts->free[frame->depth];
	if (is_other(frame->start, begin))
		list(&counts->gaps, counts->drawn, frame->start - begin);
	if (is_other(span, total))
		list(&counts->spans, counts->drawn, span);
	counts->free[frame->depth] = frame->start + total;
	counts->free[frame->depth + 1] = frame->start + frame->self;
	if (tree->changes != NULL)
		add_change(counts, tree, frame);
}

void
counts_write(struct text *svg, const struct counts *counts, bool differential)
{
	const struct {
		const char *name;
		const struct text *text;
	} lists[] = {
		{ "falls", &counts->falls },
		{ "total", &counts->totals.text },
		{ "self", &counts->selves.text },
		{ "gap", &counts->gaps.text },
		{ "span", &counts->spans.text },
		{ "change", &counts->changes.text },
		{ "change-self", &counts->own_changes.text },
		{ "before", &counts->befores.text },
		{ "before-self", &counts->own_befores.text },
	};
	size_t i;

	for (i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		if (lists[i].text == &counts->changes.text ? !differential :
		    lists[i].text->len == 0)
			continue;
		text_add_format(svg, " data-%s=\"", lists[i].name);
		text_add(svg, text_str(lists[i].text));
		text_add_char(svg, '"');
	}
}
