#include "unwind.h"

#define DEPTH	64	/* numbers; expressions of compilers need four */
#define STEPS	1000	/* they have a dozen operations and no loop */

enum expr_operation {
	OP_ADDR = 0x03, OP_DEREF = 0x06,
	OP_CONST1U = 0x08, OP_CONST8S = 0x0f, OP_CONSTU, OP_CONSTS,
	OP_DUP = 0x12, OP_DROP, OP_OVER, OP_PICK, OP_SWAP, OP_ROT,
	OP_ABS = 0x19, OP_AND, OP_DIV, OP_MINUS, OP_MOD, OP_MUL, OP_NEG,
	OP_NOT, OP_OR, OP_PLUS, OP_PLUS_UCONST, OP_SHL, OP_SHR, OP_SHRA,
	OP_XOR, OP_BRA, OP_EQ, OP_GE, OP_GT, OP_LE, OP_LT, OP_NE, OP_SKIP,
	OP_LIT0 = 0x30, OP_LIT31 = 0x4f,
	OP_BREG0 = 0x70, OP_BREG31 = 0x8f,
	OP_BREGX = 0x92, OP_DEREF_SIZE = 0x94, OP_NOP = 0x96
};

bool
unwind_memory(const struct unwind *unwind, uint64_t address, uint64_t *word)
{
	const struct unwind_process *process = unwind->process;

	if (process->machine->word == 8)
		return process->read_word(process->data, address, word);
	if (!process->read_word(process->data, (uint32_t)address, word))
		return false;
	*word = (uint32_t)*word;
	return true;
}

bool
unwind_register(const struct unwind *unwind, uint64_t number, uint64_t *value)
{
	const struct unwind_machine *machine = unwind->process->machine;
	const struct unwind_place *place;

	if (number >= machine->columns)
		return false;
	place = &unwind->places[number];
	*value = number == machine->sp ? unwind->cfa :
	    number == machine->ip ? unwind->ip : place->value;
	if (number == machine->sp || number == machine->ip)
		return true;
	if (place->kind == PLACE_MEMORY)
		return unwind_memory(unwind, place->value, value);
	return place->kind == PLACE_VALUE;
}

struct expr_machine {
	struct bytes program;
	const struct unwind *unwind;
	uint64_t stack[DEPTH];
	unsigned depth;
};

static void
push(struct expr_machine *machine, uint64_t value)
{
	if (machine->depth == DEPTH)
		bytes_fail(&machine->program);
	else
		machine->stack[machine->depth++] = value;
}

static uint64_t
pop(struct expr_machine *machine)
{
	if (machine->depth == 0) {
		bytes_fail(&machine->program);
		return 0;
	}
	return machine->stack[--machine->depth];
}

/* Pushes a copy of a number, by its distance from the last one pushed. */
static void
pick(struct expr_machine *machine, unsigned distance)
{
	if (distance >= machine->depth)
		bytes_fail(&machine->program);
	else
		push(machine, machine->stack[machine->depth - 1 - distance]);
}

/* Moves the last number below `below` others. */
static void
sink(struct expr_machine *machine, unsigned below)
{
	uint64_t last = pop(machine), *to;

	if (below > machine->depth) {
		bytes_fail(&machine->program);
		return;
	}
	to = &machine->stack[machine->depth++ - below];
	memmove(to + 1, to, below * sizeof(*to));
	*to = last;
}

static void
push_memory(struct expr_machine *machine, size_t size)
{
	uint64_t value = 0, address = pop(machine);

	if (size == 0 || size > 8 ||
	    !unwind_memory(machine->unwind, address, &value))
		bytes_fail(&machine->program);
	if (size < 8)
		value &= ((uint64_t)1 << 8 * size) - 1;
	push(machine, value);
}

static void
push_register(struct expr_machine *machine, uint64_t number)
{
	int64_t offset = bytes_sleb(&machine->program);
	uint64_t value = 0;

	if (!unwind_register(machine->unwind, number, &value))
		bytes_fail(&machine->program);
	push(machine, value + (uint64_t)offset);
}

/* Returns the result of an operation on two numbers; `b` was pushed last. */
static uint64_t
calculate(struct expr_machine *machine, uint8_t operation, uint64_t a,
    uint64_t b)
{
	int64_t x = (int64_t)a, y = (int64_t)b;

	switch (operation) {
	case OP_AND:
		return a & b;
	case OP_DIV:
		if (y != 0 && (y != -1 || x != INT64_MIN))
			return (uint64_t)(x / y);
		break;
	case OP_MINUS:
		return a - b;
	case OP_MOD:
		if (b != 0)
			return a % b;
		break;
	case OP_MUL:
		return a * b;
	case OP_OR:
		return a | b;
	case OP_PLUS:
		return a + b;
	case OP_SHL:
		return b > 63 ? 0 : a << b;
	case OP_SHR:
		return b > 63 ? 0 : a >> b;
	case OP_SHRA:		/* of a negative number, ones come in */
		b = b > 63 ? 63 : b;
		return x < 0 ? ~(~a >> b) : a >> b;
	case OP_XOR:
		return a ^ b;
	case OP_EQ:
		return a == b;
	case OP_GE:
		return x >= y;
	case OP_GT:
		return x > y;
	case OP_LE:
		return x <= y;
	case OP_LT:
		return x < y;
	case OP_NE:
		return a != b;
	}
	bytes_fail(&machine->program);
	return 0;
}

static void
run_operation(struct expr_machine *machine, uint8_t operation)
{
	struct bytes *program = &machine->program;
	const uint8_t word = machine->unwind->process->machine->word;
	uint64_t a, b;
	int16_t distance;
	size_t size;

	switch (operation) {
	case OP_ADDR:
		push(machine, bytes_uint(program, word));
		break;
	case OP_CONSTU:
		push(machine, bytes_uleb(program));
		break;
	case OP_CONSTS:
		push(machine, (uint64_t)bytes_sleb(program));
		break;

	case OP_DUP:
		pick(machine, 0);
		break;
	case OP_DROP:
		pop(machine);
		break;
	case OP_OVER:
		pick(machine, 1);
		break;
	case OP_PICK:
		pick(machine, bytes_u8(program));
		break;
	case OP_SWAP:
		sink(machine, 1);
		break;
	case OP_ROT:
		sink(machine, 2);
		break;
	case OP_SKIP:
	case OP_BRA:
		distance = (int16_t)bytes_u16(program);
		if (operation == OP_SKIP || pop(machine) != 0)
			bytes_seek(program, bytes_offset(program) +
			    (uint64_t)distance);
		break;
	case OP_NOP:
		break;

	case OP_DEREF:
		push_memory(machine, word);
		break;
	case OP_DEREF_SIZE:
		push_memory(machine, bytes_u8(program));
		break;
	case OP_BREGX:
		push_register(machine, bytes_uleb(program));
		break;

	case OP_ABS:
		a = pop(machine);
		push(machine, a >> 63 != 0 ? -a : a);
		break;
	case OP_NEG:
		push(machine, -pop(machine));
		break;
	case OP_NOT:
		push(machine, ~pop(machine));
		break;
	case OP_PLUS_UCONST:
		a = pop(machine);
		push(machine, a + bytes_uleb(program));
		break;

	default:
		if (operation >= OP_CONST1U && operation <= OP_CONST8S) {
			/* 1 to 8 bytes; odd operations have a sign */
			size = (size_t)1 << (operation - OP_CONST1U) / 2;
			push(machine, operation % 2 != 0 ?
			    (uint64_t)bytes_int(program, size) :
			    bytes_uint(program, size));
		} else if (operation >= OP_LIT0 && operation <= OP_LIT31)
			push(machine, operation - OP_LIT0);
		else if (operation >= OP_BREG0 && operation <= OP_BREG31)
			push_register(machine, operation - OP_BREG0);
		else {
			b = pop(machine);
			a = pop(machine);
			push(machine, calculate(machine, operation, a, b));
		}
	}
}

bool
expr_run(struct bytes program, const struct unwind *unwind, uint64_t first,
    uint64_t *result)
{
	struct expr_machine machine = {
		.program = program, .unwind = unwind
	};
	unsigned steps = 0;

	push(&machine, first);
	for (; bytes_left(&machine.program) > 0 && steps < STEPS; steps++)
		run_operation(&machine, bytes_u8(&machine.program));
	*result = pop(&machine);
	return !machine.program.failed && bytes_left(&machine.program) == 0;
}
