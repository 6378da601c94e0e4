/*
 * Siblings are in the order of their first lines when all lines are sorted as
 * bytes: of their names and what follows them there:
 *
 *	foo 3		" 3" is before ".", which is before ";": flamegraph.pl
 *	foo.isra.0 1	draws foo in two pieces around foo.isra.0
 *	foo;bar 2
 *
 * In a chart they stay in the order of the input.  With --sort=size the largest
 * come first, and equal ones in that order.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/sort.h"
#include "tree.h"

#define WHOLE	9007199254740992.0	/* 2^53: doubles have no fraction */

struct siblings {
	struct sort_item *list;
	size_t count, room;
	struct arena arena;	/* for keys */
};

/*
 * Lines have no marks of wakers.  They also lack the border of a stack without
 * wakers: a count is in its place, and sorts before all names.
 */
static struct str
sort_key(const struct tree_frame *frame, struct arena *arena)
{
	struct str line = tree_first_line(frame), name = frame->name;
	char *key;

	if (frame->added)
		return STR("");
	if (!frame->waker)
		return line;
	line = str_skip(line, name.len);
	name = tree_unmark(name);
	key = arena_take(arena, name.len + line.len);
	memcpy(key, name.data, name.len);
	memcpy(key + name.len, line.data, line.len);
	return (struct str){ key, name.len + line.len };
}

/* The bits of a double that is not negative are in its order. */
static void
sort_by_size(struct siblings *siblings, const struct tree *tree)
{
	struct sized {
		uint64_t rank;
		size_t frame;
	} *list = mem_array(siblings->count, sizeof(*list));
	size_t i;

	for (i = 0; i < siblings->count; i++) {
		list[i].frame = siblings->list[i].number;
		memcpy(&list[i].rank, &tree->frames[list[i].frame].total,
		    sizeof(list[i].rank));
		list[i].rank = ~list[i].rank;
	}
	sort_by_number(list, siblings->count, sizeof(*list));
	for (i = 0; i < siblings->count; i++)
		siblings->list[i].number = list[i].frame;
	free(list);
}

/* Starts are relative to the parent's. */
static void
place_children(const struct siblings *siblings, struct tree *tree,
    uint32_t parent)
{
	struct tree_frame *frame = &tree->frames[parent];
	uint32_t *link = &frame->first_child;
	size_t i;

	frame->total = frame->self;
	for (i = 0; i < siblings->count; i++) {
		*link = (uint32_t)siblings->list[i].number;
		frame = &tree->frames[*link];
		link = &frame->next;
		if (!tree->chart)
			frame->start = tree->frames[parent].total;
		tree->frames[parent].total += frame->total;
	}
	*link = 0;
}

/* Goes from leaves to the root, so that totals of children are known. */
static void
order_frames(struct tree *tree)
{
	struct siblings siblings = { 0 };
	const struct tree_frame *frames = tree->frames;
	struct sort_item *item;
	uint32_t i, first, child;
	size_t at;

	for (i = tree->count; i-- > 0;) {
		at = 0;
		first = frames[i].first_child;
		for (child = first; child != 0; child = frames[child].next)
			at++;
		siblings.count = at;
		siblings.list = mem_grow(siblings.list, &siblings.room,
		    at, sizeof(*siblings.list));
		/* in the order of the input */
		for (child = first; child != 0; child = frames[child].next)
			siblings.list[--at].number = child;
		if (siblings.count > 1 && !tree->chart) {
			for (; at < siblings.count; at++) {
				item = &siblings.list[at];
				item->key = sort_key(&frames[item->number],
				    &siblings.arena);
			}
			sort_items(siblings.list, siblings.count);
		}
		if (siblings.count > 1 && tree->by_size)
			sort_by_size(&siblings, tree);
		place_children(&siblings, tree, i);
	}
	free(siblings.list);
	arena_free(&siblings.arena);
}

/* A frame is differential if its first line is, or one that ends with it. */
static void
add_up_changes(struct tree *tree)
{
	struct frame_change *changes = tree->changes;
	struct tree_frame *frame;
	double change;
	uint32_t i;

	for (i = tree->count; i-- > 0;) {
		frame = &tree->frames[i];
		/* no line ends in it, or only with empty frames after it */
		if (frame->first_child != 0 &&
		    frame->name.data[frame->name.len] == ';')
			frame->starts_differential = tree->frames[
			    frame->first_child].starts_differential;
		frame->differential |= frame->starts_differential;
		changes[i].total += changes[i].own;
		changes[i].before += changes[i].own_before;
		if (i > 0) {
			changes[frame->parent].total += changes[i].total;
			changes[frame->parent].before += changes[i].before;
		}
		/* lines before the first one with two counts added none */
		if (tree->widths == TREE_AFTER) {
			changes[i].own_before =
			    fabs(frame->self - changes[i].own);
			changes[i].before =
			    fabs(frame->total - changes[i].total);
		}
		change = fabs(tree->by_total ? changes[i].total :
		    changes[i].own);
		if (change > tree->max_change && (i > 0 || !tree->by_total))
			tree->max_change = change;
	}
}

/* In lanes totals are not the distances of ends: gaps may be much larger. */
void
layout_frames(struct tree *tree)
{
	struct tree_frame *frame;
	char digits[32];
	double end;
	uint32_t i;

	order_frames(tree);
	for (i = 1; i < tree->count && !tree->in_lanes; i++) {
		frame = &tree->frames[i];
		if (!tree->chart)
			frame->start += tree->frames[frame->parent].start;
		end = frame->start + frame->total;
		/*
		 * flamegraph.pl rounds to 15 digits here, too: that decides
		 * how it shows a total that ends in .5.
		 */
		if (end < WHOLE && end != (double)(long long)end) {
			snprintf(digits, sizeof(digits), "%.15g", end);
			end = strtod(digits, NULL);
		}
		frame->total = end - frame->start;
	}
	tree->time = tree->frames[0].total;
	if (tree->changes != NULL)
		add_up_changes(tree);
}

uint32_t
layout_prune(struct tree *tree, double least)
{
	uint32_t frame = 0, deepest = 0, child, *link;
	bool all;

	do {
		link = &tree->frames[frame].first_child;
		/* lanes last longer than they count: measure.c does them */
		all = frame == 0 && tree->in_lanes;
		for (child = *link; child != 0;
		    child = tree->frames[child].next)
			if (all || tree->frames[child].total >= least) {
				*link = child;
				link = &tree->frames[child].next;
			}
		*link = 0;
		if (tree->frames[frame].depth > deepest)
			deepest = tree->frames[frame].depth;
		frame = tree_next(tree, frame);
	} while (frame != 0);
	return deepest;
}

double
layout_length(const struct tree *tree)
{
	double length = tree->in_lanes ? 0 : tree->time;
	size_t i;

	for (i = 0; i < tree->lane_count; i++)
		if (tree->lanes[i].end > length &&
		    tree->frames[tree->lanes[i].root].total > 0)
			length = tree->lanes[i].end;
	return length;
}
