#include <stdlib.h>

#include "gecko.h"
#include "lib/sort.h"

#define MILLI	1000	/* weights are kept as thousandths */

/*
 * Libraries.
 */

/* A library that is being read. */
struct read_lib {
	struct gecko_lib lib;
	double start, end, offset;
};

#define AT(member)	offsetof(struct read_lib, member)

static const struct json_row lib_rows[] = {
	{ "start", json_to_double, AT(start), NULL },
	{ "end", json_to_double, AT(end), NULL },
	{ "offset", json_to_double, AT(offset), NULL },
	{ "name", json_to_str, AT(lib.name), NULL },
	{ "path", json_to_str, AT(lib.path), NULL },
	{ "breakpadId", json_to_str, AT(lib.breakpad_id), NULL },
	{ "codeId", json_to_str, AT(lib.build_id), NULL },
	{ NULL, NULL, 0, NULL }
};

static uint64_t
address_of(double number)
{
	return number > 0 && number < 1.8e19 ? (uint64_t)number : 0;
}

static void
read_lib(struct json *json, void *at)
{
	struct gecko_libs *libs = at;
	struct read_lib read = { .start = 0 };

	json_object(json, lib_rows, &read);
	read.lib.start = address_of(read.start);
	read.lib.end = address_of(read.end);
	read.lib.offset = address_of(read.offset);
	libs->list = mem_grow(libs->list, &libs->room, libs->count + 1,
	    sizeof(*libs->list));
	libs->list[libs->count++] = read.lib;
}

static void
libs_free(struct gecko_libs *libs)
{
	free(libs->list);
	free(libs->order);
}

static int
compare_libs(const void *a, const void *b)
{
	const struct gecko_lib *one = *(const struct gecko_lib *const *)a;
	const struct gecko_lib *other = *(const struct gecko_lib *const *)b;

	return one->start < other->start ? -1 : one->start > other->start;
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

	if (libs->order == NULL) {
		libs->order = mem_array(libs->count, sizeof(*libs->order));
		for (next = 0; next < libs->count; next++)
			libs->order[next] = &libs->list[next];
		qsort(libs->order, libs->count, sizeof(*libs->order),
		    compare_libs);
	}
	next = lower_bound(&address, libs->order, libs->count,
	    sizeof(*libs->order), starts_up_to);
	return next > 0 && address < libs->order[next - 1]->end ?
	    libs->order[next - 1] : NULL;
}

/*
 * Tables and samples.
 */

#undef AT
#define AT(member)	offsetof(struct gecko_tables, member)

static const struct json_row stack_rows[] = {
	{ "prefix", json_to_column, AT(stack_prefix), NULL },
	{ "prefixOffset", json_to_column, AT(stack_offset), NULL },
	{ "frame", json_to_column, AT(stack_frame), NULL },
	{ NULL, NULL, 0, NULL }
};

static const struct json_row frame_rows[] = {
	{ "func", json_to_column, AT(frame_func), NULL },
	{ "location", json_to_column, AT(frame_location), NULL },
	{ "address", json_to_column, AT(frame_address), NULL },
	{ "inlineDepth", json_to_column, AT(frame_depth), NULL },
	{ "lib", json_to_column, AT(frame_lib), NULL },
	{ "line", json_to_column, AT(frame_line), NULL },
	{ NULL, NULL, 0, NULL }
};

static const struct json_row func_rows[] = {
	{ "name", json_to_column, AT(func_name), NULL },
	{ "resource", json_to_column, AT(func_resource), NULL },
	{ "isJS", json_to_column, AT(func_js), NULL },
	{ "fileName", json_to_column, AT(func_file), NULL },
	{ "source", json_to_column, AT(func_source), NULL },
	{ "lineNumber", json_to_column, AT(func_line), NULL },
	{ "columnNumber", json_to_column, AT(func_column), NULL },
	{ NULL, NULL, 0, NULL }
};

static const struct json_row resource_rows[] = {
	{ "lib", json_to_column, AT(resource_lib), NULL },
	{ NULL, NULL, 0, NULL }
};

static const struct json_row source_rows[] = {
	{ "filename", json_to_column, AT(source_file), NULL },
	{ NULL, NULL, 0, NULL }
};

static void
read_stacks(struct json *json, void *tables)
{
	json_table(json, stack_rows, tables);
}

static void
read_frames(struct json *json, void *tables)
{
	json_table(json, frame_rows, tables);
}

/* Firefox itself writes none of the tables that are objects here. */
#define TABLE_ROWS \
	{ "stackTable", read_stacks, 0, NULL }, \
	{ "frameTable", read_frames, 0, NULL }, \
	{ "funcTable", NULL, 0, func_rows }, \
	{ "resourceTable", NULL, 0, resource_rows }, \
	{ "sources", NULL, 0, source_rows }, \
	{ "stringArray", json_to_texts, AT(strings), NULL }, \
	{ "stringTable", json_to_texts, AT(strings), NULL }

static const struct json_row table_rows[] = {
	TABLE_ROWS,
	{ NULL, NULL, 0, NULL }
};

static void
free_tables(struct gecko_tables *tables)
{
	const struct json_row *const all[] = {
		stack_rows, frame_rows, func_rows, resource_rows, source_rows
	}, *row;
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		for (row = all[i]; row->name != NULL; row++)
			column_free((void *)((char *)tables + row->offset));
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
 * Returns a weight in units, as a column keeps it; milliseconds count as
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
	unsigned long long count;
	int64_t at, kept;
	size_t i;

	for (i = 0; i < stacks->count; i++) {
		at = stacks->values[i];
		kept = weights->count > 0 ? column_at(weights, (int64_t)i) :
		    MILLI;
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

/* Samples that are being read. */
struct read_samples {
	struct column stacks, weights;
	struct str type;
};

static const struct json_row sample_rows[] = {
	{ "stack", json_to_column, offsetof(struct read_samples, stacks),
	    NULL },
	{ "weight", json_to_column, offsetof(struct read_samples, weights),
	    NULL },
	{ "weightType", json_to_str, offsetof(struct read_samples, type),
	    NULL },
	{ NULL, NULL, 0, NULL }
};

static void
read_samples(struct json *json, void *at)
{
	struct gecko_thread *thread = at;
	struct read_samples read = { .weights = { .weights = true } };

	json_table(json, sample_rows, &read);
	if (str_equal(read.type, STR("tracing-ms")))
		thread->weight = WEIGHT_MILLISECONDS;
	else if (str_equal(read.type, STR("bytes")))
		thread->weight = WEIGHT_BYTES;
	count_samples(thread, &read.stacks, &read.weights);
	column_free(&read.stacks);
	column_free(&read.weights);
}

/*
 * Threads and processes.
 */

static void
free_thread(struct gecko_thread *thread)
{
	if (thread->tables != NULL)
		free_tables(thread->tables);
	free(thread->tables);
	libs_free(&thread->libs);
	intmap_free(&thread->stacks);
	free(thread->counts);
}

/* A thread that is being read. */
struct read_thread {
	struct gecko_tables tables;	/* first, for TABLE_ROWS */
	struct gecko_thread thread;
};

#define THREAD(member)	offsetof(struct read_thread, thread.member)

static const struct json_row thread_rows[] = {
	TABLE_ROWS,
	{ "name", json_to_name, THREAD(name), NULL },
	{ "processName", json_to_name, THREAD(process), NULL },
	{ "pid", json_to_name, THREAD(pid), NULL },
	{ "tid", json_to_name, THREAD(tid), NULL },
	{ "samples", read_samples, offsetof(struct read_thread, thread), NULL },
	{ "libs", read_lib, THREAD(libs), JSON_EACH },
	{ NULL, NULL, 0, NULL }
};

/* A process that is being read; it may contain others. */
struct read_process {
	struct gecko *gecko;
	size_t number;
	struct gecko_process process;
	bool has_version;
};

/*
 * Reads a thread, and drops it if it has no sample that counts: some profiles
 * have thousands of such threads.
 */
static void
read_thread(struct json *json, void *at)
{
	const struct read_process *process = at;
	struct gecko *gecko = process->gecko;
	struct read_thread read = { .thread = { .of = process->number } };
	struct gecko_thread *thread = &read.thread;

	json_object(json, thread_rows, &read);
	gecko->idle += thread->idle;
	gecko->negative += thread->negative;
	gecko->clamped += thread->clamped;
	/* a thread without a table of stacks uses the shared tables */
	if (thread->samples > 0 && read.tables.stack_frame.count > 0) {
		thread->tables = mem_array(1, sizeof(*thread->tables));
		*thread->tables = read.tables;
	} else
		free_tables(&read.tables);
	if (thread->samples == 0) {
		free_thread(thread);
		return;
	}
	gecko->list = mem_grow(gecko->list, &gecko->room, gecko->count + 1,
	    sizeof(*gecko->list));
	gecko->list[gecko->count++] = *thread;
}

static void
read_shared(struct json *json, void *process)
{
	json_object(json, table_rows,
	    &((struct read_process *)process)->gecko->shared);
}

#undef AT
#define AT(member)	offsetof(struct read_process, member)

static const struct json_row meta_rows[] = {
	{ "version", json_to_flag, AT(has_version), NULL },
	{ "product", json_to_name, AT(process.product), NULL },
	{ NULL, NULL, 0, NULL }
};

static json_reader read_process;

static const struct json_row profile_rows[] = {
	{ "meta", NULL, 0, meta_rows },
	{ "libs", read_lib, AT(process.libs), JSON_EACH },
	{ "shared", read_shared, 0, NULL },
	{ "threads", read_thread, 0, JSON_EACH },
	{ "processes", read_process, 0, JSON_EACH },
	{ NULL, NULL, 0, NULL }
};

void
gecko_read(struct json *json, struct gecko *gecko)
{
	struct read_process read = {
		.gecko = gecko, .number = gecko->process_count++
	};

	json_object(json, profile_rows, &read);
	gecko->is_profile |= read.has_version;
	gecko->processes = mem_grow(gecko->processes, &gecko->process_room,
	    gecko->process_count, sizeof(*gecko->processes));
	gecko->processes[read.number] = read.process;
}

static void
read_process(struct json *json, void *outer)
{
	gecko_read(json, ((struct read_process *)outer)->gecko);
}

void
gecko_free(struct gecko *gecko)
{
	size_t i;

	for (i = 0; i < gecko->count; i++)
		free_thread(&gecko->list[i]);
	for (i = 0; i < gecko->process_count; i++)
		libs_free(&gecko->processes[i].libs);
	free_tables(&gecko->shared);
	free(gecko->list);
	free(gecko->processes);
}
