#include "threadid.h"

#define LONGEST_COMM	15	/* bytes, of a Linux command */
#define YEAR		(sizeof("2022") - 1)
#define DAY		(sizeof("2022-03-01") - 1)
#define MISC_LETTERS	"KUHGgMESp"	/* of +misc */
#define MISC_COLUMNS	6		/* at most */

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

/* Returns the start of an ID, perhaps -1 for a thread that has exited. */
static size_t
id_before(struct str s, size_t end)
{
	size_t start = digits_before(s, end);

	return start < end && start > 0 && s.data[start - 1] == '-' ?
	    start - 1 : start;
}

/* Returns how many bytes of `set` end at `end`, up to `most`. */
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

/* Returns where "2022-03-01 12:34:56.1234 " begins, or the end of s. */
static size_t
date_start(struct str s)
{
	const size_t longest = sizeof("12:34:56.123456789") - 1;
	size_t close = blanks_before(s, s.len);
	size_t start = close - count_before(s, close, "0123456789:.", longest);
	size_t day_end = blanks_before(s, start);

	return str_contains(str_between(s, start, close), STR(":")) &&
	    day_end < start &&
	    count_before(s, day_end, "0123456789-", DAY) == DAY ?
	    day_end - DAY : s.len;
}

/* Returns where "U ", of +misc, begins, or the end of s. */
static size_t
misc_start(struct str s)
{
	size_t close = blanks_before(s, s.len);
	size_t len = count_before(s, close, MISC_LETTERS, MISC_COLUMNS);

	return len > 0 && close < s.len && len < close &&
	    is_blank(s.data[close - len - 1]) ? close - len : s.len;
}

struct str
thread_id_trim(struct str s)
{
	s = str_take(s, date_start(s));
	return str_take(s, misc_start(s));
}

size_t
thread_id_extras(struct str s)
{
	size_t start = str_blanks(s), end = start, word;

	while (end < s.len && s.data[end] != ' ' && s.data[end] != '\0' &&
	    strchr(MISC_LETTERS, s.data[end]) != NULL)
		end++;
	if (end == start || end - start > MISC_COLUMNS || end == s.len ||
	    s.data[end] != ' ')
		end = 0;
	word = end + str_blanks(str_skip(s, end));
	if (s.len - word < DAY || s.data[word + YEAR] != '-')
		return end;
	word += str_find(str_skip(s, word), ' ');	/* a day, */
	word += str_blanks(str_skip(s, word));
	word += str_find(str_skip(s, word), ' ');	/* and a time */
	return date_start(str_take(s, word)) < word ? word : end;
}

/*
 * Returns where "  3 " begins, or the end of s: -L prints the CPU so, after
 * the command in eight columns and the number in five.
 */
static size_t
latency_cpu_start(struct str s)
{
	const size_t columns = 3, earliest = sizeof("COMMAND_   12") - 1;
	size_t close = blanks_before(s, s.len), start = digits_before(s, close);
	size_t pid_end = blanks_before(s, start);
	size_t pid = digits_before(s, pid_end);

	return start < close && close - pid_end == 1 + columns &&
	    start > pid_end && pid < pid_end && pid_end > earliest &&
	    pid > 0 && is_blank(s.data[pid - 1]) &&
	    blanks_before(s, pid) > 0 ? start : s.len;
}

/* Cuts "[000] " off the end of s, and blanks; returns its digits, if any. */
static struct str
cut_cpu(struct str *s)
{
	size_t close = blanks_before(*s, s->len), digits, start;
	struct str cpu = str_take(*s, 0);

	if (close == 0 || s->data[close - 1] != ']') {
		start = latency_cpu_start(*s);
		cpu = str_trim(str_skip(*s, start));
		*s = str_trim_end(str_take(*s, start));
		return cpu;
	}
	digits = id_before(*s, close - 1);
	if (digits < close - 1 && digits > 0 && s->data[digits - 1] == '[') {
		cpu = str_between(*s, digits, close - 1);
		s->len = digits - 1;
	}
	*s = str_trim_end(*s);
	return cpu;
}

struct str
thread_id_cpu(struct str s)
{
	return cut_cpu(&s);
}

/* Skips "VM: 1234 VCPU:003 " before a guest's command. */
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

/* True if the number fills its columns, a blank apart from the command. */
static bool
in_columns(const struct thread_id *id)
{
	size_t end = (size_t)(id->pid.data - id->text.data) + id->pid.len;
	size_t before = blanks_before(id->text, end - id->pid.len);

	return end - before >= THREAD_ID_COLUMNS + (before > 0);
}

/* Parses [COMM] PID[/TID]. */
static bool
parse_numbers(struct str s, struct thread_id *id)
{
	size_t end = s.len, start = id_before(s, end), comm_end;

	id->text = s;
	id->pid = str_between(s, start, end);
	id->tid = str_take(s, 0);
	if (start < end && start > 0 && s.data[start - 1] == '/') {
		id->tid = id->pid;
		end = start - 1;
		start = id_before(s, end);
		id->pid = str_between(s, start, end);
	}
	comm_end = blanks_before(s, start);
	if (start == end || (comm_end == start && start > 0))
		return false;
	id->comm = without_guest(str_trim_start(str_take(s, comm_end)));
	id->certain = in_columns(id);
	return true;
}

bool
thread_id_parse(struct str s, struct thread_id *id)
{
	cut_cpu(&s);
	return parse_numbers(s, id);
}

bool
thread_id_parse_command(struct str s, struct thread_id *id)
{
	cut_cpu(&s);
	id->certain = s.len > 0 && !is_digit(s.data[s.len - 1]);
	id->text = s;
	id->pid = id->tid = str_take(s, 0);
	id->comm = without_guest(str_trim_start(s));
	return id->comm.len <= LONGEST_COMM;
}

bool
thread_id_parse_columns(struct str s, struct thread_id *id)
{
	return thread_id_parse(s, id) && id->certain ?
	    id->comm.len <= LONGEST_COMM : thread_id_parse_command(s, id);
}
