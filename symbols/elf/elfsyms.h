/*
 * elfsyms: those symbols of an ELF file that perf 6.1 counts as functions: of
 * both tables, and made from the names in the file's procedure linkage table.
 */
#ifndef ELFSYMS_H
#define ELFSYMS_H

#include "elf.h"
#include "symtab.h"

/* The numbers by which symbols are looked up. */
enum elfsyms_by {
	BY_OFFSET,	/* in the runtime file */
	BY_ADDRESS,	/* linked addresses: a vmlinux */
	BY_TEXT		/* in the section .text: a module of the kernel */
};

/*
 * Adds the symbols of a file.  Processes map the runtime file; `symbols` is the
 * same file, or a debug file without its contents.  With `both`, that has only
 * symbols missing from .dynsym of the runtime file, and both count.  Both must
 * outlive symtab.
 */
void elfsyms_add(struct symtab *symtab, const struct elf *symbols,
    const struct elf *runtime, enum elfsyms_by by, bool both);

/* Finds the value of a symbol of .symtab; false if that lacks the name. */
bool elfsyms_value(const struct elf *elf, struct str name, uint64_t *value);

#endif
