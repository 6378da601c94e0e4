/*
 * kernel: the functions of a kernel and of its modules, by the addresses at
 * which they were executed.  A kernel that is not where its file was linked
 * for, or not where it was when it was recorded, is shifted; by how much, one
 * of its symbols tells, mostly _text.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include "buildid.h"
#include "kallsyms.h"
#include "search.h"
#include "symtab.h"

struct kernel {
	struct build_id id;
	struct str reference;		/* the symbol that tells the shift */
	uint64_t address;		/* that it had, or 0 */

	bool loaded;
	enum dso_trouble trouble;
	bool has_vmlinux;		/* else names are from kallsyms */
	struct found found;
	struct symtab vmlinux;
	struct text text;		/* of kallsyms */
	struct kallsyms kallsyms;
	uint64_t shift;			/* to add to addresses */
};

/* Reads a kernel's names, once. */
void kernel_load(struct kernel *kernel, const struct symbol_sources *sources);

/*
 * Finds a function of a kernel that is loaded, and from and up to where it is
 * found, at least.
 */
bool kernel_function(struct kernel *kernel, uint64_t address,
    struct str *name, uint64_t *start, uint64_t *last);

/*
 * Finds a function of a module, "[ext4]", in the kernel's names; false also if
 * these hold none of that module.
 */
bool kernel_module_function(const struct kernel *kernel, struct str module,
    uint64_t address, struct str *name, uint64_t *start, uint64_t *last);

bool kernel_knows_module(const struct kernel *kernel, struct str module);

void kernel_free(struct kernel *kernel);

/* Writes the module's name, "[snd_hda]", of a path, "/lib/snd-hda.ko.xz". */
void kernel_module_name(struct str path, struct text *name);

#endif
