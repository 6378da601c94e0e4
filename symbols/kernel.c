#include <stdlib.h>

#include "elfsyms.h"
#include "find.h"
#include "kernel.h"

static void
load_vmlinux(struct kernel *kernel, const struct elf *elf)
{
	uint64_t linked;

	kernel->vmlinux.raw = true;
	elfsyms_add(&kernel->vmlinux, elf, elf, BY_ADDRESS);
	if (kernel->address != 0 &&
	    elfsyms_value(elf, kernel->reference, &linked))
		kernel->shift = linked - kernel->address;
	kernel->has_vmlinux = kernel->vmlinux.count > 0;
}

static enum dso_trouble
load_kallsyms(struct kernel *kernel, const struct symbol_sources *sources)
{
	struct kallsyms *kallsyms = &kernel->kallsyms;
	uint64_t now;
	enum dso_trouble trouble;

	trouble = find_kallsyms(sources, kernel->id, &kernel->text);
	if (trouble != DSO_FINE)
		kernel->text.len = 0;
	kallsyms_read(kallsyms, text_str(&kernel->text));
	if (kernel->address != 0 &&
	    kallsyms_address(kallsyms, kernel->reference, &now))
		kernel->shift = now - kernel->address;
	if (trouble == DSO_FINE && kallsyms->hidden)
		return DSO_HIDDEN;
	return trouble == DSO_FINE && kallsyms->count == 0 ? DSO_NO_SYMBOLS :
	    trouble;
}

void
kernel_load(struct kernel *kernel, const struct symbol_sources *sources)
{
	struct found *found = &kernel->found;

	if (kernel->loaded)
		return;
	kernel->loaded = true;
	if (sources->kallsyms == NULL &&
	    find_vmlinux(sources, kernel->id, found) == DSO_FINE)
		load_vmlinux(kernel, &found->symbols);
	if (!kernel->has_vmlinux)
		kernel->trouble = load_kallsyms(kernel, sources);
}

bool
kernel_function(struct kernel *kernel, uint64_t address,
    struct str *name, uint64_t *start, uint64_t *last)
{
	uint64_t shifted = address + kernel->shift;
	struct symbol *symbol;

	if (kernel->trouble != DSO_FINE)
		return false;
	if (kernel->has_vmlinux) {
		symbol = symtab_find(&kernel->vmlinux, shifted);
		*last = kernel->vmlinux.last - kernel->shift;
		if (symbol == NULL)
			return false;
		*name = symtab_name(&kernel->vmlinux, symbol);
		*start = symbol->start;
	} else {
		if (!kallsyms_find(&kernel->kallsyms, shifted, STR(""), name,
		    start, last))
			return false;
		*last -= kernel->shift;
	}
	*start -= kernel->shift;
	return true;
}

/* Modules are not shifted: they are loaded where there is room. */
bool
kernel_module_function(const struct kernel *kernel, struct str module,
    uint64_t address, struct str *name, uint64_t *start, uint64_t *last)
{
	return kernel_knows_module(kernel, module) &&
	    kallsyms_find(&kernel->kallsyms, address, module, name, start,
	    last);
}

bool
kernel_knows_module(const struct kernel *kernel, struct str module)
{
	return kernel->trouble == DSO_FINE && !kernel->has_vmlinux &&
	    kallsyms_has_module(&kernel->kallsyms, module);
}

void
kernel_free(struct kernel *kernel)
{
	symtab_free(&kernel->vmlinux);
	search_close(&kernel->found);
	kallsyms_free(&kernel->kallsyms);
	free(kernel->text.data);
}

void
kernel_module_name(struct str path, struct text *name)
{
	size_t slash = str_find_last(path, '/'), i;

	if (slash < path.len)
		path = str_skip(path, slash + 1);
	if (str_starts(path, STR("["))) {
		text_add(name, path);
		return;
	}
	path = str_take(path, str_search(path, STR(".ko")));
	text_add_char(name, '[');
	for (i = 0; i < path.len; i++)
		text_add_char(name, path.data[i] == '-' ? '_' : path.data[i]);
	text_add_char(name, ']');
}
