/*
 * addr2line: asks binutils' addr2line(1), which is found in PATH, about the
 * functions inlined at an address.
 *
 * One process serves a module; it is fed through a pipe and started without a
 * shell, so that a module's name is only ever the name of a file.  At most
 * ADDR2LINE_PROCESSES run at a time: that asked longest ago gives way.
 */
#ifndef ADDR2LINE_H
#define ADDR2LINE_H

#include "../lib/str.h"
#include "../lib/text.h"

#define ADDR2LINE_PROCESSES	16

struct addr2line;

/* With `context`, a call is named "function:file.c:12". */
struct addr2line *addr2line_new(bool context);

/*
 * Adds the calls at an address of a module to `calls`, outermost first, parted
 * by a line end.  Where the module's addresses are not those of the file (it may be
 * loaded anywhere), the offset in `symbol`, "main+0x1f", finds the address.
 * False, and nothing added, when the module says nothing about it.
 */
bool addr2line_calls(struct addr2line *inliner, struct str path,
    struct str address, struct str symbol, struct text *calls);

/* Ends the processes, and reports modules without debug information. */
void addr2line_end(struct addr2line *inliner);

#endif
