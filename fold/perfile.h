/*
 * perfile: how many samples of each file count, so that what is lost of one,
 * among others, is not lost without a word.
 */
#ifndef PERFILE_H
#define PERFILE_H

#include "lib/table.h"

struct file_counts {
	size_t samples;		/* that count */
	size_t others;		/* of events that do not count */
	size_t cut;		/* that the file ends in, left out... */
	size_t joined;		/* ...or become one with the next file's */
	size_t odd;		/* lines that make no sense */
	size_t told;		/* losses that other messages are about */
};

/* A thread has one of these, which begins with the first one set. */
struct per_file {
	const struct file_counts *all;	/* of all that this thread read */
	struct file_counts before;	/* of what comes before the file */
	const char *name;		/* of the file; NULL: none was read */
	struct table names;
	struct file_counts *counts;	/* by a name's number */
	size_t room;
};

void per_file_init(struct per_file *files, const struct file_counts *all);

/* Begins another file, or part of one; NULL ends what was read. */
void per_file_begin(struct per_file *files, const char *name);

/* Adds what another thread has read. */
void per_file_merge(struct per_file *files, const struct per_file *from);

/*
 * Tells files that end inside a sample, for which the word is given, or of
 * which none counts.  Returns true if anything of any file is lost.
 */
bool per_file_report(const struct per_file *files, const char *sample);

#endif
