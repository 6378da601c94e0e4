#include "fold/folded.h"
#include "root.h"

/* Returns the root that is named, except for what no name may hold. */
static struct root
root_of_name(struct text *name, struct namer *namer)
{
	uint32_t frame;
	size_t i;

	for (i = 0; i < name->len; i++)
		if (name->data[i] == ' ' || name->data[i] == '\n')
			name->data[i] = '_';
	frame = table_add(&namer->names, text_str(name));
	return (struct root){
		.frame = frame,
		.java = str_starts(text_str(name), STR("java")),
		.name = namer->names.keys[frame],
	};
}

struct root
roots_find(struct roots *roots, struct namer *namer,
    const struct sample *sample)
{
	struct text *name = &roots->name;

	name->len = 0;
	folded_add_name(name, sample->comm);
	/* In the original the thread 0 is none, and its process is unknown. */
	if ((roots->pid || roots->tid) && sample->tid != 0 &&
	    (sample->has & SAMPLE_HAS_PID) != 0)
		text_add_format(name, "-%lld", (long long)sample->pid);
	else if (roots->pid || roots->tid)
		text_add(name, STR("-?"));
	if (roots->tid)
		text_add_char(name, '/');
	if (roots->tid && (sample->has & SAMPLE_HAS_TID) != 0)
		text_add_format(name, "%lld", (long long)sample->tid);
	return root_of_name(name, namer);
}

uint32_t
roots_find_cgroup(struct roots *roots, struct namer *namer, struct str path)
{
	roots->name.len = 0;
	folded_add_name(&roots->name, path.len > 0 ? path : STR("unknown"));
	return root_of_name(&roots->name, namer).frame;
}
