/*
 * symtab: the symbols of a file, and the one at an address.
 *
 * An address belongs to the innermost symbol that holds it: the one that begins
 * last, of these the shortest, of these aliases the one that perf prefers.  So
 * what symbols hold is cut into pieces with one innermost symbol each:
 *
 *	1000 to 11ff  around		1000  around
 *	1100 to 111f    inside		1100  inside
 *					1120  around
 *
 * perf repairs symbols after each table of a file that it has read: a size of 0
 * becomes the distance to the next symbol's start.  This is a guess, and the
 * symbol may be a label in a function; so it has only what no other one holds.
 *
 * Names are demangled when they are needed: to report them, or to choose
 * between aliases.
 */
#ifndef SYMTAB_H
#define SYMTAB_H

#include <stdint.h>

#include "elf.h"
#include "spans.h"
#include "lib/table.h"
#include "lib/text.h"

struct symbol {
	uint64_t start, end;	/* equal: it has no size, and holds its start */
	const char *name;	/* ends with a NUL */
	uint32_t number;	/* in the order in which they were added */
	uint8_t binding;	/* ELF_LOCAL, ... */
	bool sized : 1;		/* its table has a size for it */
	bool plt : 1;		/* "@plt" belongs to the name */
	bool named : 1;		/* the name is demangled */
	bool chosen : 1;	/* it is the best one of its aliases */
};

struct dso_function {
	struct str name;	/* lives as long as its dso */
	uint64_t start;		/* where it begins */
	uint64_t first, last;	/* addresses with the same answer, at least */
};

/* Begins as { 0 }. */
struct symtab {
	struct symbol *symbols;	/* by start, then by number */
	size_t count, room;
	size_t sorted;		/* symbols that are in order; the rest is new */
	bool raw;		/* names are not demangled: the kernel's */
	bool cut;		/* into these, at the first question */
	struct spans sized, others;	/* by the number of the first alias */
	struct text scratch;
	struct arena names;		/* those demangled */
	struct table by_name;		/* mangled and demangled */
	uint64_t *starts;		/* by a name's number */
	size_t starts_room;
	struct account *account;	/* of what symbols take, or NULL */
};

/* True if one more symbol may be added. */
static inline bool
symtab_has_room(struct symtab *symtab)
{
	return account_grow(symtab->account, symtab->count, symtab->room,
	    sizeof(*symtab->symbols), "names of functions");
}

/* Adds a symbol, never with the last address; its name must outlive symtab. */
static inline struct symbol *
symtab_add(struct symtab *symtab, uint64_t start, uint64_t size,
    const char *name)
{
	struct symbol *symbol;

	symbol = LIST_ADD(symtab->symbols, symtab->count, symtab->room);
	*symbol = (struct symbol){ .start = start,
	    .end = size < UINT64_MAX - start ? start + size : UINT64_MAX,
	    .name = name, .number = (uint32_t)symtab->count - 1,
	    .sized = size > 0 };
	return symbol;
}

/* Ends a table of symbols, and may repair it. */
void symtab_end_table(struct symtab *symtab, bool repair);

/*
 * Returns the symbol at an address, or NULL, and the range of addresses with
 * the same answer.  Nothing can be added any more.  The symbol may move later.
 */
struct symbol *symtab_find(struct symtab *symtab, uint64_t address,
    struct span_range *range);

/*
 * Finds the function at an address, where addresses count from a base; sets
 * first and last even if it is false.
 */
bool symtab_function(struct symtab *symtab, uint64_t address, uint64_t base,
    struct dso_function *function);

/* Returns a symbol's demangled name; it lives as long as symtab. */
struct str symtab_name(struct symtab *symtab, struct symbol *symbol);

/*
 * Stores where the first symbol with a name, mangled or demangled, begins;
 * false if the file lacks the name.
 */
bool symtab_start(struct symtab *symtab, struct str name, uint64_t *start);

void symtab_free(struct symtab *symtab);

/*
 * perf 6.1 counts these symbols of an ELF file as functions: those of both
 * tables, and those made from the names in its procedure linkage table.
 */

/* The numbers by which symbols are looked up. */
enum elfsyms_by {
	BY_OFFSET,	/* in the runtime file */
	BY_ADDRESS,	/* linked addresses: a vmlinux */
	BY_TEXT		/* in the section .text: a module of the kernel */
};

/*
 * Adds the symbols of a file.  Processes map the runtime file; `symbols` is the
 * same file, or a debug file without its contents.  With `both`, that lacks the
 * symbols in .dynsym of the runtime file.  Both must outlive symtab.
 */
void elfsyms_add(struct symtab *symtab, const struct elf *symbols,
    const struct elf *runtime, enum elfsyms_by by, bool both);

#endif
