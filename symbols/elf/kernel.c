#include <stdlib.h>

#include "kernel.h"
#include "lib/mapping.h"
#include "lib/mem.h"
#include "lib/sort.h"

#define PAGE		((uint64_t)4096)
#define LINE_SIZE_MAX	((size_t)1024)	/* the kernel's names have 512 */

struct kallsym {
	uint64_t address;
	const char *name;	/* up to a tab, a line's end or the text's */
};

/* Returns the name and, after a tab, the module of a symbol. */
static struct str
line_of(const struct kallsyms *kallsyms, const struct kallsym *symbol)
{
	struct str rest = str_skip(kallsyms->bytes,
	    (size_t)(symbol->name - kallsyms->bytes.data));

	if (rest.len > LINE_SIZE_MAX)
		rest.len = LINE_SIZE_MAX;
	return str_take(rest, str_find(rest, '\n'));
}

static struct str
module_of(struct str line)
{
	size_t tab = str_find(line, '\t');

	return tab < line.len ? str_skip(line, tab + 1) : STR("");
}

/*
 * Reads the symbols of the text and the data.  perf leaves out ARM's marks in
 * the code, and a trampoline that is mapped elsewhere.
 */
void
kallsyms_read(struct kallsyms *kallsyms)
{
	struct str text = kallsyms->bytes, line, module;
	uint64_t address;
	char type;

	while (text.len > 0) {
		line = str_cut(&text, '\n');
		address = str_hex(&line);
		if (line.len < 3 || line.data[0] != ' ' || line.data[2] != ' ')
			continue;
		type = lower(line.data[1]);
		line = str_skip(line, 3);
		if ((type != 't' && type != 'w' && type != 'd' &&
		    type != 'b') || str_starts(line, STR("$")) ||
		    str_equal(line, STR("__entry_SYSCALL_64_trampoline")))
			continue;
		module = module_of(line);
		if (module.len > 0)
			table_add(&kallsyms->modules, module);
		*LIST_ADD(kallsyms->symbols, kallsyms->count, kallsyms->room) =
		    (struct kallsym){ address, line.data };
	}
	sort_by_number(kallsyms->symbols, kallsyms->count,
	    sizeof(*kallsyms->symbols));
	if (kallsyms->count == 0)
		kallsyms->trouble = DSO_NO_SYMBOLS;
	else if (kallsyms->symbols[kallsyms->count - 1].address == 0)
		kallsyms->trouble = DSO_HIDDEN;
}

/*
 * Returns the end of a symbol.  The last one before the wide gap between the
 * kernel and its modules ends after the next page.
 */
static uint64_t
end_of(const struct kallsyms *kallsyms, size_t number)
{
	const struct kallsym *symbol = &kallsyms->symbols[number];
	bool in_module = module_of(line_of(kallsyms, symbol)).len > 0;

	if (number + 1 < kallsyms->count &&
	    in_module == (module_of(line_of(kallsyms, symbol + 1)).len > 0))
		return symbol[1].address;
	return (symbol->address + PAGE - 1) / PAGE * PAGE + PAGE;
}

/* Finds the address of a function of the kernel itself; false if unknown. */
static bool
find_address(const struct kallsyms *kallsyms, struct str name,
    uint64_t *address)
{
	const struct kallsym *symbol;
	size_t i;
	char type;

	for (i = 0; i < kallsyms->count; i++) {
		symbol = &kallsyms->symbols[i];
		type = lower(symbol->name[-2]);
		if ((type == 't' || type == 'w') &&
		    str_equal(line_of(kallsyms, symbol), name)) {
			*address = symbol->address;
			return true;
		}
	}
	return false;
}

void
kernel_set(struct kernel *kernel, struct build_id id, struct str name,
    uint64_t address)
{
	size_t bracket = str_find_last(name, ']');

	kernel->id = id;
	if (bracket < name.len)
		kernel->reference = str_skip(name, bracket + 1);
	if (kernel->reference.len > 0)
		kernel->address = address;
}

static void
free_names(struct kallsyms *names)
{
	table_free(&names->modules);
	free(names->symbols);
	mapping_remove(names->bytes.data);
	free(names->text.data);
	*names = (struct kallsyms){ .trouble = DSO_FINE };
}

/* True if the running kernel has that build id. */
static bool
is_running(const struct build_id *id)
{
	struct text notes = { 0 };
	struct build_id running = { 0 };

	if (find_read("/sys/kernel/notes", &notes))
		running = elf_notes_build_id(bytes_from(text_str(&notes)));
	free(notes.data);
	return running.len > 0 && build_id_matches(id, &running);
}

/* Maps the copy of the names that perf made when it first recorded here. */
static bool
map_copy(const struct kernel *kernel, struct kallsyms *names)
{
	const struct symbol_sources *sources = kernel->sources;
	const char *folder = sources->collection;
	char hex[2 * BUILD_ID_MAX + 1];

	if (sources->kallsyms != NULL || folder == NULL ||
	    kernel->id.len == 0 ||
	    (sources->symfs[0] != '\0' && sources->buildid_dir == NULL))
		return false;
	build_id_hex(&kernel->id, hex);
	return find_map(&names->bytes, NULL,
	    "%s/[kernel.kallsyms]/%s/kallsyms", folder, hex) ||
	    find_map(&names->bytes, NULL, "%s/[kernel.kallsyms]/%s", folder,
	    hex);
}

/* Reads the names of the recorded kernel; if it is unknown, the running one. */
static void
read_names(const struct kernel *kernel, struct kallsyms *names)
{
	const struct symbol_sources *sources = kernel->sources;
	const struct build_id *id = &kernel->id;
	const char *path = sources->kallsyms;

	if (path == NULL && sources->is_foreign && id->len == 0) {
		names->trouble = DSO_OTHER_MACHINE;
		return;
	}
	if (path == NULL && sources->symfs[0] == '\0' &&
	    (id->len == 0 || is_running(id)))
		path = "/proc/kallsyms";
	if (path == NULL && !map_copy(kernel, names))
		names->trouble = DSO_NO_KERNEL;
	/* files in /proc say that they are empty */
	if (path != NULL && (!find_map(&names->bytes, NULL, "%s", path) ||
	    (names->bytes.len == 0 && !find_read(path, &names->text))))
		names->trouble = DSO_NO_FILE;
	if (names->bytes.len == 0)
		names->bytes = text_str(&names->text);
	if (names->trouble == DSO_FINE)
		kallsyms_read(names);
}

/* Finds the value of a symbol of .symtab; false if that lacks the name. */
static bool
linked_address(const struct elf *elf, struct str name, uint64_t *address)
{
	struct elf_symbols symbols = elf_symbols(elf, elf_table(elf,
	    STR(".symtab"), ELF_SYMTAB));
	struct elf_symbol symbol;

	while (elf_symbol(&symbols, &symbol)) {
		*address = symbol.value;
		if (symbol.name != NULL &&
		    strncmp(symbol.name, name.data, name.len) == 0 &&
		    symbol.name[name.len] == '\0')
			return true;
	}
	return false;
}

/* Reads the kernel's names, once: a vmlinux's, or those of kallsyms. */
static void
load(struct kernel *kernel)
{
	const struct binary binary = { .id = kernel->id };
	const struct elf *elf = &kernel->found.symbols;
	struct kallsyms *names = &kernel->names;
	uint64_t now;

	if (kernel->loaded)
		return;
	kernel->loaded = true;
	if (kernel->sources->kallsyms == NULL && find_binary(kernel->sources,
	    FIND_KERNEL, &binary, &kernel->found) == DSO_FINE) {
		kernel->vmlinux.raw = true;
		kernel->vmlinux.account = elf->account;
		elfsyms_add(&kernel->vmlinux, elf, elf, BY_ADDRESS, false);
		if (kernel->address != 0 &&
		    linked_address(elf, kernel->reference, &now))
			kernel->shift = now - kernel->address;
	}
	if (kernel->vmlinux.count > 0)
		return;
	/*
	 * Read perf's copy if it has the kernel at the recorded address: that
	 * takes 4 ms, while Linux takes 50 to print the same.  Its modules may
	 * have had other addresses.
	 */
	if (kernel->address != 0 && map_copy(kernel, names)) {
		kallsyms_read(names);
		kernel->is_copy = find_address(names, kernel->reference,
		    &now) && now == kernel->address;
		if (kernel->is_copy)
			return;
		free_names(names);
	}
	read_names(kernel, names);
	if (kernel->address != 0 &&
	    find_address(names, kernel->reference, &now))
		kernel->shift = now - kernel->address;
}

/* Returns the names of a module, or the kernel's own. */
static const struct kallsyms *
names_of(struct kernel *kernel, struct str module)
{
	load(kernel);
	if (module.len == 0 || !kernel->is_copy)
		return &kernel->names;
	if (!kernel->has_modules)
		read_names(kernel, &kernel->modules);
	kernel->has_modules = true;
	return &kernel->modules;
}

/* Modules are not shifted: they are loaded where there is room. */
bool
kernel_find(struct kernel *kernel, struct str module, uint64_t address,
    struct dso_function *function)
{
	const struct kallsyms *names = names_of(kernel, module);
	uint64_t shift = module.len > 0 ? 0 : kernel->shift;
	struct str line;
	size_t count;

	if (kernel->vmlinux.count > 0)
		return module.len == 0 && symtab_function(&kernel->vmlinux,
		    address, -shift, function);
	count = sort_up_to(address + shift, names->symbols, names->count,
	    sizeof(*names->symbols));
	if (names->trouble != DSO_FINE || count == 0 ||
	    address + shift >= end_of(names, count - 1))
		return false;
	line = line_of(names, &names->symbols[count - 1]);
	if (!str_equal(module_of(line), module))
		return false;
	function->name = str_take(line, str_find(line, '\t'));
	function->start = names->symbols[count - 1].address - shift;
	function->first = function->start;
	function->last = end_of(names, count - 1) - 1 - shift;
	return true;
}

bool
kernel_linked(struct kernel *kernel, uint64_t address, uint64_t *linked)
{
	load(kernel);
	*linked = address + kernel->shift;
	return kernel->vmlinux.count > 0;
}

bool
kernel_knows_module(struct kernel *kernel, struct str module)
{
	const struct kallsyms *names = names_of(kernel, module);

	return names->trouble == DSO_FINE && kernel->vmlinux.count == 0 &&
	    table_find(&names->modules, module) != TABLE_NONE;
}

enum dso_trouble
kernel_trouble(struct kernel *kernel, struct str module)
{
	return names_of(kernel, module)->trouble;
}

void
kernel_free(struct kernel *kernel)
{
	symtab_free(&kernel->vmlinux);
	find_close(&kernel->found);
	free_names(&kernel->names);
	free_names(&kernel->modules);
}

struct str
kernel_module_name(struct text *text, struct str path)
{
	size_t i;

	path = str_base(path);
	if (str_starts(path, STR("[")))
		return path;
	path = str_take(path, str_search(path, STR(".ko")));
	text->len = 0;
	text_add_char(text, '[');
	for (i = 0; i < path.len; i++)
		text_add_char(text, path.data[i] == '-' ? '_' : path.data[i]);
	text_add_char(text, ']');
	return text_str(text);
}
