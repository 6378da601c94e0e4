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
#define LONGEST_COMM	15	/* bytes, of a Linux command */
#define MOST_BLANKS	64	/* that perf prints before a command */
#define NANOSECOND	9	/* digits after the point; others are cut off */
#define COMM_REACH	64	/* bytes after a time stamp in a command */
#define DATE		(sizeof("2022-03-01") - 1)
#define MISC		6	/* most letters of +misc */

/* Returns the last word of s; s must not end in a blank. */
static struct str
last_word(struct str s)
{
	size_t start = s.len;

	while (start > 0 && !is_blank(s.data[start - 1]))
		start--;
	return str_skip(s, start);
}

/* Returns s before a part of it, without the blanks in between. */
static struct str
before(struct str s, struct str part)
{
	return str_trim_end(str_take(s, (size_t)(part.data - s.data)));
}

/* True if s is one byte or more of a set, and at most that many. */
static bool
is_of(struct str s, struct str set, size_t most)
{
	size_t i = 0;

	while (i < s.len && str_find(set, s.data[i]) < set.len)
		i++;
	return s.len > 0 && i == s.len && s.len <= most;
}

/* Skips "VM: 1234 VCPU:003 " before a guest's command. */
static struct str
without_guest(struct str comm)
{
	static const char *const fields[] = { "VM:", "VCPU:", NULL };
	const char *const *field;
	struct str rest;
	size_t digits;

	for (field = fields; *field != NULL; field++) {
		if (!str_starts(comm, str_from(*field)))
			continue;
		rest = str_trim_start(str_skip(comm, strlen(*field)));
		digits = str_digits(rest);
		if (digits > 0 && digits < rest.len &&
		    is_blank(rest.data[digits]))
			comm = str_trim_start(str_skip(rest, digits));
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
	struct str word = last_word(*s), rest = before(*s, word), id;

	if (word.len > 2 && word.data[0] == '[' &&
	    word.data[word.len - 1] == ']' &&
	    is_id(str_between(word, 1, word.len - 1))) {
		*s = rest;
		return str_between(word, 1, word.len - 1);
	}
	id = last_word(rest);
	if (str_is_number(word) && s->len - rest.len == CPU_COLUMNS &&
	    str_is_number(id) && rest.len >= HEAD_ID_COLUMNS &&
	    (before(rest, id).len == 0 ||
	    rest.len > sizeof("COMMAND_   12") - 1)) {
		*s = rest;
		return word;
	}
	return str_take(*s, 0);
}

/* Parses what is before the time, or before the first field there is. */
static void
parse_ids(struct str s, struct head *head)
{
	struct str none = str_take(s, 0), word, first, rest;

	head->cpu = cut_cpu(&s);
	word = last_word(s);
	first = str_take(word, str_find(word, '/'));
	head->thread = s;
	head->pid = head->tid = none;
	if (first.len < word.len && is_id(first) &&
	    is_id(str_skip(word, first.len + 1))) {
		head->pid = first;
		head->tid = str_skip(word, first.len + 1);
	} else if (is_id(word))
		head->tid = word;
	else
		word = str_skip(word, word.len);
	rest = before(s, word);
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
	struct str words = str_trim_end(s), time, date, misc;

	if (str_ends(words, STR("]"))) {	/* they follow the CPU */
		parse_ids(words, head);
		return;
	}
	time = last_word(words);
	if (is_of(time, STR("0123456789:."), time.len) &&
	    str_contains(time, STR(":"))) {
		date = last_word(before(words, time));
		if (date.len == DATE && is_of(date, STR("0123456789-"), DATE))
			s = str_take(s, (size_t)(date.data - s.data));
	}
	words = str_trim_end(s);
	misc = last_word(words);
	if (misc.len < words.len && is_of(misc, STR("KUHGgMESp"), MISC)) {
		parse_ids(before(words, misc), head);
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

	if (comm.len > LONGEST_COMM)
		return false;
	head->comm = comm;
	head->pid = head->tid = str_take(comm, 0);
	return true;
}

/* True for 123.456789 and 123.456789012. */
static bool
is_perfs_time(struct str time)
{
	size_t fraction = time.len - 1 - str_find(time, '.');

	return fraction == 6 || fraction == 9;
}

/* True for a period in its columns, or a longer one, after a separator. */
static bool
in_period_columns(size_t blanks, size_t digits)
{
	return digits > 0 && (blanks == 1 ? digits >= PERIOD_COLUMNS :
	    blanks + digits == 1 + PERIOD_COLUMNS);
}

/* Returns the end of an event's name and its colon at the start of s, or 0. */
static size_t
name_end(struct str s)
{
	const struct str raw = STR("raw 0x");
	size_t end = str_starts(s, raw) ? raw.len : 0, point;
	struct str name;

	while (end < s.len && !is_blank(s.data[end]))
		end++;
	if (end <= 1 || s.data[end - 1] != ':')
		return 0;
	name = str_take(s, end - 1);
	point = str_digits(name);
	/* no event is called "140.25" */
	return point < name.len && name.data[point] == '.' && point + 1 +
	    str_digits(str_skip(name, point + 1)) == name.len ? 0 : end;
}

/* True if fields begin with an address of data in its 16 columns. */
static bool
has_address(const struct head *head)
{
	const size_t columns = 16;
	struct str s = head->fields;
	size_t start = 0, end;

	while (start < s.len && s.data[start] == ' ')
		start++;
	for (end = start; end < s.len && is_hex(s.data[end]);)
		end++;
	return start > 0 && end > start && end > columns &&
	    end - start <= columns && (end == s.len || s.data[end] == ' ');
}

/*
 * Parses "  235 cycles:u: FIELDS", after the time.  Without an event's name, a
 * period must fill its columns, or end the line with a blank after it.
 */
static void
parse_after_time(struct str s, struct head *head)
{
	struct str words = str_trim_start(s), rest;
	size_t digits = str_digits(words), end;

	if (digits < words.len && !is_blank(words.data[digits]))
		digits = 0;
	rest = str_trim_start(str_skip(words, digits));
	end = name_end(rest);
	head->period = str_take(words, digits);
	head->event = str_take(rest, end > 0 ? end - 1 : 0);
	head->fields = s;
	if (end > 0)
		head->fields = str_skip(rest, end);
	else if (in_period_columns(s.len - words.len, digits) ||
	    (rest.len == 0 && str_ends(s, STR(" ")) &&
	    !has_address(head)))
		head->fields = str_skip(words, digits);
	else
		head->period.len = 0;
	head->counts = str_trim_start(head->fields).len == 0 ||
	    has_address(head);
}

/*
 * True if the time is in its columns, and blanks before it or before a period
 * in `rest` show that perf aligned the line.
 */
static bool
is_aligned(struct str line, const struct head *head, struct str rest)
{
	struct str start = before(line, head->time);
	size_t width = (size_t)(head->time.data - line.data) - start.len;
	size_t blanks = str_blanks(rest);
	size_t digits = str_digits(str_skip(rest, blanks));

	if (!is_perfs_time(head->time) || width + head->time.len <
	    TIME_COLUMNS + (start.len > 0))
		return false;
	/* a number in no columns */
	if (digits > 0 && !in_period_columns(blanks, digits) &&
	    !has_address(head) && blanks + digits < rest.len &&
	    is_blank(rest.data[blanks + digits]))
		return false;
	return width > 1 || (blanks > 1 && digits > 0);
}

/* Parses a line whose SECONDS.FRACTION ends in the ':' at `colon`. */
static bool
parse_at(struct str line, size_t colon, unsigned form, struct head *head)
{
	size_t fraction = str_digits_start(str_take(line, colon)), start;
	struct str rest = str_skip(line, colon + 1);
	bool has_id;

	if (fraction == colon || fraction == 0 ||
	    line.data[fraction - 1] != '.')
		return false;
	start = str_digits_start(str_take(line, fraction - 1));
	if (start == fraction - 1 ||
	    (start > 0 && !is_blank(line.data[start - 1])))
		return false;
	head->time = str_between(line, start, colon);
	parse_after_time(rest, head);
	parse_thread(str_take(line, start), head);
	head->is_aligned = is_aligned(line, head, rest);
	has_id = head->tid.len > 0;
	if (has_id && !(form & HEAD_NUMBERLESS) &&
	    (head->in_columns || !head->is_aligned))
		return true;
	return (is_perfs_time(head->time) && take_command(head)) || has_id;
}

/* A command may look like a time; a head with an event is more likely. */
bool
head_parse(struct str line, unsigned form, struct head *head)
{
	size_t colon = str_find(line, ':'), first = line.len;
	struct head other;

	if (line.len - str_trim_start(line).len > MOST_BLANKS)
		return false;
	for (; colon < line.len && (first == line.len ||
	    (head->event.len == 0 && colon - first < COMM_REACH));
	    colon += 1 + str_find(str_skip(line, colon + 1), ':')) {
		if (!parse_at(line, colon, form, &other))
			continue;
		if (first == line.len || other.event.len > 0 ||
		    (other.is_aligned && !head->is_aligned))
			*head = other;
		if (first == line.len)
			first = colon;
	}
	return first < line.len;
}

/* Cuts an event's name and its colon off the end of s; blanks stay. */
static struct str
cut_event(struct str *s)
{
	struct str word = last_word(str_trim_end(*s));

	if (name_end(word) == 0)
		return str_take(*s, 0);
	s->len = (size_t)(word.data - s->data);
	return str_take(word, word.len - 1);
}

/*
 * Cuts a period off the end of s; blanks stay.  Its digits fill their columns,
 * or an event's name follows and the thread's ID comes before.
 */
static struct str
cut_period(struct str *s, struct head *head)
{
	struct str words = str_trim_end(*s), digits = last_word(words);
	struct str rest = before(words, digits);

	if (!str_is_number(digits))
		return str_take(*s, 0);
	if (words.len - rest.len < PERIOD_COLUMNS + (rest.len > 0)) {
		parse_thread(rest, head);
		if (head->event.len == 0 || !head->in_columns)
			return str_take(*s, 0);
	}
	s->len = (size_t)(digits.data - s->data);
	return digits;
}

bool
head_parse_columns(struct str line, unsigned form, struct head *head)
{
	*head = head_none();
	head->is_aligned = true;
	head->event = cut_event(&line);
	head->period = cut_period(&line, head);
	parse_thread(line, head);
	if ((form & HEAD_NUMBERLESS) || !head->in_columns)
		return take_command(head);
	return head->comm.len <= LONGEST_COMM;
}

/* Parses PID[/TID]; the TID may be missing after the slash. */
static bool
parse_first_ids(struct str word, struct head *head)
{
	struct str pid = str_take(word, str_find(word, '/'));
	struct str tid = str_skip(word, pid.len);

	while (str_starts(tid, STR("/")))
		tid = str_skip(tid, 1);
	if (!is_id(pid) || (tid.len > 0 && !str_is_number(tid)))
		return false;
	head->pid = tid.len > 0 ? pid : tid;
	head->tid = tid.len > 0 ? tid : pid;
	return true;
}

bool
head_parse_words(struct str line, unsigned form, struct head *head)
{
	struct str rest = line, words = line, word, event, digits;
	bool is_named;

	*head = head_none();
	do {
		head->comm = str_take(line, line.len - rest.len);
		word = str_cut_word(&rest);
		if (rest.len == 0)
			return false;
	} while (word.data == line.data || !parse_first_ids(word, head));
	/* "235 cycles:" at the end; in the original, a ':' must be before it */
	event = cut_event(&words);
	words = str_trim_end(words);
	digits = str_skip(words, str_digits_start(words));
	rest = before(words, digits);
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
	struct str digits = head->time;
	size_t i, point = str_find(digits, '.');
	uint64_t time = 0;

	if (digits.len == 0 || point > most)
		return HEAD_NO_TIME;
	for (i = 0; i <= point + NANOSECOND; i++)
		if (i != point)
			time = time * 10 + (i < digits.len ?
			    (unsigned)(digits.data[i] - '0') : 0);
	return time;
}
