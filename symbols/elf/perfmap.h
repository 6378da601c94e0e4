/*
 * perfmap: the functions that a JIT compiler wrote to /tmp/perf-PID.map, by
 * address and size in hexadecimal:
 *
 *	7f6a40001000 2f LazyCompile:*run /srv/app.js:12:1
 */
#ifndef PERFMAP_H
#define PERFMAP_H

#include "symtab.h"

/*
 * Adds the functions of that text, which must outlive symtab, and whose line
 * ends become NULs.  perf 6.1 does not repair these symbols.
 */
void perfmap_add(struct symtab *symtab, struct text *text);

#endif
