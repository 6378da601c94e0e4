#include "lib/mem.h"
#include "unwind.h"

#define WORD	8	/* bytes, except on i386 */

/* A frame that is guessed by the frame pointer is not larger. */
#define GUESSED_MOST	0x4000

/* Addresses have 48 bits; those above may sign a return address. */
#define SIGNATURE	(UINT64_MAX << 48)

const struct unwind_machine unwind_x86_64 = {
	.columns = 17, .ip = 16, .sp = 7, .fp = 6, .word = WORD
};
const struct unwind_machine unwind_i386 = {
	.columns = 9, .ip = 8, .sp = 4, .fp = 5, .word = 4
};
const struct unwind_machine unwind_aarch64 = {
	.columns = 33, .ip = 32, .sp = 31, .fp = 29, .has_link = true,
	.word = WORD
};

#define LINK	30	/* the register of aarch64 */

#define BITS	14	/* 655 KB; a large program needs some thousand rows */

struct known_row {
	uint64_t address, maps;	/* 0: empty */
	struct row row;
};

/* Stores a row in few bytes; false if that cannot be. */
static bool
pack(const struct cfi_row *from, struct row *row)
{
	const int64_t word = from->section->bases.word;
	const struct cfi_rule *rule;
	uint8_t column;

	if (from->cfa_is_expression || from->is_signal ||
	    from->cfa_value != (int32_t)from->cfa_value)
		return false;
	*row = (struct row){ .kind = ROW_SHORT,
	    .cfa_register = from->cfa_register,
	    .return_column = from->return_column,
	    .cfa_offset = (int32_t)from->cfa_value };
	for (column = 0; column < CFI_COLUMNS; column++) {
		rule = &from->rules[column];
		if (rule->how == CFI_SAME_VALUE)
			continue;
		if (rule->how != CFI_OFFSET || rule->value % word != 0 ||
		    rule->value / word != (int8_t)(rule->value / word) ||
		    row->count == ROW_SAVED)
			return false;
		row->of.saved[row->count].column = column;
		row->of.saved[row->count++].words =
		    (int8_t)(rule->value / word);
	}
	return true;
}

/* The code that a handler returns to on aarch64: mov x8, #139 and svc #0. */
#define AARCH64_SIGRETURN	UINT64_C(0xd4000001d2801168)

/*
 * True if a handler of a signal returns to an offset.  On aarch64 that code
 * counts more than a row, as for libunwind and gdb, so the row is not short.
 */
static bool
is_sigreturn(const struct elf *file, uint64_t offset)
{
	struct bytes code = { 0 };

	if (file != NULL && file->machine == ELF_AARCH64)
		code = bytes_at(&file->file, offset, WORD);
	return bytes_u64(&code) == AARCH64_SIGRETURN;
}

struct row
row_of(const struct frametables *tables, uint64_t offset)
{
	struct row row = { .kind = ROW_END };
	struct cfi_row full;

	if (tables != NULL)
		row.kind = (uint8_t)frametables_row(tables, offset, &full);
	/* a caller's row is asked for one byte before its address */
	if (row.kind == ROW_LONG && (is_sigreturn(tables->file, offset) ||
	    is_sigreturn(tables->file, offset + 1) || !pack(&full, &row))) {
		row = (struct row){ .kind = ROW_LONG };
		row.of.place.tables = tables;
		row.of.place.offset = offset;
	}
	return row;
}

struct row *
rows_at(struct rows *rows, uint64_t address, uint64_t maps, bool *known)
{
	uint64_t hash = (address ^ maps << 40 ^ maps >> 24) *
	    UINT64_C(0x9E3779B97F4A7C15);
	struct known_row *at;

	if (rows->list == NULL)
		rows->list = mem_array((size_t)1 << BITS, sizeof(*rows->list));
	at = &rows->list[hash >> (64 - BITS)];
	*known = at->address == address && at->maps == maps;
	at->address = address;
	at->maps = maps;
	return &at->row;
}

bool
unwind_begin(struct unwind *unwind, const struct unwind_process *process,
    const uint64_t *registers, uint64_t known)
{
	const struct unwind_machine *machine = process->machine;
	uint8_t i;

	*unwind = (struct unwind){ .process = process, .is_first = true,
	    .ip = registers[machine->ip], .cfa = registers[machine->sp] };
	for (i = 0; i < machine->columns; i++)
		unwind->places[i] = (struct unwind_place){
		    (known >> i & 1) != 0 ? PLACE_VALUE : PLACE_UNKNOWN,
		    registers[i] };
	return (known >> machine->ip & known >> machine->sp & 1) != 0;
}

/* Runs the expression at an offset of the section that a row is from. */
static bool
run_expression(const struct unwind *unwind, const struct cfi_row *row,
    int64_t offset, uint64_t first, uint64_t *result)
{
	struct bytes at = row->section->bytes;

	bytes_seek(&at, (uint64_t)offset);
	return expr_run(bytes_take(&at, bytes_uleb(&at)), unwind, first,
	    result);
}

/* Finds where a rule says that a register is; false if it makes no sense. */
static bool
find_place(const struct unwind *unwind, const struct cfi_row *row,
    const struct cfi_rule *rule, uint64_t cfa, struct unwind_place *place)
{
	uint64_t value = cfa + (uint64_t)rule->value;

	switch (rule->how) {
	case CFI_SAME_VALUE:
		return true;
	case CFI_UNDEFINED:
		place->kind = PLACE_UNKNOWN;
		return true;
	case CFI_OFFSET:
	case CFI_VAL_OFFSET:
		*place = (struct unwind_place){ rule->how == CFI_OFFSET ?
		    PLACE_MEMORY : PLACE_VALUE, value };
		return true;
	case CFI_REGISTER:
		if ((uint64_t)rule->value >= unwind->process->machine->columns)
			return false;
		*place = unwind->places[rule->value];
		if (rule->value == unwind->process->machine->sp)
			*place = (struct unwind_place){ PLACE_VALUE,
			    unwind->cfa };
		return true;
	case CFI_EXPRESSION:
	case CFI_VAL_EXPRESSION:
		place->kind = rule->how == CFI_EXPRESSION ? PLACE_MEMORY :
		    PLACE_VALUE;
		return run_expression(unwind, row, rule->value, cfa,
		    &place->value);
	}
	return false;
}

/* Notes why a stack ends; returns false, as unwind_step() does. */
static bool
end(struct unwind *unwind, enum unwind_end how, uint64_t caller_cfa)
{
	unwind->end = how;
	unwind->caller_cfa = caller_cfa;
	return false;
}

/*
 * Reads the return address, when the caller's registers are known; is_call is
 * false if the caller was interrupted by a signal.
 */
static bool
take_return_address(struct unwind *unwind, uint8_t column, uint64_t cfa,
    bool is_call)
{
	const struct unwind_machine *machine = unwind->process->machine;
	const struct unwind_place *place = &unwind->places[column];
	uint64_t ip = place->value;

	unwind->is_call = is_call;
	unwind->is_first = false;
	if (column >= machine->columns)
		return false;
	/* a stack that ends has a first function without a frame pointer */
	if (place->kind == PLACE_UNKNOWN || (!machine->has_link &&
	    unwind->places[machine->fp].kind == PLACE_UNKNOWN))
		return end(unwind, UNWIND_COMPLETE, cfa);
	if (place->kind == PLACE_MEMORY &&
	    !unwind_memory(unwind, place->value, &ip))
		return end(unwind, UNWIND_LOST, cfa);
	if (machine->has_link)
		ip &= ~SIGNATURE;
	if (ip == 0)
		return end(unwind, UNWIND_COMPLETE, cfa);
	if (ip == unwind->ip && cfa == unwind->cfa)
		return false;
	unwind->ip = ip;
	unwind->cfa = cfa;
	return true;
}

static bool
step_long(struct unwind *unwind, const struct row *short_row)
{
	const struct unwind before = *unwind;
	struct cfi_row row;
	uint64_t cfa;
	uint8_t i;

	if (frametables_row(short_row->of.place.tables,
	    short_row->of.place.offset, &row) != ROW_LONG)
		return false;
	if (row.cfa_is_expression) {
		if (!run_expression(unwind, &row, row.cfa_value, 0, &cfa))
			return false;
	} else {
		if (!unwind_register(unwind, row.cfa_register, &cfa))
			return false;
		cfa += (uint64_t)row.cfa_value;
	}
	for (i = 0; i < unwind->process->machine->columns; i++)
		if (!find_place(&before, &row, &row.rules[i], cfa,
		    &unwind->places[i]))
			return false;
	return take_return_address(unwind, row.return_column, cfa,
	    !row.is_signal);
}

/* Goes on by a frame pointer, saved there with the return address. */
static bool
step_by_frame_pointer(struct unwind *unwind, uint8_t return_column,
    uint64_t cfa)
{
	const struct unwind_machine *machine = unwind->process->machine;
	uint64_t fp, saved;
	uint8_t i;

	if (!unwind_register(unwind, machine->fp, &fp) || fp < unwind->cfa ||
	    fp - unwind->cfa > GUESSED_MOST ||
	    !unwind_memory(unwind, fp, &saved))
		return false;
	for (i = 0; i < machine->columns; i++)
		unwind->places[i].kind = PLACE_UNKNOWN;
	unwind->places[machine->fp] = (struct unwind_place){ PLACE_MEMORY, fp };
	unwind->places[return_column] = (struct unwind_place){ PLACE_MEMORY,
	    fp + machine->word };
	return take_return_address(unwind, return_column, cfa, true);
}

/*
 * Goes on where nothing is known of a function of x86-64.  As in libunwind, the
 * stack pointer after it is a guess, too.  An entry of the procedure linkage
 * table, jmp *N(%rip), push N, jmp N, has not changed it:
 *
 *	ff 25 e2 49 13 00  68 ae 03 00 00  e9 00 c5 ff ff
 */
static bool
guess_x86_64(struct unwind *unwind)
{
	uint8_t ip = unwind->process->machine->ip;
	uint64_t low, high;

	if (!unwind_memory(unwind, unwind->ip, &low) ||
	    !unwind_memory(unwind, unwind->ip + WORD, &high) ||
	    (low & 0xffff) != 0x25ff || (low >> 48 & 0xff) != 0x68 ||
	    (high >> 24 & 0xff) != 0xe9)
		return step_by_frame_pointer(unwind, ip, unwind->cfa + 16);
	unwind->places[ip] = (struct unwind_place){ PLACE_MEMORY, unwind->cfa };
	return take_return_address(unwind, ip, unwind->cfa + WORD, true);
}

/*
 * Where the registers are that were interrupted, in words above the stack
 * pointer of the code that the handler returns to.  On aarch64, in bytes:
 *
 *	siginfo (128)  flags (8)  link (8)  stack (24)  mask (128)  gap (8)
 *	fault address (8)  x0 to x30 (248)  sp (8)  pc (8) ...
 *
 * On x86-64: flags (8)  link (8)  stack (24)  r8 to r15, di, si ...
 */
#define AARCH64_REGISTERS	39

static const uint8_t x86_64_registers[] = {
	18, 17, 19, 16, 14, 13, 15, 20,		/* ax dx cx bx si di bp sp */
	5, 6, 7, 8, 9, 10, 11, 12, 21		/* r8 to r15, ip */
};

/* That code on x86-64, mov $15, %rax and the first byte of syscall. */
#define X86_64_SIGRETURN	UINT64_C(0x0f0000000fc0c748)

static bool
is_signal_frame(struct unwind *unwind)
{
	uint64_t code, rest;

	if (!unwind_memory(unwind, unwind->ip, &code))
		return false;
	if (unwind->process->machine->has_link)
		return code == AARCH64_SIGRETURN;
	return code == X86_64_SIGRETURN &&
	    unwind_memory(unwind, unwind->ip + WORD, &rest) &&
	    (rest & 0xff) == 0x05;
}

/* Returns where the frame of a signal has a register. */
static uint64_t
find_interrupted(const struct unwind *unwind, uint8_t number)
{
	return unwind->cfa + WORD * (uint64_t)(
	    unwind->process->machine->has_link ? AARCH64_REGISTERS + number :
	    x86_64_registers[number]);
}

static bool
step_signal(struct unwind *unwind)
{
	const struct unwind_machine *machine = unwind->process->machine;
	uint64_t sp;
	uint8_t i;

	if (!unwind_memory(unwind, find_interrupted(unwind, machine->sp), &sp))
		return false;
	for (i = 0; i < machine->columns; i++)
		unwind->places[i] = (struct unwind_place){ PLACE_MEMORY,
		    find_interrupted(unwind, i) };
	return take_return_address(unwind, machine->ip, sp, false);
}

/*
 * The same on aarch64.  A leaf function has no frame, and its return address is
 * in the link register.  In other functions GCC puts the frame pointer at the
 * stack pointer, so the caller's frame pointer gives both.
 */
static bool
guess_aarch64(struct unwind *unwind)
{
	uint64_t fp, saved;

	if (unwind->is_first)
		return take_return_address(unwind, LINK, unwind->cfa, true);
	if (!unwind_register(unwind, unwind->process->machine->fp, &fp) ||
	    !unwind_memory(unwind, fp, &saved))
		return false;
	if (saved < fp || saved - fp > GUESSED_MOST)
		saved = fp + 2 * WORD;
	return step_by_frame_pointer(unwind, LINK, saved);
}

/*
 * Goes on where no short row is known.  The code of a signal's return counts
 * more than a row on aarch64, and less on x86-64, as in libunwind.
 */
static bool
step_without_row(struct unwind *unwind, const struct row *row)
{
	const struct unwind_machine *machine = unwind->process->machine;
	uint64_t fp;

	if (row->kind == ROW_LONG && !machine->has_link)
		return step_long(unwind, row);
	if (machine == &unwind_i386)	/* the calls of stubs have rows */
		return row->kind == ROW_GUESS &&
		    unwind_register(unwind, machine->fp, &fp) &&
		    step_by_frame_pointer(unwind, machine->ip, fp + 8);
	if (is_signal_frame(unwind))
		return step_signal(unwind);
	if (row->kind == ROW_LONG)
		return step_long(unwind, row);
	unwind->end = unwind_register(unwind, machine->fp, &fp) && fp == 0 ?
	    UNWIND_COMPLETE : UNWIND_NO_ROW;
	/* a guess, if the file has tables, and they lack this function */
	if (row->kind == ROW_END ||
	    !(machine->has_link ? guess_aarch64 : guess_x86_64)(unwind))
		return false;
	unwind->end = UNWIND_LOST;
	return true;
}

bool
unwind_step(struct unwind *unwind)
{
	const struct unwind_process *process = unwind->process;
	const struct row *row = process->row(process->data,
	    unwind_address(unwind));
	const int64_t word = process->machine->word;
	uint64_t cfa;
	unsigned i;

	if (row->kind != ROW_SHORT)
		return step_without_row(unwind, row);
	if (!unwind_register(unwind, row->cfa_register, &cfa))
		return false;
	cfa += (uint64_t)(int64_t)row->cfa_offset;
	for (i = 0; i < row->count; i++)
		unwind->places[row->of.saved[i].column] = (struct unwind_place){
		    PLACE_MEMORY, cfa +
		    (uint64_t)((int64_t)row->of.saved[i].words * word) };
	return take_return_address(unwind, row->return_column, cfa, true);
}
