/*
 * labels: frames outside a stack that tell the labels of a pprof sample, as
 * programs set them: request=sort.
 */
#ifndef LABELS_H
#define LABELS_H

#include "fold/calls.h"
#include "lib/content.h"
#include "lib/options.h"
#include "lib/text.h"
#include "profile.h"

struct labels {
	const struct option_list *keys;	/* the first one is the outermost */
	struct budget *budget;	/* for all names of frames */
	struct text name;
};

/*
 * Adds a frame for each key to the stack of a sample: the values of its labels,
 * joined by ','; a number has its unit behind it.  Returns false if the budget
 * is spent.
 */
bool labels_push(struct labels *labels, const struct profile *profile,
    struct str sample, struct namer *namer, struct stack *stack);

#endif
