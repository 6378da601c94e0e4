/*
 * collapse: does the work that all collapsers share.  It reads the operands,
 * adds up their stacks and those of operands that are folded text, reports what
 * is odd, and prints the stacks.  A collapser describes its format.
 */
#ifndef COLLAPSE_H
#define COLLAPSE_H

#include "calls.h"
#include "lib/content.h"
#include "lib/input.h"
#include "lib/options.h"
#include "folded.h"
#include "kind.h"
#include "perfile.h"
#include "timeline.h"
#include "trail.h"

struct fold;

/*
 * A format folds lines, or files as a whole if it has is_file, or both.
 * Functions with nothing to do are NULL.
 */
struct format {
	const struct kind *kind;	/* of its files */
	size_t size;		/* of a struct that begins with a struct fold */
	const struct option *options;	/* NULL: it has none */
	const bool *in_order;	/* an option: keep the order of time; or NULL */
	const char *synopsis;	/* of the usage, or NULL: the usual one */
	const char *notes;	/* below the options in the usage, or NULL */
	/* Ends the program if options or operands are wrong. */
	void (*check)(const char *const *operands);
	/* Prepares the struct, before anything is read. */
	void (*begin)(struct fold *fold);
	/* Folds a line, without its line end. */
	void (*line)(struct fold *fold, struct str line);
	/*
	 * Folds a file, whose content is at its beginning.  Returns NULL, or
	 * what is wrong with it, a text that lives until the next call.
	 */
	const char *(*file)(struct fold *fold, struct content *content);
	/* True for a file that is folded as a whole; NULL: all but folders. */
	bool (*is_file)(const struct beginning *file);
	/*
	 * Ends the input, or the file before one that begins anew; fold_cut
	 * leaves out a sample that is being read.
	 */
	void (*end)(struct fold *fold);
	/* Reports the problems of the input. */
	void (*report)(struct fold *fold);
	/* Says that no sample counts, unless a reason was reported; or NULL. */
	const char *nothing;
	/*
	 * Prepares the stacks for printing, after the report; false if they are
	 * not to be printed, and that was reported.
	 */
	bool (*finish)(struct fold *fold);
	/* Adds the counts of a stack that the format keeps itself. */
	void (*counts)(void *fold, uint32_t number, struct text *line);
	bool in_parts;		/* a file may be any part of a larger one */
	bool adds_folded;	/* folded text among the operands is added... */
	const char *no_folded;	/* ...unless this says why it is refused */
	/*
	 * Returns what the lines of a file that begins with these bytes are
	 * like, for input.form; NULL if they are all alike.
	 */
	unsigned (*form)(struct str bytes);
	/* Begins a file of lines.  Returns NULL, or what is wrong with it. */
	const char *(*begin_lines)(struct fold *fold,
	    const struct beginning *file);
	/*
	 * True if a line that begins a file may go on with the sample that the
	 * file before ended in; NULL if none may.
	 */
	bool (*goes_on)(struct fold *fold, struct str line);
};

/* What a format's own struct begins with. */
struct fold {
	struct input input;
	const struct format *format;
	bool several;		/* there are several operands */
	struct text first_lines;	/* not blank ones, for messages... */
	const char *first_name;	/* ...and the file that they are from */
	bool has_lines;		/* these are enough */
	bool lost;		/* something was left out: the status is 1 */
	struct namer namer;	/* the names of frames */
	struct text name;	/* of a frame, while it is made */
	struct stack stack;	/* of the sample being read, so far */
	struct stacks stacks;
	struct timeline *timeline;	/* of the stacks, if in order of time */
	struct text reason;	/* of fold_reason */
	bool refused;		/* a file was, with a message */
	unsigned long long deep;	/* stacks that lost their roots, beyond
					   FOLD_DEPTH frames */
	struct trail trail;	/* the last line of folded text, by `namer` */
	const char *reported;	/* the last file that had a line left out */
	size_t left_out;	/* lines of folded text */
	struct folded_unit unit;	/* printed before the stacks */
	struct file_counts counts;
	struct per_file files;
	bool is_lines;		/* the file is read as lines of the format */
	bool has_folded;	/* a file is folded text */
	bool recognized;	/* it has a line that only this format has */
	bool known;		/* a file before it had one */
	bool cut_short;		/* the input ended inside a sample */
	bool passed_over;	/* it has what never counts, such as idle
				   threads, and may have no sample */
	size_t odd;		/* lines passed to fold_note_odd */
	const char *odd_name;	/* the file and number of the first one */
	size_t odd_line;
};

#define FOLD_DEPTH	4096	/* frames that a stack of some formats has */

/* Leaves out the sample that is being read, since the rest is missing. */
void fold_cut(struct fold *fold);

void fold_note_first(struct fold *fold, struct str line);

/* Keeps a line that is not blank for messages, if it is one of the first. */
static inline void
fold_note_line(struct fold *fold, struct str line)
{
	if (!fold->has_lines)
		fold_note_first(fold, line);
}

/* Notes for a message that the line read last is damaged and left out. */
void fold_note_odd(struct fold *fold);

/* Reports "WHAT: COUNT", and sets the status to 1, unless the count is 0. */
void fold_report_lost(struct fold *fold, const char *what,
    unsigned long long count);

/* Makes a message, as printf(3) does, for format.file to return. */
const char *fold_reason(struct fold *fold, const char *format, ...);

/* Returns the number of a frame's name; ';' becomes ':', a line end '_'. */
uint32_t fold_name(struct fold *fold, struct str name);

/* Adds a frame of this name outside the sample's frames so far. */
void fold_frame(struct fold *fold, struct str name);

/*
 * Count the sample `count` times, or as often as the digits say, and begin the
 * next one.  A sample without frames gets a frame without a name.
 */
void fold_count(struct fold *fold, unsigned long long count);
void fold_count_digits(struct fold *fold, struct str digits);

/*
 * If the caller knows samples whose stack came before: return the number of the
 * sample's stack, and count a sample by the number of its stack.
 */
uint32_t fold_number(struct fold *fold);
void fold_count_number(struct fold *fold, uint32_t number,
    unsigned long long count);

/*
 * Counts the sample by a weight, rounded, within the frames of `roots`, the
 * inner one first, unless that is NULL.
 */
void fold_count_weight(struct fold *fold, double weight,
    const struct stack *roots);

/* Sets fold->trail to a stack of folded text. */
void fold_follow(struct fold *fold, struct str stack);

/* Counts a stack that begins with its root, in place of the sample. */
void fold_count_path(struct fold *fold, const struct stack *path,
    unsigned long long count);

/* The row of an option that collapsers had while they used threads. */
#define COLLAPSE_JOBS { "jobs", OPTION_REMOVED, NULL, NULL, \
	"is gone: one thread folds; to use more processors, fold parts in " \
	"several processes and add them up, as stackcollapse-perf(1) shows" }

/* The row of an option that sets format.in_order. */
#define COLLAPSE_IN_ORDER(flag)	{ "in-order", OPTION_FLAG, flag, NULL, \
	"keep the order of time, for flamegraph --flamechart" }

/* Folds operands by the options of argv, prints; returns the exit status. */
int collapse(const struct format *format, char **argv);

/* The format of the program, for main() in fold/main.c. */
extern const struct format collapser;

#endif
