#include "comms.h"
#include "lib/mem.h"

/* A thread of a file. */
struct comms_thread {
	struct root last;	/* of the last command that was new to it, or
				   without a name */
	bool has_exited;	/* its number came for its command */
};

void
comms_init(struct comms *comms)
{
	comms->count = 0;
}

static struct comms_thread *
get_thread(struct comms *comms, uint32_t tid)
{
	uint32_t *number = intmap_at(&comms->numbers, tid);

	if (*number == 0) {
		comms->threads = mem_grow(comms->threads, &comms->room,
		    comms->count + 1, sizeof(*comms->threads));
		comms->threads[comms->count++] =
		    (struct comms_thread){ .has_exited = false };
		*number = (uint32_t)comms->count;
	}
	return &comms->threads[*number - 1];
}

struct root
comms_root(struct comms *comms, const char *file, const struct sample *sample)
{
	struct str comm = sample->comm;
	struct comms_thread *thread;
	uint32_t tid = (uint32_t)sample->tid, *is_seen;
	unsigned long long number;

	if (!(sample->has & SAMPLE_HAS_TID) || (int64_t)tid != sample->tid)
		return sample->root;
	if (file != comms->file) {
		intmap_free(&comms->numbers);
		intmap_free(&comms->seen);
		comms_init(comms);
		comms->file = file;
	}
	thread = get_thread(comms, tid);
	if ((sample->has & SAMPLE_HAS_COMM) && str_starts(comm, STR(":")) &&
	    str_is_number(str_skip(comm, 1)) &&
	    str_number(str_skip(comm, 1), &number) && number == tid) {
		thread->has_exited = true;
		return thread->last.name.data != NULL ? thread->last :
		    sample->root;
	}
	is_seen = intmap_at(&comms->seen,
	    intmap_pair(tid, sample->root.frame));
	if (*is_seen == 0 && !thread->has_exited)
		thread->last = sample->root;
	*is_seen = 1;
	return sample->root;
}
