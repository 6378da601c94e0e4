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
 */
#include <stdlib.h>

#include "collapse/firefox/gecko.h"
#include "collapse/jsonfile.h"
#include "collapse/native.h"
#include "fold/calls.h"
#include "fold/collapse.h"
#include "lib/options.h"

static bool pid, tid;
static struct native native = { .symfs = "" };

struct firefox {
	struct fold fold;
	bool has_weight;		/* a sample counted */
	enum gecko_weight weight;	/* of the first sample */
	unsigned long long idle;	/* samples without a stack */
	unsigned long long negative;	/* samples, which are left out */
	unsigned long long clamped;	/* weights */
	unsigned long long others;	/* samples with other weights */
	struct json json;
};

/*
 * The stacks of a thread, by the names of their frames.  The profile names the
 * function of a frame, or has only an address, for which native.h finds a name.
 * The struct begins with its first three members set.
 */
struct thread_stacks {
	const struct gecko *gecko;
	struct fold *fold;
	struct budget names_budget;	/* for all names of frames */
	const struct gecko_tables *tables;	/* of the thread */
	const struct texts *strings;
	struct gecko_libs *libs;
	struct calls *known;	/* by frame, twice: as a caller, as a leaf */
	size_t known_room;
	size_t *used;		/* the numbers of the calls in known */
	size_t used_count, used_room;
	bool has_paths;		/* the next two are made */
	struct table ids;	/* of libraries with a known path */
	const struct gecko_lib **paths;	/* the libraries of these ids */
	size_t path_room;
	struct arena arena;
	struct text names;
};

static size_t
frame_count(const struct gecko_tables *tables)
{
	return tables->frame_location.count > 0 ?
	    tables->frame_location.count : tables->frame_func.count;
}

/*
 * Forgets the frames of other tables.  Many threads may have one sample each,
 * and tables of many frames, so only the used ones are cleared.
 */
static void
forget(struct thread_stacks *stacks, size_t frames)
{
	for (; stacks->used_count > 0; stacks->used_count--)
		stacks->known[stacks->used[stacks->used_count - 1]] =
		    (struct calls){ .count = 0 };
	arena_free(&stacks->arena);
	if (2 * frames <= stacks->known_room && stacks->known != NULL)
		return;
	free(stacks->known);
	stacks->known = mem_array(2 * frames, sizeof(*stacks->known));
	stacks->known_room = 2 * frames;
}

/*
 * Begins with a thread.  It must live until the next one begins; its libraries
 * may move.
 */
static void
begin_thread(struct thread_stacks *stacks, struct gecko_thread *thread)
{
	const struct gecko *gecko = stacks->gecko;
	/* in newer profiles all threads share the tables */
	const struct gecko_tables *tables = thread->tables != NULL ?
	    thread->tables : &gecko->shared;
	struct gecko_libs *libs = thread->libs.count > 0 ? &thread->libs :
	    &gecko->processes[thread->of].libs;

	/* The names of frames depend on the tables and libraries alone. */
	if (tables != stacks->tables || libs != stacks->libs)
		forget(stacks, frame_count(tables));
	stacks->tables = tables;
	stacks->strings = tables->strings.count > 0 ? &tables->strings :
	    &gecko->shared.strings;
	stacks->libs = libs;
}

/*
 * Names of frames.
 */

/* Lists the libraries whose paths processes know, by their ids. */
static void
list_paths(struct thread_stacks *stacks)
{
	const struct gecko_process *process = stacks->gecko->processes;
	const struct gecko_process *end = process +
	    stacks->gecko->process_count;
	const struct gecko_lib *lib;
	uint32_t before;
	size_t i;

	stacks->has_paths = true;
	for (; process < end; process++)
		for (i = 0; i < process->libs.count; i++) {
			lib = &process->libs.list[i];
			before = stacks->ids.count;
			if (lib->path.len == 0 || table_add(&stacks->ids,
			    lib->breakpad_id) != before)
				continue;
			stacks->paths = mem_grow(stacks->paths,
			    &stacks->path_room, before + (size_t)1,
			    sizeof(*stacks->paths));
			stacks->paths[before] = lib;
		}
}

/* Adds the functions at an address, relative to the start of a library. */
static void
add_native(struct thread_stacks *stacks, const struct gecko_lib *lib,
    uint64_t address)
{
	uint32_t file, number;

	/* another process may know the path: some may not look at files */
	if (lib->path.len == 0 && lib->breakpad_id.len > 0) {
		if (!stacks->has_paths)
			list_paths(stacks);
		number = table_find(&stacks->ids, lib->breakpad_id);
		if (number != TABLE_NONE)
			lib = stacks->paths[number];
	}
	budget_take(&stacks->names_budget, lib->path.len + lib->name.len);
	file = native_file(&native,
	    lib->path.len > 0 ? lib->path : lib->name, lib->build_id);
	native_names(&native, file, NATIVE_RELATIVE, address,
	    &stacks->names);
}

/* Reads "0x7f518a6478ec"; false if the text is anything else. */
static bool
read_address(struct str text, uint64_t *address)
{
	const size_t digits = 16;
	size_t i;

	if (!str_starts(text, STR("0x")) || text.len == 2 ||
	    text.len > 2 + digits)
		return false;
	*address = 0;
	for (i = 2; i < text.len; i++) {
		if (!is_hex(text.data[i]))
			return false;
		*address = *address << 4 | hex_value(text.data[i]);
	}
	return true;
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
name_location(struct thread_stacks *stacks, int64_t frame, bool is_leaf)
{
	const struct gecko_lib *lib;
	struct str location;
	uint64_t address;

	if (!texts_at(stacks->strings,
	    column_at(&stacks->tables->frame_location, frame), &location))
		return false;
	if (!read_address(location, &address)) {
		native_add_name(&stacks->names, without_source(location));
		return true;
	}
	if (!is_leaf && address > 0)
		address--;
	lib = gecko_find_lib(stacks->libs, address);
	if (lib == NULL)
		native_add_unknown(&native, STR(""), address,
		    &stacks->names);
	else
		add_native(stacks, lib, address - lib->start + lib->offset);
	return true;
}

/* Finds the file of a function; false if the profile has none. */
static bool
file_of(const struct thread_stacks *stacks, int64_t function, struct str *file)
{
	const struct gecko_tables *tables = stacks->tables;
	int64_t text = column_at(&tables->func_file, function);

	if (text == COLUMN_NONE)
		text = column_at(&stacks->gecko->shared.source_file,
		    column_at(&tables->func_source, function));
	return texts_at(stacks->strings, text, file);
}

/* Adds the place of a function of JavaScript as Firefox does, " (a.js:1:2)". */
static void
add_script(struct thread_stacks *stacks, int64_t function)
{
	const struct gecko_tables *tables = stacks->tables;
	int64_t line = column_at(&tables->func_line, function);
	int64_t column = column_at(&tables->func_column, function);
	struct text *names = &stacks->names;
	struct str file;

	if (!file_of(stacks, function, &file))
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
name_function(struct thread_stacks *stacks, int64_t frame)
{
	const struct gecko_tables *tables = stacks->tables;
	int64_t function = column_at(&tables->frame_func, frame);
	int64_t address = column_at(&tables->frame_address, frame);
	int64_t line = column_at(&tables->frame_line, frame);
	int64_t lib = tables->frame_lib.count > 0 ?
	    column_at(&tables->frame_lib, frame) :
	    column_at(&tables->resource_lib,
	    column_at(&tables->func_resource, function));
	struct str name, file;
	uint64_t told;

	if (!texts_at(stacks->strings,
	    column_at(&tables->func_name, function), &name))
		return false;
	if (lib >= 0 && (uint64_t)lib < stacks->libs->count && address >= 0 &&
	    read_address(name, &told)) {
		add_native(stacks, &stacks->libs->list[lib],
		    (uint64_t)address);
		return true;
	}
	native_add_name(&stacks->names, name);
	if (column_at(&tables->func_js, function) > 0)
		add_script(stacks, function);
	if (native.lines && line >= 0 && file_of(stacks, function, &file))
		native_add_line(&stacks->names, file, (uint64_t)line);
	if (column_at(&tables->frame_depth, frame) > 0)
		text_add(&stacks->names, STR("_[i]"));
	return true;
}

/* Returns the calls of a frame; NULL if the table has no such number. */
static const struct calls *
find_calls(struct thread_stacks *stacks, int64_t frame, bool is_leaf)
{
	bool raw = stacks->tables->frame_location.count > 0;
	struct calls *known;

	if (frame < 0 || (uint64_t)frame >= frame_count(stacks->tables))
		return NULL;
	known = &stacks->known[2 * frame + is_leaf];
	if (known->frames != NULL)
		return known;
	stacks->names.len = 0;
	if (!(raw ? name_location(stacks, frame, is_leaf) :
	    name_function(stacks, frame)) ||
	    !budget_take(&stacks->names_budget, stacks->names.len))
		return NULL;
	*known = calls_keep(namer_calls(&stacks->fold->namer,
	    text_str(&stacks->names)), &stacks->arena);
	stacks->used = mem_grow(stacks->used, &stacks->used_room,
	    stacks->used_count + 1, sizeof(*stacks->used));
	stacks->used[stacks->used_count++] = (size_t)(known - stacks->known);
	return known;
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

/*
 * Adds the frames of the stack with this number, or none for COLUMN_NONE; false
 * if the tables make no sense.
 */
static bool
push_stack(struct thread_stacks *stacks, int64_t number)
{
	const struct calls *calls;
	bool is_leaf = true;
	size_t depth;
	int64_t frame;

	for (depth = 0; number != COLUMN_NONE; depth++, is_leaf = false) {
		if (depth == FOLD_DEPTH) {
			stacks->fold->deep++;
			break;
		}
		frame = column_at(&stacks->tables->stack_frame, number);
		calls = find_calls(stacks, frame, is_leaf);
		if (calls == NULL || !step(stacks->tables, &number))
			return false;
		if (!native.not_inlined ||
		    column_at(&stacks->tables->frame_depth, frame) <= 0)
			calls_push(&stacks->fold->stack, *calls);
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
fold_thread(struct firefox *firefox, struct thread_stacks *stacks,
    struct gecko_thread *thread)
{
	const struct gecko_process *process =
	    &stacks->gecko->processes[thread->of];
	struct fold *fold = &firefox->fold;
	struct stack roots = { 0 };
	bool good = true;
	size_t i, j;

	push_root(fold, thread->name, thread->tid, tid, &roots);
	push_root(fold, thread->process.len > 0 ? thread->process :
	    process->product, thread->pid, pid, &roots);
	begin_thread(stacks, thread);
	for (i = 0; good && i < thread->stacks.count; i++) {
		fold->stack.depth = 0;
		good = push_stack(stacks, thread->counts[i].stack);
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
fold_threads(struct firefox *firefox, const struct gecko *gecko,
    unsigned long long size)
{
	struct thread_stacks stacks = {
		.gecko = gecko, .fold = &firefox->fold,
		.names_budget = content_budget(size)
	};
	struct gecko_thread *thread;
	bool good = true;
	size_t i;

	for (i = 0; good && i < gecko->count; i++) {
		thread = &gecko->list[i];
		if (thread->samples == 0)
			continue;
		if (!firefox->has_weight)
			firefox->weight = thread->weight;
		firefox->has_weight = true;
		if (thread->weight != firefox->weight)
			firefox->others += thread->samples;
		else
			good = fold_thread(firefox, &stacks, thread);
	}
	firefox->idle += gecko->idle;
	firefox->negative += gecko->negative;
	firefox->clamped += gecko->clamped;
	free(stacks.known);
	free(stacks.used);
	table_free(&stacks.ids);
	free(stacks.paths);
	free(stacks.names.data);
	arena_free(&stacks.arena);
	if (stacks.names_budget.made > stacks.names_budget.most)
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
	struct json *json = &firefox->json;
	struct gecko gecko = { .count = 0 };
	const char *reason = jsonfile_begin(json, fold, content,
	    "a profile of the Firefox profiler", "{");

	if (reason == NULL) {
		gecko_read(json, &gecko);
		reason = jsonfile_end(json, fold, content);
	}
	if (reason == NULL && !gecko.is_profile)
		reason = "it is not a profile of the Firefox profiler, but "
		    "other JSON";
	else if (reason == NULL)
		reason = fold_threads(firefox, &gecko, content->packed);
	gecko_free(&gecko);
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
