#include <stdlib.h>

#include "filter.h"
#include "lib/message.h"

#define EVENTS_SHOWN	8

void
filter_ask(struct filter_notes *notes, struct str event)
{
	text_add(&notes->event, event);
	notes->asked_for = event.len > 0;
}

void
filter_learn(struct filter *filter, struct str event)
{
	struct text *noted = &filter->notes->event;

	if (filter->event.len > 0)
		return;
	input_wait(filter->input);
	if (noted->len == 0)
		text_add(noted, event);
	text_add(&filter->event, text_str(noted));
}

bool
filter_knows(struct filter *filter)
{
	if (filter->event.len == 0 && filter->notes->asked_for)
		text_add(&filter->event, text_str(&filter->notes->event));
	return filter->event.len > 0;
}

/* Says once that other events do not count, in the original's words. */
static void
tell_others(struct filter *filter)
{
	struct text shown = { 0 };

	input_wait(filter->input);
	filter->others_told = true;
	if (filter->notes->others_told)
		return;
	filter->notes->others_told = true;
	message_add_shown(&shown, text_str(&filter->event));
	message_plain("Filtering for events of type: %.*s",
	    (int)shown.len, shown.data);
	free(shown.data);
}

/* Adds an event's name, and of too many one more; false if nothing is new. */
static bool
add_seen(struct table **seen, struct str event)
{
	if (*seen == NULL) {
		*seen = mem_array(1, sizeof(**seen));
		table_init(*seen);
	}
	if ((*seen)->count > EVENTS_SHOWN ||
	    table_find(*seen, event) != TABLE_NONE)
		return false;
	table_add(*seen, event);
	return true;
}

/* Notes another event for all threads, when this one first meets it. */
static void
note_other(struct filter *filter, struct str event)
{
	if (!add_seen(&filter->seen, event))
		return;
	input_wait(filter->input);
	add_seen(&filter->notes->seen, event);
}

bool
filter_wants(struct filter *filter, struct str event)
{
	if (event.len == 0)
		return true;
	filter_learn(filter, event);
	if (str_equal(event, text_str(&filter->event)))
		return true;
	++*filter->others;
	if (filter->notes->asked_for)
		note_other(filter, event);
	else if (!filter->others_told)
		tell_others(filter);
	return false;
}

void
filter_add_others(const struct filter_notes *notes, struct text *text)
{
	const struct table *seen = notes->seen;
	uint32_t i;

	for (i = 0; seen != NULL && i < seen->count; i++) {
		text_add(text, i == 0 ? STR(": ") : STR(", "));
		text_add(text, i == EVENTS_SHOWN ? STR("...") : seen->keys[i]);
	}
}

static void
free_seen(struct table *seen)
{
	if (seen != NULL)
		table_free(seen);
	free(seen);
}

void
filter_free(struct filter *filter)
{
	free(filter->event.data);
	free_seen(filter->seen);
}

void
filter_free_notes(struct filter_notes *notes)
{
	free(notes->event.data);
	free_seen(notes->seen);
}
