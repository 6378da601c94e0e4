/*
 * message: says something on standard error, a line each time.  The progress
 * line gives way to it.  A message may quote any input, since '?' replaces what
 * is not UTF-8, and control characters: a terminal would obey them.
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

/* Adds up to 4,096 bytes of s as a terminal may show it, to quote input. */
void message_add_shown(struct text *text, struct str s);

/* Returns the same as a C string that stays until the program ends. */
const char *message_shown(struct str s);

#endif
