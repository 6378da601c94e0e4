/*
 * args: reads the arguments of tracepoints, in all versions' forms:
 *
 *	kmem:kmalloc: call_site=do_open+0x3c bytes_req=120 bytes_alloc=128
 *	syscalls:sys_enter_write: fd: 0x00000003, count: 0x00000040
 *	syscalls:sys_exit_write: 0x40
 *	raw_syscalls:sys_exit: NR 1 = 64
 *	sched:sched_switch: prev_comm=cc prev_pid=12 prev_prio=120 prev_state=S
 *	    ==> next_comm=make next_pid=10 next_prio=120
 *	sched:sched_switch: cc:12 [120] S ==> make:10 [120]
 *	sched:sched_waking: comm=cc pid=12 prio=120 target_cpu=001
 *	sched:sched_wakeup: cc:12 [120] success=1 CPU:001
 */
#include "script.h"

static bool
read_number(struct str text, int32_t *thread)
{
	unsigned long long number;

	if (!str_number(text, &number) || number > WAITS_THREAD_MOST)
		return false;
	*thread = (int32_t)number;
	return true;
}

/* Cuts off all up to a thread's number, "pid=12 prio=120" or "cc:12 [120]". */
static bool
cut_thread(struct str *text, struct str name, struct str prio, int32_t *thread)
{
	struct str all = *text, rest = all, next;
	size_t at;

	/* a command may contain the name, but not what follows, too */
	while ((at = str_search(rest, name)) < rest.len) {
		rest = str_skip(rest, at + name.len);
		*text = str_skip(rest, str_digits(rest));
		if (str_starts(*text, prio))
			return read_number(rest, thread);
	}
	for (str_cut(&all, ':'); all.len > 0; str_cut(&all, ':')) {
		*text = str_skip(all, str_digits(all));
		next = str_trim_start(*text);
		if (text->len == all.len ||
		    (next.len > 0 && next.data[0] != '['))
			continue;
		*text = str_skip(*text, str_find(*text, ']'));
		return read_number(all, thread);
	}
	return false;
}

static bool
read_switch(struct str text, struct wait_event *change)
{
	const struct str arrow = STR(" ==> "), name = STR(" prev_state=");
	size_t at = str_search(text, arrow);
	struct str prev = str_take(text, at), state = prev;

	change->change = WAIT_SWITCH;
	if (at == text.len || !cut_thread(&state, STR(" prev_pid="),
	    STR(" prev_prio="), &change->prev))
		return false;
	/* "] S", "] (S)" */
	while (state.len > 0 && strchr(" ](", state.data[0]) != NULL)
		state = str_skip(state, 1);
	if (str_starts(state, STR("prev_prio="))) {
		at = str_search(prev, name);
		if (at == prev.len)
			return false;
		state = str_skip(prev, at + name.len);
	}
	change->kind = (uint8_t)waits_kind(state);
	text = str_skip(text, prev.len + arrow.len);
	return cut_thread(&text, STR(" next_pid="), STR(" next_prio="),
	    &change->next);
}

bool
args_change(const struct script_line *line, struct wait_event *change)
{
	const struct head *head = &line->head;
	struct str name = head->event, fields = str_trim(head->fields);
	struct str clock = str_take(name, str_find(name, ':'));
	unsigned long long cpu;

	*change = (struct wait_event){ .cpu = WAITS_CPU_NONE };
	if (head->time.len > 0 && str_number(head->cpu, &cpu) &&
	    cpu < WAITS_CPU_MOST)
		change->cpu = (uint32_t)cpu;
	if (line->kind == LINE_RECORD) {
		change->change = str_contains(line->text,
		    STR(": PERF_RECORD_LOST")) ? WAIT_LOST : WAIT_SWITCH_IN;
		return change->change == WAIT_LOST ||
		    (str_contains(line->text, STR(": PERF_RECORD_SWITCH")) &&
		    str_contains(line->text, STR(" IN ")) &&
		    read_number(head->tid, &change->next));
	}
	if (str_equal(name, STR("offcpu-time"))) {
		change->change = WAIT_RECORDED;
		return true;
	}
	/* "cpu-clock", "task-clock:u", "cpu-clock/freq=9/" */
	clock = str_take(clock, str_find(clock, '/'));
	if (str_equal(clock, STR("cpu-clock")) ||
	    str_equal(clock, STR("task-clock"))) {
		change->change = WAIT_RAN;
		read_number(head->tid, &change->next);
		return true;
	}
	if (str_equal(name, STR("sched:sched_switch")))
		return read_switch(fields, change);
	if (!str_equal(name, STR("sched:sched_waking")) &&
	    !str_equal(name, STR("sched:sched_wakeup")))
		return false;
	change->change = WAIT_WAKE;
	return cut_thread(&fields, STR(" pid="), STR(" prio="), &change->next);
}

/* Parses "-12" or "0x1f" at the start of s, if it is a word of its own. */
static bool
parse_signed(struct str s, int64_t *number)
{
	const size_t most = 16;		/* hexadecimal digits */
	bool is_negative = str_starts(s, STR("-")), is_number;
	struct str digits = str_skip(s, is_negative), rest;
	unsigned long long value = 0;

	if (str_starts(digits, STR("0x"))) {
		digits = rest = str_skip(digits, 2);
		value = str_hex(&rest);
		is_number = digits.len > rest.len &&
		    digits.len - rest.len <= most;
	} else {
		is_number = str_number(digits, &value);
		rest = str_skip(digits, str_digits(digits));
	}
	*number = (int64_t)(is_negative ? 0 - value : value);
	return is_number && (rest.len == 0 || !is_word(rest.data[0])) &&
	    !(is_negative && value > INT64_MAX);
}

/* Returns what follows "field=" or "field: "; empty if it is not there. */
static struct str
find_value(struct str fields, struct str field)
{
	struct str after;
	size_t at;

	for (at = 0; at < fields.len; at++) {
		at += str_search(str_skip(fields, at), field);
		after = str_skip(fields, at);
		if (after.len == 0 || (at > 0 && is_word(fields.data[at - 1])))
			continue;
		after = str_skip(after, field.len);
		if (str_starts(after, STR("=")))
			return str_skip(after, 1);
		if (str_starts(after, STR(": ")))
			return str_skip(after, 2);
	}
	return STR("");
}

bool
args_field(const struct head *head, struct str field, int64_t *number)
{
	const struct str equals = STR(" = ");
	struct str fields = str_trim(head->fields);
	size_t at;

	if (parse_signed(find_value(fields, field), number))
		return true;
	if (!str_equal(field, STR("ret")))
		return false;
	if (str_starts(head->event, STR("syscalls:sys_exit_")))
		return parse_signed(fields, number);
	at = str_search(fields, equals);
	return str_equal(head->event, STR("raw_syscalls:sys_exit")) &&
	    at < fields.len &&
	    parse_signed(str_skip(fields, at + equals.len), number);
}
