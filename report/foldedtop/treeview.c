#include <math.h>
#include <stdlib.h>

#include "lib/mem.h"
#include "ranking.h"

static void
push(struct shown_nodes *nodes, const struct treeview *view,
    struct shown_node shown)
{
	const struct call_node *node = &view->tree->nodes[shown.node];

	shown.count = fmax(node->total.of[0], node->total.of[1]);
	shown.name = function_name(view->functions, node->function);
	*LIST_ADD(nodes->list, nodes->count, nodes->room) = shown;
}

/* The largest is last, as the last one is taken first. */
static int
compare(const void *a, const void *b)
{
	const struct shown_node *one = a, *other = b;

	if (one->count != other->count)
		return one->count < other->count ? -1 : 1;
	return str_compare(other->name, one->name);
}

/* Pushes the nodes on one that are kept. */
static void
push_children(struct shown_nodes *nodes, const struct treeview *view,
    const struct shown_node *below, const bool *kept)
{
	const struct call_node *all = view->tree->nodes;
	size_t first = nodes->count;
	struct shown_node *child, next = { .node = 0 };
	uint32_t i;

	if (below->node != 0)
		next = (struct shown_node){ .depth = below->depth + 1,
		    .indent = below->indent + 1 };
	for (i = all[below->node].first_child; i != 0; i = all[i].next) {
		next.node = i;
		if (kept[i])
			push(nodes, view, next);
	}
	if (nodes->count - first > 1)
		qsort(nodes->list + first, nodes->count - first,
		    sizeof(*nodes->list), compare);
	if (nodes->count - first != 1 || below->node == 0)
		return;
	child = &nodes->list[first];
	child->goes_on = pairs_equal(&all[child->node].total,
	    &all[below->node].total);
	if (child->goes_on)
		child->indent--;
}

/* Lists the nodes that are kept. */
static void
list_kept(struct treeview *view, const bool *kept)
{
	struct shown_nodes nodes = { 0 };
	struct shown_node next = { .node = 0 };

	for (;;) {
		push_children(&nodes, view, &next, kept);
		if (nodes.count == 0)
			break;
		next = nodes.list[--nodes.count];
		*LIST_ADD(view->shown.list, view->shown.count,
		    view->shown.room) = next;
	}
	free(nodes.list);
}

void
treeview_by_share(struct treeview *view, double percent)
{
	const struct call_node *nodes = view->tree->nodes;
	bool *kept = mem_array(view->tree->count, sizeof(*kept));
	const double *of, *whole = nodes[0].total.of;
	uint32_t i;

	for (i = 1; i < view->tree->count; i++) {
		of = nodes[i].total.of;
		kept[i] = (of[0] > 0 && 100 * of[0] >= percent * whole[0]) ||
		    (of[1] > 0 && 100 * of[1] >= percent * whole[1]);
	}
	list_kept(view, kept);
	free(kept);
}

/* Returns what makes a stack hot: its count, or the size of its change. */
static double
heat(const struct treeview *view, const struct call_node *node)
{
	const double *of = node->self.of;

	return view->functions->have_two ? fabs(of[1] - of[0]) : of[1];
}

void
treeview_hottest(struct treeview *view, size_t count)
{
	const struct call_node *nodes = view->tree->nodes;
	bool *kept = mem_array(view->tree->count, sizeof(*kept));
	struct shown_nodes ends = { 0 };
	struct shown_node next = { .node = 0 };
	uint32_t i;

	/* the nodes in which stacks end, the hottest last */
	for (i = 1; i < view->tree->count; i++) {
		if (heat(view, &nodes[i]) <= 0)
			continue;
		next.node = i;
		push(&ends, view, next);
		ends.list[ends.count - 1].count = heat(view, &nodes[i]);
	}
	if (ends.count > 1)
		qsort(ends.list, ends.count, sizeof(*ends.list), compare);
	while (ends.count > 0 && count-- > 0)
		for (i = ends.list[--ends.count].node; !kept[i] && i != 0;
		    i = nodes[i].parent)
			kept[i] = true;
	list_kept(view, kept);
	free(kept);
	free(ends.list);
}
