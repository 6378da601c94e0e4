#include "cgcosts.h"

void
cgcosts_init(struct cgcosts *costs)
{
	events_init(&costs->events);
	costs->positions = 1;
}

void
cgcosts_free(struct cgcosts *costs)
{
	events_free(&costs->events);
}

void
cgcosts_set_positions(struct cgcosts *costs, struct str value)
{
	costs->positions = (size_t)str_contains(value, STR("instr")) +
	    str_contains(value, STR("addr")) +
	    str_contains(value, STR("bb")) +
	    str_contains(value, STR("line"));
}

bool
cgcosts_begin(char c)
{
	return is_digit(c) || c == '+' || c == '-' || c == '*';
}

bool
cgcosts_read(const struct cgcosts *costs, struct str line,
    unsigned long long *cost, bool *negative)
{
	size_t i, len;

	for (i = 0; i < costs->positions; i++) {
		len = 0;
		while (len < line.len && !is_blank(line.data[len]))
			len++;
		line = str_trim_start(str_skip(line, len));
	}
	return events_cost(&costs->events, line, cost, negative);
}

/* Returns what follows a word and a blank; NULL if there are no such two. */
static const char *
after_word(const char *at)
{
	const char *word = at;

	while ((unsigned char)*at > ' ')
		at++;
	return at > word && *at == ' ' ? at + 1 : NULL;
}

/*
 * Returns what follows a line of costs, a number in each column, of which it
 * stores one; NULL if it is another line, or is not all there.
 */
static const char *
read_plain(const char *at, size_t column, unsigned long long *cost)
{
	const char *digits;
	size_t i;

	if (!cgcosts_begin(*at))
		return NULL;
	for (i = column; i > 0; i--)
		if ((at = after_word(at)) == NULL)
			return NULL;
	*cost = 0;
	for (digits = at; is_digit(*at); at++)
		*cost = *cost * 10 + (unsigned)(*at - '0');
	if (at == digits || at - digits > 18)
		return NULL;
	while (is_digit(*at) || *at == ' ')
		at++;
	return *at == '\n' ? at + 1 : NULL;
}

size_t
cgcosts_take(const struct cgcosts *costs, struct str *text, size_t most,
    unsigned long long *sum)
{
	const char *at = text->data, *next;
	size_t column = costs->positions + costs->events.column, lines;
	unsigned long long cost;

	*sum = 0;
	if (!costs->events.is_plain)
		return 0;
	for (lines = 0; lines < most && *sum <= ~0ULL / 2; lines++) {
		next = read_plain(at, column, &cost);
		if (next == NULL)
			break;
		*sum += cost;
		at = next;
	}
	*text = str_skip(*text, (size_t)(at - text->data));
	return lines;
}
