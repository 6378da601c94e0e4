/*
 * stackcollapse-firefox: folds profiles of the Firefox profiler, in JSON,
 * packed by gzip or not: of Firefox, profiler.firefox.com, samply and others.
 *
 * A profile has the threads of some processes.  A sample has the number of a
 * stack and a weight.  Stacks begin with the names of process and thread:
 *
 *	Web Content;GeckoMain;(root);XREMain::XRE_main;nsThread::Run 12
 *
 * Tables refer to each other by the numbers of their rows:
 *
 *	samples: stack -> stackTable: prefix, frame -> frameTable: func ->
 *	    funcTable: name -> stringArray
 *
 * In the form that Firefox itself writes, the frameTable has a location, a text
 * of the stringTable, instead of a func.  Each thread has tables of its own, or
 * all share some, in newer versions.
 */
#include <stdlib.h>

#include "collapse/jsonfile.h"
#include "collapse/native.h"
#include "fold/collapse.h"
#include "lib/intmap.h"
#include "lib/sort.h"

static bool pid, tid;
static struct native native = { .symfs = "" };

#define MILLI	1000	/* weights are kept as thousandths */

/* A program or library. */
struct gecko_lib {
	uint64_t start, end;		/* addresses in a process, or 0; `start`
					   is first for sort_by_number */
	uint64_t offset;		/* of `start` in the file */
	struct str path, name;
	struct str build_id;		/* in hexadecimal, or "" */
	struct str breakpad_id;		/* a part of it, in another form */
};

struct gecko_libs {
	struct gecko_lib *list;	/* in the profile's order */
	size_t count, room;
	struct gecko_lib *order;	/* sorted; NULL until it is needed */
};

/* Texts by their number. */
struct texts {
	struct str *list;
	size_t count, room;
};

/* The columns of the tables. */
enum { STACK_PREFIX, STACK_OFFSET, STACK_FRAME, FRAME_FUNC, FRAME_LOCATION,
	FRAME_ADDRESS, FRAME_DEPTH, FRAME_LIB, FRAME_LINE, FUNC_NAME,
	FUNC_RESOURCE, FUNC_JS, FUNC_FILE, FUNC_SOURCE, FUNC_LINE, FUNC_COLUMN,
	RESOURCE_LIB, SOURCE_FILE, COLUMNS };

/* The tables of a thread, or shared tables. */
struct gecko_tables {
	struct column columns[COLUMNS];
	struct texts strings;
};

/* The unit of samples' weights. */
enum gecko_weight { WEIGHT_UNKNOWN, WEIGHT_SAMPLES, WEIGHT_MILLISECONDS,
	WEIGHT_BYTES };

struct gecko_thread {
	struct gecko_tables tables;	/* first, for TABLE_ROWS; without
					   stacks if they are shared */
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
	struct gecko *gecko;
	size_t number;
	struct gecko_libs libs;
	struct str product;		/* the program */
	bool has_version;
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
	struct table ids;	/* of libraries with a known path */
	const struct gecko_lib **paths;	/* the libraries of these ids */
	size_t path_room;
	struct arena arena;
};

struct firefox {
	struct fold fold;
	enum gecko_weight weight;	/* of the first sample */
	unsigned long long negative;	/* samples left out */
	unsigned long long clamped;	/* weights */
	unsigned long long others;	/* samples with other weights */
	struct json json;
};

static void
read_offset(struct json *json, void *at)
{
	double number = 0;

	json_to_double(json, &number);
	*(uint64_t *)at = number > 0 && number < 1.8e19 ? (uint64_t)number : 0;
}

#define LIB(member)	offsetof(struct gecko_lib, member)

static const struct json_row lib_rows[] = {
	{ "start", read_offset, LIB(start), NULL },
	{ "end", read_offset, LIB(end), NULL },
	{ "offset", read_offset, LIB(offset), NULL },
	{ "name", json_to_str, LIB(name), NULL },
	{ "path", json_to_str, LIB(path), NULL },
	{ "breakpadId", json_to_str, LIB(breakpad_id), NULL },
	{ "codeId", json_to_str, LIB(build_id), NULL },
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
 * Tables.  Firefox itself writes rows, whose last values may be missing:
 *
 *	{ "schema": { "prefix": 0, "frame": 1 },
 *	  "data": [ [null, 0], [0, 1] ] }
 *
 * and programs that have processed a profile, or made one, write columns:
 *
 *	{ "prefix": [null, 0], "frame": [0, 1], "length": 2 }
 */

#define FIELDS_MOST	32	/* of the rows of a table */

/* Reads the place of each column in a row: { "prefix": 0, "frame": 1 }. */
static void
read_schema(struct json *json, const struct json_row *rows, void *at,
    struct column *places[FIELDS_MOST])
{
	const struct json_row *row;
	struct str key;
	double place;

	if (!json_enters(json, JSON_OBJECT))
		return;
	while (json_member(json, &key)) {
		row = json_find_row(rows, key);
		place = -1;
		json_to_double(json, &place);
		if (row != NULL && row->reader == json_to_column &&
		    place >= 0 && place < FIELDS_MOST)
			places[(size_t)place] =
			    (void *)((char *)at + row->offset);
	}
}

static void
read_row(struct json *json, struct column *places[FIELDS_MOST])
{
	size_t count = 0;

	if (!json_enters(json, JSON_ARRAY))
		return;
	for (; json_element(json); count++)
		if (count < FIELDS_MOST && places[count] != NULL)
			column_add(places[count], column_cell(json,
			    places[count]->weights));
		else
			json_skip(json);
	for (; count < FIELDS_MOST; count++)
		if (places[count] != NULL)
			column_add(places[count], COLUMN_NONE);
}

/*
 * Reads the next value, a table.  Rows with json_to_column are its columns;
 * other rows are members of the table itself.
 */
static void
read_table(struct json *json, const struct json_row *rows, void *at)
{
	struct column *places[FIELDS_MOST] = { NULL };
	const struct json_row *row;
	struct str key;

	if (!json_enters(json, JSON_OBJECT))
		return;
	while (json_member(json, &key)) {
		row = json_find_row(rows, key);
		if (row != NULL)
			row->reader(json, (char *)at + row->offset);
		else if (str_equal(key, STR("schema")))
			read_schema(json, rows, at, places);
		else if (!str_equal(key, STR("data")))
			json_skip(json);
		else if (json_enters(json, JSON_ARRAY))
			while (json_element(json))
				read_row(json, places);
	}
}

static void
read_text(struct json *json, void *at)
{
	struct texts *texts = at;

	json_to_str(json, LIST_ADD(texts->list, texts->count, texts->room));
}

/* Finds a text by its number; false if it is missing. */
static bool
texts_at(const struct texts *texts, int64_t number, struct str *text)
{
	if (number < 0 || (uint64_t)number >= texts->count)
		return false;
	*text = texts->list[number];
	return true;
}

/* Returns the number in a row; COLUMN_NONE beyond the last. */
static int64_t
cell(const struct gecko_tables *tables, int number, int64_t row)
{
	const struct column *column = &tables->columns[number];

	return row >= 0 && (uint64_t)row < column->count ?
	    column->values[row] : COLUMN_NONE;
}

#define COLUMN(number)	offsetof(struct gecko_tables, columns[number])
#define STRINGS	offsetof(struct gecko_tables, strings)

static const struct json_row stack_rows[] = {
	{ "prefix", json_to_column, COLUMN(STACK_PREFIX), NULL },
	{ "prefixOffset", json_to_column, COLUMN(STACK_OFFSET), NULL },
	{ "frame", json_to_column, COLUMN(STACK_FRAME), NULL },
	{ NULL, NULL, 0, NULL }
};

static const struct json_row frame_rows[] = {
	{ "func", json_to_column, COLUMN(FRAME_FUNC), NULL },
	{ "location", json_to_column, COLUMN(FRAME_LOCATION), NULL },
	{ "address", json_to_column, COLUMN(FRAME_ADDRESS), NULL },
	{ "inlineDepth", json_to_column, COLUMN(FRAME_DEPTH), NULL },
	{ "lib", json_to_column, COLUMN(FRAME_LIB), NULL },
	{ "line", json_to_column, COLUMN(FRAME_LINE), NULL },
	{ NULL, NULL, 0, NULL }
};

static const struct json_row func_rows[] = {
	{ "name", json_to_column, COLUMN(FUNC_NAME), NULL },
	{ "resource", json_to_column, COLUMN(FUNC_RESOURCE), NULL },
	{ "isJS", json_to_column, COLUMN(FUNC_JS), NULL },
	{ "fileName", json_to_column, COLUMN(FUNC_FILE), NULL },
	{ "source", json_to_column, COLUMN(FUNC_SOURCE), NULL },
	{ "lineNumber", json_to_column, COLUMN(FUNC_LINE), NULL },
	{ "columnNumber", json_to_column, COLUMN(FUNC_COLUMN), NULL },
	{ NULL, NULL, 0, NULL }
};

static const struct json_row resource_rows[] = {
	{ "lib", json_to_column, COLUMN(RESOURCE_LIB), NULL },
	{ NULL, NULL, 0, NULL }
};

static const struct json_row source_rows[] = {
	{ "filename", json_to_column, COLUMN(SOURCE_FILE), NULL },
	{ NULL, NULL, 0, NULL }
};

static void
read_stacks(struct json *json, void *tables)
{
	read_table(json, stack_rows, tables);
}

static void
read_frames(struct json *json, void *tables)
{
	read_table(json, frame_rows, tables);
}

/* Firefox itself writes none of the tables that are objects here. */
#define TABLE_ROWS \
	{ "stackTable", read_stacks, 0, NULL }, \
	{ "frameTable", read_frames, 0, NULL }, \
	{ "funcTable", NULL, 0, func_rows }, \
	{ "resourceTable", NULL, 0, resource_rows }, \
	{ "sources", NULL, 0, source_rows }, \
	{ "stringArray", read_text, STRINGS, JSON_EACH }, \
	{ "stringTable", read_text, STRINGS, JSON_EACH }

static const struct json_row table_rows[] = {
	TABLE_ROWS,
	{ NULL, NULL, 0, NULL }
};

static void
free_tables(struct gecko_tables *tables)
{
	size_t i;

	for (i = 0; i < COLUMNS; i++)
		free(tables->columns[i].values);
	free(tables->strings.list);
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
	uint64_t units = 0 - (uint64_t)weight;

	if (weight == -1 || weight == COLUMN_NONE)
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

#define SAMPLES(member)	offsetof(struct read_samples, member)

static const struct json_row sample_rows[] = {
	{ "stack", json_to_column, SAMPLES(stacks), NULL },
	{ "weight", json_to_column, SAMPLES(weights), NULL },
	{ "weightType", json_to_str, SAMPLES(type), NULL },
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

	read_table(json, sample_rows, &read);
	if (str_equal(read.type, STR("tracing-ms")))
		thread->weight = WEIGHT_MILLISECONDS;
	else if (str_equal(read.type, STR("bytes")))
		thread->weight = WEIGHT_BYTES;
	for (i = 0; i < read.stacks.count; i++) {
		stack = read.stacks.values[i];
		weight = i < read.weights.count ? read.weights.values[i] :
		    COLUMN_NONE;
		count = read.weights.count > 0 ? scaled(thread, weight) : 1;
		if (stack >= 0 && weight == -1)
			thread->gecko->negative++;
		else if (stack >= 0 && count > 0)
			add_sample(thread, stack, count);
	}
	free(read.stacks.values);
	free(read.weights.values);
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

#define THREAD(member)	offsetof(struct gecko_thread, member)

static const struct json_row thread_rows[] = {
	TABLE_ROWS,
	{ "name", json_to_name, THREAD(name), NULL },
	{ "processName", json_to_name, THREAD(process), NULL },
	{ "pid", json_to_name, THREAD(pid), NULL },
	{ "tid", json_to_name, THREAD(tid), NULL },
	{ "samples", read_samples, 0, NULL },
	{ "libs", read_lib, THREAD(libs), JSON_EACH },
	{ NULL, NULL, 0, NULL }
};

/* Reads a thread.  Drops one without samples: some profiles have thousands. */
static void
read_thread(struct json *json, void *at)
{
	const struct gecko_process *process = at;
	struct gecko *gecko = process->gecko;
	struct gecko_thread *thread = LIST_ADD(gecko->list, gecko->count,
	    gecko->room);
	struct arena before = json->texts;

	*thread = (struct gecko_thread){
		.gecko = gecko, .of = process->number,
		.weight = WEIGHT_SAMPLES
	};
	json_object(json, thread_rows, thread);
	if (thread->samples == 0) {
		free_thread(thread);
		arena_free_since(&json->texts, before);
		gecko->count--;
	}
}

static void
read_shared(struct json *json, void *process)
{
	json_object(json, table_rows,
	    &((struct gecko_process *)process)->gecko->shared);
}

#define PROCESS(member)	offsetof(struct gecko_process, member)

static const struct json_row meta_rows[] = {
	{ "version", json_to_flag, PROCESS(has_version), NULL },
	{ "product", json_to_name, PROCESS(product), NULL },
	{ NULL, NULL, 0, NULL }
};

static json_reader read_process;

static const struct json_row profile_rows[] = {
	{ "meta", NULL, 0, meta_rows },
	{ "libs", read_lib, PROCESS(libs), JSON_EACH },
	{ "shared", read_shared, 0, NULL },
	{ "threads", read_thread, 0, JSON_EACH },
	{ "processes", read_process, 0, JSON_EACH },
	{ NULL, NULL, 0, NULL }
};

static void
end_process(struct gecko *gecko, const struct gecko_process *process)
{
	gecko->is_profile |= process->has_version;
	*LIST_AT(gecko->processes, process->number, gecko->process_room) =
	    *process;
}

static void
read_process(struct json *json, void *outer)
{
	struct gecko *gecko = ((struct gecko_process *)outer)->gecko;
	struct gecko_process process = {
		.gecko = gecko, .number = gecko->process_count++
	};

	json_object(json, profile_rows, &process);
	end_process(gecko, &process);
}

/*
 * Names of frames.
 */

/* Lists the libraries whose paths processes know, by their ids. */
static void
list_paths(struct gecko *gecko)
{
	const struct gecko_libs *libs;
	const struct gecko_lib *lib;
	size_t at, i;
	uint32_t before;

	for (at = 0; at < gecko->process_count; at++) {
		libs = &gecko->processes[at].libs;
		for (i = 0; i < libs->count; i++) {
			lib = &libs->list[i];
			before = gecko->ids.count;
			if (lib->path.len > 0 && table_add(&gecko->ids,
			    lib->breakpad_id) == before)
				*LIST_AT(gecko->paths, before,
				    gecko->path_room) = lib;
		}
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
		number = table_find(&gecko->ids, lib->breakpad_id);
		if (number != TABLE_NONE)
			lib = gecko->paths[number];
	}
	budget_take(&gecko->names_budget, lib->path.len + lib->name.len);
	file = native_file(&native,
	    lib->path.len > 0 ? lib->path : lib->name, lib->build_id);
	native_names(&native, file, NATIVE_RELATIVE, address,
	    &gecko->fold->name);
}

/* Reads "0x7f518a6478ec"; false if the text is anything else. */
static bool
read_address(struct str text, uint64_t *address)
{
	if (!str_starts(text, STR("0x")) || text.len == 2 || text.len > 18)
		return false;
	text = str_skip(text, 2);
	*address = str_hex(&text);
	return text.len == 0;
}

/* Cuts the number of a source off, "f (a.js:1:2)[26]". */
static struct str
without_source(struct str location)
{
	size_t open = str_find_last(location, '[');
	struct str rest = str_skip(location, open);

	if (open > 0 && rest.len > 2 && str_ends(rest, STR("]")) &&
	    str_digits(str_skip(rest, 1)) == rest.len - 2 &&
	    (location.data[open - 1] == ')' ||
	    is_digit(location.data[open - 1])))
		return str_take(location, open);
	return location;
}

/*
 * Names a frame of a profile by Firefox.  Addresses of callers are return
 * addresses, so they may be past the end of their function.
 */
static bool
name_location(struct gecko *gecko, int64_t frame, bool is_leaf)
{
	struct gecko_libs *libs = gecko->libs;
	struct text *names = &gecko->fold->name;
	const struct gecko_lib *lib;
	struct str location;
	uint64_t address;
	size_t i;

	if (!texts_at(gecko->strings,
	    cell(gecko->tables, FRAME_LOCATION, frame), &location))
		return false;
	if (!read_address(location, &address)) {
		native_add_name(names, without_source(location));
		return true;
	}
	if (!is_leaf && address > 0)
		address--;
	if (libs->order == NULL) {
		libs->order = mem_array(libs->count, sizeof(*libs->order));
		for (i = 0; i < libs->count; i++)
			libs->order[i] = libs->list[i];
		sort_by_number(libs->order, libs->count, sizeof(*libs->order));
	}
	i = sort_up_to(address, libs->order, libs->count,
	    sizeof(*libs->order));
	lib = &libs->order[i - (i > 0)];
	if (i > 0 && address < lib->end)
		add_native(gecko, lib, address - lib->start + lib->offset);
	else
		native_add_unknown(&native, STR(""), address, names);
	return true;
}

/* Finds the file of a function; false if the profile has none. */
static bool
file_of(const struct gecko *gecko, int64_t function, struct str *file)
{
	const struct gecko_tables *tables = gecko->tables;
	int64_t text = cell(tables, FUNC_FILE, function);

	if (text == COLUMN_NONE)
		text = cell(&gecko->shared, SOURCE_FILE,
		    cell(tables, FUNC_SOURCE, function));
	return texts_at(gecko->strings, text, file);
}

/* Adds the place of a function of JavaScript as Firefox does, " (a.js:1:2)". */
static void
add_script(struct gecko *gecko, int64_t function)
{
	const struct gecko_tables *tables = gecko->tables;
	int64_t line = cell(tables, FUNC_LINE, function);
	int64_t column = cell(tables, FUNC_COLUMN, function);
	struct text *names = &gecko->fold->name;
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
	struct text *names = &gecko->fold->name;
	int64_t function = cell(tables, FRAME_FUNC, frame);
	int64_t address = cell(tables, FRAME_ADDRESS, frame);
	int64_t line = cell(tables, FRAME_LINE, frame);
	int64_t lib = tables->columns[FRAME_LIB].count > 0 ?
	    cell(tables, FRAME_LIB, frame) :
	    cell(tables, RESOURCE_LIB, cell(tables, FUNC_RESOURCE, function));
	struct str name, file;
	uint64_t told;

	if (!texts_at(gecko->strings,
	    cell(tables, FUNC_NAME, function), &name))
		return false;
	if (lib >= 0 && (uint64_t)lib < gecko->libs->count && address >= 0 &&
	    read_address(name, &told)) {
		add_native(gecko, &gecko->libs->list[lib], (uint64_t)address);
		return true;
	}
	native_add_name(names, name);
	if (cell(tables, FUNC_JS, function) > 0)
		add_script(gecko, function);
	if (native.lines && line >= 0 && file_of(gecko, function, &file))
		folded_add_line(names, str_base(file), (uint64_t)line);
	if (cell(tables, FRAME_DEPTH, frame) > 0)
		text_add(names, STR("_[i]"));
	return true;
}

/* Returns the calls of a frame; NULL if the table has no such number. */
static const struct calls *
find_calls(struct gecko *gecko, int64_t frame, bool is_leaf)
{
	uint64_t key = 2 * (uint64_t)frame + is_leaf;
	uint32_t known;

	if (frame < 0)
		return NULL;
	known = intmap_find(&gecko->known, key);
	if (known != 0)
		return &gecko->calls[known - 1];
	gecko->fold->name.len = 0;
	if (!(gecko->tables->columns[FRAME_LOCATION].count > 0 ?
	    name_location(gecko, frame, is_leaf) :
	    name_function(gecko, frame)) ||
	    !budget_take(&gecko->names_budget, gecko->fold->name.len))
		return NULL;
	*LIST_ADD(gecko->calls, gecko->call_count, gecko->call_room) =
	    calls_keep(namer_calls(&gecko->fold->namer,
	    text_str(&gecko->fold->name)), &gecko->arena);
	*intmap_at(&gecko->known, key) = (uint32_t)gecko->call_count;
	return &gecko->calls[gecko->call_count - 1];
}

/*
 * Steps from a stack to the one that called its frame, below 0 from a root;
 * false if that one does not come before it in the table.
 */
static bool
step(const struct gecko_tables *tables, int64_t *number)
{
	int64_t at = *number, offset = cell(tables, STACK_OFFSET, at);

	if (tables->columns[STACK_OFFSET].count == 0)
		*number = cell(tables, STACK_PREFIX, at);
	else if (offset < 0 || offset > at)
		return false;
	else
		*number = offset == 0 ? -1 : at - offset;
	return *number < at;
}

/* Adds the frames of a stack; false if the tables make no sense. */
static bool
push_stack(struct gecko *gecko, int64_t number)
{
	const struct calls *calls;
	bool is_leaf = true;
	size_t depth;
	int64_t frame;

	for (depth = 0; number >= 0; depth++, is_leaf = false) {
		if (depth == FOLD_DEPTH) {
			gecko->fold->deep++;
			break;
		}
		frame = cell(gecko->tables, STACK_FRAME, number);
		calls = find_calls(gecko, frame, is_leaf);
		if (calls == NULL || !step(gecko->tables, &number))
			return false;
		if (!native.not_inlined ||
		    cell(gecko->tables, FRAME_DEPTH, frame) <= 0)
			calls_push(&gecko->fold->stack, *calls);
	}
	return true;
}

/*
 * Threads and files.
 */

/* Returns the number of a root, with an id if it is wanted: "java-4711". */
static uint32_t
name_root(struct fold *fold, struct str name, struct str id, bool numbered)
{
	struct text *root = &fold->name;

	root->len = 0;
	native_add_name(root, name);
	if (numbered && id.len > 0) {
		text_add_char(root, '-');
		native_add_name(root, id);
	}
	return fold_name(fold, text_str(root));
}

/* Folds the stacks of a thread; false if its tables make no sense. */
static bool
fold_thread(struct gecko *gecko, struct gecko_thread *thread)
{
	struct gecko_process *process = &gecko->processes[thread->of];
	/* in newer profiles all threads share the tables */
	const struct gecko_tables *tables =
	    thread->tables.columns[STACK_FRAME].count > 0 ? &thread->tables :
	    &gecko->shared;
	struct gecko_libs *libs = thread->libs.count > 0 ? &thread->libs :
	    &process->libs;
	struct fold *fold = gecko->fold;
	uint32_t inner = name_root(fold, thread->name, thread->tid, tid);
	uint32_t outer = name_root(fold, thread->process.len > 0 ?
	    thread->process : process->product, thread->pid, pid);
	bool good = true;
	size_t i;

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
		stack_push(&fold->stack, inner);
		stack_push(&fold->stack, outer);
		if (good)
			stacks_add(&fold->stacks, &fold->stack,
			    thread->counts[i].count);
	}
	fold->counts.samples += good ? thread->samples : 0;
	return good;
}

static const char *
fold_threads(struct firefox *firefox, struct gecko *gecko)
{
	struct gecko_thread *thread;
	bool good = true;
	size_t i;

	list_paths(gecko);
	for (i = 0; good && i < gecko->count; i++) {
		thread = &gecko->list[i];
		if (firefox->weight == WEIGHT_UNKNOWN)
			firefox->weight = thread->weight;
		if (thread->weight != firefox->weight)
			firefox->others += thread->samples;
		else
			good = fold_thread(gecko, thread);
	}
	firefox->negative += gecko->negative;
	firefox->clamped += gecko->clamped;
	if (gecko->names_budget.made > gecko->names_budget.most)
		return "the names of its frames add up to more than 400 times "
		    "its size";
	return good ? NULL : "it is damaged: a stack refers to a missing "
	    "frame or caller";
}

static const char *
fold_file(struct fold *fold, struct content *content)
{
	struct firefox *firefox = (struct firefox *)fold;
	struct gecko gecko = { .fold = fold, .process_count = 1 };
	struct gecko_process whole = { .gecko = &gecko };
	const char *reason = jsonfile_read(&firefox->json, fold, content,
	    "a profile of the Firefox profiler", profile_rows, &whole);
	size_t i;

	end_process(&gecko, &whole);
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
