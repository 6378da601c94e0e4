/*
 * ranking: functions in the order in which they are shown; and of two profiles
 * what has become of each.  Changes beyond chance come first, then by size.
 */
#ifndef RANKING_H
#define RANKING_H

#include <sys/types.h>

#include <regex.h>

#include "fold/chance.h"
#include "fold/foldedlines.h"
#include "fold/trail.h"
#include "lib/intmap.h"
#include "lib/table.h"

/* An extended regular expression of POSIX, for names. */
struct pattern {
	regex_t regex;
	struct text name;	/* with a NUL, as regexec(3) needs */
};

/* Compiles an option's value, if not NULL; ends the program if it is wrong. */
struct pattern *pattern_make(const char *option, const char *value);

/* True if the pattern is found in a name.  The name has no NUL. */
bool pattern_finds(struct pattern *pattern, struct str name);

/* Counts before and after; the same of a single profile. */
struct counts_pair {
	double of[2];
};

static inline void
add_pair(struct counts_pair *sum, struct counts_pair more)
{
	sum->of[0] += more.of[0];
	sum->of[1] += more.of[1];
}

static inline bool
pairs_equal(const struct counts_pair *a, const struct counts_pair *b)
{
	return a->of[0] == b->of[0] && a->of[1] == b->of[1];
}

/*
 * A tree of functions by their callers or by what they call:
 *
 *	parse 70			parse 70
 *	    read 50  self 50		    main 60
 *	    skip 20  self 20		    test 10
 *
 * Node 0 is the root, and no function; a node comes before those on it.
 */
struct call_node {
	uint32_t function;
	uint32_t parent;
	uint32_t first_child, next;	/* or 0 */
	struct counts_pair self;	/* of stacks that end in it */
	struct counts_pair total;	/* and of those above, in the end */
};

struct calltree {
	struct call_node *nodes;
	uint32_t count;
	size_t room;
	struct intmap children;	/* by their parents and functions */
};

/* Stacks begin with what UNDER finds; the others have trees. */
enum { UNDER, CALLERS, CALLEES, PATTERNS };

struct function {
	struct counts_pair self, total;
	size_t stacks;		/* that have it */
	uint32_t open;		/* its frames in the last stack */
	uint32_t calls;		/* its node in the tree of calls, or 0 */
	bool matches[PATTERNS];	/* these find it */
};

#define CALL_NONE	UINT32_MAX	/* nothing in the stack calls it */

/* A frame of the last stack. */
struct open_frame {
	struct counts_pair counts;	/* of stacks that had it so far */
	size_t stacks;
	bool is_counted;	/* the patterns do not exclude it */
	bool is_outermost;	/* of its name */
	bool is_called;		/* the tree of callers begins with it, */
	bool is_beyond;		/* or with a frame below it */
	uint32_t callee, path;	/* its nodes, or 0 */
};

struct functions {
	/* set by the caller */
	struct pattern *patterns[PATTERNS];	/* or NULL */
	bool with_paths;		/* a tree of all stacks */

	struct table names;
	struct function *list;	/* by a name's number */
	size_t room;
	struct trail trail;
	struct open_frame *frames;	/* by depth */
	size_t open, frames_room;
	struct counts_pair all;		/* stacks */
	struct counts_pair whole;	/* those that are under something */
	size_t stacks;			/* of these */
	struct calltree callers, callees, paths;
	/* Of two profiles: */
	bool have_two;			/* a line has two counts */
	size_t singles;			/* lines that have one */
	struct chance chance;
	struct calltree calls;		/* each function, and on it its callers,
					   or CALL_NONE; the sum of these is its
					   total */
};

void functions_init(struct functions *functions);

/* Adds a stack, unless it counts nothing. */
void functions_add(struct functions *functions,
    const struct folded_line *line);

/* Ends adding; before that totals are not right. */
void functions_end(struct functions *functions);

static inline struct str
function_name(const struct functions *functions, uint32_t number)
{
	return functions->names.keys[number];
}

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
	double first, second;	/* rows are sorted by these, largest first */
	const struct function *function;
	struct str name;
	enum rank_fate fate;
	bool is_beyond;		/* its change is, beyond chance */
	bool fails;		/* the caller's: a condition holds for it */
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
	double count;		/* the largest is first */
	struct str name;
	uint32_t node;
	uint32_t depth;		/* 0 on the root */
	uint32_t indent;	/* steps to the right */
	bool goes_on;
};

struct shown_nodes {
	struct shown_node *list;
	size_t count, room;
};

struct treeview {
	/* set by the caller */
	const char *kind;	/* "callers", "callees" or "paths" */
	const char *of;		/* the pattern of the first two */
	const struct functions *functions;
	const struct calltree *tree;
	bool with_self;			/* nodes tell their own counts, too */

	struct shown_nodes shown;
};

/* Shows the nodes that have this share of all in the tree, in per cent. */
void treeview_by_share(struct treeview *view, double percent);

/* Shows where the hottest stacks end, and the nodes that lead there. */
void treeview_hottest(struct treeview *view, size_t count);

/*
 * Print the first functions, at most `most`, or trees.  With a gate, JSON says
 * of each function whether the condition holds for it.
 */
void show_functions(const struct ranking *ranking, size_t most, bool as_tsv);
void show_trees(const struct ranking *ranking, const struct treeview *views,
    size_t count, bool as_tsv);
void show_json(const struct ranking *ranking, size_t most, bool has_gate,
    const struct treeview *views, size_t count);

#endif
