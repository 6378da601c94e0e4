/*
 * listing: prints stacks as folded text, "root;...;leaf count", in the byte
 * order of their texts.
 */
#ifndef LISTING_H
#define LISTING_H

#include <stdio.h>

#include "lib/text.h"
#include "stacks.h"

/* Adds the counts of the stack with this number, to its line. */
typedef void listing_counter(void *context, uint32_t number, struct text *line);

/* Prints all stacks, after settling them. */
void listing_print(struct stacks *stacks, const struct table *names, FILE *out);

/* Does the same with counts that the caller keeps, for all stacks. */
void listing_print_counts(struct stacks *stacks, const struct table *names,
    listing_counter *add_counts, void *context, FILE *out);

#endif
