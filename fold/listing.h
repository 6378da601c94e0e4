/*
 * listing: prints stacks as folded text, "root;...;leaf count", in the byte
 * order of their texts.
 */
#ifndef LISTING_H
#define LISTING_H

#include <stdio.h>

#include "paths.h"

/* Prints all paths that end in a node, whose counts are by its number. */
void listing_print(const struct paths *paths, const unsigned long long *counts,
    const struct table *names, FILE *out);

#endif
