/*
 * filter: chooses the event whose samples count: the one asked for, or the
 * first in the input; or two events, or all of them.
 *
 * With several events each stack begins with a frame that names its event.
 * Event names may contain commas: "a,b,c" is the event "a,b,c" if there is one,
 * else the events "a" and "b,c", or "a,b" and "c": the end of the input shows.
 *
 * Hybrid processors have a PMU for each kind of core, and count one event under
 * two names: "cpu_core/cycles/" and "cpu_atom/cycles/". Both count if either is
 * the first event, or if "cycles" is asked for.
 */
#include "lib/message.h"
#include "profile.h"

#define EVENTS_SHOWN	8

void
filter_ask(struct filter *filter, struct str event)
{
	size_t at;

	filter->asked_for = event.len > 0;
	if (filter->asked_for)
		table_add(&filter->choices, event);
	for (at = str_find(event, ','); at < event.len;
	    at += 1 + str_find(str_skip(event, at + 1), ',')) {
		table_add(&filter->choices, str_take(event, at));
		table_add(&filter->choices, str_skip(event, at + 1));
	}
}

/* The parts of an event's name: "cycles" and "u" of "cpu_core/cycles/u". */
struct event_parts {
	struct str event, modifiers;
};

/*
 * Parses EVENT[:MODIFIERS] or PMU/EVENT/[MODIFIERS]; true for the latter,
 * unless EVENT is a raw number of the PMU's own ("cpu/event=0x3c/").  Cuts off
 * the modifier of precision, which changes nothing that is counted.
 */
static bool
parse_name(struct str name, struct event_parts *parts)
{
	size_t first = str_find(name, '/'), last = str_find_last(name, '/');
	bool has_pmu = first > 0 && first + 1 < last && last < name.len;
	size_t end = has_pmu ? last : str_find(name, ':');
	struct str modifiers = str_skip(name, end + (end < name.len));

	if (has_pmu && str_starts(modifiers, STR(":")))
		modifiers = str_skip(modifiers, 1);
	while (str_ends(modifiers, STR("p")) || str_ends(modifiers, STR("P")))
		modifiers.len--;
	parts->event = str_between(name, has_pmu ? first + 1 : 0, end);
	parts->modifiers = modifiers;
	return has_pmu && !str_contains(str_take(parts->event,
	    str_find(parts->event, ',')), STR("="));
}

/* Returns the number of a choice, or of the same event of another PMU. */
static uint32_t
find_choice(const struct filter *filter, struct str event)
{
	const struct table *choices = &filter->choices;
	uint32_t number = table_find(choices, event), i;
	struct event_parts a, b;

	if (number != TABLE_NONE || !parse_name(event, &a))
		return number;
	for (i = 0; i < choices->count; i++)
		if (!(parse_name(choices->keys[i], &b) && filter->asked_for) &&
		    str_equal(a.event, b.event) &&
		    str_equal(a.modifiers, b.modifiers))
			return i;
	return TABLE_NONE;
}

uint32_t
filter_frame(const struct filter *filter, struct fold *fold, struct str event)
{
	uint32_t choice;

	if (!filter_keeps_events(filter))
		return 0;
	choice = find_choice(filter, event);
	if (choice != TABLE_NONE)
		event = filter->choices.keys[choice];
	return 1 + fold_name(fold, event.len > 0 ? event : STR("unknown"));
}

/* Notes an event that was met, if there are few; true if it is a choice. */
static bool
meet(struct filter *filter, struct str event)
{
	const struct table *choices = &filter->choices;
	uint32_t number = find_choice(filter, event);

	if (number != TABLE_NONE)
		event = choices->keys[number];
	if (filter->asked_for && (number != TABLE_NONE ||
	    filter->met.count <= choices->count + EVENTS_SHOWN))
		table_add(&filter->met, event);
	return number != TABLE_NONE;
}

void
filter_meet(struct filter *filter, struct str event)
{
	if (filter_is_list(filter))
		meet(filter, event);
}

bool
filter_wants(struct filter *filter, struct str event)
{
	if (event.len == 0 || filter->each)
		return true;
	/* the first one counts */
	if (filter->choices.count == 0)
		table_add(&filter->choices, event);
	if (meet(filter, event))
		return true;
	++*filter->others;
	return false;
}

void
filter_report(const struct filter *filter)
{
	if (!filter->asked_for && *filter->others > 0)
		message_plain("Filtering for events of type: %s (samples of "
		    "others, which are left out: %zu)",
		    message_shown(filter->choices.keys[0]), *filter->others);
}

static bool
is_met(const struct filter *filter, struct str choice)
{
	return table_find(&filter->met, choice) != TABLE_NONE;
}

size_t
filter_resolve(const struct filter *filter, struct str names[2])
{
	struct str all = filter->choices.keys[0];
	size_t at;

	names[0] = all;
	if (!filter_is_list(filter) || is_met(filter, all))
		return 1;
	for (at = str_find(all, ','); at < all.len;
	    at += 1 + str_find(str_skip(all, at + 1), ',')) {
		names[0] = str_take(all, at);
		names[1] = str_skip(all, at + 1);
		if (is_met(filter, names[0]) && is_met(filter, names[1]))
			return 2;
	}
	return 0;
}

static void
add_name(struct text *list, struct str event)
{
	text_add(list, list->len == 0 ? STR(": ") : STR(", "));
	text_add(list, event);
}

void
filter_add_events(const struct filter *filter, bool has_choices,
    struct text *text)
{
	const struct table *choices = &filter->choices, *met = &filter->met;
	uint32_t i, others = 0;

	for (i = 0; has_choices && i < choices->count; i++)
		if (is_met(filter, choices->keys[i]))
			add_name(text, choices->keys[i]);
	for (i = 0; i < met->count && others <= EVENTS_SHOWN; i++)
		if (table_find(choices, met->keys[i]) == TABLE_NONE)
			add_name(text, others++ == EVENTS_SHOWN ? STR("...") :
			    met->keys[i]);
}
