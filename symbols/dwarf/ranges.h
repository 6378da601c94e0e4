/*
 * ranges: the addresses of an entry in debug information (DWARF 5, 2.17).  It
 * has one of these:
 *
 *	low_pc 1136  high_pc 1150	from one address up to another,
 *	low_pc 1136  high_pc +1a	or with a length,
 *	ranges ...			or ranges in a list.
 */
#ifndef RANGES_H
#define RANGES_H

#include "forms.h"
#include "symbols/elf/spans.h"
#include "units.h"

/* The attributes that tell them; it begins as { 0 }. */
struct ranges {
	struct form_value low, high, list;
};

/* Takes note of an attribute, if it is one of these. */
void ranges_note(struct ranges *ranges, uint16_t name,
    const struct form_value *value);

/* True if an entry has addresses. */
bool ranges_are_told(const struct ranges *ranges);

/* Stores the first address of an entry without a list; false if it has none. */
bool ranges_low(const struct ranges *ranges, const struct units *units,
    const struct unit *unit, uint64_t *low);

/* Adds the addresses to spans, under a number. */
void ranges_add(const struct ranges *ranges, struct units *units,
    const struct unit *unit, struct spans *spans, uint32_t number);

#endif
