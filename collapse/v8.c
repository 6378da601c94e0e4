#include <math.h>
#include <stdlib.h>

#include "fold/folded.h"
#include "lib/sort.h"
#include "v8.h"

#define EXACT	0x1p53		/* doubles below have ones */

void
v8_free(struct v8_profile *profile)
{
	free(profile->nodes);
	free(profile->callees);
	free(profile->samples.values);
	free(profile->times.values);
	intmap_free(&profile->ids);
	free(profile->timed);
}

/*
 * Nodes.
 */

/* A node that is being read. */
struct node {
	struct v8_profile *profile;
	uint32_t number;		/* from 1; 0: of none */
	double id, parent, hits, size;
	struct str name, url;
	double line, old_line;		/* from 0, or from 1 */
};

static uint64_t
id_of(double number)
{
	return number >= 0 && number < EXACT ? (uint64_t)number : V8_NO_ID;
}

/* Returns a count, without a fraction; 0 for a negative one. */
static double
count_of(double number)
{
	return fmin(floor(fmax(number, 0)), 0x1p64);
}

void
v8_add_node(struct v8_profile *profile, uint64_t id, uint64_t caller,
    struct str name)
{
	*LIST_ADD(profile->nodes, profile->count, profile->room) =
	    (struct v8_node){ .id = id, .parent_id = caller,
	    .name = fold_name(profile->fold, name) };
}

static void
add_callee(struct v8_profile *profile, uint64_t id, uint32_t parent)
{
	*LIST_ADD(profile->callees, profile->callee_count,
	    profile->callee_room) = (struct v8_callee){ id, parent };
}

static void read_node(struct json *json, struct v8_profile *profile,
    uint32_t parent);

/* Reads a callee of a node, or its id. */
static void
read_child(struct json *json, void *at)
{
	const struct node *node = at;
	enum json_type type = json_value(json);

	if (type == JSON_OBJECT)
		read_node(json, node->profile, node->number);
	else if (type == JSON_NUMBER && node->number != 0)
		add_callee(node->profile, id_of(json->number), node->number);
	else
		json_leave(json, type);
}

#define NODE(member)	offsetof(struct node, member)

static const struct json_row frame_rows[] = {
	{ "functionName", json_to_str, NODE(name), NULL },
	{ "url", json_to_str, NODE(url), NULL },
	{ "lineNumber", json_to_double, NODE(line), NULL },
	{ NULL, NULL, 0, NULL }
};

static const struct json_row node_rows[] = {
	{ "id", json_to_double, NODE(id), NULL },
	{ "callFrame", NULL, 0, frame_rows },
	{ "hitCount", json_to_double, NODE(hits), NULL },
	{ "selfSize", json_to_double, NODE(size), NULL },
	{ "parent", json_to_double, NODE(parent), NULL },
	{ "children", read_child, 0, JSON_EACH },
	/* until 2017 */
	{ "functionName", json_to_str, NODE(name), NULL },
	{ "url", json_to_str, NODE(url), NULL },
	{ "lineNumber", json_to_double, NODE(old_line), NULL },
	{ NULL, NULL, 0, NULL }
};

/* Reads the rest of an entered node. */
static void
read_node(struct json *json, struct v8_profile *profile, uint32_t parent)
{
	struct arena before = json->texts;
	struct node read = {
		.profile = profile, .number = (uint32_t)profile->count + 1,
		.id = -1, .parent = -1, .size = NAN, .line = -1
	};
	struct text *name = &profile->fold->name;
	double line;

	if (profile->count >= UINT32_MAX - 1) {
		json_leave(json, JSON_OBJECT);
		return;
	}
	LIST_ADD(profile->nodes, profile->count, profile->room)->id = V8_NO_ID;
	json_members(json, node_rows, &read);
	name->len = 0;
	folded_add_name(name, read.name.len > 0 ? read.name :
	    STR("(anonymous)"));
	line = read.line >= 0 ? read.line + 1 : read.old_line;
	if (profile->lines)
		folded_add_line(name, str_base(read.url),
		    line >= 1 && line < EXACT ? (uint64_t)line : 0);
	profile->nodes[read.number - 1] = (struct v8_node){
		.id = id_of(read.id), .parent_id = id_of(read.parent),
		.parent = parent, .name = fold_name(profile->fold,
		text_str(name)), .hits = count_of(read.hits),
		.size = count_of(read.size)
	};
	profile->has_sizes |= !isnan(read.size);
	arena_free_since(&json->texts, before);
}

static void
read_nodes(struct json *json, void *at)
{
	json_each(json, read_child, &(struct node){ .profile = at });
}

static void
read_head(struct json *json, void *at)
{
	struct v8_profile *profile = at;

	if (!json_enters(json, JSON_OBJECT))
		return;
	profile->has_head = true;
	read_node(json, profile, 0);
}

static void
read_stamps(struct json *json, void *at)
{
	struct v8_profile *profile = at;

	profile->has_stamps = true;
	json_to_column(json, &profile->times);
}

#define PROFILE(member)	offsetof(struct v8_profile, member)

const struct json_row v8_rows[] = {
	{ "nodes", read_nodes, 0, NULL },
	{ "head", read_head, 0, NULL },
	{ "startTime", json_to_double, PROFILE(start), NULL },
	{ "endTime", json_to_double, PROFILE(end), NULL },
	{ "samples", json_to_column, PROFILE(samples), NULL },
	{ "timeDeltas", json_to_column, PROFILE(times), NULL },
	{ "timestamps", read_stamps, 0, NULL },
	{ NULL, NULL, 0, NULL }
};

static void
append_column(struct column *column, const struct column *piece)
{
	size_t i;

	for (i = 0; i < piece->count; i++)
		column_add(column, piece->values[i]);
}

void
v8_append(struct v8_profile *profile, const struct v8_profile *piece)
{
	uint32_t before = (uint32_t)profile->count;
	struct v8_node *copy;
	size_t i;

	for (i = 0; i < piece->count; i++) {
		if (profile->count >= UINT32_MAX - 1)
			break;
		copy = LIST_ADD(profile->nodes, profile->count, profile->room);
		*copy = piece->nodes[i];
		if (copy->parent != 0)
			copy->parent += before;
	}
	for (i = 0; i < piece->callee_count; i++)
		add_callee(profile, piece->callees[i].id,
		    piece->callees[i].parent + before);
	append_column(&profile->samples, &piece->samples);
	append_column(&profile->times, &piece->times);
	if (piece->start != 0)
		profile->start = piece->start;
	if (piece->end != 0)
		profile->end = piece->end;
}

/* The arrays stay: memory that is taken anew counts against the file. */
void
v8_clear(struct v8_profile *profile)
{
	profile->count = profile->callee_count = 0;
	profile->samples.count = profile->times.count = 0;
	profile->start = profile->end = 0;
	profile->has_stamps = profile->has_head = profile->has_sizes = false;
}

/*
 * Finds the parents of all nodes; returns NULL, or why they are not trees: a
 * walk from each node must end at a root.  Nodes are marked by the number of
 * the walk that came there first, so that each is walked over once.
 */
static const char *
link_nodes(struct v8_profile *profile)
{
	struct v8_node *node = profile->nodes;
	const struct v8_callee *callee = profile->callees;
	uint32_t *number, *walks, called, at, walk = 0;
	bool good = true;
	size_t i;

	for (i = 0; i < profile->count; i++, node++) {
		if (node->id == V8_NO_ID)
			continue;
		number = intmap_at(&profile->ids, node->id);
		if (*number != 0)
			return "it is damaged: two nodes have the same number";
		*number = (uint32_t)i + 1;
	}
	for (i = 0; i < profile->callee_count; i++, callee++) {
		called = intmap_find(&profile->ids, callee->id);
		if (called == 0)
			continue;
		node = &profile->nodes[called - 1];
		if (node->parent != 0 && node->parent != callee->parent)
			return "it is damaged: two nodes call the same one";
		node->parent = callee->parent;
	}
	node = profile->nodes;
	for (i = 0; i < profile->count; i++, node++)
		if (node->parent == 0)
			node->parent = intmap_find(&profile->ids,
			    node->parent_id);
	walks = mem_array(profile->count, sizeof(*walks));
	while (good && walk++ < profile->count) {
		for (at = walk; at != 0 && walks[at - 1] == 0;
		    at = profile->nodes[at - 1].parent)
			walks[at - 1] = walk;
		good = at == 0 || walks[at - 1] != walk;
	}
	free(walks);
	return good ? NULL : "it is damaged: a node is its own caller";
}

/*
 * Weights.
 */

/* Lists the samples that have a time, in its order, or all if none has one. */
static void
sort_samples(struct v8_profile *profile, bool timed)
{
	size_t count = profile->samples.count, i;
	struct v8_sample *list;
	int64_t time;
	uint64_t now = 0;

	if (timed && count > profile->times.count)
		count = profile->times.count;
	list = mem_array(count, sizeof(*list));
	if (profile->start > -EXACT && profile->start < EXACT)
		now = (uint64_t)(int64_t)profile->start;
	for (i = 0; i < count; i++) {
		time = timed ? profile->times.values[i] : 0;
		if (profile->has_stamps)
			now = (uint64_t)time;
		else if (time != COLUMN_NONE)
			now += (uint64_t)time;
		/* times below 0 come first */
		list[i].time = now ^ (uint64_t)1 << 63;
		list[i].id = (uint64_t)profile->samples.values[i];
	}
	sort_by_number(list, count, sizeof(*list));
	profile->timed = list;
	profile->timed_count = count;
}

static double
time_of(const struct v8_sample *sample)
{
	return (double)(int64_t)(sample->time ^ (uint64_t)1 << 63);
}

/* Returns how long a sample takes: until the next one, or the end. */
static double
duration_of(const struct v8_profile *profile, size_t i)
{
	const struct v8_sample *list = profile->timed;
	size_t last = profile->timed_count - 1;
	double end = profile->end - time_of(&list[last]);

	if (i < last)
		return (double)(list[i + 1].time - list[i].time);
	if (profile->end > 0 && !profile->has_head && end >= 0)
		return end;
	return last == 0 ? 0 : (double)(list[last].time - list[0].time) /
	    (double)last;
}

/* Returns the time of each of `count` samples; 1 if unknown. */
static double
interval(const struct v8_profile *profile, double count)
{
	double time = profile->end - profile->start;

	if (profile->has_head)
		time *= 1e6;
	return count > 0 && time > 0 ? time / count : 1;
}

/* Gives each sample its time, or the same weight if these have none. */
static void
weigh_samples(struct v8_profile *profile, bool timed, double weight)
{
	uint32_t number;
	size_t i;

	profile->timeless = profile->samples.count - profile->timed_count;
	for (i = 0; i < profile->timed_count; i++) {
		number = intmap_find(&profile->ids, profile->timed[i].id);
		if (number == 0) {
			profile->lost++;
			continue;
		}
		profile->nodes[number - 1].weight += timed ?
		    duration_of(profile, i) : weight;
		profile->fold->counts.samples++;
	}
}

const char *
v8_weigh(struct v8_profile *profile, bool by_hits)
{
	bool timed = !by_hits && profile->times.count > 0;
	struct v8_node *node = profile->nodes;
	const char *reason = link_nodes(profile);
	double sum = (double)profile->samples.count, weight;
	size_t i;

	if (reason != NULL)
		return reason;
	sort_samples(profile, timed);
	if (!profile->has_sizes && sum > 0) {
		weigh_samples(profile, timed, by_hits ? 1 :
		    interval(profile, sum));
		return NULL;
	}
	/* nodes tell of their samples, or of their memory */
	for (i = 0; i < profile->count; i++)
		sum += node[i].hits;
	weight = by_hits ? 1 : interval(profile, sum);
	for (i = 0; i < profile->count; i++, node++) {
		node->weight = profile->has_sizes ? node->size :
		    node->hits * weight;
		profile->fold->counts.samples += node->weight > 0;
	}
	return NULL;
}

/* Adds the frames of a node and of its callers, except the root "(root)". */
static void
push_node(struct v8_profile *profile, const struct v8_node *node,
    uint32_t root)
{
	struct stack *stack = &profile->fold->stack;

	stack->depth = 0;
	for (; stack->depth < FOLD_DEPTH; node =
	    &profile->nodes[node->parent - 1]) {
		if (node->parent != 0 || node->name != root)
			stack_push(stack, node->name);
		if (node->parent == 0)
			break;
	}
	profile->fold->deep += stack->depth == FOLD_DEPTH && node->parent != 0;
}

void
v8_count(struct v8_profile *profile, const struct stack *roots)
{
	uint32_t root = fold_name(profile->fold, STR("(root)"));
	const struct v8_node *node;
	size_t i;

	for (i = 0; i < profile->count; i++) {
		node = &profile->nodes[i];
		if (!(node->weight >= 0.5))
			continue;
		push_node(profile, node, root);
		if (profile->fold->stack.depth == 0)
			stack_push(&profile->fold->stack, root);
		fold_count_weight(profile->fold, node->weight, roots);
	}
}

bool
v8_has_order(const struct v8_profile *profile)
{
	return profile->samples.count > 0 && profile->times.count > 0;
}

double
v8_begin(const struct v8_profile *profile)
{
	double start = profile->has_head ? profile->start * 1e6 :
	    profile->start, first = time_of(&profile->timed[0]);

	return start > 0 && start < first ? start : first;
}

void
v8_order(struct v8_profile *profile, struct lane *lane, double begin)
{
	uint32_t root = fold_name(profile->fold, STR("(root)")), number;
	double start;
	size_t i;

	for (i = 0; i < profile->timed_count; i++) {
		number = intmap_find(&profile->ids, profile->timed[i].id);
		if (number == 0)
			continue;
		push_node(profile, &profile->nodes[number - 1], root);
		start = time_of(&profile->timed[i]) - begin;
		lane_add(lane, &profile->fold->stack, start,
		    start + duration_of(profile, i));
	}
}
