#include <stdlib.h>

#include "elf.h"
#include "radix.h"
#include "symbols/demangle/demangle.h"
#include "symtab.h"
#include "symtree.h"

#define PAGE		((uint64_t)4096)
/* perf cuts the names of PLT entries to fit its buffer. */
#define PLT_NAME_MAX	1023

/*
 * A longer name is cut, since any number of symbols may share one that fills a
 * file.  Those that compilers make have a few thousand bytes at most.
 */
#define NAME_SIZE_MAX	((size_t)32 * 1024)

/*
 * Past so many bytes of demangled names the others stay as they are, and past
 * so many that were compared the first symbol of one start is kept.
 */
#define NAMES_SIZE_MAX	((size_t)256 << 20)

static bool
in_order(const struct symbol *symbols, size_t count)
{
	size_t i;

	for (i = 1; i < count; i++)
		if (symbols[i].start < symbols[i - 1].start)
			return false;
	return true;
}

/* Sorts by start; symbols with one start keep their order. */
static void
sort_symbols(struct symbol *symbols, size_t count)
{
	struct radix_item *items;
	struct symbol *copy;
	size_t i;

	if (in_order(symbols, count))
		return;
	items = mem_array(count, sizeof(*items));
	for (i = 0; i < count; i++)
		items[i] = (struct radix_item){ symbols[i].start, i };
	radix_sort(items, count);
	copy = mem_array(count, sizeof(*copy));
	memcpy(copy, symbols, count * sizeof(*copy));
	for (i = 0; i < count; i++)
		symbols[i] = copy[items[i].number];
	free(copy);
	free(items);
}

/* Brings the new symbols, which are sorted, in between the others. */
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

/* Gives an end to those that lack one, as perf's symbols__fixup_end. */
static void
fill_ends(struct symtab *symtab)
{
	struct symbol *symbol = symtab->symbols;
	struct symbol *last = symbol + symtab->count - 1;

	for (; symbol < last; symbol++)
		if (symbol->end == symbol->start)
			symbol->end = symbol[1].start;
	if (last->end == last->start)
		last->end = (last->start + PAGE - 1) / PAGE * PAGE + PAGE;
}

static void
mark_overlapped(struct symtab *symtab)
{
	struct symbol *symbol = symtab->symbols;
	struct symbol *end = symbol + symtab->count, *first;
	uint64_t farthest = 0, start;

	while (symbol < end) {
		start = symbol->start;
		first = symbol;
		for (; symbol < end && symbol->start == start; symbol++)
			symbol->overlapped = farthest > start;
		for (; first < symbol; first++)
			if (first->end > farthest)
				farthest = first->end;
	}
}

void
symtab_end_table(struct symtab *symtab, bool repair)
{
	symtab->repaired[symtab->tables++] = repair;
	if (symtab->sorted == symtab->count)
		return;
	sort_symbols(symtab->symbols + symtab->sorted,
	    symtab->count - symtab->sorted);
	merge_new(symtab);
	symtab->sorted = symtab->count;
	if (repair)
		fill_ends(symtab);
	mark_overlapped(symtab);
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
	if (symtab->raw || symtab->names_size > NAMES_SIZE_MAX)
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
	symtab->names_size += text->len;
	symbol->name = arena_copy(&symtab->names, text_str(text)).data;
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

/*
 * True if names are the same but for the number of a constructor or destructor,
 * as most names of one start are, which makes no other length of them:
 *
 *	_ZN4node3FooC1Ev
 *	_ZN4node3FooC2Ev
 */
static bool
are_alike(struct str a, struct str b)
{
	size_t at = 0;

	if (a.len != b.len || str_equal(a, b))
		return a.len == b.len;
	/* a file may be another one by now */
	while (at + 1 < a.len && a.data[at] == b.data[at])
		at++;
	return at > 0 && (a.data[at - 1] == 'C' || a.data[at - 1] == 'D') &&
	    is_digit(a.data[at]) && is_digit(b.data[at]) &&
	    str_equal(str_skip(a, at + 1), str_skip(b, at + 1));
}

/* perf's choice by name: it keeps the first but for these of old kernels. */
static bool
prefers_name(struct str a, struct str b)
{
	size_t in_a = leading_underscores(a), in_b = leading_underscores(b);

	if (in_a != in_b)
		return in_a < in_b;
	if (a.len != b.len)
		return a.len > b.len;
	return !str_starts(a, STR("SyS")) && !str_starts(a, STR("compat_SyS"));
}

bool
symtab_prefers(struct symtab *symtab, struct symbol *a, struct symbol *b)
{
	int64_t in_a = (int64_t)(a->end - a->start);
	int64_t in_b = (int64_t)(b->end - b->start);
	struct str name;

	if ((in_b == 0 && in_a > 0) || (in_a == 0 && in_b > 0))
		return in_a > 0;
	if ((a->binding == ELF_WEAK) != (b->binding == ELF_WEAK))
		return b->binding == ELF_WEAK;
	if ((a->binding == ELF_GLOBAL) != (b->binding == ELF_GLOBAL))
		return a->binding == ELF_GLOBAL;
	/* Often it is one symbol in two tables. */
	if (symtab->compared > NAMES_SIZE_MAX)
		return true;
	name = name_of(a);
	symtab->compared += name.len;
	if (are_alike(name, name_of(b)) && !str_contains(name, STR("SyS")))
		return true;
	return prefers_name(symtab_name(symtab, a), symtab_name(symtab, b));
}

/* Returns the first symbol whose start is not before `start`. */
static struct symbol *
first_from(const struct symtab *symtab, uint64_t start)
{
	struct symbol *first = symtab->symbols;
	size_t count = symtab->count, half;

	while (count > 0) {
		half = count / 2;
		if (first[half].start < start) {
			first += half + 1;
			count -= half + 1;
		} else {
			count = half;
		}
	}
	return first;
}

/*
 * Of the symbols with one start, brings the one that perf keeps to the front;
 * false if perf keeps several.
 */
static bool
choose(struct symtab *symtab, struct symbol *first)
{
	struct symbol *end = symtab->symbols + symtab->count;
	struct symbol *best = first, *symbol, swap;

	for (symbol = first + 1; symbol < end && !symbol->lost &&
	    symbol->start == first->start; symbol++) {
		if (!symtab->repaired[symbol->table] ||
		    !symtab->repaired[first->table])
			return false;
		if (symtab_prefers(symtab, best, symbol)) {
			symbol->lost = true;
		} else {
			best->lost = true;
			best = symbol;
		}
	}
	swap = *first;
	*first = *best;
	*best = swap;
	return true;
}

/*
 * Returns the symbol at an address, if that is what this one holds, and notes
 * for which addresses that is so; the next symbol is `behind`, or the end.
 */
static struct symbol *
answer(struct symtab *symtab, struct symbol *symbol,
    const struct symbol *behind, uint64_t address)
{
	bool is_last = behind == symtab->symbols + symtab->count;
	bool holds = symbol_holds(symbol, address);

	symtab->first = holds ? symbol->start : address;
	symtab->last = is_last ? UINT64_MAX : behind->start - 1;
	if (holds && symbol->end <= symtab->last)
		symtab->last = symbol->end > symbol->start ?
		    symbol->end - 1 : symbol->start;
	return holds ? symbol : NULL;
}

struct symbol *
symtab_find(struct symtab *symtab, uint64_t address)
{
	struct symbol *symbol, *behind;

	symtab->first = symtab->count == 0 ? 0 : address;
	symtab->last = symtab->count == 0 ? UINT64_MAX : address;
	if (symtab->count == 0)
		return NULL;
	if (symtab->tree == NULL) {
		behind = address == UINT64_MAX ?
		    symtab->symbols + symtab->count :
		    first_from(symtab, address + 1);
		if (behind == symtab->symbols)
			return NULL;
		symbol = first_from(symtab, behind[-1].start);
		if (!symbol->overlapped && choose(symtab, symbol))
			return answer(symtab, symbol, behind, address);
		symtab->tree = symtree_build(symtab);
	}
	return symtree_find(symtab->tree, address);
}

void
symtab_free(struct symtab *symtab)
{
	if (symtab->tree != NULL)
		symtree_free(symtab->tree);
	free(symtab->symbols);
	free(symtab->scratch.data);
	arena_free(&symtab->names);
	*symtab = (struct symtab){ 0 };
}
