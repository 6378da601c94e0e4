#include <sys/stat.h>
#include <stdlib.h>

#include "dso.h"
#include "lib/mapping.h"
#include "symbols/elf/find.h"
#include "symbols/elf/jitdump.h"
#include "symbols/elf/kernel.h"
#include "symbols/elf/mapfile.h"
#include "symbols/unwind/frametables.h"

struct symbols {
	struct symbol_sources sources;
	struct limits limits;		/* of all files together */
	struct account account;		/* of the kernel */
	struct arena arena;
	struct kernel kernel;
	struct dso *dsos;
	struct table files;		/* what files are known by */
	struct dso **first;		/* of each */
	size_t first_room;
};

/* What was read of a file.  Of a million mapped files most are never read. */
struct contents {
	struct symbol_sources sources;	/* with the account of this file */
	struct account account;
	bool loaded;
	struct found found;		/* what symtab was read from, or... */
	struct text text;		/* ...a perf-PID.map */
	struct symtab symtab;
	bool image_sought, has_image;
	struct found image;		/* as processes mapped it */
	struct frametables frametables;	/* of the image, once its file is set */
	bool debug_sought;
	struct debug *debug;
	struct jitdump dump;
	struct str *mapped;		/* the dump, each time that it grew */
	size_t mapped_count, mapped_room;
	struct frametables **tables;	/* by function of the dump, or NULL */
	size_t tables_room;
};

struct dso {
	struct dso *next;
	struct symbols *symbols;
	enum dso_kind kind;
	struct binary binary;
	uint64_t address;

	enum dso_trouble trouble;
	struct str module;		/* "[ext4]" */
	struct dso *same;		/* the first with the same file */
	bool is_wanted, is_complete;	/* by dso_want; servers have no more */
	struct contents *in;		/* NULL until something is looked up */
};

struct symbols *
symbols_open(const struct symbol_sources *sources)
{
	struct symbols *symbols = mem_array(1, sizeof(*symbols));

	symbols->sources = sources_complete(&symbols->arena, sources);
	limits_init(&symbols->limits);
	symbols->account.limits = &symbols->limits;
	symbols->sources.account = &symbols->account;
	if (sources->asks_servers)
		symbols->sources.fetches = fetches_new();
	symbols->kernel.sources = &symbols->sources;
	return symbols;
}

/*
 * Returns the first dso with the same file, under any name, unless its symbols
 * may come from other places.  It reads that for all, since a file may have any
 * number of names, and would need any memory else.
 */
static struct dso *
find_same(struct dso *dso)
{
	struct symbols *symbols = dso->symbols;
	uint32_t number, before = symbols->files.count;
	struct dso *same = dso, **first;
	struct text key = { 0 };
	struct stat status;

	if (dso->kind != DSO_FILE && dso->kind != DSO_PERF_MAP)
		return dso;
	text_add(&key, str_from(dso->kind == DSO_FILE ?
	    symbols->sources.symfs : ""));
	text_add(&key, str_from(dso->binary.path));
	text_add_char(&key, '\0');
	if (stat(key.data, &status) == 0 && S_ISREG(status.st_mode)) {
		key.len = 0;
		text_add_format(&key, "%d %llu %llu ", (int)dso->kind,
		    (unsigned long long)status.st_dev,
		    (unsigned long long)status.st_ino);
		text_add(&key, (struct str){
		    (const char *)dso->binary.id.bytes, dso->binary.id.len });
		number = table_add(&symbols->files, text_str(&key));
		first = LIST_AT(symbols->first, number, symbols->first_room);
		if (number == before)
			*first = dso;
		same = *first;
	}
	free(key.data);
	return same;
}

struct dso *
dso_open(struct symbols *symbols, enum dso_kind kind, struct str name,
    const struct build_id *id, uint64_t address)
{
	struct dso *dso = mem_array(1, sizeof(*dso));
	char *copy = arena_take(&symbols->arena, name.len + 1);

	memcpy(copy, name.data, name.len);
	copy[name.len] = '\0';
	/* perf takes any file with a name like that for a JIT compiler's. */
	if (kind == DSO_FILE && str_starts(name, STR("/tmp/perf-")))
		kind = DSO_PERF_MAP;
	if (kind == DSO_ELF)
		kind = DSO_FILE;
	*dso = (struct dso){
		.next = symbols->dsos, .symbols = symbols, .kind = kind,
		.binary.path = copy, .address = address
	};
	symbols->dsos = dso;
	if (id != NULL)
		dso->binary.id = *id;
	if (kind == DSO_KERNEL)
		kernel_set(&symbols->kernel, dso->binary.id, str_from(copy),
		    address);
	if (kind == DSO_MODULE)
		dso->module = kernel_module_name(&symbols->arena, name);
	dso->same = find_same(dso);
	return dso;
}

/* Returns the DSO with the contents of the file; makes them if need be. */
static struct dso *
open_contents(struct dso *dso)
{
	struct dso *same = dso->same;
	struct contents *in;

	if (same->in == NULL) {
		in = same->in = mem_array(1, sizeof(*in));
		in->account.limits = &same->symbols->limits;
		in->sources = same->symbols->sources;
		in->sources.account = in->symtab.account = &in->account;
	}
	return same;
}

/* Reads a module's own file, where the kernel's names do not hold it. */
static enum dso_trouble
load_module(struct dso *dso)
{
	struct contents *in = dso->in;
	struct symbols *symbols = dso->symbols;
	struct kernel *kernel = &symbols->kernel;
	enum dso_trouble trouble, in_kernel;
	struct found *found = &in->found;

	if (kernel_knows_module(kernel, dso->module))
		return DSO_FINE;
	in_kernel = kernel_trouble(kernel, dso->module);
	trouble = find_binary(&in->sources, FIND_MODULE, &dso->binary, found);
	if (trouble != DSO_FINE)
		return trouble == DSO_NO_FILE && in_kernel != DSO_FINE ?
		    in_kernel : trouble;
	in->symtab.raw = true;
	elfsyms_add(&in->symtab, &found->symbols, &found->symbols, BY_TEXT,
	    false);
	return in->symtab.count > 0 ? DSO_FINE : DSO_NO_SYMBOLS;
}

static void
load(struct dso *dso)
{
	struct contents *in = dso->in;
	bool is_file = dso->kind == DSO_FILE || dso->kind == DSO_VDSO;

	if (in->loaded)
		return;
	in->loaded = true;
	if (is_file)
		dso->trouble = find_binary(&in->sources,
		    dso->kind == DSO_VDSO ? FIND_VDSO : FIND_PROGRAM,
		    &dso->binary, &in->found);
	else if (dso->kind == DSO_PERF_MAP) {
		dso->trouble = find_perf_map(&in->sources, dso->binary.path,
		    &in->text);
		if (dso->trouble == DSO_FINE && in->sources.is_foreign)
			dso->trouble = DSO_OTHER_MACHINE;
	} else {		/* dso_jitdump reads a dump */
		if (dso->kind == DSO_MODULE)
			dso->trouble = load_module(dso);
		return;
	}
	if (dso->trouble != DSO_FINE)
		return;
	if (is_file)
		elfsyms_add(&in->symtab, &in->found.symbols,
		    &in->found.runtime, BY_OFFSET,
		    in->found.unpacked.state == SECTION_READ);
	else
		perfmap_add(&in->symtab, &in->text);
	if (in->symtab.count == 0)
		dso->trouble = DSO_NO_SYMBOLS;
}

struct symtab *
dso_symtab(struct dso *dso)
{
	dso->same = dso;
	return &open_contents(dso)->in->symtab;
}

void
dso_note_process(struct dso *dso, int32_t pid)
{
	if (dso->kind == DSO_FILE && dso->binary.id.len > 0)
		processes_add(&dso->same->binary.processes, pid);
}

void
dso_want(struct dso *dso)
{
	if (dso->kind == DSO_FILE)
		dso->same->is_wanted = true;
}

void
symbols_fetch_wanted(struct symbols *symbols, bool debug)
{
	struct fetches *fetches = symbols->sources.fetches;
	struct dso *dso;
	bool more;

	if (fetches == NULL)
		return;
	do {
		more = false;
		for (dso = symbols->dsos; dso != NULL; dso = dso->next) {
			if (!dso->is_wanted || dso->is_complete)
				continue;
			fetches->notes = true;
			fetches->noted = false;
			find_missing(&open_contents(dso)->in->sources,
			    &dso->binary, debug);
			dso->is_complete = !fetches->noted;
			more |= !dso->is_complete;
		}
		fetches_run(fetches);
	} while (more);
}

const struct fetch_counts *
symbols_fetched(const struct symbols *symbols)
{
	return symbols == NULL || symbols->sources.fetches == NULL ? NULL :
	    &symbols->sources.fetches->counts;
}

bool
dso_function(struct dso *dso, uint64_t address, struct dso_function *function)
{
	struct kernel *kernel = &dso->symbols->kernel;
	const struct jitdump_function *dumped;
	struct contents *in;
	bool found;

	function->first = function->last = address;
	dso = open_contents(dso);
	in = dso->in;
	load(dso);
	if ((dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE) &&
	    in->symtab.count == 0) {
		*function = (struct dso_function){ .name = STR("") };
		found = kernel_find(kernel, dso->module, address, function);
		if (dso->kind == DSO_KERNEL)
			dso->trouble = kernel_trouble(kernel, dso->module);
		return found;
	}
	if (dso->kind != DSO_JITDUMP)
		return symtab_function(&in->symtab, address,
		    dso->kind == DSO_MODULE ? dso->address : 0, function);
	dumped = jitdump_function(&in->dump, address);
	if (dumped == NULL)
		return false;
	function->first = function->start = dumped->place;
	function->last = dumped->place + (dumped->size - 1);
	function->name = symtab_name(&in->symtab,
	    &in->symtab.symbols[dumped - in->dump.functions]);
	return function->name.len > 0;
}

/* Finds the mapped file itself, once; false if it is missing. */
static bool
find_own_image(struct dso *dso)
{
	struct contents *in = dso->in;

	if (!in->image_sought && (dso->kind == DSO_FILE ||
	    dso->kind == DSO_VDSO))
		in->has_image = find_binary(&in->sources,
		    dso->kind == DSO_VDSO ? FIND_VDSO : FIND_IMAGE,
		    &dso->binary, &in->image) == DSO_FINE;
	in->image_sought = true;
	return in->has_image;
}

const struct frametables *
dso_frametables(struct dso *dso, uint64_t *offset)
{
	const struct jitdump_function *function;
	struct jitdump_frames frames;
	struct frametables **tables;
	struct contents *in;

	dso = open_contents(dso);
	in = dso->in;
	if (dso->kind != DSO_JITDUMP) {
		if (!find_own_image(dso))
			return NULL;
		if (in->frametables.file == NULL) {
			load(dso);	/* the debug file may have them, too */
			frametables_open(&in->frametables, &in->image.runtime,
			    &in->found.symbols);
		}
		return &in->frametables;
	}
	/* a function of a dump has tables of its own; they are opened once */
	function = jitdump_function(&in->dump, *offset);
	if (function == NULL || !jitdump_frames(&in->dump, function, &frames))
		return NULL;
	in->tables = mem_grow_zero(in->tables, &in->tables_room,
	    in->dump.functions_count, sizeof(*in->tables));
	tables = &in->tables[function - in->dump.functions];
	if (*tables == NULL) {
		*tables = mem_array(1, sizeof(**tables));
		frametables_open_code(*tables, &frames, &in->account);
	}
	*offset -= function->place;
	return *tables;
}

struct jitdump *
dso_jitdump(struct dso *dso, size_t taken, const char **trouble)
{
	struct contents *in;
	struct str bytes;

	dso = open_contents(dso);
	in = dso->in;
	/* a dump that has grown is mapped again; earlier mappings stay */
	if (mapfile_open(&bytes, &in->account, "%s%s", in->sources.symfs,
	    dso->binary.path)) {
		if (in->mapped_count > 0 &&
		    bytes.len <= in->mapped[in->mapped_count - 1].len)
			mapping_remove(bytes.data);
		else
			*LIST_ADD(in->mapped, in->mapped_count,
			    in->mapped_room) = bytes;
	}
	*trouble = in->mapped_count == 0 ? "cannot be opened" :
	    jitdump_read(&in->dump, &in->symtab,
	    in->mapped[in->mapped_count - 1], taken);
	return *trouble == NULL ? &in->dump : NULL;
}

void
dso_keep_certain(struct dso *dso)
{
	jitdump_keep_certain(&dso->in->dump, &dso->in->symtab);
}

bool
dso_offset(struct dso *dso, enum dso_address how, uint64_t address,
    uint64_t *offset)
{
	const struct elf *elf;

	dso = open_contents(dso);
	elf = &dso->in->image.runtime;
	return find_own_image(dso) && elf->segment_count > 0 &&
	    elf_offset(elf, address + (how == DSO_LOADED ?
	    elf->segments[0].address : 0), offset);
}

bool
dso_start(struct dso *dso, struct str name, uint64_t *offset)
{
	dso = open_contents(dso);
	load(dso);
	return symtab_start(&dso->in->symtab, name, offset);
}

bool
dso_word(struct dso *dso, uint64_t offset, uint64_t *word)
{
	struct bytes at = { 0 };

	dso = open_contents(dso);
	if (find_own_image(dso))
		at = bytes_at(&dso->in->image.runtime.file, offset,
		    sizeof(*word));
	*word = bytes_u64(&at);
	return at.start != NULL && !at.failed;
}

/*
 * Finds them in the file's debug information, by the address that it has there,
 * and moves the range around that back.
 */
static bool
find_inlined(struct dso *dso, uint64_t address, unsigned wanted,
    struct debug_functions *functions)
{
	bool is_kernel = dso->kind == DSO_KERNEL, found;
	struct contents *in = dso->in;
	uint64_t linked, before, after;

	if (!in->debug_sought && (dso->kind == DSO_FILE || is_kernel))
		in->debug = debug_open(&in->sources, &dso->binary, is_kernel);
	in->debug_sought = true;
	if (in->debug == NULL)
		return false;
	functions->first = functions->last = address;
	if (is_kernel ?
	    !kernel_linked(&dso->symbols->kernel, address, &linked) :
	    !find_own_image(dso) ||
	    !elf_address(&in->image.runtime, address, &linked))
		return false;
	found = debug_find(in->debug, linked, wanted, functions);
	before = linked - functions->first;
	after = functions->last - linked;
	functions->first = before < address ? address - before : 0;
	functions->last = after < UINT64_MAX - address ? address + after :
	    UINT64_MAX;
	return found;
}

bool
dso_inlined(struct dso *dso, uint64_t address, unsigned wanted,
    struct debug_functions *functions)
{
	const struct jitdump_function *function;
	struct debug_function *own;
	struct contents *in;
	struct str file;
	uint32_t line;

	functions->count = 0;
	functions->first = 0;
	functions->last = UINT64_MAX;
	dso = open_contents(dso);
	in = dso->in;
	if (dso->kind != DSO_JITDUMP)
		return find_inlined(dso, address, wanted, functions);
	/* a source line at a place of a dump, where nothing is inlined */
	function = jitdump_function(&in->dump, address);
	if ((wanted & DEBUG_LINES) == 0 || function == NULL)
		return false;
	functions->first = functions->last = address;
	if (!jitdump_line(&in->dump, function, address, &in->account, &file,
	    &line))
		return false;
	own = debug_functions_add(functions, STR(""));
	own->file = file;
	own->line = line;
	return true;
}

/* The function itself may be missing where debug information is not whole. */
bool
dso_functions(struct dso *dso, uint64_t address, unsigned wanted,
    struct debug_functions *functions)
{
	struct dso_function function;
	struct debug_function *last = NULL, *own;

	functions->count = 0;
	if (!dso_function(dso, address, &function))
		return false;
	if ((wanted & (DEBUG_INLINED | DEBUG_LINES)) != 0 &&
	    dso_inlined(dso, address, wanted, functions))
		last = &functions->list[functions->count - 1];
	if (last != NULL && !last->inlined) {
		last->name = function.name;
		return true;
	}
	own = debug_functions_add(functions, function.name);
	if (functions->count > 1) {
		own->file = own[-1].file;
		own->line = own[-1].line;
	}
	return true;
}

enum dso_trouble
dso_trouble(struct dso *dso)
{
	dso = open_contents(dso);
	load(dso);
	return dso->trouble;
}

const char *
dso_damage(struct dso *dso, const char **path)
{
	return debug_trouble(open_contents(dso)->in->debug, path);
}

bool
symbols_were_foreign(const struct symbols *symbols)
{
	const struct dso *dso;

	for (dso = symbols == NULL ? NULL : symbols->dsos; dso != NULL;
	    dso = dso->next)
		if (dso->trouble == DSO_OTHER_MACHINE)
			return true;
	return false;
}

/*
 * Tells in one line which files needed more than the limits allow: the first,
 * and how many others.  False without such files.
 */
static bool
tell_limits(const struct symbols *symbols,
    void (*tell)(const char *path, const char *reason, const char *lost))
{
	const char *name = "the kernel's", *lost = symbols->account.lost;
	size_t files = lost != NULL;
	struct text path = { 0 };
	const struct dso *dso;

	for (dso = symbols->dsos; dso != NULL; dso = dso->next) {
		if (dso->in == NULL || dso->in->account.lost == NULL)
			continue;
		name = dso->binary.path;
		lost = dso->in->account.lost;
		files++;
	}
	if (files == 0)
		return false;
	text_add_format(&path, files > 1 ? "%s (and %zu more)" : "%s",
	    name, files - 1);
	text_add_char(&path, '\0');
	tell(path.data, "more memory or time is needed than the files of a "
	    "recording may take", lost);
	free(path.data);
	return true;
}

bool
symbols_tell_damaged(const struct symbols *symbols,
    void (*tell)(const char *path, const char *reason, const char *lost))
{
	const struct dso *dso;
	const struct contents *in;
	const char *trouble, *path;
	bool needs_xz = false;

	for (dso = symbols == NULL ? NULL : symbols->dsos; dso != NULL;
	    dso = dso->next) {
		if ((in = dso->in) == NULL)
			continue;
		trouble = section_trouble(&in->found.unpacked);
		if (trouble != NULL && !(needs_xz &&
		    in->found.unpacked.state == SECTION_NO_XZ))
			tell(dso->binary.path, trouble, "names of functions");
		needs_xz |= in->found.unpacked.state == SECTION_NO_XZ;
		trouble = debug_trouble(in->debug, &path);
		if (trouble != NULL)
			tell(path, trouble, "inlined functions");
	}
	return symbols != NULL && tell_limits(symbols, tell);
}

static void
close_contents(struct contents *in)
{
	size_t i;

	for (i = 0; i < in->tables_room; i++)
		if (in->tables[i] != NULL) {
			frametables_close(in->tables[i]);
			free(in->tables[i]);
		}
	free(in->tables);
	jitdump_free(&in->dump);
	while (in->mapped_count > 0)
		mapping_remove(in->mapped[--in->mapped_count].data);
	free(in->mapped);
	debug_close(in->debug);
	symtab_free(&in->symtab);
	find_close(&in->found);
	frametables_close(&in->frametables);
	find_close(&in->image);
	free(in->text.data);
	free(in);
}

void
symbols_close(struct symbols *symbols)
{
	struct dso *dso, *next;

	if (symbols == NULL)
		return;
	for (dso = symbols->dsos; dso != NULL; dso = next) {
		next = dso->next;
		if (dso->in != NULL)
			close_contents(dso->in);
		free(dso);
	}
	kernel_free(&symbols->kernel);
	fetches_free(symbols->sources.fetches);
	table_free(&symbols->files);
	free(symbols->first);
	arena_free(&symbols->arena);
	free(symbols);
}
