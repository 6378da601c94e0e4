/*
 * The input is a letter and a file: 'k' the kernel's names, 'm' those of a JIT
 * compiler, 'n' notes, else ELF.  The symbol found at an address is the
 * innermost one that holds it, when all are looked at one after another.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "symbols/elf/symtab.h"
#include "symbols/elf/kernel.h"
#include "symbols/elf/jitdump.h"

/* This many symbols are looked up; there may be one for each byte. */
#define LOOKED_UP	500

static bool
holds(const struct symbol *symbol, uint64_t address)
{
	return symbol->start <= address && address < UINT64_MAX &&
	    (address < symbol->end || (address == symbol->start &&
	    address == symbol->end));
}

/* True if a is farther in than b, of two that hold an address. */
static bool
is_inside(const struct symbol *a, const struct symbol *b)
{
	if (a->sized != b->sized)
		return a->sized;
	if (a->start != b->start)
		return a->start > b->start;
	return a->end > a->start && (a->end < b->end || b->end == b->start);
}

/* Returns the innermost symbol at an address, or NULL. */
static const struct symbol *
innermost(const struct symtab *symtab, uint64_t address)
{
	const struct symbol *symbol = symtab->symbols, *best = NULL;
	size_t i;

	for (i = 0; i < symtab->count; i++, symbol++)
		if (holds(symbol, address) &&
		    (best == NULL || is_inside(symbol, best)))
			best = symbol;
	return best;
}

/* Requires what is found at an address, or nothing there, to be right. */
static void
check_found(const struct symtab *symtab, const struct symbol *found,
    uint64_t address)
{
	const struct symbol *expected = innermost(symtab, address);

	require((found == NULL) == (expected == NULL),
	    "an address is found in both ways");
	if (found != NULL)
		require(found->start == expected->start &&
		    found->end == expected->end,
		    "it is in the innermost symbol");
}

static void
check_address(struct symtab *symtab, uint64_t address)
{
	struct span_range range;
	struct symbol *found = symtab_find(symtab, address, &range);
	struct str name;

	require(range.first <= address && address <= range.last,
	    "the range is around the address");
	check_found(symtab, found, address);
	check_found(symtab, found, range.first);
	check_found(symtab, found, range.last);
	if (found == NULL)
		return;
	name = symtab_name(symtab, found);
	found = symtab_find(symtab, range.last, &range);
	require(str_equal(symtab_name(symtab, found), name),
	    "it has one name");
}

static void
check_symtab(struct symtab *symtab)
{
	struct symbol *symbols = symtab->symbols, symbol;
	size_t i, count = symtab->count;

	for (i = 1; i < count; i++)
		require(symbols[i - 1].start <= symbols[i].start,
		    "symbols are in order");
	for (i = 0; i < count && i < LOOKED_UP; i++) {
		symbol = symbols[i];
		check_address(symtab, symbol.start);
		check_address(symtab, symbol.start - 1);
		check_address(symtab, symbol.end);
		check_address(symtab, symbol.end - 1);
	}
	symtab_free(symtab);
}

static void
check_elf(struct str file, enum elfsyms_by by)
{
	struct symtab symtab = { 0 };
	struct elf elf;

	if (!elf_open(&elf, file))
		return;
	elfsyms_add(&symtab, &elf, &elf, by, by == BY_OFFSET);
	check_symtab(&symtab);
	require(elf_build_id(&elf).len <= BUILD_ID_MAX, "ids are short");
}

static void
check_perfmap(struct str file)
{
	struct symtab symtab = { 0 };
	struct text text = { 0 };

	text_add(&text, file);
	perfmap_add(&symtab, &text);
	check_symtab(&symtab);
}

/* Looks up what a line without a module says that the kernel has there. */
static void
check_kallsyms(struct str file)
{
	struct kernel kernel = { .loaded = true, .names.bytes = file };
	struct dso_function function;
	struct str line, rest = file;
	unsigned long long address;
	char digits[17];

	kallsyms_read(&kernel.names);
	while (rest.len > 0) {
		line = fuzz_line(&rest);
		if (line.len < 19 || line.data[16] != ' ')
			continue;
		memcpy(digits, line.data, 16);
		digits[16] = '\0';
		address = strtoull(digits, NULL, 16);
		if (!kernel_find(&kernel, STR(""), address, &function))
			continue;
		require(function.start <= address, "a symbol begins before");
		require(str_contains(file, function.name),
		    "its name is in the file");
	}
}

void
fuzz_elf(struct str input)
{
	struct str file = input.len > 0 ? str_skip(input, 1) : input;

	switch (input.len > 0 ? input.data[0] : '\0') {
	case 'k':
		check_kallsyms(file);
		break;
	case 'm':
		check_perfmap(file);
		break;
	case 'n':
		elf_notes_build_id(bytes_from(file));
		break;
	default:
		check_elf(file, BY_OFFSET);
		check_elf(file, BY_TEXT);
	}
}
