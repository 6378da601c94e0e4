/*
 * gaps: says what is missing of a recording, and what helps.
 */
#ifndef GAPS_H
#define GAPS_H

#include "turns.h"

/* Says, for each file, how much of it is missing, and why; true if any is. */
bool gaps_report_bytes(const struct datafile *file);

/* True if some of it could not be read, or not be given to zstd. */
bool gaps_unread(const struct datafile *file);

/* Says which records are left out. */
void gaps_report_records(const char *name, const struct turns *turns);

/* Says what is missing where a third of all addresses have no function. */
void gaps_report_functions(const char *name, const struct modules *modules,
    const struct unknowns *unknowns);

#endif
