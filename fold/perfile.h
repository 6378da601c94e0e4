/*
 * perfile: how much of each file counts, so that nothing of a file is lost
 * without a word.  All programs report here what is wrong with one.
 *
 * Collapsers begin a file with per_file_begin; programs that read folded text
 * have files examined, which begins them and refuses those that are no text.
 */
#ifndef PERFILE_H
#define PERFILE_H

#include "lib/input.h"
#include "lib/table.h"

struct file_counts {
	size_t samples;		/* that count, or lines of folded text */
	size_t others;		/* of events that do not count */
	size_t cut;		/* that the file ends in, left out */
	size_t joined;		/* that became one with the next file's */
	size_t odd;		/* lines that make no sense */
	size_t told;		/* losses that other messages are about */
};

/* A thread has one of these, which begins with the first one set. */
struct per_file {
	const struct file_counts *all;	/* of all that this thread read */
	struct file_counts before;	/* of what comes before the file */
	const char *name;		/* of the file; NULL: none was read */
	const char *looks;		/* of folded text: what it looks like */
	struct table names;
	struct file_notes *notes;	/* by a name's number */
	size_t room;
};

void per_file_init(struct per_file *files, const struct file_counts *all);

/* Begins another file, or part of one; NULL ends what was read. */
void per_file_begin(struct per_file *files, const char *name);

/* An input_examiner, given a struct per_file, for files of folded text. */
bool per_file_examine(void *files, struct beginning *file);

/* Adds what another thread has read. */
void per_file_merge(struct per_file *files, const struct per_file *from);

/*
 * Tells which files end inside a sample, for which the word is given, and of
 * which none counts.  Returns true if anything of any file is lost.
 */
bool per_file_report(const struct per_file *files, const char *sample);

#endif
