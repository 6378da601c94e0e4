#include "lib/intmap.h"
#include "symtab.h"

#define STUBS_MAX	((uint64_t)1 << 20)	/* large programs have 10,000 */

static bool
is_wanted(const struct elf *elf, const struct elf_symbol *symbol)
{
	bool function = symbol->type == ELF_FUNC || symbol->type == ELF_IFUNC;
	bool label = symbol->type == ELF_NOTYPE &&
	    symbol->visibility != ELF_HIDDEN &&
	    symbol->visibility != ELF_INTERNAL;
	const char *name = symbol->name;

	if (name == NULL || symbol->section == ELF_UNDEF ||
	    symbol->section == ELF_ABS)
		return false;
	if (!function && symbol->type != ELF_OBJECT && !label)
		return false;
	/* marks in the code of ARM are no functions: $x, $d.42 */
	return (elf->machine != ELF_AARCH64 && elf->machine != ELF_ARM) ||
	    name[0] != '$' || name[1] == '\0' ||
	    strchr("adtx", name[1]) == NULL ||
	    (name[2] != '\0' && name[2] != '.');
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
	uint64_t place;

	while (symtab_has_room(symtab) &&
	    elf_symbol(symbols, &entries, strings, &symbol)) {
		if (!is_wanted(symbols, &symbol))
			continue;
		/* as in perf, the runtime file's, if this has no contents */
		section = elf_section(symbols, symbol.section);
		if (section != NULL && (section->flags & ELF_ALLOC) != 0 &&
		    section->type == ELF_NOBITS)
			section = elf_section(runtime, symbol.section);
		if (section == NULL)
			return false;
		if ((section->flags & ELF_ALLOC) == 0)
			continue;
		if (symbol.type == ELF_NOTYPE &&
		    !str_contains(section->name, STR("text")) &&
		    !str_contains(section->name, STR("data")))
			continue;
		if (by == BY_TEXT && !str_equal(section->name, STR(".text")))
			continue;
		/* no segment holds JIT code in ELF files, but a section */
		place = symbol.value;
		if (by == BY_OFFSET &&
		    !elf_offset(runtime, symbol.value, &place))
			place += section->offset - section->address;
		symtab_add(symtab, place, symbol.size,
		    symbol.name)->binding = symbol.binding;
	}
	return true;
}

/*
 * Programs call the functions of their libraries through stubs without symbols.
 * perf calls the one of malloc "malloc@plt".
 */

/* What names stubs: the dynamic symbols and relocations to them. */
struct stubs {
	struct symtab *symtab;
	const struct elf *elf;
	const struct elf_section *dynsym;
	struct bytes symbols;
	struct str strings;
};

/* An entry: an offset, its symbol's number with a type, perhaps an addend. */
struct relocation {
	uint64_t address, number;
};

/* Adds a stub with the name of a dynamic symbol, or without a name. */
static void
add_stub(const struct stubs *stubs, uint64_t at, uint64_t size,
    uint64_t number)
{
	size_t entry = elf_symbol_size(stubs->elf);
	struct bytes symbols = stubs->symbols;
	struct elf_symbol symbol = { .name = NULL };
	struct symbol *stub;

	if (number <= bytes_left(&symbols) / entry) {
		bytes_skip(&symbols, number * entry);
		elf_symbol(stubs->elf, &symbols, stubs->strings, &symbol);
	}
	stub = symtab_add(stubs->symtab, at, size,
	    symbol.name != NULL ? symbol.name : "");
	stub->binding = ELF_GLOBAL;
	stub->plt = true;
}

/* Returns the entries of a section .rela.NAME or, of 32 bits, .rel.NAME. */
static struct bytes
find_relocations(const struct stubs *stubs, struct str rela, struct str rel,
    size_t *entry_size)
{
	const struct elf *elf = stubs->elf;
	const struct elf_section *section = elf_table(elf, rela, ELF_RELA);

	*entry_size = (size_t)elf->word * 3;
	if (section == NULL && elf->word == 4) {
		section = elf_table(elf, rel, ELF_REL);
		*entry_size = (size_t)elf->word * 2;
	}
	return section != NULL && elf_section(elf, section->link) ==
	    stubs->dynsym ? elf_contents(elf, section) : bytes_from(STR(""));
}

/* Reads an entry, and steps over it; false at the end. */
static bool
next_relocation(const struct elf *elf, struct bytes *entries,
    size_t entry_size, struct relocation *relocation)
{
	struct bytes entry;
	uint64_t info;

	if (bytes_left(entries) < entry_size)
		return false;
	entry = bytes_take(entries, entry_size);
	relocation->address = elf_word(elf, &entry);
	info = elf_word(elf, &entry);
	relocation->number = elf->word == 8 ? info >> 32 : info >> 8;
	return true;
}

/*
 * Adds the stubs of a section, after some bytes at its start.  The n-th one
 * calls the function of the n-th relocation.
 */
static void
add_in_order(const struct stubs *stubs, const struct elf_section *section,
    uint64_t first, uint64_t size)
{
	struct relocation relocation;
	size_t entry_size;
	struct bytes entries = find_relocations(stubs, STR(".rela.plt"),
	    STR(".rel.plt"), &entry_size);
	uint64_t i;

	for (i = 0; section != NULL && i < STUBS_MAX &&
	    symtab_has_room(stubs->symtab) && next_relocation(stubs->elf,
	    &entries, entry_size, &relocation); i++)
		add_stub(stubs, section->offset + first + i * size, size,
		    relocation.number);
}

/*
 * Adds the stubs of .plt.got.  They jump to functions whose addresses are also
 * taken, through the word that a relocation fills:
 *
 *	f3 0f 1e fa		endbr64, or not
 *	f2 ff 25 66 2f 00 00	bnd jmp *0x2f66(%rip), or without bnd
 */
static void
add_plt_got(const struct stubs *stubs)
{
	const struct elf_section *section = elf_section_named(stubs->elf,
	    STR(".plt.got"));
	struct relocation relocation;
	struct bytes entries;
	struct intmap symbols = { 0 };
	struct str code;
	size_t size, at;
	uint32_t i, number;

	if (section == NULL || stubs->elf->machine != ELF_X86_64)
		return;
	entries = find_relocations(stubs, STR(".rela.dyn"), STR(""), &size);
	for (i = 0; i < STUBS_MAX && next_relocation(stubs->elf, &entries,
	    size, &relocation); i++)
		if (relocation.number > 0)
			*intmap_at(&symbols, relocation.address) =
			    (uint32_t)relocation.number;
	entries = elf_contents(stubs->elf, section);
	code = bytes_text(&entries, bytes_left(&entries));
	size = section->entry_size == 16 ? 16 : 8;
	for (at = 0; at + size <= code.len &&
	    symtab_has_room(stubs->symtab); at += size) {
		struct str stub = str_between(code, at, at + size);
		size_t jump = str_search(stub, STR("\xff\x25"));
		struct bytes rest = bytes_from(str_skip(stub, jump));
		uint64_t word;

		bytes_skip(&rest, 2);
		word = section->address + at + jump + 6 +
		    (uint64_t)(int32_t)bytes_u32(&rest);
		number = rest.failed ? 0 : intmap_find(&symbols, word);
		if (number > 0)
			add_stub(stubs, section->offset + at, size, number);
	}
	intmap_free(&symbols);
}

void
elfsyms_add(struct symtab *symtab, const struct elf *symbols,
    const struct elf *runtime, enum elfsyms_by by, bool both)
{
	const struct elf_section *dynsym = elf_table(runtime, STR(".dynsym"),
	    ELF_DYNSYM);
	struct {
		const struct elf *elf;
		const struct elf_section *table;
	} tables[] = {
		{ symbols, elf_table(symbols, STR(".symtab"), ELF_SYMTAB) },
		{ symbols, elf_table(symbols, STR(".dynsym"), ELF_DYNSYM) },
		{ runtime, both ? dynsym : NULL },
	};
	const struct elf_section *plt = elf_section_named(runtime,
	    STR(".plt"));
	uint64_t size = plt == NULL ? 0 : plt->entry_size;
	struct stubs stubs = { symtab, runtime, dynsym,
	    elf_contents(runtime, dynsym), STR("") };
	bool whole = true;
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]) && whole; i++) {
		if (tables[i].table == NULL)
			continue;
		whole = add_table(symtab, tables[i].elf, runtime,
		    tables[i].table, by);
		symtab_end_table(symtab, whole);
	}
	if (!whole || symtab->count == 0 || by != BY_OFFSET || dynsym == NULL)
		return;
	/* a symbol for each stub, by its offset in the file */
	stubs.strings = elf_strings(runtime, dynsym);
	if (runtime->machine == ELF_AARCH64)	/* 24 with BTI */
		add_in_order(&stubs, plt, 32, size == 24 ? 24 : 16);
	else if (runtime->machine == ELF_ARM)
		add_in_order(&stubs, plt, 20, 12);
	else if (runtime->machine == ELF_386)	/* a linker says 4 */
		add_in_order(&stubs, plt, 16, 16);
	else
		add_in_order(&stubs, plt, size, size);
	/* -z ibtplt, Ubuntu's default: calls go here, and not to .plt */
	add_in_order(&stubs, elf_section_named(runtime, STR(".plt.sec")), 0,
	    16);
	add_plt_got(&stubs);
	symtab_end_table(symtab, false);
}

bool
elfsyms_value(const struct elf *elf, struct str name, uint64_t *value)
{
	const struct elf_section *table =
	    elf_table(elf, STR(".symtab"), ELF_SYMTAB);
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
