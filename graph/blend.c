#include <math.h>
#include <stdlib.h>

#include "blend.h"
#include "lib/sort.h"

/* Ends of frames are sums, which may be rounded. */
#define ROUNDING	1e-9

struct blend {
	struct tree *tree;
	double least, grain;
	struct sort_item *list;		/* siblings to merge */
	size_t count, room;
};

/* Gives the children of a frame to another one. */
static void
move_children(struct tree *tree, uint32_t to, uint32_t from)
{
	struct tree_frame *frames = tree->frames;
	uint32_t first = frames[from].first_child, child, last = 0;

	for (child = first; child != 0; child = frames[child].next) {
		frames[child].parent = to;
		last = child;
	}
	if (last == 0)
		return;
	frames[last].next = frames[to].first_child;
	frames[to].first_child = first;
}

/*
 * Merges the frames of the list by name, and links them from a time on.
 * Returns where the next one is linked.
 */
static uint32_t *
link_merged(struct blend *blend, uint32_t *link, double time)
{
	struct tree_frame *frames = blend->tree->frames, *frame;
	struct sort_item *list = blend->list;
	uint32_t number, head = 0;
	size_t i;

	if (blend->count > 1)
		sort_items(list, blend->count);
	for (i = 0; i < blend->count; i++) {
		number = (uint32_t)list[i].number;
		frame = &frames[number];
		/* its children move with it */
		frame->blended |= blend->count > 1;
		if (i > 0 && str_equal(frame->name, frames[head].name)) {
			frames[head].self += frame->self;
			frames[head].total += frame->total;
			move_children(blend->tree, head, number);
		} else {
			*link = head = number;
			link = &frame->next;
			frame->start = time;
		}
		time += frame->total;
	}
	return link;
}

static void
list_frame(struct blend *blend, uint32_t number)
{
	blend->list = mem_grow(blend->list, &blend->room, blend->count + 1,
	    sizeof(*blend->list));
	blend->list[blend->count++] = (struct sort_item){
	    blend->tree->frames[number].name, number };
}

/* Merges the children of a frame that was merged, wherever they were. */
static void
blend_all(struct blend *blend, uint32_t parent)
{
	struct tree_frame *frames = blend->tree->frames;
	uint32_t child;

	blend->count = 0;
	for (child = frames[parent].first_child; child != 0;
	    child = frames[child].next) {
		/* they have lost their own times, too */
		frames[child].blended = true;
		list_frame(blend, child);
	}
	*link_merged(blend, &frames[parent].first_child,
	    frames[parent].start + frames[parent].self) = 0;
}

/* True if a frame is narrow, and within a grain. */
static bool
is_within(const struct blend *blend, const struct tree_frame *frame,
    double grain)
{
	return frame->total < blend->least &&
	    frame->start >= grain * blend->grain &&
	    frame->start + frame->total <=
	    (grain + 1 + ROUNDING) * blend->grain;
}

/* Merges narrow children of a frame that are in the same grain. */
static void
blend_near(struct blend *blend, uint32_t parent)
{
	struct tree_frame *frames = blend->tree->frames;
	uint32_t *link = &frames[parent].first_child, child = *link;
	double start, grain;

	while (child != 0) {
		blend->count = 0;
		start = frames[child].start;
		grain = floor(start / blend->grain);
		do {
			list_frame(blend, child);
			child = frames[child].next;
		} while (child != 0 && is_within(blend, &frames[child],
		    grain) && is_within(blend,
		    &frames[blend->list[0].number], grain));
		link = link_merged(blend, link, start);
	}
	*link = 0;
}

void
blend_narrow(struct tree *tree, double least, double grain)
{
	struct blend blend = { .tree = tree, .least = least, .grain = grain };
	uint32_t frame;

	for (frame = tree_next(tree, 0); frame != 0;
	    frame = tree_next(tree, frame))
		if (tree->frames[frame].blended)
			blend_all(&blend, frame);
		else
			blend_near(&blend, frame);
	free(blend.list);
}
