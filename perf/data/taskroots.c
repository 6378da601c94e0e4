#include <stdlib.h>

#include "lib/mem.h"
#include "taskroots.h"

static const struct root *
keep(struct taskroots *roots, struct root root)
{
	struct root **kept;

	roots->kept = mem_grow(roots->kept, &roots->room,
	    root.frame + (size_t)1, sizeof(*roots->kept));
	while (roots->count <= root.frame)
		roots->kept[roots->count++] = NULL;
	kept = &roots->kept[root.frame];
	if (*kept == NULL) {
		*kept = mem_array(1, sizeof(**kept));
		**kept = root;
	}
	return *kept;
}

const struct root *
taskroots_find(struct taskroots *roots, const struct task *task,
    int32_t process)
{
	return keep(roots, roots_find(roots->roots, roots->namer,
	    task->named ? task->name : STR(""), process, task->tid));
}

void
taskroots_free(struct taskroots *roots)
{
	size_t i;

	for (i = 0; i < roots->count; i++)
		free(roots->kept[i]);
	free(roots->kept);
}
