/*
 * message: says something on standard error, a line each time.  The progress
 * line gives way to it.  A message may quote any input, since '?' replaces
 * control characters, which a terminal would obey, and what is not UTF-8.
 */
#ifndef MESSAGE_H
#define MESSAGE_H

#include "text.h"

/* Says "PROGRAM: MESSAGE", as printf(3) makes it. */
void message_warn(const char *format, ...);

/* Says "PROGRAM: WHAT: COUNT", unless the count is 0. */
void message_count(const char *what, unsigned long long count);

/* Says "PROGRAM: MESSAGE: REASON", as errno has it. */
void message_errno(const char *format, ...);

/* Says "PROGRAM: MESSAGE" and ends the program with status 1. */
void message_fail(const char *format, ...);

/* Says "MESSAGE" alone, as the original programs do. */
void message_plain(const char *format, ...);

/*
 * Adds s as a terminal may show it, but not more than 4,096 bytes of it: for
 * quoting input, which may hold any byte, with %.*s.
 */
void message_add_shown(struct text *text, struct str s);

#endif
