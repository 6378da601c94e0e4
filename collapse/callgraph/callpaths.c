#include <stdlib.h>

#include "callflow.h"
#include "callpaths.h"
#include "share.h"

/* A path to follow: it ends with this call. */
struct call_path {
	uint32_t call;
	uint32_t depth;		/* of the function that is called */
	uint64_t cost;
};

/* The part of a call's cost that no path has yet. */
struct call_due {
	uint64_t due;		/* for paths that are not begun */
	uint64_t self, rest;	/* for these and for paths to be followed */
};

/* The same for all calls by a node. */
struct node_due {
	uint64_t whole, due;	/* at first and now */
	uint32_t end;		/* of the calls that have something left */
};

struct path_walk {
	struct callflow flow;
	struct node_due *nodes;
	struct call_due *left;	/* by call */
	uint64_t least;		/* cost of a path that is shared out */
	struct call_path *paths;	/* the next one is last */
	size_t count, room;
	uint32_t frames[CALLPATHS_DEPTH];	/* of the path, root first */
	struct stack stack;
	struct stacks *stacks;
};

static void
add_path(struct path_walk *walk, uint32_t call, uint32_t depth, uint64_t cost)
{
	if (cost == 0)
		return;
	walk->paths = mem_grow(walk->paths, &walk->room, walk->count + 1,
	    sizeof(*walk->paths));
	walk->paths[walk->count++] = (struct call_path){ call, depth, cost };
	walk->left[call].due -= cost;
}

/* Counts the stack of the frames down to this depth. */
static void
add_stack(struct path_walk *walk, uint32_t depth, uint64_t cost)
{
	uint32_t i;

	if (cost == 0)
		return;
	walk->stack.depth = 0;
	for (i = depth + 1; i > 0; i--)
		stack_push(&walk->stack, walk->frames[i - 1]);
	stacks_add(walk->stacks, &walk->stack, cost);
}

/* Takes from the cost of a path the part of its last function itself. */
static uint64_t
take_self(struct path_walk *walk, const struct call_path *path)
{
	struct call_due *left = &walk->left[path->call];
	uint64_t self;

	if (path->cost >= walk->least)
		self = share_of(path->cost, left->self,
		    left->self + left->rest);
	else
		self = path->cost < left->self ? path->cost : left->self;
	left->self -= self;
	left->rest -= path->cost - self;
	return self;
}

/*
 * Shares a cost among the calls by a node, from the heaviest to the last that
 * gets half of `least` or more; returns what is left.
 */
static uint64_t
share_heavy(struct path_walk *walk, uint32_t number, uint64_t cost,
    uint32_t depth)
{
	const struct flow_node *node = &walk->flow.nodes[number];
	uint64_t left = cost, due, part, all = walk->nodes[number].due;
	uint32_t i;

	for (i = node->start; i < node->end && left > 0; i++) {
		part = share_of(cost, flow_cost(&walk->flow.calls[i]),
		    walk->nodes[number].whole);
		if (part < (walk->least + 1) / 2)
			break;
		due = walk->left[i].due;
		part = share_of(left, due, all);
		all -= due;
		left -= part;
		add_path(walk, i, depth, part);
	}
	return left;
}

/* Gives a cost to as few calls by a node as can take it, the lightest. */
static void
share_light(struct path_walk *walk, uint32_t number, uint64_t cost,
    uint32_t depth)
{
	struct node_due *node = &walk->nodes[number];
	uint64_t part;

	for (; cost > 0; cost -= part) {
		while (walk->left[node->end - 1].due == 0)
			node->end--;
		part = walk->left[node->end - 1].due;
		if (part > cost)
			part = cost;
		add_path(walk, node->end - 1, depth, part);
	}
}

static void
follow(struct path_walk *walk, const struct call_path *path)
{
	uint32_t number = walk->flow.calls[path->call].to;
	uint32_t below = path->depth + 1;
	uint64_t self = take_self(walk, path), rest = path->cost - self, left;

	if (below == CALLPATHS_DEPTH)
		below--;
	walk->frames[path->depth] = walk->flow.nodes[number].frame;
	add_stack(walk, path->depth, self);
	left = rest;
	if (rest >= walk->least)
		left = share_heavy(walk, number, rest, below);
	share_light(walk, number, left, below);
	walk->nodes[number].due -= rest;
}

static void
begin(struct path_walk *walk)
{
	const struct flow_call *call;
	struct node_due *node;
	uint32_t i;

	for (i = 0; i < walk->flow.count; i++)
		walk->nodes[i].end = walk->flow.nodes[i].end;
	for (i = 0; i < walk->flow.call_count; i++) {
		call = &walk->flow.calls[i];
		walk->left[i] = (struct call_due){ flow_cost(call), call->self,
		    call->rest };
		node = &walk->nodes[call->from];
		node->whole += flow_cost(call);
		node->due = node->whole;
	}
	for (i = 0; i < walk->nodes[FLOW_ROOT].end; i++)
		add_path(walk, i, 0, flow_cost(&walk->flow.calls[i]));
}

void
callpaths_add(const struct callgraph *graph, struct stacks *stacks)
{
	struct path_walk walk = {
		.stacks = stacks,
		.least = graph->total / CALLPATHS_SHARES,
	};
	struct call_path path;

	if (walk.least == 0)
		walk.least = 1;
	callflow_init(&walk.flow, graph);
	walk.nodes = mem_array(walk.flow.count, sizeof(*walk.nodes));
	walk.left = mem_array(walk.flow.call_count, sizeof(*walk.left));
	begin(&walk);
	while (walk.count > 0) {
		path = walk.paths[--walk.count];
		follow(&walk, &path);
	}
	callflow_free(&walk.flow);
	free(walk.nodes);
	free(walk.left);
	free(walk.paths);
	free(walk.stack.frames);
}
