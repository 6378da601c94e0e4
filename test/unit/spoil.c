/*
 * spoil PROGRAM [SPLIT]: reads addresses in hexadecimal, and asks for the
 * functions there once for each byte of the debug information of a program, and
 * of the file that it was split off to, while that byte is changed; prints how
 * often.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/text.h"
#include "symbols/dwarf/inlines.h"
#include "symbols/dwarf/lines.h"
#include "symbols/dwarf/split.h"
#include "symbols/elf/sections.h"
#include "unit.h"

#define ADDRESSES_MAX	16

static const char *const names[] = {
	[DWARF_INFO] = ".debug_info", [DWARF_ABBREV] = ".debug_abbrev",
	[DWARF_STR] = ".debug_str", [DWARF_LINE_STR] = ".debug_line_str",
	[DWARF_STR_OFFSETS] = ".debug_str_offsets",
	[DWARF_ADDR] = ".debug_addr", [DWARF_RANGES] = ".debug_ranges",
	[DWARF_RNGLISTS] = ".debug_rnglists", [DWARF_LINE] = ".debug_line"
};

struct file {
	struct text bytes;
	struct elf elf;
	struct section sections[DWARF_SECTIONS], index;
};

static uint64_t addresses[ADDRESSES_MAX];
static size_t address_count;

static bool
open_file(struct file *file, const char *path)
{
	FILE *in = path != NULL ? fopen(path, "rb") : NULL;
	int c;

	if (in == NULL)
		return false;
	while ((c = getc(in)) != EOF)
		text_add_char(&file->bytes, (char)c);
	fclose(in);
	return elf_open(&file->elf, text_str(&file->bytes));
}

static void
close_file(struct file *file)
{
	elf_close(&file->elf);
	free(file->bytes.data);
}

/* Reads a file's sections, those that were split off by their own names. */
static void
read_sections(struct file *file, const char *suffix, struct bytes *sections)
{
	char name[64];
	int i;

	for (i = 0; i < DWARF_SECTIONS; i++) {
		if (names[i] == NULL)
			continue;
		snprintf(name, sizeof(name), "%s%s", names[i], suffix);
		file->sections[i] = section_read_all(&file->elf,
		    str_from(name));
		if (file->sections[i].state == SECTION_READ)
			sections[i] = file->sections[i].bytes;
	}
	file->index = section_read(&file->elf, STR(".debug_cu_index"));
}

static void
free_sections(struct file *file)
{
	int i;

	for (i = 0; i < DWARF_SECTIONS; i++)
		if (names[i] != NULL)
			section_free(&file->sections[i]);
	section_free(&file->index);
}

/* Asks for the functions at an address; the program's are the same at once. */
static void
ask(struct inlines *inlines, struct split *split, uint64_t address)
{
	struct inlines_function function;
	const struct lines *lines = NULL;
	struct inlines_chain chain;
	struct unit *unit = NULL;
	uint32_t file, line;

	inlines_begin(inlines, address, &chain);
	if (chain.unit != NULL)
		lines = lines_of(&inlines->units, chain.unit);
	if (lines != NULL)
		lines_find(lines, address, &file, &line, &chain.range);
	if (split != NULL && chain.unit != NULL)
		unit = split_find(split, chain.unit);
	if (unit != NULL)
		inlines_begin_in(&split->units, unit, address, &chain);
	while (inlines_next(&chain, &function))
		continue;
}

static void
ask_all(struct file *program, struct file *other)
{
	struct bytes sections[DWARF_SECTIONS];
	struct inlines inlines;
	struct split split;
	size_t i;

	for (i = 0; i < DWARF_SECTIONS; i++)
		sections[i] = bytes_from(STR(""));
	read_sections(program, "", sections);
	inlines_open(&inlines, sections, NULL);
	lines_open(&inlines.units, sections[DWARF_LINE]);
	if (other != NULL) {
		read_sections(other, ".dwo", sections);
		split_open(&split, sections, other->index.bytes);
	}
	for (i = 0; i < address_count; i++)
		ask(&inlines, other != NULL ? &split : NULL, addresses[i]);
	if (other != NULL) {
		split_close(&split);
		free_sections(other);
	}
	lines_close(&inlines.units);
	inlines_close(&inlines);
	free_sections(program);
}

/* Changes the bytes of a file's debug information; returns how many. */
static unsigned long
spoil(struct file *file, struct file *program, struct file *other)
{
	const struct elf_section *section;
	unsigned long count = 0;
	size_t number, i;

	for (number = 0; number < file->elf.section_count; number++) {
		section = &file->elf.sections[number];
		if (!str_starts(section->name, STR(".debug_")))
			continue;
		for (i = 0; i < section->size; i++, count++) {
			file->bytes.data[section->offset + i] ^= (char)0x85;
			ask_all(program, other);
			file->bytes.data[section->offset + i] ^= (char)0x85;
		}
	}
	return count;
}

int
main(int argc, char **argv)
{
	struct file program = { 0 }, other = { 0 };
	bool has_other = argc > 2;
	unsigned long count;
	struct str line;
	char digits[17];

	if (argc < 2 || !open_file(&program, argv[1]) ||
	    (has_other && !open_file(&other, argv[2])))
		return 1;
	while (unit_line(&line) && address_count < ADDRESSES_MAX) {
		snprintf(digits, sizeof(digits), "%.*s", (int)line.len,
		    line.data);
		addresses[address_count++] = strtoull(digits, NULL, 16);
	}
	count = spoil(&program, &program, has_other ? &other : NULL);
	if (has_other) {
		count += spoil(&other, &program, &other);
		close_file(&other);
	}
	close_file(&program);
	printf("%lu\n", count);
	return 0;
}
