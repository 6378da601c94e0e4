#include "fold/folded.h"
#include "root.h"

/* A lone number is the thread's; without -F +pid its process is unknown. */
static void
add_numbers(struct roots *roots, const struct thread_id *thread)
{
	bool both = thread->tid.len > 0 && !str_equal(thread->tid, STR("0"));

	if (roots->pid || roots->tid) {
		text_add_char(&roots->name, '-');
		text_add(&roots->name, both ? thread->pid : STR("?"));
	}
	if (roots->tid) {
		text_add_char(&roots->name, '/');
		text_add(&roots->name, both ? thread->tid : thread->pid);
	}
}

struct root
roots_find(struct roots *roots, struct namer *namer,
    const struct thread_id *thread)
{
	struct text *name = &roots->name;
	uint32_t frame;
	size_t i;

	name->len = 0;
	folded_add_name(name, thread->comm);
	if (thread->comm.len == 0) {
		text_add_char(name, ':');
		text_add(name, thread->pid.len > 0 ? thread->pid : STR("-1"));
	}
	add_numbers(roots, thread);
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
