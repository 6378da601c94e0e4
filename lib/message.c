#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "message.h"
#include "progress.h"
#include "utf8.h"

#define LONGEST_SHOWN	4096	/* bytes: a path may have as many */

/* Adds s with a '?' for what is not to be shown, and for non-UTF-8. */
static void
add_shown(struct text *text, struct str s)
{
	size_t len;
	uint32_t code;

	for (; s.len > 0; s = str_skip(s, len)) {
		len = utf8_decode(s, &code);
		if (len == 0 || (code != '\t' && !utf8_is_shown(code))) {
			text_add_char(text, '?');
			len = len > 0 ? len : 1;
		} else
			text_add(text, str_take(s, len));
	}
}

void
message_add_shown(struct text *text, struct str s)
{
	add_shown(text, s.len > LONGEST_SHOWN ? str_take(s, LONGEST_SHOWN) : s);
}

const char *
message_shown(struct str s)
{
	struct text shown = { 0 };

	message_add_shown(&shown, s);
	text_add_char(&shown, '\0');
	return shown.data;
}

/*
 * Makes a message, clears the terminal's line for it, and prints it, alone if
 * `print` is NULL.
 */
static void
say(void (*print)(const char *, ...), const char *format, va_list args)
{
	struct text message = { 0 }, shown = { 0 };
	int error = errno;

	text_add_list(&message, format, args);
	add_shown(&shown, text_str(&message));
	text_add_char(&shown, '\0');
	free(message.data);
	progress_clear();
	errno = error;
	if (print != NULL)
		print("%s", shown.data);
	else
		fprintf(stderr, "%s\n", shown.data);
	free(shown.data);
}

void
message_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(warnx, format, args);
	va_end(args);
}

void
message_count(const char *what, unsigned long long count)
{
	if (count > 0)
		message_warn("%s: %llu", what, count);
}

void
message_errno(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(warn, format, args);
	va_end(args);
}

void
message_fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(warnx, format, args);
	va_end(args);
	exit(1);
}

void
message_plain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(NULL, format, args);
	va_end(args);
}
