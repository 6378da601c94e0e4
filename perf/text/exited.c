#include "exited.h"
#include "lib/mem.h"

/* A thread of a file. */
struct exited_thread {
	struct root last;	/* of the last command that was new to it */
	bool has_last;
	bool is_over;		/* its number came for its command */
};

void
exited_init(struct exited *exited)
{
	*exited = (struct exited){ .file = NULL };
	intmap_init(&exited->numbers);
	intmap_init(&exited->seen);
}

static void
forget_all(struct exited *exited)
{
	intmap_free(&exited->numbers);
	intmap_free(&exited->seen);
	intmap_init(&exited->numbers);
	intmap_init(&exited->seen);
	exited->count = 0;
}

static struct exited_thread *
get_thread(struct exited *exited, uint32_t tid)
{
	uint32_t *number = intmap_at(&exited->numbers, tid);

	if (*number == 0) {
		exited->threads = mem_grow(exited->threads, &exited->room,
		    exited->count + 1, sizeof(*exited->threads));
		exited->threads[exited->count++] =
		    (struct exited_thread){ .is_over = false };
		*number = (uint32_t)exited->count;
	}
	return &exited->threads[*number - 1];
}

struct root
exited_root(struct exited *exited, const char *file,
    const struct thread_id *id, struct root root)
{
	struct str number = id->tid.len > 0 ? id->tid : id->pid;
	struct exited_thread *thread;
	unsigned long long tid;
	uint32_t *is_seen;

	if (!str_number(number, &tid) || tid > UINT32_MAX)
		return root;
	if (file != exited->file)
		forget_all(exited);
	exited->file = file;
	thread = get_thread(exited, (uint32_t)tid);
	if (str_starts(id->comm, STR(":")) &&
	    str_equal(str_skip(id->comm, 1), number)) {
		thread->is_over = true;
		return thread->has_last ? thread->last : root;
	}
	is_seen = intmap_at(&exited->seen,
	    intmap_pair((uint32_t)tid, root.frame));
	if (*is_seen == 0 && !thread->is_over) {
		thread->last = root;
		thread->has_last = true;
	}
	*is_seen = 1;
	return root;
}
