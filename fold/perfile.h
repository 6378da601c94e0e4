/*
 * perfile: counts what is used of each file, so that nothing is lost without a
 * message.  All programs report here what is wrong with a file.
 *
 * Collapsers begin a file with per_file_begin.  Programs that read folded text
 * pass per_file_examine to input; it begins a file and refuses binary ones.
 */
#ifndef PERFILE_H
#define PERFILE_H

#include "lib/input.h"
#include "lib/table.h"

struct file_counts {
	size_t samples;		/* that count, or lines of folded text */
	size_t others;		/* of events that do not count */
	size_t cut;		/* samples left out, as the file ends in one */
	size_t joined;		/* samples that go on in the next file */
	size_t odd;		/* lines that make no sense */
	size_t reported;	/* losses that were reported already */
};

/* It begins with its first member set. */
struct per_file {
	const struct file_counts *all;	/* of all that was read */
	struct file_counts before;	/* the same, before the file */
	const char *name;		/* of the file; NULL before the first */
	const char *looks;		/* a description of it or, after the
					   last, of that, if folded */
	const char *const *operands;	/* of the program, if it reads folded */
	struct table names;
	struct file_notes *notes;	/* by a name's number */
	size_t room;
};

/* Begins another file; NULL ends the last one. */
void per_file_begin(struct per_file *files, const char *name);

/* An input_examiner for files of folded text, given a struct per_file. */
bool per_file_examine(void *files, struct beginning *file);

/*
 * Reports files that end inside a sample, using the given word for it, and
 * files without samples.  Returns true if anything of a file is lost.
 */
bool per_file_report(const struct per_file *files, const char *sample);

#endif
