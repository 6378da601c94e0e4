#include "event.h"

#define SAFE_DIGITS	20	/* fewer make no number larger than 2^64 - 1 */

#define RECORD		STR("PERF_RECORD_")

bool
event_is_record(struct str line)
{
	size_t at = str_search(line, RECORD);

	return at == 0 || (at < line.len && is_blank(line.data[at - 1])) ||
	    str_starts(line, STR(" instruction trace error type "));
}

static size_t
digits_before(struct str s, size_t end)
{
	while (end > 0 && is_digit(s.data[end - 1]))
		end--;
	return end;
}

static size_t
blanks_before(struct str s, size_t end)
{
	while (end > 0 && is_blank(s.data[end - 1]))
		end--;
	return end;
}

/* Where the blank-free text that ends at `end` begins. */
static size_t
word_before(struct str s, size_t end)
{
	while (end > 0 && !is_blank(s.data[end - 1]))
		end--;
	return end;
}

/* A process's number, which perf prints as -1 when the thread is gone. */
static size_t
id_before(struct str s, size_t end)
{
	size_t start = digits_before(s, end);

	return start < end && start > 0 && s.data[start - 1] == '-' ?
	    start - 1 : start;
}

/* How many bytes that are in `set` stand before `end`, up to `most`. */
static size_t
count_before(struct str s, size_t end, const char *set, size_t most)
{
	size_t count = 0;

	while (count < most && count < end &&
	    strchr(set, s.data[end - count - 1]) != NULL &&
	    s.data[end - count - 1] != '\0')
		count++;
	return count;
}

/* Where "2022-03-01 12:34:56.1234 ", of +tod, before `end` begins, or end. */
static size_t
date_before(struct str s, size_t end)
{
	const size_t day_len = sizeof("2022-03-01") - 1;
	const size_t longest = sizeof("12:34:56.123456789") - 1;
	size_t close = blanks_before(s, end);
	size_t start = close - count_before(s, close, "0123456789:.", longest);
	size_t day_end = blanks_before(s, start);

	return str_contains(str_between(s, start, close), STR(":")) &&
	    day_end < start &&
	    count_before(s, day_end, "0123456789-", day_len) == day_len ?
	    day_end - day_len : end;
}

/* Where "U ", what +misc tells of the sample, before `end` begins, or end. */
static size_t
misc_before(struct str s, size_t end)
{
	const size_t columns = 6;
	size_t close = blanks_before(s, end);
	size_t len = count_before(s, close, "KUHGgMESp", columns);

	return len > 0 && close < end && len < close &&
	    is_blank(s.data[close - len - 1]) ? close - len : end;
}

/*
 * Where "  3 " before `end` begins: -L prints the CPU so, behind the command in
 * eight columns and the number in five.
 */
static size_t
latency_cpu_before(struct str s, size_t end)
{
	const size_t columns = 3, earliest = sizeof("COMMAND_   12") - 1;
	size_t close = blanks_before(s, end), start = digits_before(s, close);
	size_t pid_end = blanks_before(s, start);
	size_t pid = digits_before(s, pid_end);

	return start < close && close - pid_end == 1 + columns &&
	    start > pid_end && pid < pid_end && pid_end > earliest &&
	    is_blank(s.data[pid - 1]) && blanks_before(s, pid) > 0 ?
	    start : end;
}

/* Where "[000] " before `end` begins, or end. */
static size_t
cpu_before(struct str s, size_t end)
{
	size_t close = blanks_before(s, end), digits;

	if (close == 0 || s.data[close - 1] != ']')
		return latency_cpu_before(s, end);
	digits = id_before(s, close - 1);
	if (digits == close - 1 || digits == 0 || s.data[digits - 1] != '[')
		return end;
	return digits - 1;
}

/* "VM: 1234 VCPU:003 ", what perf puts before the commands of guests */
static struct str
without_guest(struct str comm)
{
	static const char *const fields[] = { "VM:", "VCPU:" };
	struct str rest;
	size_t i, digits;

	for (i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		if (!str_starts(comm, str_from(fields[i])))
			continue;
		rest = str_trim_start(str_skip(comm, strlen(fields[i])));
		for (digits = 0; digits < rest.len &&
		    is_digit(rest.data[digits]);)
			digits++;
		if (digits > 0 && digits < rest.len &&
		    is_blank(rest.data[digits]))
			comm = str_trim_start(str_skip(rest, digits));
	}
	return comm;
}

/* [COMM] PID[/TID] before `end` */
static bool
parse_command(struct str s, size_t end, struct event *event)
{
	size_t start = id_before(s, end), comm_end;

	event->pid = str_between(s, start, end);
	event->tid = str_take(s, 0);
	if (start < end && start > 0 && s.data[start - 1] == '/') {
		event->tid = event->pid;
		end = start - 1;
		start = id_before(s, end);
		event->pid = str_between(s, start, end);
	}
	comm_end = blanks_before(s, start);
	if (start == end || (comm_end == start && start > 0))
		return false;
	event->comm = without_guest(str_trim_start(str_take(s, comm_end)));
	return true;
}

/* [COMM] PID[/TID] [CPU] before `end` */
static bool
parse_head(struct str s, size_t end, struct event *event)
{
	end = blanks_before(s, cpu_before(s, end));
	event->head = str_take(s, end);
	return parse_command(s, end, event);
}

/* [COMM] PID[/TID] [CPU] SECONDS.FRACTION before the ':' at `colon` */
static bool
parse_before_time(struct str s, size_t colon, struct event *event)
{
	size_t fraction = digits_before(s, colon), seconds, end;

	if (fraction == colon || fraction == 0 || s.data[fraction - 1] != '.')
		return false;
	seconds = digits_before(s, fraction - 1);
	if (seconds == fraction - 1)
		return false;
	end = misc_before(s, date_before(s, seconds));
	return parse_head(s, end, event) && event->head.len < seconds;
}

/* One past the colon of "cycles:u:" or "raw 0x1a8:"; 0 if s is no such. */
static size_t
name_end(struct str s)
{
	const struct str raw = STR("raw 0x");
	size_t end = str_starts(s, raw) ? raw.len : 0;

	while (end < s.len && !is_blank(s.data[end]))
		end++;
	return end > 1 && s.data[end - 1] == ':' ? end : 0;
}

/* Digits behind a blank, in the ten columns of a period, or more of them. */
static bool
has_period_columns(struct str line, struct str digits)
{
	const size_t columns = 10;
	size_t blanks = (size_t)(digits.data - line.data);

	return digits.len > 0 && blanks > 0 && (blanks == 1 ?
	    digits.len >= columns : blanks + digits.len == 1 + columns);
}

/*
 * "  235 cycles:u: REST", after the time stamp.  The number is a weight only
 * where nothing follows: a tracepoint's arguments do not change its 1.  Where
 * there is no event's name, all is the rest, but for a period in its columns.
 */
static void
parse_after_time(struct str line, struct event *event)
{
	struct str all = str_trim(line), s;
	size_t digits = 0, end;

	while (digits < all.len && is_digit(all.data[digits]))
		digits++;
	event->period = str_take(all, digits);
	if (digits < all.len && !is_blank(all.data[digits]))
		event->period.len = 0;
	event->record = str_starts(all, RECORD) ||
	    str_starts(all, STR("DEFERRED CALLCHAIN "));
	s = str_trim_start(str_skip(all, event->period.len));
	end = name_end(s);
	event->name = str_take(s, end > 0 ? end - 1 : 0);
	event->rest = str_trim_start(str_skip(s, end));
	if (end == 0 && !has_period_columns(line, event->period)) {
		event->period.len = 0;
		event->rest = all;
	}
}

bool
event_parse(struct str line, struct event *event)
{
	size_t colon = str_find(line, ':');

	while (colon < line.len && !parse_before_time(line, colon, event))
		colon += 1 + str_find(str_skip(line, colon + 1), ':');
	if (colon >= line.len)
		return false;
	parse_after_time(str_skip(line, colon + 1), event);
	return true;
}

static const char *
skip_spaces(const char *at)
{
	while (*at == ' ')
		at++;
	return at;
}

static const char *
skip_digits(const char *at)
{
	while (is_digit(*at))
		at++;
	return at;
}

/* " [000] " at `at`: one past it; `at` where it is not, NULL if it is odd. */
static const char *
skip_cpu(const char *at)
{
	const char *digits = at + 1;

	if (*at != '[')
		return at;
	at = skip_digits(digits);
	return at > digits && at[0] == ']' && at[1] == ' ' ?
	    skip_spaces(at + 1) : NULL;
}

/* "502.708183:" at `at`: one past it, or NULL */
static const char *
skip_time(const char *at)
{
	const char *point = skip_digits(at), *end;

	if (point == at || *point != '.')
		return NULL;
	end = skip_digits(point + 1);
	return end > point + 1 && *end == ':' ? end + 1 : NULL;
}

/* "142857 " at `at`: one past it; `at` where it is not, NULL if it is odd. */
static const char *
parse_period(const char *at, unsigned long long *period)
{
	const char *start = at;

	*period = 0;
	for (; is_digit(*at); at++)
		*period = *period * 10 + (unsigned long long)(*at - '0');
	if (at == start)
		return at;
	return at - start < SAFE_DIGITS && *at == ' ' ? skip_spaces(at) : NULL;
}

size_t
event_parse_plain(struct str text, struct str name, unsigned long long *period)
{
	const char *at = text.data, *end = text.data + text.len;

	if (*at != ' ' || (at = skip_cpu(skip_spaces(at))) == NULL ||
	    (at = skip_time(at)) == NULL ||
	    (at = parse_period(skip_spaces(at), period)) == NULL ||
	    (size_t)(end - at) <= name.len ||
	    memcmp(at, name.data, name.len) != 0 || at[name.len] != ':')
		return 0;
	at = skip_spaces(at + name.len + 1);
	return *at == '\n' ? (size_t)(at + 1 - text.data) : 0;
}

/* ": 235 cycles:" at the end of a line without a time stamp */
static void
parse_event_name(struct str line, struct event *event)
{
	struct str s = str_trim_end(line);
	size_t name, blanks, period, before;

	event->head = event->name = event->period = event->rest =
	    str_take(line, 0);
	if (!str_ends(s, STR(":")))
		return;
	name = word_before(s, s.len);
	blanks = blanks_before(s, name);
	period = digits_before(s, blanks);
	before = blanks_before(s, period);
	if (blanks == name || name == s.len - 1 || before == 0 ||
	    s.data[before - 1] != ':')
		return;
	event->name = str_between(s, name, s.len - 1);
	event->period = str_between(s, period, blanks);
}

/* What stands before the blank behind an event's colon. */
static bool
parse_before_name(struct str line, size_t colon, struct event *event)
{
	size_t name = word_before(line, colon);
	size_t period_end = blanks_before(line, name);
	size_t period = digits_before(line, period_end);

	if (name == colon)
		return false;
	event->name = str_between(line, name, colon);
	event->period = str_between(line, period, period_end);
	if (parse_head(line, period, event))
		return true;
	event->period.len = 0;
	return period_end < name && parse_head(line, period_end, event);
}

bool
event_parse_counted(struct str line, struct event *event)
{
	const struct str end = STR(": ");
	size_t colon = str_search(line, end);

	while (colon < line.len && !parse_before_name(line, colon, event))
		colon += end.len + str_search(str_skip(line, colon + end.len),
		    end);
	if (colon >= line.len)
		return false;
	event->rest = str_trim(str_skip(line, colon + end.len));
	event->record = false;
	return true;
}

/* "PID[/TID] " at `at`: one past it, or `at` when it is not there. */
static size_t
parse_ids(struct str line, size_t at, struct event *event)
{
	size_t pid_end = at, tid, end;

	while (pid_end < line.len && is_digit(line.data[pid_end]))
		pid_end++;
	for (tid = pid_end; tid < line.len && line.data[tid] == '/';)
		tid++;
	for (end = tid; end < line.len && is_digit(line.data[end]);)
		end++;
	if (pid_end == at || end == line.len || !is_blank(line.data[end]))
		return at;
	event->pid = str_between(line, at, pid_end);
	event->tid = str_between(line, tid, end);
	return end;
}

bool
event_parse_untimed(struct str line, struct event *event)
{
	size_t at = 0, comm_end;

	while (at < line.len) {
		while (at < line.len && !is_blank(line.data[at]))
			at++;
		comm_end = at;
		while (at < line.len && is_blank(line.data[at]))
			at++;
		if (parse_ids(line, at, event) > at) {
			event->comm = str_take(line, comm_end);
			event->record = event_is_record(line);
			parse_event_name(line, event);
			return true;
		}
	}
	return false;
}
