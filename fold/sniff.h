/*
 * guess: what a file looks like that a tool cannot make sense of, for a
 * message that says what to do with it.
 */
#ifndef SNIFF_H
#define SNIFF_H

#include "../lib/str.h"

/* What a file that has this line near its start looks like. */
const char *sniff_kind(struct str line);

#endif
