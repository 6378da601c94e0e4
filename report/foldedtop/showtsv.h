/*
 * showtsv: shows functions and trees to programs, as tab-separated values.
 * foldedtop(1) tells what the columns are, which do not change.
 */
#ifndef SHOWTSV_H
#define SHOWTSV_H

#include "ranking.h"
#include "treeview.h"

/* Prints the first functions, at most this many. */
void showtsv_functions(const struct ranking *ranking, size_t most);

/* Prints trees, one after another. */
void showtsv_trees(const struct ranking *ranking,
    const struct treeview *views, size_t count);

#endif
