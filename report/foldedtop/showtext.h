/* showtext: shows functions and trees to readers, as aligned text. */
#ifndef SHOWTEXT_H
#define SHOWTEXT_H

#include "ranking.h"
#include "treeview.h"

/* Prints the first functions, at most this many. */
void showtext_functions(const struct ranking *ranking, size_t most);

/* Prints trees, one after another. */
void showtext_trees(const struct ranking *ranking,
    const struct treeview *views, size_t count);

#endif
