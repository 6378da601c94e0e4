/*
 * symtab: the symbols of a file by address, and the one that perf 6.1 finds at
 * an address.
 *
 * perf keeps symbols in a tree by their start.  It repairs them after each
 * table of a file that it has read:
 *
 *	a size of 0 becomes the distance to the next symbol's start;
 *	of symbols with one start only the best one stays.
 *
 * A look-up then goes down the tree: to the left if the address is before a
 * symbol's start, to the right if it is not before its end.  Where symbols do
 * not overlap, that finds the one that holds the address, and an array does the
 * same in less time and memory.  Where they do, it depends on the shape of the
 * tree, which symtree then builds.
 *
 * Names are demangled when they are needed: to be told, or to choose the best
 * of several symbols.
 */
#ifndef SYMTAB_H
#define SYMTAB_H

#include <stdint.h>

#include "lib/mem.h"
#include "lib/text.h"

struct symbol {
	uint64_t start, end;	/* equal: a symbol without a size */
	const char *name;	/* ends with a NUL */
	uint32_t number;	/* in the order in which they were added */
	uint8_t binding;	/* ELF_LOCAL, ... */
	uint8_t table;		/* of which table, from 0 */
	bool plt;		/* "@plt" belongs to the name */
	bool named : 1;		/* the name is as it is told */
	bool lost : 1;		/* another one of the same start is better */
	bool overlapped : 1;	/* one that starts before ends behind this
				   one's start */
};

/* True for an address not before the start, if perf finds the symbol there. */
static inline bool
symbol_holds(const struct symbol *symbol, uint64_t address)
{
	return address < symbol->end ||
	    (address == symbol->end && address == symbol->start);
}

/* Begins as { 0 }. */
struct symtab {
	struct symbol *symbols;	/* by start, then by number */
	size_t count, room;
	size_t sorted;		/* so many are in order; the rest is new */
	uint8_t tables;		/* so many have ended, */
	bool repaired[4];	/* of which these were repaired */
	bool raw;		/* names are not demangled: the kernel's */
	struct symtree *tree;	/* NULL until it is needed */
	uint64_t first, last;	/* the answer given last is true from here to
				   there, at least */
	struct text scratch;
	struct arena names;		/* those demangled */
	size_t names_size, compared;	/* bytes */
};

/*
 * Adds a symbol that ends `size` bytes after its start.  Its name must outlive
 * symtab.
 */
static inline struct symbol *
symtab_add(struct symtab *symtab, uint64_t start, uint64_t size,
    const char *name)
{
	struct symbol *symbol;

	symtab->symbols = mem_grow(symtab->symbols, &symtab->room,
	    symtab->count + 1, sizeof(*symbol));
	symbol = &symtab->symbols[symtab->count];
	*symbol = (struct symbol){ .start = start, .end = start + size,
	    .name = name, .number = (uint32_t)symtab->count,
	    .table = symtab->tables };
	symtab->count++;
	return symbol;
}

/* Ends a table of symbols, of which there are up to 4, and may repair it. */
void symtab_end_table(struct symtab *symtab, bool repair);

/*
 * Returns the symbol at an address, or NULL.  It and those before may move, and
 * so does what is named: not for several threads at once.
 */
struct symbol *symtab_find(struct symtab *symtab, uint64_t address);

/* Returns a symbol's name as it is told, which lives as long as symtab. */
struct str symtab_name(struct symtab *symtab, struct symbol *symbol);

/*
 * True if perf keeps a, which was added first, and drops b of the same start.
 */
bool symtab_prefers(struct symtab *symtab, struct symbol *a,
    struct symbol *b);

void symtab_free(struct symtab *symtab);

#endif
