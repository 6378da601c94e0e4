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
#include "inlines.h"
#include "symbols/demangle/demangle.h"
#include "symbols/elf/find.h"

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
	struct table names;		/* by where they are */
	struct str *demangled;		/* by a name's number */
	size_t room;
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

/* Reads the sections of a file, and leaves the bytes of others alone. */
static void
read_sections(struct debug *debug, struct debug_file *file,
    const struct elf *elf, bool is_split, struct bytes bytes[DWARF_SECTIONS])
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
		bytes[i] = file->sections[i].bytes;
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

/*
 * Returns the units of dwz's file, looked for where it is said to be, or by its
 * build id; NULL if none is named, or found.
 */
static struct units *
read_alternate(struct debug *debug)
{
	const struct elf *elf = &debug->found.symbols;
	struct account *account = debug->sources->account;
	struct bytes bytes[DWARF_SECTIONS] = { 0 };
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
		found = find_map(&file, account, "%.*s%s", (int)folder,
		    folder > 0 ? from : "", link.name.data) &&
		    open_alternate(debug, file, &link.id);
		free(from);
		if (!found)
			found = find_map(&file, account,
			    "/usr/lib/debug/.build-id/%.2s/%s.debug", hex,
			    hex + 2) && open_alternate(debug, file, &link.id);
	}
	if (!found) {
		debug->trouble = "the file that dwz made of it is not found";
		return NULL;
	}
	read_sections(debug, &debug->common, &debug->common.elf, false, bytes);
	units_open(&debug->common.units, bytes, NULL, account);
	return &debug->common.units;
}

struct debug *
debug_open(const struct symbol_sources *sources, const struct binary *binary,
    bool is_kernel)
{
	struct bytes bytes[DWARF_SECTIONS] = { 0 };
	struct debug *debug;
	struct found found;

	if (find_binary(sources, is_kernel ? FIND_KERNEL_DEBUG : FIND_DEBUG,
	    binary, &found) != DSO_FINE)
		return NULL;
	debug = mem_array(1, sizeof(*debug));
	debug->sources = sources;
	debug->program = is_kernel ? found.path : binary->path;
	debug->found = found;
	read_sections(debug, &debug->own, &debug->found.symbols, false, bytes);
	inlines_open(&debug->own.units, bytes, read_alternate(debug),
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
	table_free(&debug->names);
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
	struct bytes sections[DWARF_SECTIONS];
	struct debug_file *file;
	struct str bytes;

	number = table_add(&debug->paths, str_from(path));
	if (number < before)
		return debug->files[number];
	file = mem_array(1, sizeof(*file));
	*LIST_AT(debug->files, number, debug->files_room) = file;
	if (!find_map(&bytes, account, "%s", path))
		return file;
	if (!elf_open(&file->elf, bytes)) {
		find_unmap(&file->elf);
		return file;
	}
	file->elf.account = account;
	memcpy(sections, debug->own.units.sections, sizeof(sections));
	read_sections(debug, file, &file->elf, true, sections);
	split_open(&file->units, sections, account);
	return file;
}

/*
 * Seeks what was split off a skeleton in the file at a path of three parts,
 * whatever links lead there, unless it is found.  True if there is such a file.
 */
static bool
try_split_file(struct debug *debug, struct unit *unit, const char *symfs,
    struct str folder, struct str name)
{
	struct skeleton *skeleton = &unit->skeleton;
	struct text path = { 0 };
	struct debug_file *file;
	char *real;

	if (skeleton->unit != NULL)
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
	skeleton->unit = split_find(&file->units, unit);
	skeleton->units = &file->units;
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
	struct str dwo = unit->skeleton.dwo, beside = STR(""), named;
	struct str found = str_from(debug->found.path);
	size_t slash = str_find_last(found, '/');
	bool has_file;

	unit->skeleton.is_sought = true;
	debug->scratch.len = 0;
	if (!str_starts(dwo, STR("/")) && unit->skeleton.folder.len > 0) {
		text_add(&debug->scratch, unit->skeleton.folder);
		text_add_char(&debug->scratch, '/');
	}
	text_add(&debug->scratch, dwo);
	text_add_char(&debug->scratch, '\0');
	named = str_from(debug->scratch.data);
	if (slash < found.len)
		beside = str_take(found, slash + 1);
	try_split_file(debug, unit, "", found, STR(".dwp"));
	try_split_file(debug, unit, symfs, str_from(debug->program),
	    STR(".dwp"));
	has_file = try_split_file(debug, unit, symfs, named, STR(""));
	if (!str_starts(dwo, STR("/")))
		has_file |= try_split_file(debug, unit, "", beside, dwo);
	slash = str_find_last(dwo, '/');
	if (slash < dwo.len)
		has_file |= try_split_file(debug, unit, "", beside,
		    str_skip(dwo, slash + 1));
	if (unit->skeleton.unit != NULL || debug->trouble != NULL)
		return;
	text_add_format(&debug->lacking, "debug information was split off to "
	    "%s, which is %s", named.data, has_file ? "that of another build" :
	    "not found");
	text_add_char(&debug->lacking, '\0');
	debug->trouble = debug->lacking.data;
}

/* Returns a name demangled, each only once; it lives as long as debug. */
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
	    rust_demangle(name, text) ||
	    cxx_demangle(name, WITH_PARAMETERS, text);
	if (done && account_take(debug->sources->account, LIMIT_MEMORY,
	    text->len, "demangled names"))
		name = arena_copy(&debug->arena, text_str(text));
	return *LIST_AT(debug->demangled, number, debug->room) = name;
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
	struct units *units = &debug->own.units;
	const struct lines *lines = NULL;
	uint32_t file = UINT32_MAX, line = 0;
	struct inlines_chain chain;
	struct section *section = &debug->own.sections[DWARF_LINE];
	struct skeleton *skeleton;

	functions->count = 0;
	inlines_begin(units, address, &chain);
	if ((wanted & DEBUG_LINES) != 0 && chain.unit != NULL) {
		if (section->bytes.start == NULL) {	/* the first time */
			*section = section_read(&debug->found.symbols,
			    STR(".debug_line"));
			note(debug, section_trouble(section));
			units->sections[DWARF_LINE] = section->bytes;
		}
		lines = lines_of(units, chain.unit);
	}
	if (chain.unit != NULL && chain.unit->skeleton.dwo.len > 0) {
		skeleton = &chain.unit->skeleton;
		if (!skeleton->is_sought)
			seek_split(debug, chain.unit);
		if (skeleton->unit != NULL)
			inlines_begin_in(skeleton->units, skeleton->unit,
			    address, &chain);
	}
	if (lines != NULL)
		lines_find(lines, address, &file, &line, &chain.range);
	functions->first = chain.range.first;
	functions->last = chain.range.last;
	add_functions(debug, &chain, lines, file, line, wanted, functions);
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
