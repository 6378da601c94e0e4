#include "plt.h"

#define SYMBOL_SIZE	24
#define RELOCATION_SIZE	24
#define STUBS_MAX	((uint64_t)1 << 20)	/* large programs have 10,000 */

struct layout {
	uint64_t first, size;	/* bytes before the first stub, and of each */
};

static struct layout
layout_of(const struct elf *elf, const struct elf_section *plt)
{
	if (elf->machine == ELF_AARCH64)
		return (struct layout){ 32, 16 };
	return (struct layout){ plt->entry_size, plt->entry_size };
}

/* Returns the name of a dynamic symbol, or "". */
static const char *
name_of(struct bytes symbols, struct str strings, uint64_t number)
{
	struct elf_symbol symbol;

	if (number > bytes_left(&symbols) / SYMBOL_SIZE)
		return "";
	bytes_skip(&symbols, number * SYMBOL_SIZE);
	return elf_symbol(&symbols, strings, &symbol) && symbol.name != NULL ?
	    symbol.name : "";
}

void
plt_add(struct symtab *symtab, const struct elf *elf)
{
	const struct elf_section *relocations, *plt, *dynsym;
	struct bytes entries, symbols;
	struct layout layout;
	struct symbol *stub;
	struct str strings;
	uint64_t at, i;

	relocations = elf_section_named(elf, STR(".rela.plt"));
	plt = elf_section_named(elf, STR(".plt"));
	dynsym = elf_section_named(elf, STR(".dynsym"));
	if (relocations == NULL || plt == NULL || dynsym == NULL ||
	    relocations->type != ELF_RELA ||
	    elf_section(elf, relocations->link) != dynsym)
		return;
	entries = elf_contents(elf, relocations);
	symbols = elf_contents(elf, dynsym);
	strings = elf_strings(elf, dynsym);
	layout = layout_of(elf, plt);
	at = plt->offset + layout.first;
	for (i = 0; i < STUBS_MAX &&
	    bytes_left(&entries) >= RELOCATION_SIZE; i++) {
		bytes_skip(&entries, 12);
		stub = symtab_add(symtab, at, layout.size,
		    name_of(symbols, strings, bytes_u32(&entries)));
		stub->binding = ELF_GLOBAL;
		stub->plt = true;
		bytes_skip(&entries, 8);
		at += layout.size;
	}
}
