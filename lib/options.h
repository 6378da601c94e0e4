/*
 * options: reads the command line as Perl's Getopt::Long does by default, since
 * scripts depend on it: --title X, --title=X, -title X, +title X, any
 * unambiguous abbreviation, any letter case, options after operands too.  "--"
 * ends the options, "-" is an operand.  A needed value is taken even if it
 * begins with a dash.  Beyond that, -h is --help and -V is --version.
 *
 * A program lists its options in a table; it parses and prints the usage.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>

#include "text.h"

enum option_type {
	OPTION_FLAG,		/* bool, set to true */
	OPTION_TEXT,		/* const char * */
	OPTION_OPTIONAL,	/* the same, but "" unless =VALUE follows */
	OPTION_INTEGER,		/* long */
	OPTION_RANGE,		/* struct option_range */
	OPTION_DECIMAL,		/* double */
	OPTION_LIST,		/* struct option_list, each use adds to it */
	OPTION_REMOVED,		/* an error; help ends "option --jobs ..." */
	OPTION_ADDED,		/* the original lacks what follows this row, so
				   short forms mean the options above first */
	OPTION_END		/* the table ends here */
};

/* An integer from least to most. */
struct option_range {
	long value, least, most;
};

struct option_list {
	const char **values;
	size_t count, room;
};

struct option {
	const char *name;	/* without dashes, in lower case */
	enum option_type type;
	void *value;		/* of the type above; the last use wins */
	const char *argument;	/* the value, in the usage */
	const char *help;	/* may hold line ends; if there are few values,
				   they begin it: "self (default) or total" */
};

struct usage {
	const char *synopsis;	/* after the program's name */
	const char *example;	/* printed below the options, or NULL */
	const struct option *options;
};

/* Returns the name that a program was called by, perhaps a link's. */
const char *options_program(char **argv);

/* Returns the first word of the command line, after parsing. */
const char *options_self(void);

/*
 * Adds the command line as a shell has to be given it, after parsing, with
 * other operands, up to NULL, and with the output that the usage shows:
 * "flamegraph '--title=a b' - > out.svg".  The output is another file,
 * new-out.svg, if `input` has its name; `input` may be NULL.
 */
void options_add_command(struct text *text, const char *const *operands,
    const char *input);

/*
 * Stores the values of argv's options; returns the operands, up to NULL, in
 * argv's own memory.  Ends the program after --help and --version, with status
 * 0, and after reporting every mistake, with status 2.
 */
const char *const *options_parse(const struct usage *usage, char **argv);

/*
 * Sets argv's flags: letters, -n -s or -ns, and words, --help; -q is --quiet.
 * Returns the operands; they begin with the first word without a dash, or after
 * "--".  Ends the program as options_parse does.
 */
const char *const *options_parse_flags(const struct usage *usage, char **argv);

/* Stores value as an OPTION_INTEGER's; false, with errno, if it is not one. */
bool options_integer(const char *value, long *integer);

/*
 * Ends the program with status 2, after a message, if standard output, to which
 * it is to write what is no text for people, is a terminal.
 */
void options_refuse_terminal(const char *const *operands);

/*
 * Ends the program with status 2, after a message, as printf(3) makes it, and
 * another about --help, for mistakes that only the program can tell.
 */
void options_reject(const char *format, ...);

#endif
