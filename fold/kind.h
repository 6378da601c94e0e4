/*
 * kind: finds the program that folds a file, by the beginning of the file, and
 * says what to type.
 */
#ifndef KIND_H
#define KIND_H

#include "sniff.h"

#define KIND_ENOUGH	65536	/* bytes; more would tell no more */

/*
 * Returns the kind of a file that begins with these bytes; NULL if it is not
 * known.  `is_all` is set if the file has no more bytes, or more would not
 * help.
 */
const struct file_kind *kind_find(struct str bytes, bool is_all);

/*
 * Returns what to do with a file of a profiler that was given to a program
 * which reads folded text: "backtraces of gdb; type: stackcollapse 'a b' |
 * flamegraph > out.svg".  The name is one of the operands, or NULL for standard
 * input.  NULL if the file is folded text, or of no kind that is known.
 */
const char *kind_advise(struct str bytes, const char *name,
    const char *const *operands);

/*
 * Adds the name of another program as `self`, the first word of this one's
 * command line, has this one's: in the same folder, and with the same prefix,
 * "./fg-stackcollapse" for "./fg-flamegraph".
 */
void kind_add_program(struct text *text, const char *self,
    const char *program);

#endif
