/*
 * unit: what the drivers of unit.bats have in common.  A driver is a program
 * that hands its standard input to a module and prints what that returns, a
 * line for each line.
 */
#ifndef UNIT_H
#define UNIT_H

#include <stdint.h>
#include <stdio.h>

#include "lib/str.h"

/*
 * Reads the next line of standard input without its line end; false at the end.
 * The line lives until the next one is read.
 */
bool unit_line(struct str *line);

/*
 * Returns bytes that are written as hexadecimal numbers with blanks between
 * them, in memory of just their size, for what checks addresses; to be freed.
 */
struct str unit_bytes(struct str digits);

/* Returns all of a stream, in memory of just its size. */
struct str unit_all(FILE *in);

/* Returns the hexadecimal number that a line is. */
uint64_t unit_hex(struct str line);

/* Prints s, and something after it. */
void unit_print(struct str s, const char *after);

#endif
