/*
 * collapse: what all collapsers do.  They read their operands, in one thread or
 * in several that fold a part each, add up what these have folded, say what was
 * odd, and print the stacks.
 *
 * A collapser describes its format, and begins with
 *
 *	static const struct format format = { "DTrace", "stack", ... };
 *	...
 *		return collapse(&format, argv, operands);
 */
#ifndef COLLAPSE_H
#define COLLAPSE_H

#include "../lib/input.h"
#include "../lib/options.h"
#include "calls.h"

struct fold;

struct format {
	const char *source;	/* the program that prints it, for messages */
	const char *sample;	/* what its samples are called there */
	size_t size;		/* of a struct that begins with a struct fold */
	/* Prepares it, for an input that has not been read. */
	void (*begin)(struct fold *fold);
	/* Folds a line, without its line end. */
	void (*line)(struct fold *fold, struct str line);
	/* Ends the input, where fold->cut_short may become true. */
	void (*end)(struct fold *fold);
	/* Adds what another thread counted that is in no struct fold. */
	void (*merge)(struct fold *fold, const struct fold *other);
	/* Says what was odd, and why no stack was found. */
	void (*report)(const struct fold *fold);
	/* Finds where threads may cut the input. */
	shared_cutter *find_cut;
	/* Reads files that are no lines, given the struct fold; or NULL. */
	input_examiner *examine;
};

/* What depends on the order of the input; see input_wait. */
struct fold_notes {
	struct text first_line;	/* that says something, for messages */
};

/* What a thread folds. */
struct fold {
	struct input input;	/* first, for input_run */
	const struct format *format;
	struct fold_notes *notes;	/* of all threads */
	bool has_line;		/* these know one */
	struct namer namer;	/* the names of frames */
	struct stack stack;	/* of the sample being read, so far */
	struct stacks stacks;
	size_t samples;		/* counted */
	bool recognized;	/* a line that only this format has */
	bool cut_short;		/* the input ended inside a sample */
};

/* Notes a line that says something, for messages; fold_note_line's work. */
void fold_note_first(struct fold *fold, struct str line);

static inline void
fold_note_line(struct fold *fold, struct str line)
{
	if (!fold->has_line)
		fold_note_first(fold, line);
}

/* How many threads fold; 0: as many as pay. */
extern struct option_range collapse_jobs;

/* The row of a collapser's options that sets it. */
#define COLLAPSE_JOBS { "jobs", OPTION_RANGE, &collapse_jobs, "N", \
	"fold in N threads (default: 1 unless the files are large)" }

/*
 * Folds the operands and prints the stacks, for the program that argv names.
 * Returns its exit status.
 */
int collapse(const struct format *format, char **argv,
    const char *const *operands);

#endif
