/*
 * showdata: shows functions and trees to programs, as tab-separated values or
 * as JSON.  foldedtop(1) tells what the columns and the names mean, which do
 * not change.
 */
#ifndef SHOWDATA_H
#define SHOWDATA_H

#include "ranking.h"
#include "treeview.h"

/* Prints the first functions, at most this many, as tab-separated values. */
void showdata_functions_tsv(const struct ranking *ranking, size_t most);

/* Prints trees, one after another. */
void showdata_trees_tsv(const struct ranking *ranking,
    const struct treeview *views, size_t count);

/*
 * Prints trees, or else the first functions, at most `most`, as JSON. With a
 * gate each function says whether the condition holds for it.
 */
void showdata_json(const struct ranking *ranking, size_t most, bool has_gate,
    const struct treeview *views, size_t count);

#endif
