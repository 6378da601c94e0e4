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
#include <limits.h>
#include <stdlib.h>

#include "debug.h"
#include "inlines.h"
#include "lib/mapping.h"
#include "lib/table.h"
#include "split.h"
#include "symbols/demangle/demangle.h"
#include "symbols/elf/find.h"
#include "symbols/elf/mapfile.h"
#include "symbols/elf/sections.h"

/* A deep stack of functions that are inlined has some tens. */
#define FUNCTIONS_MAX	1000

/* A file with debug information. */
struct debug_part {
	struct section sections[DWARF_LINE];	/* all but .debug_line */
	struct bytes bytes[DWARF_SECTIONS];
};

struct debug {
	const struct symbol_sources *sources;
	const char *program;		/* its path */
	struct found found;
	struct debug_part own, common;
	struct elf alternate;		/* that `common` is of */
	struct units units;		/* of that one */
	struct inlines inlines;
	bool has_lines;			/* .debug_line was read */
	struct section lines;
	const char *trouble;
	struct splitfiles *split;	/* or NULL */
	struct table names;		/* by where they are */
	struct str *demangled;		/* by a name's number */
	size_t room;
	struct text scratch;
	struct arena arena;
};

static void
read_part(struct debug *debug, const struct elf *elf, struct debug_part *part)
{
	static const struct str names[DWARF_LINE] = {
		[DWARF_INFO] = { ".debug_info", 11 },
		[DWARF_ABBREV] = { ".debug_abbrev", 13 },
		[DWARF_STR] = { ".debug_str", 10 },
		[DWARF_LINE_STR] = { ".debug_line_str", 15 },
		[DWARF_STR_OFFSETS] = { ".debug_str_offsets", 18 },
		[DWARF_ADDR] = { ".debug_addr", 11 },
		[DWARF_RANGES] = { ".debug_ranges", 13 },
		[DWARF_RNGLISTS] = { ".debug_rnglists", 15 },
	};
	int i;

	for (i = 0; i < DWARF_LINE; i++) {
		part->sections[i] = section_read(elf, names[i]);
		part->bytes[i] = part->sections[i].bytes;
		if (debug->trouble == NULL)
			debug->trouble =
			    section_trouble(&part->sections[i]);
	}
}

static void
free_part(struct debug_part *part)
{
	int i;

	for (i = 0; i < DWARF_LINE; i++)
		section_free(&part->sections[i]);
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
	struct elf *elf = &debug->alternate;
	struct link own = { 0 };

	if (elf_open(elf, bytes)) {
		elf->account = debug->sources->account;
		if (!read_link(elf, STR(".debug_sup"), true, &own))
			own.id = elf_build_id(elf);
		if (own.id.len > 0 && build_id_matches(id, &own.id))
			return true;
		elf_close(elf);
	}
	mapping_remove(bytes.data);
	return false;
}

/* Looks for dwz's file where it is said to be, or by its build id. */
static bool
find_alternate(struct debug *debug, const struct link *link)
{
	struct account *account = debug->sources->account;
	char *from = realpath(debug->found.path, NULL);
	char hex[2 * BUILD_ID_MAX + 1];
	size_t folder = link->name.data[0] == '/' || from == NULL ? 0 :
	    str_find_last(str_from(from), '/') + 1;
	struct str bytes;
	bool found = mapfile_open(&bytes, account, "%.*s%s", (int)folder,
	    folder > 0 ? from : "", link->name.data) &&
	    open_alternate(debug, bytes, &link->id);

	build_id_hex(&link->id, hex);
	free(from);
	return found || (mapfile_open(&bytes, account,
	    "/usr/lib/debug/.build-id/%.2s/%s.debug", hex, hex + 2) &&
	    open_alternate(debug, bytes, &link->id));
}

/* Returns the units of dwz's file, or NULL if none is named, or found. */
static struct units *
read_alternate(struct debug *debug)
{
	const struct elf *elf = &debug->found.symbols;
	struct link link;

	if (!read_link(elf, STR(".gnu_debugaltlink"), false, &link) &&
	    !read_link(elf, STR(".debug_sup"), true, &link))
		return NULL;
	if (link.name.len == 0 || !find_alternate(debug, &link)) {
		debug->trouble = "the file that dwz made of it is not found";
		return NULL;
	}
	read_part(debug, &debug->alternate, &debug->common);
	units_open(&debug->units, debug->common.bytes, NULL,
	    debug->sources->account);
	return &debug->units;
}

struct debug *
debug_open(const struct symbol_sources *sources, const struct binary *binary,
    bool is_kernel)
{
	struct debug *debug;
	struct found found;

	if (find_file(sources, is_kernel ? FIND_KERNEL_DEBUG : FIND_DEBUG,
	    binary, &found) != DSO_FINE)
		return NULL;
	debug = mem_array(1, sizeof(*debug));
	debug->sources = sources;
	debug->program = is_kernel ? found.path : binary->path;
	debug->found = found;
	read_part(debug, &debug->found.symbols, &debug->own);
	inlines_open(&debug->inlines, debug->own.bytes,
	    read_alternate(debug), sources->account);
	return debug;
}

void
debug_close(struct debug *debug)
{
	if (debug == NULL)
		return;
	lines_close(&debug->inlines.units);
	section_free(&debug->lines);
	inlines_close(&debug->inlines);
	if (debug->inlines.units.alternate != NULL)
		units_close(&debug->units);
	free_part(&debug->own);
	free_part(&debug->common);
	mapping_remove(debug->alternate.file.start);
	elf_close(&debug->alternate);
	find_close(&debug->found);
	splitfiles_free(debug->split);
	table_free(&debug->names);
	free(debug->demangled);
	free(debug->scratch.data);
	arena_free(&debug->arena);
	free(debug);
}

/*
 * Returns a name demangled; it lives as long as debug.  Demangling may take
 * long, so each name is demangled once.
 */
static struct str
get_name(struct debug *debug, struct str name, unsigned wanted)
{
	uint64_t key[3] = { (uintptr_t)name.data, name.len,
	    wanted & DEBUG_PARAMETERS };
	uint32_t before = debug->names.count, number;
	struct text *text = &debug->scratch;
	bool done;

	number = table_add(&debug->names,
	    (struct str){ (const char *)key, sizeof(key) });
	if (number < before)
		return debug->demangled[number];
	text->len = 0;
	done = (wanted & DEBUG_PARAMETERS) == 0 ? demangle(name, text) :
	    rust_demangle(name, text) || cxx_demangle_whole(name, text);
	if (done && account_take(debug->sources->account, LIMIT_MEMORY,
	    text->len, "demangled names"))
		name = arena_copy(&debug->arena, text_str(text));
	debug->demangled = mem_grow(debug->demangled, &debug->room,
	    number + (size_t)1, sizeof(*debug->demangled));
	return debug->demangled[number] = name;
}

struct debug_function *
debug_functions_add(struct debug_functions *functions, struct str name)
{
	struct debug_function *function;

	functions->list = mem_grow(functions->list, &functions->room,
	    functions->count + 1, sizeof(*functions->list));
	function = &functions->list[functions->count++];
	*function = (struct debug_function){ .name = name, .file = STR("") };
	return function;
}

/* A function is at the line where what is inlined into it is called. */
static void
add_functions(struct debug *debug, struct inlines_chain *chain,
    const struct lines *lines, uint32_t file, uint32_t line, unsigned wanted,
    struct debug_functions *functions)
{
	const struct inline_function *found;
	struct debug_function *function;

	while (functions->count < FUNCTIONS_MAX &&
	    (found = inlines_next(chain)) != NULL) {
		function = debug_functions_add(functions,
		    get_name(debug, found->name, wanted));
		function->inlined = found->inlined;
		function->file = lines_file(lines, file);
		function->line = line;
		file = found->call_file;
		line = found->call_line;
	}
	if (functions->count == 0 && lines_file(lines, file).len > 0) {
		function = debug_functions_add(functions, STR(""));
		function->file = lines_file(lines, file);
		function->line = line;
	}
}

bool
debug_find(struct debug *debug, uint64_t address, unsigned wanted,
    struct debug_functions *functions)
{
	struct units *units = &debug->inlines.units;
	const struct lines *lines = NULL;
	uint32_t file = UINT32_MAX, line = 0;
	struct inlines_chain chain;
	struct unit *rest;		/* of a unit that was split off */

	functions->count = 0;
	inlines_begin(&debug->inlines, address, &chain);
	if ((wanted & DEBUG_LINES) != 0 && chain.unit != NULL) {
		if (!debug->has_lines) {
			debug->lines = section_read(&debug->found.symbols,
			    STR(".debug_line"));
			if (debug->trouble == NULL)
				debug->trouble = section_trouble(&debug->lines);
			units->sections[DWARF_LINE] = debug->lines.bytes;
		}
		debug->has_lines = true;
		lines = lines_of(units, chain.unit);
	}
	if (chain.unit != NULL && chain.unit->skeleton.dwo.len > 0) {
		if (debug->split == NULL)
			debug->split = splitfiles_new(debug->sources,
			    debug->program, debug->found.path, units);
		rest = splitfiles_find(debug->split, chain.unit, &units);
		if (rest != NULL)
			inlines_begin_in(units, rest, address, &chain);
		if (debug->trouble == NULL)
			debug->trouble = splitfiles_trouble(debug->split);
	}
	if (lines != NULL)
		lines_find(lines, address, &file, &line, &chain.range);
	functions->first = chain.range.first;
	functions->last = chain.range.last;
	add_functions(debug, &chain, lines, file, line, wanted, functions);
	return functions->count > 0;
}

const char *
debug_path(const struct debug *debug)
{
	return debug->found.path;
}

const char *
debug_trouble(const struct debug *debug)
{
	return debug->trouble;
}
