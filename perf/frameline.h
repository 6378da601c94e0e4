/*
 * frameline: a line of perf script about a frame,
 *
 *	    7f722d142778 main+0x1f (/usr/bin/java)
 */
#ifndef FRAMELINE_H
#define FRAMELINE_H

#include "lib/str.h"

/* The column after the address in a call graph: perf prints a tab and 16. */
#define FRAME_ADDRESS_END	17

/* Slices of the line. */
struct frame_line {
	struct str address;	/* hexadecimal digits */
	struct str symbol;	/* "main+0x1f", or "[unknown]" */
	struct str module;	/* "/usr/bin/ls", "[kernel.kallsyms]", ... */
	bool had_offset;	/* the symbol, before that was cut off */
	bool in_kernel;		/* the address is the kernel's */
};

/* Parses a line; false if it is no frame.  An empty symbol is " ". */
bool frame_line_parse(struct str line, struct frame_line *frame);

/*
 * Parses a line without a module, perhaps also without a symbol:
 *
 *	    7f722d142778 main+0x1f
 *
 * The address must fill its columns: other lines of two words may be anything.
 */
bool frame_line_parse_bare(struct str line, struct frame_line *frame);

/* True if a tab and an address begin a line: then it holds no other fields. */
static inline bool
frame_line_begins(struct str line)
{
	return line.len > 1 && line.data[0] == '\t' &&
	    (line.data[1] == ' ' || is_hex(line.data[1]));
}

/* True if text holds a module in brackets: a file's path or the kernel. */
bool frame_line_names_module(struct str text);

#endif
