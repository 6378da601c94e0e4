#include <stdlib.h>
#include <string.h>

#include "samples.h"
#include "symbols/unwind/unwind.h"

/* True if waits count, not samples. */
static inline bool
counts_waits(const struct samples *samples)
{
	return samples->profile->options->waits != NULL && !samples->surveys;
}

/* Finds the field by which an event's samples count. */
static void
find_field(const struct samples *samples, const struct attr *attr,
    struct counted_event *event)
{
	struct tracepoint tracepoint = { .is_big = false };

	if (attr->type == ATTR_TRACEPOINT)
		tracepoint = formats_find(&samples->file->formats,
		    attr->config);
	event->has_field = tracepoint_field(&tracepoint,
	    samples->profile->options->weight, &event->field) == NULL;
}

/* Returns why samples of an event cannot be folded, or NULL. */
static const char *
find_refusal(const struct samples *samples, const struct attr *attr)
{
	if ((attr->fields & SAMPLE_USER_STACK) != 0 &&
	    samples->chains->machine == NULL)
		return "recorded with --call-graph dwarf, and on a machine "
		    "that is neither x86_64 nor aarch64" ONLY_PERF;
	if (attr_has_unknown_reads(attr))
		return "recorded with reads of counters that are of another "
		    "kind" ONLY_PERF;
	if (samples->profile->options->cgroup && attr->at.cgroup_back == 0)
		return "recorded without cgroups; use perf record "
		    "--all-cgroups";
	if (profile_counts_field(samples->profile) &&
	    (attr->fields & SAMPLE_READ) != 0)
		return "recorded with counter reads (:S), which cannot be "
		    "combined with --weight";
	return NULL;
}

/* Refuses the recording if an event that counts requires it. */
static void
refuse(struct samples *samples, const struct attr *attr)
{
	if (samples->refused == NULL)
		samples->refused = find_refusal(samples, attr);
}

/* perf script prints tracepoints' frames if any of them has call chains. */
static bool
has_frames(const struct attrs *attrs, const struct attr *attr)
{
	return attr->type != ATTR_TRACEPOINT ||
	    (attrs->traced & SAMPLE_CALLCHAIN) != 0;
}

/* Gives an event the name that perf does, if it has none. */
static void
name_event(struct attrs *attrs, const struct attr *attr)
{
	struct text name = { 0 };

	if (attr->name.len > 0)
		return;
	attr_add_name(attr, &name);
	attrs_name(attrs, (size_t)(attr - attrs->list), text_str(&name));
	free(name.data);
}

/* Returns what is known of an event, perhaps nothing. */
static struct counted_event *
find_event(struct samples *samples, const struct attr *attr)
{
	const struct attrs *attrs = &samples->file->attrs;

	if (samples->events == NULL)
		samples->events = mem_array(attrs->count,
		    sizeof(*samples->events));
	return &samples->events[attr - attrs->list];
}

/* Learns what is the same for all samples of an event. */
static struct counted_event *
learn_event(struct samples *samples, const struct attr *attr)
{
	struct counted_event *event = find_event(samples, attr);
	const struct filter *filter = &samples->profile->options->filter;
	const struct attrs *attrs = &samples->file->attrs;

	event->state = EVENT_COUNTS;
	if (filter_keeps_events(filter))
		event->frame = 1 + filter_frame(filter,
		    &samples->profile->fold->namer.names, attr->name);
	event->has_frames = has_frames(attrs, attr);
	if (profile_counts_field(samples->profile))
		find_field(samples, attr, event);
	refuse(samples, attr);
	event->is_plain = attr_is_plain(attr) && samples->refused == NULL &&
	    (attrs->count == 1 || attrs->id_at > 0) &&
	    samples->profile->fold->timeline == NULL &&
	    !counts_waits(samples) && !profile_counts_field(samples->profile);
	return event;
}

/* True if samples of an event count; else one more of others was met. */
static bool
counts_event(struct samples *samples, const struct attr *attr)
{
	struct filter *filter = &samples->profile->options->filter;
	struct counted_event *event = find_event(samples, attr);

	if (event->state == EVENT_OTHER)
		++*filter->others;
	else if (event->state == EVENT_UNKNOWN) {
		if (filter_wants(filter, attr->name))
			learn_event(samples, attr);
		else
			event->state = EVENT_OTHER;
	}
	return event->state == EVENT_COUNTS;
}

/* Finds what the rest of a chain is unwound from; false if it is whole. */
static bool
find_rest(const struct samples *samples, const struct record_sample *sample,
    struct chain_rest *rest)
{
	const struct unwind_machine *machine = samples->chains->machine;
	bool can_unwind = machine != NULL &&
	    (sample->user.stack.len > 0 || machine == &unwind_aarch64);

	if (!sample->has_chain ||
	    (sample->branches.data == NULL && !can_unwind))
		return false;
	*rest = (struct chain_rest){ sample->ip, sample->user,
	    { sample->tid, samples->process->thread->since },
	    sample->branches };
	if (sample->user.stack.len > 0 && samples->source.block != NULL)
		block_find_stack(samples->source.block, &rest->user);
	return true;
}

void
samples_note_odd(struct samples *samples, uint64_t at)
{
	if (samples->odd++ == 0 || at < samples->odd_at)
		samples->odd_at = at;
}

/* The same of the sample that is taken. */
static void
note_odd(struct samples *samples)
{
	const struct sample_source *source = &samples->source;

	samples_note_odd(samples, source->block == NULL ? source->at :
	    block_offset(source->block, source->record));
}

/* Returns what the thread of a sample is called, until the next call. */
static struct str
find_comm(struct samples *samples, const struct attr *attr)
{
	uint64_t ids = record_word(samples->source.record, attr->at.tid,
	    UINT64_MAX);
	struct process *process = samples->process;
	struct text *comm = &samples->profile->name;

	process_find_tasks(process, (int32_t)(uint32_t)ids,
	    (int32_t)(uint32_t)(ids >> 32));
	if (process->thread->comm.len > 0)
		return process->thread->comm;
	comm->len = 0;
	text_add_format(comm, ":%ld", (long)process->tid);
	return text_str(comm);
}

/* Returns why samples of an event cannot be selected from, or NULL. */
static const char *
find_lack(const struct select *select, const struct attr *attr)
{
	const unsigned by = select->by;

	if ((by & SAMPLE_HAS_TIME) != 0 && attr->at.time == 0)
		return "recorded without times, which --time needs; use perf "
		    "record -T";
	if ((by & SAMPLE_HAS_CPU) != 0 && attr->at.cpu == 0)
		return "recorded without processor numbers, which --cpus "
		    "needs; use perf record --sample-cpu";
	if ((by & (SAMPLE_HAS_PID | SAMPLE_HAS_TID | SAMPLE_HAS_COMM)) != 0 &&
	    attr->at.tid == 0)
		return "recorded without process and thread IDs, which "
		    "--pids, --tids and --comms need";
	return NULL;
}

/* True if a complete sample is selected. */
static bool
is_selected(struct samples *samples, const struct attr *attr)
{
	const struct record *record = samples->source.record;
	const struct select *select = samples->profile->options->select;
	uint64_t ids = record_word(record, attr->at.tid, UINT64_MAX);
	struct sample sample = {
		.time = record_word(record, attr->at.time, 0),
		.cpu = (uint32_t)record_word(record, attr->at.cpu, 0),
		.pid = (int32_t)(uint32_t)ids,
		.tid = (int32_t)(uint32_t)(ids >> 32),
	};

	if ((select->by & SAMPLE_HAS_COMM) != 0)
		sample.comm = find_comm(samples, attr);
	return select_wants(select, &sample);
}

/* Does the work of is_asked_for where not all samples are. */
static bool
is_chosen(struct samples *samples, const struct attr *layout)
{
	const char *lack;

	if (layout == NULL ||
	    samples->source.record->bytes.len < layout->at.end)
		return true;
	lack = find_lack(samples->profile->options->select, layout);
	if (lack != NULL && samples->refused == NULL)
		samples->refused = lack;
	return lack == NULL && !samples->surveys &&
	    is_selected(samples, layout);
}

/* True if a sample with this layout is asked for, or makes no sense. */
static inline bool
is_asked_for(struct samples *samples, const struct attr *layout)
{
	return samples->profile->options->select == NULL ||
	    is_chosen(samples, layout);
}

/* Returns the frame of a sample's cgroup, plus one; 0 if none is asked for. */
static uint32_t
find_cgroup(const struct samples *samples)
{
	struct str bytes = samples->source.record->bytes;
	const struct attr *attr = attrs_of_sample(&samples->file->attrs,
	    bytes);
	uint64_t cgroup = 0;

	if (!samples->profile->options->cgroup)
		return 0;
	if (attr != NULL && bytes.len >= attr->at.end + attr->at.cgroup_back)
		cgroup = attr_word(bytes.data + bytes.len -
		    attr->at.cgroup_back);
	return profile_cgroup(samples->profile,
	    process_cgroup(samples->process, cgroup));
}

/* Returns the frame that names the sample's thread. */
static const struct task_label *
find_label(struct samples *samples)
{
	const struct process *process = samples->process;
	struct task *thread = process->thread;
	char number[24];	/* ":41", of a thread without a name */
	struct root root;

	if (!thread->label.is_made || thread->label.pid != process->pid) {
		snprintf(number, sizeof(number), ":%ld", (long)process->tid);
		root = profile_root(samples->profile, &(struct sample){
		    .has = SAMPLE_HAS_PID | SAMPLE_HAS_TID,
		    .pid = process->pid, .tid = process->tid,
		    .comm = thread->comm.len > 0 ? thread->comm :
		    str_from(number) });
		thread->label = (struct task_label){ true, root.java,
		    process->pid, root.frame };
	}
	return &thread->label;
}

/* Adds a sample's chain to the batch. */
static inline void
add_chain(struct samples *samples, const struct record_sample *sample,
    uint32_t event, uint64_t count, const struct chain_moment *moment)
{
	struct chain *chain = callchain_next(samples->chains);
	const struct task_label *label;
	struct chain_rest rest;

	process_find_tasks(samples->process, sample->pid, sample->tid);
	label = find_label(samples);
	*chain = (struct chain){
		.maps = samples->process->owner->maps,
		.words = sample->has_chain ? sample->chain.data : sample->ip,
		.len = sample->has_chain ? (uint32_t)sample->chain.len :
		    ATTR_WORD,
		.root = label->frame,
		.cgroup = find_cgroup(samples),
		.event = event,
		.java = label->java,
		.mode = (uint8_t)record_mode(samples->source.record),
		.is_lone = !sample->has_chain,
		.count = count,
	};
	if (sample->has_rest && find_rest(samples, sample, &rest))
		callchain_unwind(samples->chains, &rest);
	callchain_add(samples->chains, moment);
}

/* Returns how much a sample of an event counts, whose period this is. */
static uint64_t
count_of(const struct attr *attr, uint64_t period)
{
	return period == 0 || attr->type == ATTR_TRACEPOINT ? 1 : period;
}

/*
 * Stores what counts of a sample: its field, if that is asked for, or its
 * period; false if it is left out.
 */
static bool
weigh(struct samples *samples, const struct attr *attr,
    const struct record_sample *sample, uint64_t *count)
{
	const struct counted_event *event = find_event(samples, attr);
	int64_t number = 0;
	bool is_found;

	if (!profile_counts_field(samples->profile)) {
		*count = count_of(attr, sample->period);
		return true;
	}
	is_found = event->has_field && field_number(&event->field,
	    sample_raw(sample, attr), &number);
	return profile_weigh(samples->profile, is_found, number, count);
}

/* Counts a sample of an event that counts. */
static void
count_sample(struct samples *samples, const struct attr *attr,
    const struct record_sample *sample, uint64_t count)
{
	struct timeline *timeline = samples->profile->fold->timeline;
	struct chain_moment moment = {
	    .time = record_time(samples->source.record, attr) };

	samples->profile->fold->counts.samples++;
	if (count == 0)
		return;
	if (timeline != NULL)
		timeline_check(timeline, attr->name, moment.time);
	add_chain(samples, sample, find_event(samples, attr)->frame, count,
	    &moment);
}

/* Takes a sample of an event, by itself. */
static void
take_one(struct samples *samples, const struct attr *attr,
    const struct record_sample *sample)
{
	uint64_t count;

	if (!counts_event(samples, attr) || samples->refused != NULL)
		return;
	if (!find_event(samples, attr)->has_frames)
		samples->profile->frameless++;
	else if (weigh(samples, attr, sample, &count))
		count_sample(samples, attr, sample, count);
}

/* Returns what a counter has gained since it was read last. */
static uint64_t
find_gain(struct attrs *attrs, const struct attr *attr,
    const struct sample_read *read, struct counter *counter, int32_t tid)
{
	uint64_t *last = attr_reads_threads(attr) ?
	    attrs_thread_value(attrs, counter, tid) : &counter->value;
	uint64_t gain = read->value - *last;

	*last = read->value;
	return gain;
}

/*
 * Takes a sample with reads of counters, by what each has gained, unless the
 * sample is left out: then that is not counted with the next one either.
 */
static void
take_reads(struct samples *samples, const struct attr *attr,
    struct record_sample *sample, bool counts)
{
	struct attrs *attrs = &samples->file->attrs;
	const struct attr *counted;
	struct sample_read read;
	struct counter *counter;
	uint64_t gain;

	while (sample_next_read(sample, &read)) {
		counter = attrs_counter(attrs, read.id);
		if (counter == NULL) {
			if (counts)
				note_odd(samples);
			continue;
		}
		gain = find_gain(attrs, attr, &read, counter, sample->tid);
		counted = &attrs->list[counter->attr];
		if (counts && gain > 0 && counts_event(samples, counted) &&
		    samples->refused == NULL &&
		    find_event(samples, counted)->has_frames)
			count_sample(samples, counted, sample,
			    count_of(counted, gain));
	}
}

/* Tells what happened to the waits, without a stack. */
static void
tell_wait(struct samples *samples, const struct wait_event *event,
    uint64_t time)
{
	struct chain_moment moment = { time, *event };

	*callchain_next(samples->chains) = (struct chain){ .words = "",
	    .is_nothing = true };
	callchain_add(samples->chains, &moment);
}

void
samples_take_change(struct samples *samples, const struct record *record,
    uint64_t time)
{
	const struct attr *attr = !counts_waits(samples) ? NULL :
	    attrs_find(&samples->file->attrs, record->bytes, false);
	struct wait_event event;

	if (attr == NULL || time == 0)
		return;
	if (time > samples->sched.last)
		samples->sched.last = time;
	if (sched_read_record(record, attr, &event))
		tell_wait(samples, &event, time);
}

/* Returns the event of a sample, by its number; the first if it lacks one. */
static struct attr *
find_attr(struct attrs *attrs, uint64_t id)
{
	struct attr *attr = attrs->count == 1 ? attrs->list :
	    attrs_by_id(attrs, id);

	return attr != NULL || attr_marks_all(attrs->list) ? attr :
	    attrs->list;
}

/* Reads a sample; returns its event, or NULL if it makes no sense. */
static struct attr *
read_sample(struct samples *samples, struct attr *layout,
    struct record_sample *sample)
{
	const struct record *record = samples->source.record;
	struct attrs *attrs = &samples->file->attrs;

	sample->has_reads = false;
	if (layout == NULL || attr_has_unknown_reads(layout))
		return layout;
	if (!record_sample(record, layout, sample) ||
	    (attr_is_off_cpu(layout) && !sample_read_off_cpu(sample, layout)))
		return NULL;
	if (samples->source.block == NULL)
		sample->chain = samples->source.words;
	return attrs->id_at > 0 ? layout : find_attr(attrs,
	    record_word(record, layout->at.id, UINT64_MAX));
}

static bool
is_guest(const struct record *record)
{
	enum record_mode mode = record_mode(record);

	return mode == MODE_GUEST_KERNEL || mode == MODE_GUEST_USER;
}

/* Tallies a sample that is left out. */
static void
note_left_out(struct samples *samples, const struct attr *layout)
{
	const struct record *record = samples->source.record;

	if (samples->tally != NULL && !is_guest(record))
		select_tally_add(samples->tally, find_comm(samples, layout),
		    record_time(record, layout));
}

/* Leaves a sample out, except what its counters tell. */
static void
leave_out(struct samples *samples, struct attr *layout)
{
	struct record_sample sample;
	struct attr *attr;

	note_left_out(samples, layout);
	if ((layout->fields & SAMPLE_READ) == 0)
		return;
	attr = read_sample(samples, layout, &sample);
	if (attr != NULL && sample.has_reads)
		take_reads(samples, attr, &sample, false);
}

/* True if the stack of what happened is needed, if the wait is asked for. */
static bool
needs_stack(const struct waits_options *options,
    const struct wait_event *event, bool is_asked)
{
	if (event->change == WAIT_SWITCH)
		return is_asked && event->prev != 0 &&
		    options->counts[event->kind];
	return event->change != WAIT_WAKE || options->wakers;
}

/* Takes a sample where waits count. */
static void
take_wait(struct samples *samples, const struct attr *attr,
    const struct attr *layout, struct record_sample *sample)
{
	const struct sched_source *source = sched_source(&samples->sched,
	    (size_t)(attr - samples->file->attrs.list));
	const struct waits_options *options = samples->profile->options->waits;
	struct chain_moment moment = {
	    .time = record_time(samples->source.record, attr) };
	struct wait_event *event = &moment.event;
	bool is_asked;

	/* at the end perf itself adds off-CPU samples, of times far away */
	if (moment.time > samples->sched.last && !attr_is_off_cpu(attr))
		samples->sched.last = moment.time;
	if (source->change == WAIT_NOTHING || samples->refused != NULL ||
	    (source->change == WAIT_RAN &&
	    (sample->tid == 0 || !options->running)))
		return;
	if (!sched_read(source, samples->source.record, layout, sample,
	    event)) {
		note_odd(samples);
		return;
	}
	event->count = count_of(attr, sample->period);
	is_asked = event->change == WAIT_WAKE || is_asked_for(samples, layout);
	if (!is_asked && event->change != WAIT_SWITCH) {
		note_left_out(samples, layout);
		return;
	}
	samples->profile->fold->counts.samples += is_asked;
	if (!needs_stack(options, event, is_asked)) {
		tell_wait(samples, event, moment.time);
		return;
	}
	if (!sample->has_chain)	/* the root alone is its stack */
		sample->chain = STR("");
	sample->has_chain = true;
	add_chain(samples, sample, 0, 0, &moment);
}

/* Does the work of take for a sample of any kind. */
static void
take_any(struct samples *samples, struct attr *layout)
{
	struct record_sample sample;
	struct attr *attr = read_sample(samples, layout, &sample);

	if (attr == NULL)
		note_odd(samples);
	else if (attr_has_unknown_reads(attr)) {
		if (!counts_waits(samples))
			counts_event(samples, attr);
	} else if (counts_waits(samples))
		take_wait(samples, attr, layout, &sample);
	else if (sample.has_reads)
		take_reads(samples, attr, &sample, true);
	else
		take_one(samples, attr, &sample);
}

static inline void
take(struct samples *samples, const struct sample_source *source)
{
	const struct record *record = source->record;
	struct attr *attr = attrs_of_sample(&samples->file->attrs,
	    record->bytes);
	struct counted_event *event;
	struct record_sample sample;

	samples->source = *source;
	if (!counts_waits(samples) && !is_asked_for(samples, attr)) {
		leave_out(samples, attr);
		return;
	}
	if (is_guest(record)) {
		samples->guests++;
		return;
	}
	event = attr == NULL || source->block == NULL ? NULL :
	    find_event(samples, attr);
	if (event == NULL || !event->is_plain ||
	    !record_plain_sample(record, attr, &sample)) {
		take_any(samples, attr);
		return;
	}
	samples->profile->fold->counts.samples++;
	add_chain(samples, &sample, event->frame,
	    sample.period == 0 ? 1 : sample.period, NULL);
}

void
samples_take(struct samples *samples, const struct record *record,
    const struct block *block)
{
	take(samples, &(struct sample_source){ record, .block = block });
}

void
samples_take_deferred(struct samples *samples, const struct record *record,
    uint64_t at, struct str words)
{
	take(samples, &(struct sample_source){ record, .at = at,
	    .words = words });
}

/* Names all events. */
static void
name_events(struct samples *samples)
{
	struct attrs *attrs = &samples->file->attrs;
	const struct attr *attr;

	for (; attrs->named < attrs->count; attrs->named++) {
		attr = &attrs->list[attrs->named];
		name_event(attrs, attr);
		if (!attr_is_dummy(attr))
			filter_meet(&samples->profile->options->filter,
			    attr->name);
	}
}

/* Learns which events tell of waits, once attrs are known. */
static void
learn_sched(struct samples *samples)
{
	struct attrs *attrs = &samples->file->attrs;
	const char *lack;
	size_t i;

	if (samples->sched.sources != NULL || attrs->count == 0)
		return;
	lack = sched_learn(&samples->sched, attrs, &samples->file->formats,
	    samples->profile->options->waits);
	if (samples->refused == NULL)
		samples->refused = lack;
	for (i = 0; i < attrs->count; i++)
		if (sched_source(&samples->sched, i)->change != WAIT_NOTHING)
			refuse(samples, &attrs->list[i]);
}

void
samples_begin(struct samples *samples)
{
	name_events(samples);
	if (counts_waits(samples))
		learn_sched(samples);
}

void
samples_forget_events(struct samples *samples)
{
	free(samples->events);
	samples->events = NULL;
	sched_forget(&samples->sched);
}

void
samples_free(struct samples *samples)
{
	free(samples->events);
	sched_free(&samples->sched);
}
