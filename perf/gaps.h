/*
 * gaps: says what is missing of a recording, and what helps.
 */
#ifndef GAPS_H
#define GAPS_H

#include "datafile.h"
#include "samples.h"
#include "unknowns.h"

/* Records that are left out; it begins as { 0 }. */
struct gaps {
	unsigned long long lost;	/* by the kernel */
	unsigned long long deferred;	/* chains that came late */
	unsigned long long odd_at;	/* where the first is that makes no
					   sense */
	unsigned long long full;	/* 0, or so many bytes were too few */
	unsigned long long full_at;	/* for the record there */
};

/* Says, for each file, how much of it is missing, and why; true if any is. */
bool gaps_report_bytes(const struct datafile *file);

/* Says which records are left out. */
void gaps_report_records(const char *name, const struct gaps *gaps,
    const struct samples *samples);

/* Says what is missing where a third of all addresses have no function. */
void gaps_report_functions(const char *name, const struct modules *modules,
    const struct unknowns *unknowns);

#endif
