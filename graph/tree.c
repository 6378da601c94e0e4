/*
 * Stacks come in an order in which neighbours share most of their frames: the
 * path to the last one is kept, and only what differs from it is looked up.
 *
 * In byte order the lines of a frame "foo" are not all neighbours: those of
 * "foo.isra.0" may stand between "foo 3" and "foo;bar 2".  But whatever stands
 * between them begins with "foo" as well, so that a frame is the last child of
 * its parent, or in a table to which it was added when the first such name
 * came.
 *
 * Names that look as if they ended in a count are an exception: "foo 12;bar 1"
 * and "foo 12 3" may have "foo 123" between them.  So is the "--" of wakers:
 * "a;b 2" has it at its end, where "a;b;(c) 1" may stand before "a;b;--;w 3".
 * These are always in the table.
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../fold/folded.h"
#include "tree.h"

#define MAX_FRAMES	((UINT32_C(1) << 30) - 1)

void
tree_init(struct tree *tree, bool chart, size_t stacks)
{
	*tree = (struct tree){ .chart = chart, .count = 1 };
	/* At once: growing had touched a third more memory. */
	tree->frames = mem_grow(NULL, &tree->room, stacks + 1,
	    sizeof(*tree->frames));
	tree->frames[0] = (struct frame){ .name = STR("") };
	table_init(&tree->again);
}

/* "foo" of a waker's frame "foo_[w]" */
static struct str
without_waker(struct str name)
{
	const struct str waker = STR("_[w]");

	return str_ends(name, waker) ?
	    str_take(name, name.len - waker.len) : name;
}

/* Whether name ends in a blank, and digits or nothing, or is "--". */
static bool
is_odd(struct str name)
{
	size_t end = name.len;

	if (str_equal(name, STR("--")))
		return true;
	while (end > 0 && (is_digit(name.data[end - 1]) ||
	    name.data[end - 1] == '.'))
		end--;
	return end > 0 && is_blank(name.data[end - 1]);
}

/* What a frame is called in the table. */
static struct str
key_of(struct tree *tree, uint32_t parent, struct str name)
{
	tree->key.len = 0;
	text_add(&tree->key, (struct str){ (const char *)&parent,
	    sizeof(parent) });
	text_add(&tree->key, name);
	return text_str(&tree->key);
}

/* Puts a frame into the table, where it is found again. */
static void
remember(struct tree *tree, uint32_t frame)
{
	const struct frame *remembered = &tree->frames[frame];
	uint32_t number = table_add(&tree->again,
	    key_of(tree, remembered->parent, remembered->name));

	tree->again_frames = mem_grow(tree->again_frames, &tree->again_room,
	    number + 1, sizeof(*tree->again_frames));
	tree->again_frames[number] = frame;
}

/* The frame that is remembered under that name, or 0. */
static uint32_t
recall(struct tree *tree, uint32_t parent, struct str name)
{
	uint32_t number = table_find(&tree->again,
	    key_of(tree, parent, name));

	return number == TABLE_NONE ? 0 : tree->again_frames[number];
}

/*
 * While the tree is built, first_child is the last one added, and next goes
 * backwards.
 */
static uint32_t
add_child(struct tree *tree, uint32_t parent, struct str name,
    bool differential)
{
	struct frame *frame;

	if (tree->count == MAX_FRAMES)
		errx(1, "more than %lu frames", (unsigned long)MAX_FRAMES);
	tree->frames = mem_grow(tree->frames, &tree->room,
	    (size_t)tree->count + 1, sizeof(*tree->frames));
	frame = &tree->frames[tree->count];
	*frame = (struct frame){
		.name = name,
		.parent = parent,
		.next = tree->frames[parent].first_child,
		.depth = (tree->frames[parent].depth + 1) & MAX_FRAMES,
		.start = tree->time,
		.differential = differential,
	};
	tree->frames[parent].first_child = tree->count;
	return tree->count++;
}

static uint32_t
leaf(const struct tree *tree)
{
	return tree->depth > 0 ? tree->path[tree->depth - 1].frame : 0;
}

/* The child of that name, or 0; what it has to be found by is remembered. */
static uint32_t
find_child(struct tree *tree, uint32_t parent, struct str name, bool odd)
{
	uint32_t last = tree->frames[parent].first_child;
	struct str last_name = tree->frames[last].name;
	size_t common = str_common(last_name, name);
	uint32_t child = 0;

	if (last != 0 && common == name.len && common == last_name.len)
		return last;
	if (odd || (last != 0 && common >= without_waker(name).len))
		child = recall(tree, parent, name);
	if (last != 0 && child == 0 && common >= without_waker(last_name).len)
		remember(tree, last);
	return child;
}

static uint32_t
find_or_add(struct tree *tree, uint32_t parent, struct str name,
    bool differential)
{
	bool odd = is_odd(without_waker(name));
	uint32_t child = find_child(tree, parent, name, odd);

	if (child == 0) {
		child = add_child(tree, parent, name, differential);
		if (odd)
			remember(tree, child);
	}
	return child;
}

static void
push(struct tree *tree, struct str name, size_t end, bool differential)
{
	uint32_t parent = leaf(tree);
	uint32_t frame = tree->chart ?
	    add_child(tree, parent, name, differential) :
	    find_or_add(tree, parent, name, differential);

	tree->path = mem_grow(tree->path, &tree->path_room, tree->depth + 1,
	    sizeof(*tree->path));
	tree->path[tree->depth++] = (struct step){ frame, end };
}

/* Leaves the frames on the path that the stack begins with, too. */
static void
keep_path(struct tree *tree, size_t kept, struct str rest)
{
	size_t depth = tree->depth;
	struct str name;

	while (depth > 0 && tree->path[depth - 1].end >= kept)
		depth--;
	if (depth < tree->depth && rest.len > 0) {
		name = tree->frames[tree->path[depth].frame].name;
		if (str_starts(rest, name) && (rest.len == name.len ||
		    rest.data[name.len] == ';'))
			depth++;
	}
	tree->depth = depth;
}

/* Room for the changes of all frames. */
static void
grow_changes(struct tree *tree)
{
	size_t before = tree->change_room;

	tree->changes = mem_grow(tree->changes, &tree->change_room,
	    tree->room, sizeof(*tree->changes));
	for (; before < tree->change_room; before++)
		tree->changes[before] = (struct change){ 0, 0 };
}

/* Empty frames at the end do not count. */
static void
drop_empty_end(struct tree *tree)
{
	while (tree->depth > 0 && tree->frames[leaf(tree)].name.len == 0)
		tree->depth--;
}

static void
add_counts(struct tree *tree, const struct sample *sample)
{
	struct frame *frame = &tree->frames[leaf(tree)];

	tree->time += sample->count;
	frame->total = frame->self += sample->count;
	if (!sample->differential)
		return;
	grow_changes(tree);
	tree->changes[leaf(tree)].own += sample->delta;
	frame->differential = true;
}

void
tree_add(struct tree *tree, size_t kept, const struct sample *sample)
{
	struct str rest = sample->stack;
	size_t next, end;

	if (!tree->begun)
		tree->frames[0].differential = sample->differential;
	tree->begun = true;
	while (str_ends(rest, STR(";")))
		rest.len--;
	keep_path(tree, kept, rest);
	next = tree->depth > 0 ? tree->path[tree->depth - 1].end + 1 : 0;
	for (; rest.len > 0 && next < kept; next++)
		push(tree, STR(""), next, sample->differential);
	for (; rest.len > 0 && next <= kept + rest.len; next = end + 1) {
		end = next + str_find(str_skip(rest, next - kept), ';');
		push(tree, str_between(rest, next - kept, end - kept), end,
		    sample->differential);
	}
	if (rest.len == 0)
		drop_empty_end(tree);
	add_counts(tree, sample);
}

/*
 * From the last frame to the first: adds its counts to its parent's, and turns
 * the lists of children, which were built from their ends.  The first child
 * met is the one that its parent still has for its last.
 */
static void
add_up(struct tree *tree)
{
	struct frame *frame, *parent;
	uint32_t i;

	for (i = tree->count; i-- > 1;) {
		frame = &tree->frames[i];
		parent = &tree->frames[frame->parent];
		frame->next = parent->first_child == i ? 0 :
		    parent->first_child;
		parent->first_child = i;
		parent->total += frame->total;
	}
}

static void
add_up_changes(struct tree *tree)
{
	struct change *changes;
	uint32_t i;

	grow_changes(tree);
	changes = tree->changes;
	for (i = tree->count; i-- > 0;) {
		changes[i].total += changes[i].own;
		if (i > 0)
			changes[tree->frames[i].parent].total +=
			    changes[i].total;
		if (fabs(changes[i].own) > tree->max_change)
			tree->max_change = fabs(changes[i].own);
	}
}

static double
to_15_digits(double number)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%.15g", number);
	return strtod(digits, NULL);
}

/*
 * Where a frame ends.  Fractions leave an error in sums; flamegraph.pl rounds
 * to 15 digits here, and so what is shown for a total of a half.
 */
static double
rounded_end(const struct frame *frame)
{
	double end = frame->start + frame->total;

	return end == floor(end) ? end : to_15_digits(end);
}

/* A frame's children stand one after another, behind its own samples. */
static void
place_children(struct tree *tree, uint32_t parent)
{
	double start = tree->frames[parent].start + tree->frames[parent].self;
	uint32_t child = tree->frames[parent].first_child;

	for (; child != 0; child = tree->frames[child].next) {
		tree->frames[child].start = start;
		start += tree->frames[child].total;
	}
}

void
tree_finish(struct tree *tree)
{
	struct frame *frame;
	uint32_t i;

	add_up(tree);
	tree->max_change = 1;
	if (tree->changes != NULL)
		add_up_changes(tree);
	for (i = 0; i < tree->count; i++) {
		frame = &tree->frames[i];
		if (!tree->chart)
			place_children(tree, i);
		if (i == 0)
			continue;
		frame->total = rounded_end(frame) - frame->start;
	}
}

uint32_t
tree_next(const struct tree *tree, uint32_t frame, bool skip)
{
	const struct frame *frames = tree->frames;

	if (!skip && frames[frame].first_child != 0)
		return frames[frame].first_child;
	while (frame != 0 && frames[frame].next == 0)
		frame = frames[frame].parent;
	return frames[frame].next;
}
