/*
 * lines: folded stacks, brought into byte order.
 *
 * Neighbouring lines share most of their frames.  A line is stored without the
 * bytes that it has in common with the one before, up to where a frame begins;
 * its number is how many they are:
 *
 *	main;parse;read 12	0	main;parse;read 12
 *	main;parse;skip 3	11	skip 3
 *	main;print 7		5	print 7
 *
 * So 29 MB of folded stacks take 8 MB, and are not copied, cleaned and cut into
 * frames again and again.  The rests live as long as the lines.
 */
#ifndef LINES_H
#define LINES_H

#include "../lib/mem.h"
#include "../lib/sort.h"
#include "../lib/text.h"

/* Begins as { 0 }. */
struct lines {
	struct sort_item *rests;	/* in the order of the input */
	size_t count, room;
	bool unsorted;			/* they are not in byte order */
	struct arena arena;		/* for the rests */
	struct text last;		/* the line added last, whole */
	struct sorter *sorter;		/* or NULL: they need none */
	size_t next;			/* line to give out */
};

/*
 * Adds a line, made clean (utf8_clean); false, and it is left out, when it is
 * not a stack and a count.
 */
bool lines_add(struct lines *lines, struct str line);

/* Brings the lines into byte order, unless they came so. */
void lines_sort(struct lines *lines);

/* Gives out the next line, as it is stored; false at the end. */
bool lines_next(struct lines *lines, struct sort_item *line);

#endif
