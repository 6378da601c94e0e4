#include <stdlib.h>

#include "gecko.h"
#include "lib/bound.h"

#define MILLI	1000	/* weights are kept as thousandths */

/*
 * Libraries.
 */

/* Reads a text, the next value, into the arena. */
static struct str
read_text(struct json *json, struct gecko_libs *libs)
{
	struct str text = STR("");

	json_text(json, &text);
	return arena_copy(&libs->arena, text);
}

static uint64_t
read_address(struct json *json)
{
	const double most = 1.8e19;
	double number = 0;

	json_number(json, &number);
	return number > 0 && number < most ? (uint64_t)number : 0;
}

static void
read_lib(struct json *json, struct gecko_libs *libs, struct str key,
    struct gecko_lib *lib)
{
	if (str_equal(key, STR("path")))
		lib->path = read_text(json, libs);
	else if (str_equal(key, STR("name")))
		lib->name = read_text(json, libs);
	else if (str_equal(key, STR("codeId")))
		lib->build_id = read_text(json, libs);
	else if (str_equal(key, STR("breakpadId")))
		lib->breakpad_id = read_text(json, libs);
	else if (str_equal(key, STR("start")))
		lib->start = read_address(json);
	else if (str_equal(key, STR("end")))
		lib->end = read_address(json);
	else if (str_equal(key, STR("offset")))
		lib->offset = read_address(json);
	else
		json_skip(json);
}

/* Reads a list of libraries, the next value. */
static void
libs_read(struct json *json, struct gecko_libs *libs)
{
	struct str key;
	struct gecko_lib *lib;

	if (!json_enters(json, JSON_ARRAY))
		return;
	while (json_element(json)) {
		libs->list = mem_grow(libs->list, &libs->room,
		    libs->count + 1, sizeof(*libs->list));
		lib = &libs->list[libs->count++];
		*lib = (struct gecko_lib){ .start = 0 };
		if (json_enters(json, JSON_OBJECT))
			while (json_member(json, &key))
				read_lib(json, libs, key, lib);
	}
}

static void
libs_free(struct gecko_libs *libs)
{
	free(libs->list);
	free(libs->order);
	arena_free(&libs->arena);
}

static int
compare_libs(const void *a, const void *b)
{
	const struct gecko_lib *one = *(const struct gecko_lib *const *)a;
	const struct gecko_lib *other = *(const struct gecko_lib *const *)b;

	return one->start < other->start ? -1 : one->start > other->start;
}

static void
sort_libs(struct gecko_libs *libs)
{
	size_t i;

	libs->order = mem_array(libs->count, sizeof(*libs->order));
	for (i = 0; i < libs->count; i++)
		libs->order[i] = &libs->list[i];
	qsort(libs->order, libs->count, sizeof(*libs->order), compare_libs);
}

static bool
starts_up_to(const void *lib, const void *address)
{
	return (*(const struct gecko_lib *const *)lib)->start <=
	    *(const uint64_t *)address;
}

const struct gecko_lib *
gecko_find_lib(struct gecko_libs *libs, uint64_t address)
{
	size_t next;

	if (libs->order == NULL)
		sort_libs(libs);
	next = lower_bound(&address, libs->order, libs->count,
	    sizeof(*libs->order), starts_up_to);
	return next > 0 && address < libs->order[next - 1]->end ?
	    libs->order[next - 1] : NULL;
}

/*
 * Tables and samples.
 */

/* Reads one of a thread's tables; false if there is none of the name. */
static bool
read_table(struct json *json, struct gecko_tables *tables, struct str name)
{
	const struct table_field stacks[] = {
		{ "prefix", &tables->stack_prefix, false, NULL },
		{ "prefixOffset", &tables->stack_offset, false, NULL },
		{ "frame", &tables->stack_frame, false, NULL },
		{ NULL, NULL, false, NULL }
	};
	const struct table_field frames[] = {
		{ "func", &tables->frame_func, false, NULL },
		{ "location", &tables->frame_location, false, NULL },
		{ "address", &tables->frame_address, false, NULL },
		{ "inlineDepth", &tables->frame_depth, false, NULL },
		{ "lib", &tables->frame_lib, false, NULL },
		{ "line", &tables->frame_line, false, NULL },
		{ NULL, NULL, false, NULL }
	};
	const struct table_field functions[] = {
		{ "name", &tables->func_name, false, NULL },
		{ "resource", &tables->func_resource, false, NULL },
		{ "isJS", &tables->func_js, false, NULL },
		{ "fileName", &tables->func_file, false, NULL },
		{ "source", &tables->func_source, false, NULL },
		{ "lineNumber", &tables->func_line, false, NULL },
		{ "columnNumber", &tables->func_column, false, NULL },
		{ NULL, NULL, false, NULL }
	};
	const struct table_field resources[] = {
		{ "lib", &tables->resource_lib, false, NULL },
		{ NULL, NULL, false, NULL }
	};
	const struct table_field sources[] = {
		{ "filename", &tables->source_file, false, NULL },
		{ NULL, NULL, false, NULL }
	};
	const struct {
		struct str name;
		const struct table_field *fields;
	} all[] = {
		{ STR("stackTable"), stacks }, { STR("frameTable"), frames },
		{ STR("funcTable"), functions },
		{ STR("resourceTable"), resources },
		{ STR("sources"), sources },
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (str_equal(all[i].name, name)) {
			json_table(json, all[i].fields);
			return true;
		}
	if (!str_equal(name, STR("stringArray")) &&
	    !str_equal(name, STR("stringTable")))
		return false;
	json_texts(json, &tables->strings);
	return true;
}

static void
free_tables(struct gecko_tables *tables)
{
	struct column *all[] = {
		&tables->stack_prefix, &tables->stack_offset,
		&tables->stack_frame, &tables->frame_func,
		&tables->frame_location, &tables->frame_address,
		&tables->frame_depth, &tables->frame_lib, &tables->frame_line,
		&tables->func_name, &tables->func_resource, &tables->func_js,
		&tables->func_file, &tables->func_source, &tables->func_line,
		&tables->func_column, &tables->resource_lib,
		&tables->source_file
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		column_free(all[i]);
	texts_free(&tables->strings);
}

/* Counts a sample with a stack. */
static void
add_sample(struct gecko_thread *thread, int64_t stack, unsigned long long count)
{
	uint32_t *number = intmap_at(&thread->stacks, (uint64_t)stack);
	unsigned long long *sum;

	if (*number == 0) {
		*number = (uint32_t)thread->stacks.count;
		thread->counts = mem_grow(thread->counts, &thread->room,
		    *number, sizeof(*thread->counts));
		thread->counts[*number - 1] =
		    (struct counted_stack){ stack, 0 };
	}
	sum = &thread->counts[*number - 1].count;
	thread->clamped += count > UINT64_MAX - *sum;
	*sum = count > UINT64_MAX - *sum ? UINT64_MAX : *sum + count;
	thread->samples++;
}

/*
 * Returns a weight in units, given as json_weight does; milliseconds count as
 * microseconds.
 */
static unsigned long long
scaled(struct gecko_thread *thread, int64_t weight)
{
	uint64_t units = (uint64_t)-weight;

	if (weight == -1)
		return 0;
	if (weight >= 0)
		return thread->weight == WEIGHT_MILLISECONDS ?
		    (uint64_t)weight : ((uint64_t)weight + MILLI / 2) / MILLI;
	if (weight > -INT64_MAX && thread->weight != WEIGHT_MILLISECONDS)
		return units;
	thread->clamped++;
	return units;
}

/* Adds up the samples of a thread by their stacks. */
static void
count_samples(struct gecko_thread *thread, const struct column *stacks,
    const struct column *weights)
{
	struct column_reader stack = column_begin(stacks);
	struct column_reader weight = column_begin(weights);
	unsigned long long count;
	int64_t at, kept;
	size_t i;

	for (i = 0; i < stacks->count; i++) {
		at = column_next(&stack);
		kept = weights->count > 0 ? column_next(&weight) : MILLI;
		if (kept == COLUMN_NONE)
			kept = 0;
		count = weights->count > 0 ? scaled(thread, kept) : 1;
		if (at < 0)
			thread->idle++;
		else if (kept == -1)
			thread->negative++;
		else if (count > 0)
			add_sample(thread, at, count);
	}
}

/* Reads the samples; their columns are packed until all have been read. */
static void
read_samples(struct json *json, struct gecko_thread *thread)
{
	struct column stacks = { .packed = true }, weights = { .packed = true };
	struct text type = { 0 };
	const struct table_field fields[] = {
		{ "stack", &stacks, false, NULL },
		{ "weight", &weights, true, NULL },
		{ "weightType", NULL, false, &type },
		{ NULL, NULL, false, NULL }
	};

	json_table(json, fields);
	if (str_equal(text_str(&type), STR("tracing-ms")))
		thread->weight = WEIGHT_MILLISECONDS;
	else if (str_equal(text_str(&type), STR("bytes")))
		thread->weight = WEIGHT_BYTES;
	count_samples(thread, &stacks, &weights);
	column_free(&stacks);
	column_free(&weights);
	free(type.data);
}

/* Reads a name, or a number as a text. */
static void
read_name(struct json *json, struct text *name)
{
	enum json_type type = json_value(json);

	name->len = 0;
	if (type == JSON_TEXT)
		text_add(name, json->text);
	else if (type == JSON_NUMBER)
		text_add_format(name, "%.0f", json->number);
	else
		json_leave(json, type);
}

static void
free_thread(struct gecko_thread *thread)
{
	free(thread->name.data);
	free(thread->process.data);
	free(thread->pid.data);
	free(thread->tid.data);
	if (thread->tables != NULL)
		free_tables(thread->tables);
	free(thread->tables);
	libs_free(&thread->libs);
	intmap_free(&thread->stacks);
	free(thread->counts);
}

/* Keeps the tables of a thread, unless it uses those that all threads share. */
static void
keep_tables(struct gecko_thread *thread, struct gecko_tables *tables)
{
	if (thread->samples == 0 || tables->stack_frame.count == 0) {
		free_tables(tables);
		return;
	}
	thread->tables = mem_array(1, sizeof(*tables));
	*thread->tables = *tables;
}

/*
 * Forgets the last thread if no sample of it counts: some profiles have
 * thousands of such threads.
 */
static void
forget_idle(struct gecko *gecko)
{
	struct gecko_thread *thread = &gecko->list[gecko->count - 1];

	gecko->idle += thread->idle;
	gecko->negative += thread->negative;
	gecko->clamped += thread->clamped;
	if (thread->samples > 0)
		return;
	free_thread(thread);
	gecko->count--;
}

static void
read_thread(struct json *json, struct gecko *gecko, size_t of)
{
	bool enters = json_enters(json, JSON_OBJECT);
	struct gecko_tables tables = { .strings = { 0 } };
	struct gecko_thread *thread;
	struct str key;

	gecko->list = mem_grow(gecko->list, &gecko->room,
	    gecko->count + 1, sizeof(*gecko->list));
	thread = &gecko->list[gecko->count++];
	*thread = (struct gecko_thread){ .of = of };
	intmap_init(&thread->stacks);
	while (enters && json_member(json, &key))
		if (str_equal(key, STR("name")))
			read_name(json, &thread->name);
		else if (str_equal(key, STR("processName")))
			read_name(json, &thread->process);
		else if (str_equal(key, STR("pid")))
			read_name(json, &thread->pid);
		else if (str_equal(key, STR("tid")))
			read_name(json, &thread->tid);
		else if (str_equal(key, STR("samples")))
			read_samples(json, thread);
		else if (str_equal(key, STR("libs")))
			libs_read(json, &thread->libs);
		else if (!read_table(json, &tables, key))
			json_skip(json);
	keep_tables(thread, &tables);
	forget_idle(gecko);
}

static void
read_meta(struct json *json, struct gecko *gecko, size_t of)
{
	struct str key;

	if (!json_enters(json, JSON_OBJECT))
		return;
	while (json_member(json, &key))
		if (str_equal(key, STR("product")))
			read_name(json, &gecko->processes[of].product);
		else {
			gecko->is_profile |= str_equal(key, STR("version"));
			json_skip(json);
		}
}

/* Reads the tables that all threads share. */
static void
read_shared(struct json *json, struct gecko_tables *shared)
{
	struct str key;

	if (!json_enters(json, JSON_OBJECT))
		return;
	while (json_member(json, &key))
		if (!read_table(json, shared, key))
			json_skip(json);
}

static void read_profile(struct json *json, struct gecko *gecko);

static void
read_member(struct json *json, struct gecko *gecko, size_t of,
    struct str key)
{
	bool processes = str_equal(key, STR("processes"));

	if (str_equal(key, STR("meta")))
		read_meta(json, gecko, of);
	else if (str_equal(key, STR("libs")))
		libs_read(json, &gecko->processes[of].libs);
	else if (str_equal(key, STR("shared")))
		read_shared(json, &gecko->shared);
	else if (!processes && !str_equal(key, STR("threads")))
		json_skip(json);
	else if (json_enters(json, JSON_ARRAY)) {
		while (json_element(json))
			if (processes)
				read_profile(json, gecko);
			else
				read_thread(json, gecko, of);
	}
}

/* Reads a profile; those of other processes may be in it. */
static void
read_profile(struct json *json, struct gecko *gecko)
{
	size_t of = gecko->process_count++;
	struct str key;

	gecko->processes = mem_grow(gecko->processes,
	    &gecko->process_room, gecko->process_count,
	    sizeof(*gecko->processes));
	gecko->processes[of] = (struct gecko_process){ .libs = { 0 } };
	if (!json_enters(json, JSON_OBJECT))
		return;
	while (json_member(json, &key))
		read_member(json, gecko, of, key);
}

void
gecko_read(struct json *json, struct gecko *gecko)
{
	read_profile(json, gecko);
}

void
gecko_free(struct gecko *gecko)
{
	size_t i;

	for (i = 0; i < gecko->count; i++)
		free_thread(&gecko->list[i]);
	for (i = 0; i < gecko->process_count; i++) {
		libs_free(&gecko->processes[i].libs);
		free(gecko->processes[i].product.data);
	}
	free_tables(&gecko->shared);
	free(gecko->list);
	free(gecko->processes);
}
