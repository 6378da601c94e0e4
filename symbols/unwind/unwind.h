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

#include "cfi.h"

struct frametables;

/*
 * A row of cfi, in few bytes.  Nearly all rows say: the CFA is a register and a
 * number, and some registers are saved a number of words below it.  The others
 * are computed each time.
 *
 * On aarch64 the code that a handler of a signal returns to counts more than a
 * row, as for libunwind and gdb.  So no row is short where that code may be.
 */
enum row_kind {
	ROW_END,	/* no rule: a stack ends here, unless by a signal */
	ROW_GUESS,	/* of this function nothing is known, but of others */
	ROW_SHORT,
	ROW_LONG	/* to be computed */
};

/* The code that a handler returns to on aarch64: mov x8, #139 and svc #0. */
#define ROW_SIGRETURN	UINT64_C(0xd4000001d2801168)

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
	struct known_row *list;
};

void rows_free(struct rows *rows);

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

#endif
