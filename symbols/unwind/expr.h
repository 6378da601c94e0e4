/*
 * expr: DWARF expressions, small programs for a stack of numbers.  A row of cfi
 * has one where an address or a value is not just a register and an offset.
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
 */
#ifndef EXPR_H
#define EXPR_H

#include "lib/bytes.h"

/* The process that an expression is about. */
struct expr_context {
	bool (*read_register)(void *data, uint64_t number, uint64_t *value);
	bool (*read_memory)(void *data, uint64_t address, uint64_t *value);
	void *data;
	uint8_t word;		/* bytes of its addresses: 4 or 8 */
};

/*
 * Runs an expression, with a first number on the stack; false if it makes no
 * sense, or if it runs for too long.
 */
bool expr_run(struct bytes program, const struct expr_context *context,
    uint64_t first, uint64_t *result);

#endif
