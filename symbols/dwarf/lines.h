/* lines: the source lines of addresses, from .debug_line. */
#ifndef LINES_H
#define LINES_H

#include "symbols/elf/spans.h"
#include "units.h"

struct lines;

/* Sets the section .debug_line, with the lines of all units. */
void lines_open(struct units *units, struct bytes section);

/*
 * Returns the source lines of a unit, or NULL if it has none.  Reads them at
 * the first question; they live as long as the units.
 */
const struct lines *lines_of(struct units *units, struct unit *unit);

/*
 * Stores the file, by its number, and the line at an address, and leaves of a
 * range the part where they are the same.
 */
bool lines_find(const struct lines *lines, uint64_t address, uint32_t *file,
    uint32_t *line, struct span_range *range);

/* Returns the name of a file, without its folder, or ""; lines may be NULL. */
struct str lines_file(const struct lines *lines, uint32_t file);

/* Frees the lines of all units. */
void lines_close(struct units *units);

#endif
