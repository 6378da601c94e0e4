#include <sys/stat.h>
#include <stdlib.h>

#include "dso.h"
#include "lib/mapping.h"
#include "symbols/elf/find.h"
#include "symbols/elf/jitdump.h"
#include "symbols/elf/kernel.h"
#include "symbols/unwind/frametables.h"

struct symbols {
	struct symbol_sources sources;
	struct fetches fetches;		/* of the sources, if they ask */
	struct limits limits;		/* of all files together */
	struct account account;		/* of the kernel */
	struct arena arena;
	struct kernel kernel;
	struct dso *dsos;
	struct text scratch;
	struct table files;		/* what files are known by */
	struct dso **shared;		/* of each */
	size_t shared_room;
};

/* What was read of a file.  Of a million mapped files most are never read. */
struct contents {
	struct symbol_sources sources;	/* with the account of this file */
	struct account account;
	bool loaded;
	struct found found;		/* what symtab was read from, or... */
	struct text text;		/* ...a perf-PID.map */
	struct symtab symtab;
	bool image_sought;
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
	fetches_open(&symbols->fetches);
	if (sources->asks_servers)
		symbols->sources.fetches = &symbols->fetches;
	symbols->kernel.sources = &symbols->sources;
	return symbols;
}

struct dso *
dso_open_alone(struct symbols *symbols, enum dso_kind kind, struct str name,
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
		dso->module = arena_copy(&symbols->arena,
		    kernel_module_name(&symbols->scratch, name));
	return dso;
}

/* A file may have any number of names; those of one inode share a DSO. */
struct dso *
dso_open(struct symbols *symbols, enum dso_kind kind, struct str name,
    const struct build_id *id, uint64_t address)
{
	uint32_t number, before = symbols->files.count;
	struct dso *dso, **shared;
	struct text *key = &symbols->scratch;
	struct stat status;

	dso = dso_open_alone(symbols, kind, name, id, address);
	if (dso->kind != DSO_FILE && dso->kind != DSO_PERF_MAP)
		return dso;
	key->len = 0;
	text_add_format(key, "%s%s", dso->kind == DSO_FILE ?
	    symbols->sources.symfs : "", dso->binary.path);
	text_add_char(key, '\0');
	if (stat(key->data, &status) == 0 && S_ISREG(status.st_mode)) {
		key->len = 0;
		text_add_format(key, "%d %llu %llu ", (int)dso->kind,
		    (unsigned long long)status.st_dev,
		    (unsigned long long)status.st_ino);
		text_add(key, (struct str){
		    (const char *)dso->binary.id.bytes, dso->binary.id.len });
		number = table_add(&symbols->files, text_str(key));
		shared = LIST_AT(symbols->shared, number,
		    symbols->shared_room);
		if (number < before) {
			symbols->dsos = dso->next;
			free(dso);
			dso = *shared;
		} else
			*shared = dso;
	}
	return dso;
}

/* Returns the contents of a file; makes them if need be. */
static struct contents *
open_contents(struct dso *dso)
{
	struct contents *in = dso->in;

	if (in == NULL) {
		in = dso->in = mem_array(1, sizeof(*in));
		in->account.limits = &dso->symbols->limits;
		in->sources = dso->symbols->sources;
		in->sources.account = in->symtab.account =
		    in->dump.symtab.account = &in->account;
	}
	return in;
}

/* Reads the symbols of a file, or of a module that the kernel's names lack. */
static struct contents *
load(struct dso *dso)
{
	static const enum find_what files[] = {
		[DSO_FILE] = FIND_PROGRAM, [DSO_VDSO] = FIND_VDSO,
		[DSO_MODULE] = FIND_MODULE
	};
	struct contents *in = open_contents(dso);
	struct kernel *kernel = &dso->symbols->kernel;
	bool is_map = dso->kind == DSO_PERF_MAP;
	bool is_module = dso->kind == DSO_MODULE;
	enum dso_trouble *trouble = &dso->trouble;

	if (in->loaded || dso->kind == DSO_JITDUMP || dso->kind == DSO_KERNEL)
		return in;
	in->loaded = true;
	if (is_module && kernel_knows_module(kernel, dso->module))
		return in;
	*trouble = is_map ?
	    find_perf_map(&in->sources, dso->binary.path, &in->text) :
	    find_binary(&in->sources, files[dso->kind], &dso->binary,
	    &in->found);
	if (*trouble == DSO_NO_FILE && is_module &&
	    kernel_trouble(kernel, dso->module) != DSO_FINE)
		*trouble = kernel_trouble(kernel, dso->module);
	if (*trouble != DSO_FINE)
		return in;
	if (is_map)
		perfmap_add(&in->symtab, &in->text);
	else {
		in->symtab.raw = is_module;
		elfsyms_add(&in->symtab, &in->found.symbols,
		    &in->found.runtime, is_module ? BY_TEXT : BY_OFFSET,
		    in->found.unpacked.state == SECTION_READ);
	}
	if (in->symtab.count == 0)
		*trouble = DSO_NO_SYMBOLS;
	return in;
}

struct symtab *
dso_symtab(struct dso *dso)
{
	return &open_contents(dso)->symtab;
}

void
dso_note_process(struct dso *dso, int32_t pid)
{
	if (dso->kind == DSO_FILE && dso->binary.id.len > 0)
		binary_add_process(&dso->binary, pid);
}

void
dso_want(struct dso *dso)
{
	if (dso->kind == DSO_FILE)
		dso->is_wanted = true;
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
			dso->is_complete = !find_missing(
			    &open_contents(dso)->sources, &dso->binary, debug);
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
	struct contents *in = load(dso);
	bool found;

	*function = (struct dso_function){ STR(""), 0, address, address };
	if ((dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE) &&
	    in->symtab.count == 0) {
		found = kernel_find(kernel, dso->module, address, function);
		if (dso->kind == DSO_KERNEL)
			dso->trouble = kernel_trouble(kernel, dso->module);
		return found;
	}
	if (dso->kind != DSO_JITDUMP)
		return symtab_function(&in->symtab, address,
		    dso->kind == DSO_MODULE ? dso->address : 0, function);
	return jitdump_find(&in->dump, address, function);
}

/* Finds the mapped file itself, once; returns NULL if it is missing. */
static const struct elf *
own_image(struct dso *dso)
{
	struct contents *in = open_contents(dso);

	if (!in->image_sought && (dso->kind == DSO_FILE ||
	    dso->kind == DSO_VDSO))
		find_binary(&in->sources,
		    dso->kind == DSO_VDSO ? FIND_VDSO : FIND_IMAGE,
		    &dso->binary, &in->image);
	in->image_sought = true;
	return in->image.runtime.file.start != NULL ? &in->image.runtime :
	    NULL;
}

const struct frametables *
dso_frametables(struct dso *dso, uint64_t *offset)
{
	const struct jitdump_function *function;
	struct jitdump_frames frames;
	struct frametables **tables;
	struct contents *in = open_contents(dso);

	if (dso->kind != DSO_JITDUMP) {
		if (own_image(dso) == NULL)
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
	struct contents *in = open_contents(dso);
	struct str bytes;

	/* a dump that has grown is mapped again; earlier mappings stay */
	if (find_map(&bytes, &in->account, "%s%s", in->sources.symfs,
	    dso->binary.path)) {
		if (in->mapped_count > 0 &&
		    bytes.len <= in->mapped[in->mapped_count - 1].len)
			mapping_remove(bytes.data);
		else
			*LIST_ADD(in->mapped, in->mapped_count,
			    in->mapped_room) = bytes;
	}
	*trouble = in->mapped_count == 0 ? "cannot be opened" :
	    jitdump_read(&in->dump, in->mapped[in->mapped_count - 1], taken);
	return *trouble == NULL ? &in->dump : NULL;
}

bool
dso_offset(struct dso *dso, enum dso_address how, uint64_t address,
    uint64_t *offset)
{
	const struct elf *elf = own_image(dso);

	return elf != NULL && elf->segment_count > 0 &&
	    elf_offset(elf, address + (how == DSO_LOADED ?
	    elf->segments[0].address : 0), offset);
}

bool
dso_start(struct dso *dso, struct str name, uint64_t *offset)
{
	return symtab_start(&load(dso)->symtab, name, offset);
}

bool
dso_word(struct dso *dso, uint64_t offset, uint64_t *word)
{
	const struct elf *elf = own_image(dso);

	return elf != NULL &&
	    bytes_number(&elf->file, offset, 0, sizeof(*word), word);
}

/* Finds them in the file's debug information, by the linked address. */
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
	    own_image(dso) == NULL ||
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
	struct contents *in = open_contents(dso);
	struct str file;
	uint32_t line;

	functions->count = 0;
	functions->first = 0;
	functions->last = UINT64_MAX;
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
	struct debug_function *own;

	functions->count = 0;
	if (!dso_function(dso, address, &function))
		return false;
	if ((wanted & (DEBUG_INLINED | DEBUG_LINES)) != 0)
		dso_inlined(dso, address, wanted, functions);
	if (functions->count == 0 ||
	    functions->list[functions->count - 1].inlined) {
		own = debug_functions_add(functions, STR(""));
		if (functions->count > 1) {
			own->file = own[-1].file;
			own->line = own[-1].line;
		}
	}
	functions->list[functions->count - 1].name = function.name;
	return true;
}

enum dso_trouble
dso_trouble(struct dso *dso)
{
	load(dso);
	return dso->trouble;
}

const char *
dso_damage(struct dso *dso, const char **path)
{
	return debug_trouble(open_contents(dso)->debug, path);
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

bool
symbols_tell_damaged(const struct symbols *symbols,
    void (*tell)(const char *path, const char *reason, const char *lost))
{
	const struct dso *dso;
	const struct contents *in;
	const char *trouble, *path, *name = "the kernel's", *lost;
	bool needs_xz = false;
	struct text limited = { 0 };
	size_t files;

	if (symbols == NULL)
		return false;
	lost = symbols->account.lost;
	files = lost != NULL;
	for (dso = symbols->dsos; dso != NULL; dso = dso->next) {
		if ((in = dso->in) == NULL)
			continue;
		if (in->account.lost != NULL) {
			name = dso->binary.path;
			lost = in->account.lost;
			files++;
		}
		trouble = section_trouble(&in->found.unpacked);
		if (trouble != NULL && !(needs_xz &&
		    in->found.unpacked.state == SECTION_NO_XZ))
			tell(dso->binary.path, trouble, "names of functions");
		needs_xz |= in->found.unpacked.state == SECTION_NO_XZ;
		trouble = debug_trouble(in->debug, &path);
		if (trouble != NULL)
			tell(path, trouble, "inlined functions");
	}
	if (files == 0)
		return false;
	text_add_format(&limited, files > 1 ? "%s (and %zu more)" : "%s",
	    name, files - 1);
	text_add_char(&limited, '\0');
	tell(limited.data, "more memory or time is needed than the files of a "
	    "recording may take", lost);
	free(limited.data);
	return true;
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
	fetches_close(&symbols->fetches);
	table_free(&symbols->files);
	free(symbols->scratch.data);
	free(symbols->shared);
	arena_free(&symbols->arena);
	free(symbols);
}
