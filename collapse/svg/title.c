#include <math.h>

#include "fold/folded.h"
#include "title.h"

#define DIGITS	400	/* of the largest number, with room */
#define TRIES	16	/* brackets that may begin the counts */

/* Cuts off a number, "1,234" or "0.5"; false if there is none. */
static bool
cut_number(struct str *text, double *number)
{
	char digits[DIGITS];
	size_t len = 0, at;
	char c;

	for (at = 0; at < text->len && len < sizeof(digits); at++) {
		c = text->data[at];
		if (is_digit(c) || c == '.')
			digits[len++] = c;
		else if (c != ',' || at + 1 == text->len ||
		    !is_digit(text->data[at + 1]))
			break;
	}
	if (len == 0 || !is_digit(digits[0]) || len == sizeof(digits))
		return false;
	*number = folded_value((struct str){ digits, len });
	*text = str_skip(*text, at);
	return isfinite(*number);
}

static bool
cut_start(struct str *text, struct str start)
{
	if (!str_starts(*text, start))
		return false;
	*text = str_skip(*text, start.len);
	return true;
}

/* Reads "800 instructions; ratio 1.5". */
static bool
read_other(struct str text, struct title *title)
{
	const struct str ratio = STR("; ratio ");

	title->has_other = str_search(text, ratio) < text.len &&
	    cut_number(&text, &title->other) && cut_start(&text, STR(" "));
	return title->has_other;
}

/*
 * Reads "56.78%", "100%", "56.78%; +1.20%" or "56.78%; 800 instructions; ratio
 * 1.5".
 */
static bool
read_parts(struct str text, struct title *title)
{
	struct str all = text;
	double percent, sign = 1;

	title->is_all = str_equal(text, STR("100%"));
	if (!cut_number(&text, &percent) || !cut_start(&text, STR("%")))
		return false;
	if (text.len == 0)
		return true;
	if (!cut_start(&text, STR("; ")))
		return false;
	if (read_other(text, title)) {
		title->is_all = str_starts(all, STR("100%"));
		return true;
	}
	if (cut_start(&text, STR("-")))
		sign = -1;
	else
		cut_start(&text, STR("+"));
	title->has_change = cut_number(&text, &title->change);
	title->change *= sign;
	return title->has_change && str_equal(text, STR("%"));
}

/* Reads "1,234 samples, 56.78%", where any words may be what is counted. */
static bool
read_counts(struct str text, struct title *title)
{
	size_t comma;

	if (!cut_number(&text, &title->count) || !cut_start(&text, STR(" ")))
		return false;
	/* numbers have others */
	for (comma = text.len; comma > 0 && !str_starts(str_skip(text, comma),
	    STR(", "));)
		comma--;
	text = str_skip(text, comma);
	return cut_start(&text, STR(", ")) && read_parts(text, title);
}

/* Reads "before 1,260, after 1,234, ...". */
static void
read_both(struct str text, struct title *title)
{
	title->has_both = cut_start(&text, STR("before ")) &&
	    cut_number(&text, &title->before) &&
	    cut_start(&text, STR(", after ")) &&
	    cut_number(&text, &title->after);
}

void
title_read(struct str text, struct title *title)
{
	size_t end = str_find(text, '\n'), open, tries = TRIES;
	struct str line = str_take(text, end), before;
	struct title found = { .name = line };

	*title = found;
	if (!str_ends(line, STR("%)")) && !(str_ends(line, STR(")")) &&
	    str_contains(line, STR("; ratio "))))
		return;
	line.len--;
	/* A name may have brackets, and so may what is counted. */
	for (before = line; tries > 0 &&
	    (open = str_find_last(before, '(')) < before.len;
	    before = str_take(before, open), tries--) {
		found = (struct title){ .name = line };
		if (open == 0 || line.data[open - 1] != ' ' ||
		    !read_counts(str_skip(line, open + 1), &found))
			continue;
		found.name = str_take(line, open - 1);
		found.has_count = true;
		if (end < text.len)
			read_both(str_skip(text, end + 1), &found);
		*title = found;
		return;
	}
}
