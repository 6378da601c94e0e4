/*
 * Reads lines of perf script, and prints what those that begin a sample tell:
 * command, process, thread, time, period, event and the rest.  A line that
 * begins with "columns " is one of a sample without a call graph.
 */
#include <stdio.h>

#include "perf/text/event.h"
#include "unit.h"

static void
print(const struct event *event)
{
	unit_print(event->thread.comm, "|");
	unit_print(event->thread.pid, "|");
	unit_print(event->thread.tid, "|");
	unit_print(event->time, "|");
	unit_print(event->period, "|");
	unit_print(event->name, "|");
	unit_print(event->rest, event->counts ? " counts" : "");
}

int
event_main(int argc, char **argv)
{
	const struct str columns = STR("columns ");
	struct event event;
	struct str line;
	bool is_event;

	(void)argc;
	(void)argv;
	for (; unit_line(&line); putchar('\n')) {
		if (event_is_record(line)) {
			fputs("record", stdout);
			continue;
		}
		is_event = str_starts(line, columns) ?
		    event_parse_aligned(str_skip(line, columns.len), 0,
			&event) :
		    event_parse(line, 0, &event);
		if (is_event)
			print(&event);
		else
			fputs("none", stdout);
	}
	return 0;
}
