/*
 * section FILE NAME: prints a section's bytes, unpacked, or else a word that
 * tells why there are none.
 */
#include <stdio.h>

#include "symbols/elf/find.h"

int
section_main(int argc, char **argv)
{
	static const char *const words[] = {
		"missing", "read", "damaged", "too large", "no zstd"
	};
	struct section section;
	struct str file;
	struct elf elf;

	if (argc != 3 || !find_map(&file, NULL, "%s", argv[1]) ||
	    !elf_open(&elf, file))
		return 1;
	section = section_read(&elf, str_from(argv[2]));
	if (section.state != SECTION_READ)
		puts(words[section.state]);
	else
		fwrite(section.bytes.start, 1, bytes_left(&section.bytes),
		    stdout);
	return 0;
}
