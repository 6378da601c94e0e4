/*
 * Lines are a program (DWARF 5, 6.2) for a machine with an address, a file and
 * a line, which makes rows of them.  Its header lists the files:
 *
 *	length version=5 8 0  length of header  1 1 1  -5 14 13  0 1 1 ...
 *	    folders   formats  files   formats
 *	before version 5, each with a NUL and some numbers:
 *	    folder\0 folder\0 \0  work.c\0 1 0 0  \0
 *
 * Then come operations of a byte and what it has after it; most are `special`,
 * which advance both address and line, and make a row:
 *
 *	0 9 2 401136		the address
 *	3 7			seven lines on
 *	1			a row:	401136	work.c 8
 *	4b			a row:	40113a	work.c 9
 *	2 6  0 1 1		the end, six bytes on
 *
 * A row holds up to the next one.  In compilers' order, the last of several
 * rows at one address is the one that counts.
 */
#include <stdlib.h>

#include "forms.h"
#include "lines.h"
#include "spans.h"

enum {			/* operations, 6.2.5 */
	LINE_EXTENDED, LINE_COPY, LINE_ADVANCE_PC, LINE_ADVANCE_LINE,
	LINE_SET_FILE, LINE_CONST_ADD_PC = 8, LINE_FIXED_ADVANCE_PC
};
enum { LINE_END_SEQUENCE = 1, LINE_SET_ADDRESS = 2 };
enum { CONTENT_PATH = 1 };	/* of the lists of files, 6.2.4.1 */

#define FORMATS_MAX	32	/* of which 5 are known, and some makers' */
#define PATH_SIZE_MAX	4096	/* no longer path can be opened on Linux */

struct line_row {
	uint32_t file, line;
};

struct lines {
	struct str *files;	/* by their numbers */
	size_t file_count, file_room;
	struct line_row *rows;
	size_t row_count, row_room;
	struct spans spans;	/* of rows, by their numbers */
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
	uint64_t start;			/* of the last row, which there is... */
	bool started, left_out;		/* ...if it has started */
	struct line_row last;
};

static void
add_file(struct lines *lines, struct str path)
{
	size_t slash;

	if (path.len > PATH_SIZE_MAX)
		path = STR("");
	slash = str_find_last(path, '/');
	lines->files = mem_grow(lines->files, &lines->file_room,
	    lines->file_count + 1, sizeof(*lines->files));
	lines->files[lines->file_count++] = slash < path.len ?
	    str_skip(path, slash + 1) : path;
}

/* Reads the lists of before version 5; the first file is number 1. */
static void
read_old_files(struct lines *lines, struct bytes *header)
{
	struct str name;

	while (bytes_string(header).len > 0)
		continue;
	add_file(lines, STR(""));
	for (;;) {
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
read_list(struct units *units, const struct unit *unit,
    const struct dwarf_sizes *sizes, struct bytes *header, struct lines *files)
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
	for (i = 0; i < count && !header->failed; i++) {
		path = STR("");
		for (j = 0; j < formats; j++) {
			value = form_read(header, forms[j], sizes);
			if (contents[j] == CONTENT_PATH && files != NULL)
				path = units_text(units, unit, &value);
		}
		if (files != NULL)
			add_file(files, path);
	}
}

/* Reads the header; false if it is of no known form. */
static bool
read_header(struct units *units, const struct unit *unit,
    struct machine *machine)
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
	machine->line_base = bytes_i8(&header);
	machine->line_range = bytes_u8(&header);
	machine->opcode_base = bytes_u8(&header);
	for (i = 1; i < machine->opcode_base; i++)
		machine->arguments[i] = bytes_u8(&header);
	if (sizes->version == 5) {
		read_list(units, unit, sizes, &header, NULL);
		read_list(units, unit, sizes, &header, machine->lines);
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

/* Ends the last row at the address; those that were left out are at 0. */
static void
end_row(struct machine *machine)
{
	struct lines *lines = machine->lines;
	struct line_row *before = NULL;

	if (!machine->started || machine->start >= machine->address ||
	    machine->left_out)
		return;
	if (lines->row_count > 0)
		before = &lines->rows[lines->row_count - 1];
	if (before == NULL || before->file != machine->last.file ||
	    before->line != machine->last.line) {
		lines->rows = mem_grow(lines->rows, &lines->row_room,
		    lines->row_count + 1, sizeof(*lines->rows));
		lines->rows[lines->row_count++] = machine->last;
	}
	spans_add(&lines->spans, machine->start, machine->address,
	    (uint32_t)(lines->row_count - 1));
}

static void
add_row(struct machine *machine)
{
	end_row(machine);
	if (!machine->started)
		machine->left_out = machine->address == 0 ||
		    machine->address >= UINT64_MAX - 1;
	machine->started = true;
	machine->start = machine->address;
	machine->last.file = (uint32_t)machine->file;
	machine->last.line = (uint32_t)machine->line;
}

/* Advances by instructions, of which a machine may do several at once. */
static void
advance(struct machine *machine, uint64_t by)
{
	uint64_t sum = machine->operation + by;

	machine->address += machine->step * (sum / machine->operations);
	machine->operation = sum % machine->operations;
}

static void
do_special(struct machine *machine, uint8_t opcode)
{
	uint8_t adjusted = (uint8_t)(opcode - machine->opcode_base);

	advance(machine, adjusted / machine->line_range);
	machine->line += (uint64_t)(int64_t)(machine->line_base +
	    adjusted % machine->line_range);
	add_row(machine);
}

static void
do_extended(struct machine *machine)
{
	struct bytes *program = &machine->program;
	struct bytes operation = bytes_take(program, bytes_uleb(program));

	switch (bytes_u8(&operation)) {
	case LINE_END_SEQUENCE:
		end_row(machine);
		reset(machine);
		break;
	case LINE_SET_ADDRESS:
		machine->address = bytes_uint(&operation,
		    bytes_left(&operation));
		machine->operation = 0;
		break;
	}
}

static void
do_standard(struct machine *machine, uint8_t opcode)
{
	struct bytes *program = &machine->program;
	uint8_t i;

	switch (opcode) {
	case LINE_EXTENDED:
		do_extended(machine);
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

/* Reads a program, of those that may be read still. */
static void
read_lines(struct units *units, const struct unit *unit, struct lines *lines)
{
	struct machine machine = { .lines = lines,
	    .program = bytes_from_offset(&units->sections[DWARF_LINE],
	    unit->lines) };
	uint8_t opcode;
	bool known;

	if (bytes_left(&machine.program) > units->line_bytes)
		machine.program = bytes_take(&machine.program,
		    units->line_bytes);
	known = read_header(units, unit, &machine);
	units->line_bytes -= (uint64_t)(machine.program.end -
	    machine.program.start);
	if (!known)
		return;
	reset(&machine);
	while (bytes_left(&machine.program) > 0) {
		opcode = bytes_u8(&machine.program);
		if (opcode >= machine.opcode_base)
			do_special(&machine, opcode);
		else
			do_standard(&machine, opcode);
	}
	spans_sort(&lines->spans);
}

void
lines_open(struct units *units, struct bytes section)
{
	units->sections[DWARF_LINE] = section;
	/* What is read is read once, except of units with common lines. */
	units->line_bytes = 65536 + 4 * (uint64_t)bytes_left(&section);
}

const struct lines *
lines_of(struct units *units, struct unit *unit)
{
	if (unit->line_table == NULL && unit->lines != UNITS_NO_OFFSET) {
		unit->line_table = mem_array(1, sizeof(*unit->line_table));
		read_lines(units, unit, unit->line_table);
	}
	return unit->line_table;
}

bool
lines_find(const struct lines *lines, uint64_t address, uint32_t *file,
    uint32_t *line, struct span_range *range)
{
	uint32_t number = spans_find(&lines->spans, address, range);

	if (number == SPANS_NONE)
		return false;
	*file = lines->rows[number].file;
	*line = lines->rows[number].line;
	return true;
}

struct str
lines_file(const struct lines *lines, uint32_t file)
{
	return lines != NULL && file < lines->file_count ?
	    lines->files[file] : STR("");
}

void
lines_close(struct units *units)
{
	struct lines *lines;
	size_t i;

	for (i = 0; i < units->count; i++) {
		lines = units->list[i].line_table;
		if (lines == NULL)
			continue;
		spans_free(&lines->spans);
		free(lines->files);
		free(lines->rows);
		free(lines);
		units->list[i].line_table = NULL;
	}
}
