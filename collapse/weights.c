#include <math.h>
#include <stdlib.h>

#include "lib/message.h"
#include "weights.h"

void
weights_free(struct weights *weights)
{
	free(weights->calls);
	intmap_free(&weights->known);
}

uint32_t
weights_call(struct weights *weights, uint32_t caller, uint32_t name)
{
	uint32_t *number = intmap_at(&weights->known,
	    intmap_pair(caller, name));

	if (*number != 0)
		return *number;
	if (weights->count >= UINT32_MAX - 1)
		message_fail("the stacks have more than 2^32 frames");
	*LIST_ADD(weights->calls, weights->count, weights->room) =
	    (struct weighed_call){ .caller = caller, .name = name };
	*number = (uint32_t)weights->count;
	return *number;
}

void
weights_stack(const struct weights *weights, uint32_t call, struct fold *fold)
{
	struct stack *stack = &fold->stack;

	stack->depth = 0;
	for (; call != 0; call = weights->calls[call - 1].caller) {
		if (stack->depth == FOLD_DEPTH) {
			fold->deep++;
			break;
		}
		stack_push(stack, weights->calls[call - 1].name);
	}
}

void
weights_count(const struct weights *weights, struct fold *fold, double scale,
    const struct stack *roots)
{
	double weight;
	size_t i;

	for (i = 0; i < weights->count; i++) {
		weight = rint(weights->calls[i].weight * scale);
		if (!(weight >= 1))
			continue;
		weights_stack(weights, (uint32_t)i + 1, fold);
		fold_count_weight(fold, weight, roots);
	}
}
