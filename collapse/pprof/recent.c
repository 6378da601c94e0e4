#include <stdlib.h>

#include "recent.h"

void
recent_init(struct recent *recent)
{
	recent->slots = mem_array(RECENT_SLOTS, sizeof(*recent->slots));
}

void
recent_free(struct recent *recent)
{
	free(recent->slots);
}
