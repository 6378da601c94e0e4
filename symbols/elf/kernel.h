/*
 * kernel: the functions of a kernel and of its modules, by the addresses at
 * which they were executed.  The kernel's file, or the kernel that runs now,
 * may have others; one of the symbols, mostly _text, shows the shift.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include "elf.h"
#include "find.h"
#include "lib/table.h"
#include "symtab.h"

/*
 * The kernel's names in /proc/kallsyms and copies:
 *
 *	ffffffff81000080 T entry_SYSCALL_64
 *	ffffffffc0201000 t ext4_iget	[ext4]
 *
 * A symbol ends where the next one starts.  Of several with one address perf
 * 6.1 finds the last, the only one with a size then.
 */
struct kallsyms {
	struct str bytes;		/* mapped, or of the text */
	struct text text;
	struct kallsym *symbols;	/* by address, then in the file's
					   order */
	size_t count, room;
	struct table modules;		/* "[ext4]" */
	enum dso_trouble trouble;	/* why none are known */
};

/* Reads the symbols of `bytes`, which must outlive the others, { 0 } before. */
void kallsyms_read(struct kallsyms *kallsyms);

/* It begins as { 0 } with the sources; they must outlive it. */
struct kernel {
	const struct symbol_sources *sources;
	struct build_id id;
	struct str reference;		/* the symbol that shows the shift */
	uint64_t address;		/* that it had, or 0 */

	bool loaded, has_modules;	/* the kernel's names, and modules' */
	struct found found;
	struct symtab vmlinux;		/* empty: names are from kallsyms */
	struct kallsyms names;
	bool is_copy;			/* names are a copy... */
	struct kallsyms modules;	/* ...then these are the modules' */
	uint64_t shift;			/* to add to addresses */
};

/* `name` is "[kernel.kallsyms]_text"; `address` is _text's, or 0. */
void kernel_set(struct kernel *kernel, struct build_id id, struct str name,
    uint64_t address);

/* Finds a function of a module, "[ext4]", or of the kernel, "". */
bool kernel_find(struct kernel *kernel, struct str module, uint64_t address,
    struct dso_function *function);

/* Stores the address in the kernel's file; false if names are from no file. */
bool kernel_linked(struct kernel *kernel, uint64_t address, uint64_t *linked);

bool kernel_knows_module(struct kernel *kernel, struct str module);

/* Returns why no functions of a module, or of the kernel, "", are known. */
enum dso_trouble kernel_trouble(struct kernel *kernel, struct str module);

void kernel_free(struct kernel *kernel);

/*
 * Returns the module's name, "[snd_hda]", of a path, "/lib/snd-hda.ko.xz".  It
 * is in the path, or in `text` until that changes.
 */
struct str kernel_module_name(struct text *text, struct str path);

#endif
