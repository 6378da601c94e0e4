#include <stdlib.h>

#include "threadstacks.h"

void
thread_stacks_free(struct thread_stacks *stacks)
{
	free(stacks->known);
	free(stacks->used);
	if (stacks->has_paths)
		table_free(&stacks->ids);
	free(stacks->paths);
	free(stacks->names.data);
	arena_free(&stacks->arena);
}

/* Newer profiles have what all threads share, and nothing in the thread. */
static const struct thread_tables *
tables_of(const struct threads *threads, const struct thread *thread)
{
	return thread->tables != NULL ? thread->tables : &threads->shared;
}

static size_t
frame_count(const struct thread_tables *tables)
{
	return tables->frame_location.count > 0 ?
	    tables->frame_location.count : tables->frame_func.count;
}

/*
 * Forgets the frames of other tables.  Many threads may have one sample each,
 * and tables of many frames, so only what was used is cleared.
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

void
thread_stacks_begin(struct thread_stacks *stacks, struct thread *thread)
{
	const struct threads *threads = stacks->threads;
	const struct thread_tables *tables = tables_of(threads, thread);
	struct libs *libs = thread->libs.count > 0 ? &thread->libs :
	    &threads->processes[thread->of].libs;

	/* what names a frame is the same for all threads that share it */
	if (tables != stacks->tables || libs != stacks->libs)
		forget(stacks, frame_count(tables));
	stacks->thread = thread;
	stacks->tables = tables;
	stacks->strings = tables->strings.count > 0 ? &tables->strings :
	    &threads->shared.strings;
	stacks->libs = libs;
}

/* Lists the libraries whose paths processes know, by their ids. */
static void
list_paths(struct thread_stacks *stacks)
{
	const struct thread_process *process = stacks->threads->processes;
	const struct thread_process *end = process +
	    stacks->threads->process_count;
	const struct lib *lib;
	uint32_t before;
	size_t i;

	stacks->has_paths = true;
	table_init(&stacks->ids);
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

/*
 * Returns the same library in the list of a process that knows its path, as
 * some processes may not look at their own files.
 */
static const struct lib *
with_path(struct thread_stacks *stacks, const struct lib *lib)
{
	uint32_t number;

	if (lib->path.len > 0 || lib->breakpad_id.len == 0)
		return lib;
	if (!stacks->has_paths)
		list_paths(stacks);
	number = table_find(&stacks->ids, lib->breakpad_id);
	return number == TABLE_NONE ? lib : stacks->paths[number];
}

/* Adds the functions at an address behind where a library is loaded. */
static void
add_native(struct thread_stacks *stacks, const struct lib *lib,
    uint64_t address)
{
	uint32_t file;

	lib = with_path(stacks, lib);
	budget_take(&stacks->names_budget, lib->path.len + lib->name.len);
	file = native_file(stacks->native,
	    lib->path.len > 0 ? lib->path : lib->name, lib->build_id);
	native_names(stacks->native, file, NATIVE_RELATIVE, address,
	    &stacks->names);
}

/* Reads "0x7f518a6478ec"; false if that is not all. */
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
		*address = *address << 4 | (uint64_t)(is_digit(text.data[i]) ?
		    text.data[i] - '0' : lower(text.data[i]) - 'a' + 10);
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
 * Names a frame as Firefox tells it.  Addresses are as they were in the stack:
 * those of callers are behind the call, which may be the last instruction of
 * its function.
 */
static bool
name_location(struct thread_stacks *stacks, int64_t frame, bool is_leaf)
{
	const struct lib *lib;
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
	lib = libs_find(stacks->libs, address);
	if (lib == NULL)
		native_add_unknown(stacks->native, STR(""), address,
		    &stacks->names);
	else
		add_native(stacks, lib, address - lib->start + lib->offset);
	return true;
}

/* Returns the library of a frame, or NULL. */
static const struct lib *
lib_of(const struct thread_stacks *stacks, int64_t frame, int64_t function)
{
	const struct thread_tables *tables = stacks->tables;
	int64_t number = tables->frame_lib.count > 0 ?
	    column_at(&tables->frame_lib, frame) :
	    column_at(&tables->resource_lib,
	    column_at(&tables->func_resource, function));

	return number >= 0 && (uint64_t)number < stacks->libs->count ?
	    &stacks->libs->list[number] : NULL;
}

/* Finds the file of a function; false if it is not told. */
static bool
file_of(const struct thread_stacks *stacks, int64_t function, struct str *file)
{
	const struct thread_tables *tables = stacks->tables;
	int64_t text = column_at(&tables->func_file, function);

	if (text == COLUMN_NONE)
		text = column_at(&stacks->threads->shared.source_file,
		    column_at(&tables->func_source, function));
	return texts_at(stacks->strings, text, file);
}

/* Adds where a function of JavaScript is, " (a.js:1:2)", as Firefox does. */
static void
add_script(struct thread_stacks *stacks, int64_t function)
{
	const struct thread_tables *tables = stacks->tables;
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

static void
add_line(struct thread_stacks *stacks, int64_t frame, int64_t function)
{
	int64_t line = column_at(&stacks->tables->frame_line, frame);
	struct str file;

	if (line >= 0 && file_of(stacks, function, &file))
		native_add_line(&stacks->names, file, (uint64_t)line);
}

/* Names a frame by its function. */
static bool
name_function(struct thread_stacks *stacks, int64_t frame)
{
	const struct thread_tables *tables = stacks->tables;
	int64_t function = column_at(&tables->frame_func, frame);
	int64_t address = column_at(&tables->frame_address, frame);
	const struct lib *lib = lib_of(stacks, frame, function);
	struct str name;
	uint64_t told;

	if (!texts_at(stacks->strings,
	    column_at(&tables->func_name, function), &name))
		return false;
	if (lib != NULL && address >= 0 && read_address(name, &told)) {
		add_native(stacks, lib, (uint64_t)address);
		return true;
	}
	native_add_name(&stacks->names, name);
	if (column_at(&tables->func_js, function) > 0)
		add_script(stacks, function);
	if (stacks->native->lines)
		add_line(stacks, frame, function);
	if (column_at(&tables->frame_depth, frame) > 0)
		text_add(&stacks->names, STR("_[i]"));
	return true;
}

/* Returns the calls of a frame, NULL if there is none of that number. */
static const struct calls *
find_calls(struct thread_stacks *stacks, int64_t frame, bool is_leaf)
{
	bool raw = stacks->tables->frame_location.count > 0;
	struct calls *known, calls;
	uint32_t *frames;

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
	calls = namer_calls(stacks->namer, text_str(&stacks->names));
	frames = arena_take(&stacks->arena, calls.count * sizeof(*frames));
	memcpy(frames, calls.frames, calls.count * sizeof(*frames));
	*known = (struct calls){ frames, calls.count, false };
	stacks->used = mem_grow(stacks->used, &stacks->used_room,
	    stacks->used_count + 1, sizeof(*stacks->used));
	stacks->used[stacks->used_count++] = (size_t)(known - stacks->known);
	return known;
}

/*
 * Steps from a stack to the one that called its frame, COLUMN_NONE if it is a
 * root.  That one always comes before; false if it does not.
 */
static bool
step(const struct thread_tables *tables, int64_t *number)
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

static bool
is_inlined(const struct thread_stacks *stacks, int64_t frame)
{
	return stacks->native->not_inlined &&
	    column_at(&stacks->tables->frame_depth, frame) > 0;
}

bool
thread_stacks_push(struct thread_stacks *stacks, int64_t number,
    struct stack *stack)
{
	const struct calls *calls;
	bool is_leaf = true;
	size_t depth;
	int64_t frame;

	for (depth = 0; number != COLUMN_NONE; depth++, is_leaf = false) {
		if (depth == THREAD_STACK) {
			stacks->cut++;
			break;
		}
		frame = column_at(&stacks->tables->stack_frame, number);
		calls = find_calls(stacks, frame, is_leaf);
		if (calls == NULL || !step(stacks->tables, &number))
			return false;
		if (!is_inlined(stacks, frame))
			calls_push(stack, *calls);
	}
	return true;
}
