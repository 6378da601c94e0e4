/*
 * frametables: the unwind tables of one mapped file, call frame information:
 * where the function at an address has saved its caller's registers.
 *
 * .eh_frame, and .debug_frame of the file or of its debug information, are
 * entries one after another.  One that functions have in common, a CIE, is
 * followed by one for each function, an FDE:
 *
 *	CIE	length (4)  id: 0 (4)  version (1)  augmentation: "zR" NUL
 *		code alignment (uleb)  data alignment (sleb)
 *		return address's register (uleb)  data of the augmentation
 *		program ...
 *	FDE	length (4)  distance to its CIE (4)
 *		start of the function  its length  data of the augmentation
 *		program ...
 *
 * The programs make a table with a row for each address and a column for each
 * register.  The canonical frame address, CFA, is the stack pointer before the
 * call:
 *
 *	address   CFA        rbx      rbp      return address
 *	1139      rsp + 8    same     same     at CFA - 8
 *	113a      rsp + 16   same     CFA - 16 at CFA - 8
 *	113d      rbp + 16   same     CFA - 16 at CFA - 8
 *
 * See DWARF 5, section 6.4, and for .eh_frame, where the FDE's start is an
 * ehpointer, the Linux Standard Base, Core 5.0, chapter 10.6.
 */
#ifndef FRAMETABLES_H
#define FRAMETABLES_H

#include "symbols/elf/elf.h"

/*
 * Pointers in .eh_frame and .eh_frame_hdr have an encoding of one byte: how
 * many bytes a pointer takes, and what it is relative to.
 *
 *	 7  6 5 4  3 2 1 0
 *	 |  |      format: 0 word, 1 uleb128, 2 to 4 of 2, 4, 8 bytes;
 *	 |  |      and 8 more: with a sign
 *	 |  relative to: 0 nothing, 1 its own address, 2 the code, 3 the data,
 *	 |               4 the function; 5: a word at an aligned address
 *	 indirect: the pointer is in memory, at this address
 *
 * See DWARF Exception Header Encoding in the Linux Standard Base, Core 5.0,
 * chapter 10.5.
 */
#define EHPOINTER_NONE	0xff	/* the encoding of no pointer: no bytes */
#define EHPOINTER_FORMAT	0x0f
#define EHPOINTER_INDIRECT	0x80

/* The addresses that pointers are relative to, and how long a word is. */
struct ehpointer_bases {
	uint64_t start;		/* of what is read, at offset 0 */
	uint64_t text, data;	/* of the sections .text and .got */
	uint64_t function;
	uint8_t word;		/* bytes: 4 or 8 */
};

/*
 * Returns the next pointer, or 0 for none; fails where the encoding is unknown.
 * Of an indirect one, the address of the pointer is returned.
 */
uint64_t ehpointer_read(struct bytes *bytes, uint8_t encoding,
    const struct ehpointer_bases *bases);

/* One of the sections, and where the functions are that it has entries for. */
struct cfi_section {
	struct bytes bytes;
	struct ehpointer_bases bases;
	bool is_debug;		/* .debug_frame */
	struct account *account;	/* of what reading takes, or NULL */
	struct indexed_function *list;	/* in order */
	size_t count, room;
};

/* A function's entry, and the one that it has in common with others. */
struct cfi_entry {
	const struct cfi_section *section;
	uint64_t start, end;	/* linked addresses */
	uint64_t code_alignment;
	int64_t data_alignment;
	uint64_t return_column;	/* the register of the return address */
	uint8_t encoding;	/* of addresses */
	bool is_signal;		/* the frame that calls a signal's handler */
	struct bytes common;	/* the CIE's program */
	struct bytes own;	/* the FDE's */
};

/* Reads a function's entry at an offset; false if it is another or damaged. */
bool cfi_read(const struct cfi_section *section, uint64_t offset,
    struct cfi_entry *entry);

/* Steps over the next entry, and stores its offset; false at the end. */
bool cfi_next(struct bytes *section, uint64_t *offset);

/* Named as DWARF's call frame instructions. */
enum cfi_how {
	CFI_SAME_VALUE,		/* unchanged; rows begin with this */
	CFI_UNDEFINED,		/* nobody knows */
	CFI_OFFSET,		/* saved at the CFA + value */
	CFI_VAL_OFFSET,		/* it is the CFA + value */
	CFI_REGISTER,		/* saved in the register `value` */
	CFI_EXPRESSION,		/* saved at the result of the expression at
				   the offset `value` of the section */
	CFI_VAL_EXPRESSION	/* it is the result of that expression */
};

struct cfi_rule {
	enum cfi_how how;
	int64_t value;
};

#define CFI_COLUMNS	34	/* i386 has 9, x86-64 17, aarch64 33 */

struct cfi_row {
	const struct cfi_section *section;	/* that has its expressions */
	struct cfi_rule rules[CFI_COLUMNS];
	bool cfa_is_expression;	/* at the offset cfa_value of the section */
	uint8_t cfa_register;
	int64_t cfa_value;	/* else what is added to the register */
	uint8_t return_column;
	bool is_signal;
};

/*
 * Computes the row of an address that an entry covers; false if its programs
 * make no sense, or take too long.  Columns beyond CFI_COLUMNS are left out.
 */
bool cfi_row(const struct cfi_entry *entry, uint64_t address,
    struct cfi_row *row);

struct jitdump_frames;

struct frametables {
	const struct elf *file;		/* NULL: code that is in none */
	struct cfi_section eh, debug;
	struct section unpacked;	/* of debug */
	bool has_header;
};

/* Reads where tables are; file and debug, perhaps the same, outlive them. */
void frametables_open(struct frametables *tables, const struct elf *file,
    const struct elf *debug);

/*
 * Reads the tables of code that is in no file (jitdump.h).  Addresses, and
 * offsets that are asked for, count from the start of the code.
 */
void frametables_open_code(struct frametables *tables,
    const struct jitdump_frames *frames, struct account *account);

void frametables_close(struct frametables *tables);

/*
 * Stores the linked address at which the function that covers an offset of the
 * file begins; false if no function is known there.
 */
bool frametables_start(const struct frametables *tables, uint64_t offset,
    uint64_t *start);

/* What is known at an address; see row_of in unwind.h. */
enum row_kind {
	ROW_END,	/* no rule: a stack ends here, unless by a signal */
	ROW_GUESS,	/* of this function nothing is known, but of others */
	ROW_SHORT,	/* a row that fits into few bytes */
	ROW_LONG	/* any row: it is computed each time */
};

/* Computes the row at an offset of the file, if the answer is ROW_LONG. */
enum row_kind frametables_row(const struct frametables *tables,
    uint64_t offset, struct cfi_row *row);

#endif
