/*
 * The first new frame of a stack has no children: all above it are new, too.
 *
 * A few siblings are compared one by one; more are in an index, a tenth of the
 * frames of a usual profile.  Its key is a parent and the hash of a name; names
 * of one hash have the keys after it.  The hash is seeded, so names cannot be
 * made to collide.
 */
#include <math.h>
#include <stdlib.h>

#include "lib/message.h"
#include "lib/utf8.h"
#include "tree.h"

#define MAX_FRAMES	(UINT32_MAX - 1)
#define MAX_DEPTH	((1U << 25) - 1)
#define FIRST_FRAMES	4096
#define FEW		12	/* siblings */
#define BORDER		STR("--")	/* before the stack of a waker */
#define MARK		STR("_[w]")

void
tree_init(struct tree *tree)
{
	*tree = (struct tree){ .count = 1, .max_change = 1 };
	tree->frames = mem_grow(NULL, &tree->room, FIRST_FRAMES,
	    sizeof(*tree->frames));
	tree->frames[0] = (struct tree_frame){ .name = str_take(STR(";"), 0) };
	table_seed();
}

/* Indexes the child added last, or all when they become more than a few. */
static void
index_child(struct tree *tree, uint32_t parent)
{
	struct tree_frame *frames = tree->frames, *below = &frames[parent];
	uint32_t child = below->first_child, *number;
	uint64_t key;
	int i;

	if (below->indexed) {
		*intmap_at(&tree->index, tree->missed) = child;
		return;
	}
	for (i = 0; i < FEW && child != 0; i++)
		child = frames[child].next;
	if (child == 0)
		return;
	below->indexed = true;
	for (child = below->first_child; child != 0;
	    child = frames[child].next) {
		key = intmap_pair(parent, table_hash(frames[child].name));
		while (*(number = intmap_at(&tree->index, key)) != 0)
			key++;
		*number = child;
	}
}

/* Returns the parent's child of that name, or 0. */
static uint32_t
find_child(struct tree *tree, uint32_t parent, struct str name)
{
	const struct tree_frame *frames = tree->frames;
	uint32_t child = frames[parent].first_child;
	uint64_t key;

	if (!frames[parent].indexed) {
		while (child != 0 && !str_equal(frames[child].name, name))
			child = frames[child].next;
		return child;
	}
	for (key = intmap_pair(parent, table_hash(name));
	    (child = intmap_find(&tree->index, key)) != 0; key++)
		if (str_equal(frames[child].name, name))
			break;
	tree->missed = key;
	return child;
}

/* While the tree is built, siblings are linked from the last to the first. */
static uint32_t
add_child(struct tree *tree, uint32_t parent, struct str name,
    bool differential)
{
	struct tree_frame *frame, *below;

	if (tree->count == MAX_FRAMES)
		message_fail("more than %lu frames", (unsigned long)MAX_FRAMES);
	if (tree->frames[parent].depth == MAX_DEPTH)
		message_fail("a stack of more than %u frames", MAX_DEPTH);
	tree->frames = mem_grow(tree->frames, &tree->room,
	    (size_t)tree->count + 1, sizeof(*tree->frames));
	below = &tree->frames[parent];
	frame = &tree->frames[tree->count];
	*frame = (struct tree_frame){
		.name = name,
		.parent = parent,
		.next = below->first_child,
		.depth = (below->depth + 1) & MAX_DEPTH,
		.start = tree->time,
		.starts_differential = differential,
		.waker = tree->chain && (below->waker || (below->depth > 1 &&
		    str_equal(below->name, BORDER))),
	};
	below->first_child = tree->count;
	if (!tree->chart)
		index_child(tree, parent);
	return tree->count++;
}

static uint32_t
trail_end(const struct tree *tree)
{
	const struct trail *trail = &tree->trail;

	return trail->depth > 0 ? trail->steps[trail->depth - 1].number : 0;
}

/* The tail follows them, see tree_first_line. */
static struct str
copy_names(struct tree *tree, struct str names, struct str tail)
{
	char *copy = arena_take(&tree->arena, names.len + tail.len + 1);

	memcpy(copy, names.data, names.len);
	memcpy(copy + names.len, tail.data, tail.len);
	copy[names.len + tail.len] = '\n';
	return (struct str){ copy, names.len };
}

/* Extends the trail by frames that exist.  Returns the names after them. */
static struct str
find_frames(struct tree *tree, struct str names)
{
	struct str rest = names, name;
	uint32_t child;

	for (; names.len > 0; names = rest) {
		name = str_cut(&rest, ';');
		child = find_child(tree, trail_end(tree), name);
		if (child == 0)
			break;
		trail_push(&tree->trail, child, name);
	}
	return names;
}

/* Keeps the line that ends in a frame, if it is before the one it has. */
static void
keep_first_line(struct tree *tree, struct tree_frame *frame, struct str tail,
    bool differential)
{
	struct str first = str_skip(tree_first_line(frame), frame->name.len);

	if (tree->chart || str_compare(tail, first) >= 0)
		return;
	frame->name = copy_names(tree, frame->name, tail);
	frame->starts_differential = differential;
}

/* Notes a time in which a lane has a stack.  It begins with the first one. */
static void
extend_lane(struct tree *tree, double width)
{
	struct tree_lane *lane = &tree->lanes[tree->lane];

	if (lane->begin < 0)
		tree->frames[lane->root].start = lane->begin = tree->time;
	lane->end = tree->time + width;
	if (width <= 0)
		return;
	if (lane->busy_count == 0 ||
	    lane->busy[lane->busy_count - 1].end < tree->time) {
		LIST_ADD(lane->busy, lane->busy_count, lane->busy_room)->begin =
		    tree->time;
	}
	lane->busy[lane->busy_count - 1].end = lane->end;
}

static void
add_counts(struct tree *tree, uint32_t number, const struct folded_line *line)
{
	struct tree_frame *frame = &tree->frames[number];
	double width = line->count, delta = line->count - line->before;
	bool is_gap = tree->in_lanes && frame->depth < 2;

	if (tree->widths == TREE_BEFORE)
		width -= delta;
	else if (tree->widths == TREE_SUM)
		width = 2 * width - delta;
	else if (tree->widths == TREE_CHANGE)
		width = fabs(delta);
	if (tree->in_lanes && !is_gap)
		extend_lane(tree, width);
	tree->time += width;
	if (is_gap)
		return;
	frame->self += width;
	if (line->has_two || tree->changes != NULL ||
	    tree->widths != TREE_AFTER) {
		tree->changes = mem_grow_zero(tree->changes,
		    &tree->change_room, tree->room, sizeof(*tree->changes));
		tree->changes[number].own_before += line->count - delta;
	}
	if (!line->has_two)
		return;
	tree->changes[number].own += delta;
	tree->differential = true;
	frame->differential = true;
}

/* Makes the stack that ends in a frame the last one. */
static void
retrace(struct tree *tree, uint32_t leaf)
{
	const struct tree_frame *frames = tree->frames;
	uint32_t *path = mem_array((size_t)frames[leaf].depth + 1,
	    sizeof(*path));
	size_t depth = 0;

	for (; leaf != 0; leaf = frames[leaf].parent)
		path[depth++] = leaf;
	tree->trail.depth = tree->trail.last.len = 0;
	while (depth-- > 0)
		trail_extend(&tree->trail, path[depth],
		    frames[path[depth]].name);
	free(path);
}

/* Continues the lane of a stack, or begins it, if another one was the last. */
static void
enter_lane(struct tree *tree, struct str stack)
{
	struct str name = str_take(stack, str_find(stack, ';'));
	struct trail *trail = &tree->trail;
	struct arena scratch = { 0 };
	uint32_t number;

	if (trail->depth > 0 && str_equal(name,
	    str_take(text_str(&trail->last), trail->steps[0].end)))
		return;
	number = table_add(&tree->lane_names, utf8_clean(name, &scratch));
	arena_free(&scratch);
	if (number == tree->lane_count) {
		*LIST_ADD(tree->lanes, tree->lane_count, tree->lane_room) =
		    (struct tree_lane){ .begin = -1 };
	}
	tree->lanes[tree->lane].clock = tree->time;
	tree->lane = number;
	tree->time = tree->lanes[number].clock;
	retrace(tree, tree->lanes[number].leaf);
}

/* Returns a stack of a chain graph with its wakers marked, in `marked`. */
static struct str
mark_wakers(struct text *marked, struct str stack)
{
	const struct str border = STR(";--;");
	struct str rest = stack;
	size_t part = str_search(stack, border), end, i;

	marked->len = 0;
	text_add(marked, str_take(stack, part));
	text_add(marked, border);
	end = part + str_find_last(border, ';');
	while (part < rest.len) {
		rest = str_skip(rest, part + border.len);
		part = str_search(rest, border);
		for (i = 0; i < part; i++) {
			if (rest.data[i] == ';')
				text_add(marked, MARK);
			text_add_char(marked, rest.data[i]);
		}
		text_add(marked, MARK);
		if (part > 0)	/* empty parts at the end do not count */
			end = marked->len;
		text_add(marked, border);
	}
	/* Only a stack without wakers ends in a border that was added. */
	if (rest.data != stack.data && str_ends(stack, STR(";"))) {
		marked->len = end;
		text_add_char(marked, ';');
		end++;
	}
	return str_take(text_str(marked), end);
}

struct str
tree_unmark(struct str name)
{
	return str_ends(name, MARK) ? str_take(name, name.len - MARK.len) :
	    name;
}

void
tree_add(struct tree *tree, const struct folded_line *line)
{
	struct str stack = line->stack, tail = line->tail, names, rest;
	struct str name;
	struct tree_frame *leaf;

	if (tree->chain)
		stack = mark_wakers(&tree->marked, stack);
	for (; str_ends(stack, STR(";")); stack.len--)
		tail = STR(";");
	if (tree->in_lanes && stack.len == 0)
		return;		/* neither a thread nor a stack */
	if (tree->in_lanes)
		enter_lane(tree, stack);
	names = trail_follow(&tree->trail, stack);
	if (!tree->chart)
		names = find_frames(tree, names);
	rest = names.len > 0 ? copy_names(tree, names, tail) : names;
	while (rest.len > 0) {
		name = str_cut(&rest, ';');
		trail_push(&tree->trail, add_child(tree, trail_end(tree), name,
		    line->has_two), name);
	}
	if (tree->in_lanes) {
		tree->lanes[tree->lane].root = tree->trail.steps[0].number;
		tree->lanes[tree->lane].leaf = trail_end(tree);
	}
	leaf = &tree->frames[trail_end(tree)];
	if (names.len == 0)
		keep_first_line(tree, leaf, tail, line->has_two);
	/* without wakers, the line ends in the frame below the border */
	if (tree->chain && tail.data[0] != ';' &&
	    str_equal(leaf->name, BORDER)) {
		leaf->added = true;
		keep_first_line(tree, &tree->frames[leaf->parent], tail,
		    line->has_two);
	}
	add_counts(tree, trail_end(tree), line);
}

struct str
tree_first_line(const struct tree_frame *frame)
{
	struct str line = frame->name;

	if (line.data[line.len] == ';')
		return str_take(line, line.len + 1);
	while (line.data[line.len] != '\n')
		line.len++;
	return line;
}
