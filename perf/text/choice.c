#include "choice.h"
#include "lib/message.h"

/* What a sample may have to tell, by the bits of selection_by. */
static const struct {
	const char *option, *what, *field;
} kinds[SELECTION_KINDS] = {
	{ "time", "time", "time" },
	{ "cpus", "processor", "cpu" },
	{ "pids", "process", "pid" },
	{ "tids", "thread", "tid" },
	{ "comms", "command", "comm" },
};

/* Returns the number of a thread or process, "-1" or "41". */
static int32_t
id_of(struct str s)
{
	bool is_negative = str_starts(s, STR("-"));
	unsigned long long number = 0;

	str_number(str_skip(s, is_negative), &number);
	if (number > INT32_MAX)
		return INT32_MAX;
	return is_negative ? -(int32_t)number : (int32_t)number;
}

static struct str
tid_of(const struct thread_id *thread)
{
	return thread->tid.len > 0 ? thread->tid : thread->pid;
}

bool
choice_has_thread(const struct selection *selection,
    const struct thread_id *thread)
{
	return selection == NULL || (selection_wants_thread(selection,
	    id_of(thread->pid), id_of(tid_of(thread))) &&
	    selection_wants_comm(selection, thread->comm));
}

/* Returns what an event's line has before the time, or what comes next. */
static struct str
head_of(const struct line *line)
{
	const struct event *event = &line->event;
	const char *end = line->text.data + line->text.len;

	if (event->time.len > 0)
		end = event->time.data;
	else if (event->period.len > 0)
		end = event->period.data;
	else if (event->name.len > 0)
		end = event->name.data;
	return str_take(line->text, (size_t)(end - line->text.data));
}

/* Stores the processor of a sample; false if it does not tell it. */
static bool
find_cpu(const struct line *line, uint32_t *cpu)
{
	struct str head = head_of(line), digits = thread_id_cpu(head);
	unsigned long long number;

	if (digits.len == 0)
		digits = thread_id_cpu(thread_id_trim(head));
	if (!str_number(digits, &number))
		return false;
	*cpu = number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
	return true;
}

/* Returns what is asked for and not told, a bit, or 0; stores the processor. */
static unsigned
find_lack(unsigned by, const struct line *line, uint64_t time, uint32_t *cpu)
{
	const struct thread_id *thread = &line->event.thread;

	if ((by & SELECTION_TIME) != 0 && time == EVENT_NO_TIME)
		return SELECTION_TIME;
	if ((by & SELECTION_CPUS) != 0 && !find_cpu(line, cpu))
		return SELECTION_CPUS;
	if ((by & SELECTION_PIDS) != 0 && thread->tid.len == 0)
		return SELECTION_PIDS;
	if ((by & SELECTION_TIDS) != 0 && tid_of(thread).len == 0)
		return SELECTION_TIDS;
	return thread->comm.len == 0 ? by & SELECTION_COMMS : 0;
}

bool
choice_has(const struct selection *selection, const struct line *line,
    uint64_t time, struct choice_lacks *lacks)
{
	uint32_t cpu = 0;
	unsigned lack = find_lack(selection->by, line, time, &cpu);
	size_t i;

	for (i = 0; i < SELECTION_KINDS; i++)
		lacks->counts[i] += lack >> i & 1;
	lacks->found |= lack != 0;
	return lack == 0 && selection_wants_time(selection, time) &&
	    selection_wants_cpu(selection, cpu) &&
	    choice_has_thread(selection, &line->event.thread);
}

void
choice_report(const struct choice_lacks *lacks)
{
	size_t i;

	for (i = 0; i < SELECTION_KINDS; i++)
		if (lacks->counts[i] > 0)
			message_warn("--%s: samples left out, without their "
			    "%s, which perf script prints with -F +%s: %lu",
			    kinds[i].option,
			    kinds[i].what, kinds[i].field,
			    (unsigned long)lacks->counts[i]);
}
