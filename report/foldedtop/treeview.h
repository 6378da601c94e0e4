/*
 * treeview: the nodes of a call tree that are shown, in their order: each
 * before those on it, of these the largest first.
 *
 * A node goes on with the one that it is on, if it is all that this one has:
 * then it needs no numbers, and is no step to the right.
 */
#ifndef TREEVIEW_H
#define TREEVIEW_H

#include "functions.h"

struct shown_node {
	uint32_t node;
	uint32_t depth;		/* 0 on the root */
	uint32_t indent;	/* steps to the right */
	bool goes_on;
};

struct treeview {
	/* set by the caller */
	const char *kind;	/* "callers", "callees" or "paths" */
	const char *of;		/* the pattern of the first two */
	const struct functions *functions;
	const struct calltree *tree;
	bool with_self;			/* nodes tell their own counts, too */

	struct shown_node *list;
	size_t count, room;
};

/* Shows the nodes that have this share of all in the tree, in per cent. */
void treeview_by_share(struct treeview *view, double percent);

/*
 * Shows this many nodes, those in which the hottest stacks end, and the nodes
 * that lead there.
 */
void treeview_hottest(struct treeview *view, size_t count);

#endif
