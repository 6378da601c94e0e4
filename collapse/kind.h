/*
 * kind: finds the program that folds a file, by the beginning of the file.
 */
#ifndef KIND_H
#define KIND_H

#include "fold/sniff.h"

#define KIND_ENOUGH	65536	/* bytes; more would tell no more */

/*
 * Returns the kind of a file that begins with these bytes; NULL if it is not
 * known.  `is_all` is set if the file has no more bytes, or more would not
 * help.
 */
const struct file_kind *kind_find(struct str bytes, bool is_all);

#endif
