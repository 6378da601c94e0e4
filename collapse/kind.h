/*
 * kind: tells by the beginning of a file which program folds it.
 */
#ifndef KIND_H
#define KIND_H

#include "fold/sniff.h"

#define KIND_ENOUGH	65536	/* bytes tell what can be told */

/*
 * Returns the kind of a file that begins with these bytes; NULL if they do not
 * tell.  `is_all` says that there are no others, or that the rest does not
 * count.
 */
const struct file_kind *kind_find(struct str bytes, bool is_all);

#endif
