#include "extras.h"
#include "line.h"
#include "perf/frameline.h"

#define PADDED_COMMAND	15	/* characters: perf pads shorter names */
#define LONG_ADDRESS	5	/* digits that are hardly another word */

static bool
is_empty(struct str text)
{
	return text.len == 0 || (is_blank(text.data[text.len - 1]) &&
	    str_trim_start(text).len == 0);
}

bool
line_is_certain(const struct line *line)
{
	struct str address = line->frame.address;
	struct str module = line->frame.module;
	size_t digits = 0;

	if (line->kind != LINE_FRAME)
		return line->certain;
	while (digits < address.len && is_hex(address.data[digits]))
		digits++;
	return digits == address.len &&
	    (line->padded || digits >= LONG_ADDRESS ||
	    str_starts(module, STR("/")) || str_starts(module, STR("[")));
}

/*
 * Returns the index of the last frame's address: the first word of s, or the
 * last of LONG_ADDRESS digits or more, that is an address.
 */
static size_t
find_address(struct str s, bool padded)
{
	size_t at, end, found = s.len;

	for (at = 0; at < s.len; at = end + 1) {
		for (end = at; end < s.len && is_hex(s.data[end]);)
			end++;
		if (end < s.len && s.data[end] == ' ' && (end - at >=
		    LONG_ADDRESS || (padded && at == 0 && end > at)))
			found = at;
		while (end < s.len && s.data[end] != ' ')
			end++;
	}
	return found;
}

/*
 * Returns the index of the last address that fills its columns: a blank and 16,
 * mostly blanks; s.len if there is none.  An event's name is followed by one
 * more blank; otherwise it is a data address.
 */
static size_t
find_columns(struct str s)
{
	size_t at = 0, word, end, found = s.len;

	while (at < s.len) {
		for (word = at; word < s.len && s.data[word] == ' ';)
			word++;
		for (end = word; end < s.len && is_hex(s.data[end]);)
			end++;
		if (end > word && end - at >= FRAME_ADDRESS_END + (at == 0) &&
		    end - word < FRAME_ADDRESS_END && (end == s.len ||
		    (end + 1 < s.len && s.data[end] == ' ' &&
		    s.data[end + 1] != ' ')))
			found = end - FRAME_ADDRESS_END;
		for (at = end; at < s.len && s.data[at] != ' ';)
			at++;
	}
	return found;
}

/* Parses the frame at the last address in columns.  It may lack the module. */
static bool
parse_in_columns(struct str s, size_t *start, struct frame_line *frame)
{
	struct str whole = str_take(s, extras_start(s));

	*start = find_columns(whole);
	if (*start < whole.len &&
	    frame_line_parse(str_skip(whole, *start), frame))
		return true;
	whole = str_take(s, extras_start_bare(s));
	*start = find_columns(whole);
	return *start < whole.len &&
	    frame_line_parse_bare(str_skip(whole, *start), frame) &&
	    !is_blank(frame->symbol.data[0]);
}

/*
 * Finds the frame of a sample without a call graph.  perf script prints it on
 * the event line, after the arguments of a tracepoint, and pads the command on
 * the left:
 *
 *	   swapper     0 [000] 115.1:     250000 cycles:  ffffffff81000130 ...
 *
 * If the line is not `padded`, only a command of 15 characters or a missing
 * command can have its frame there.
 */
static bool
parse_lone_frame(const struct event *event, bool padded,
    struct frame_line *frame)
{
	struct str rest = event->rest;
	size_t at;

	if (event->thread.comm.len == 0 &&
	    parse_in_columns(event->columns, &at, frame))
		return true;
	if (!padded && event->thread.comm.len < PADDED_COMMAND)
		return false;
	rest.len = extras_start(rest);
	at = find_address(rest, padded);
	return (at < rest.len && frame_line_parse(str_skip(rest, at), frame)) ||
	    (padded && parse_in_columns(event->columns, &at, frame));
}

/* Classifies a line with a time stamp. */
static enum line_kind
timed_kind(struct line *line, unsigned form)
{
	struct event *event = &line->event;
	bool padded = line->padded || ((form & EVENT_SQUEEZED) &&
	    event->thread.comm.len == 0);

	line->certain = true;
	if (event->record)
		return LINE_RECORD;
	if (parse_lone_frame(event, padded, &line->frame)) {
		event->counts |= line->frame.address.data == event->rest.data;
		return LINE_LONE_FRAME;
	}
	/* A number in an address's columns, and no more, may be anything. */
	line->certain = event->rest.data != str_trim_start(line->text).data;
	/* Without a command, padding cannot be recognized. */
	if (!line->padded && (event->thread.comm.len > 0 ||
	    event->rest.len == 0 || event->has_address))
		return LINE_EVENT;
	return event->rest.len == 0 || event->thread.comm.len == 0 ?
	    LINE_PADDED_EVENT : LINE_ARGUMENTS;
}

/* True if words alone tell the parts of event lines without a time. */
static bool
is_in_words(unsigned form)
{
	return (form & EVENT_SQUEEZED) && !(form & EVENT_NUMBERLESS);
}

/* Parses "COMM PID", or less that ends in a blank as perf's own lines do. */
static bool
parse_untimed_event(struct str text, enum line_place place, unsigned form,
    struct event *event)
{
	return (place != LINE_INSIDE && !is_in_words(form) &&
	    text.data[text.len - 1] == ' ' &&
	    event_parse_untimed(text, form, event) && (event->name.len > 0 ||
	    event->period.len > 0 || event->thread.pid.len > 0)) ||
	    event_parse_words(text, form, event);
}

static bool
parse_frame(struct line *line, enum line_place place)
{
	return frame_line_parse(line->text, &line->frame) ||
	    (place != LINE_OUTSIDE && line->text.data[0] == '\t' &&
	    frame_line_parse_bare(line->text, &line->frame));
}

/* Classifies a line without an event. */
static enum line_kind
other_kind(struct line *line, enum line_place place)
{
	struct str text = line->text;
	bool indented = is_blank(text.data[0]);

	if (extras_are_certain(text))
		return text.data[0] == '\t' ? LINE_TAB_EXTRAS : LINE_EXTRAS;
	if (parse_frame(line, place))
		return LINE_FRAME;
	if (place == LINE_INSIDE && extras_are_likely(text))
		return LINE_LIKELY_EXTRAS;
	if (event_is_record(text))
		return LINE_RECORD;
	return indented ? LINE_DETAIL : LINE_ODD;
}

/*
 * True for "bash " and " 123 ", where perf printed only the command or the ID.
 */
static bool
is_bare_event(struct line *line, enum line_place place, unsigned form)
{
	struct str text = line->text;
	struct event *event = &line->event;

	return place != LINE_INSIDE && text.data[0] != '\t' &&
	    text.data[text.len - 1] == ' ' &&
	    ((is_in_words(form) && event_parse_words(text, form, event)) ||
	    event_parse_untimed(text, form, event)) &&
	    !line->event.record && (line->event.thread.comm.len == 0 ||
	    !is_blank(text.data[0]));
}

/*
 * True for "|8 x += i * i;" and " work.c:8 (inlined)", printed by perf script
 * -F +srccode and +srcline.
 */
static bool
is_source(struct str text)
{
	const struct str inlined = STR(" (inlined)");
	size_t number;

	if (text.data[0] == '|')
		return text.len > 1 && is_digit(text.data[1]);
	if (text.len < 3 || text.data[0] != ' ' || text.data[1] != ' ' ||
	    is_blank(text.data[2]) || !str_ends(text, inlined))
		return false;
	text.len -= inlined.len;
	number = str_digits_start(text);
	return number < text.len && text.data[number - 1] == ':';
}

static enum line_kind
find_kind(struct line *line, enum line_place place, unsigned form)
{
	struct str text = line->text;
	struct event *event = &line->event;
	bool indented = is_blank(text.data[0]);
	enum line_kind kind;

	if (is_source(text))
		return indented ? LINE_DETAIL : LINE_ODD;
	if ((!indented || place != LINE_INSIDE) &&
	    ((!(form & EVENT_SQUEEZED) &&
	    event_parse_aligned(text, form, event)) ||
	    event_parse(text, form, event)) &&
	    (event->time.len > 0 || !(form & EVENT_TIMED)))
		return timed_kind(line, form);
	/* "Processed 283 events and lost 1 chunks!" */
	if (form & EVENT_TIMED)
		return other_kind(line, place);
	if (!indented && parse_untimed_event(text, place, form, event))
		return event->record ? LINE_RECORD : LINE_EVENT;
	if (!indented && is_bare_event(line, place, form))
		return LINE_EVENT;
	kind = other_kind(line, place);
	return (kind == LINE_ODD || kind == LINE_DETAIL) &&
	    is_bare_event(line, place, form) ? LINE_EVENT : kind;
}

/*
 * True for "# captured on: ...", and perhaps for "# hash 29007: ...", but not
 * for "#hash 29007 1.5: cycles:", a sample of the command "#hash".
 */
static bool
is_comment(const struct line *line)
{
	const struct event *event = &line->event;

	if (line->kind != LINE_EVENT && line->kind != LINE_LONE_FRAME)
		return true;
	return is_blank(line->text.data[1]) ? !event->aligned ||
	    event->name.len == 0 || event->thread.pid.len == 0 :
	    !event->aligned && event->name.len == 0;
}

void
line_parse(struct str text, enum line_place place, unsigned form,
    struct line *line)
{
	line->text = text;
	line->padded = text.len > 0 && is_blank(text.data[0]);
	line->certain = false;
	/* nearly all lines */
	if (place == LINE_INSIDE && extras_frame_starts(text) &&
	    frame_line_parse(text, &line->frame)) {
		line->kind = LINE_FRAME;
		return;
	}
	if (is_empty(text)) {
		line->kind = LINE_BLANK;
		return;
	}
	line->kind = find_kind(line, place, form);
	if (text.data[0] == '#' && is_comment(line)) {
		line->kind = LINE_COMMENT;
		line->certain = false;
	}
}

/* True if no blank follows another one, except in comments. */
static bool
is_squeezed(struct str bytes)
{
	struct str line;
	size_t len;

	for (; bytes.len > 0; bytes = str_skip(bytes, len)) {
		len = str_find(bytes, '\n');
		line = str_take(bytes, len);
		if (!str_starts(line, STR("#")) &&
		    str_contains(line, STR("  ")))
			return false;
		len += len < bytes.len;
	}
	return true;
}

/* What the event lines of a file's beginning show. */
struct shown {
	bool numberless;	/* one has a command and no number, */
	bool padded;		/* ...or a number that blanks align, */
	bool weightless;	/* ...or an event's name and no period */
	bool timed;		/* one has a time */
	bool untimed;		/* one with frames has none */
	bool open;		/* one with a time has not ended */
	bool awaits;		/* frames may follow one that has none */
};

static void
note_event(struct str text, unsigned form, struct shown *shown)
{
	const struct event *event;
	struct line line;

	line_parse(text, LINE_BETWEEN, form, &line);
	event = &line.event;
	shown->open &= line.kind != LINE_BLANK;
	shown->awaits = false;
	if (line.kind != LINE_EVENT && line.kind != LINE_PADDED_EVENT &&
	    line.kind != LINE_LONE_FRAME && line.kind != LINE_ARGUMENTS)
		return;
	shown->numberless |= event->thread.pid.len == 0 &&
	    event->thread.comm.len > 0 && event->time.len + event->name.len > 0;
	shown->padded |= event->thread.certain && event->thread.pid.len > 0 &&
	    event->thread.pid.len < THREAD_ID_COLUMNS;
	shown->weightless |= event->name.len > 0 && event->period.len == 0;
	shown->timed |= event->time.len > 0;
	shown->open |= event->time.len > 0;
	shown->awaits = !shown->open;
	shown->untimed |= shown->awaits && line.kind == LINE_LONE_FRAME;
}

unsigned
line_form(struct str bytes)
{
	unsigned form = is_squeezed(bytes) ? EVENT_SQUEEZED : 0;
	struct shown shown = { .numberless = false };
	size_t len;

	while ((len = str_find(bytes, '\n')) < bytes.len) {
		if (!str_starts(bytes, STR("\t")))
			note_event(str_take(bytes, len), form | EVENT_WEIGHTED,
			    &shown);
		else
			shown.untimed |= shown.awaits;
		bytes = str_skip(bytes, len + 1);
	}
	return form |
	    (shown.numberless && !shown.padded ? EVENT_NUMBERLESS : 0) |
	    (shown.weightless ? 0 : EVENT_WEIGHTED) |
	    (shown.timed && !shown.untimed ? EVENT_TIMED : 0);
}
