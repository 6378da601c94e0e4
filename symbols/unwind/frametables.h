/*
 * frametables: the unwind tables of one mapped file: .eh_frame with its header,
 * and .debug_frame, of the file itself or of the file with its debug
 * information.
 */
#ifndef FRAMETABLES_H
#define FRAMETABLES_H

#include "cfi.h"
#include "symbols/elf/elf.h"

struct jitdump_frames;

/* A section, and where the functions are that it has entries for. */
struct frame_index {
	struct cfi_section section;
	struct indexed_function *list;	/* in order */
	size_t count, room;
};

struct frametables {
	const struct elf *file;		/* NULL: code that is in none */
	struct frame_index eh, debug;
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

enum frametables_answer {
	FRAMETABLES_NONE,	/* nothing that makes sense is known */
	FRAMETABLES_NO_ENTRY,	/* nothing, but .eh_frame_hdr knows others */
	FRAMETABLES_FOUND
};

/* Finds the entry that covers a linked address, and its section. */
bool frametables_entry(const struct frametables *tables, uint64_t address,
    struct cfi_entry *entry, const struct cfi_section **section);

/*
 * Stores the linked address at which the function that covers an offset of the
 * file begins; false if no function is known there.
 */
bool frametables_start(const struct frametables *tables, uint64_t offset,
    uint64_t *start);

/* Computes the row at an offset of the file; expressions are in *section. */
enum frametables_answer frametables_row(const struct frametables *tables,
    uint64_t offset, struct cfi_row *row, const struct cfi_section **section);

#endif
