#include "marks.h"

void
marks_init(struct marks *marks, const struct table *names)
{
	const struct str mark = STR("_[i]");
	struct str name;
	uint32_t i;

	table_init(&marks->functions);
	marks->function_of = mem_array(names->count,
	    sizeof(*marks->function_of));
	marks->is_inlined = mem_array(names->count,
	    sizeof(*marks->is_inlined));
	for (i = 0; i < names->count; i++) {
		name = names->keys[i];
		marks->is_inlined[i] = name.len > mark.len &&
		    str_ends(name, mark);
		if (marks->is_inlined[i])
			name.len -= mark.len;
		marks->function_of[i] = table_add(&marks->functions, name);
	}
}
