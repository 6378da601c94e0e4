/*
 * columns: aligned text, of rows that are numbers and a name:
 *
 *	 self%  self  function
 *	75.00%    12  read
 *
 * Rows are gone through twice: first to learn how wide cells are, then to print
 * them.  On a terminal long names are shortened in their middle.
 */
#ifndef COLUMNS_H
#define COLUMNS_H

#include "lib/text.h"

#define COLUMNS_MOST	8

/* It begins as { 0 }. */
struct columns {
	size_t screen;		/* columns of the terminal; 0: any number */
	bool is_printing;
	size_t widths[COLUMNS_MOST];
	size_t at;		/* the number of the next cell in the row */
	struct text line;
	struct text name;	/* as it is shown */
};

/* Adds a cell to the row, on the right of its column. */
void columns_add(struct columns *columns, struct str cell);

/* Ends the row with a name, indented by some columns, and prints it. */
void columns_end(struct columns *columns, struct str name, size_t indent);

/* Adds a line as it is, and the end of it. */
void columns_tell(struct columns *columns, const char *format, ...);

/* Prints what is left. */
void columns_flush(struct columns *columns);

#endif
