/*
 * The input is the sizes of a program's sections, in the order of dwarf.h, two
 * bytes each; those of the file that debug information was split off to, and
 * of the index that it has as a package; all these; and addresses of 8 bytes.
 * The answer for an address must not depend on earlier questions.
 */
#include "fuzz.h"
#include "symbols/dwarf/inlines.h"
#include "symbols/dwarf/split.h"

#define ADDRESSES_MAX	64
#define DEEPEST		5000	/* an input is not longer */

static const enum dwarf_section places[] = {
	DWARF_INFO, DWARF_ABBREV, DWARF_STR, DWARF_STR_OFFSETS,
	DWARF_RNGLISTS
};

#define OWN	(sizeof(places) / sizeof(places[0]))

struct program {
	struct bytes addresses;
	struct inlines inlines;
	struct split split;
};

static struct bytes
take_section(struct bytes *sizes, struct bytes *bytes)
{
	uint64_t size = bytes_u16(sizes);

	return bytes_take(bytes, size < bytes_left(bytes) ? size :
	    bytes_left(bytes));
}

static void
open_program(struct program *program, struct str input)
{
	struct bytes bytes = bytes_from(input), sizes;
	struct bytes sections[DWARF_SECTIONS];
	size_t i;

	sizes = bytes_take(&bytes, 2 * (DWARF_SECTIONS + OWN + 1));
	for (i = 0; i < DWARF_SECTIONS; i++)
		sections[i] = take_section(&sizes, &bytes);
	inlines_open(&program->inlines, sections, NULL);
	for (i = 0; i < OWN; i++)
		sections[places[i]] = take_section(&sizes, &bytes);
	split_open(&program->split, sections, take_section(&sizes, &bytes));
	program->addresses = bytes;
}

/* Adds all that is known of an address. */
static void
describe(struct program *program, uint64_t address, struct text *text)
{
	struct inlines_function function;
	struct inlines_chain chain;
	struct unit *unit = NULL;
	uint32_t depth = 0;

	inlines_begin(&program->inlines, address, &chain);
	if (chain.unit != NULL)
		unit = split_find(&program->split, chain.unit);
	if (unit != NULL)
		inlines_begin_in(&program->split.units, unit, address,
		    &chain);
	while (inlines_next(&chain, &function)) {
		text_add_char(text, '\n');
		text_add(text, function.name);
		text_add_number(text, function.call_line);
		require(++depth <= DEEPEST, "functions end");
	}
	text_add_char(text, '\n');
}

void
fuzz_input(struct str input)
{
	struct program first = { 0 }, second = { 0 };
	struct text one = { 0 }, other = { 0 };
	uint64_t address;
	int i;

	open_program(&first, input);
	for (i = 0; i < ADDRESSES_MAX &&
	    bytes_left(&first.addresses) >= 8; i++) {
		address = bytes_u64(&first.addresses);
		one.len = other.len = 0;
		describe(&first, address, &one);
		describe(&first, address, &other);
		require(str_equal(text_str(&one), text_str(&other)),
		    "an answer is the same");
	}
	open_program(&second, input);
	split_close(&second.split);
	inlines_close(&second.inlines);
	split_close(&first.split);
	inlines_close(&first.inlines);
}
