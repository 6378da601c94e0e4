/*
 * inliner: finds the functions that were inlined at an address of perf script's
 * text, in the debug information of its module.
 */
#ifndef INLINER_H
#define INLINER_H

#include "lib/str.h"
#include "lib/text.h"

struct inliner;

/* Begins to look; with `context`, a call is named "function:file.c:12". */
struct inliner *inliner_new(bool context);

/*
 * Adds the names of the calls at an address of a module to `calls`, outermost
 * first, with ';' between them.  Where the module is loaded at other addresses
 * than its file has, the offset in `symbol`, "main+0x1f", finds the address.
 * Returns false and adds nothing if debug information does not tell them.
 */
bool inliner_calls(struct inliner *inliner, struct str path,
    struct str address, struct str symbol, struct text *calls);

/* Reports modules without debug information, and frees all. */
void inliner_end(struct inliner *inliner);

#endif
