/*
 * inlines FILE [ALTERNATE]: reads addresses in hexadecimal; prints for each the
 * functions there, the innermost first, as "ADDRESS: INNER < OUTER", with names
 * as the file has them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "unit.h"
#include "../../symbols/inlines.h"
#include "../../symbols/mapfile.h"
#include "../../symbols/sections.h"

static void
read_sections(const char *path, struct bytes sections[DWARF_SECTIONS])
{
	static const char *const names[] = {
		".debug_info", ".debug_abbrev", ".debug_str",
		".debug_line_str", ".debug_str_offsets", ".debug_addr",
		".debug_ranges", ".debug_rnglists", ".debug_aranges",
		".debug_line"
	};
	struct str file;
	struct elf elf;
	int i;

	if (!mapfile_open(path, &file) || !elf_open(&elf, file))
		exit(1);
	for (i = 0; i < DWARF_SECTIONS; i++)
		sections[i] = section_read(&elf, str_from(names[i])).bytes;
}

int
main(int argc, char **argv)
{
	struct bytes sections[DWARF_SECTIONS];
	struct units alternate;
	struct inlines inlines;
	struct inlines_chain chain;
	struct inlines_function function;
	struct str line;
	char digits[17];

	if (argc < 2)
		return 1;
	if (argc > 2) {
		read_sections(argv[2], sections);
		units_open(&alternate, sections, NULL);
	}
	read_sections(argv[1], sections);
	inlines_open(&inlines, sections, argc > 2 ? &alternate : NULL);
	while (unit_line(&line)) {
		snprintf(digits, sizeof(digits), "%.*s", (int)line.len,
		    line.data);
		printf("%s:", digits);
		inlines_begin(&inlines, strtoull(digits, NULL, 16), &chain);
		while (inlines_next(&chain, &function)) {
			putchar(' ');
			unit_print(function.name, function.inlined ? " <" :
			    "");
		}
		putchar('\n');
	}
	return 0;
}
