/*
 * The input is the sizes of the sections that debug information is in, in the
 * order of dwarf.h, two bytes each; these sections; and addresses of 8 bytes.
 * The answer for an address must not depend on earlier questions.
 */
#include "fuzz.h"
#include "symbols/dwarf/inlines.h"
#include "symbols/dwarf/lines.h"

#define ADDRESSES_MAX	64
#define DEEPEST		5000	/* an input is not longer */

struct program {
	struct bytes sections[DWARF_SECTIONS];
	struct bytes addresses;
	struct units common;
	struct inlines inlines;
};

static void
open_program(struct program *program, struct str input)
{
	struct bytes bytes = bytes_from(input), sizes;
	uint64_t size;
	int i;

	sizes = bytes_take(&bytes, 2 * DWARF_SECTIONS);
	for (i = 0; i < DWARF_SECTIONS; i++) {
		size = bytes_u16(&sizes);
		program->sections[i] = bytes_take(&bytes,
		    size < bytes_left(&bytes) ? size : bytes_left(&bytes));
	}
	program->addresses = bytes;
	/* its own alternate file, too */
	units_open(&program->common, program->sections, NULL);
	inlines_open(&program->inlines, program->sections, &program->common);
	lines_open(&program->inlines.units, program->sections[DWARF_LINE]);
}

static void
close_program(struct program *program)
{
	lines_close(&program->inlines.units);
	inlines_close(&program->inlines);
	units_close(&program->common);
}

/* Adds all that is known of an address. */
static void
describe(struct program *program, uint64_t address, struct text *text)
{
	struct units *units = &program->inlines.units;
	struct inlines_function function;
	const struct lines *lines = NULL;
	struct inlines_chain chain;
	uint32_t file = 0, line = 0, depth = 0;

	inlines_begin(&program->inlines, address, &chain);
	if (chain.unit != NULL)
		lines = lines_of(units, chain.unit);
	if (lines != NULL && lines_find(lines, address, &file, &line,
	    &chain.range))
		text_add_number(text, line);
	text_add(text, lines_file(lines, file));
	while (inlines_next(&chain, &function)) {
		text_add_char(text, '\n');
		text_add(text, function.name);
		text_add(text, lines_file(lines, function.call_file));
		text_add_number(text, function.call_line);
		require(++depth <= DEEPEST, "functions end");
	}
	text_add_char(text, '\n');
}

void
fuzz_input(struct str input)
{
	struct program first = { 0 }, second = { 0 };
	struct text forward = { 0 }, backward = { 0 };
	uint64_t addresses[ADDRESSES_MAX];
	size_t count, i, before;

	open_program(&first, input);
	open_program(&second, input);
	for (count = 0; count < ADDRESSES_MAX &&
	    bytes_left(&first.addresses) >= 8; count++)
		addresses[count] = bytes_u64(&first.addresses);
	for (i = count; i > 0; i--)
		describe(&second, addresses[i - 1], &backward);
	for (i = 0; i < count; i++) {
		before = forward.len;
		describe(&first, addresses[i], &forward);
		require(str_ends(text_str(&backward), str_skip(
		    text_str(&forward), before)), "an answer is the same");
		backward.len -= forward.len - before;
	}
	close_program(&first);
	close_program(&second);
}
