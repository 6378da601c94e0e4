#include "frametables.h"

enum {			/* formats; others by their size */
	FORMAT_ULEB = 1, FORMAT_SIGNED = 8, FORMAT_SLEB = 9
};

#define ALIGNED		0x50	/* an encoding */

/* A pointer of 4 bytes may get more bits while it is computed. */
uint64_t
ehpointer_read(struct bytes *bytes, uint8_t encoding,
    const struct ehpointer_bases *bases)
{
	const uint64_t address = bases->start + bytes_offset(bytes);
	const uint64_t relative_to[] = {
		0, address, bases->text, bases->data, bases->function
	};
	const uint8_t sizes[FORMAT_SIGNED] = { bases->word, 0, 2, 4, 8 };
	size_t size = sizes[encoding & (FORMAT_SIGNED - 1)];
	size_t to = encoding >> 4 & 7;
	uint64_t value;

	if (encoding == EHPOINTER_NONE)
		return 0;
	if (encoding == ALIGNED) {	/* to a word of memory */
		bytes_skip(bytes, -address % bases->word);
		return bytes_uint(bytes, bases->word);
	}
	if ((encoding & EHPOINTER_FORMAT) == FORMAT_ULEB)
		value = bytes_uleb(bytes);
	else if ((encoding & EHPOINTER_FORMAT) == FORMAT_SLEB)
		value = (uint64_t)bytes_sleb(bytes);
	else {
		if (size == 0)
			bytes_fail(bytes);
		value = (encoding & FORMAT_SIGNED) != 0 ?
		    (uint64_t)bytes_int(bytes, size) : bytes_uint(bytes, size);
	}
	if (value == 0)
		return 0;	/* relative to nothing, whatever it says */
	if (to >= sizeof(relative_to) / sizeof(relative_to[0])) {
		bytes_fail(bytes);
		return 0;
	}
	value += relative_to[to];
	return bases->word == 8 ? value : (uint32_t)value;
}

#define LONG	UINT32_MAX	/* a length that says: it is in the next 8 */

/*
 * Longer entries are not read, since all functions may have one CIE, and an
 * address any FDE.  The longest that are known have 52 bytes and 22 KB.
 */
#define COMMON_MAX	1024
#define OWN_MAX		((size_t)256 * 1024)

/*
 * A program is run again for each address.  Those that take fewer steps are not
 * counted, as a large recording has any number of addresses.
 */
#define STEPS_SHORT	4096
#define STEPS_COPY	32	/* to copy a row takes as long */

/* The start of an entry. */
struct start {
	bool is_long;		/* offsets have 8 bytes, not 4 */
	struct bytes body;	/* after the id */
	uint64_t id;
	uint64_t id_offset;	/* in the section */
};

/* Reads the start of an entry; false at the end, in .eh_frame a length of 0. */
static bool
read_start(struct bytes *bytes, struct start *start)
{
	uint64_t length = bytes_u32(bytes);

	start->is_long = length == LONG;
	if (start->is_long)
		length = bytes_u64(bytes);
	start->id_offset = bytes_offset(bytes);
	if (bytes->failed || length == 0 || length > bytes_left(bytes))
		return false;
	/* the body's offsets count in the section */
	start->body = *bytes;
	start->body.end = start->body.next + length;
	bytes_skip(bytes, length);
	start->id = start->is_long ? bytes_u64(&start->body) :
	    bytes_u32(&start->body);
	return true;
}

static bool
is_common(const struct cfi_section *section, const struct start *start)
{
	if (!section->is_debug)
		return start->id == 0;
	return start->id == (start->is_long ? UINT64_MAX : UINT32_MAX);
}

/* "zPLR": a letter for each part of the augmentation's data */
static void
read_augmentation(const struct cfi_section *section, struct str letters,
    struct bytes *bytes, struct cfi_entry *entry)
{
	uint64_t size = bytes_uleb(bytes);
	struct bytes data = *bytes;
	uint8_t encoding;
	size_t i;

	bytes_skip(bytes, size);
	data.end = bytes->next;
	for (i = 1; i < letters.len && !data.failed; i++)
		switch (letters.data[i]) {
		case 'R':
			entry->encoding = bytes_u8(&data);
			break;
		case 'P':
			encoding = bytes_u8(&data);
			ehpointer_read(&data, encoding, &section->bases);
			break;
		case 'L':
			bytes_skip(&data, 1);
			break;
		case 'S':
			entry->is_signal = true;
			break;
		case 'B':	/* aarch64: addresses are signed with key B */
			break;
		default:
			return;
		}
	if (data.failed)
		bytes_fail(bytes);
}

/* Reads a CIE; sets *is_sized if its FDEs have data of an augmentation. */
static bool
read_common(const struct cfi_section *section, uint64_t offset,
    struct cfi_entry *entry, bool *is_sized)
{
	struct bytes at = section->bytes, *body;
	struct start start;
	struct str letters;
	uint8_t version;

	bytes_seek(&at, offset);
	if (!read_start(&at, &start) || !is_common(section, &start) ||
	    bytes_left(&start.body) > COMMON_MAX)
		return false;
	body = &start.body;
	version = bytes_u8(body);
	letters = bytes_string(body);
	if (version != 1 && version != 3 && version != 4)
		return false;
	if (str_equal(letters, STR("eh")))
		bytes_skip(body, section->bases.word);	/* GCC 2 */
	if (version == 4 && (bytes_u8(body) != section->bases.word ||
	    bytes_u8(body) != 0))
		return false;		/* sizes of addresses, segments */
	entry->code_alignment = bytes_uleb(body);
	entry->data_alignment = bytes_sleb(body);
	entry->return_column = version == 1 ? bytes_u8(body) :
	    bytes_uleb(body);
	*is_sized = letters.len > 0 && letters.data[0] == 'z';
	if (*is_sized)
		read_augmentation(section, letters, body, entry);
	else if (letters.len > 0 && !str_equal(letters, STR("eh")))
		return false;
	entry->common = *body;
	return !body->failed && entry->return_column < CFI_COLUMNS;
}

bool
cfi_read(const struct cfi_section *section, uint64_t offset,
    struct cfi_entry *entry)
{
	struct bytes at = section->bytes, *body;
	struct start start;
	bool is_sized;

	*entry = (struct cfi_entry){ .section = section };
	bytes_seek(&at, offset);
	if (!read_start(&at, &start) || is_common(section, &start) ||
	    bytes_left(&start.body) > OWN_MAX ||
	    !read_common(section, section->is_debug ? start.id :
	    start.id_offset - start.id, entry, &is_sized))
		return false;
	body = &start.body;
	if ((entry->encoding & EHPOINTER_INDIRECT) != 0 ||
	    entry->encoding == EHPOINTER_NONE)
		return false;
	entry->start = ehpointer_read(body, entry->encoding, &section->bases);
	entry->end = entry->start + ehpointer_read(body,
	    entry->encoding & EHPOINTER_FORMAT, &section->bases);
	if (is_sized)
		bytes_skip(body, bytes_uleb(body));
	entry->own = *body;
	return !body->failed;
}

bool
cfi_next(struct bytes *section, uint64_t *offset)
{
	struct start start;

	*offset = bytes_offset(section);
	return bytes_left(section) > 0 && read_start(section, &start);
}

/* Operations of programs; the top two bits of the first three are theirs. */
enum cfi_operation {
	OP_ADVANCE = 0x40, OP_OFFSET = 0x80, OP_RESTORE = 0xc0,
	OP_NOP = 0x00, OP_SET_LOC, OP_ADVANCE1, OP_ADVANCE2, OP_ADVANCE4,
	OP_OFFSET_EXTENDED, OP_RESTORE_EXTENDED, OP_UNDEFINED, OP_SAME_VALUE,
	OP_REGISTER, OP_REMEMBER, OP_RESTORE_STATE, OP_DEF_CFA,
	OP_DEF_CFA_REGISTER, OP_DEF_CFA_OFFSET, OP_DEF_CFA_EXPRESSION,
	OP_EXPRESSION, OP_OFFSET_EXTENDED_SF, OP_DEF_CFA_SF,
	OP_DEF_CFA_OFFSET_SF, OP_VAL_OFFSET, OP_VAL_OFFSET_SF,
	OP_VAL_EXPRESSION,
	OP_AARCH64_NEGATE_RA_STATE = 0x2d, OP_GNU_ARGS_SIZE,
	OP_GNU_NEGATIVE_OFFSET
};

#define REMEMBERED_MOST	16	/* rows; compilers remember one or two */

/* A program that runs. */
struct cfi_machine {
	const struct cfi_entry *entry;
	struct bytes *program;
	uint64_t address;		/* that the row is of so far */
	struct cfi_row *row;
	const struct cfi_row *first;	/* as the CIE left it, or NULL */
	struct cfi_row remembered[REMEMBERED_MOST];
	unsigned remembered_count;
	uint64_t steps;			/* bytes that were run, about */
};

static void
set_rule(struct cfi_machine *machine, uint64_t column, enum cfi_how how,
    int64_t value)
{
	if (column < CFI_COLUMNS)
		machine->row->rules[column] = (struct cfi_rule){ how, value };
}

/*
 * Reads the number after an operation: u: one, f: in units of the data
 * alignment, n: the same, negated, s: the same with a sign, e: the offset of an
 * expression, '-': none.
 */
static int64_t
read_operand(struct cfi_machine *machine, char operand)
{
	const uint64_t unit = (uint64_t)machine->entry->data_alignment;
	struct bytes *program = machine->program;
	size_t offset = bytes_offset(program);

	switch (operand) {
	case 'u':
		return (int64_t)bytes_uleb(program);
	case 'f':
		return (int64_t)(bytes_uleb(program) * unit);
	case 'n':
		return (int64_t)-(bytes_uleb(program) * unit);
	case 's':
		return (int64_t)((uint64_t)bytes_sleb(program) * unit);
	case 'e':
		bytes_skip(program, bytes_uleb(program));
		return (int64_t)offset;
	}
	return 0;
}

static void
advance(struct cfi_machine *machine, uint64_t delta)
{
	machine->address += delta * machine->entry->code_alignment;
}

static void
restore(struct cfi_machine *machine, uint64_t column)
{
	if (machine->first == NULL)
		bytes_fail(machine->program);
	else if (column < CFI_COLUMNS)
		machine->row->rules[column] = machine->first->rules[column];
}

static void
set_cfa_register(struct cfi_machine *machine, uint64_t number)
{
	if (number >= CFI_COLUMNS)
		bytes_fail(machine->program);
	else
		machine->row->cfa_register = (uint8_t)number;
	machine->row->cfa_is_expression = false;
}

/* Operations that give a register a rule, and what follows the register. */
static const struct {
	enum cfi_how how;
	char operand;
} rules[] = {
	[OP_OFFSET_EXTENDED] = { CFI_OFFSET, 'f' },
	[OP_OFFSET_EXTENDED_SF] = { CFI_OFFSET, 's' },
	[OP_GNU_NEGATIVE_OFFSET] = { CFI_OFFSET, 'n' },
	[OP_VAL_OFFSET] = { CFI_VAL_OFFSET, 'f' },
	[OP_VAL_OFFSET_SF] = { CFI_VAL_OFFSET, 's' },
	[OP_UNDEFINED] = { CFI_UNDEFINED, '-' },
	[OP_SAME_VALUE] = { CFI_SAME_VALUE, '-' },
	[OP_REGISTER] = { CFI_REGISTER, 'u' },
	[OP_EXPRESSION] = { CFI_EXPRESSION, 'e' },
	[OP_VAL_EXPRESSION] = { CFI_VAL_EXPRESSION, 'e' },
};

static void
run_operation(struct cfi_machine *machine, uint8_t operation)
{
	struct bytes *program = machine->program;
	struct ehpointer_bases bases = machine->entry->section->bases;
	struct cfi_row *row = machine->row;
	uint64_t column;

	switch (operation) {
	case OP_NOP:
	case OP_AARCH64_NEGATE_RA_STATE:	/* signatures are cut off */
		break;
	case OP_SET_LOC:
		bases.function = machine->entry->start;
		machine->address = ehpointer_read(program,
		    machine->entry->encoding, &bases);
		break;
	case OP_ADVANCE1:
	case OP_ADVANCE2:
	case OP_ADVANCE4:
		advance(machine, bytes_uint(program,
		    (size_t)1 << (operation - OP_ADVANCE1)));
		break;
	case OP_REMEMBER:
		if (machine->remembered_count == REMEMBERED_MOST) {
			bytes_fail(program);
			break;
		}
		machine->steps += STEPS_COPY;
		machine->remembered[machine->remembered_count++] = *row;
		break;
	case OP_RESTORE_STATE:
		if (machine->remembered_count == 0)
			bytes_fail(program);
		else
			*row = machine->remembered[--machine->remembered_count];
		break;
	case OP_GNU_ARGS_SIZE:
		bytes_uleb(program);
		break;

	case OP_DEF_CFA:
	case OP_DEF_CFA_SF:
		set_cfa_register(machine, bytes_uleb(program));
		row->cfa_value = read_operand(machine,
		    operation == OP_DEF_CFA ? 'u' : 's');
		break;
	case OP_DEF_CFA_REGISTER:
		set_cfa_register(machine, bytes_uleb(program));
		break;
	case OP_DEF_CFA_OFFSET:
	case OP_DEF_CFA_OFFSET_SF:
		row->cfa_value = read_operand(machine,
		    operation == OP_DEF_CFA_OFFSET ? 'u' : 's');
		break;
	case OP_DEF_CFA_EXPRESSION:
		row->cfa_value = read_operand(machine, 'e');
		row->cfa_is_expression = true;
		break;

	case OP_RESTORE_EXTENDED:
		restore(machine, bytes_uleb(program));
		break;
	default:
		column = bytes_uleb(program);
		if (operation < sizeof(rules) / sizeof(*rules) &&
		    rules[operation].operand != '\0')
			set_rule(machine, column, rules[operation].how,
			    read_operand(machine, rules[operation].operand));
		else
			bytes_fail(program);
	}
}

/* Runs a program up to the row of an address; false if it makes no sense. */
static bool
run(struct cfi_machine *machine, struct bytes program, uint64_t address)
{
	size_t start = bytes_offset(&program);
	uint8_t operation, low;

	machine->program = &program;
	while (bytes_left(&program) > 0 && machine->address <= address) {
		operation = bytes_u8(&program);
		low = operation & 0x3f;
		if (operation >= OP_RESTORE)
			restore(machine, low);
		else if (operation >= OP_OFFSET)
			set_rule(machine, low, CFI_OFFSET,
			    read_operand(machine, 'f'));
		else if (operation >= OP_ADVANCE)
			advance(machine, low);
		else
			run_operation(machine, operation);
	}
	machine->steps += bytes_offset(&program) - start;
	return !program.failed;
}

bool
cfi_row(const struct cfi_entry *entry, uint64_t address, struct cfi_row *row)
{
	struct cfi_machine machine;
	struct cfi_row first;

	/* Clearing its 9 KB for each row would cost more than the row. */
	machine.entry = entry;
	machine.row = row;
	machine.first = NULL;
	machine.address = machine.steps = 0;
	machine.remembered_count = 0;
	*row = (struct cfi_row){ .section = entry->section,
	    .is_signal = entry->is_signal,
	    .return_column = (uint8_t)entry->return_column };
	if (!run(&machine, entry->common, UINT64_MAX))
		return false;
	first = *row;
	machine.first = &first;
	machine.address = entry->start;
	machine.remembered_count = 0;
	return run(&machine, entry->own, address) &&
	    (machine.steps < STEPS_SHORT || account_take(
	    entry->section->account, LIMIT_WORK, machine.steps, "callers"));
}
