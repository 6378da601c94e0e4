#include <stdlib.h>

#include "lib/mem.h"
#include "unknowns.h"

void
unknowns_note(struct unknowns *unknowns, const struct seen_chain *chain,
    const struct module *module)
{
	struct unknown *last;

	if (unknowns->count > 0) {
		last = &unknowns->list[unknowns->count - 1];
		if (last->chain == chain && last->module == module) {
			last->count++;
			return;
		}
	}
	unknowns->list = mem_grow(unknowns->list, &unknowns->room,
	    unknowns->count + 1, sizeof(*unknowns->list));
	unknowns->list[unknowns->count++] = (struct unknown){
	    chain, module, 1 };
}

static void
add(struct unknowns *unknowns, size_t module, unsigned long long unknown)
{
	unknowns->unknown += unknown;
	unknowns->in = mem_grow(unknowns->in, &unknowns->modules_room,
	    module + 1, sizeof(*unknowns->in));
	while (unknowns->modules <= module)
		unknowns->in[unknowns->modules++] = 0;
	unknowns->in[module] += unknown;
}

void
unknowns_settle(struct unknowns *unknowns)
{
	size_t i;

	for (i = 0; i < unknowns->count; i++)
		add(unknowns, unknowns->list[i].module->number,
		    unknowns->list[i].chain->samples *
		    unknowns->list[i].count);
	unknowns->count = 0;
}

void
unknowns_add(struct unknowns *unknowns, const struct unknowns *others)
{
	size_t i;

	unknowns->addresses += others->addresses;
	for (i = 0; i < others->modules; i++)
		add(unknowns, i, others->in[i]);
}

void
unknowns_free(struct unknowns *unknowns)
{
	free(unknowns->list);
	free(unknowns->in);
}
