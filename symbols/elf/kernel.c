#include <stdlib.h>

#include "elfsyms.h"
#include "find.h"
#include "kernel.h"

void
kernel_init(struct kernel *kernel, const struct symbol_sources *sources)
{
	*kernel = (struct kernel){ .sources = sources };
	pthread_mutex_init(&kernel->lock, NULL);
}

void
kernel_set(struct kernel *kernel, struct build_id id, struct str name,
    uint64_t address)
{
	size_t bracket = str_find_last(name, ']');

	pthread_mutex_lock(&kernel->lock);
	kernel->id = id;
	if (bracket < name.len)
		kernel->reference = str_skip(name, bracket + 1);
	if (kernel->reference.len > 0)
		kernel->address = address;
	pthread_mutex_unlock(&kernel->lock);
}

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
load_kallsyms(struct kernel *kernel)
{
	struct kallsyms *kallsyms = &kernel->kallsyms;
	uint64_t now;
	enum dso_trouble trouble;

	trouble = find_kallsyms(kernel->sources, kernel->id, &kernel->text);
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

/* Reads the names, once; the lock is held. */
static void
load(struct kernel *kernel)
{
	struct found *found = &kernel->found;

	if (kernel->loaded)
		return;
	kernel->loaded = true;
	if (kernel->sources->kallsyms == NULL &&
	    find_vmlinux(kernel->sources, kernel->id, found) == DSO_FINE)
		load_vmlinux(kernel, &found->symbols);
	if (!kernel->has_vmlinux)
		kernel->trouble = load_kallsyms(kernel);
}

/* Reads the names of a struct kernel, in a thread. */
static void *
read_names(void *argument)
{
	struct kernel *kernel = argument;

	pthread_mutex_lock(&kernel->lock);
	load(kernel);
	pthread_mutex_unlock(&kernel->lock);
	return NULL;
}

void
kernel_read_ahead(struct kernel *kernel)
{
	if (pthread_mutex_trylock(&kernel->lock) != 0)
		return;		/* they are being read */
	if (!kernel->loaded && !kernel->is_read_ahead)
		kernel->is_read_ahead = pthread_create(&kernel->reader, NULL,
		    read_names, kernel) == 0;
	pthread_mutex_unlock(&kernel->lock);
}

bool
kernel_is_read(struct kernel *kernel)
{
	bool loaded;

	if (pthread_mutex_trylock(&kernel->lock) != 0)
		return false;
	loaded = kernel->loaded;
	pthread_mutex_unlock(&kernel->lock);
	return loaded;
}

/* Finds a function at an address that is shifted. */
static bool
find(struct kernel *kernel, struct str module, uint64_t address,
    struct kernel_function *function)
{
	struct symbol_range range;
	struct symbol *symbol;

	if (kernel->trouble != DSO_FINE)
		return false;
	if (!kernel->has_vmlinux) {
		if (!kallsyms_find(&kernel->kallsyms, address, module,
		    &function->name, &function->start, &function->last))
			return false;
		function->first = function->start;
		return true;
	}
	if (module.len > 0)
		return false;
	symbol = symtab_find(&kernel->vmlinux, address, &range);
	function->first = range.first;
	function->last = range.last;
	if (symbol == NULL)
		return false;
	function->name = symtab_name(&kernel->vmlinux, symbol);
	function->start = symbol->start;
	return true;
}

/* Modules are not shifted: they are loaded where there is room. */
bool
kernel_find(struct kernel *kernel, struct str module, uint64_t address,
    struct kernel_function *function)
{
	uint64_t shift;
	bool found;

	pthread_mutex_lock(&kernel->lock);
	load(kernel);
	shift = module.len > 0 ? 0 : kernel->shift;
	function->first = function->last = address + shift;
	found = find(kernel, module, address + shift, function);
	function->start -= shift;
	function->first -= shift;
	function->last -= shift;
	pthread_mutex_unlock(&kernel->lock);
	return found;
}

bool
kernel_knows_module(struct kernel *kernel, struct str module)
{
	bool known;

	pthread_mutex_lock(&kernel->lock);
	load(kernel);
	known = kernel->trouble == DSO_FINE && !kernel->has_vmlinux &&
	    kallsyms_has_module(&kernel->kallsyms, module);
	pthread_mutex_unlock(&kernel->lock);
	return known;
}

enum dso_trouble
kernel_trouble(struct kernel *kernel)
{
	enum dso_trouble trouble;

	pthread_mutex_lock(&kernel->lock);
	trouble = kernel->trouble;
	pthread_mutex_unlock(&kernel->lock);
	return trouble;
}

void
kernel_free(struct kernel *kernel)
{
	if (kernel->is_read_ahead)
		pthread_join(kernel->reader, NULL);
	symtab_free(&kernel->vmlinux);
	search_close(&kernel->found);
	kallsyms_free(&kernel->kallsyms);
	free(kernel->text.data);
	pthread_mutex_destroy(&kernel->lock);
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
