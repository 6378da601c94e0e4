/*
 * symtree: the symbols of a symtab in a red-black tree of the shape that perf's
 * has, where each symbol was inserted in the order of its table and those that
 * lost against another of the same start were erased.
 */
#ifndef SYMTREE_H
#define SYMTREE_H

#include "symtab.h"

/* Builds the tree of all symbols, which keep their places from then on. */
struct symtree *symtree_build(struct symtab *symtab);

/* Returns the symbol that perf finds at an address, or NULL. */
struct symbol *symtree_find(const struct symtree *tree, uint64_t address);

void symtree_free(struct symtree *tree);

#endif
