/*
 * plt: the stubs through which a program calls the functions of its libraries.
 * They have no symbols; perf 6.1 calls the one of malloc "malloc@plt", and so
 * do we.
 */
#ifndef PLT_H
#define PLT_H

#include "elf.h"
#include "symtab.h"

/*
 * Adds a symbol for each stub in the section .plt, by its offset in the file.
 * The n-th one calls the function of the n-th entry of .rela.plt.
 */
void plt_add(struct symtab *symtab, const struct elf *elf);

#endif
