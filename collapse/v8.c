#include <math.h>
#include <stdlib.h>

#include "fold/folded.h"
#include "lib/sort.h"
#include "v8.h"

#define EXACT	9007199254740992.0	/* 2^53: doubles below have ones */

void
v8_init(struct v8_profile *profile)
{
	profile->samples.packed = profile->times.packed = true;
	intmap_init(&profile->ids);
}

void
v8_free(struct v8_profile *profile)
{
	free(profile->nodes);
	free(profile->callees);
	column_free(&profile->samples);
	column_free(&profile->times);
	intmap_free(&profile->ids);
	free(profile->name.data);
}

/*
 * Nodes.
 */

/* The place of a function, as it is read. */
struct place {
	struct text name, url;
	double line;		/* from 0; below 0: unknown */
};

static uint64_t
id_of(double number)
{
	return number >= 0 && number < EXACT ? (uint64_t)number : V8_NO_ID;
}

static uint64_t
read_id(struct json *json)
{
	double number = -1;

	json_number(json, &number);
	return id_of(number);
}

static unsigned long long
read_count(struct json *json)
{
	double number = 0;

	json_number(json, &number);
	return !(number > 0) ? 0 : number < 0x1p64 ?
	    (unsigned long long)number : UINT64_MAX;
}

/* Reads a member that tells the place of a function; false if none does. */
static bool
read_place(struct json *json, struct str key, double first_line,
    struct place *place)
{
	if (str_equal(key, STR("functionName")))
		json_copy_text(json, &place->name);
	else if (str_equal(key, STR("url")))
		json_copy_text(json, &place->url);
	else if (!str_equal(key, STR("lineNumber")))
		return false;
	else if (json_number(json, &place->line))
		place->line -= first_line;
	return true;
}

/* Reads { "functionName": "f", "url": "a.js", "lineNumber": 0 }. */
static void
read_call_frame(struct json *json, struct place *place)
{
	struct str key;

	if (!json_enters(json, JSON_OBJECT))
		return;
	while (json_member(json, &key))
		if (!read_place(json, key, 0, place))
			json_skip(json);
}

static uint32_t
name_place(struct v8_profile *profile, const struct place *place)
{
	struct text *name = &profile->name;
	double line = place->line;

	name->len = 0;
	folded_add_name(name, place->name.len > 0 ? text_str(&place->name) :
	    STR("(anonymous)"));
	if (profile->lines)
		folded_add_line(name, str_base(text_str(&place->url)),
		    line >= 0 && line < EXACT ? (uint64_t)line + 1 : 0);
	return fold_name(profile->fold, text_str(name));
}

static struct v8_node *
add_node(struct v8_profile *profile, uint32_t parent)
{
	struct v8_node *node;

	profile->nodes = mem_grow(profile->nodes, &profile->room,
	    profile->count + 1, sizeof(*profile->nodes));
	node = &profile->nodes[profile->count++];
	*node = (struct v8_node){
		.id = V8_NO_ID, .parent_id = V8_NO_ID, .parent = parent
	};
	return node;
}

void
v8_add_node(struct v8_profile *profile, uint64_t id, uint64_t caller,
    struct str name)
{
	struct v8_node *node = add_node(profile, 0);

	node->id = id;
	node->parent_id = caller;
	node->name = fold_name(profile->fold, name);
}

static void
add_callee(struct v8_profile *profile, double number, uint32_t parent)
{
	profile->callees = mem_grow(profile->callees, &profile->callee_room,
	    profile->callee_count + 1, sizeof(*profile->callees));
	profile->callees[profile->callee_count++] =
	    (struct v8_callee){ id_of(number), parent };
}

static void read_node(struct json *json, struct v8_profile *profile,
    uint32_t parent);

/* Reads the callees of a node, or their ids. */
static void
read_children(struct json *json, struct v8_profile *profile, uint32_t parent)
{
	enum json_type type;

	if (!json_enters(json, JSON_ARRAY))
		return;
	while (json_element(json)) {
		type = json_value(json);
		if (type == JSON_OBJECT)
			read_node(json, profile, parent);
		else if (type == JSON_NUMBER)
			add_callee(profile, json->number, parent);
		else
			json_leave(json, type);
	}
}

/* Reads a member of a node with this number. */
static void
read_node_member(struct json *json, struct v8_profile *profile, struct str key,
    size_t number, struct place *place)
{
	struct v8_node *node = &profile->nodes[number];

	if (str_equal(key, STR("callFrame")))
		read_call_frame(json, place);
	else if (str_equal(key, STR("id")))
		node->id = read_id(json);
	else if (str_equal(key, STR("parent")))
		node->parent_id = read_id(json);
	else if (str_equal(key, STR("hitCount")))
		node->hits = read_count(json);
	else if (str_equal(key, STR("selfSize"))) {
		node->size = read_count(json);
		profile->has_sizes = true;
	} else if (str_equal(key, STR("children")))
		read_children(json, profile, (uint32_t)number + 1);
	else if (!read_place(json, key, 1, place))
		json_skip(json);
}

/* Reads the rest of a node, which was entered. */
static void
read_node(struct json *json, struct v8_profile *profile, uint32_t parent)
{
	size_t number = profile->count;
	struct place place = { .line = -1 };
	struct str key;

	if (number >= UINT32_MAX - 1) {
		json_leave(json, JSON_OBJECT);
		return;
	}
	add_node(profile, parent);
	while (json_member(json, &key))
		read_node_member(json, profile, key, number, &place);
	profile->nodes[number].name = name_place(profile, &place);
	free(place.name.data);
	free(place.url.data);
}

void
v8_read_nodes(struct json *json, struct v8_profile *profile)
{
	if (!json_enters(json, JSON_ARRAY))
		return;
	while (json_element(json))
		if (json_enters(json, JSON_OBJECT))
			read_node(json, profile, 0);
}

/*
 * Pieces of profiles.
 */

static void
append_column(struct column *column, const struct column *piece)
{
	struct column_reader reader = column_begin(piece);
	size_t i;

	for (i = 0; i < piece->count; i++)
		column_add(column, column_next(&reader));
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
		copy = add_node(profile, 0);
		*copy = piece->nodes[i];
		if (copy->parent != 0)
			copy->parent += before;
	}
	for (i = 0; i < piece->callee_count; i++)
		add_callee(profile, (double)piece->callees[i].id,
		    piece->callees[i].parent + before);
	append_column(&profile->samples, &piece->samples);
	append_column(&profile->times, &piece->times);
	if (piece->start != 0)
		profile->start = piece->start;
	if (piece->end != 0)
		profile->end = piece->end;
}

void
v8_clear(struct v8_profile *profile)
{
	profile->count = profile->callee_count = 0;
	profile->start = profile->end = 0;
	profile->has_stamps = profile->has_head = profile->has_sizes = false;
	if (profile->samples.count > 0)
		column_free(&profile->samples);
	if (profile->times.count > 0)
		column_free(&profile->times);
}

/*
 * Members of profiles.
 */

static void
read_head(struct json *json, struct v8_profile *profile)
{
	if (!json_enters(json, JSON_OBJECT))
		return;
	profile->has_head = true;
	read_node(json, profile, 0);
}

bool
v8_read_member(struct json *json, struct v8_profile *profile, struct str key)
{
	if (str_equal(key, STR("nodes")))
		v8_read_nodes(json, profile);
	else if (str_equal(key, STR("head")))
		read_head(json, profile);
	else if (str_equal(key, STR("samples")))
		json_column(json, &profile->samples, false);
	else if (str_equal(key, STR("timeDeltas")))
		json_column(json, &profile->times, false);
	else if (str_equal(key, STR("timestamps"))) {
		profile->has_stamps = true;
		json_column(json, &profile->times, false);
	} else if (str_equal(key, STR("startTime")))
		json_number(json, &profile->start);
	else if (str_equal(key, STR("endTime")))
		json_number(json, &profile->end);
	else
		return false;
	return true;
}

void
v8_read(struct json *json, struct v8_profile *profile)
{
	struct str key;

	if (!json_enters(json, JSON_OBJECT))
		return;
	while (json_member(json, &key))
		if (!v8_read_member(json, profile, key))
			json_skip(json);
}

/*
 * The tree.
 */

/* Makes nodes known by their ids; false if two have the same. */
static bool
number_nodes(struct v8_profile *profile)
{
	uint32_t *number;
	size_t i;

	for (i = 0; i < profile->count; i++) {
		if (profile->nodes[i].id == V8_NO_ID)
			continue;
		number = intmap_at(&profile->ids, profile->nodes[i].id);
		if (*number != 0)
			return false;
		*number = (uint32_t)i + 1;
	}
	return true;
}

/* Finds the parents of all nodes; false if one has several. */
static bool
link_nodes(struct v8_profile *profile)
{
	const struct v8_callee *callee;
	struct v8_node *node;
	uint32_t number;
	size_t i;

	for (i = 0; i < profile->callee_count; i++) {
		callee = &profile->callees[i];
		number = intmap_find(&profile->ids, callee->id);
		if (number == 0)
			continue;
		node = &profile->nodes[number - 1];
		if (node->parent != 0 && node->parent != callee->parent)
			return false;
		node->parent = callee->parent;
	}
	for (i = 0; i < profile->count; i++) {
		node = &profile->nodes[i];
		if (node->parent == 0 && node->parent_id != V8_NO_ID)
			node->parent = intmap_find(&profile->ids,
			    node->parent_id);
	}
	return true;
}

/*
 * True if a walk from each node ends at a root.  Nodes are marked by the number
 * of the walk that came there first, so that each is walked over once.
 */
static bool
is_tree(const struct v8_profile *profile)
{
	uint32_t *walks = mem_array(profile->count, sizeof(*walks));
	uint32_t at, walk = 0;
	bool good = true;

	while (good && walk++ < profile->count) {
		for (at = walk; at != 0 && walks[at - 1] == 0;
		    at = profile->nodes[at - 1].parent)
			walks[at - 1] = walk;
		good = at == 0 || walks[at - 1] != walk;
	}
	free(walks);
	return good;
}

/*
 * Weights.
 */

/* A sample with its time, for sort_by_number. */
struct timed {
	uint64_t time;
	uint64_t id;
};

static uint64_t
next_id(struct column_reader *samples)
{
	return id_of((double)column_next(samples));
}

static void
add_sample(struct v8_profile *profile, uint64_t id, double weight)
{
	uint32_t number = id == V8_NO_ID ? 0 : intmap_find(&profile->ids, id);

	if (number == 0) {
		profile->lost++;
		return;
	}
	profile->nodes[number - 1].weight += weight;
	profile->fold->counts.samples++;
}

/* Gives each sample the same weight. */
static void
add_alike(struct v8_profile *profile, double weight)
{
	struct column_reader samples = column_begin(&profile->samples);
	size_t i;

	for (i = 0; i < profile->samples.count; i++)
		add_sample(profile, next_id(&samples), weight);
}

/* Returns the samples that have a time, with it, in its order. */
static struct timed *
sort_samples(const struct v8_profile *profile, size_t count)
{
	struct column_reader samples = column_begin(&profile->samples);
	struct column_reader times = column_begin(&profile->times);
	struct timed *list = mem_array(count, sizeof(*list));
	int64_t time;
	uint64_t now = 0;
	size_t i;

	if (profile->start > -EXACT && profile->start < EXACT)
		now = (uint64_t)(int64_t)profile->start;
	for (i = 0; i < count; i++) {
		time = column_next(&times);
		if (profile->has_stamps)
			now = (uint64_t)time;
		else if (time != COLUMN_NONE)
			now += (uint64_t)time;
		/* times below 0 come first */
		list[i].time = now ^ (uint64_t)1 << 63;
		list[i].id = next_id(&samples);
	}
	sort_by_number(list, count, sizeof(*list));
	return list;
}

/* Returns the time of a sample as the profile tells it. */
static double
time_of(const struct timed *sample)
{
	return (double)(int64_t)(sample->time ^ (uint64_t)1 << 63);
}

/* Returns how long the last sample takes, which ends when the profile does. */
static double
last_duration(const struct v8_profile *profile, const struct timed *list,
    size_t count)
{
	double end = profile->end - time_of(&list[count - 1]);

	if (profile->end > 0 && !profile->has_head && end >= 0)
		return end;
	return count == 1 ? 0 : (double)(list[count - 1].time - list[0].time) /
	    (double)(count - 1);
}

/* Told of a sample, with its times in the profile's clock. */
typedef void sample_visitor(void *context, uint64_t id, double start,
    double duration);

/* Tells of each sample, in the order of time: it lasts until the next one. */
static void
visit_samples(struct v8_profile *profile, sample_visitor *visit, void *context)
{
	size_t count = profile->samples.count, i;
	struct timed *list;

	if (count > profile->times.count)
		count = profile->times.count;
	profile->timeless = profile->samples.count - count;
	list = sort_samples(profile, count);
	for (i = 0; i < count; i++)
		visit(context, list[i].id, time_of(&list[i]), i + 1 < count ?
		    (double)(list[i + 1].time - list[i].time) :
		    last_duration(profile, list, count));
	free(list);
}

static void
weigh_sample(void *context, uint64_t id, double start, double duration)
{
	(void)start;
	add_sample(context, id, duration);
}

/* Weighs nodes by what they tell of their samples, or of their memory. */
static void
add_hits(struct v8_profile *profile, double weight)
{
	struct v8_node *node;
	size_t i;

	for (i = 0; i < profile->count; i++) {
		node = &profile->nodes[i];
		node->weight = profile->has_sizes ? (double)node->size :
		    (double)node->hits * weight;
		profile->fold->counts.samples += node->weight > 0;
	}
}

/* Returns the time of each of so many samples; 1 if it is unknown. */
static double
interval(const struct v8_profile *profile, double count)
{
	double time = profile->end - profile->start;

	if (profile->has_head)
		time *= 1e6;
	return count > 0 && time > 0 ? time / count : 1;
}

static double
count_hits(const struct v8_profile *profile)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < profile->count; i++)
		sum += (double)profile->nodes[i].hits;
	return sum;
}

static void
weigh(struct v8_profile *profile, bool by_hits)
{
	size_t count = profile->samples.count;

	if (profile->has_sizes || count == 0)
		add_hits(profile, by_hits ? 1 :
		    interval(profile, count_hits(profile)));
	else if (by_hits)
		add_alike(profile, 1);
	else if (profile->times.count == 0)
		add_alike(profile, interval(profile, (double)count));
	else
		visit_samples(profile, weigh_sample, profile);
}

const char *
v8_weigh(struct v8_profile *profile, bool by_hits)
{
	if (!number_nodes(profile))
		return "it is damaged: two nodes have the same number";
	if (!link_nodes(profile))
		return "it is damaged: two nodes call the same one";
	if (!is_tree(profile))
		return "it is damaged: a node is its own caller";
	weigh(profile, by_hits);
	return NULL;
}

/*
 * Stacks.
 */

/* Adds the frames of a node and of its callers, except the root "(root)". */
static void
push_node(struct v8_profile *profile, const struct v8_node *node,
    uint32_t root)
{
	struct stack *stack = &profile->fold->stack;

	stack->depth = 0;
	for (; stack->depth < V8_MOST_FRAMES; node =
	    &profile->nodes[node->parent - 1]) {
		if (node->parent != 0 || node->name != root)
			stack_push(stack, node->name);
		if (node->parent == 0)
			break;
	}
	profile->cut += stack->depth == V8_MOST_FRAMES && node->parent != 0;
	if (stack->depth == 0)
		stack_push(stack, root);
}

void
v8_count(struct v8_profile *profile, const struct stack *roots)
{
	uint32_t root = fold_name(profile->fold, STR("(root)"));
	struct fold *fold = profile->fold;
	const struct v8_node *node;
	size_t i, j;

	for (i = 0; i < profile->count; i++) {
		node = &profile->nodes[i];
		if (!(node->weight >= 0.5))
			continue;
		push_node(profile, node, root);
		for (j = 0; j < roots->depth; j++)
			stack_push(&fold->stack, roots->frames[j]);
		fold->stacks.overflowed |= !(node->weight < 0x1p64);
		stacks_add(&fold->stacks, &fold->stack,
		    node->weight < 0x1p64 ?
		    (unsigned long long)rint(node->weight) : UINT64_MAX);
		fold->stack.depth = 0;
	}
}

/*
 * Order.
 */

struct v8_lane {
	struct v8_profile *profile;
	struct lane *lane;
	uint32_t root;		/* the name "(root)" */
	double begin;		/* of the lane */
};

static void
add_to_lane(void *context, uint64_t id, double start, double duration)
{
	const struct v8_lane *order = context;
	struct v8_profile *profile = order->profile;
	uint32_t number = id == V8_NO_ID ? 0 : intmap_find(&profile->ids, id);
	struct stack *stack = &profile->fold->stack;
	const struct v8_node *node;

	if (number == 0)
		return;
	node = &profile->nodes[number - 1];
	push_node(profile, node, order->root);
	if (node->parent == 0 && node->name == order->root)
		stack->depth = 0;
	lane_add(order->lane, start - order->begin,
	    start - order->begin + duration);
}

bool
v8_has_order(const struct v8_profile *profile)
{
	return profile->samples.count > 0 && profile->times.count > 0;
}

static void
find_first(void *context, uint64_t id, double start, double duration)
{
	double *first = context;

	(void)id;
	(void)duration;
	if (start < *first)
		*first = start;
}

double
v8_begin(struct v8_profile *profile)
{
	double start = profile->has_head ? profile->start * 1e6 :
	    profile->start, first = HUGE_VAL;

	visit_samples(profile, find_first, &first);
	return start > 0 && start < first ? start : first;
}

void
v8_order(struct v8_profile *profile, struct lane *lane, double begin)
{
	struct v8_lane order = { profile, lane,
	    fold_name(profile->fold, STR("(root)")), begin };

	visit_samples(profile, add_to_lane, &order);
}
