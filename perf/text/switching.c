#include "switching.h"

#define SCHED		STR("sched:")
#define ARROW		STR(" ==> ")

/* Reads the number of a thread that a text begins with. */
static bool
read_number(struct str text, int32_t *thread)
{
	unsigned long long number;

	if (!str_number(text, &number) || number > WAITS_THREAD_MOST)
		return false;
	*thread = (int32_t)number;
	return true;
}

/* Reads a thread by its name in front of the priority's: pid=12 prio=120. */
static bool
read_named(struct str text, struct str name, struct str after,
    int32_t *thread)
{
	struct str rest = text;
	size_t at;

	/* a command may contain the name, but not what follows, too */
	while ((at = str_search(rest, name)) < rest.len) {
		rest = str_skip(rest, at + name.len);
		if (str_starts(str_skip(rest, str_digits(rest)), after))
			return read_number(rest, thread);
	}
	return false;
}

/*
 * Reads a thread by what is in front of its priority, cc:12 [120], and stores
 * what follows that.
 */
static bool
read_plain(struct str text, int32_t *thread, struct str *after)
{
	struct str before;
	size_t open, start;

	for (open = 0; open < text.len; open++) {
		open += str_find(str_skip(text, open), '[');
		before = str_trim_end(str_take(text, open));
		start = str_digits_start(before);
		if (start == 0 || start == before.len ||
		    before.data[start - 1] != ':')
			continue;
		*after = str_skip(text, open);
		*after = str_skip(*after, str_find(*after, ']'));
		return read_number(str_skip(before, start), thread);
	}
	return false;
}

/* Returns the letters of a state: "S ", "] S", "] (S)". */
static struct str
find_state(struct str text)
{
	size_t i = 0;

	while (i < text.len && (is_blank(text.data[i]) ||
	    text.data[i] == ']' || text.data[i] == '('))
		i++;
	return str_skip(text, i);
}

/* Reads the arguments of sched_switch. */
static bool
read_switch(struct str text, struct wait_event *told)
{
	const struct str state = STR(" prev_state=");
	size_t at = str_search(text, ARROW);
	struct str prev = str_take(text, at), next, after;

	if (at == text.len)
		return false;
	next = str_skip(text, at + ARROW.len);
	told->change = WAIT_SWITCH;
	if (read_named(prev, STR(" prev_pid="), STR(" prev_prio="),
	    &told->prev)) {
		at = str_search(prev, state);
		if (at == prev.len)
			return false;
		told->kind = (uint8_t)waits_kind(str_skip(prev,
		    at + state.len));
		return read_named(next, STR(" next_pid="), STR(" next_prio="),
		    &told->next);
	}
	if (!read_plain(prev, &told->prev, &after))
		return false;
	told->kind = (uint8_t)waits_kind(find_state(after));
	return read_plain(next, &told->next, &after);
}

/* Reads what sched_waking and sched_wakeup tell. */
static bool
read_wake(struct str text, struct wait_event *told)
{
	struct str after;

	told->change = WAIT_WAKE;
	return read_named(text, STR(" pid="), STR(" prio="), &told->next) ||
	    read_plain(text, &told->next, &after);
}

/* True for a clock's name: "cpu-clock", "task-clock:u", "cpu-clock/freq=9/" */
static bool
is_clock(struct str name)
{
	name = str_take(name, str_find(name, ':'));
	name = str_take(name, str_find(name, '/'));
	return str_equal(name, STR("cpu-clock")) ||
	    str_equal(name, STR("task-clock"));
}

/* Returns the processor between the thread and the time: [001] */
static uint32_t
find_cpu(const struct event *event)
{
	const char *start = event->thread.text.data;
	unsigned long long cpu;
	struct str between;
	size_t open;

	if (start == NULL || event->time.len == 0)
		return WAITS_CPU_NONE;
	start += event->thread.text.len;
	if (start > event->time.data)
		return WAITS_CPU_NONE;
	between = (struct str){ start, (size_t)(event->time.data - start) };
	open = str_find(between, '[');
	if (open == between.len ||
	    !str_number(str_skip(between, open + 1), &cpu) ||
	    cpu >= WAITS_CPU_MOST)
		return WAITS_CPU_NONE;
	return (uint32_t)cpu;
}

/* Reads the number of the thread of an event. */
static bool
read_thread(const struct event *event, int32_t *thread)
{
	return read_number(event->thread.tid.len > 0 ? event->thread.tid :
	    event->thread.pid, thread);
}

bool
switching_event(const struct event *event, struct wait_event *told)
{
	struct str name = event->name;

	*told = (struct wait_event){ .cpu = find_cpu(event) };
	if (str_equal(name, STR("offcpu-time"))) {
		told->change = WAIT_PAST;
		return true;
	}
	if (is_clock(name)) {
		told->change = WAIT_RAN;
		read_thread(event, &told->next);
		return true;
	}
	if (!str_starts(name, SCHED))
		return false;
	name = str_skip(name, SCHED.len);
	if (str_equal(name, STR("sched_switch")))
		return read_switch(event->rest, told);
	return (str_equal(name, STR("sched_waking")) ||
	    str_equal(name, STR("sched_wakeup"))) &&
	    read_wake(event->rest, told);
}

bool
switching_record(const struct line *line, struct wait_event *told)
{
	const struct event *event = &line->event;

	*told = (struct wait_event){ .change = WAIT_SWITCH_IN,
	    .cpu = find_cpu(event) };
	if (line->kind != LINE_RECORD || event->time.len == 0)
		return false;
	if (str_contains(line->text, STR(": PERF_RECORD_LOST"))) {
		told->change = WAIT_LOSS;
		return true;
	}
	if (!str_contains(line->text, STR(": PERF_RECORD_SWITCH")) ||
	    !str_contains(line->text, STR(" IN ")))
		return false;
	return read_thread(event, &told->next);
}
