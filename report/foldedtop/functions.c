/*
 * functions: sums over the frames of one name, wherever they are:
 *
 *	main;f;g;f 30		of f: self 50, total 50, in 2 stacks
 *	main;f 20		of g: self 0, total 30, in 1 stack
 *
 * Of the frames of one name in a stack the outermost counts for the total.
 * This takes memory for names, and for the frames of the deepest stack; trees
 * that are asked for have a node for each path that leads to other ones.
 *
 * A frame of the last stack holds the counts of all stacks that had it since it
 * was opened.  When a stack comes without it they are added to its function,
 * and to the frame below it: so each line costs what is new in it.
 */
#include "lib/message.h"
#include "lib/options.h"
#include "ranking.h"

#define MOST_NODES	(UINT32_MAX - 1)	/* of a tree */

struct pattern *
pattern_make(const char *option, const char *value)
{
	struct pattern *pattern;
	char reason[256];
	int error;

	if (value == NULL)
		return NULL;
	pattern = mem_array(1, sizeof(*pattern));
	error = regcomp(&pattern->regex, value, REG_EXTENDED | REG_NOSUB);
	if (error != 0) {
		regerror(error, &pattern->regex, reason, sizeof(reason));
		options_reject("option --%s: \"%s\": %s", option, value,
		    reason);
	}
	return pattern;
}

bool
pattern_finds(struct pattern *pattern, struct str name)
{
	pattern->name.len = 0;
	text_add(&pattern->name, name);
	text_add_char(&pattern->name, '\0');
	return regexec(&pattern->regex, pattern->name.data, 0, NULL, 0) == 0;
}

static void
init_tree(struct calltree *tree)
{
	*LIST_ADD(tree->nodes, tree->count, tree->room) =
	    (struct call_node){ .function = UINT32_MAX };
}

void
functions_init(struct functions *functions)
{
	init_tree(&functions->callers);
	init_tree(&functions->callees);
	init_tree(&functions->paths);
	init_tree(&functions->calls);
}

static uint32_t
number_at(const struct functions *functions, size_t depth)
{
	return functions->trail.steps[depth].number;
}

/* Returns the node of a function on another one, perhaps a new one. */
static uint32_t
find_child(struct calltree *tree, uint32_t parent, uint32_t function)
{
	uint32_t *number = intmap_at(&tree->children,
	    intmap_pair(parent, function));
	struct call_node *node;

	if (*number != 0)
		return *number;
	if (tree->count == MOST_NODES)
		message_fail("more than %lu frames", (unsigned long)MOST_NODES);
	node = LIST_AT(tree->nodes, tree->count, tree->room);
	*node = (struct call_node){ .function = function, .parent = parent,
	    .next = tree->nodes[parent].first_child };
	tree->nodes[parent].first_child = tree->count;
	*number = tree->count;
	return tree->count++;
}

/* Counts for its function the frame that was opened last. */
static void
count_frame(struct functions *functions, size_t depth)
{
	const struct open_frame *frame = &functions->frames[depth];
	uint32_t number = number_at(functions, depth), node;
	struct function *function = &functions->list[number];
	struct calltree *callers = &functions->callers;
	struct calltree *calls = &functions->calls;
	size_t i = depth;

	function->open--;
	if (frame->is_called) {
		node = find_child(callers, 0, number);
		while (i-- > 0 && functions->frames[i].is_counted)
			node = find_child(callers, node,
			    number_at(functions, i));
		add_pair(&callers->nodes[node].self, frame->counts);
	}
	if (!frame->is_outermost)
		return;
	add_pair(&function->total, frame->counts);
	function->stacks += frame->stacks;
	if (!functions->have_two)
		return;
	function->calls = find_child(calls, 0, number);
	node = find_child(calls, function->calls, depth > 0 &&
	    functions->frames[depth - 1].is_counted ?
	    number_at(functions, depth - 1) : CALL_NONE);
	add_pair(&calls->nodes[node].self, frame->counts);
}

/* Closes the frames from a depth on. */
static void
close_frames(struct functions *functions, size_t depth)
{
	struct open_frame *frame;

	while (functions->open > depth) {
		frame = &functions->frames[--functions->open];
		if (frame->is_counted)
			count_frame(functions, functions->open);
		if (functions->open > 0) {
			add_pair(&frame[-1].counts, frame->counts);
			frame[-1].stacks += frame->stacks;
		}
	}
}

static void
open_frame(struct functions *functions, struct str name)
{
	uint32_t known = functions->names.count, i;
	uint32_t number = table_add(&functions->names, name);
	struct function *function = LIST_AT(functions->list, number,
	    functions->room);
	const struct open_frame none = { .is_counted = false };
	const struct open_frame *below;
	struct open_frame frame = {
		.is_counted = functions->patterns[UNDER] == NULL };

	if (number == known) {
		*function = (struct function){ .stacks = 0 };
		for (i = 0; i < PATTERNS; i++)
			function->matches[i] = functions->patterns[i] != NULL &&
			    pattern_finds(functions->patterns[i], name);
	}
	below = functions->open > 0 ? &functions->frames[functions->open - 1] :
	    &none;
	frame.is_counted |= below->is_counted || function->matches[UNDER];
	if (frame.is_counted) {
		frame.is_outermost = function->open++ == 0;
		frame.is_beyond = below->is_beyond || below->is_called;
		frame.is_called = !frame.is_beyond &&
		    function->matches[CALLERS];
		if (function->matches[CALLEES] || below->callee != 0)
			frame.callee = find_child(&functions->callees,
			    below->callee, number);
		if (functions->with_paths)
			frame.path = find_child(&functions->paths,
			    below->path, number);
	}
	trail_push(&functions->trail, number, name);
	*LIST_ADD(functions->frames, functions->open,
	    functions->frames_room) = frame;
}

static void
count_stack(struct functions *functions, struct counts_pair counts)
{
	struct open_frame *leaf = &functions->frames[functions->open - 1];

	if (!leaf->is_counted)
		return;
	add_pair(&leaf->counts, counts);
	leaf->stacks++;
	add_pair(&functions->list[number_at(functions, functions->open - 1)]
	    .self, counts);
	if (leaf->callee != 0)
		add_pair(&functions->callees.nodes[leaf->callee].self, counts);
	if (leaf->path != 0)
		add_pair(&functions->paths.nodes[leaf->path].self, counts);
}

void
functions_add(struct functions *functions, const struct folded_line *line)
{
	struct counts_pair counts = { { line->before, line->count } };
	struct str stack = line->stack, names;
	bool is_counted;

	if (line->before <= 0 && line->count <= 0)
		return;
	while (str_ends(stack, STR(";")))
		stack.len--;	/* empty names at the end are no frames */
	names = trail_follow(&functions->trail, stack);
	close_frames(functions, functions->trail.depth);
	functions->have_two |= line->has_two;
	functions->singles += !line->has_two;
	if (functions->have_two)
		chance_add(&functions->chance, line->before, line->count);
	while (names.len > 0)
		open_frame(functions, str_cut(&names, ';'));
	add_pair(&functions->all, counts);
	is_counted = functions->patterns[UNDER] == NULL;
	if (functions->open > 0) {
		is_counted = functions->frames[functions->open - 1].is_counted;
		count_stack(functions, counts);
	}
	if (is_counted) {
		add_pair(&functions->whole, counts);
		functions->stacks++;
	}
}

static void
add_up(struct calltree *tree)
{
	struct call_node *nodes = tree->nodes;
	uint32_t i;

	for (i = tree->count - 1; i > 0; i--) {
		add_pair(&nodes[i].total, nodes[i].self);
		add_pair(&nodes[nodes[i].parent].total, nodes[i].total);
	}
	add_pair(&nodes[0].total, nodes[0].self);
}

void
functions_end(struct functions *functions)
{
	close_frames(functions, 0);
	add_up(&functions->callers);
	add_up(&functions->callees);
	add_up(&functions->paths);
}
