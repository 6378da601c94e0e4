/*
 * ranking: functions in the order in which they are shown, and of two profiles
 * what has become of each.
 *
 * Changes that are beyond chance come first, then the others, the largest of
 * both first.
 */
#ifndef RANKING_H
#define RANKING_H

#include "functions.h"

enum rank_key {
	RANK_SELF, RANK_TOTAL, RANK_STACKS, RANK_NAME
};

/* This became of a function, of two profiles. */
enum rank_fate {
	FATE_SAME,		/* its total changed by no more than chance, */
	FATE_MOVED,		/* and more of it came from some callers, and
				   less from others, beyond chance */
	FATE_CHANGED,		/* beyond chance */
	FATE_NEW,
	FATE_GONE
};

struct rank_row {
	uint32_t function;	/* its number */
	unsigned fate : 3;	/* an enum rank_fate */
	unsigned is_beyond : 1;	/* its change is, beyond chance */
	unsigned fails : 1;	/* the caller's: a condition holds for it */
};

/* A change from one count to another. */
struct count_change {
	double points;		/* per cent of all */
	double percent;		/* of the count before; infinite if that is 0 */
	double sigmas;		/* standard errors; NAN if chance is unknown */
};

struct ranking {
	/* set by the caller */
	struct functions *functions;
	struct pattern *match;	/* finds the names that are shown; or NULL */
	enum rank_key key;
	const char *unit;	/* of the counts, or NULL */
	double noise;		/* standard errors that may be chance */
	double factor;		/* samples that a count is, or 0 */

	struct rank_row *rows;
	size_t count;
	size_t beyond;		/* rows that are beyond chance */
	size_t moved;		/* of this fate */
	const char *unknown;	/* why chance is unknown, or NULL */
};

void ranking_make(struct ranking *ranking);

/* Returns what the key compares of a function: its own counts, or all. */
const struct counts_pair *ranking_counts(const struct ranking *ranking,
    const struct function *function);

/* Returns a change in standard errors; 0 if chance is unknown. */
double ranking_pair_sigmas(const struct ranking *ranking,
    const struct counts_pair *counts);

/* Returns the change of counts that are a part of all. */
struct count_change ranking_change(const struct ranking *ranking,
    const struct counts_pair *counts, const struct counts_pair *all);

/* Returns the share that a count is of another, in per cent; 0 of nothing. */
double ranking_share(double count, double whole);

/*
 * The nodes of a call tree that are shown, in their order: each before those on
 * it, of these the largest first.
 *
 * A node goes on with the one that it is on, if it is all that this one has:
 * then it needs no numbers, and is no step to the right.
 */
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

/*
 * Print the first functions, at most `most`, or trees, one after another: as
 * aligned text for readers, as tab-separated values, or as JSON, where with a
 * gate each function says whether the condition holds for it.  foldedtop(1)
 * explains columns and names, which do not change.
 */
void show_functions(const struct ranking *ranking, size_t most, bool as_tsv);
void show_trees(const struct ranking *ranking, const struct treeview *views,
    size_t count, bool as_tsv);
void show_json(const struct ranking *ranking, size_t most, bool has_gate,
    const struct treeview *views, size_t count);

/* Returns "self" or "total": the counts compared in rows. */
const char *ranking_measure(const struct ranking *ranking);

/* Returns the word for it: "same", "moved", "changed", "new" or "gone". */
const char *rank_fate_name(unsigned fate);

/* Stores the key of this name; false without one. */
bool rank_key_find(const char *name, enum rank_key *key);

#endif
