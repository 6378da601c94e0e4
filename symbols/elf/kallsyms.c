#include <stdlib.h>

#include "kallsyms.h"
#include "lib/mem.h"
#include "radix.h"

#define PAGE		((uint64_t)4096)
#define LINE_SIZE_MAX	((size_t)1024)	/* the kernel's names have 512 */

struct kallsym {
	uint64_t address;
	const char *name;	/* up to a tab, a line's end or the text's */
};

/* Returns the digits that s begins with as a number, and steps over them. */
static uint64_t
take_hex(struct str *s)
{
	uint64_t number = 0;
	size_t i;
	char c;

	for (i = 0; i < s->len && is_hex(c = s->data[i]); i++)
		number = number << 4 | (uint64_t)(is_digit(c) ? c - '0' :
		    lower(c) - 'a' + 10);
	*s = str_skip(*s, i);
	return number;
}

/* Returns the name and, behind a tab, the module of a symbol. */
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
name_of(struct str line)
{
	return str_take(line, str_find(line, '\t'));
}

static struct str
module_of(struct str line)
{
	size_t tab = str_find(line, '\t');

	return tab < line.len ? str_skip(line, tab + 1) : STR("");
}

/*
 * Adds the symbol of a line, if it is of the text or the data.  perf leaves out
 * ARM's marks in the code, and a trampoline that is mapped elsewhere.
 */
static void
add_line(struct kallsyms *kallsyms, struct str line)
{
	uint64_t address = take_hex(&line);
	struct str module;
	char type;

	if (line.len < 3 || line.data[0] != ' ' || line.data[2] != ' ')
		return;
	type = lower(line.data[1]);
	line = str_skip(line, 3);
	if ((type != 't' && type != 'w' && type != 'd' && type != 'b') ||
	    str_starts(line, STR("$")) ||
	    str_equal(line, STR("__entry_SYSCALL_64_trampoline")))
		return;
	module = module_of(line);
	if (module.len > 0)
		table_add(&kallsyms->modules, module);
	kallsyms->symbols = mem_grow(kallsyms->symbols, &kallsyms->room,
	    kallsyms->count + 1, sizeof(*kallsyms->symbols));
	kallsyms->symbols[kallsyms->count++] = (struct kallsym){
		address, line.data
	};
}

static bool
in_order(const struct kallsyms *kallsyms)
{
	const struct kallsym *symbols = kallsyms->symbols;
	size_t i;

	for (i = 1; i < kallsyms->count; i++)
		if (symbols[i].address < symbols[i - 1].address)
			return false;
	return true;
}

/* Sorts by address; symbols with one address keep their order. */
static void
sort(struct kallsyms *kallsyms)
{
	struct kallsym *symbols = kallsyms->symbols;
	struct radix_item *items = mem_array(kallsyms->count, sizeof(*items));
	size_t i;

	kallsyms->symbols = mem_array(kallsyms->count, sizeof(*symbols));
	for (i = 0; i < kallsyms->count; i++)
		items[i] = (struct radix_item){ symbols[i].address, i };
	radix_sort(items, kallsyms->count);
	for (i = 0; i < kallsyms->count; i++)
		kallsyms->symbols[i] = symbols[items[i].number];
	free(items);
	free(symbols);
}

void
kallsyms_read(struct kallsyms *kallsyms, struct str text)
{
	size_t len;

	*kallsyms = (struct kallsyms){ .end = text.data + text.len };
	table_init(&kallsyms->modules);
	for (; text.len > 0; text = str_skip(text, len)) {
		len = str_find(text, '\n');
		add_line(kallsyms, str_take(text, len));
		len += len < text.len;
	}
	if (!in_order(kallsyms))
		sort(kallsyms);
	kallsyms->hidden = kallsyms->count > 0 &&
	    kallsyms->symbols[kallsyms->count - 1].address == 0;
}

/* Returns how many symbols have an address that is not above this one. */
static size_t
count_up_to(const struct kallsyms *kallsyms, uint64_t address)
{
	size_t low = 0, high = kallsyms->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (kallsyms->symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Returns the end of a symbol.  Between the kernel and its modules there is a
 * wide gap, so the last symbol before it ends behind the next page.
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
    struct str module, struct str *name, uint64_t *start, uint64_t *last)
{
	size_t count = count_up_to(kallsyms, address);
	struct str line;

	if (count == 0 || address >= end_of(kallsyms, count - 1))
		return false;
	line = line_of(kallsyms, &kallsyms->symbols[count - 1]);
	*name = name_of(line);
	*start = kallsyms->symbols[count - 1].address;
	if (!str_equal(module_of(line), module))
		return false;
	*last = end_of(kallsyms, count - 1) - 1;
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

bool
kallsyms_has_module(const struct kallsyms *kallsyms, struct str module)
{
	return table_find(&kallsyms->modules, module) != TABLE_NONE;
}

void
kallsyms_free(struct kallsyms *kallsyms)
{
	table_free(&kallsyms->modules);
	free(kallsyms->symbols);
}
