/*
 * addr2line: finds the functions that are inlined at an address, by asking
 * binutils' addr2line(1), which is looked for in PATH.
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

/* Begins to ask; with `context`, a call is named "function:file.c:12". */
struct addr2line *addr2line_new(bool context);

/*
 * Adds the calls at an address of a module to `calls`, outermost first, with
 * line ends between them.  Where the module is loaded at other addresses than
 * its file has, the offset in `symbol`, "main+0x1f", finds the address.
 * Returns false and adds nothing if the module says nothing about it.
 */
bool addr2line_calls(struct addr2line *inliner, struct str path,
    struct str address, struct str symbol, struct text *calls);

/* Ends the processes, and reports modules without debug information. */
void addr2line_end(struct addr2line *inliner);

#endif
