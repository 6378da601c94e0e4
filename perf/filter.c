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
	size_t at = str_find(event, ',');

	text_add(&filter->event, event);
	filter->asked_for = event.len > 0;
	if (at == event.len)
		return;
	table_add(&filter->choices, event);
	for (; at < event.len;
	    at += 1 + str_find(str_skip(event, at + 1), ',')) {
		table_add(&filter->choices, str_take(event, at));
		table_add(&filter->choices, str_skip(event, at + 1));
	}
	filter->met = mem_array(filter->choices.count, sizeof(*filter->met));
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

/* True if an event is the wanted one, or the same of another PMU. */
static bool
counts_as(const struct filter *filter, struct str wanted, struct str event)
{
	struct event_parts a, b;

	if (str_equal(wanted, event))
		return true;
	return parse_name(event, &a) &&
	    !(parse_name(wanted, &b) && filter->asked_for) &&
	    str_equal(a.event, b.event) &&
	    str_equal(a.modifiers, b.modifiers);
}

/* Returns the number of a choice, or TABLE_NONE. */
static uint32_t
find_choice(const struct filter *filter, struct str event)
{
	const struct table *choices = &filter->choices;
	uint32_t number = table_find(choices, event), i;

	for (i = 0; i < choices->count && number == TABLE_NONE; i++)
		if (counts_as(filter, choices->keys[i], event))
			number = i;
	return number;
}

uint32_t
filter_frame(const struct filter *filter, struct fold *fold, struct str event)
{
	uint32_t choice = find_choice(filter, event);

	if (!filter_keeps_events(filter))
		return 0;
	if (choice != TABLE_NONE)
		event = filter->choices.keys[choice];
	return 1 + fold_name(fold, event.len > 0 ? event : STR("unknown"));
}

/* Notes that an event exists if it is a choice; false if it is not. */
static bool
meet(struct filter *filter, struct str event)
{
	uint32_t number = find_choice(filter, event);

	if (number != TABLE_NONE)
		filter->met[number] = true;
	return number != TABLE_NONE;
}

void
filter_report(const struct filter *filter, size_t others)
{
	if (!filter->asked_for && others > 0)
		message_plain("Filtering for events of type: %s (samples of "
		    "others, which are left out: %zu)",
		    message_shown(text_str(&filter->event)), others);
}

/* Notes another event for messages, unless they have enough. */
static void
note_other(struct filter *filter, struct str event)
{
	if (filter->seen.count <= EVENTS_SHOWN)
		table_add(&filter->seen, event);
}

void
filter_meet(struct filter *filter, struct str event)
{
	if (!meet(filter, event) && filter->choices.count > 0)
		note_other(filter, event);
}

bool
filter_wants(struct filter *filter, struct str event)
{
	if (event.len == 0 || filter->each)
		return true;
	/* the first one counts */
	if (filter->choices.count == 0 && filter->event.len == 0)
		text_add(&filter->event, event);
	if (filter->choices.count > 0 ? meet(filter, event) :
	    counts_as(filter, text_str(&filter->event), event))
		return true;
	++*filter->others;
	if (filter->asked_for)
		note_other(filter, event);
	return false;
}

static bool
is_met(const struct filter *filter, struct str event)
{
	uint32_t number = find_choice(filter, event);

	return number != TABLE_NONE && filter->met[number];
}

size_t
filter_resolve(const struct filter *filter, struct str names[2])
{
	struct str all = text_str(&filter->event);
	size_t at;

	names[0] = all;
	if (filter->choices.count == 0 || is_met(filter, all))
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
filter_add_others(const struct filter *filter, struct text *text)
{
	uint32_t i;

	for (i = 0; i < filter->seen.count; i++)
		add_name(text, i == EVENTS_SHOWN ? STR("...") :
		    filter->seen.keys[i]);
}

void
filter_add_events(const struct filter *filter, struct text *text)
{
	const struct table *choices = &filter->choices;
	uint32_t i;

	for (i = 0; i < choices->count; i++)
		if (filter->met[i])
			add_name(text, choices->keys[i]);
	filter_add_others(filter, text);
}
