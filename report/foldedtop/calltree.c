#include "calltree.h"
#include "lib/mem.h"
#include "lib/message.h"

#define MOST	(UINT32_MAX - 1)

void
calltree_init(struct calltree *tree)
{
	*tree = (struct calltree){ .count = 1 };
	tree->nodes = mem_grow(NULL, &tree->room, 1, sizeof(*tree->nodes));
	tree->nodes[0] = (struct call_node){ .function = UINT32_MAX };
	intmap_init(&tree->children);
}

uint32_t
calltree_child(struct calltree *tree, uint32_t parent, uint32_t function)
{
	uint32_t *number = intmap_at(&tree->children,
	    intmap_pair(parent, function));
	struct call_node *node;

	if (*number != 0)
		return *number;
	if (tree->count == MOST)
		message_fail("more than %lu frames", (unsigned long)MOST);
	tree->nodes = mem_grow(tree->nodes, &tree->room,
	    (size_t)tree->count + 1, sizeof(*tree->nodes));
	node = &tree->nodes[tree->count];
	*node = (struct call_node){ .function = function, .parent = parent,
	    .next = tree->nodes[parent].first_child };
	tree->nodes[parent].first_child = tree->count;
	*number = tree->count;
	return tree->count++;
}

void
calltree_add_up(struct calltree *tree)
{
	struct call_node *nodes = tree->nodes;
	uint32_t i;

	for (i = tree->count - 1; i > 0; i--) {
		add_pair(&nodes[i].total, nodes[i].self);
		add_pair(&nodes[nodes[i].parent].total, nodes[i].total);
	}
	add_pair(&nodes[0].total, nodes[0].self);
}
