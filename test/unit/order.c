/*
 * Reads times of records, parted by blanks, and "|", the end of a round; at "/"
 * half of the waiting ones are delivered.  Prints the times in the order in
 * which they are delivered, each with a letter, the record's in the order of
 * the line, and the rounds' ends.
 */
#include <stdio.h>
#include <stdlib.h>

#include "unit.h"
#include "../../perf/order.h"

static void
deliver(struct order *order)
{
	const struct queued *queued;

	while ((queued = order_next(order)) != NULL)
		printf(" %llu%c", (unsigned long long)queued->time,
		    *queued->record);
}

int
main(void)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
	struct order order;
	struct str line;
	size_t i, letter;

	for (; unit_line(&line); putchar('\n')) {
		order = (struct order){ .count = 0 };
		fputs("-", stdout);
		for (i = letter = 0; i < line.len; i++) {
			if (is_digit(line.data[i])) {
				order_add(&order, (struct queued){
				    strtoull(line.data + i, NULL, 10),
				    &letters[letter++ % 26], NULL });
				while (i < line.len && is_digit(line.data[i]))
					i++;
			} else if (line.data[i] == '|')
				order_end_round(&order);
			else if (line.data[i] == '/')
				order_relieve(&order);
			deliver(&order);
			if (i < line.len && line.data[i] == '|')
				fputs(" |", stdout);
		}
		order_end(&order);
		deliver(&order);
		order_free(&order);
	}
	return 0;
}
