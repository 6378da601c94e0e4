/*
 * sched: reads scheduler events from records: samples of the tracepoints
 * sched:sched_switch and sched:sched_waking or sched_wakeup, by their raw data;
 * samples of a clock, and of perf record --off-cpu, by their periods; and
 * records of switches and losses.
 *
 *	sched_switch	prev_pid  prev_state  next_pid
 *	sched_waking	pid
 *
 * The formats in the recording define these fields and the bits of a state.
 */
#include <stdlib.h>

#include "samples.h"

#define MISC_LEAVES	(1 << 13)	/* SWITCH: its thread does */

#define STATES		STR("SDTtXZPIxKWN")	/* letters of all that are */

/* Bits that have meant the same in all versions. */
#define STATE_SLEEPS	1
#define STATE_UNINTERRUPTIBLE	2
#define STATE_ENDED	0x30
#define STATE_ALL	0xff

/* True if an event is a tracepoint of the scheduler, "sched_switch". */
static bool
is_tracepoint(const struct attr *attr, const struct tracepoint *tracepoint,
    struct str name)
{
	const struct str system = STR("sched:");

	if (attr->type != ATTR_TRACEPOINT)
		return false;
	if (tracepoint->text.len > 0)
		return str_equal(tracepoint->system, STR("sched")) &&
		    str_equal(tracepoint->name, name);
	return str_starts(attr->name, system) &&
	    str_equal(str_skip(attr->name, system.len), name);
}

/* Finds a field of numbers; returns NULL, or why it cannot be read. */
static const char *
find_field(struct samples *samples, const struct tracepoint *tracepoint,
    const char *name, struct raw_field *field)
{
	const char *trouble = tracepoint_field(tracepoint, str_from(name),
	    field);
	struct text text = { 0 };

	if (trouble == NULL && !field->is_number)
		trouble = "is no number";
	if (trouble == NULL)
		return NULL;
	if (tracepoint->text.len == 0)
		text_add_format(&text, "recorded without the format "
		    "of a tracepoint, which locates %s", name);
	else
		text_add_format(&text, "the field %s of the "
		    "tracepoint %.*s:%.*s %s", name,
		    (int)tracepoint->system.len, tracepoint->system.data,
		    (int)tracepoint->name.len, tracepoint->name.data, trouble);
	text_add_char(&text, '\0');
	trouble = arena_copy(&samples->file->arena, text_str(&text)).data;
	free(text.data);
	return trouble;
}

static void
learn_states(struct sched_event *source, const struct tracepoint *tracepoint)
{
	const struct str field = STR("prev_state");

	source->states = tracepoint_flags(tracepoint, field, STATES);
	source->ended = tracepoint_flags(tracepoint, field, STR("XxZ"));
	source->uninterruptible = tracepoint_flags(tracepoint, field, STR("D"));
	if ((source->states & STATE_SLEEPS) != 0)
		return;
	source->states = STATE_ALL;
	source->ended = STATE_ENDED;
	source->uninterruptible = STATE_UNINTERRUPTIBLE;
}

/* Returns NULL, or why an event's samples cannot be read. */
static const char *
learn(struct samples *samples, struct attr *attr)
{
	const struct tracepoint *tracepoint = formats_find(
	    &samples->file->formats, attr->config);
	struct sched_event *source = &attr->sched;
	const struct {
		const char *name;
		struct raw_field *field;
	} fields[] = { { "prev_pid", &source->prev },
	    { "prev_state", &source->state }, { "next_pid", &source->next } };
	const char *lack = NULL;
	size_t i;

	if (is_tracepoint(attr, tracepoint, STR("sched_switch"))) {
		source->change = WAIT_SWITCH;
		if ((attr->flags & ATTR_FREQUENCY) != 0 || attr->period > 1)
			return "recorded with -F or -c, which leave switches "
			    "out; perf record -e cpu-clock/freq=999/ "
			    "-e sched:sched_switch -a -g records all";
		learn_states(source, tracepoint);
		for (i = 0; i < 3 && lack == NULL; i++)
			lack = find_field(samples, tracepoint,
			    fields[i].name, fields[i].field);
		return lack;
	}
	if (is_tracepoint(attr, tracepoint, STR("sched_waking")) ||
	    is_tracepoint(attr, tracepoint, STR("sched_wakeup"))) {
		source->change = WAIT_WAKE;
		return find_field(samples, tracepoint, "pid",
		    &source->next);
	}
	if (attr_is_off_cpu(attr))
		source->change = WAIT_RECORDED;
	else if (attr->type == ATTR_SOFTWARE &&
	    (attr->config == ATTR_CPU_CLOCK ||
	    attr->config == ATTR_TASK_CLOCK))
		source->change = WAIT_RAN;
	return NULL;
}

/* Returns the first event that reports a change, or NULL. */
static struct sched_event *
find_event(const struct attrs *attrs, enum wait_change change)
{
	size_t i;

	for (i = 0; i < attrs->count; i++)
		if (attrs->list[i].sched.change == change)
			return &attrs->list[i].sched;
	return NULL;
}

static const char *
find_lack(const struct attrs *attrs, const struct waits_options *options)
{
	bool has_switches = find_event(attrs, WAIT_SWITCH) != NULL;

	if (!has_switches && find_event(attrs, WAIT_RECORDED) == NULL)
		return "recorded without thread switches; use perf record -e "
		    "sched:sched_switch -a -g";
	if (options->running && find_event(attrs, WAIT_RAN) == NULL)
		return "recorded without samples of a clock; use perf record "
		    "-e cpu-clock -e sched:sched_switch -a -g";
	if (!has_switches && options->counts[WAIT_PREEMPTED] &&
	    !options->running)
		return "recorded without preempted threads; use perf record "
		    "-e sched:sched_switch -a -g";
	if (has_switches && attrs->defers_chains)
		return "recorded with deferred stacks, which come after the "
		    "wait; use perf record --call-graph fp";
	if (options->wakers && (!has_switches ||
	    find_event(attrs, WAIT_WAKE) == NULL))
		return "recorded without wakers; use perf record -e "
		    "sched:sched_switch -e sched:sched_waking -a -g";
	return NULL;
}

const char *
sched_learn(struct samples *samples)
{
	struct attrs *attrs = &samples->file->attrs;
	struct sched_event *event;
	const char *lack;
	size_t i;

	for (i = 0; i < attrs->count; i++) {
		lack = learn(samples, &attrs->list[i]);
		if (lack != NULL)
			return lack;
		/* the first event that reports a change counts */
		event = &attrs->list[i].sched;
		if (find_event(attrs, event->change) != event)
			event->change = WAIT_NO_CHANGE;
	}
	event = find_event(attrs, WAIT_RECORDED);
	if (event != NULL && find_event(attrs, WAIT_SWITCH) != NULL)
		event->change = WAIT_NO_CHANGE;
	return find_lack(attrs, samples->profile->options->waits);
}

static bool
read_thread(const struct raw_field *field, struct str raw, int32_t *thread)
{
	int64_t number;

	if (!field_number(field, raw, &number) || number < 0 ||
	    number > WAITS_THREAD_MOST)
		return false;
	*thread = (int32_t)number;
	return true;
}

bool
sched_read(const struct sched_event *source, const struct record *record,
    const struct attr *attr, struct record_sample *sample,
    struct wait_event *event)
{
	struct str raw;
	int64_t state;

	*event = (struct wait_event){ .change = source->change,
	    .next = sample->tid, .cpu = (uint32_t)record_word(record,
	    attr->at.cpu, WAITS_CPU_NONE) };
	if (source->change != WAIT_SWITCH && source->change != WAIT_WAKE)
		return true;
	raw = sample_raw(sample, attr);
	if (!read_thread(&source->next, raw, &event->next))
		return false;
	if (source->change == WAIT_WAKE)
		return true;
	if (!read_thread(&source->prev, raw, &event->prev) ||
	    !field_number(&source->state, raw, &state))
		return false;
	event->kind = ((uint64_t)state & source->ended) != 0 ? WAIT_NONE :
	    ((uint64_t)state & source->uninterruptible) != 0 ?
	    WAIT_UNINTERRUPTIBLE :
	    ((uint64_t)state & source->states) != 0 ? WAIT_BLOCKED :
	    WAIT_PREEMPTED;
	if (sample->tid < 0) {
		sample->tid = event->prev;
		sample->pid = sample->pid < 0 ? event->prev : sample->pid;
	}
	return true;
}

bool
sched_read_record(const struct record *record, const struct attr *attr,
    struct wait_event *event)
{
	*event = (struct wait_event){ .change = WAIT_NO_CHANGE };
	if (record->type == RECORD_LOST || record->type == RECORD_LOST_SAMPLES)
		event->change = WAIT_LOST;
	else if (record->type == RECORD_SWITCH ||
	    record->type == RECORD_SWITCH_ALL)
		event->change = (record->misc & MISC_LEAVES) == 0 ?
		    WAIT_SWITCH_IN : WAIT_SWITCH_OUT;
	else
		return false;
	event->next = (int32_t)(record_end_word(record, attr->back.tid,
	    UINT64_MAX) >> 32);
	event->cpu = (uint32_t)record_end_word(record, attr->back.cpu,
	    WAITS_CPU_NONE);
	return true;
}
