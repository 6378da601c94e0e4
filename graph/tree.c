/*
 * Stacks come in an order in which neighbours share most of their frames: the
 * path to the last one is kept, and only what differs from it is looked up.
 *
 * In byte order the lines of a frame "foo" are not all neighbours: those of
 * "foo.isra.0" may stand between "foo 3" and "foo;bar 2".  But whatever stands
 * between them begins with "foo" as well, so a frame that is there already is
 * found by going back over the siblings whose names begin with its name.
 *
 * Names that look as if they ended in a count are an exception: "foo 12;bar 1"
 * and "foo 12 3" may have "foo 123" between them.  They are kept in a table.
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tree.h"

void
tree_init(struct tree *tree, bool chart)
{
	*tree = (struct tree){ .chart = chart, .count = 1 };
	tree->frames = mem_grow(NULL, &tree->room, 1, sizeof(*tree->frames));
	tree->frames[0] = (struct frame){ .name = STR("") };
	table_init(&tree->odd);
}

/* How many bytes a and b have in common at their start. */
static size_t
common_length(struct str a, struct str b)
{
	size_t len = a.len < b.len ? a.len : b.len, at = 0;

	while (at + 32 <= len && memcmp(a.data + at, b.data + at, 32) == 0)
		at += 32;
	while (at < len && a.data[at] == b.data[at])
		at++;
	return at;
}

/* Leaves the frames on the path that the stack begins with. */
static void
keep_common(struct tree *tree, struct str stack)
{
	size_t common = common_length(tree->last, stack), end;

	while (tree->depth > 0) {
		end = tree->path[tree->depth - 1].end;
		if (end < common || (end == common && stack.len > 0 &&
		    (end == stack.len || stack.data[end] == ';') &&
		    (end == tree->last.len || tree->last.data[end] == ';')))
			return;
		tree->depth--;
	}
}

/* "foo" of a waker's frame "foo_[w]" */
static struct str
without_waker(struct str name)
{
	const struct str waker = STR("_[w]");

	return str_ends(name, waker) ?
	    str_take(name, name.len - waker.len) : name;
}

/* Whether name ends in a blank, and digits or nothing. */
static bool
is_odd(struct str name)
{
	size_t end = name.len;

	while (end > 0 && (is_digit(name.data[end - 1]) ||
	    name.data[end - 1] == '.'))
		end--;
	return end > 0 && is_blank(name.data[end - 1]);
}

/* The number in the table of an odd frame. */
static uint32_t
odd_number(struct tree *tree, uint32_t parent, struct str name)
{
	tree->key.len = 0;
	text_add(&tree->key, (struct str){ (const char *)&parent,
	    sizeof(parent) });
	text_add(&tree->key, name);
	return table_add(&tree->odd, text_str(&tree->key));
}

/*
 * The child of parent with that name, or 0.  While the tree is built,
 * first_child is the last one added, and next goes backwards.
 */
static uint32_t
find_child(const struct tree *tree, uint32_t parent, struct str name)
{
	struct str start = without_waker(name);
	uint32_t child = tree->frames[parent].first_child;

	for (; child != 0; child = tree->frames[child].next) {
		if (str_equal(tree->frames[child].name, name))
			return child;
		if (!str_starts(tree->frames[child].name, start))
			return 0;
	}
	return 0;
}

static uint32_t
add_child(struct tree *tree, uint32_t parent, struct str name,
    bool differential)
{
	struct frame *frame;

	if (tree->count == UINT32_MAX)
		errx(1, "more than %lu frames", (unsigned long)tree->count);
	tree->frames = mem_grow(tree->frames, &tree->room,
	    (size_t)tree->count + 1, sizeof(*tree->frames));
	frame = &tree->frames[tree->count];
	*frame = (struct frame){
		.name = name,
		.parent = parent,
		.next = tree->frames[parent].first_child,
		.depth = tree->frames[parent].depth + 1,
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

static uint32_t
find_or_add(struct tree *tree, uint32_t parent, struct str name,
    bool differential)
{
	uint32_t before = tree->odd.count, number, child;

	if (is_odd(without_waker(name))) {
		number = odd_number(tree, parent, name);
		if (number < before)
			return tree->odd_frames[number];
		tree->odd_frames = mem_grow(tree->odd_frames, &tree->odd_room,
		    number + 1, sizeof(*tree->odd_frames));
		return tree->odd_frames[number] =
		    add_child(tree, parent, name, differential);
	}
	child = find_child(tree, parent, name);
	return child != 0 ? child :
	    add_child(tree, parent, name, differential);
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

/* Empty frames at the end do not count. */
static struct str
without_empty_end(struct str stack)
{
	while (str_ends(stack, STR(";")))
		stack.len--;
	return stack;
}

void
tree_add(struct tree *tree, const struct sample *sample)
{
	struct str stack = without_empty_end(sample->stack);
	struct frame *frame;
	size_t at, len;

	if (tree->last.data == NULL)
		tree->frames[0].differential = sample->differential;
	keep_common(tree, stack);
	at = tree->depth > 0 ? tree->path[tree->depth - 1].end + 1 : 0;
	for (; at <= stack.len && stack.len > 0; at += len + 1) {
		len = str_find(str_skip(stack, at), ';');
		push(tree, str_between(stack, at, at + len), at + len,
		    sample->differential);
	}
	tree->last = stack;
	tree->time += sample->count;
	frame = &tree->frames[leaf(tree)];
	frame->self += sample->count;
	frame->delta += sample->delta;
	frame->differential |= sample->differential;
}

/* Turns the lists of children, which were built from their ends. */
static void
turn_children(struct tree *tree)
{
	uint32_t i, earlier;
	struct frame *parent;

	for (i = 0; i < tree->count; i++)
		tree->frames[i].first_child = 0;
	for (i = tree->count; i-- > 1;) {
		parent = &tree->frames[tree->frames[i].parent];
		earlier = parent->first_child;
		parent->first_child = i;
		tree->frames[i].next = earlier;
	}
}

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

/*
 * Where a frame ends.  Fractions leave an error in sums; flamegraph.pl rounds
 * to 15 digits here, and so what is shown for a total of a half.
 */
static double
rounded_end(const struct frame *frame)
{
	double end = frame->start + frame->total;
	char digits[32];

	if (end == floor(end))
		return end;
	snprintf(digits, sizeof(digits), "%.15g", end);
	return strtod(digits, NULL);
}

void
tree_finish(struct tree *tree)
{
	struct frame *frames = tree->frames;
	uint32_t i;

	turn_children(tree);
	tree->max_delta = 1;
	for (i = 0; i < tree->count; i++) {
		frames[i].total = frames[i].self;
		frames[i].total_delta = frames[i].delta;
		if (fabs(frames[i].delta) > tree->max_delta)
			tree->max_delta = fabs(frames[i].delta);
	}
	for (i = tree->count; i-- > 1;) {
		frames[frames[i].parent].total += frames[i].total;
		frames[frames[i].parent].total_delta += frames[i].total_delta;
	}
	for (i = 0; i < tree->count && !tree->chart; i++)
		place_children(tree, i);
	for (i = 1; i < tree->count; i++)
		frames[i].total = rounded_end(&frames[i]) - frames[i].start;
}

static bool
has_empty_frames(const struct tree *tree)
{
	uint32_t i;

	for (i = 1; i < tree->count; i++)
		if (tree->frames[i].total <= 0)
			return true;
	return false;
}

/* The number in `ends` of the name, the depth and the end of a frame. */
static uint32_t
end_number(struct tree *tree, struct table *ends, const struct frame *frame)
{
	double end = rounded_end(frame);
	struct text *key = &tree->key;

	key->len = 0;
	text_add(key, (struct str){ (const char *)&end, sizeof(end) });
	text_add(key, (struct str){ (const char *)&frame->depth,
	    sizeof(frame->depth) });
	text_add(key, frame->name);
	return table_add(ends, text_str(key));
}

void
tree_hide(struct tree *tree)
{
	struct table ends;
	struct frame **last = NULL;	/* frame that ends there */
	struct frame *frame;
	size_t room = 0;
	uint32_t next = 0, before, number;

	if (!has_empty_frames(tree))
		return;
	table_init(&ends);
	while ((next = tree_next(tree, next, false)) != 0) {
		frame = &tree->frames[next];
		before = ends.count;
		number = end_number(tree, &ends, frame);
		last = mem_grow(last, &room, number + 1, sizeof(*last));
		if (number < before)
			last[number]->hidden = true;
		last[number] = frame;
	}
	table_free(&ends);
	free(last);
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
