/*
 * The input is a letter and a file: 'k' the kernel's names, 'm' those of a JIT
 * compiler, 'n' notes, else ELF.  The function found at an address does not
 * depend on the way it is looked for: among names in the order of addresses, in
 * perf's tree, or one after another.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "symbols/elf/elfsyms.h"
#include "symbols/elf/kallsyms.h"
#include "symbols/elf/perfmap.h"
#include "symbols/elf/symtree.h"

/* So many symbols are looked up, of which there may be as many as bytes. */
#define LOOKED_UP	500

/* Compares what an array and the tree find at an address. */
static void
check_address(struct symtab *by_array, struct symtab *by_tree,
    uint64_t address)
{
	struct symbol *found = symtab_find(by_array, address);
	struct symbol *expected = symtree_find(by_tree->tree, address);

	require((found == NULL) == (expected == NULL),
	    "an address is found in both ways");
	if (found == NULL)
		return;
	require(found->number == expected->number &&
	    found->end == expected->end, "the same symbol is found");
	require(found->start <= address && symbol_holds(found, address),
	    "it holds the address");
	require(str_equal(symtab_name(by_array, found),
	    symtab_name(by_tree, expected)), "it has one name");
}

static void
check_symtab(struct symtab *by_array, struct symtab *by_tree)
{
	size_t i, count = by_tree->count;

	require(by_array->count == count, "reading again is the same");
	if (count == 0)
		return;
	for (i = 1; i < count; i++)
		require(by_array->symbols[i - 1].start <=
		    by_array->symbols[i].start, "symbols are in order");
	by_tree->tree = symtree_build(by_tree);
	for (i = 0; i < count && i < LOOKED_UP; i++) {
		check_address(by_array, by_tree, by_tree->symbols[i].start);
		check_address(by_array, by_tree,
		    by_tree->symbols[i].start - 1);
		check_address(by_array, by_tree, by_tree->symbols[i].end);
		check_address(by_array, by_tree, by_tree->symbols[i].end - 1);
	}
}

static void
check_elf(struct str file, enum elfsyms_by by)
{
	struct symtab by_array = { 0 }, by_tree = { 0 };
	struct elf elf;
	uint64_t text;

	if (!elf_open(&elf, file))
		return;
	elfsyms_add(&by_array, &elf, &elf, by);
	elfsyms_add(&by_tree, &elf, &elf, by);
	check_symtab(&by_array, &by_tree);
	elfsyms_value(&elf, STR("_text"), &text);
	require(elf_build_id(&elf).len <= BUILD_ID_MAX, "ids are short");
	require(elf_debug_link(&elf).len < file.len, "a link is in the file");
}

static void
check_perfmap(struct str file)
{
	struct symtab by_array = { 0 }, by_tree = { 0 };
	struct text first = { 0 }, second = { 0 };

	text_add(&first, file);
	text_add(&second, file);
	perfmap_add(&by_array, &first);
	perfmap_add(&by_tree, &second);
	check_symtab(&by_array, &by_tree);
}

/* Looks up what a line without a module says that the kernel has there. */
static void
check_kallsyms(struct str file)
{
	struct kallsyms kallsyms;
	struct str line, name, rest = file;
	unsigned long long address;
	uint64_t start, last;
	char digits[17];

	kallsyms_read(&kallsyms, file);
	while (rest.len > 0) {
		line = fuzz_line(&rest);
		if (line.len < 19 || line.data[16] != ' ')
			continue;
		memcpy(digits, line.data, 16);
		digits[16] = '\0';
		address = strtoull(digits, NULL, 16);
		if (!kallsyms_find(&kallsyms, address, STR(""), &name, &start,
		    &last))
			continue;
		require(start <= address, "a symbol begins before");
		require(str_contains(file, name), "its name is in the file");
		if (kallsyms_address(&kallsyms, name, &start))
			require(start <= UINT64_MAX, "a name has an address");
	}
	kallsyms_has_module(&kallsyms, STR("[ext4]"));
}

void
fuzz_input(struct str input)
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
