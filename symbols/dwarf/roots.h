/*
 * roots: the first entries of units, which tell the addresses that a unit has.
 */
#ifndef ROOTS_H
#define ROOTS_H

#include "spans.h"
#include "units.h"

/* Reads the first entries of all units, and adds their addresses, by number. */
void roots_read(struct units *units, struct spans *spans);

#endif
