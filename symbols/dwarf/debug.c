/*
 * The section .gnu_debugaltlink names the file of dwz, relative to the one that
 * it is in, and its build id:
 *
 *	../../../.dwz/x86_64-linux-gnu/busy.debug\0 3f 9a ...
 *
 * So does .debug_sup (DWARF 5, 7.3.6); it is also in that file, instead of a
 * build id:
 *
 *	05 00  00  ../../../.dwz/x86_64-linux-gnu/busy.debug\0  14  3f 9a ...
 *	version    is it that file?   its name            length and checksum
 */
#include <stdlib.h>

#include "debug.h"
#include "symbols/demangle/demangle.h"
#include "symbols/elf/find.h"
#include "units.h"

/* A deep stack of functions that are inlined has some tens. */
#define FUNCTIONS_MAX	1000

/* A file with debug information.  One that is not there has no units. */
struct debug_file {
	struct elf elf;			/* { 0 } in the program's own */
	struct section sections[DWARF_SECTIONS];
	struct units units;
};

struct debug {
	const struct symbol_sources *sources;
	const char *program;		/* its path */
	struct found found;
	struct debug_file own, common;
	const char *trouble;
	struct table paths;		/* of files that were split off */
	struct debug_file **files;	/* by a path's number */
	size_t files_room;
	struct text lacking;		/* the first unit that was not found */
	struct intmap names;		/* by where they are: these, from 1 */
	struct str *demangled;
	size_t count, room;
	struct text scratch;
	struct arena arena;
};

/* The sections of the program's files, and of files that were split off. */
static const struct { const char *program, *split; } names[DWARF_SECTIONS] = {
	[DWARF_INFO] = { ".debug_info", ".debug_info.dwo" },
	[DWARF_ABBREV] = { ".debug_abbrev", ".debug_abbrev.dwo" },
	[DWARF_STR] = { ".debug_str", ".debug_str.dwo" },
	[DWARF_LINE_STR] = { ".debug_line_str", NULL },
	[DWARF_STR_OFFSETS] = { ".debug_str_offsets",
	    ".debug_str_offsets.dwo" },
	[DWARF_ADDR] = { ".debug_addr", NULL },
	[DWARF_RANGES] = { ".debug_ranges", NULL },
	[DWARF_RNGLISTS] = { ".debug_rnglists", ".debug_rnglists.dwo" },
	[DWARF_CU_INDEX] = { NULL, ".debug_cu_index" },
};

static void
note(struct debug *debug, const char *trouble)
{
	if (debug->trouble == NULL)
		debug->trouble = trouble;
}

/* Reads the sections of a file for its units, and leaves others alone. */
static void
read_sections(struct debug *debug, struct debug_file *file,
    const struct elf *elf, bool is_split)
{
	const char *name;
	int i;

	for (i = 0; i < DWARF_SECTIONS; i++) {
		name = is_split ? names[i].split : names[i].program;
		if (name == NULL)
			continue;
		file->sections[i] = is_split ?
		    section_read_all(elf, str_from(name)) :
		    section_read(elf, str_from(name));
		file->units.sections[i] = file->sections[i].bytes;
		note(debug, section_trouble(&file->sections[i]));
	}
}

static void
close_file(struct debug_file *file)
{
	int i;

	inlines_close(&file->units);
	for (i = 0; i < DWARF_SECTIONS; i++)
		section_free(&file->sections[i]);
	find_unmap(&file->elf);
}

/* How dwz's file is named. */
struct link {
	struct str name;
	struct build_id id;
};

/* Reads how a section names dwz's file; false if the file lacks the section. */
static bool
read_link(const struct elf *elf, struct str name, bool is_sup,
    struct link *link)
{
	const struct elf_section *section = elf_section_named(elf, name);
	struct bytes contents;

	if (section == NULL)
		return false;
	contents = elf_contents(elf, section);
	bytes_skip(&contents, is_sup ? 3 : 0);
	link->name = bytes_string(&contents);
	link->id = build_id_from(bytes_text(&contents, is_sup ?
	    bytes_uleb(&contents) : bytes_left(&contents)));
	return true;
}

/* Opens a mapped file if it has the right build id. */
static bool
open_alternate(struct debug *debug, struct str bytes,
    const struct build_id *id)
{
	struct elf *elf = &debug->common.elf;
	struct link own = { 0 };

	if (elf_open(elf, bytes)) {
		elf->account = debug->sources->account;
		if (!read_link(elf, STR(".debug_sup"), true, &own))
			own.id = elf_build_id(elf);
		if (own.id.len > 0 && build_id_matches(id, &own.id))
			return true;
	}
	find_unmap(elf);
	return false;
}

/* Returns the units of dwz's file; NULL if none is named, or found. */
static struct units *
read_alternate(struct debug *debug)
{
	const struct elf *elf = &debug->found.symbols;
	struct account *account = debug->sources->account;
	char hex[2 * BUILD_ID_MAX + 1], *from;
	struct link link;
	struct str file;
	bool found = false;
	size_t folder;

	if (!read_link(elf, STR(".gnu_debugaltlink"), false, &link) &&
	    !read_link(elf, STR(".debug_sup"), true, &link))
		return NULL;
	if (link.name.len > 0) {
		from = realpath(debug->found.path, NULL);
		folder = link.name.data[0] == '/' || from == NULL ? 0 :
		    str_find_last(str_from(from), '/') + 1;
		build_id_hex(&link.id, hex);
		found = (find_map(&file, account, "%.*s%s", (int)folder,
		    folder > 0 ? from : "", link.name.data) &&
		    open_alternate(debug, file, &link.id)) ||
		    (find_map(&file, account,
		    "/usr/lib/debug/.build-id/%.2s/%s.debug", hex, hex + 2) &&
		    open_alternate(debug, file, &link.id));
		free(from);
	}
	if (!found) {
		debug->trouble = "the file that dwz made of it is not found";
		return NULL;
	}
	read_sections(debug, &debug->common, &debug->common.elf, false);
	units_open(&debug->common.units, NULL, account);
	return &debug->common.units;
}

struct debug *
debug_open(const struct symbol_sources *sources, const struct binary *binary,
    bool is_kernel)
{
	struct debug *debug;
	struct found found;

	if (find_binary(sources, is_kernel ? FIND_KERNEL_DEBUG : FIND_DEBUG,
	    binary, &found) != DSO_FINE)
		return NULL;
	debug = mem_array(1, sizeof(*debug));
	debug->sources = sources;
	debug->program = is_kernel ? found.path : binary->path;
	debug->found = found;
	read_sections(debug, &debug->own, &debug->found.symbols, false);
	inlines_open(&debug->own.units, read_alternate(debug),
	    sources->account);
	return debug;
}

void
debug_close(struct debug *debug)
{
	uint32_t i;

	if (debug == NULL)
		return;
	close_file(&debug->own);
	close_file(&debug->common);
	for (i = 0; i < debug->paths.count; i++) {
		close_file(debug->files[i]);
		free(debug->files[i]);
	}
	free(debug->files);
	table_free(&debug->paths);
	free(debug->lacking.data);
	find_close(&debug->found);
	intmap_free(&debug->names);
	free(debug->demangled);
	free(debug->scratch.data);
	arena_free(&debug->arena);
	free(debug);
}

/* Returns the file at a path, opened once however many skeletons name it. */
static struct debug_file *
get_split_file(struct debug *debug, const char *path)
{
	struct account *account = debug->sources->account;
	uint32_t before = debug->paths.count, number;
	struct debug_file *file;
	struct str bytes;

	number = table_add(&debug->paths, str_from(path));
	if (number < before)
		return debug->files[number];
	file = mem_array(1, sizeof(*file));
	*LIST_AT(debug->files, number, debug->files_room) = file;
	if (!find_map(&bytes, account, "%s", path) ||
	    !elf_open(&file->elf, bytes)) {
		find_unmap(&file->elf);
		return file;
	}
	file->elf.account = account;
	memcpy(file->units.sections, debug->own.units.sections,
	    sizeof(file->units.sections));
	read_sections(debug, file, &file->elf, true);
	inlines_open(&file->units, NULL, account);
	return file;
}

/*
 * Seeks what was split off a skeleton in the file at a path of three parts,
 * unless it is found.  True if there is such a file.
 */
static bool
try_split_file(struct debug *debug, struct unit *unit, const char *symfs,
    struct str folder, struct str name)
{
	struct text path = { 0 };
	struct debug_file *file;
	char *real;

	if (unit->split != NULL)
		return false;
	text_add(&path, str_from(symfs));
	text_add(&path, folder);
	text_add(&path, name);
	text_add_char(&path, '\0');
	real = realpath(path.data, NULL);
	free(path.data);
	if (real == NULL)
		return false;
	file = get_split_file(debug, real);
	free(real);
	unit->split = split_find(&file->units, unit);
	return file->elf.word > 0;
}

/*
 * Seeks what was split off a skeleton in the package beside the program, else
 * where the skeleton says that it is, else beside the file with the skeletons,
 * with folders and without.
 */
static void
seek_split(struct debug *debug, struct unit *unit)
{
	const char *symfs = debug->sources->symfs;
	struct str dwo = unit->dwo, named, found = str_from(debug->found.path);
	struct str beside = str_take(found, found.len - str_base(found).len);
	bool has_file;

	unit->is_sought = true;
	debug->scratch.len = 0;
	if (!str_starts(dwo, STR("/")) && unit->folder.len > 0) {
		text_add(&debug->scratch, unit->folder);
		text_add_char(&debug->scratch, '/');
	}
	text_add(&debug->scratch, dwo);
	text_add_char(&debug->scratch, '\0');
	named = str_from(debug->scratch.data);
	try_split_file(debug, unit, "", found, STR(".dwp"));
	try_split_file(debug, unit, symfs, str_from(debug->program),
	    STR(".dwp"));
	has_file = try_split_file(debug, unit, symfs, named, STR(""));
	if (!str_starts(dwo, STR("/")))
		has_file |= try_split_file(debug, unit, "", beside, dwo);
	if (str_base(dwo).len < dwo.len)
		has_file |= try_split_file(debug, unit, "", beside,
		    str_base(dwo));
	if (unit->split != NULL || debug->trouble != NULL)
		return;
	text_add_format(&debug->lacking, "debug information was split off to "
	    "%s, which is %s", named.data, has_file ? "that of another build" :
	    "not found");
	text_add_char(&debug->lacking, '\0');
	debug->trouble = debug->lacking.data;
}

/* Returns a name demangled, once: that may take long.  It lives with debug. */
static struct str
get_name(struct debug *debug, struct str name, unsigned wanted)
{
	uint32_t *number = intmap_at(&debug->names, (uintptr_t)name.data);
	struct text *text = &debug->scratch;
	bool done;

	if (*number > 0)
		return debug->demangled[*number - 1];
	text->len = 0;
	done = (wanted & DEBUG_PARAMETERS) == 0 ? demangle(name, text) :
	    rust_demangle(name, text) ||
	    cxx_demangle(name, WITH_PARAMETERS, text);
	if (done && account_take(debug->sources->account, LIMIT_MEMORY,
	    text->len, "demangled names"))
		name = arena_copy(&debug->arena, text_str(text));
	*LIST_ADD(debug->demangled, debug->count, debug->room) = name;
	*number = (uint32_t)debug->count;
	return name;
}

struct debug_function *
debug_functions_add(struct debug_functions *functions, struct str name)
{
	struct debug_function *function;

	function = LIST_ADD(functions->list, functions->count, functions->room);
	*function = (struct debug_function){ .name = name, .file = STR("") };
	return function;
}

/* A function is at the line where what is inlined into it is called. */
static void
add_functions(struct debug *debug, struct inlines_chain *chain,
    const struct unit *unit, uint32_t file, uint32_t line, unsigned wanted,
    struct debug_functions *functions)
{
	const struct inline_function *found;
	struct debug_function *function;

	while (functions->count < FUNCTIONS_MAX &&
	    (found = inlines_next(chain)) != NULL) {
		function = debug_functions_add(functions,
		    get_name(debug, found->name, wanted));
		function->inlined = found->inlined;
		function->file = lines_file(unit, file);
		function->line = line;
		file = found->call_file;
		line = found->call_line;
	}
	if (functions->count == 0 && lines_file(unit, file).len > 0) {
		function = debug_functions_add(functions, STR(""));
		function->file = lines_file(unit, file);
		function->line = line;
	}
}

bool
debug_find(struct debug *debug, uint64_t address, unsigned wanted,
    struct debug_functions *functions)
{
	struct units *units = &debug->own.units;
	uint32_t file = UINT32_MAX, line = 0;
	struct inlines_chain chain;
	struct section *section = &debug->own.sections[DWARF_LINE];
	struct unit *unit, *lines_unit = NULL;

	functions->count = 0;
	inlines_begin(units, address, &chain);
	unit = chain.unit;
	if ((wanted & DEBUG_LINES) != 0 && unit != NULL) {
		if (section->bytes.start == NULL) {	/* the first time */
			*section = section_read(&debug->found.symbols,
			    STR(".debug_line"));
			note(debug, section_trouble(section));
			units->sections[DWARF_LINE] = section->bytes;
		}
		lines_unit = unit;
		lines_find(unit, address, &file, &line, &chain.range);
	}
	if (unit != NULL && unit->dwo.len > 0) {
		if (!unit->is_sought)
			seek_split(debug, unit);
		if (unit->split != NULL)
			inlines_begin_in(unit->split, address, &chain);
	}
	functions->first = chain.range.first;
	functions->last = chain.range.last;
	add_functions(debug, &chain, lines_unit, file, line, wanted, functions);
	return functions->count > 0;
}

const char *
debug_trouble(const struct debug *debug, const char **path)
{
	if (debug == NULL || debug->trouble == NULL)
		return NULL;
	*path = debug->found.path;
	return debug->trouble;
}
