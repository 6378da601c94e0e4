#include "event.h"

#define SAFE_DIGITS	20	/* fewer make no number larger than 2^64 - 1 */

#define RECORD		STR("PERF_RECORD_")

bool
event_is_record(struct str line)
{
	size_t at = str_search(line, RECORD);

	return at == 0 || (at < line.len && is_blank(line.data[at - 1]));
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

/* Where "[000] " before `end` begins, or end. */
static size_t
cpu_before(struct str s, size_t end)
{
	size_t close = blanks_before(s, end), digits;

	if (close == 0 || s.data[close - 1] != ']')
		return end;
	digits = digits_before(s, close - 1);
	if (digits == close - 1 || digits == 0 || s.data[digits - 1] != '[')
		return end;
	return digits - 1;
}

/* COMM PID[/TID] before `end` */
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
	if (start == end || comm_end == start || comm_end == 0)
		return false;
	event->comm = str_trim_start(str_take(s, comm_end));
	return true;
}

/* COMM PID[/TID] [CPU] SECONDS.FRACTION before the ':' at `colon` */
static bool
parse_before_time(struct str s, size_t colon, struct event *event)
{
	size_t fraction = digits_before(s, colon), seconds, end;

	if (fraction == colon || fraction == 0 || s.data[fraction - 1] != '.')
		return false;
	seconds = digits_before(s, fraction - 1);
	if (seconds == fraction - 1)
		return false;
	end = blanks_before(s, cpu_before(s, seconds));
	event->head = str_take(s, end);
	return end < seconds && parse_command(s, end, event);
}

/*
 * "  235 cycles:u: REST", after the time stamp.  The number is a weight only
 * where nothing follows: the arguments of a tracepoint do not change its 1.
 */
static void
parse_after_time(struct str s, struct event *event)
{
	size_t digits = 0, end = 0;

	s = str_trim_start(s);
	while (digits < s.len && is_digit(s.data[digits]))
		digits++;
	event->period = event->name = str_take(s, 0);
	event->record = str_starts(s, RECORD);
	if (digits < s.len && is_blank(s.data[digits])) {
		event->period = str_take(s, digits);
		s = str_trim_start(str_skip(s, digits));
	}
	while (end < s.len && !is_blank(s.data[end]))
		end++;
	if (end > 1 && s.data[end - 1] == ':')
		event->name = str_take(s, end - 1);
	event->rest = str_trim(str_skip(s, end));
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
