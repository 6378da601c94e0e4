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
roots_find(struct roots *roots, struct namer *namer, struct str comm,
    int32_t pid, int32_t tid)
{
	struct text *name = &roots->name;

	name->len = 0;
	folded_add_name(name, comm);
	if (comm.len == 0)
		text_add_format(name, ":%ld", (long)tid);
	/* In the original the thread 0 is none, and its process is unknown. */
	if ((roots->pid || roots->tid) && tid == 0)
		text_add(name, STR("-?"));
	else if (roots->pid || roots->tid)
		text_add_format(name, "-%ld", (long)pid);
	if (roots->tid)
		text_add_format(name, "/%ld", (long)tid);
	return root_of_name(name, namer);
}

struct root
roots_find_text(struct roots *roots, struct namer *namer,
    const struct thread_id *thread)
{
	struct text *name = &roots->name;
	bool both = thread->tid.len > 0 && !str_equal(thread->tid, STR("0"));

	name->len = 0;
	folded_add_name(name, thread->comm);
	if (thread->comm.len == 0) {
		text_add_char(name, ':');
		text_add(name, thread->pid.len > 0 ? thread->pid : STR("-1"));
	}
	/* A lone number is the thread's. */
	if (roots->pid || roots->tid) {
		text_add_char(name, '-');
		text_add(name, both ? thread->pid : STR("?"));
	}
	if (roots->tid) {
		text_add_char(name, '/');
		text_add(name, both ? thread->tid : thread->pid);
	}
	return root_of_name(name, namer);
}

uint32_t
roots_find_cgroup(struct roots *roots, struct namer *namer, struct str path)
{
	roots->name.len = 0;
	folded_add_name(&roots->name, path.len > 0 ? path : STR("unknown"));
	return root_of_name(&roots->name, namer).frame;
}
