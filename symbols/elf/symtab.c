#include <stdlib.h>

#include "elf.h"
#include "lib/sort.h"
#include "symbols/demangle/demangle.h"
#include "symtab.h"

#define PAGE		((uint64_t)4096)
/* perf cuts the names of PLT entries to fit its buffer. */
#define PLT_NAME_MAX	1023

/*
 * Any number of symbols may share a name that fills a file, so it is cut.
 * Those that compilers make have a few thousand bytes at most.
 */
#define NAME_SIZE_MAX	((size_t)32 * 1024)

/* Merges the new, sorted symbols into the others. */
static void
merge_new(struct symtab *symtab)
{
	struct symbol *new = symtab->symbols + symtab->sorted, *copy;
	size_t left = symtab->sorted, to = symtab->count;
	size_t more = symtab->count - symtab->sorted;

	if (left == 0 || more == 0 || new[-1].start <= new[0].start)
		return;
	copy = mem_array(more, sizeof(*copy));
	memcpy(copy, new, more * sizeof(*copy));
	while (more > 0) {
		if (left > 0 && symtab->symbols[left - 1].start >
		    copy[more - 1].start)
			symtab->symbols[--to] = symtab->symbols[--left];
		else
			symtab->symbols[--to] = copy[--more];
	}
	free(copy);
}

void
symtab_end_table(struct symtab *symtab, bool repair)
{
	struct symbol *symbol, *last;

	if (symtab->sorted == symtab->count)
		return;
	sort_by_number(symtab->symbols + symtab->sorted,
	    symtab->count - symtab->sorted, sizeof(*symtab->symbols));
	merge_new(symtab);
	symtab->sorted = symtab->count;
	if (!repair)
		return;
	/* give an end to symbols without one, as perf's symbols__fixup_end */
	last = &symtab->symbols[symtab->count - 1];
	for (symbol = symtab->symbols; symbol < last; symbol++)
		if (symbol->end == symbol->start)
			symbol->end = symbol[1].start;
	if (last->end == last->start)
		last->end = last->start < UINT64_MAX - 2 * PAGE ?
		    (last->start + PAGE - 1) / PAGE * PAGE + PAGE : UINT64_MAX;
}

static struct str
name_of(const struct symbol *symbol)
{
	return (struct str){
		symbol->name, strnlen(symbol->name, NAME_SIZE_MAX)
	};
}

struct str
symtab_name(struct symtab *symtab, struct symbol *symbol)
{
	struct text *text = &symtab->scratch;
	struct str name = name_of(symbol);

	if (symbol->named)
		return name;
	symbol->named = true;
	if (symtab->raw)
		return name;
	text->len = 0;
	if (!demangle(name, text) && !symbol->plt)
		return name;
	if (text->len == 0)
		text_add(text, name);
	if (symbol->plt) {
		text_add(text, STR("@plt"));
		if (text->len > PLT_NAME_MAX)
			text->len = PLT_NAME_MAX;
	}
	text_add_char(text, '\0');
	if (account_take(symtab->account, LIMIT_MEMORY, text->len,
	    "demangled names"))
		symbol->name = arena_copy(&symtab->names,
		    text_str(text)).data;
	return name_of(symbol);
}

static size_t
leading_underscores(struct str name)
{
	size_t n = 0;

	while (n < name.len && name.data[n] == '_')
		n++;
	return n;
}

/* True if perf keeps a and drops b, added later, with the same addresses. */
static bool
prefers(struct symtab *symtab, struct symbol *a, struct symbol *b)
{
	struct str name, other;
	size_t in_name, in_other;

	if ((a->binding == ELF_WEAK) != (b->binding == ELF_WEAK))
		return b->binding == ELF_WEAK;
	if ((a->binding == ELF_GLOBAL) != (b->binding == ELF_GLOBAL))
		return a->binding == ELF_GLOBAL;
	name = name_of(a);
	if (!account_work(symtab->account, name.len, "the best of names"))
		return true;
	/* often it is one symbol in two tables */
	if (str_equal(name, name_of(b)) && !str_contains(name, STR("SyS")))
		return true;
	name = symtab_name(symtab, a);
	other = symtab_name(symtab, b);
	in_name = leading_underscores(name);
	in_other = leading_underscores(other);
	if (in_name != in_other)
		return in_name < in_other;
	if (name.len != other.len)
		return name.len > other.len;
	/* the first, except for these of old kernels */
	return !str_starts(name, STR("SyS")) &&
	    !str_starts(name, STR("compat_SyS"));
}

/* Orders symbols of one start: those without a size, then the longest first. */
static int
compare_symbols(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	uint64_t in_x = x->end - x->start, in_y = y->end - y->start;

	if (x->sized != y->sized)
		return x->sized - y->sized;
	if (in_x != in_y)
		return (in_x - 1 < in_y - 1) - (in_x - 1 > in_y - 1);
	return (x->number > y->number) - (x->number < y->number);
}

/* Returns the number of the symbol after the last alias of one. */
static size_t
after_aliases(const struct symtab *symtab, size_t number)
{
	const struct symbol *first = &symtab->symbols[number];

	while (++number < symtab->count &&
	    symtab->symbols[number].start == first->start &&
	    symtab->symbols[number].end == first->end &&
	    symtab->symbols[number].sized == first->sized)
		;
	return number;
}

/*
 * Brings symbols of one start in order, and cuts what symbols hold into pieces.
 * An empty symbol holds its start, unless a longer repaired one begins there.
 */
static void
cut(struct symtab *symtab)
{
	struct symbol *symbols = symtab->symbols;
	bool is_empty;
	size_t i, next;

	for (i = 0; i < symtab->count; i = next) {
		for (next = i + 1; next < symtab->count &&
		    symbols[next].start == symbols[i].start; next++)
			continue;
		if (after_aliases(symtab, i) < next)
			qsort(symbols + i, next - i, sizeof(*symbols),
			    compare_symbols);
	}
	symtab->sized.account = symtab->others.account = symtab->account;
	symtab->sized.lost = symtab->others.lost = "names of functions";
	for (i = 0; i < symtab->count; i = next) {
		next = after_aliases(symtab, i);
		is_empty = symbols[i].end == symbols[i].start;
		if (!is_empty || next == symtab->count ||
		    symbols[next].start != symbols[i].start ||
		    symbols[next].sized)
			spans_add(symbols[i].sized ? &symtab->sized :
			    &symtab->others, symbols[i].start,
			    symbols[i].end + is_empty, (uint32_t)i);
	}
	spans_sort(&symtab->sized);
	spans_sort(&symtab->others);
}

struct symbol *
symtab_find(struct symtab *symtab, uint64_t address,
    struct span_range *range)
{
	struct symbol *symbol, *best, *other, *end, swap;
	uint32_t number;

	*range = (struct span_range){ 0, UINT64_MAX };
	if (!symtab->cut) {
		symtab->cut = true;
		cut(symtab);
	}
	number = spans_find(&symtab->sized, address, range);
	if (number == SPANS_NONE)
		number = spans_find(&symtab->others, address, range);
	if (number == SPANS_NONE)
		return NULL;
	symbol = best = &symtab->symbols[number];
	if (symbol->chosen)
		return symbol;
	/* bring the one of aliases that perf prefers to the front */
	end = symtab->symbols + after_aliases(symtab, number);
	for (other = symbol + 1; other < end; other++)
		if (!prefers(symtab, best, other))
			best = other;
	swap = *symbol;
	*symbol = *best;
	*best = swap;
	symbol->chosen = true;
	return symbol;
}

bool
symtab_function(struct symtab *symtab, uint64_t address, uint64_t base,
    struct dso_function *function)
{
	struct span_range range;
	struct symbol *symbol = symtab_find(symtab, address - base, &range);

	function->first = range.first + base;
	function->last = range.last + base;
	if (symbol == NULL)
		return false;
	function->name = symtab_name(symtab, symbol);
	function->start = symbol->start + base;
	return function->name.len > 0;
}

static void
add_start(struct symtab *symtab, struct str name, uint64_t start)
{
	uint32_t before = symtab->by_name.count, number;

	number = table_add(&symtab->by_name, name);
	if (number == before)
		*LIST_AT(symtab->starts, number, symtab->starts_room) = start;
}

bool
symtab_start(struct symtab *symtab, struct str name, uint64_t *start)
{
	struct symbol *symbol;
	uint32_t number;
	size_t i;

	if (symtab->by_name.count == 0)		/* the first time */
		for (i = 0; i < symtab->count; i++) {
			symbol = &symtab->symbols[i];
			add_start(symtab, name_of(symbol), symbol->start);
			add_start(symtab, symtab_name(symtab, symbol),
			    symbol->start);
		}
	number = table_find(&symtab->by_name, name);
	if (number != TABLE_NONE)
		*start = symtab->starts[number];
	return number != TABLE_NONE;
}

void
symtab_free(struct symtab *symtab)
{
	spans_free(&symtab->sized);
	spans_free(&symtab->others);
	free(symtab->symbols);
	free(symtab->scratch.data);
	arena_free(&symtab->names);
	table_free(&symtab->by_name);
	free(symtab->starts);
	*symtab = (struct symtab){ 0 };
}
