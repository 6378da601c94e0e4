/*
 * jitdump: the functions that a compiler wrote to jit-PID.dump while a process
 * ran, each when it was made.  A header is followed by records:
 *
 *	header		4a695444 (4)  version: 1 (4)  its size (4)  machine (4)
 *			0 (4)  process (4)  time (8)  flags (8)
 *	record		kind (4)  its size (4)  time (8), and
 *	  0, loaded	process (4)  thread (4)  0 (8)  address (8)  size (8)
 *			number (8)  name NUL  code
 *	  1, moved	process (4)  thread (4)  0 (8)  from (8)  to (8)
 *			size (8)  number (8)
 *	  2, lines	address (8)  count (8), and of each:
 *			address (8)  line (4)  column (4)  file NUL
 *	  4, frames	size of both (8)  size of .eh_frame_hdr (8)
 *			size that is mapped (8)  .eh_frame  .eh_frame_hdr
 *
 * all in the byte order of the machine.  Lines and frames belong to the
 * function that is loaded next.  See jitdump-specification.txt of perf.
 *
 * Where code was, there will be other code.  So that each address means one
 * function, functions have places, as if their code were one after another in
 * a file:
 *
 *	loaded at 5	foo	7f00 to 7f3f	places 0 to 3f
 *	loaded at 9	bar	7f00 to 7f1f	places 40 to 5f
 */
#ifndef JITDUMP_H
#define JITDUMP_H

#include "lib/bytes.h"
#include "lib/intmap.h"
#include "symtab.h"

/* A function's code is at an address from a time on. */
struct jitdump_load {
	uint64_t time;		/* in the dump's clock */
	uint64_t address, size;
	uint64_t place;		/* of its first byte */
	uint32_t function;
	int32_t pid;
};

struct jitdump_function {
	uint64_t place, size;
	uint64_t address;	/* at which it was loaded */
	uint64_t lines, frames;	/* where their records' fields are; 0: none */
};

/* Begins as { 0 }. */
struct jitdump {
	struct bytes file;
	bool is_swapped;		/* it is big-endian */
	bool counts_ticks;		/* its times are the processor's, not
					   CLOCK_MONOTONIC */
	struct jitdump_load *loads;	/* by time, including moves */
	size_t loads_count, loads_room;
	struct jitdump_function *functions;	/* by place */
	size_t functions_count, functions_room;
	struct symtab symtab;		/* functions, by the same numbers */
	struct intmap by_number;
	uint64_t lines, frames;		/* of the function that comes next */
	uint64_t end;			/* after what was read; 0: nothing */
	bool is_cut;			/* there it ends inside a record */
	unsigned long long odd;		/* records that make no sense */
};

/*
 * Reads a dump, or what was appended since the last call.  All bytes, and a
 * zero after them, must outlive it.  Sorts the loads from number `taken` on.
 * Returns NULL, or what is wrong with the header.
 */
const char *jitdump_read(struct jitdump *dump, struct str file, size_t taken);

/* Keeps code at addresses that only one function had, if times mean nothing. */
void jitdump_keep_certain(struct jitdump *dump);

/* Returns the function at a place, or NULL. */
const struct jitdump_function *jitdump_function(const struct jitdump *dump,
    uint64_t place);

/* Finds the same, and its name. */
bool jitdump_find(struct jitdump *dump, uint64_t place,
    struct dso_function *function);

/*
 * Finds the source line of a place in a function; false if it is unknown, or if
 * the account, unless NULL, is used up.  The file's name is in the dump.
 */
bool jitdump_line(const struct jitdump *dump,
    const struct jitdump_function *function, uint64_t place,
    struct account *account, struct str *file, uint32_t *line);

/* Tables by which a function's frames are unwound; see frametables.h. */
struct jitdump_frames {
	struct bytes eh_frame, header;
	uint64_t eh_frame_address, header_address;	/* from the code on */
};

/* Finds a function's tables; false if it has none. */
bool jitdump_frames(const struct jitdump *dump,
    const struct jitdump_function *function, struct jitdump_frames *frames);

void jitdump_free(struct jitdump *dump);

/*
 * Adds the functions of a /tmp/perf-PID.map: address, size and name.
 *
 *	7f6a40001000 2f LazyCompile:*run /srv/app.js:12:1
 *
 * The text must outlive symtab, and its line ends become NULs.  perf 6.1 does
 * not repair these symbols.
 */
void perfmap_add(struct symtab *symtab, struct text *text);

#endif
