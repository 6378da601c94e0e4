/*
 * pattern: a regular expression of POSIX's extended kind, for names.  It works
 * on bytes, whatever the locale.
 */
#ifndef PATTERN_H
#define PATTERN_H

#include <sys/types.h>

#include <regex.h>

#include "lib/text.h"

struct pattern {
	regex_t regex;
	struct text name;	/* with a NUL, as regexec(3) needs */
};

/*
 * Compiles an option's regular expression; NULL if the option was not given.
 * Ends the program with status 2 if the expression is invalid.
 */
struct pattern *pattern_make(const char *option, const char *value);

/* True if the pattern is found in a name.  The name has no NUL. */
bool pattern_finds(struct pattern *pattern, struct str name);

#endif
