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
	size_t left = (size_t)(kallsyms->end - symbol->name);
	struct str rest = {
		symbol->name, left < LINE_SIZE_MAX ? left : LINE_SIZE_MAX
	};

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
kallsyms_read(struct kallsyms *kallsyms, struct str text)
{
	struct str line, module;
	uint64_t address;
	char type;

	kallsyms->end = text.data + text.len;
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
 * Returns the end of a symbol.  Between the kernel and its modules there is a
 * wide gap, so the last symbol before it ends after the next page.
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

bool
kallsyms_find(const struct kallsyms *kallsyms, uint64_t address,
    struct str module, struct dso_function *function)
{
	size_t count = sort_up_to(address, kallsyms->symbols,
	    kallsyms->count, sizeof(*kallsyms->symbols));
	struct str line;

	if (count == 0 || address >= end_of(kallsyms, count - 1))
		return false;
	line = line_of(kallsyms, &kallsyms->symbols[count - 1]);
	if (!str_equal(module_of(line), module))
		return false;
	function->name = str_take(line, str_find(line, '\t'));
	function->start = kallsyms->symbols[count - 1].address;
	function->first = function->start;
	function->last = end_of(kallsyms, count - 1) - 1;
	return true;
}

bool
kallsyms_address(const struct kallsyms *kallsyms, struct str name,
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

/* Reads the names that the machine, or who asks, has of a kernel. */
static void
read_names(const struct kernel *kernel, struct kallsyms *names)
{
	names->trouble = find_kallsyms(kernel->sources, kernel->id,
	    &names->bytes, &names->text);
	if (names->trouble == DSO_FINE)
		kallsyms_read(names, names->bytes);
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
		    elfsyms_value(elf, kernel->reference, &now))
			kernel->shift = now - kernel->address;
		kernel->has_vmlinux = kernel->vmlinux.count > 0;
	}
	if (kernel->has_vmlinux)
		return;
	/*
	 * Read the copy that perf keeps if it has the kernel's address of the
	 * recording: that takes 4 ms, while Linux takes 50 to print the same.
	 * Its modules may have had other addresses.
	 */
	if (kernel->address != 0 && find_kept_kallsyms(kernel->sources,
	    kernel->id, &names->bytes)) {
		kallsyms_read(names, names->bytes);
		kernel->is_copy = kallsyms_address(names, kernel->reference,
		    &now) && now == kernel->address;
		if (kernel->is_copy)
			return;
		free_names(names);
	}
	read_names(kernel, names);
	if (kernel->address != 0 &&
	    kallsyms_address(names, kernel->reference, &now))
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

	function->first = function->last = address;
	if (kernel->has_vmlinux)
		return module.len == 0 && symtab_function(&kernel->vmlinux,
		    address, -shift, function);
	if (names->trouble != DSO_FINE ||
	    !kallsyms_find(names, address + shift, module, function))
		return false;
	function->start -= shift;
	function->first -= shift;
	function->last -= shift;
	return true;
}

bool
kernel_linked(struct kernel *kernel, uint64_t address, uint64_t *linked)
{
	load(kernel);
	*linked = address + kernel->shift;
	return kernel->has_vmlinux;
}

bool
kernel_knows_module(struct kernel *kernel, struct str module)
{
	const struct kallsyms *names = names_of(kernel, module);

	return names->trouble == DSO_FINE && !kernel->has_vmlinux &&
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
kernel_module_name(struct arena *arena, struct str path)
{
	char *name;
	size_t i;

	path = str_base(path);
	if (str_starts(path, STR("[")))
		return arena_copy(arena, path);
	path = str_take(path, str_search(path, STR(".ko")));
	name = arena_take(arena, path.len + 2);
	name[0] = '[';
	for (i = 0; i < path.len; i++)
		name[i + 1] = path.data[i] == '-' ? '_' : path.data[i];
	name[i + 1] = ']';
	return (struct str){ name, path.len + 2 };
}
