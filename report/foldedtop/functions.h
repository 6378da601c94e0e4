/*
 * functions: sums over the frames of one name, wherever they are:
 *
 *	main;f;g;f 30		of f: self 50, total 50, in 2 stacks
 *	main;f 20		of g: self 0, total 30, in 1 stack
 *
 * Of the frames of one name in a stack the outermost counts for the total.
 * This takes memory for names, and for the frames of the deepest stack; trees
 * that are asked for have a node for each path that leads to other ones.
 */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include <sys/types.h>

#include <regex.h>

#include "fold/chance.h"
#include "fold/foldedlines.h"
#include "fold/trail.h"
#include "lib/intmap.h"
#include "lib/table.h"

/*
 * A regular expression of POSIX's extended kind, for names.  It works on bytes,
 * whatever the locale.
 */
struct pattern {
	regex_t regex;
	struct text name;	/* with a NUL, as regexec(3) needs */
};

/*
 * Compiles an option's regular expression; NULL if the option was not given.
 * Ends the program with status 2 if the expression is invalid.
 */
struct pattern *pattern_make(const char *option, const char *value);

/* True if the pattern is found in a name.  The name has no NUL. */
bool pattern_finds(struct pattern *pattern, struct str name);

/* Counts before and after; of a single profile both are the same. */
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
 * Node 0 is the root, which is no function, and comes first; a node comes
 * before those on it.
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

struct function {
	struct counts_pair self, total;
	size_t stacks;		/* that have it */
	uint32_t open;		/* its frames in the last stack */
	uint32_t calls;		/* its node in the tree of calls, or 0 */
	unsigned matches;	/* a bit for each pattern that finds it */
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
	/* set by the caller: patterns, or NULL */
	struct pattern *under;		/* stacks begin with what it finds */
	struct pattern *callers_of, *callees_of;	/* trees of these */
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

#endif
