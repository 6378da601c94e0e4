/*
 * showjson: shows functions and trees to programs, as JSON.  foldedtop(1) tells
 * what the names mean, which do not change.
 */
#ifndef SHOWJSON_H
#define SHOWJSON_H

#include "ranking.h"
#include "treeview.h"

/*
 * Prints trees, or, if there are none, the first functions, at most this many.
 * With a gate each function tells if the condition holds for it.
 */
void showjson(const struct ranking *ranking, size_t most, bool has_gate,
    const struct treeview *views, size_t count);

#endif
