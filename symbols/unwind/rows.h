/*
 * rows: remembers the rows of cfi at the addresses asked for, in few bytes
 * each.
 *
 * Programs are found in the same functions again and again, so 99 of 100
 * questions are answered here.  Nearly all rows say: the CFA is a register and
 * a number, and so many registers are saved so many words below it.  The others
 * are computed each time.
 *
 * On aarch64 the code that a handler of a signal returns to counts more than a
 * row, as for libunwind and gdb.  So no row is short where that code may be.
 */
#ifndef ROWS_H
#define ROWS_H

#include <stdbool.h>
#include <stdint.h>

struct frametables;

enum row_kind {
	ROW_END,	/* nothing is known: but for signals, a stack ends here */
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
			int8_t words;	/* of 8 bytes, from the CFA */
		} saved[ROW_SAVED];
		struct {
			const struct frametables *tables;
			uint64_t offset;	/* in the file */
		} place;
	} of;
};

/* Returns the row at an offset of a file, or that of no file, NULL. */
struct row row_of(const struct frametables *tables, uint64_t offset);

/* Begins as { NULL }. */
struct rows {
	struct known_row *list;
};

void rows_free(struct rows *rows);

/*
 * Returns where the row of an address is remembered, in maps of a number that
 * is not 0; *known is false if it is not, and the caller stores it there.
 */
struct row *rows_at(struct rows *rows, uint64_t address, uint64_t maps,
    bool *known);

#endif
