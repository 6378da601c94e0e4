/*
 * listing: prints stacks as folded text, "root;...;leaf count", in the byte
 * order of their texts.
 */
#ifndef LISTING_H
#define LISTING_H

#include <stdio.h>

#include "stacks.h"

/* Prints all stacks, after settling them. */
void listing_print(struct stacks *stacks, const struct table *names, FILE *out);

#endif
