/*
 * head: parses the line of perf script that begins a sample,
 *
 *	COMM PID[/TID] [CPU] SECONDS.FRACTION: PERIOD EVENT: FIELDS
 *
 * Any of these may be missing (perf script -F).  A command may contain blanks,
 * digits, brackets and time stamps.  So fields are cut off from the right, from
 * the time leftwards, and the command is what remains.  The number before the
 * time belongs to it if perf printed no IDs: other lines have none, or it does
 * not fill the columns of its line.
 */
#include "scriptline.h"

#define TIME_COLUMNS	12	/* in which perf aligns a time stamp */
#define PERIOD_COLUMNS	10
#define CPU_COLUMNS	4	/* with -L */
#define MOST_BLANKS	64	/* that perf prints before a command */
#define NANOSECOND	9	/* digits after the point; others are cut off */
#define COMM_REACH	64	/* bytes after a time stamp in a command */
#define MISC		6	/* most letters of +misc */

const struct head head_none = {
	{ "", 0 }, { "", 0 }, { "", 0 }, { "", 0 }, { "", 0 }, { "", 0 },
	{ "", 0 }, { "", 0 }, { "", 0 }, .counts = true
};

/* Cuts the last word off s, with the blanks around it, and returns it. */
static struct str
cut_last_word(struct str *s)
{
	struct str words = str_trim_end(*s);
	size_t start = words.len;

	while (start > 0 && !is_blank(words.data[start - 1]))
		start--;
	*s = str_trim_end(str_take(words, start));
	return str_skip(words, start);
}

/* True if s has only bytes of a set. */
static bool
is_of(struct str s, struct str set)
{
	while (s.len > 0 && str_find(set, s.data[0]) < set.len)
		s = str_skip(s, 1);
	return s.len == 0;
}

/* Skips "VM: 1234 VCPU:003 " before a guest's command. */
static struct str
without_guest(struct str comm)
{
	static const char *const fields[] = { "VM:", "VCPU:", NULL };
	const char *const *field;
	struct str rest;

	for (field = fields; *field != NULL; field++) {
		if (!str_starts(comm, str_from(*field)))
			continue;
		rest = str_skip(comm, strlen(*field));
		if (str_is_number(str_cut_word(&rest)) && rest.len > 0)
			comm = str_trim_start(rest);
	}
	return comm;
}

/* True for a number, or -1 for a thread that has exited. */
static bool
is_id(struct str s)
{
	return str_is_number(str_skip(s, str_starts(s, STR("-"))));
}

/*
 * Cuts the CPU off the end of s: [000], or "  3" of perf script -L, after the
 * command in eight columns and the number in five.
 */
static struct str
cut_cpu(struct str *s)
{
	struct str rest = *s, word = cut_last_word(&rest), comm = rest;

	if (str_starts(word, STR("[")) && str_ends(word, STR("]")) &&
	    is_id(str_between(word, 1, word.len - 1)))
		word = str_between(word, 1, word.len - 1);
	else if (!str_is_number(word) || s->len - rest.len != CPU_COLUMNS ||
	    !str_is_number(cut_last_word(&comm)) ||
	    rest.len < HEAD_ID_COLUMNS ||
	    (comm.len > 0 && rest.len <= sizeof("COMMAND_   12") - 1))
		return str_take(*s, 0);
	*s = rest;
	return word;
}

/* Parses what is before the time, or before the first field there is. */
static void
parse_ids(struct str s, struct head *head)
{
	struct str rest, word, first, second;

	head->pid = head->tid = str_take(s, 0);
	head->cpu = cut_cpu(&s);
	head->thread = rest = s;
	word = second = cut_last_word(&rest);
	first = str_cut(&second, '/');
	if (is_id(first) && is_id(second)) {
		head->pid = first;
		head->tid = second;
	} else if (is_id(word))
		head->tid = word;
	else
		rest = s;
	head->comm = without_guest(str_trim_start(rest));
	head->in_columns = head->tid.len > 0 &&
	    (size_t)(first.data - s.data) + first.len - rest.len >=
	    HEAD_ID_COLUMNS + (rest.len > 0);
}

/*
 * Does the same without what -F +misc,+tod adds, "U  2022-03-01 12:34:56.1234".
 * The letters of +misc have six columns; without a number before them, and one
 * blank after them, they may be a part of the command.
 */
static void
parse_thread(struct str s, struct head *head)
{
	struct str words, rest = s, word = cut_last_word(&rest);
	struct str date = cut_last_word(&rest);

	if (str_contains(word, STR(":")) && is_of(word, STR("0123456789:.")) &&
	    date.len == STR("2022-03-01").len &&
	    is_of(date, STR("0123456789-")))
		s = str_take(s, (size_t)(date.data - s.data));
	rest = words = str_trim_end(s);
	word = cut_last_word(&rest);
	if (word.len < words.len && word.len <= MISC &&
	    is_of(word, STR("KUHGgMESp"))) {
		parse_ids(rest, head);
		if (head->tid.len > 0 || s.len - words.len > 1)
			return;
	}
	parse_ids(words, head);
}

/* Makes a number at the end a part of the command, if that has room. */
static bool
take_command(struct head *head)
{
	struct str comm = without_guest(str_trim_start(head->thread));

	if (comm.len > HEAD_COMM_MOST)
		return false;
	head->comm = comm;
	head->pid = head->tid = str_take(comm, 0);
	return true;
}

/* True for a period in its columns, or a longer one, after a separator. */
static bool
in_period_columns(size_t blanks, size_t digits)
{
	return digits > 0 && (blanks == 1 ? digits >= PERIOD_COLUMNS :
	    blanks + digits == 1 + PERIOD_COLUMNS);
}

/* Returns an event's name at the start of s, up to its colon; empty if none. */
static struct str
event_name(struct str s)
{
	const struct str raw = STR("raw 0x");
	struct str name = str_take(s, str_starts(s, raw) ? raw.len : 0);
	size_t digits;

	while (name.len < s.len && !is_blank(s.data[name.len]))
		name.len++;
	digits = str_digits(name);
	/* no event is called "140.25" */
	if (!str_ends(name, STR(":")) || (name.data[digits] == '.' &&
	    digits + 2 + str_digits(str_skip(name, digits + 1)) == name.len))
		return str_take(s, 0);
	return str_take(name, name.len - 1);
}

bool
head_fills_columns(struct str s)
{
	const size_t end = FRAME_ADDRESS_END;
	size_t at = 1;

	while (at < s.len && at < end && s.data[at] == ' ')
		at++;
	while (at < s.len && at < end && is_hex(s.data[at]))
		at++;
	return at == end && is_hex(s.data[at - 1]) &&
	    (s.len == end || s.data[end] == ' ');
}

/* True if fields begin with an address of data. */
static bool
has_address(struct str s)
{
	while (str_starts(s, STR("  ")) && !head_fills_columns(s))
		s = str_skip(s, 1);
	return str_starts(s, STR(" ")) && head_fills_columns(s);
}

/*
 * Parses "  235 cycles:u: FIELDS" after the time.  Without an event's name, a
 * period must fill its columns, or end the line with a blank after it.
 */
static void
parse_after_time(struct str s, struct head *head)
{
	struct str words = str_trim_start(s), rest = s;
	struct str word = str_cut_word(&rest);
	size_t digits = str_is_number(word) ? word.len : 0;

	rest = str_trim_start(str_skip(words, digits));
	head->period = str_take(words, digits);
	head->event = event_name(rest);
	head->fields = s;
	if (head->event.len > 0)
		head->fields = str_skip(rest, head->event.len + 1);
	else if (in_period_columns(s.len - words.len, digits) ||
	    (rest.len == 0 && str_ends(s, STR(" ")) &&
	    !has_address(head->fields)))
		head->fields = str_skip(words, digits);
	else
		head->period.len = 0;
	head->counts = str_trim_start(head->fields).len == 0 ||
	    has_address(head->fields);
}

/*
 * Parses a line whose SECONDS.FRACTION ends in the ':' at `colon`.  perf
 * aligned it if the time and a number after it fill their columns, and more
 * than one blank comes before the time or a period.
 */
static bool
parse_at(struct str line, size_t colon, unsigned form, struct head *head)
{
	size_t fraction = str_digits_start(str_take(line, colon));
	struct str start, rest = str_skip(line, colon + 1);
	size_t width, blanks = str_blanks(rest);
	size_t digits = str_digits(str_skip(rest, blanks));
	bool is_perfs = colon - fraction == 6 || colon - fraction == 9;

	if (fraction == colon || !str_ends(str_take(line, fraction), STR(".")))
		return false;
	start = str_take(line, str_digits_start(str_take(line, fraction - 1)));
	if (start.len == fraction - 1 ||
	    (start.len > 0 && !is_blank(line.data[start.len - 1])))
		return false;
	head->time = str_between(line, start.len, colon);
	parse_after_time(rest, head);
	parse_thread(start, head);
	width = start.len - str_trim_end(start).len;
	head->is_aligned = is_perfs &&
	    width + head->time.len >= TIME_COLUMNS + (width < start.len) &&
	    (str_blanks(str_skip(rest, blanks + digits)) == 0 ||
	    in_period_columns(blanks, digits) || has_address(head->fields)) &&
	    (width > 1 || (blanks > 1 && digits > 0));
	if (head->tid.len > 0 && !(form & HEAD_NUMBERLESS) &&
	    (head->in_columns || !head->is_aligned))
		return true;
	return (is_perfs && take_command(head)) || head->tid.len > 0;
}

/* A command may look like a time; a head with an event is more likely. */
bool
head_parse(struct str line, unsigned form, struct head *head)
{
	size_t colon = str_find(line, ':'), first = line.len;
	struct head other;

	if (str_blanks(line) > MOST_BLANKS)
		return false;
	for (; colon < line.len && (first == line.len ||
	    (head->event.len == 0 && colon - first < COMM_REACH));
	    colon += 1 + str_find(str_skip(line, colon + 1), ':')) {
		if (!parse_at(line, colon, form, &other))
			continue;
		if (first == line.len || other.event.len > 0 ||
		    (other.is_aligned && !head->is_aligned))
			*head = other;
		first = first < colon ? first : colon;
	}
	return first < line.len;
}

/* Cuts an event's name and its colon off the end of s; blanks stay. */
static struct str
cut_event(struct str *s)
{
	struct str rest = *s, name = event_name(cut_last_word(&rest));

	if (name.len > 0)
		s->len = (size_t)(name.data - s->data);
	return name;
}

/*
 * A number before the event is a period if its digits fill their columns, or if
 * an event's name follows and the thread's ID comes before.
 */
bool
head_parse_columns(struct str line, unsigned form, struct head *head)
{
	struct str rest, digits;
	size_t end;

	*head = head_none;
	head->is_aligned = true;
	head->event = cut_event(&line);
	rest = str_trim_end(line);
	end = rest.len;
	digits = cut_last_word(&rest);
	if (str_is_number(digits)) {
		parse_thread(rest, head);
		if (end - rest.len >= PERIOD_COLUMNS + (rest.len > 0) ||
		    (head->event.len > 0 && head->in_columns)) {
			head->period = digits;
			line.len = end - digits.len;
		}
	}
	parse_thread(line, head);
	return (form & HEAD_NUMBERLESS) || !head->in_columns ?
	    take_command(head) : head->comm.len <= HEAD_COMM_MOST;
}

bool
head_parse_words(struct str line, unsigned form, struct head *head)
{
	struct str rest = line, words = line, pid, tid, event, digits;
	bool is_named;

	*head = head_none;
	do {
		head->comm = str_take(line, line.len - rest.len);
		tid = str_cut_word(&rest);
		if (rest.len == 0)
			return false;
		/* the TID may be missing after the slash */
		pid = str_cut(&tid, '/');
		while (str_starts(tid, STR("/")))
			tid = str_skip(tid, 1);
	} while (pid.data == line.data || !is_id(pid) ||
	    (tid.len > 0 && !str_is_number(tid)));
	head->pid = tid.len > 0 ? pid : tid;
	head->tid = tid.len > 0 ? tid : pid;
	/* "235 cycles:" at the end; in the original, a ':' must be before it */
	event = cut_event(&words);
	words = str_trim_end(words);
	digits = str_skip(words, str_digits_start(words));
	rest = str_trim_end(str_take(words, words.len - digits.len));
	is_named = str_ends(rest, STR(":"));
	if (!is_named && !str_ends(line, STR(" ")))
		return true;
	head->event = event;
	/* after "7/8", "7 [001]", or "7" where periods are printed */
	if (rest.len + digits.len < words.len && (is_named ||
	    (rest.data + rest.len > head->tid.data &&
	    (head->pid.len > 0 || str_ends(rest, STR("]")) ||
	    ((form & HEAD_WEIGHTED) && event.len > 0))))) {
		head->period = digits;
		words = rest;
	}
	head->cpu = cut_cpu(&words);
	return true;
}

uint64_t
head_time(const struct head *head)
{
	const size_t most = 10;		/* digits of seconds */
	struct str fraction = head->time, seconds = str_cut(&fraction, '.');
	unsigned long long time;
	size_t i;

	if (seconds.len > most || !str_number(seconds, &time))
		return HEAD_NO_TIME;
	for (i = 0; i < NANOSECOND; i++)
		time = time * 10 + (i < fraction.len ?
		    (unsigned)(fraction.data[i] - '0') : 0);
	return time;
}
