/*
 * kallsyms: the kernel's names, as /proc/kallsyms and copies of it hold them:
 *
 *	ffffffff81000080 T entry_SYSCALL_64
 *	ffffffffc0201000 t ext4_iget	[ext4]
 *
 * A symbol ends where the next one starts.  Of several with one address perf
 * 6.1 finds the last, the only one with a size then.
 */
#ifndef KALLSYMS_H
#define KALLSYMS_H

#include <stdint.h>

#include "lib/str.h"
#include "lib/table.h"

struct kallsym;

struct kallsyms {
	struct kallsym *symbols;	/* by address, then in the file's
					   order */
	size_t count, room;
	struct table modules;		/* "[ext4]" */
	const char *end;		/* of the text */
	bool hidden;			/* all addresses are 0 */
};

/* Begins with the symbols of a text, which must outlive kallsyms. */
void kallsyms_read(struct kallsyms *kallsyms, struct str text);

/*
 * Finds the symbol at an address, of a module, as "[ext4]", or of the kernel
 * itself, "", and the first and the last of its addresses.
 */
bool kallsyms_find(const struct kallsyms *kallsyms, uint64_t address,
    struct str module, struct str *name, uint64_t *start, uint64_t *last);

/* Finds the address of a function of the kernel itself; false if unknown. */
bool kallsyms_address(const struct kallsyms *kallsyms, struct str name,
    uint64_t *address);

/* True if there are symbols of the module. */
bool kallsyms_has_module(const struct kallsyms *kallsyms, struct str module);

void kallsyms_free(struct kallsyms *kallsyms);

#endif
