/*
 * A frame of the last stack holds the counts of all stacks that had it since it
 * was added.  When a stack comes without it they are added to its function, and
 * to the frame below it: so each line costs what it has new.
 */
#include "functions.h"

void
functions_init(struct functions *functions)
{
	*functions = (struct functions){ 0 };
	table_init(&functions->names);
}

static void
add_pair(struct counts_pair *sum, struct counts_pair more)
{
	sum->of[0] += more.of[0];
	sum->of[1] += more.of[1];
}

/* Closes the frames from a depth on. */
static void
close_frames(struct functions *functions, size_t depth)
{
	const struct trail_step *steps = functions->trail.steps;
	struct open_frame *frame;
	struct function *function;

	while (functions->open > depth) {
		frame = &functions->frames[--functions->open];
		function = &functions->list[steps[functions->open].number];
		function->open--;
		if (frame->is_outermost) {
			add_pair(&function->total, frame->counts);
			function->stacks += frame->stacks;
		}
		if (functions->open > 0) {
			add_pair(&frame[-1].counts, frame->counts);
			frame[-1].stacks += frame->stacks;
		}
	}
}

/* Returns the number of the function with this name. */
static uint32_t
find_function(struct functions *functions, struct str name)
{
	uint32_t known = functions->names.count;
	uint32_t number = table_add(&functions->names, name);

	if (number == known) {
		functions->list = mem_grow(functions->list, &functions->room,
		    (size_t)number + 1, sizeof(*functions->list));
		functions->list[number] = (struct function){ .open = 0 };
	}
	return number;
}

static void
open_frame(struct functions *functions, struct str name)
{
	uint32_t number = find_function(functions, name);

	functions->frames = mem_grow(functions->frames,
	    &functions->frames_room, functions->open + 1,
	    sizeof(*functions->frames));
	trail_push(&functions->trail, number, name);
	functions->frames[functions->open++] = (struct open_frame){
	    .is_outermost = functions->list[number].open++ == 0 };
}

void
functions_add(struct functions *functions, const struct folded_line *line)
{
	struct counts_pair counts = { { line->before, line->count } };
	struct str stack = line->stack, names;
	struct open_frame *leaf;

	while (str_ends(stack, STR(";")))
		stack.len--;
	names = trail_follow(&functions->trail, stack);
	close_frames(functions, functions->trail.depth);
	while (names.len > 0)
		open_frame(functions, trail_cut(&names));
	add_pair(&functions->whole, counts);
	functions->stacks++;
	functions->have_two |= line->has_two;
	if (functions->open == 0)
		return;
	leaf = &functions->frames[functions->open - 1];
	add_pair(&leaf->counts, counts);
	leaf->stacks++;
	add_pair(&functions->list[functions->trail.steps[functions->open - 1]
	    .number].self, counts);
}

void
functions_end(struct functions *functions)
{
	close_frames(functions, 0);
}
