#include <stdlib.h>

#include "waiting.h"

void
waiting_add(struct waiting *waiting, struct waiting_chain chain)
{
	chain.chain.words = arena_copy(&waiting->words,
	    chain_words(&chain.chain)).data;
	waiting->list = mem_grow(waiting->list, &waiting->room,
	    waiting->count + 1, sizeof(*waiting->list));
	waiting->list[waiting->count++] = chain;
}

void
waiting_end(struct waiting *waiting)
{
	waiting->count = 0;
	waiting->has_ended = true;
	arena_free(&waiting->words);
}

/* Returns a snapshot of maps, which is kept from now on. */
static const struct maps *
keep(struct waiting *waiting, const struct maps *maps)
{
	const struct maps *kept = maps_hold((struct maps *)(uintptr_t)maps);

	waiting->kept = mem_grow(waiting->kept, &waiting->kept_room,
	    waiting->kept_count + 1, sizeof(*waiting->kept));
	return waiting->kept[waiting->kept_count++] = kept;
}

static void
drop_kept(struct waiting *waiting)
{
	while (waiting->kept_count > 0)
		maps_drop(waiting->kept[--waiting->kept_count]);
}

void
waiting_keep_maps(struct waiting *waiting)
{
	struct waiting_chain *chain;
	size_t i;

	if (waiting->has_ended)
		drop_kept(waiting);
	waiting->has_ended = false;
	for (i = waiting->kept_count / 2; i < waiting->count; i++) {
		chain = &waiting->list[i];
		chain->chain.maps = keep(waiting, chain->chain.maps);
		chain->kernel = keep(waiting, chain->kernel);
	}
}

void
waiting_free(struct waiting *waiting)
{
	drop_kept(waiting);
	free(waiting->kept);
	free(waiting->list);
	arena_free(&waiting->words);
}
