#include <stdlib.h>

#include "sched.h"

#define SYSTEM		STR("sched")
#define STATES		STR("SDTtXZPIxKWN")	/* letters of all that are */

/* Bits that have meant the same in all versions. */
#define STATE_SLEEPS	1
#define STATE_UNINTERRUPTIBLE	2
#define STATE_ENDED	0x30
#define STATE_ALL	0xff

void
sched_free(struct sched *sched)
{
	free(sched->sources);
	free(sched->lacking.data);
}

void
sched_forget(struct sched *sched)
{
	free(sched->sources);
	sched->sources = NULL;
}

/* True if an event is a tracepoint of the scheduler, "sched_switch". */
static bool
is_tracepoint(const struct attr *attr, const struct tracepoint *tracepoint,
    const char *name)
{
	struct str rest = attr->name;

	if (attr->type != ATTR_TRACEPOINT)
		return false;
	if (tracepoint->text.len > 0)
		return str_equal(tracepoint->system, SYSTEM) &&
		    str_equal(tracepoint->name, str_from(name));
	return str_starts(rest, STR("sched:")) &&
	    str_equal(str_skip(rest, 6), str_from(name));
}

/* Finds a field of numbers; notes why it cannot be read. */
static bool
find_field(struct sched *sched, const struct tracepoint *tracepoint,
    const char *name, struct raw_field *field)
{
	const char *trouble = tracepoint_field(tracepoint, str_from(name),
	    field);

	if (trouble == NULL && !field->is_number)
		trouble = "is no number";
	if (trouble == NULL)
		return true;
	sched->lacking.len = 0;
	if (tracepoint->text.len == 0)
		text_add_format(&sched->lacking, "recorded without the "
		    "format of a tracepoint, which tells where %s is", name);
	else
		text_add_format(&sched->lacking, "the field %s of the "
		    "tracepoint %.*s:%.*s %s", name,
		    (int)tracepoint->system.len, tracepoint->system.data,
		    (int)tracepoint->name.len, tracepoint->name.data, trouble);
	text_add_char(&sched->lacking, '\0');
	return false;
}

/* Learns what bits of a state mean. */
static void
learn_states(struct sched_source *source, const struct tracepoint *tracepoint)
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

/* Notes that samples of an event are a part of what happened. */
static bool
note_left_out(struct sched *sched)
{
	sched->lacking.len = 0;
	text_add(&sched->lacking, STR("recorded with -F or -c, which leave "
	    "switches out; perf record -e cpu-clock/freq=999/ "
	    "-e sched:sched_switch -a -g records all"));
	text_add_char(&sched->lacking, '\0');
	return false;
}

/* Learns how samples of an event count; false if its fields cannot be read. */
static bool
learn_source(struct sched *sched, const struct attr *attr,
    const struct formats *formats, struct sched_source *source)
{
	struct tracepoint tracepoint = formats_find(formats, attr->config);

	if (is_tracepoint(attr, &tracepoint, "sched_switch")) {
		source->change = WAIT_SWITCH;
		if (attr_leaves_out(attr))
			return note_left_out(sched);
		learn_states(source, &tracepoint);
		return find_field(sched, &tracepoint, "prev_pid",
		    &source->prev) && find_field(sched, &tracepoint,
		    "prev_state", &source->state) && find_field(sched,
		    &tracepoint, "next_pid", &source->next);
	}
	if (is_tracepoint(attr, &tracepoint, "sched_waking") ||
	    is_tracepoint(attr, &tracepoint, "sched_wakeup")) {
		source->change = WAIT_WAKE;
		return find_field(sched, &tracepoint, "pid", &source->next);
	}
	if (attr_is_off_cpu(attr))
		source->change = WAIT_PAST;
	else if (attr->type == ATTR_SOFTWARE &&
	    (attr->config == ATTR_CPU_CLOCK ||
	    attr->config == ATTR_TASK_CLOCK))
		source->change = WAIT_RAN;
	return true;
}

/* Returns the first event that reports a change, or NULL. */
static struct sched_source *
find_source(const struct sched *sched, enum wait_change change)
{
	size_t i;

	for (i = 0; i < sched->count; i++)
		if (sched->sources[i].change == change)
			return &sched->sources[i];
	return NULL;
}

/* Ignores events that report the same change as an earlier one. */
static void
leave_out_others(struct sched *sched)
{
	struct sched_source *source;
	size_t i;

	for (i = 0; i < sched->count; i++) {
		source = &sched->sources[i];
		if (source->change != WAIT_NOTHING &&
		    find_source(sched, source->change) != source)
			source->change = WAIT_NOTHING;
	}
	source = find_source(sched, WAIT_PAST);
	if (source != NULL && find_source(sched, WAIT_SWITCH) != NULL)
		source->change = WAIT_NOTHING;
}

/* Returns what is asked for that a recording lacks, or NULL. */
static const char *
find_lacking(const struct sched *sched,
    const struct waits_options *options, bool defers_chains)
{
	bool sched_told = find_source(sched, WAIT_SWITCH) != NULL;

	if (!sched_told && find_source(sched, WAIT_PAST) == NULL)
		return "recorded without thread switches; use perf record -e "
		    "sched:sched_switch -a -g";
	if (options->running && find_source(sched, WAIT_RAN) == NULL)
		return "recorded without samples of a clock; use perf record "
		    "-e cpu-clock -e sched:sched_switch -a -g";
	if (!sched_told && options->counts[WAIT_PREEMPTED] &&
	    !options->running)
		return "recorded without preempted threads; use perf record "
		    "-e sched:sched_switch -a -g";
	if (sched_told && defers_chains)
		return "recorded with deferred stacks, which come after the "
		    "wait; use perf record --call-graph fp";
	if (options->wakers && (!sched_told ||
	    find_source(sched, WAIT_WAKE) == NULL))
		return "recorded without wakers; use perf record -e "
		    "sched:sched_switch -e sched:sched_waking -a -g";
	return NULL;
}

const char *
sched_learn(struct sched *sched, const struct attrs *attrs,
    const struct formats *formats, const struct waits_options *options)
{
	size_t i;

	sched->count = attrs->count;
	sched->sources = mem_array(attrs->count + 1,
	    sizeof(*sched->sources));
	for (i = 0; i < attrs->count; i++)
		if (!learn_source(sched, &attrs->list[i], formats,
		    &sched->sources[i]))
			return sched->lacking.data;
	leave_out_others(sched);
	return find_lacking(sched, options, attrs->defers_chains);
}

/* Returns why a thread in a state is not running. */
static enum wait_kind
kind_of(const struct sched_source *source, uint64_t state)
{
	if ((state & source->ended) != 0)
		return WAIT_NONE;
	if ((state & source->uninterruptible) != 0)
		return WAIT_UNINTERRUPTIBLE;
	return (state & source->states) != 0 ? WAIT_BLOCKED : WAIT_PREEMPTED;
}

/* Reads the number of a thread. */
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

/* Reads the raw data of a switch, or of a wakeup. */
static bool
read_raw(const struct sched_source *source, struct str raw,
    struct wait_event *event)
{
	int64_t state;

	if (!read_thread(&source->next, raw, &event->next))
		return false;
	if (source->change == WAIT_WAKE)
		return true;
	if (!read_thread(&source->prev, raw, &event->prev) ||
	    !field_number(&source->state, raw, &state))
		return false;
	event->kind = (uint8_t)kind_of(source, (uint64_t)state);
	return true;
}

bool
sched_read(const struct sched_source *source, const struct record *record,
    const struct attr *attr, struct record_sample *sample,
    struct wait_event *event)
{
	*event = (struct wait_event){ .change = (uint8_t)source->change,
	    .next = sample->tid, .cpu = (uint32_t)record_word(record,
	    attr->at.cpu, WAITS_CPU_NONE) };
	if (source->change != WAIT_SWITCH && source->change != WAIT_WAKE)
		return true;
	if (!read_raw(source, sample_raw(sample, attr), event))
		return false;
	if (source->change == WAIT_SWITCH && sample->tid < 0) {
		sample->tid = event->prev;
		sample->pid = sample->pid < 0 ? event->prev : sample->pid;
	}
	return true;
}

bool
sched_read_record(const struct record *record, const struct attr *attr,
    struct wait_event *event)
{
	struct record_end end;

	*event = (struct wait_event){ .change = WAIT_NOTHING };
	if (record->type == RECORD_LOST || record->type == RECORD_LOST_SAMPLES)
		event->change = WAIT_LOSS;
	else if (record->type == RECORD_SWITCH ||
	    record->type == RECORD_SWITCH_ALL)
		event->change = record_comes(record) ? WAIT_COME : WAIT_GO;
	else
		return false;
	end = record_end(record, attr);
	event->next = end.tid;
	event->cpu = end.cpu;
	return true;
}
