/*
 * sched: reads scheduler events from samples: of the tracepoints
 * sched:sched_switch and sched:sched_waking or sched_wakeup, by their raw data;
 * of a clock, and of perf record --off-cpu, by their periods.
 *
 *	sched_switch	prev_pid  prev_state  next_pid
 *	sched_waking	pid
 *
 * The formats in the recording define these fields and the bits of a state.
 */
#include <stdlib.h>

#include "samples.h"

#define STATES		STR("SDTtXZPIxKWN")	/* letters of all that are */

/* Bits that have meant the same in all versions. */
#define STATE_SLEEPS	1
#define STATE_UNINTERRUPTIBLE	2
#define STATE_ENDED	0x30
#define STATE_ALL	0xff

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
	const struct str system = STR("sched:");
	struct sched_event *source = &attr->sched;
	struct str name = STR("");	/* of the scheduler's tracepoint */
	const char *lack;

	if (attr->type == ATTR_TRACEPOINT && tracepoint->text.len == 0 &&
	    str_starts(attr->name, system))
		name = str_skip(attr->name, system.len);
	else if (attr->type == ATTR_TRACEPOINT && tracepoint->text.len > 0 &&
	    str_equal(tracepoint->system, STR("sched")))
		name = tracepoint->name;
	if (str_equal(name, STR("sched_switch"))) {
		source->change = WAIT_SWITCH;
		if ((attr->flags & ATTR_FREQUENCY) != 0 || attr->period > 1)
			return "recorded with -F or -c, which leave switches "
			    "out; perf record -e cpu-clock/freq=999/ "
			    "-e sched:sched_switch -a -g records all";
		learn_states(source, tracepoint);
		lack = find_field(samples, tracepoint, "prev_pid",
		    &source->prev);
		if (lack == NULL)
			lack = find_field(samples, tracepoint, "prev_state",
			    &source->state);
		return lack != NULL ? lack : find_field(samples, tracepoint,
		    "next_pid", &source->next);
	}
	if (str_equal(name, STR("sched_waking")) ||
	    str_equal(name, STR("sched_wakeup"))) {
		source->change = WAIT_WAKE;
		return find_field(samples, tracepoint, "pid", &source->next);
	}
	if (attr_is_off_cpu(attr))
		source->change = WAIT_RECORDED;
	else if (attr->type == ATTR_SOFTWARE &&
	    (attr->config == ATTR_CPU_CLOCK ||
	    attr->config == ATTR_TASK_CLOCK))
		source->change = WAIT_RAN;
	return NULL;
}

const char *
sched_learn(struct samples *samples)
{
	const struct waits_options *options = samples->profile->options->waits;
	struct attrs *attrs = &samples->file->attrs;
	/* the first event that reports a change counts */
	struct sched_event *events[WAIT_RAN + 1] = { NULL }, *event;
	const char *lack;
	bool has_switches;
	size_t i;

	for (i = 0; i < attrs->count; i++) {
		lack = learn(samples, &attrs->list[i]);
		if (lack != NULL)
			return lack;
		event = &attrs->list[i].sched;
		if (events[event->change] == NULL)
			events[event->change] = event;
		else
			event->change = WAIT_NO_CHANGE;
	}
	has_switches = events[WAIT_SWITCH] != NULL;
	if (has_switches && events[WAIT_RECORDED] != NULL)
		events[WAIT_RECORDED]->change = WAIT_NO_CHANGE;
	if (!has_switches && events[WAIT_RECORDED] == NULL)
		return "recorded without thread switches; use perf record -e "
		    "sched:sched_switch -a -g";
	if (options->running && events[WAIT_RAN] == NULL)
		return "recorded without samples of a clock; use perf record "
		    "-e cpu-clock -e sched:sched_switch -a -g";
	if (!has_switches && options->counts[WAIT_PREEMPTED] &&
	    !options->running)
		return "recorded without preempted threads; use perf record "
		    "-e sched:sched_switch -a -g";
	if (has_switches && attrs->defers_chains)
		return "recorded with deferred stacks, which come after the "
		    "wait; use perf record --call-graph fp";
	if (options->wakers && (!has_switches || events[WAIT_WAKE] == NULL))
		return "recorded without wakers; use perf record -e "
		    "sched:sched_switch -e sched:sched_waking -a -g";
	return NULL;
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
sched_read(const struct samples *samples, const struct sched_event *source,
    struct record_sample *sample, struct wait_event *event)
{
	const struct attr *layout = samples->layout;
	struct str raw;
	int64_t state;

	*event = (struct wait_event){ .change = source->change,
	    .next = sample->tid, .cpu = (uint32_t)record_word(
	    samples->taken.record, layout->at.cpu, WAITS_CPU_NONE) };
	if (source->change != WAIT_SWITCH && source->change != WAIT_WAKE)
		return true;
	raw = sample_raw(sample, layout);
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
