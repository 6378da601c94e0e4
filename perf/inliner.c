#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "inliner.h"
#include "lib/message.h"
#include "lib/table.h"
#include "symbols/dwarf/debug.h"
#include "symbols/elf/elfsyms.h"
#include "symbols/elf/find.h"

#define ADDRESS_DIGITS	16

struct module {
	char *path;
	bool failed;			/* and it was said why */
	bool answered;
	struct debug *debug;		/* NULL: it has no debug information */
	bool has_names;			/* the symbols below were read */
	struct found found;
	struct symtab symtab;
	struct table names;		/* of its symbols */
	uint64_t *values;		/* by a name's number */
	size_t room;
};

struct inliner {
	bool context;
	struct table paths;
	struct module *modules;		/* by a path's number */
	size_t room;
	struct debug_functions functions;
};

static const struct symbol_sources sources = { .symfs = "" };

struct inliner *
inliner_new(bool context)
{
	struct inliner *inliner = mem_array(1, sizeof(*inliner));

	inliner->context = context;
	table_init(&inliner->paths);
	return inliner;
}

static void
fail(struct module *module, const char *reason)
{
	module->failed = true;
	message_warn("--inline: %s: %s", module->path, reason);
}

/* True for a program of a kind that is not read. */
static bool
has_32_bits(const char *path)
{
	struct build_id any = { 0 };
	struct found found;
	enum dso_trouble trouble = find_program(&sources, path, any, &found);

	if (trouble == DSO_FINE)
		find_close(&found);
	return trouble == DSO_32_BIT;
}

static void
open_module(struct module *module, struct str path)
{
	struct stat status;

	*module = (struct module){ .path = mem_array(path.len + 1, 1) };
	memcpy(module->path, path.data, path.len);
	if (str_find(path, '\0') < path.len)
		fail(module, "what follows is no part of a file's name");
	else if (stat(module->path, &status) != 0)
		fail(module, strerror(errno));
	else if (!S_ISREG(status.st_mode))
		fail(module, "not a regular file");
	else {
		module->debug = debug_open(&sources, module->path,
		    (struct build_id){ 0 });
		if (module->debug == NULL && has_32_bits(module->path))
			fail(module, "a program of 32 bits, which is not read");
	}
}

static struct module *
get_module(struct inliner *inliner, struct str path)
{
	uint32_t before = inliner->paths.count, number;

	number = table_add(&inliner->paths, path);
	inliner->modules = mem_grow(inliner->modules, &inliner->room,
	    number + (size_t)1, sizeof(*inliner->modules));
	if (number == before)
		open_module(&inliner->modules[number], path);
	return &inliner->modules[number];
}

/* Returns the number whose hexadecimal digits s begins with. */
static uint64_t
hex_number(struct str s)
{
	uint64_t number = 0;
	size_t i;

	for (i = 0; i < s.len && is_hex(s.data[i]); i++)
		number = number * 16 + (uint64_t)(is_digit(s.data[i]) ?
		    s.data[i] - '0' : (s.data[i] | 0x20) - 'a' + 10);
	return number;
}

static void
add_name(struct module *module, struct str name, uint64_t value)
{
	uint32_t before = module->names.count, number;

	number = table_add(&module->names, name);
	if (number < before)
		return;
	module->values = mem_grow(module->values, &module->room,
	    number + (size_t)1, sizeof(*module->values));
	module->values[number] = value;
}

/* Reads a module's symbols, by the names that the file has and perf prints. */
static void
read_names(struct module *module)
{
	struct symtab *symtab = &module->symtab;
	struct symbol *symbol;
	size_t i;

	module->has_names = true;
	table_init(&module->names);
	if (find_program(&sources, module->path, (struct build_id){ 0 },
	    &module->found) != DSO_FINE)
		return;
	elfsyms_add(symtab, &module->found.symbols, &module->found.runtime,
	    BY_ADDRESS);
	for (i = 0; i < symtab->count; i++) {
		symbol = &symtab->symbols[i];
		add_name(module, str_from(symbol->name), symbol->start);
		add_name(module, symtab_name(symtab, symbol), symbol->start);
	}
}

/* Finds the address of "function+0x1f" by the symbols. */
static bool
find_address(struct module *module, struct str symbol, uint64_t *address)
{
	const struct str sign = STR("+0x");
	size_t plus = str_find_last(symbol, '+');
	uint32_t number;

	if (!str_starts(str_skip(symbol, plus), sign))
		return false;
	if (!module->has_names)
		read_names(module);
	number = table_find(&module->names, str_take(symbol, plus));
	if (number == TABLE_NONE)
		return false;
	*address = module->values[number] +
	    hex_number(str_skip(symbol, plus + sign.len));
	return true;
}

/* Adds a call, with its line if there is one: "function:file.c:12". */
static void
add_call(const struct inliner *inliner, const struct debug_function *function,
    struct text *calls)
{
	text_add(calls, function->name.len > 0 ? function->name : STR("??"));
	if (!inliner->context || function->file.len == 0)
		return;
	text_add_char(calls, ':');
	text_add(calls, function->file);
	text_add_char(calls, ':');
	if (function->line > 0)
		text_add_number(calls, function->line);
	else
		text_add_char(calls, '?');
}

/* Adds the calls at an address in the module's file. */
static bool
look_up(struct inliner *inliner, struct module *module, uint64_t address,
    struct text *calls)
{
	struct debug_functions *functions = &inliner->functions;
	size_t i;

	if (!debug_find(module->debug, address, DEBUG_PARAMETERS |
	    (inliner->context ? DEBUG_LINES : 0), functions) ||
	    functions->list[0].name.len == 0)
		return false;
	for (i = functions->count; i > 0; i--) {
		add_call(inliner, &functions->list[i - 1], calls);
		if (i > 1)
			text_add_char(calls, '\n');
	}
	module->answered = true;
	return true;
}

bool
inliner_calls(struct inliner *inliner, struct str path, struct str address,
    struct str symbol, struct text *calls)
{
	struct module *module;
	uint64_t found;
	size_t i;

	for (i = 0; i < address.len; i++)
		if (!is_hex(address.data[i]) || i == ADDRESS_DIGITS)
			return false;
	module = get_module(inliner, path);
	if (module->debug == NULL)
		return false;
	return look_up(inliner, module, hex_number(address), calls) ||
	    (find_address(module, symbol, &found) &&
	    look_up(inliner, module, found, calls));
}

static void
close_module(struct module *module)
{
	debug_close(module->debug);
	if (module->has_names) {
		symtab_free(&module->symtab);
		find_close(&module->found);
		table_free(&module->names);
		free(module->values);
	}
	free(module->path);
}

/* Says which modules have no debug information, or what is wrong with it. */
static void
report(const struct inliner *inliner)
{
	const struct module *module, *first = NULL;
	unsigned long others = 0;
	uint32_t i;

	for (i = 0; i < inliner->paths.count; i++) {
		module = &inliner->modules[i];
		if (module->debug != NULL &&
		    debug_trouble(module->debug) != NULL)
			message_warn("--inline: %s: %s",
			    debug_path(module->debug),
			    debug_trouble(module->debug));
		else if (!module->answered && !module->failed) {
			others += first != NULL;
			first = first == NULL ? module : first;
		}
	}
	if (others > 0)
		message_warn("--inline: %s: no debug information, nor in "
		    "other files: %lu", first->path, others);
	else if (first != NULL)
		message_warn("--inline: %s: no debug information",
		    first->path);
}

void
inliner_end(struct inliner *inliner)
{
	uint32_t i;

	report(inliner);
	for (i = 0; i < inliner->paths.count; i++)
		close_module(&inliner->modules[i]);
	table_free(&inliner->paths);
	free(inliner->modules);
	debug_functions_free(&inliner->functions);
	free(inliner);
}
