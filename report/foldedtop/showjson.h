/*
 * showjson: shows functions and trees to programs, as JSON.  foldedtop(1) tells
 * what the names mean, which do not change.
 */
#ifndef SHOWJSON_H
#define SHOWJSON_H

#include "ranking.h"
#include "treeview.h"

/*
 * Prints the first functions, up to so many, or, if there are any, trees.  With
 * a gate each function has whether the condition holds for it.
 */
void showjson(const struct ranking *ranking, size_t most, bool has_gate,
    const struct treeview *views, size_t count);

#endif
