/*
 * unwind: finds the callers of a function, from the registers and a copy of the
 * stack that were taken while it ran.
 *
 *	unwind_begin(&unwind, &machine, registers)
 *	do
 *		(unwind_address(&unwind) is in a function)
 *	while (unwind_step(&unwind));
 *
 * A row of cfi says where a function's frame is and where its caller's
 * registers are.  They are read when they are needed: most never are.  What
 * happens where nothing is known follows libunwind 1.6, as perf uses it.
 */
#ifndef UNWIND_H
#define UNWIND_H

#include "frametables.h"

/*
 * A row of cfi, in few bytes.  Nearly all rows say: the CFA is a register and a
 * number, and some registers are saved a number of words below it.  The others
 * are computed each time.
 */
#define ROW_SAVED	8	/* registers that a short row may save */

struct row {
	uint8_t kind;		/* a row_kind */
	uint8_t cfa_register, return_column;
	uint8_t count;		/* of saved */
	int32_t cfa_offset;	/* in bytes */
	union {
		struct {
			uint8_t column;
			int8_t words;	/* from the CFA */
		} saved[ROW_SAVED];
		struct {
			const struct frametables *tables;
			uint64_t offset;	/* in the file */
		} place;
	} of;
};

/* Returns the row at an offset of a file; tables may be NULL. */
struct row row_of(const struct frametables *tables, uint64_t offset);

/* Begins as { NULL }. */
struct rows {
	struct known_row *list;		/* to be freed */
};

/*
 * Returns the cache slot for the row of an address.  `maps` is the number of
 * the process's maps, not 0.  If *known is false, the caller stores the row
 * there.
 */
struct row *rows_at(struct rows *rows, uint64_t address, uint64_t maps,
    bool *known);

/* The numbers of registers, as DWARF counts them. */
struct unwind_machine {
	uint8_t columns;	/* registers that rows are about */
	uint8_t ip, sp, fp;
	bool has_link;		/* the return address is in a register first */
	uint8_t word;		/* bytes: 4 or 8 */
};

extern const struct unwind_machine unwind_x86_64, unwind_i386, unwind_aarch64;

/* The process at the time of the sample. */
struct unwind_process {
	const struct unwind_machine *machine;
	/* Returns the row of an address; it lives until the next call. */
	const struct row *(*row)(void *data, uint64_t address);
	/* Reads 8 bytes, even if a word has 4; false if they are unknown. */
	bool (*read_word)(void *data, uint64_t address, uint64_t *word);
	void *data;
};

struct unwind_place {
	enum { PLACE_UNKNOWN, PLACE_VALUE, PLACE_MEMORY } kind;
	uint64_t value;		/* or the address in memory */
};

/* Why a stack goes no further. */
enum unwind_end {
	UNWIND_LOST,		/* what is known leads nowhere */
	UNWIND_NO_ROW,		/* nothing is known of the function */
	UNWIND_COMPLETE		/* it is the thread's first one */
};

struct unwind {
	const struct unwind_process *process;
	uint64_t ip;		/* in the function, or after its call */
	uint64_t cfa;		/* its stack pointer */
	bool is_call;		/* it is after a call */
	bool is_first;
	enum unwind_end end;	/* once unwind_step() was false */
	uint64_t caller_cfa;	/* the stack pointer of the caller whose return
				   address was not found then; or 0 */
	struct unwind_place places[CFI_COLUMNS];
};

/*
 * Begins with registers in the order of DWARF's numbers; `known` has a bit for
 * each that is known.  False if the ip or the stack pointer is not.
 */
bool unwind_begin(struct unwind *unwind, const struct unwind_process *process,
    const uint64_t *registers, uint64_t known);

/*
 * Goes on to the caller; false at the end, and if it is unknown.  A stack ends
 * at a return address of 0, at one that the tables call undefined, and, as the
 * System V ABI asks, at a frame pointer of 0 where there are no tables.
 */
bool unwind_step(struct unwind *unwind);

/* Returns an address inside the function: of its call, not after it. */
static inline uint64_t
unwind_address(const struct unwind *unwind)
{
	return unwind->ip - unwind->is_call;
}

/* Read a register of the frame, or a word of memory; false if unknown. */
bool unwind_register(const struct unwind *unwind, uint64_t number,
    uint64_t *value);
bool unwind_memory(const struct unwind *unwind, uint64_t address,
    uint64_t *word);

/*
 * Expressions are small programs for a stack of numbers.  A row has one where
 * an address or a value is not just a register and an offset.
 *
 * The CFA in the procedure linkage table, where a function's first call pushes
 * two words from the 11th byte of 16 on, is
 *
 *	rsp + 8 + ((rip & 15) >= 11) * 8
 *
 *	77 08           breg7 8          rsp + 8
 *	80 00           breg16 0         rsp + 8, rip
 *	3f 1a           lit15, and       rsp + 8, rip & 15
 *	3b 2a           lit11, ge        rsp + 8, 0 or 1
 *	33 24           lit3, shl        rsp + 8, 0 or 8
 *	22              plus             the sum
 *
 * See DWARF 5, section 2.5.  What makes no sense in a row, section 6.4.2, or
 * needs types, is refused.
 *
 * Runs an expression in a frame, with a first number on the stack; false if it
 * makes no sense, or if it runs for too long.
 */
bool expr_run(struct bytes program, const struct unwind *unwind, uint64_t first,
    uint64_t *result);

#endif
