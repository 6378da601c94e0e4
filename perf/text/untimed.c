#include "untimed.h"

/* Returns where the word that ends at `end` begins. */
static size_t
word_before(struct str s, size_t end)
{
	while (end > 0 && !is_blank(s.data[end - 1]))
		end--;
	return end;
}

/*
 * Cuts a period off the end of s, digits in their columns, or any before an
 * event's name if a thread's number is left of them.
 */
static struct str
cut_period(struct str *s, bool named)
{
	size_t start = str_digits_start(*s);
	size_t before = str_trim_end(str_take(*s, start)).len;
	struct str digits = str_skip(*s, start);
	struct thread_id thread;

	if (start == s->len || (before == start && start > 0) ||
	    (s->len - before < (before > 0) + EVENT_PERIOD_COLUMNS &&
	    !(named && thread_id_parse(str_take(*s, start), &thread) &&
	    thread.certain)))
		return str_take(*s, 0);
	s->len = before;
	return digits;
}

bool
untimed_parse_columns(struct str s, struct event *event)
{
	struct str all = s, trimmed;
	size_t name, width;

	*event = (struct event){
		.rest = str_skip(s, s.len),
		.columns = str_skip(s, s.len),
		.counts = true,
		.aligned = true,
		.record = event_is_record(s),
	};
	s = str_trim_end(s);
	event->name = str_take(s, 0);
	name = word_before(s, s.len);
	if (event_name_end(str_skip(s, name)) == s.len - name) {
		event->name = str_between(s, name, s.len - 1);
		s = str_trim_end(str_take(s, name));
	}
	width = s.len;
	event->period = cut_period(&s, event->name.len > 0);
	width -= s.len;
	/* with the blank behind it */
	trimmed = thread_id_trim(str_take(s, s.len + (s.len < all.len)));
	if (trimmed.len < s.len && (width > 1 + EVENT_PERIOD_COLUMNS ||
	    thread_id_parse(trimmed, &event->thread)))
		s = trimmed;
	return thread_id_parse_columns(s, &event->thread);
}

/* Parses ": 235 cycles:" at the end of a line without a time stamp. */
static void
parse_event_name(struct str line, struct event *event)
{
	struct str s = str_trim_end(line);
	size_t name, blanks, period, before;

	event->time = str_take(line, 0);
	event->name = event->period = event->rest = event->time;
	if (!str_ends(s, STR(":")))
		return;
	name = word_before(s, s.len);
	blanks = str_trim_end(str_take(s, name)).len;
	period = str_digits_start(str_take(s, blanks));
	before = str_trim_end(str_take(s, period)).len;
	if (blanks == name || name == s.len - 1 || before == 0 ||
	    s.data[before - 1] != ':')
		return;
	event->name = str_between(s, name, s.len - 1);
	event->period = str_between(s, period, blanks);
}

/* Returns one past "PID[/TID] " at `at`, or `at` where it is not. */
static size_t
parse_ids(struct str line, size_t at, struct thread_id *thread)
{
	size_t pid_end = at + str_digits(str_skip(line, at)), tid, end;

	for (tid = pid_end; tid < line.len && line.data[tid] == '/';)
		tid++;
	end = tid + str_digits(str_skip(line, tid));
	if (pid_end == at || end == line.len || !is_blank(line.data[end]))
		return at;
	thread->pid = str_between(line, at, pid_end);
	thread->tid = str_between(line, tid, end);
	return end;
}

bool
untimed_parse(struct str line, struct event *event)
{
	size_t at = 0, comm_end;

	*event = (struct event){ .counts = true };
	while (at < line.len) {
		while (at < line.len && !is_blank(line.data[at]))
			at++;
		comm_end = at;
		while (at < line.len && is_blank(line.data[at]))
			at++;
		if (parse_ids(line, at, &event->thread) > at) {
			event->thread.comm = str_take(line, comm_end);
			event->record = event_is_record(line);
			parse_event_name(line, event);
			return true;
		}
	}
	return false;
}
