/*
 * stackcollapse-firefox: folds profiles of the Firefox profiler, in JSON,
 * packed by gzip or not: as Firefox writes them, as profiler.firefox.com saves
 * them, and as samply and others write them.
 *
 * A profile has the threads of some processes.  Their samples have the number
 * of a stack and a weight.  Equal stacks become one, after the names of the
 * process and the thread, with the sum of the weights:
 *
 *	Web Content;GeckoMain;(root);XREMain::XRE_main;nsThread::Run 12
 *
 * Tables refer to each other by the numbers of their rows:
 *
 *	samples: stack -> stackTable: prefix, frame -> frameTable: func ->
 *	    funcTable: name -> stringArray
 *
 * In the form that Firefox itself writes, the frameTable has a location, a text
 * of the stringTable, instead of a func.  Newer versions have tables that all
 * threads share; before that each thread has its own.
 */
#include <stdlib.h>

#include "collapse/jsonfile.h"
#include "collapse/jsontable.h"
#include "collapse/native.h"
#include "fold/collapse.h"
#include "lib/intmap.h"
#include "lib/sort.h"

static bool pid, tid;
static struct native native = { .symfs = "" };

#define MILLI	1000	/* weights are kept as thousandths */

/* A program or library. */
struct gecko_lib {
	struct str path, name;
	struct str build_id;		/* in hexadecimal, or "" */
	struct str breakpad_id;		/* a part of it, in another form */
	uint64_t start, end;		/* addresses in a process, or 0 */
	uint64_t offset;		/* of `start` in the file */
};

/* For sort_by_number. */
struct lib_start {
	uint64_t start;
	const struct gecko_lib *lib;
};

/* It begins as { 0 }. */
struct gecko_libs {
	struct gecko_lib *list;	/* in the profile's order */
	size_t count, room;
	struct lib_start *order;	/* NULL until it is needed */
};

/* The tables of a thread, or shared tables; they begin as { 0 }. */
struct gecko_tables {
	struct column stack_prefix, stack_offset, stack_frame;
	struct column frame_func, frame_location, frame_address, frame_depth;
	struct column frame_lib, frame_line;
	struct column func_name, func_resource, func_js, func_file;
	struct column func_source, func_line, func_column;
	struct column resource_lib;
	struct column source_file;
	struct texts strings;
};

/* The unit of samples' weights. */
enum gecko_weight { WEIGHT_SAMPLES, WEIGHT_MILLISECONDS, WEIGHT_BYTES };

struct gecko_thread {
	struct gecko_tables tables;	/* first, for TABLE_ROWS; without
					   stacks if all threads share one */
	struct gecko *gecko;
	struct str name, process, pid, tid;
	struct gecko_libs libs;
	size_t of;			/* the number of its process */
	struct intmap stacks;		/* numbers those with samples, from 1 */
	struct counted_stack *counts;	/* by that number less 1 */
	size_t room;
	enum gecko_weight weight;
	size_t samples;			/* how many count */
};

struct counted_stack {
	int64_t stack;
	unsigned long long count;
};

/* A process: part of a profile, or the entire profile. */
struct gecko_process {
	struct gecko_libs libs;
	struct str product;		/* the program */
};

/* The content of a file. */
struct gecko {
	struct fold *fold;
	struct gecko_thread *list;	/* threads with samples that count */
	size_t count, room;
	struct gecko_process *processes;
	size_t process_count, process_room;
	struct gecko_tables shared;
	bool is_profile;		/* it has a version */
	unsigned long long negative;	/* samples that do not count */
	unsigned long long clamped;	/* weights that are too large */
	/* The thread whose stacks are named, and the names: */
	struct budget names_budget;	/* for all names of frames */
	const struct gecko_tables *tables;	/* of the thread */
	const struct texts *strings;
	struct gecko_libs *libs;
	struct intmap known;	/* calls, from 1, by frame and if a leaf */
	struct calls *calls;
	size_t call_count, call_room;
	bool has_paths;		/* the next two are made */
	struct table ids;	/* of libraries with a known path */
	const struct gecko_lib **paths;	/* the libraries of these ids */
	size_t path_room;
	struct arena arena;
	struct text names;
};

struct firefox {
	struct fold fold;
	bool has_weight;		/* a sample counted */
	enum gecko_weight weight;	/* of the first sample */
	unsigned long long negative;	/* samples, which are left out */
	unsigned long long clamped;	/* weights */
	unsigned long long others;	/* samples with other weights */
	struct json json;
};

/*
 * Libraries.
 */

static void
read_offset(struct json *json, void *at)
{
	double number = 0;

	json_number(json, &number);
	*(uint64_t *)at = number > 0 && number < 1.8e19 ? (uint64_t)number : 0;
}

#define AT(member)	offsetof(struct gecko_lib, member)

static const struct json_row lib_rows[] = {
	{ "start", read_offset, AT(start), NULL },
	{ "end", read_offset, AT(end), NULL },
	{ "offset", read_offset, AT(offset), NULL },
	{ "name", json_to_str, AT(name), NULL },
	{ "path", json_to_str, AT(path), NULL },
	{ "breakpadId", json_to_str, AT(breakpad_id), NULL },
	{ "codeId", json_to_str, AT(build_id), NULL },
	{ NULL, NULL, 0, NULL }
};

static void
read_lib(struct json *json, void *at)
{
	struct gecko_libs *libs = at;
	struct gecko_lib lib = { .start = 0 };

	json_object(json, lib_rows, &lib);
	*LIST_ADD(libs->list, libs->count, libs->room) = lib;
}

static void
libs_free(struct gecko_libs *libs)
{
	free(libs->list);
	free(libs->order);
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
#define TABLE_ROWS(in) \
	{ "stackTable", read_stacks, 0, NULL }, \
	{ "frameTable", read_frames, 0, NULL }, \
	{ "funcTable", NULL, 0, func_rows }, \
	{ "resourceTable", NULL, 0, resource_rows }, \
	{ "sources", NULL, 0, source_rows }, \
	{ "stringArray", json_to_texts, AT(in strings), NULL }, \
	{ "stringTable", json_to_texts, AT(in strings), NULL }

static const struct json_row table_rows[] = {
	TABLE_ROWS(),
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
		*LIST_AT(thread->counts, *number - 1, thread->room) =
		    (struct counted_stack){ stack, 0 };
	}
	sum = &thread->counts[*number - 1].count;
	thread->gecko->clamped += count > UINT64_MAX - *sum;
	*sum = count > UINT64_MAX - *sum ? UINT64_MAX : *sum + count;
	thread->samples++;
}

/* Returns a weight in units, as a column keeps it; ms count as us. */
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
	thread->gecko->clamped++;
	return units;
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

/* Adds up the samples of a thread by their stacks. */
static void
read_samples(struct json *json, void *at)
{
	struct gecko_thread *thread = at;
	struct read_samples read = { .weights = { .weights = true } };
	unsigned long long count;
	int64_t stack, weight;
	size_t i;

	json_table(json, sample_rows, &read);
	if (str_equal(read.type, STR("tracing-ms")))
		thread->weight = WEIGHT_MILLISECONDS;
	else if (str_equal(read.type, STR("bytes")))
		thread->weight = WEIGHT_BYTES;
	for (i = 0; i < read.stacks.count; i++) {
		stack = read.stacks.values[i];
		weight = read.weights.count > 0 ?
		    column_at(&read.weights, (int64_t)i) : MILLI;
		if (weight == COLUMN_NONE)
			weight = 0;
		count = read.weights.count > 0 ? scaled(thread, weight) : 1;
		if (stack >= 0 && weight == -1)
			thread->gecko->negative++;
		else if (stack >= 0 && count > 0)
			add_sample(thread, stack, count);
	}
	column_free(&read.stacks);
	column_free(&read.weights);
}

/*
 * Threads and processes.
 */

static void
free_thread(struct gecko_thread *thread)
{
	free_tables(&thread->tables);
	libs_free(&thread->libs);
	intmap_free(&thread->stacks);
	free(thread->counts);
}

#undef AT
#define AT(member)	offsetof(struct gecko_thread, member)

static const struct json_row thread_rows[] = {
	TABLE_ROWS(tables.),
	{ "name", json_to_name, AT(name), NULL },
	{ "processName", json_to_name, AT(process), NULL },
	{ "pid", json_to_name, AT(pid), NULL },
	{ "tid", json_to_name, AT(tid), NULL },
	{ "samples", read_samples, 0, NULL },
	{ "libs", read_lib, AT(libs), JSON_EACH },
	{ NULL, NULL, 0, NULL }
};

/* A process that is being read; it may contain others. */
struct read_process {
	struct gecko *gecko;
	size_t number;
	struct gecko_process process;
	bool has_version;
};

/* Reads a thread, and drops it if none of its samples counts. */
static void
read_thread(struct json *json, void *at)
{
	const struct read_process *process = at;
	struct gecko *gecko = process->gecko;
	struct gecko_thread *thread = LIST_ADD(gecko->list, gecko->count,
	    gecko->room);

	*thread = (struct gecko_thread){
		.gecko = gecko, .of = process->number
	};
	json_object(json, thread_rows, thread);
	if (thread->samples == 0) {
		free_thread(thread);
		gecko->count--;
	}
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

static void
end_process(struct gecko *gecko, const struct read_process *read)
{
	gecko->is_profile |= read->has_version;
	*LIST_AT(gecko->processes, read->number, gecko->process_room) =
	    read->process;
}

/* Reads a process within another one. */
static void
read_process(struct json *json, void *outer)
{
	struct gecko *gecko = ((struct read_process *)outer)->gecko;
	struct read_process read = {
		.gecko = gecko, .number = gecko->process_count++
	};

	json_object(json, profile_rows, &read);
	end_process(gecko, &read);
}

/*
 * Names of frames.
 */

/* Lists the libraries whose paths processes know, by their ids. */
static void
list_paths(struct gecko *gecko)
{
	const struct gecko_process *process = gecko->processes;
	const struct gecko_process *end = process +
	    gecko->process_count;
	const struct gecko_lib *lib;
	uint32_t before;
	size_t i;

	gecko->has_paths = true;
	for (; process < end; process++)
		for (i = 0; i < process->libs.count; i++) {
			lib = &process->libs.list[i];
			before = gecko->ids.count;
			if (lib->path.len == 0 || table_add(&gecko->ids,
			    lib->breakpad_id) != before)
				continue;
			*LIST_AT(gecko->paths, before, gecko->path_room) =
			    lib;
		}
}

/* Adds the functions at an address, relative to the start of a library. */
static void
add_native(struct gecko *gecko, const struct gecko_lib *lib,
    uint64_t address)
{
	uint32_t file, number;

	/* another process may know the path: some may not look at files */
	if (lib->path.len == 0 && lib->breakpad_id.len > 0) {
		if (!gecko->has_paths)
			list_paths(gecko);
		number = table_find(&gecko->ids, lib->breakpad_id);
		if (number != TABLE_NONE)
			lib = gecko->paths[number];
	}
	budget_take(&gecko->names_budget, lib->path.len + lib->name.len);
	file = native_file(&native,
	    lib->path.len > 0 ? lib->path : lib->name, lib->build_id);
	native_names(&native, file, NATIVE_RELATIVE, address,
	    &gecko->names);
}

/* Reads "0x7f518a6478ec"; false if the text is anything else. */
static bool
read_address(struct str text, uint64_t *address)
{
	struct str digits;

	if (!str_starts(text, STR("0x")) || text.len == 2 || text.len > 18)
		return false;
	digits = str_skip(text, 2);
	*address = str_hex(&digits);
	return digits.len == 0;
}

/* Cuts the number of a source off, "f (a.js:1:2)[26]". */
static struct str
without_source(struct str location)
{
	size_t open = str_find_last(location, '[');
	struct str rest = str_skip(location, open);

	if (open == location.len || open == 0 ||
	    !str_ends(rest, STR("]")) || rest.len < 3 ||
	    str_digits(str_skip(rest, 1)) != rest.len - 2)
		return location;
	return location.data[open - 1] == ')' ||
	    is_digit(location.data[open - 1]) ? str_take(location, open) :
	    location;
}

/*
 * Names a frame of a profile by Firefox.  Addresses of callers are return
 * addresses, so they may be past the end of their function.
 */
static bool
name_location(struct gecko *gecko, int64_t frame, bool is_leaf)
{
	struct gecko_libs *libs = gecko->libs;
	const struct gecko_lib *lib;
	struct str location;
	uint64_t address;
	size_t i;

	if (!texts_at(gecko->strings,
	    column_at(&gecko->tables->frame_location, frame), &location))
		return false;
	if (!read_address(location, &address)) {
		native_add_name(&gecko->names, without_source(location));
		return true;
	}
	if (!is_leaf && address > 0)
		address--;
	if (libs->order == NULL) {
		libs->order = mem_array(libs->count, sizeof(*libs->order));
		for (i = 0; i < libs->count; i++)
			libs->order[i] = (struct lib_start){
			    libs->list[i].start, &libs->list[i] };
		sort_by_number(libs->order, libs->count, sizeof(*libs->order));
	}
	i = sort_up_to(address, libs->order, libs->count,
	    sizeof(*libs->order));
	lib = i > 0 ? libs->order[i - 1].lib : NULL;
	if (lib != NULL && address < lib->end)
		add_native(gecko, lib, address - lib->start + lib->offset);
	else
		native_add_unknown(&native, STR(""), address, &gecko->names);
	return true;
}

/* Finds the file of a function; false if the profile has none. */
static bool
file_of(const struct gecko *gecko, int64_t function, struct str *file)
{
	const struct gecko_tables *tables = gecko->tables;
	int64_t text = column_at(&tables->func_file, function);

	if (text == COLUMN_NONE)
		text = column_at(&gecko->shared.source_file,
		    column_at(&tables->func_source, function));
	return texts_at(gecko->strings, text, file);
}

/* Adds the place of a function of JavaScript as Firefox does, " (a.js:1:2)". */
static void
add_script(struct gecko *gecko, int64_t function)
{
	const struct gecko_tables *tables = gecko->tables;
	int64_t line = column_at(&tables->func_line, function);
	int64_t column = column_at(&tables->func_column, function);
	struct text *names = &gecko->names;
	struct str file;

	if (!file_of(gecko, function, &file))
		return;
	text_add(names, STR(" ("));
	native_add_name(names, file);
	if (line >= 0)
		text_add_format(names, ":%lld", (long long)line);
	if (line >= 0 && column >= 0)
		text_add_format(names, ":%lld", (long long)column);
	text_add_char(names, ')');
}

/* Names a frame by its function. */
static bool
name_function(struct gecko *gecko, int64_t frame)
{
	const struct gecko_tables *tables = gecko->tables;
	int64_t function = column_at(&tables->frame_func, frame);
	int64_t address = column_at(&tables->frame_address, frame);
	int64_t line = column_at(&tables->frame_line, frame);
	int64_t lib = tables->frame_lib.count > 0 ?
	    column_at(&tables->frame_lib, frame) :
	    column_at(&tables->resource_lib,
	    column_at(&tables->func_resource, function));
	struct str name, file;
	uint64_t told;

	if (!texts_at(gecko->strings,
	    column_at(&tables->func_name, function), &name))
		return false;
	if (lib >= 0 && (uint64_t)lib < gecko->libs->count && address >= 0 &&
	    read_address(name, &told)) {
		add_native(gecko, &gecko->libs->list[lib],
		    (uint64_t)address);
		return true;
	}
	native_add_name(&gecko->names, name);
	if (column_at(&tables->func_js, function) > 0)
		add_script(gecko, function);
	if (native.lines && line >= 0 && file_of(gecko, function, &file))
		folded_add_line(&gecko->names, str_base(file), (uint64_t)line);
	if (column_at(&tables->frame_depth, frame) > 0)
		text_add(&gecko->names, STR("_[i]"));
	return true;
}

/* Returns the calls of a frame; NULL if the table has no such number. */
static const struct calls *
find_calls(struct gecko *gecko, int64_t frame, bool is_leaf)
{
	const struct gecko_tables *tables = gecko->tables;
	bool raw = tables->frame_location.count > 0;
	uint64_t key = 2 * (uint64_t)frame + is_leaf;
	uint32_t known;

	if (frame < 0 || (uint64_t)frame >= (raw ?
	    tables->frame_location.count : tables->frame_func.count))
		return NULL;
	known = intmap_find(&gecko->known, key);
	if (known != 0)
		return &gecko->calls[known - 1];
	gecko->names.len = 0;
	if (!(raw ? name_location(gecko, frame, is_leaf) :
	    name_function(gecko, frame)) ||
	    !budget_take(&gecko->names_budget, gecko->names.len))
		return NULL;
	*LIST_ADD(gecko->calls, gecko->call_count, gecko->call_room) =
	    calls_keep(namer_calls(&gecko->fold->namer,
	    text_str(&gecko->names)), &gecko->arena);
	*intmap_at(&gecko->known, key) = (uint32_t)gecko->call_count;
	return &gecko->calls[gecko->call_count - 1];
}

/*
 * Stacks.
 */

/*
 * Steps from a stack to the one that called its frame, or to COLUMN_NONE from a
 * root; false if that one does not come before it in the table.
 */
static bool
step(const struct gecko_tables *tables, int64_t *number)
{
	int64_t at = *number, offset;

	if (tables->stack_offset.count > 0) {
		offset = column_at(&tables->stack_offset, at);
		if (offset < 0 || offset > at)
			return false;
		*number = offset == 0 ? COLUMN_NONE : at - offset;
		return true;
	}
	*number = column_at(&tables->stack_prefix, at);
	if (*number < 0)
		*number = COLUMN_NONE;
	return *number < at;
}

/* Adds the frames of a stack; none for COLUMN_NONE.  False if invalid. */
static bool
push_stack(struct gecko *gecko, int64_t number)
{
	const struct calls *calls;
	bool is_leaf = true;
	size_t depth;
	int64_t frame;

	for (depth = 0; number != COLUMN_NONE; depth++, is_leaf = false) {
		if (depth == FOLD_DEPTH) {
			gecko->fold->deep++;
			break;
		}
		frame = column_at(&gecko->tables->stack_frame, number);
		calls = find_calls(gecko, frame, is_leaf);
		if (calls == NULL || !step(gecko->tables, &number))
			return false;
		if (!native.not_inlined ||
		    column_at(&gecko->tables->frame_depth, frame) <= 0)
			calls_push(&gecko->fold->stack, *calls);
	}
	return true;
}

/*
 * Threads and files.
 */

/* Adds a root to a stack, with a number if it is wanted: "java-4711". */
static void
push_root(struct fold *fold, struct str name, struct str id, bool numbered,
    struct stack *stack)
{
	struct text *root = &fold->name;

	root->len = 0;
	native_add_name(root, name);
	if (numbered && id.len > 0) {
		text_add_char(root, '-');
		native_add_name(root, id);
	}
	calls_push(stack, namer_calls(&fold->namer, text_str(root)));
}

/* Folds the stacks of a thread; false if its tables make no sense. */
static bool
fold_thread(struct firefox *firefox, struct gecko *gecko,
    struct gecko_thread *thread)
{
	struct gecko_process *process = &gecko->processes[thread->of];
	/* in newer profiles all threads share the tables */
	const struct gecko_tables *tables =
	    thread->tables.stack_frame.count > 0 ? &thread->tables :
	    &gecko->shared;
	struct gecko_libs *libs = thread->libs.count > 0 ? &thread->libs :
	    &process->libs;
	struct fold *fold = &firefox->fold;
	struct stack roots = { 0 };
	bool good = true;
	size_t i, j;

	push_root(fold, thread->name, thread->tid, tid, &roots);
	push_root(fold, thread->process.len > 0 ? thread->process :
	    process->product, thread->pid, pid, &roots);
	/* the names of frames depend on the tables and libraries alone */
	if (tables != gecko->tables || libs != gecko->libs) {
		intmap_free(&gecko->known);
		arena_free(&gecko->arena);
		gecko->call_count = 0;
	}
	gecko->tables = tables;
	gecko->strings = tables->strings.count > 0 ? &tables->strings :
	    &gecko->shared.strings;
	gecko->libs = libs;
	for (i = 0; good && i < thread->stacks.count; i++) {
		fold->stack.depth = 0;
		good = push_stack(gecko, thread->counts[i].stack);
		for (j = 0; j < roots.depth; j++)
			stack_push(&fold->stack, roots.frames[j]);
		if (good)
			stacks_add(&fold->stacks, &fold->stack,
			    thread->counts[i].count);
	}
	free(roots.frames);
	fold->counts.samples += good ? thread->samples : 0;
	return good;
}

/* Folds all threads; returns NULL, or the reason why it cannot. */
static const char *
fold_threads(struct firefox *firefox, struct gecko *gecko)
{
	struct gecko_thread *thread;
	bool good = true;
	size_t i;

	for (i = 0; good && i < gecko->count; i++) {
		thread = &gecko->list[i];
		if (!firefox->has_weight)
			firefox->weight = thread->weight;
		firefox->has_weight = true;
		if (thread->weight != firefox->weight)
			firefox->others += thread->samples;
		else
			good = fold_thread(firefox, gecko, thread);
	}
	firefox->negative += gecko->negative;
	firefox->clamped += gecko->clamped;
	if (gecko->names_budget.made > gecko->names_budget.most)
		return "the names of its frames add up to more than 400 times "
		    "its size";
	return good ? NULL : "it is damaged: a stack refers to a missing "
	    "frame or caller";
}

/* Folds the content of a file; returns NULL, or the reason why it cannot. */
static const char *
fold_file(struct fold *fold, struct content *content)
{
	struct firefox *firefox = (struct firefox *)fold;
	struct gecko gecko = { .fold = fold, .process_count = 1 };
	struct read_process read = { .gecko = &gecko };
	const char *reason = jsonfile_read(&firefox->json, fold, content,
	    "a profile of the Firefox profiler", profile_rows, &read);
	size_t i;

	end_process(&gecko, &read);
	gecko.names_budget = content_budget(content->packed);
	if (reason == NULL && !gecko.is_profile)
		reason = "it is not a profile of the Firefox profiler, but "
		    "other JSON";
	else if (reason == NULL)
		reason = fold_threads(firefox, &gecko);
	for (i = 0; i < gecko.count; i++)
		free_thread(&gecko.list[i]);
	for (i = 0; i < gecko.process_count; i++)
		libs_free(&gecko.processes[i].libs);
	intmap_free(&gecko.known);
	free(gecko.calls);
	table_free(&gecko.ids);
	free(gecko.paths);
	free(gecko.names.data);
	arena_free(&gecko.arena);
	free_tables(&gecko.shared);
	free(gecko.list);
	free(gecko.processes);
	return reason;
}

static void
report(struct fold *fold)
{
	const struct firefox *firefox = (const struct firefox *)fold;

	fold_report_lost(fold, "samples with a negative weight, left out",
	    firefox->negative);
	fold_report_lost(fold, "weights that are too large, counted as less",
	    firefox->clamped);
	fold_report_lost(fold, "samples whose weights have another unit than "
	    "the first, left out", firefox->others);
	native_report(&native);
}

static const struct option options[] = {
	{ "pid", OPTION_FLAG, &pid, NULL,
	    "add the process's number to its name" },
	{ "tid", OPTION_FLAG, &tid, NULL,
	    "add the thread's number to its name" },
	NATIVE_OPTIONS(native),
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

const struct format collapser = {
	.kind = &kinds[KIND_FIREFOX], .size = sizeof(struct firefox),
	.file = fold_file, .report = report,
	.nothing = "no sample has a stack",
	.options = options, .adds_folded = true,
};
