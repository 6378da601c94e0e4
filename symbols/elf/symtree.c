#include <stdlib.h>

#include "symtree.h"

/* The node that ends every branch; the others are symbols, from 1. */
#define NIL	0

enum side { LEFT, RIGHT };

struct node {
	uint32_t child[2], parent;
	bool red;
	bool inside;		/* it is in the tree */
};

struct symtree {
	struct symbol *symbols;
	struct node *nodes;	/* each one place behind its symbol's */
	uint32_t root;
};

/*
 * The nodes in the tree and those that will be, in the order of starts.  Taken
 * out in the reverse of the order in which they will be inserted, each knows
 * between which two it will come: so its place is found without going down the
 * tree, which for node's 180,000 symbols takes a quarter of a second.
 */
struct neighbours {
	uint32_t *before, *behind;
};

static struct symbol *
symbol_of(const struct symtree *tree, uint32_t node)
{
	return &tree->symbols[node - 1];
}

static bool
is_red(const struct symtree *tree, uint32_t node)
{
	return tree->nodes[node].red;
}

/* Returns which child of its parent a node is. */
static enum side
side_of(const struct symtree *tree, uint32_t node)
{
	uint32_t parent = tree->nodes[node].parent;

	return tree->nodes[parent].child[RIGHT] == node ? RIGHT : LEFT;
}

/* Puts a node, or NIL, in the place of another one under that one's parent. */
static void
replace(struct symtree *tree, uint32_t old, uint32_t new)
{
	uint32_t parent = tree->nodes[old].parent;

	if (parent == NIL)
		tree->root = new;
	else
		tree->nodes[parent].child[side_of(tree, old)] = new;
	tree->nodes[new].parent = parent;
}

static void
set_child(struct symtree *tree, uint32_t parent, enum side side,
    uint32_t child)
{
	tree->nodes[parent].child[side] = child;
	tree->nodes[child].parent = parent;
}

/* Moves a node down to one side; its child on the other side comes up. */
static void
rotate(struct symtree *tree, uint32_t node, enum side side)
{
	uint32_t up = tree->nodes[node].child[!side];
	uint32_t between = tree->nodes[up].child[side];

	replace(tree, node, up);
	tree->nodes[node].child[!side] = between;
	if (between != NIL)
		tree->nodes[between].parent = node;
	set_child(tree, up, side, node);
}

/* Corrects the colours above a red node that was added. */
static void
balance_added(struct symtree *tree, uint32_t node)
{
	struct node *nodes = tree->nodes;
	uint32_t parent, above, uncle;
	enum side side;

	while (is_red(tree, parent = nodes[node].parent)) {
		above = nodes[parent].parent;
		side = side_of(tree, parent);
		uncle = nodes[above].child[!side];
		if (is_red(tree, uncle)) {
			nodes[parent].red = nodes[uncle].red = false;
			nodes[above].red = true;
			node = above;
			continue;
		}
		if (node == nodes[parent].child[!side]) {
			rotate(tree, parent, side);
			parent = node;
		}
		nodes[parent].red = false;
		nodes[above].red = true;
		rotate(tree, above, !side);
		break;
	}
	nodes[tree->root].red = false;
}

/* Inserts a node between two that follow each other, of which one has room. */
static void
insert(struct symtree *tree, uint32_t node, uint32_t before, uint32_t behind)
{
	bool at_right = before != NIL &&
	    tree->nodes[before].child[RIGHT] == NIL;
	uint32_t parent = at_right ? before : behind;

	tree->nodes[node] = (struct node){
		.parent = parent, .red = true, .inside = true
	};
	if (parent == NIL)
		tree->root = node;
	else
		tree->nodes[parent].child[at_right ? RIGHT : LEFT] = node;
	balance_added(tree, node);
}

/* Makes up for a black node that is missing above `node`, which may be NIL. */
static void
balance_erased(struct symtree *tree, uint32_t node)
{
	struct node *nodes = tree->nodes;
	uint32_t parent, sibling;
	enum side side;

	while (node != tree->root && !is_red(tree, node)) {
		parent = nodes[node].parent;
		side = nodes[parent].child[LEFT] == node ? LEFT : RIGHT;
		sibling = nodes[parent].child[!side];
		if (is_red(tree, sibling)) {
			nodes[sibling].red = false;
			nodes[parent].red = true;
			rotate(tree, parent, side);
			sibling = nodes[parent].child[!side];
		}
		if (!is_red(tree, nodes[sibling].child[LEFT]) &&
		    !is_red(tree, nodes[sibling].child[RIGHT])) {
			nodes[sibling].red = true;
			node = parent;
			continue;
		}
		if (!is_red(tree, nodes[sibling].child[!side])) {
			nodes[nodes[sibling].child[side]].red = false;
			nodes[sibling].red = true;
			rotate(tree, sibling, !side);
			sibling = nodes[parent].child[!side];
		}
		nodes[sibling].red = nodes[parent].red;
		nodes[parent].red = false;
		nodes[nodes[sibling].child[!side]].red = false;
		rotate(tree, parent, side);
		node = tree->root;
	}
	nodes[node].red = false;
}

static uint32_t
lowest(const struct symtree *tree, uint32_t node)
{
	while (tree->nodes[node].child[LEFT] != NIL)
		node = tree->nodes[node].child[LEFT];
	return node;
}

/* A node with two children is replaced by the one behind it. */
static void
erase(struct symtree *tree, uint32_t node)
{
	struct node *nodes = tree->nodes;
	uint32_t behind, hole;
	bool was_red = nodes[node].red;

	nodes[node].inside = false;
	if (nodes[node].child[LEFT] == NIL || nodes[node].child[RIGHT] == NIL) {
		hole = nodes[node].child[nodes[node].child[LEFT] == NIL ?
		    RIGHT : LEFT];
		replace(tree, node, hole);
	} else {
		behind = lowest(tree, nodes[node].child[RIGHT]);
		was_red = nodes[behind].red;
		hole = nodes[behind].child[RIGHT];
		if (nodes[behind].parent == node) {
			nodes[hole].parent = behind;
		} else {
			replace(tree, behind, hole);
			set_child(tree, behind, RIGHT,
			    nodes[node].child[RIGHT]);
		}
		replace(tree, node, behind);
		set_child(tree, behind, LEFT, nodes[node].child[LEFT]);
		nodes[behind].red = nodes[node].red;
	}
	if (!was_red)
		balance_erased(tree, hole);
}

/* Keeps the best of one start, as perf's symbols__fixup_duplicate. */
static void
erase_duplicates(struct symtree *tree, struct symtab *symtab)
{
	uint32_t best = NIL, node;

	for (node = 1; node <= symtab->count; node++) {
		if (!tree->nodes[node].inside)
			continue;
		if (best == NIL || symbol_of(tree, best)->start !=
		    symbol_of(tree, node)->start) {
			best = node;
		} else if (symtab_prefers(symtab, symbol_of(tree, best),
		    symbol_of(tree, node))) {
			erase(tree, node);
		} else {
			erase(tree, best);
			best = node;
		}
	}
}

/* Inserts the nodes of a table, in the order of their numbers. */
static void
insert_table(struct symtree *tree, struct neighbours *neighbours,
    const uint32_t *nodes, size_t count, size_t all)
{
	uint32_t *before = neighbours->before, *behind = neighbours->behind;
	uint32_t node, last = NIL;
	size_t i;

	for (i = 0; i < count; i++)
		tree->nodes[nodes[i]].inside = true;
	for (node = 1; node <= all; node++) {
		if (!tree->nodes[node].inside)
			continue;
		before[node] = last;
		behind[last] = node;
		last = node;
	}
	behind[last] = NIL;
	for (i = count; i > 0; i--) {
		node = nodes[i - 1];
		behind[before[node]] = behind[node];
		before[behind[node]] = before[node];
	}
	for (i = 0; i < count; i++)
		insert(tree, nodes[i], before[nodes[i]], behind[nodes[i]]);
}

/* Puts the symbols of one start, one of which came to the front, in order. */
static void
restore_order(struct symtab *symtab)
{
	struct symbol *symbols = symtab->symbols, swap;
	size_t i, j;

	for (i = 1; i < symtab->count; i++) {
		for (j = i; j > 0 && symbols[j].start == symbols[j - 1].start &&
		    symbols[j].number < symbols[j - 1].number; j--) {
			swap = symbols[j];
			symbols[j] = symbols[j - 1];
			symbols[j - 1] = swap;
		}
	}
}

struct symtree *
symtree_build(struct symtab *symtab)
{
	struct symtree *tree = mem_array(1, sizeof(*tree));
	size_t room = symtab->count + 1, first = 0, count;
	uint32_t *by_number = mem_array(room, sizeof(*by_number)), i;
	struct neighbours neighbours = {
		mem_array(room, sizeof(*neighbours.before)),
		mem_array(room, sizeof(*neighbours.behind))
	};
	uint8_t table;

	restore_order(symtab);
	tree->symbols = symtab->symbols;
	tree->nodes = mem_array(room, sizeof(*tree->nodes));
	for (i = 0; i < symtab->count; i++)
		by_number[symtab->symbols[i].number] = i + 1;
	for (table = 0; table < symtab->tables; table++, first += count) {
		for (count = 0; first + count < symtab->count &&
		    symbol_of(tree, by_number[first + count])->table == table;)
			count++;
		insert_table(tree, &neighbours, by_number + first, count,
		    symtab->count);
		if (symtab->repaired[table])
			erase_duplicates(tree, symtab);
	}
	free(neighbours.before);
	free(neighbours.behind);
	free(by_number);
	return tree;
}

struct symbol *
symtree_find(const struct symtree *tree, uint64_t address)
{
	struct symbol *symbol;
	uint32_t node = tree->root;

	while (node != NIL) {
		symbol = symbol_of(tree, node);
		if (address < symbol->start)
			node = tree->nodes[node].child[LEFT];
		else if (!symbol_holds(symbol, address))
			node = tree->nodes[node].child[RIGHT];
		else
			return symbol;
	}
	return NULL;
}

void
symtree_free(struct symtree *tree)
{
	free(tree->nodes);
	free(tree);
}
