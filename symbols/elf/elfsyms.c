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

/* Adds the symbols of a table, or of NULL; false if it ends before its end. */
static bool
add_table(struct symtab *symtab, const struct elf *symbols,
    const struct elf *runtime, const struct elf_section *table,
    enum elfsyms_by by)
{
	struct elf_symbols entries = elf_symbols(symbols, table);
	const struct elf_section *section;
	struct elf_symbol symbol;
	bool whole = true;
	uint64_t place;

	while (symtab_has_room(symtab) && elf_symbol(&entries, &symbol)) {
		if (!is_wanted(symbols, &symbol))
			continue;
		/* as in perf, the runtime file's, if this has no contents */
		section = elf_section(symbols, symbol.section);
		if (section != NULL && (section->flags & ELF_ALLOC) != 0 &&
		    section->type == ELF_NOBITS)
			section = elf_section(runtime, symbol.section);
		whole = section != NULL;
		if (!whole)
			break;
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
	symtab_end_table(symtab, whole);
	return whole;
}

/*
 * Programs call the functions of their libraries through stubs without symbols.
 * perf calls the stub of malloc "malloc@plt", by its relocation's symbol.
 */
struct stubs {
	struct symtab *symtab;
	const struct elf *elf;
	const struct elf_section *dynsym;
	struct elf_symbols symbols;
};

/* Entries: an offset, its symbol's number with a type, perhaps an addend. */
struct relocations {
	const struct elf *elf;
	struct bytes entries;
	bool have_addends;
	uint64_t address, number;	/* of the last one that was read */
};

/* Adds a stub with the name of a dynamic symbol, or without a name. */
static void
add_stub(const struct stubs *stubs, uint64_t at, uint64_t size,
    uint64_t number)
{
	struct elf_symbols symbols = stubs->symbols;
	struct elf_symbol symbol;
	struct symbol *stub;

	bytes_skip(&symbols.entries, number * symbols.size);
	stub = symtab_add(stubs->symtab, at, size,
	    elf_symbol(&symbols, &symbol) && symbol.name != NULL ?
	    symbol.name : "");
	stub->binding = ELF_GLOBAL;
	stub->plt = true;
}

/* Returns the entries of a section .rela.NAME or, of 32 bits, .rel.NAME. */
static struct relocations
find_relocations(const struct stubs *stubs, struct str rela, struct str rel)
{
	const struct elf *elf = stubs->elf;
	const struct elf_section *section = elf_table(elf, rela, ELF_RELA);
	struct relocations found = { .elf = elf,
	    .entries = bytes_from(STR("")), .have_addends = section != NULL };

	if (section == NULL && elf->word == 4)
		section = elf_table(elf, rel, ELF_REL);
	if (section != NULL &&
	    elf_section(elf, section->link) == stubs->dynsym)
		found.entries = elf_contents(elf, section);
	return found;
}

/* Reads the next entry; false at the end. */
static bool
next_relocation(struct relocations *relocations)
{
	const struct elf *elf = relocations->elf;
	struct bytes *entries = &relocations->entries;

	relocations->address = elf_word(elf, entries);
	relocations->number = elf_word(elf, entries) >>
	    (elf->word == 8 ? 32 : 8);
	bytes_skip(entries, relocations->have_addends ? elf->word : 0);
	return !entries->failed;
}

/* Adds the stubs of a section from a place on, one for each relocation. */
static void
add_in_order(const struct stubs *stubs, const struct elf_section *section,
    uint64_t first, uint64_t size)
{
	struct relocations relocations = find_relocations(stubs,
	    STR(".rela.plt"), STR(".rel.plt"));
	uint64_t i;

	for (i = 0; section != NULL && i < STUBS_MAX &&
	    symtab_has_room(stubs->symtab) && next_relocation(&relocations);
	    i++)
		add_stub(stubs, section->offset + first + i * size, size,
		    relocations.number);
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
	struct relocations relocations = find_relocations(stubs,
	    STR(".rela.dyn"), STR(""));
	struct bytes code = elf_contents(stubs->elf, section), rest;
	struct intmap symbols = { 0 };
	size_t size, jump;
	uint64_t at, i;
	uint32_t number;
	struct str stub;

	if (section == NULL || stubs->elf->machine != ELF_X86_64)
		return;
	for (i = 0; i < STUBS_MAX && next_relocation(&relocations); i++)
		if (relocations.number > 0)
			*intmap_at(&symbols, relocations.address) =
			    (uint32_t)relocations.number;
	size = section->entry_size == 16 ? 16 : 8;
	for (at = 0; bytes_left(&code) >= size &&
	    symtab_has_room(stubs->symtab); at += size) {
		stub = bytes_text(&code, size);
		jump = str_search(stub, STR("\xff\x25"));
		rest = bytes_from(str_skip(stub, jump));
		bytes_skip(&rest, 2);
		number = intmap_find(&symbols, section->address + at + jump +
		    6 + (uint64_t)bytes_i32(&rest));
		if (!rest.failed && number > 0)
			add_stub(stubs, section->offset + at, size, number);
	}
	intmap_free(&symbols);
}

/* Adds a symbol for each stub, by its offset in the file. */
static void
add_stubs(struct symtab *symtab, const struct elf *elf)
{
	const struct elf_section *dynsym = elf_table(elf, STR(".dynsym"),
	    ELF_DYNSYM);
	const struct elf_section *plt = elf_section_named(elf, STR(".plt"));
	struct stubs stubs = { symtab, elf, dynsym, elf_symbols(elf, dynsym) };
	uint64_t size = plt == NULL ? 0 : plt->entry_size;

	if (dynsym == NULL)
		return;
	if (elf->machine == ELF_AARCH64)	/* 24 with BTI */
		add_in_order(&stubs, plt, 32, size == 24 ? 24 : 16);
	else if (elf->machine == ELF_ARM)
		add_in_order(&stubs, plt, 20, 12);
	else if (elf->machine == ELF_386)	/* a linker says 4 */
		add_in_order(&stubs, plt, 16, 16);
	else
		add_in_order(&stubs, plt, size, size);
	/* -z ibtplt, Ubuntu's default: calls go here, and not to .plt */
	add_in_order(&stubs, elf_section_named(elf, STR(".plt.sec")), 0, 16);
	add_plt_got(&stubs);
	symtab_end_table(symtab, false);
}

void
elfsyms_add(struct symtab *symtab, const struct elf *symbols,
    const struct elf *runtime, enum elfsyms_by by, bool both)
{
	bool whole = add_table(symtab, symbols, runtime,
	    elf_table(symbols, STR(".symtab"), ELF_SYMTAB), by) &&
	    add_table(symtab, symbols, runtime,
	    elf_table(symbols, STR(".dynsym"), ELF_DYNSYM), by) &&
	    (!both || add_table(symtab, runtime, runtime,
	    elf_table(runtime, STR(".dynsym"), ELF_DYNSYM), by));

	if (whole && symtab->count > 0 && by == BY_OFFSET)
		add_stubs(symtab, runtime);
}
