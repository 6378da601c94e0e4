/*
 * twice: what must hold for a program that folds one kind of file, whatever is
 * in it.
 */
#ifndef TWICE_H
#define TWICE_H

#include "fuzz.h"

/*
 * Runs a collapser with options on a file of this content, and on two of them.
 * What it prints must be folded stacks, and those of two have twice the counts;
 * a file that is refused is named in one line or more.
 */
void fold_twice(int (*program)(int, char **), const struct words *options,
    struct str content);

#endif
