/*
 * phase: a part of a recording whose samples several threads fold, while the
 * next part is read.
 *
 * Records that are no samples take effect before, in their order, up to the end
 * of the phase.  What a thread's name and maps were until one of them changed
 * them is noted, so that each sample finds what was when it was taken:
 *
 *	samples of 7	   . . . .  .   . . .    . . .  . . .
 *	records			 exec    map           map
 *	its name	"sh"    |"ls"
 *	its maps	 1      |2      |3            |4
 *
 * Only threads that have samples in the phase, and their processes' maps, are
 * noted, and not what changes before the first of these.  All is in the phase,
 * and in snapshots, so that the tasks may change again while it is folded.
 * Where records were lost, a thread that samples alone tell of is made at the
 * end of the phase, and is of the process that its number then is of.
 *
 * Where too many records take effect at once, several phases share the slices:
 * each is a part, whose samples are those between two of the records.
 */
#ifndef PHASE_H
#define PHASE_H

#include "moment.h"
#include "slices.h"
#include "taskroots.h"

/* Maps, and what they were before, in the phase. */
struct past {
	struct maps *live;		/* NULL once the phase is sealed */
	const struct maps *last;	/* what they are at its end */
	struct past_maps {
		struct moment until;
		const struct maps *maps;
	} *list;			/* in order */
	size_t count, room;
};

/* What a thread was until a moment. */
struct was {
	struct moment until;
	const struct root *root;
	const struct past *maps;	/* of its process */
};

/* A thread, as samples call it. */
struct sampled {
	int32_t pid, tid;
	uint64_t oldest;		/* of its samples' times */
	const struct root *root;	/* at the end of the phase, as... */
	const struct past *maps;	/* ...these */
	struct was *was;		/* in order */
	size_t count, room;
	uint32_t alike;		/* the next with its tid, by number; or 0 */
};

/* The numbers of threads, by a hash; 0: none. */
struct phase_slots {
	uint32_t *list;
	size_t mask;
};

#define PHASE_PROCESSES	4096	/* some take turns */
#define PHASE_NONE	UINT64_MAX

/* Begins with the first four set, and all else zero. */
struct phase {
	struct tasks *tasks;
	struct taskroots *roots;
	struct maps *kernel;
	struct maps *nothing;		/* no maps */

	struct slices slices;
	struct limits limits;		/* of the flushes of its samples */
	struct sampled *threads;	/* from 1 */
	size_t count, room;
	struct phase_slots by_ids, by_tid;
	uint64_t oldest[PHASE_PROCESSES];	/* of the times of processes'
						   samples; PHASE_NONE */
	bool is_mixed;			/* for the caller: some record comes
					   behind samples of later times */
	struct past **pasts;
	size_t pasts_count, pasts_room;
	const struct past *kernel_past;
	struct module *kernel_module;	/* NULL: it is not known... */
	struct moment known;		/* ...before this */
	bool is_part;			/* only samples from... */
	struct moment begin, end;	/* ...this to, not including, that */
};

/* Begins with the slices, before its other records take effect. */
void phase_begin(struct phase *phase, const struct limits *limits);

/* Gives a phase the slices of a part which have samples behind its end. */
void phase_follow(struct phase *phase, const struct phase *part);

/* True if a slice may have samples in front of the end of its phase. */
bool phase_has(const struct phase *phase, const struct slice *slice);

/*
 * Notes that a thread changes, or may, at a moment; and that maps do, of a
 * process.
 */
void phase_note_thread(struct phase *phase, int32_t tid,
    struct moment moment);
void phase_note_maps(struct phase *phase, struct maps *maps, int32_t pid,
    struct moment moment);

/*
 * Says that all changes were noted: now any thread may find them.  The kernel's
 * module, which may be NULL, has been known since a moment.
 */
void phase_seal(struct phase *phase, struct module *kernel_module,
    struct moment known);

/* Ends a phase, of which nothing is needed any more. */
void phase_end(struct phase *phase, struct blocks *blocks);

void phase_free(struct phase *phase);

/* Returns a thread that samples of the phase are of, or NULL. */
const struct sampled *phase_find(const struct phase *phase, int32_t pid,
    int32_t tid);

/* Tells what a thread that has changed was at a moment. */
struct was sampled_at(const struct sampled *thread, struct moment moment);

/* Returns what maps that have changed were at a moment. */
const struct maps *past_at(const struct past *past, struct moment moment);

/* Returns when a sample of a slice takes effect, by its time and number. */
static inline struct moment
phase_moment(const struct phase *phase, const struct slice *slice,
    uint64_t time, uint64_t number)
{
	return (struct moment){ limits_flush(&phase->limits, slice->flush,
	    time), time, number };
}

/* Returns the kernel's module, if it was known at a moment; else NULL. */
static inline struct module *
phase_kernel_module(const struct phase *phase, struct moment moment)
{
	return moment_is_before(moment, phase->known) ? NULL :
	    phase->kernel_module;
}

/* True if it does not matter when in the phase a sample was taken. */
static inline bool
sampled_is_steady(const struct sampled *thread)
{
	return thread->count == 0 && thread->maps->count == 0;
}

#endif
