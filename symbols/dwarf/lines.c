/*
 * Lines are a program (DWARF 5, 6.2) for a machine with an address, a file and
 * a line; it makes rows.  Its header lists the files:
 *
 *	length version=5 8 0  length of header  1 1 1  -5 14 13  0 1 1 ...
 *	    folders   formats  files   formats
 *	before version 5, each with a NUL and some numbers:
 *	    folder\0 folder\0 \0  work.c\0 1 0 0  \0
 *
 * Then come operations, a byte and its arguments.  Most are `special`: they
 * advance both address and line, and make a row:
 *
 *	0 9 2 401136		the address
 *	3 7			seven lines on
 *	1			a row:	401136	work.c 8
 *	4b			a row:	40113a	work.c 9
 *	2 6  0 1 1		the end, six bytes on
 *
 * A row holds up to the next one.  In compilers' order, the last of several
 * rows at one address is the one that counts.
 *
 * Rows are kept in runs, in which each begins where the one before it ends.
 */
#include <stdlib.h>

#include "lib/sort.h"
#include "units.h"

enum {			/* operations, 6.2.5 */
	LINE_EXTENDED, LINE_COPY, LINE_ADVANCE_PC, LINE_ADVANCE_LINE,
	LINE_SET_FILE, LINE_CONST_ADD_PC = 8, LINE_FIXED_ADVANCE_PC
};
enum { LINE_END_SEQUENCE = 1, LINE_SET_ADDRESS = 2 };
enum { CONTENT_PATH = 1 };	/* of the lists of files, 6.2.4.1 */

#define FORMATS_MAX	32	/* 5 are known, and some makers' */
#define PATH_SIZE_MAX	4096	/* no longer path can be opened on Linux */
#define LOST		"source lines"

struct line_row {
	uint64_t start;		/* up to the next row's, or the run's end */
	uint32_t file, line;
};

struct line_run {
	uint64_t start, end;
	size_t first;		/* row; the last is before the next run's */
};

struct lines {
	struct str *files;	/* by their numbers */
	size_t file_count, file_room;
	struct line_row *rows;
	size_t row_count, row_room;
	struct line_run *runs;
	size_t run_count, run_room;
	struct spans spans;	/* of runs, by their numbers */
};

/* The machine, and what the header says of its operations. */
struct machine {
	struct lines *lines;
	struct bytes program;
	struct dwarf_sizes sizes;
	uint8_t step, operations;	/* the least instruction; at once */
	int8_t line_base;
	uint8_t line_range, opcode_base;
	uint8_t arguments[256];		/* of standard operations */

	uint64_t address, operation;
	uint64_t file, line;
	struct line_row last;		/* it exists... */
	bool started, left_out;		/* ...if it has started */
};

static void
add_file(struct lines *lines, struct str path)
{
	if (path.len > PATH_SIZE_MAX)
		path = STR("");
	if (!account_grow(lines->spans.account, lines->file_count,
	    lines->file_room, sizeof(*lines->files), LOST))
		return;
	*LIST_ADD(lines->files, lines->file_count, lines->file_room) =
	    str_base(path);
}

/* Reads the lists of before version 5; the first file is number 1. */
static void
read_old_files(struct lines *lines, struct bytes *header)
{
	struct str name;

	while (bytes_string(header).len > 0)
		continue;
	add_file(lines, STR(""));
	while (account_work(lines->spans.account, 16, LOST)) {
		name = bytes_string(header);
		if (name.len == 0)
			break;
		bytes_uleb(header);
		bytes_uleb(header);
		bytes_uleb(header);
		add_file(lines, name);
	}
}

/* Reads a list of folders or files, each with values of the same forms. */
static void
read_list(const struct unit *unit, const struct dwarf_sizes *sizes,
    struct bytes *header, struct lines *files)
{
	uint64_t contents[FORMATS_MAX], forms[FORMATS_MAX], count, i;
	struct form_value value;
	struct str path;
	uint8_t formats = bytes_u8(header), j;

	if (formats > FORMATS_MAX)
		bytes_fail(header);
	for (j = 0; j < formats && !header->failed; j++) {
		contents[j] = bytes_uleb(header);
		forms[j] = bytes_uleb(header);
	}
	count = bytes_uleb(header);
	if (count > bytes_left(header))
		bytes_fail(header);
	for (i = 0; i < count && !header->failed &&
	    account_work(files->spans.account, 16 + formats, LOST); i++) {
		path = STR("");
		for (j = 0; j < formats; j++) {
			value = form_read(header, forms[j], sizes);
			if (contents[j] == CONTENT_PATH)
				path = units_text(unit, &value);
		}
		add_file(files, path);
	}
}

/* Reads the header; false if it is of no known form. */
static bool
read_header(const struct unit *unit, struct machine *machine)
{
	struct dwarf_sizes *sizes = &machine->sizes;
	struct bytes *program = &machine->program, header;
	uint64_t len = bytes_u32(program);
	uint8_t i;

	*sizes = (struct dwarf_sizes){ 0, unit->sizes.address, 4 };
	if (len == UINT32_MAX) {
		sizes->offset = 8;
		len = bytes_u64(program);
	}
	*program = bytes_take(program, len);
	sizes->version = bytes_u16(program);
	if (sizes->version < 2 || sizes->version > 5)
		return false;
	if (sizes->version == 5) {
		sizes->address = bytes_u8(program);
		bytes_skip(program, 1);
	}
	header = bytes_take(program, bytes_uint(program, sizes->offset));
	machine->step = bytes_u8(&header);
	machine->operations = sizes->version >= 4 ? bytes_u8(&header) : 1;
	bytes_skip(&header, 1);
	machine->line_base = (int8_t)bytes_u8(&header);
	machine->line_range = bytes_u8(&header);
	machine->opcode_base = bytes_u8(&header);
	for (i = 1; i < machine->opcode_base; i++)
		machine->arguments[i] = bytes_u8(&header);
	if (sizes->version == 5) {
		read_list(unit, sizes, &header, machine->lines);
		machine->lines->file_count = 0;		/* those are folders */
		read_list(unit, sizes, &header, machine->lines);
	} else
		read_old_files(machine->lines, &header);
	return !program->failed && machine->line_range > 0 &&
	    machine->operations > 0;
}

static void
reset(struct machine *machine)
{
	machine->address = machine->operation = 0;
	machine->file = machine->line = 1;
	machine->started = false;
}

/* Ends the last row at the address, or the program if there is no room. */
static void
end_row(struct machine *machine)
{
	struct lines *lines = machine->lines;
	struct line_row row = machine->last, *before = NULL;
	struct line_run *run = lines->run_count == 0 ? NULL :
	    &lines->runs[lines->run_count - 1];
	uint64_t start = row.start;

	if (!machine->started || start >= machine->address ||
	    machine->left_out)
		return;
	if (run != NULL && start == run->end)
		before = &lines->rows[lines->row_count - 1];
	else if (account_grow(lines->spans.account, lines->run_count,
	    lines->run_room, sizeof(*run), LOST)) {
		run = LIST_ADD(lines->runs, lines->run_count, lines->run_room);
		*run = (struct line_run){ start, start, lines->row_count };
	} else {
		bytes_fail(&machine->program);
		return;
	}
	if (before == NULL || before->file != row.file ||
	    before->line != row.line) {
		if (!account_grow(lines->spans.account, lines->row_count,
		    lines->row_room, sizeof(row), LOST)) {
			bytes_fail(&machine->program);
			return;
		}
		*LIST_ADD(lines->rows, lines->row_count, lines->row_room) = row;
	}
	run->end = machine->address;
}

static void
add_row(struct machine *machine)
{
	end_row(machine);
	if (!machine->started)
		/* where a linker puts what it leaves out */
		machine->left_out = machine->address == 0 ||
		    machine->address >= UINT64_MAX - 1;
	machine->started = true;
	machine->last = (struct line_row){ machine->address,
	    (uint32_t)machine->file, (uint32_t)machine->line };
}

/* Advances by instructions; a machine may run several at once. */
static void
advance(struct machine *machine, uint64_t by)
{
	uint64_t sum = machine->operation + by;

	machine->address += machine->step * (sum / machine->operations);
	machine->operation = sum % machine->operations;
}

static void
do_standard(struct machine *machine, uint8_t opcode)
{
	struct bytes *program = &machine->program, extended;
	uint8_t i;

	switch (opcode) {
	case LINE_EXTENDED:
		extended = bytes_take(program, bytes_uleb(program));
		opcode = bytes_u8(&extended);
		if (opcode == LINE_END_SEQUENCE) {
			end_row(machine);
			reset(machine);
		} else if (opcode == LINE_SET_ADDRESS) {
			machine->address = bytes_uint(&extended,
			    bytes_left(&extended));
			machine->operation = 0;
		}
		break;
	case LINE_COPY:
		add_row(machine);
		break;
	case LINE_ADVANCE_PC:
		advance(machine, bytes_uleb(program));
		break;
	case LINE_ADVANCE_LINE:
		machine->line += (uint64_t)bytes_sleb(program);
		break;
	case LINE_SET_FILE:
		machine->file = bytes_uleb(program);
		break;
	case LINE_CONST_ADD_PC:
		advance(machine, (uint8_t)(255 - machine->opcode_base) /
		    machine->line_range);
		break;
	case LINE_FIXED_ADVANCE_PC:
		machine->address += bytes_u16(program);
		machine->operation = 0;
		break;
	default:
		for (i = 0; i < machine->arguments[opcode]; i++)
			bytes_uleb(program);
	}
}

/* Reads a program, as far as the account allows. */
static void
read_lines(const struct unit *unit, struct lines *lines)
{
	const struct units *units = unit->units;
	struct machine machine = { .lines = lines,
	    .program = bytes_from_offset(&units->sections[DWARF_LINE],
	    unit->lines_offset) };
	const struct line_run *run;
	uint8_t opcode;
	size_t i;

	lines->spans = (struct spans){ .account = units->account,
	    .lost = LOST };
	if (!read_header(unit, &machine))
		return;
	reset(&machine);
	while (bytes_left(&machine.program) > 0 &&
	    account_work(lines->spans.account, 1, LOST)) {
		opcode = bytes_u8(&machine.program);
		if (opcode < machine.opcode_base) {
			do_standard(&machine, opcode);
			continue;
		}
		opcode = (uint8_t)(opcode - machine.opcode_base);
		advance(&machine, opcode / machine.line_range);
		machine.line += (uint64_t)(int64_t)(machine.line_base +
		    opcode % machine.line_range);
		add_row(&machine);
	}
	for (i = 0; i < lines->run_count; i++) {
		run = &lines->runs[i];
		spans_add(&lines->spans, run->start, run->end, (uint32_t)i);
	}
	spans_sort(&lines->spans);
}

bool
lines_find(struct unit *unit, uint64_t address, uint32_t *file, uint32_t *line,
    struct span_range *range)
{
	const struct lines *lines;
	const struct line_run *run;
	const struct line_row *rows;
	size_t count, after;
	uint32_t number;

	if (unit->lines == NULL) {
		unit->lines = mem_array(1, sizeof(*unit->lines));
		read_lines(unit, unit->lines);
	}
	lines = unit->lines;
	number = spans_find(&lines->spans, address, range);
	if (number == SPANS_NONE)
		return false;
	run = &lines->runs[number];
	rows = &lines->rows[run->first];
	count = (number + (size_t)1 < lines->run_count ? run[1].first :
	    lines->row_count) - run->first;
	after = sort_up_to(address, rows, count, sizeof(*rows));
	if (after == 0)
		return false;		/* there was no room for it */
	if (rows[after - 1].start > range->first)
		range->first = rows[after - 1].start;
	if (after < count && rows[after].start <= range->last)
		range->last = rows[after].start - 1;
	*file = rows[after - 1].file;
	*line = rows[after - 1].line;
	return true;
}

struct str
lines_file(const struct unit *unit, uint32_t file)
{
	return unit != NULL && unit->lines != NULL &&
	    file < unit->lines->file_count ? unit->lines->files[file] : STR("");
}

void
lines_free(struct lines *lines)
{
	if (lines == NULL)
		return;
	spans_free(&lines->spans);
	free(lines->files);
	free(lines->rows);
	free(lines->runs);
	free(lines);
}
