#include "event.h"

#define TIME_COLUMNS	12	/* "%12s", in which perf aligns a time stamp */
#define COMM_COLUMNS	16	/* ...a command without a call graph */
#define PERIOD_COLUMNS	10	/* ...and a period */
#define MOST_BLANKS	64	/* that perf prints before a command */
#define COMM_REACH	64	/* bytes after a time stamp in a command */

#define RECORD		STR("PERF_RECORD_")

#define NANOSECONDS	1000000000	/* in a second */

bool
event_is_record(struct str line)
{
	size_t at = str_search(line, RECORD);

	return at == 0 || (at < line.len && is_blank(line.data[at - 1])) ||
	    str_starts(line, STR(" instruction trace error type "));
}

/* Returns where SECONDS.FRACTION before the ':' at `colon` begins, or colon. */
static size_t
time_start(struct str line, size_t colon)
{
	size_t fraction = str_digits_start(str_take(line, colon)), start;

	if (fraction == colon || fraction == 0 ||
	    line.data[fraction - 1] != '.')
		return colon;
	start = str_digits_start(str_take(line, fraction - 1));
	return start < fraction - 1 ? start : colon;
}

/* True for 123.456789: and 123.456789012:, as perf prints the time. */
static bool
is_perfs_time(struct str line, size_t colon)
{
	size_t fraction = colon - str_digits_start(str_take(line, colon));

	return fraction == 6 || fraction == 9;
}

/* True if such a time is right-aligned in perf's columns. */
static bool
is_aligned_time(struct str line, size_t start, size_t colon)
{
	size_t before = str_trim_end(str_take(line, start)).len;

	return is_perfs_time(line, colon) &&
	    colon - before >= TIME_COLUMNS + (before > 0);
}

/* True for digits in a period's columns, or more, after the separator. */
static bool
in_period_columns(struct str line, struct str digits, size_t separator)
{
	size_t blanks = (size_t)(digits.data - line.data);

	return digits.len > 0 && (blanks == separator ?
	    digits.len >= PERIOD_COLUMNS :
	    blanks + digits.len == separator + PERIOD_COLUMNS);
}

/* True unless what follows a time stamp begins with a number in no columns. */
static bool
is_aligned_rest(struct str s)
{
	size_t start = str_blanks(s);
	struct str number = str_skip(s, start);

	number.len = str_digits(number);
	return number.len == 0 || in_period_columns(s, number, 1) ||
	    start + number.len == s.len ||
	    !is_blank(s.data[start + number.len]);
}

/*
 * True if the blanks before the time stamp, or before a period that follows it,
 * show that perf aligned the line.
 */
static bool
shows_columns(struct str line, size_t start, size_t colon)
{
	size_t before = start - str_trim_end(str_take(line, start)).len;
	struct str rest = str_skip(line, colon + 1);
	size_t blanks = str_blanks(rest);

	return before > 1 || (blanks > 1 && blanks < rest.len &&
	    is_digit(rest.data[blanks]));
}

/* Parses whose sample it is in line, before the time stamp at `start`. */
static bool
parse_thread(struct str line, size_t start, size_t colon, unsigned form,
    struct event *event)
{
	struct str s = str_take(line, start);
	struct thread_id numbered, command;
	bool has_number = thread_id_parse(s, &numbered);

	if (!has_number) {
		s = thread_id_trim(s);
		has_number = thread_id_parse(s, &numbered);
	}
	has_number = has_number && numbered.text.len < s.len;
	event->thread = numbered;
	if (has_number && !(form & EVENT_NUMBERLESS) && (numbered.certain ||
	    !event->aligned || !shows_columns(line, start, colon)))
		return true;
	if (!is_perfs_time(line, colon) || !thread_id_parse_command(s,
	    &command))
		return has_number;
	event->thread = command;
	return true;
}

/* True for "140.25", as which no event is named. */
static bool
is_decimal(struct str word)
{
	size_t digits = str_digits(word);

	return digits < word.len && word.data[digits] == '.' && digits +
	    1 + str_digits(str_skip(word, digits + 1)) == word.len;
}

/* Returns the end of an event's name and its colon at the start of s, or 0. */
static size_t
name_end_of(struct str s)
{
	const struct str raw = STR("raw 0x");
	size_t end = str_starts(s, raw) ? raw.len : 0;

	while (end < s.len && !is_blank(s.data[end]))
		end++;
	return end > 1 && s.data[end - 1] == ':' &&
	    !is_decimal(str_take(s, end - 1)) ? end : 0;
}

/*
 * True if an address begins s, right-aligned in 16 columns or more after a
 * blank.
 */
static bool
begins_with_address(struct str s)
{
	const size_t columns = 16;
	size_t start = 0, end;

	while (start < s.len && s.data[start] == ' ')
		start++;
	for (end = start; end < s.len && is_hex(s.data[end]);)
		end++;
	return start > 0 && end > start && end > columns &&
	    end - start <= columns && (end == s.len || s.data[end] == ' ');
}

/*
 * Parses "  235 cycles:u: REST", after the time stamp.  Where there is no
 * event's name, all is the rest, except for a period in its columns, or alone
 * on a line that ends in a blank as perf's own do.
 */
static void
parse_after_time(struct str line, size_t separator, struct event *event)
{
	struct str all = str_trim(line), s;
	size_t digits = str_digits(all), end;

	event->period = str_take(all, digits);
	if (digits < all.len && !is_blank(all.data[digits]))
		event->period.len = 0;
	event->record = str_starts(all, RECORD) ||
	    str_starts(all, STR("DEFERRED CALLCHAIN "));
	s = str_trim_start(str_skip(all, event->period.len));
	end = name_end_of(s);
	event->name = str_take(s, end > 0 ? end - 1 : 0);
	event->rest = str_trim_start(str_skip(s, end));
	event->columns = str_skip(line, (size_t)(s.data - line.data) + end);
	if (end == 0 && !in_period_columns(line, event->period, separator) &&
	    (event->period.len < all.len || !str_ends(line, STR(" ")) ||
	    begins_with_address(line))) {
		event->period.len = 0;
		event->rest = all;
		event->columns = line;
	} else if (end == 0)
		event->columns = str_skip(line, (size_t)(event->period.data -
		    line.data) + event->period.len);
	event->has_address = begins_with_address(event->columns);
	event->counts = event->rest.len == 0 || event->has_address;
}

/* Parses a line whose time stamp ends in the ':' at `colon`. */
static bool
parse_at(struct str line, size_t colon, unsigned form, struct event *event)
{
	size_t start = time_start(line, colon);

	event->aligned = start < colon && is_aligned_time(line, start, colon) &&
	    is_aligned_rest(str_skip(line, colon + 1));
	if (start == colon || !parse_thread(line, start, colon, form, event))
		return false;
	parse_after_time(str_skip(line, colon + 1), 1, event);
	event->time = str_between(line, start, colon);
	return true;
}

/* True if a is more likely to be the event of a line than b. */
static bool
is_better(const struct event *a, const struct event *b)
{
	return a->name.len > 0 || (a->aligned && !b->aligned);
}

/* A command may look like a time stamp; it is too short for many. */
bool
event_parse(struct str line, unsigned form, struct event *event)
{
	size_t colon = str_find(line, ':'), first = line.len;
	struct event other;

	if (line.len - str_trim_start(line).len > MOST_BLANKS)
		return false;
	for (; colon < line.len && (first == line.len ||
	    colon - first < COMM_REACH);
	    colon += 1 + str_find(str_skip(line, colon + 1), ':')) {
		if (!parse_at(line, colon, form, &other))
			continue;
		if (first == line.len || is_better(&other, event))
			*event = other;
		if (first == line.len)
			first = colon;
		if (event->name.len > 0 || event->record)
			break;
	}
	return first < line.len;
}

/*
 * Parses [PID[/TID]] at the start of s, in its columns and perhaps after a
 * separator; returns how much of s that is.
 */
static size_t
parse_numbers(struct str s, size_t separator, struct event *event)
{
	struct thread_id *thread = &event->thread;
	size_t start = str_blanks(s), pid, end;

	thread->pid = thread->tid = str_take(s, 0);
	if (start < s.len && s.data[start] == '-')
		start++;
	pid = end = start + str_digits(str_skip(s, start));
	if (end > start && end < s.len && s.data[end] == '/')
		end += 1 + str_digits(str_skip(s, end + 1));
	if (pid == start || pid - separator < THREAD_ID_COLUMNS ||
	    pid - separator >= PERIOD_COLUMNS ||
	    end == s.len || s.data[end] != ' ')
		return 0;
	if (start > 0 && s.data[start - 1] == '-')
		start--;
	thread->pid = str_between(s, start, pid);
	if (end == pid)
		return end;
	thread->tid = str_between(s, pid + 1, end);
	/* "7/8    " is aligned on the left after the '/' */
	while (end <= pid + THREAD_ID_COLUMNS && end + 1 < s.len &&
	    s.data[end + 1] == ' ')
		end++;
	return end;
}

/* Returns one past the colon of a time stamp that s begins with, or 0. */
static size_t
time_end(struct str s)
{
	size_t start = str_blanks(s), colon;

	colon = start + str_digits(str_skip(s, start));
	if (colon < s.len && s.data[colon] == '.')
		colon += 1 + str_digits(str_skip(s, colon + 1));
	return colon > start && colon < s.len && s.data[colon] == ':' &&
	    time_start(s, colon) == start ? colon + 1 : 0;
}

/* Returns one past "   0", as -L prints the CPU, before a time, or 0. */
static size_t
bare_cpu_end(struct str s)
{
	const size_t columns = 4;
	size_t start = str_blanks(s);

	return start < columns && s.len > columns &&
	    start + str_digits(str_skip(s, start)) == columns &&
	    s.data[columns] == ' ' && time_end(str_skip(s, columns)) > 0 ?
	    columns : 0;
}

/* Returns one past "[000]" after blanks at the start of s, or 0. */
static size_t
cpu_end(struct str s)
{
	size_t start = str_blanks(s), end;

	if (start == s.len || s.data[start] != '[')
		return bare_cpu_end(s);
	end = start + 1 + str_digits(str_skip(s, start + 1));
	return end > start + 1 && end < s.len && s.data[end] == ']' ?
	    end + 1 : 0;
}

/* Parses what follows the command in `line` at `at`. */
static bool
parse_forward(struct str line, size_t at, struct event *event)
{
	size_t end;

	at += parse_numbers(str_skip(line, at), at > 0, event);
	at += cpu_end(str_skip(line, at));
	at += thread_id_extras(str_skip(line, at));
	end = time_end(str_skip(line, at));
	event->time = str_trim_start(str_between(line, at,
	    at + end - (end > 0)));
	parse_after_time(str_skip(line, at + end), at + end > 0, event);
	event->aligned = true;
	return !event->record && (end > 0 || event->has_address);
}

/*
 * True if a line may be by columns: padded, or, without a command, with a
 * number or an event's name before the first blank.
 */
static bool
may_be_aligned(struct str line)
{
	size_t word;

	if (is_blank(line.data[0]) || is_digit(line.data[0]) ||
	    line.data[0] == '-' || line.data[0] == '[')
		return true;
	word = str_find(line, ' ');
	return line.data[word - 1] == ':';
}

static bool
begins_with_number(struct str line)
{
	size_t start = str_blanks(line);

	return start < line.len &&
	    (is_digit(line.data[start]) || line.data[start] == '-');
}

static bool
begins_with_time(struct str line)
{
	size_t end = time_end(line);

	return end > 0 && is_aligned_time(line, str_blanks(line), end - 1);
}

/* Parses a line whose command is in the first 16 columns. */
static bool
parse_after_comm(struct str line, struct str comm, unsigned form,
    struct event *event)
{
	struct thread_id eight;

	event->thread.comm = comm;
	if (!parse_forward(line, COMM_COLUMNS, event))
		return false;
	/* With -L the command has eight columns, and the number follows. */
	if (event->thread.pid.len == 0 && !(form & EVENT_NUMBERLESS) &&
	    thread_id_parse(comm, &eight) && eight.certain)
		event->thread = eight;
	return true;
}

bool
event_parse_aligned(struct str line, unsigned form, struct event *event)
{
	struct thread_id *thread = &event->thread;
	struct str nothing = str_take(line, 0), comm = nothing;

	if (!may_be_aligned(line))
		return false;
	thread->text = thread->comm = nothing;
	thread->certain = false;
	if (begins_with_number(line) && parse_forward(line, 0, event) &&
	    thread->pid.len > 0)
		return true;
	if (line.len > COMM_COLUMNS && line.data[0] == ' ' &&
	    line.data[COMM_COLUMNS] == ' ' &&
	    !begins_with_time(line))
		comm = str_trim(str_take(line, COMM_COLUMNS));
	if (comm.len > 0 && parse_after_comm(line, comm, form, event))
		return true;
	/* An address alone may be any number. */
	thread->text = thread->comm = nothing;
	return parse_forward(line, 0, event) && event->has_address &&
	    event->columns.data > line.data;
}

/* Returns where the word that ends at `end` begins. */
static size_t
word_before(struct str s, size_t end)
{
	while (end > 0 && !is_blank(s.data[end - 1]))
		end--;
	return end;
}

/* Cuts an event's name off the end of s, and the blanks before it. */
static void
cut_name(struct str *s, struct event *event)
{
	size_t start = word_before(*s, s->len);

	event->name = str_take(*s, 0);
	if (start == s->len || name_end_of(str_skip(*s, start)) <
	    s->len - start)
		return;
	event->name = str_between(*s, start, s->len - 1);
	*s = str_trim_end(str_take(*s, start));
}

/*
 * Cuts a period off the end of s: digits in their columns, or any digits before
 * an event's name if the thread's ID remains before them.
 */
static struct str
cut_period(struct str *s, bool named)
{
	size_t start = str_digits_start(*s);
	size_t before = str_trim_end(str_take(*s, start)).len;
	struct str digits = str_skip(*s, start);
	struct thread_id thread;

	if (start == s->len || (before == start && start > 0) ||
	    (s->len - before < (before > 0) + PERIOD_COLUMNS &&
	    !(named && thread_id_parse(str_take(*s, start), &thread) &&
	    thread.certain)))
		return str_take(*s, 0);
	s->len = before;
	return digits;
}

bool
event_parse_untimed(struct str s, unsigned form, struct event *event)
{
	struct str all = s, trimmed;
	size_t width;

	*event = (struct event){
		.rest = str_skip(s, s.len),
		.columns = str_skip(s, s.len),
		.counts = true,
		.aligned = true,
		.record = event_is_record(s),
	};
	s = str_trim_end(s);
	cut_name(&s, event);
	width = s.len;
	event->period = cut_period(&s, event->name.len > 0);
	width -= s.len;
	/* with the blank after it */
	trimmed = thread_id_trim(str_take(s, s.len + (s.len < all.len)));
	if (trimmed.len < s.len && (width > 1 + PERIOD_COLUMNS ||
	    thread_id_parse(trimmed, &event->thread)))
		s = trimmed;
	return form & EVENT_NUMBERLESS ?
	    thread_id_parse_command(s, &event->thread) :
	    thread_id_parse_columns(s, &event->thread);
}

/* Parses "PID[/TID] " at `at`; false if it is not there. */
static bool
parse_ids(struct str line, size_t at, struct thread_id *thread)
{
	size_t start = at, pid_end, tid, end;

	start += at < line.len && line.data[at] == '-';
	pid_end = start + str_digits(str_skip(line, start));
	for (tid = pid_end; tid < line.len && line.data[tid] == '/';)
		tid++;
	end = tid + str_digits(str_skip(line, tid));
	if (pid_end == start || end == line.len || !is_blank(line.data[end]))
		return false;
	thread->pid = str_between(line, at, pid_end);
	thread->tid = str_between(line, tid, end);
	return true;
}

/*
 * True if a number, before which the line holds `before`, is certainly no
 * thread's: after "7/8", "7 [001]", or "7" where periods are printed.
 */
static bool
follows_thread(struct str before, bool weighted,
    const struct thread_id *thread)
{
	return before.data + before.len > thread->pid.data &&
	    (weighted || thread->tid.len > 0 || str_ends(before, STR("]")));
}

/*
 * Parses "235 cycles:" at the end of a line.  In the original a ':' must be
 * before it, and the number may be the thread's; here a line that ends in a
 * blank, as perf's own do, needs none.
 */
static void
parse_last_words(struct str line, unsigned form, struct event *event)
{
	struct str words = str_trim_end(line), before;
	size_t start;

	event->time = event->rest = event->period = str_take(line, 0);
	cut_name(&words, event);
	start = str_digits_start(words);
	before = str_trim_end(str_take(words, start));
	if (!str_ends(before, STR(":")) && !str_ends(line, STR(" ")))
		event->name = event->time;
	else if (before.len < start && (str_ends(before, STR(":")) ||
	    follows_thread(before, form & EVENT_WEIGHTED &&
	    event->name.len > 0, &event->thread)))
		event->period = str_skip(words, start);
}

bool
event_parse_words(struct str line, unsigned form, struct event *event)
{
	size_t at = 0, comm_end;

	*event = (struct event){ .counts = true };
	while (at < line.len) {
		while (at < line.len && !is_blank(line.data[at]))
			at++;
		comm_end = at;
		while (at < line.len && is_blank(line.data[at]))
			at++;
		if (parse_ids(line, at, &event->thread)) {
			event->thread.comm = str_take(line, comm_end);
			event->record = event_is_record(line);
			parse_last_words(line, form, event);
			return true;
		}
	}
	return false;
}

uint64_t
event_nanoseconds(struct str time)
{
	struct str fraction;
	unsigned long long value;
	size_t digits;

	if (time.len == 0)
		return EVENT_NO_TIME;
	fraction = str_skip(time, str_digits(time));
	if (!str_number(time, &value) || value >= UINT64_MAX / NANOSECONDS)
		return EVENT_NO_TIME;
	for (digits = 1; digits <= 9; digits++)
		value = value * 10 + (digits < fraction.len &&
		    is_digit(fraction.data[digits]) ?
		    (unsigned)(fraction.data[digits] - '0') : 0);
	return value;
}

/* Returns the value of a digit in any base up to 16; 16 for another byte. */
static unsigned
digit_of(char c)
{
	return is_digit(c) ? (unsigned)(c - '0') : !is_hex(c) ? 16 :
	    10 + ((unsigned)c | 32) - 'a';
}

/* Parses "-12" or "0x1f" at the start of s, if it is a word of its own. */
static bool
parse_signed(struct str s, int64_t *number)
{
	bool is_negative = str_starts(s, STR("-"));
	unsigned base, digit;
	uint64_t value = 0;
	size_t i = 0;

	s = str_skip(s, is_negative);
	base = str_starts(s, STR("0x")) ? 16 : 10;
	s = str_skip(s, base == 16 ? 2 : 0);
	for (; i < s.len && (digit = digit_of(s.data[i])) < base; i++) {
		if (value > (UINT64_MAX - digit) / base)
			return false;
		value = value * base + digit;
	}
	*number = (int64_t)(is_negative ? 0 - value : value);
	return i > 0 && (i == s.len || !is_word(s.data[i])) &&
	    !(is_negative && value > INT64_MAX);
}

/* True if a name ends here that begins a word. */
static bool
begins_word(struct str rest, size_t at)
{
	return at == 0 || !is_word(rest.data[at - 1]);
}

/* Returns what follows "field=" or "field: "; empty if it is not there. */
static struct str
find_value(struct str rest, struct str field)
{
	size_t at = str_search(rest, field);
	struct str after;

	while (at < rest.len) {
		after = str_skip(rest, at + field.len);
		if (begins_word(rest, at) && str_starts(after, STR("=")))
			return str_skip(after, 1);
		if (begins_word(rest, at) && str_starts(after, STR(": ")))
			return str_skip(after, 2);
		at += 1 + str_search(str_skip(rest, at + 1), field);
	}
	return str_skip(rest, rest.len);
}

/* Returns the value that a system call has returned, or what is no number. */
static struct str
find_returned(const struct event *event)
{
	const struct str equals = STR(" = ");
	struct str rest = event->rest;
	size_t at = str_search(rest, equals);

	if (str_starts(event->name, STR("syscalls:sys_exit_")))
		return rest;
	return at == rest.len ||
	    !str_equal(event->name, STR("raw_syscalls:sys_exit")) ?
	    STR("") : str_skip(rest, at + equals.len);
}

bool
event_field(const struct event *event, struct str field, int64_t *number)
{
	return parse_signed(find_value(event->rest, field), number) ||
	    (str_equal(field, STR("ret")) &&
	    parse_signed(find_returned(event), number));
}
