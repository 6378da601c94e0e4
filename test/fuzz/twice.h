/*
 * twice: what must hold for a program that folds one kind of file, whatever is
 * in it.
 */
#ifndef TWICE_H
#define TWICE_H

#include "fuzz.h"

/*
 * Runs a collapser with options on a file of this content, and on two of them.
 * It must print folded stacks, with twice the counts for two files, or name a
 * file that it refuses in one line or more.
 */
void fold_twice(int (*program)(int, char **), const struct words *options,
    struct str content);

#endif
