/*
 * hugeelf KIND COUNT: writes an ELF file that has COUNT of something, and makes
 * a reader work as hard as it can.
 *
 *	reversed	functions of 16 bytes, one after another, the last one
 *			first: f1, f2
 *	nested		functions that all end where the first does
 *	same		functions with one start, and names of 40,000 bytes
 *			that have all but their first bytes in common
 *	stubs		entries of the procedure linkage table
 *	sections	empty sections
 *	notes		notes without a name and contents, of 12 bytes
 *
 * Standard output is a file.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START		0x1000	/* of the first function */
#define LONG_NAME	40000

enum { NONE, TEXT, SYMTAB, STRTAB, NAMES, DYNSYM, PLT, RELA, NOTE, KNOWN };

static const char *const names[] = { "", ".text", ".symtab", ".strtab",
	".shstrtab", ".dynsym", ".plt", ".rela.plt", ".note.gnu.build-id" };

struct section {
	uint64_t type, flags, offset, size, link, entry_size;
};

static struct section sections[KNOWN] = {
	[TEXT] = { 1, 6, START, UINT32_MAX, 0, 0 },
	[SYMTAB] = { 2, 0, 0, 0, STRTAB, 24 },
	[STRTAB] = { 3, 0, 0, 0, 0, 0 },
	[NAMES] = { 3, 0, 0, 0, 0, 0 },
	[DYNSYM] = { 11, 2, 0, 0, STRTAB, 24 },
	[PLT] = { 1, 6, START, UINT32_MAX, 0, 16 },
	[RELA] = { 4, 2, 0, 0, DYNSYM, 24 },
	[NOTE] = { 7, 2, 0, 0, 0, 0 },
};

static uint64_t written;	/* the next byte's offset */

static void
put(const void *bytes, size_t len)
{
	fwrite(bytes, 1, len, stdout);
	written += len;
}

static void
put_number(uint64_t number, size_t size)
{
	for (; size > 0; size--, number >>= 8)
		put(&(unsigned char){ (unsigned char)number }, 1);
}

/* Puts a function of the section .text. */
static void
put_symbol(uint64_t name, uint64_t start, uint64_t size)
{
	put_number(name, 4);
	put_number(1 << 4 | 2, 1);	/* global, a function */
	put_number(0, 1);
	put_number(TEXT, 2);
	put_number(start, 8);
	put_number(size, 8);
}

static void
put_symbols(const char *kind, uint64_t count)
{
	uint64_t i, name = 1;

	for (i = 0; i < count; i++) {
		if (strcmp(kind, "reversed") == 0)
			put_symbol(name, START + (count - i) * 16, 16);
		else if (strcmp(kind, "nested") == 0)
			put_symbol(name, START + i, count - i);
		else if (strcmp(kind, "same") == 0)
			put_symbol(1 + i % LONG_NAME, START, 16);
		name += (uint64_t)snprintf(NULL, 0, "f%llu",
		    (unsigned long long)i + 1) + 1;
	}
}

/* Puts the names f1, f2 ..., or a long one. */
static void
put_strings(const char *kind, uint64_t count)
{
	char name[32];
	uint64_t i;

	put("", 1);
	if (strcmp(kind, "same") == 0) {
		for (i = 0; i < 2 * LONG_NAME; i++)
			put("x", 1);
		put("", 1);
		return;
	}
	for (i = 1; i <= count; i++) {
		snprintf(name, sizeof(name), "f%llu", (unsigned long long)i);
		put(name, strlen(name) + 1);
	}
}

static void
put_many(uint64_t count, size_t size)
{
	for (; count > 0; count--)
		put(&(char[64]){ 0 }, size);
}

static void
put_names(void)
{
	size_t i;

	for (i = 0; i < KNOWN; i++)
		put(names[i], strlen(names[i]) + 1);
}

static uint64_t
name_offset(size_t section)
{
	return section == 0 ? 0 : name_offset(section - 1) +
	    strlen(names[section - 1]) + 1;
}

static void
put_contents(const char *kind, uint64_t count)
{
	size_t i;

	for (i = SYMTAB; i < KNOWN; i++) {
		if (i == PLT)
			continue;
		sections[i].offset = written;
		if (i == SYMTAB)
			put_symbols(kind, count);
		else if (i == STRTAB)
			put_strings(kind, count);
		else if (i == NAMES)
			put_names();
		else if (i == DYNSYM)
			put_symbol(1, START, 16);
		else if (i == RELA && strcmp(kind, "stubs") == 0)
			put_many(count, 24);
		else if (i == NOTE && strcmp(kind, "notes") == 0)
			put_many(count, 12);
		sections[i].size = written - sections[i].offset;
	}
}

static void
put_section(const struct section *section, uint64_t name, uint64_t size)
{
	put_number(name, 4);
	put_number(section->type, 4);
	put_number(section->flags, 8);
	put_number(section->offset, 8);	/* its address, too */
	put_number(section->offset, 8);
	put_number(size, 8);
	put_number(section->link, 4);
	put_number(0, 12);
	put_number(section->entry_size, 8);
}

static void
put_header(uint64_t sections_at)
{
	put("\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\76\0\1\0\0\0", 24);
	put_number(0, 8);
	put_number(64, 8);
	put_number(sections_at, 8);
	put_number(0, 6);
	put_number(56, 2);
	put_number(1, 2);	/* segment */
	put_number(64, 2);
	put_number(0, 2);	/* sections: section 0 tells */
	put_number(NAMES, 2);
	put_number(5ull << 32 | 1, 8);	/* the segment: loaded, at 0 */
	put_number(0, 8);
	put_number(0, 8);
	put_number(0, 8);
	put_number(UINT64_MAX, 8);
	put_number(UINT64_MAX, 8);
	put_number(0x1000, 8);
}

/* Puts the table of sections, and more that are empty. */
static void
put_sections(const char *kind, uint64_t count)
{
	uint64_t empty = strcmp(kind, "sections") == 0 ? count : 0;
	size_t i;

	put_section(&sections[0], 0, KNOWN + empty);
	for (i = 1; i < KNOWN; i++)
		put_section(&sections[i], name_offset(i),
		    i == TEXT ? UINT32_MAX : sections[i].size);
	put_many(empty, 64);
}

int
main(int argc, char **argv)
{
	const char *kind = argc == 3 ? argv[1] : "";
	uint64_t count = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
	uint64_t sections_at;

	put_header(0);
	put_contents(kind, count);
	sections_at = written;
	put_sections(kind, count);
	rewind(stdout);
	put_header(sections_at);
	return fflush(stdout) != 0 || ferror(stdout);
}
