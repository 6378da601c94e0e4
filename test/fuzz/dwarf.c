/*
 * Debug information.  The input is the sizes of sections, in the order of
 * forms.h, two bytes each; these sections; and addresses of 8 bytes.  Of split
 * debug information, the sizes of sections of the other file follow those of
 * the program, and that of the index that it has as a package.  The answer for
 * an address must not change when it is asked again.
 */
#include "fuzz.h"
#include "symbols/dwarf/units.h"

#define ADDRESSES_MAX	64
#define DEEPEST		5000	/* an input is not longer */

static const enum dwarf_section places[] = {
	DWARF_INFO, DWARF_ABBREV, DWARF_STR, DWARF_STR_OFFSETS,
	DWARF_RNGLISTS
};

#define OWN	(sizeof(places) / sizeof(places[0]))

struct program {
	struct bytes addresses;
	struct units common, units, split;
	bool is_split;
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
	struct units *units = &program->units, *split = &program->split;
	size_t i;

	sizes = bytes_take(&bytes, 2 * (DWARF_SECTIONS +
	    (program->is_split ? OWN + 1 : 0)));
	for (i = 0; i < DWARF_SECTIONS; i++)
		units->sections[i] = take_section(&sizes, &bytes);
	units->sections[DWARF_CU_INDEX] = bytes_from(STR(""));
	if (program->is_split) {
		inlines_open(units, NULL, NULL);
		*split = (struct units){ 0 };
		memcpy(split->sections, units->sections,
		    sizeof(split->sections));
		for (i = 0; i < OWN; i++)
			split->sections[places[i]] = take_section(&sizes,
			    &bytes);
		split->sections[DWARF_CU_INDEX] = take_section(&sizes, &bytes);
		inlines_open(split, NULL, NULL);
	} else {
		/* its own alternate file, too */
		program->common = *units;
		units_open(&program->common, NULL, NULL);
		inlines_open(units, &program->common, NULL);
	}
	program->addresses = bytes;
}

static void
close_program(struct program *program)
{
	inlines_close(&program->units);
	inlines_close(&program->common);
	inlines_close(&program->split);
}

/* Adds all that is known of an address. */
static void
describe(struct program *program, uint64_t address, struct text *text)
{
	const struct inline_function *function;
	struct inlines_chain chain;
	struct unit *lines = NULL, *unit = NULL;
	uint32_t file = 0, line = 0, depth = 0;

	inlines_begin(&program->units, address, &chain);
	if (program->is_split && chain.unit != NULL)
		unit = split_find(&program->split, chain.unit);
	else
		lines = chain.unit;
	if (unit != NULL)
		inlines_begin_in(unit, address, &chain);
	if (lines != NULL && lines_find(lines, address, &file, &line,
	    &chain.range))
		text_add_number(text, line);
	if (!program->is_split)
		text_add(text, lines_file(lines, file));
	while ((function = inlines_next(&chain)) != NULL) {
		text_add_char(text, '\n');
		text_add(text, function->name);
		if (!program->is_split)
			text_add(text, lines_file(lines, function->call_file));
		text_add_number(text, function->call_line);
		require(++depth <= DEEPEST, "functions end");
	}
	text_add_char(text, '\n');
}

/* Requires the same answer when an address is asked for again. */
static void
check_again(struct program *program, uint64_t address, struct str known)
{
	struct text again = { 0 };

	describe(program, address, &again);
	require(str_equal(text_str(&again), known), "an answer is the same");
}

/*
 * Asks for all addresses: each twice, and of a second program from the last to
 * the first.
 */
static void
check(struct str input, bool is_split)
{
	struct program first = { .is_split = is_split };
	struct program second = { .is_split = is_split };
	struct text forward = { 0 }, backward = { 0 };
	uint64_t addresses[ADDRESSES_MAX];
	size_t count, i, before;
	struct str known;

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
		known = str_skip(text_str(&forward), before);
		check_again(&first, addresses[i], known);
		require(str_ends(text_str(&backward), known),
		    "the order of questions changes no answer");
		backward.len -= known.len;
	}
	close_program(&first);
	close_program(&second);
}

void
fuzz_dwarf(struct str input)
{
	check(input, false);
}

void
fuzz_split(struct str input)
{
	check(input, true);
}
