/*
 * The viewer expects children side by side after their parent's own counts, the
 * parent's less the children's:
 *
 *	|            main 10            |
 *	  self 2 | a 5          | b 3
 *
 * Frames that differ from this, as in charts, are in lists.
 *
 * A digit in base 36 gives the depth of each frame: 0 is a child of the frame
 * before it, 1 a sibling, 2 a sibling of its parent; 35 is added to the next.
 *
 * The table of narrow frames begins with their looks, in the order of first
 * use.  After an empty line each line has how many drawn frames come first, and
 * then the counts of narrow ones.  Used looks have their numbers, from 0:
 *
 *	#e8a33b	read
 *	#dc5a20	write
 *
 *	5 12 3			5 are drawn; read has 12, write has 3
 *	1 0:7			1 more is drawn; this read has 7
 */
#include <math.h>

#include "counts.h"
#include "lib/output.h"
#include "svg.h"

/* Readers of XML limit a text to 10 million bytes, so comments divide it. */
#define PIECE	((size_t)1 << 20)

/* Looks that are found again.  More miss the cache. */
#define RECENT	((size_t)1 << 14)

#define FRACTION	1e-12	/* the part of a sum that rounding may change */

/* True if two sums differ by more than rounding. */
static bool
is_other(double a, double b)
{
	return a != b && ((rint(a) == a && rint(b) == b) ||
	    fabs(a - b) > FRACTION * (fabs(a) + fabs(b)));
}

static void
add_count(struct text *text, double count)
{
	if (count >= 0 && count < 1e15 && rint(count) == count)
		text_add_number(text, (unsigned long long)count);
	else
		text_add_format(text, "%.17g", count);
}

static void
list(struct counts *counts, enum count_list_name name, double count)
{
	struct count_list *list = &counts->lists[name];
	struct text *text = &list->text;

	if (text->len > 0)
		text_add_char(text, ' ');
	if (counts->drawn - list->last > 1) {
		text_add_number(text, counts->drawn - list->last);
		text_add_char(text, ':');
	}
	add_count(text, count);
	list->last = counts->drawn;
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
		list(counts, COUNT_CHANGE, change->total);
	if (is_other(change->own, left))
		list(counts, COUNT_CHANGE_SELF, change->own);
	if (tree->widths != TREE_CHANGE)
		return;
	if (change->before != 0)
		list(counts, COUNT_BEFORE, change->before);
	if (is_other(change->own_before, left_before))
		list(counts, COUNT_BEFORE_SELF, change->own_before);
}

void
counts_add(struct counts *counts, const struct tree *tree,
    const struct tree_frame *frame, double total, double shown, double span)
{
	unsigned fall = counts->drawn++ == 0 ? 0 :
	    counts->depth + 1 - frame->depth;
	double left = total, begin;
	uint32_t child;

	for (; fall >= 35; fall -= 35)
		text_add_char(&counts->falls, 'z');
	text_add_char(&counts->falls,
	    "0123456789abcdefghijklmnopqrstuvwxyz"[fall]);
	counts->depth = frame->depth;
	counts->free = mem_grow(counts->free, &counts->room,
	    (size_t)frame->depth + 2, sizeof(*counts->free));
	for (child = frame->first_child; child != 0;
	    child = tree->frames[child].next)
		left -= tree->frames[child].total;
	if (total != shown)
		list(counts, COUNT_TOTAL, total);
	if (is_other(frame->self, left))
		list(counts, COUNT_SELF, frame->self);
	begin = frame->depth == 0 ? 0 : counts->free[frame->depth];
	if (is_other(frame->start, begin))
		list(counts, COUNT_GAP, frame->start - begin);
	if (is_other(span, total))
		list(counts, COUNT_SPAN, span);
	counts->free[frame->depth] = frame->start + total;
	counts->free[frame->depth + 1] = frame->start + frame->self;
	if (tree->changes != NULL)
		add_change(counts, tree, frame);
}

/* Returns a hash that is the same in every run, as the output has to be. */
static uint32_t
hash_look(struct str look)
{
	uint64_t first = 0, last = 0;
	size_t len = look.len < sizeof(first) ? look.len : sizeof(first);

	memcpy(&first, look.data, len);
	memcpy(&last, look.data + look.len - len, len);
	first = (first * UINT64_C(0x9E3779B97F4A7C15) ^ last ^ look.len) *
	    UINT64_C(0x9E3779B97F4A7C15);
	return (uint32_t)(first >> 32);
}

void
counts_add_narrow(struct counts *counts, struct str look, double total)
{
	struct text *text = &counts->narrow, *looks = &counts->looks;
	uint32_t hash = hash_look(look);
	struct count_look *recent;

	if (counts->recent == NULL)
		counts->recent = mem_array(RECENT, sizeof(*recent));
	recent = &counts->recent[hash % RECENT];
	if (counts->elements > 0 || text->len == 0) {
		text_add_char(text, '\n');
		text_add_number(text, counts->elements);
		counts->elements = 0;
	}
	text_add_char(text, ' ');
	if (recent->hash == hash && recent->len > 0 && str_equal(look,
	    (struct str){ looks->data + recent->at, recent->len })) {
		text_add_number(text, recent->number);
		text_add_char(text, ':');
	} else {
		*recent = (struct count_look){ hash, looks->len, look.len,
		    counts->look_count++ };
		text_add(looks, look);
		text_add_char(looks, '\n');
	}
	add_count(text, total);
}

static void
write_list(struct text *svg, const char *name, const struct text *list)
{
	text_add_format(svg, " data-%s=\"", name);
	text_add(svg, text_str(list));
	text_add_char(svg, '"');
}

void
counts_write(struct text *svg, const struct counts *counts, bool differential)
{
	static const char *const names[] = {
		"total", "self", "gap", "span", "change", "change-self",
		"before", "before-self"
	};
	int i;

	if (counts->drawn > 0)
		write_list(svg, "falls", &counts->falls);
	for (i = 0; i < COUNT_LISTS; i++)
		if (i == COUNT_CHANGE ? differential :
		    counts->lists[i].text.len > 0)
			write_list(svg, names[i], &counts->lists[i].text);
}

void
counts_write_narrow(struct text *svg, const struct counts *counts, bool ascii,
    FILE *out)
{
	struct str rest;
	size_t len;

	for (rest = text_str(&counts->looks); rest.len > 0;
	    rest = str_skip(rest, len)) {
		/* a look stays in one piece */
		len = rest.len < PIECE ? rest.len : PIECE;
		len += str_find(str_skip(rest, len - 1), '\n');
		svg_text(svg, str_take(rest, len), ascii);
		if (len < rest.len)
			text_add(svg, STR("<!-- -->"));
		output_drain(svg, out);
	}
	for (rest = text_str(&counts->narrow); rest.len > PIECE;
	    rest = str_skip(rest, PIECE)) {
		text_add(svg, str_take(rest, PIECE));
		text_add(svg, STR("<!-- -->"));
		output_drain(svg, out);
	}
	text_add(svg, rest);
}
