/*
 * Reads times of records, parted by blanks, and "|", the end of a round; at "/"
 * and a time, all up to that is delivered, and at "~" and a time, one is noted
 * that waits elsewhere.  Prints the times in the order in which they are
 * delivered, each with a letter, the record's in the order of the line, and the
 * rounds' ends; then those noted, each with the number of the flush that
 * delivers it.
 */
#include <stdio.h>

#include "perf/data/order.h"
#include "unit.h"

static void
deliver(struct order *order)
{
	const struct queued *queued;

	while ((queued = order_next(order)) != NULL)
		printf(" %llu%c", (unsigned long long)queued->time,
		    *queued->record);
}

/* Times that were noted, each before a flush. */
struct noted {
	uint64_t time, flush;
};

static uint64_t
read_number(struct str line, size_t *at)
{
	uint64_t number = 0;

	for (; *at < line.len && is_digit(line.data[*at]); ++*at)
		number = 10 * number + (uint64_t)(line.data[*at] - '0');
	return number;
}

/* Obeys what begins at a place; returns the place behind. */
static size_t
obey(struct order *order, struct str line, size_t at, struct noted *noted)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
	static size_t letter;
	char what = line.data[at];

	if (at == 0)
		letter = 0;
	if (is_digit(what)) {
		order_add(order, (struct queued){ read_number(line, &at), 0,
		    &letters[letter++ % 26], NULL });
		return at;
	}
	at++;
	if (what == '|')
		order_end_round(order);
	else if (what == '/')
		order_relieve(order, read_number(line, &at));
	else if (what == '~') {
		*noted = (struct noted){ read_number(line, &at),
		    limits_next(&order->limits) };
		order_note(order, noted->time);
	}
	return at;
}

int
main(void)
{
	struct noted noted[26], *end, *next;
	struct order order;
	struct str line;
	size_t at;
	bool ends;

	for (; unit_line(&line); putchar('\n')) {
		order = (struct order){ .count = 0 };
		end = noted;
		fputs("-", stdout);
		for (at = 0; at < line.len;) {
			ends = line.data[at] == '|';
			end->time = 0;
			at = obey(&order, line, at, end);
			end += end->time > 0;
			deliver(&order);
			if (ends)
				fputs(" |", stdout);
		}
		order_end(&order);
		deliver(&order);
		for (next = noted; next < end; next++)
			printf(" ~%llu:%llu", (unsigned long long)next->time,
			    (unsigned long long)limits_flush(&order.limits,
			    next->flush, next->time));
		order_free(&order);
	}
	return 0;
}
