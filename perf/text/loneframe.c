#include "extras.h"
#include "loneframe.h"

#define PADDED_COMMAND	15	/* characters: perf pads shorter names */
#define LONG_ADDRESS	5	/* digits that are hardly another word */

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
 * Returns the index of the columns of the last address in s, a blank and 16, of
 * which blanks may fill most; s.len if there is none.  One more blank separates
 * the first from an event's name; else it is an address of data.
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

/* Parses the frame, which may have no module, in its columns in s. */
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

bool
lone_frame_parse(const struct event *event, bool padded,
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
