#include "elfsyms.h"

#define STUBS_MAX	((uint64_t)1 << 20)	/* large programs have 10,000 */

/* Marks in the code of ARM, which are no functions: $x, $d.42. */
static bool
is_mapping_symbol(const char *name)
{
	return name[0] == '$' && name[1] != '\0' &&
	    strchr("adtx", name[1]) != NULL &&
	    (name[2] == '\0' || name[2] == '.');
}

static bool
is_label(const struct elf_symbol *symbol)
{
	return symbol->type == ELF_NOTYPE &&
	    symbol->visibility != ELF_HIDDEN &&
	    symbol->visibility != ELF_INTERNAL;
}

static bool
is_wanted(const struct elf *elf, const struct elf_symbol *symbol)
{
	bool function = symbol->type == ELF_FUNC || symbol->type == ELF_IFUNC;

	if (symbol->name == NULL || symbol->section == ELF_UNDEF ||
	    symbol->section == ELF_ABS)
		return false;
	if (!function && symbol->type != ELF_OBJECT && !is_label(symbol))
		return false;
	return !is_mapping_symbol(symbol->name) ||
	    (elf->machine != ELF_AARCH64 && elf->machine != ELF_ARM);
}

/*
 * Returns where a symbol is looked up.  Where no segment holds it, its section
 * tells the offset, as for JIT code in ELF files.
 */
static uint64_t
place_of(const struct elf *runtime, const struct elf_symbol *symbol,
    const struct elf_section *section, enum elfsyms_by by)
{
	uint64_t offset;

	if (by != BY_OFFSET)
		return symbol->value;
	if (elf_offset(runtime, symbol->value, &offset))
		return offset;
	return symbol->value - section->address + section->offset;
}

/*
 * Returns the section of a symbol, as perf does: the runtime file's where the
 * debug file's has no contents.  NULL, and the table ends, if both lack it.
 */
static const struct elf_section *
section_of(const struct elf *symbols, const struct elf *runtime,
    uint16_t number)
{
	const struct elf_section *section = elf_section(symbols, number);

	if (section != NULL && (section->flags & ELF_ALLOC) != 0 &&
	    section->type == ELF_NOBITS)
		section = elf_section(runtime, number);
	return section;
}

/* True if the section is one that labels count in. */
static bool
holds_labels(const struct elf_section *section)
{
	return str_contains(section->name, STR("text")) ||
	    str_contains(section->name, STR("data"));
}

/* Adds the symbols of one table; false if it ends before its end. */
static bool
add_table(struct symtab *symtab, const struct elf *symbols,
    const struct elf *runtime, const struct elf_section *table,
    enum elfsyms_by by)
{
	struct str strings = elf_strings(symbols, table);
	struct bytes entries = elf_symbols(symbols, table);
	const struct elf_section *section;
	struct elf_symbol symbol;

	while (elf_symbol(symbols, &entries, strings, &symbol)) {
		if (!is_wanted(symbols, &symbol))
			continue;
		section = section_of(symbols, runtime, symbol.section);
		if (section == NULL)
			return false;
		if ((section->flags & ELF_ALLOC) == 0)
			continue;
		if (symbol.type == ELF_NOTYPE && !holds_labels(section))
			continue;
		if (by == BY_TEXT && !str_equal(section->name, STR(".text")))
			continue;
		symtab_add(symtab, place_of(runtime, &symbol, section, by),
		    symbol.size, symbol.name)->binding = symbol.binding;
	}
	return true;
}

static const struct elf_section *
table_named(const struct elf *elf, struct str name, uint32_t type)
{
	const struct elf_section *section = elf_section_named(elf, name);

	return section != NULL && section->type == type ? section : NULL;
}

/*
 * Programs call the functions of their libraries through stubs, which have no
 * symbols.  perf 6.1 calls the one of malloc "malloc@plt".
 */

struct plt_layout {
	uint64_t first, size;	/* bytes before the first stub, and of each */
};

static struct plt_layout
layout_of(const struct elf *elf, const struct elf_section *plt)
{
	if (elf->machine == ELF_AARCH64)
		return (struct plt_layout){ 32, 16 };
	if (elf->machine == ELF_ARM)
		return (struct plt_layout){ 20, 12 };
	if (elf->machine == ELF_386)	/* a linker says 4 */
		return (struct plt_layout){ 16, 16 };
	return (struct plt_layout){ plt->entry_size, plt->entry_size };
}

/* Returns the name of a dynamic symbol, or "". */
static const char *
dynamic_name(const struct elf *elf, struct bytes symbols, struct str strings,
    uint64_t number)
{
	struct elf_symbol symbol;

	if (number > bytes_left(&symbols) / elf_symbol_size(elf))
		return "";
	bytes_skip(&symbols, number * elf_symbol_size(elf));
	return elf_symbol(elf, &symbols, strings, &symbol) && symbol.name != NULL ?
	    symbol.name : "";
}

/*
 * Finds the relocations of the stubs.  An entry is an offset, its symbol's
 * number with a type, and if it is of .rela.plt an addend.
 */
static const struct elf_section *
find_relocations(const struct elf *elf, size_t *entry_size)
{
	const struct elf_section *section = table_named(elf, STR(".rela.plt"),
	    ELF_RELA);

	*entry_size = (size_t)elf->word * 3;
	if (section == NULL && elf->word == 4) {
		section = table_named(elf, STR(".rel.plt"), ELF_REL);
		*entry_size = (size_t)elf->word * 2;
	}
	return section;
}

/* Reads the number of an entry's symbol, and steps over the entry. */
static uint64_t
read_relocation(const struct elf *elf, struct bytes *entries,
    size_t entry_size)
{
	struct bytes entry = bytes_take(entries, entry_size);
	uint64_t info;

	elf_word(elf, &entry);
	info = elf_word(elf, &entry);
	return elf->word == 8 ? info >> 32 : info >> 8;
}

/*
 * Adds a symbol for each stub in the section .plt, by its offset in the file.
 * The n-th one calls the function of the n-th relocation.
 */
static void
add_stubs(struct symtab *symtab, const struct elf *elf)
{
	const struct elf_section *relocations, *plt, *dynsym;
	struct bytes entries, symbols;
	struct plt_layout layout;
	struct symbol *stub;
	struct str strings;
	size_t entry_size;
	uint64_t at, i;

	relocations = find_relocations(elf, &entry_size);
	plt = elf_section_named(elf, STR(".plt"));
	dynsym = elf_section_named(elf, STR(".dynsym"));
	if (relocations == NULL || plt == NULL || dynsym == NULL ||
	    elf_section(elf, relocations->link) != dynsym)
		return;
	entries = elf_contents(elf, relocations);
	symbols = elf_contents(elf, dynsym);
	strings = elf_strings(elf, dynsym);
	layout = layout_of(elf, plt);
	at = plt->offset + layout.first;
	for (i = 0; i < STUBS_MAX && bytes_left(&entries) >= entry_size; i++) {
		stub = symtab_add(symtab, at, layout.size,
		    dynamic_name(elf, symbols, strings,
		    read_relocation(elf, &entries, entry_size)));
		stub->binding = ELF_GLOBAL;
		stub->plt = true;
		at += layout.size;
	}
}

void
elfsyms_add(struct symtab *symtab, const struct elf *symbols,
    const struct elf *runtime, enum elfsyms_by by, bool both)
{
	const struct elf_section *dynsym = table_named(runtime, STR(".dynsym"),
	    ELF_DYNSYM);
	struct {
		const struct elf *elf;
		const struct elf_section *table;
	} tables[] = {
		{ symbols, table_named(symbols, STR(".symtab"), ELF_SYMTAB) },
		{ symbols, table_named(symbols, STR(".dynsym"), ELF_DYNSYM) },
		{ runtime, both ? dynsym : NULL },
	};
	bool whole = true;
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]) && whole; i++) {
		if (tables[i].table == NULL)
			continue;
		whole = add_table(symtab, tables[i].elf, runtime,
		    tables[i].table, by);
		symtab_end_table(symtab, whole);
	}
	if (whole && symtab->count > 0 && by == BY_OFFSET && dynsym != NULL) {
		add_stubs(symtab, runtime);
		symtab_end_table(symtab, false);
	}
}

bool
elfsyms_value(const struct elf *elf, struct str name, uint64_t *value)
{
	const struct elf_section *table =
	    table_named(elf, STR(".symtab"), ELF_SYMTAB);
	struct elf_symbol symbol;
	struct bytes entries;
	struct str strings;

	if (table == NULL)
		return false;
	strings = elf_strings(elf, table);
	entries = elf_symbols(elf, table);
	while (elf_symbol(elf, &entries, strings, &symbol)) {
		if (symbol.name != NULL &&
		    strncmp(symbol.name, name.data, name.len) == 0 &&
		    symbol.name[name.len] == '\0') {
			*value = symbol.value;
			return true;
		}
	}
	return false;
}
