/*
 * v8: profiles of V8, the engine of Node.js and Chrome, in JSON: a tree of
 * functions, and samples in its nodes.
 *
 *	"nodes": [ { "id": 1, "callFrame": { "functionName": "(root)" },
 *	    "children": [2] }, { "id": 2, ... } ],
 *	"startTime": 1000, "endTime": 5000,
 *	"samples": [2, 2, 1], "timeDeltas": [500, 1000, 1000]
 *
 * Times are in microseconds, and deltas are since the sample before, or the
 * start.  A sample lasts until the next one, or the end: here node 2 has 2,000
 * microseconds and node 1 has 1,500.
 *
 * Until 2017, and in profiles of memory, nodes hold their callees, not the ids
 * of these; `head` is the root, the start and the end are in seconds, and there
 * may be `timestamps` instead of deltas:
 *
 *	"head": { "functionName": "(root)", "id": 1, "hitCount": 0,
 *	    "children": [ { ... } ] }
 *
 * In traces of Chrome nodes come in pieces, and name their `parent`.
 */
#ifndef V8_H
#define V8_H

#include "collapse/jsonfile.h"
#include "lib/intmap.h"

#define V8_NO_ID	UINT64_MAX

struct v8_node {
	uint64_t id;
	uint64_t parent_id;	/* V8_NO_ID: another node lists it, or none */
	uint32_t parent;	/* its number, from 1; 0: none */
	uint32_t name;		/* of its function */
	double weight;		/* its own */
	double hits, size;	/* its own samples and bytes, if given */
};

/* A node lists another one as its callee. */
struct v8_callee {
	uint64_t id;
	uint32_t parent;
};

struct v8_sample {
	uint64_t time;		/* first, for sort_by_number */
	uint64_t id;		/* of its node */
};

/* It begins as { 0 }, except for `fold` and `lines`. */
struct v8_profile {
	struct fold *fold;	/* has the names */
	bool lines;		/* are added to names */
	struct v8_node *nodes;
	size_t count, room;
	struct v8_callee *callees;
	size_t callee_count, callee_room;
	struct column samples;	/* ids of nodes */
	struct column times;	/* deltas, or time stamps */
	bool has_stamps;
	bool has_head;		/* it is of the older form */
	bool has_sizes;		/* it is of memory */
	double start, end;	/* from the profile; 0: unknown */
	struct v8_sample *timed;	/* samples by time, after v8_weigh */
	size_t timed_count;
	struct intmap ids;	/* nodes by id, from 1, once they are linked */
	unsigned long long lost;	/* samples of missing nodes */
	unsigned long long timeless;	/* samples without a time */
};

void v8_free(struct v8_profile *profile);

/* Empties a profile, to be read into again. */
void v8_clear(struct v8_profile *profile);

/* Adds a piece of a profile, whose names are in the same fold. */
void v8_append(struct v8_profile *profile, const struct v8_profile *piece);

/* Adds a node with an id of its own; the caller's may be V8_NO_ID. */
void v8_add_node(struct v8_profile *profile, uint64_t id, uint64_t caller,
    struct str name);

/* Read a struct v8_profile. */
extern const struct json_row v8_rows[];

/*
 * Gives each node its time, or, if by_hits, its number of samples; of memory,
 * its bytes.  Returns NULL, or how the profile is damaged.
 */
const char *v8_weigh(struct v8_profile *profile, bool by_hits);

/* Counts the stacks of the nodes, as fold_count_weight does. */
void v8_count(struct v8_profile *profile, const struct stack *roots);

/* True if the samples of a profile have times. */
bool v8_has_order(const struct v8_profile *profile);

/*
 * After v8_weigh, return when such a profile begins, in microseconds, and add
 * its samples to a lane that begins at this time.
 */
double v8_begin(const struct v8_profile *profile);
void v8_order(struct v8_profile *profile, struct lane *lane, double begin);

#endif
