#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

static inline bool
counts_waits(const struct samples *samples)
{
	return samples->profile->options->waits != NULL && !samples->surveys;
}

/* Refuses the recording if samples of an event cannot be folded. */
static void
refuse(struct samples *samples, const struct attr *attr)
{
	const char *refused = NULL;

	if ((attr->fields & SAMPLE_USER_STACK) != 0 &&
	    samples->chains->backtrace.machine == NULL)
		refused = "recorded with --call-graph dwarf, and on a machine "
		    "that is neither x86_64 nor aarch64" ONLY_PERF;
	else if (attr_has_unknown_reads(attr))
		refused = "recorded with reads of counters that are of "
		    "another kind" ONLY_PERF;
	else if (samples->profile->options->cgroup && attr->at.cgroup_back == 0)
		refused = "recorded without cgroups; use perf record "
		    "--all-cgroups";
	else if (profile_counts_field(samples->profile) &&
	    (attr->fields & SAMPLE_READ) != 0)
		refused = "recorded with counter reads (:S), which cannot be "
		    "combined with --weight";
	if (samples->refused == NULL)
		samples->refused = refused;
}

static void
learn_event(struct samples *samples, struct attr *attr)
{
	struct counted_event *event = &attr->counted;
	const struct filter *filter = &samples->profile->options->filter;
	const struct attrs *attrs = &samples->file->attrs;

	event->state = EVENT_COUNTS;
	event->frame = filter_frame(filter, samples->profile->fold, attr->name);
	/* perf script prints tracepoints' frames if any has call chains */
	event->has_frames = attr->type != ATTR_TRACEPOINT ||
	    (attrs->traced & SAMPLE_CALLCHAIN) != 0;
	if (profile_counts_field(samples->profile))
		event->has_field = attr->type == ATTR_TRACEPOINT &&
		    tracepoint_field(formats_find(&samples->file->formats,
		    attr->config), samples->profile->options->weight,
		    &event->field) == NULL;
	refuse(samples, attr);
	event->is_plain = (attr->fields & (SAMPLE_CALLCHAIN | SAMPLE_READ |
	    SAMPLE_USER_REGISTERS | SAMPLE_USER_STACK)) == SAMPLE_CALLCHAIN &&
	    !attr_has_branch_chains(attr) && attr->type != ATTR_TRACEPOINT &&
	    (attr->type != ATTR_SOFTWARE || attr->config != ATTR_BPF_OUTPUT) &&
	    samples->refused == NULL &&
	    (attrs->count == 1 || attrs->id_at > 0) &&
	    samples->profile->fold->timeline == NULL &&
	    !counts_waits(samples) && !profile_counts_field(samples->profile);
}

/* True if samples of an event count; else one more of others was met. */
static bool
counts_event(struct samples *samples, struct attr *attr)
{
	struct filter *filter = &samples->profile->options->filter;
	struct counted_event *event = &attr->counted;

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

void
samples_note_odd(struct samples *samples, uint64_t at)
{
	if (samples->odd++ == 0 || at < samples->odd_at)
		samples->odd_at = at;
}

static void
note_odd(struct samples *samples)
{
	const struct taken_sample *taken = &samples->taken;

	samples_note_odd(samples, taken->block == NULL ? taken->at :
	    block_offset(taken->block, taken->record));
}

/* Returns a thread's name, or ":41", valid until the next call. */
static struct str
find_comm(struct samples *samples, int32_t tid)
{
	const struct task *thread = process_find(samples->process, tid);

	if (thread->comm.len > 0)
		return thread->comm;
	snprintf(samples->number, sizeof(samples->number), ":%ld", (long)tid);
	return str_from(samples->number);
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

/* True if the sample is asked for, or makes no sense. */
static bool
is_asked_for(struct samples *samples, const struct attr *attr)
{
	const struct record *record = samples->taken.record;
	struct select *select = samples->profile->options->select;
	struct sample sample = { .has = 0 };
	struct record_sample words;
	const char *lack;

	if (select == NULL || attr == NULL ||
	    record->bytes.len < attr->at.end)
		return true;
	lack = find_lack(select, attr);
	if (lack != NULL && samples->refused == NULL)
		samples->refused = lack;
	if (lack != NULL || samples->surveys)
		return false;
	record_words(record, attr, &words);
	sample.has = select->by;
	sample.time = record_word(record, attr->at.time, 0);
	sample.cpu = (uint32_t)record_word(record, attr->at.cpu, 0);
	sample.pid = words.pid;
	sample.tid = words.tid;
	if ((select->by & SAMPLE_HAS_COMM) != 0)
		sample.comm = find_comm(samples, words.tid);
	return select_sample(select, &sample);
}

/* Returns the frame of a sample's cgroup, plus one. */
static uint32_t
find_cgroup(const struct samples *samples)
{
	struct str bytes = samples->taken.record->bytes;
	const struct attr *attr = attrs_of_sample(&samples->file->attrs,
	    bytes);
	uint64_t cgroup = 0;

	if (attr != NULL && bytes.len >= attr->at.end + attr->at.cgroup_back)
		cgroup = attr_word(bytes.data + bytes.len -
		    attr->at.cgroup_back);
	return profile_cgroup(samples->profile,
	    process_cgroup(samples->process, cgroup));
}

static const struct task_label *
find_label(struct samples *samples, struct task *thread, int32_t pid,
    int32_t tid)
{
	struct task_label *label = &thread->label;
	struct sample sample;

	if (label->root == 0 || label->pid != pid || label->tid != tid) {
		sample = (struct sample){
		    .has = SAMPLE_HAS_PID | SAMPLE_HAS_TID, .pid = pid,
		    .tid = tid, .comm = find_comm(samples, tid) };
		profile_root(samples->profile, &sample);
		*label = (struct task_label){ sample.root, sample.java, pid,
		    tid };
	}
	return label;
}

static inline void
add_chain(struct samples *samples, struct record_sample *sample,
    uint32_t event, uint64_t count, uint64_t time,
    const struct wait_event *change)
{
	struct chain *chain = callchain_next(samples->chains);
	struct task *thread = process_find(samples->process, sample->tid);
	const struct task *owner = sample->pid == sample->tid ? thread :
	    process_find(samples->process, sample->pid);
	const struct task_label *label = find_label(samples, thread,
	    sample->pid, sample->tid);

	*chain = (struct chain){
		.maps = owner->maps,
		.words = sample->has_chain ? sample->chain.data : sample->ip,
		.len = sample->has_chain ? (uint32_t)sample->chain.len :
		    ATTR_WORD,
		.root = label->root - 1,
		.cgroup = samples->profile->options->cgroup ?
		    find_cgroup(samples) : 0,
		.event = event,
		.java = label->java,
		.mode = (uint8_t)record_mode(samples->taken.record),
		.is_lone = !sample->has_chain,
		.count = count,
		.time = time,
	};
	if (change != NULL)
		chain->change = *change;
	if (!sample->has_rest || !sample->has_chain) {
		callchain_add(samples->chains);
		return;
	}
	if (sample->user.stack.len > 0 && samples->taken.block != NULL)
		block_find_stack(samples->taken.block, &sample->user);
	callchain_unwind(samples->chains, sample, thread->since);
}

/* Returns how much a sample of an event counts, whose period this is. */
static uint64_t
count_of(const struct attr *attr, uint64_t period)
{
	return period == 0 || attr->type == ATTR_TRACEPOINT ? 1 : period;
}

static void
count_sample(struct samples *samples, const struct attr *attr,
    struct record_sample *sample, uint64_t count)
{
	struct timeline *timeline = samples->profile->fold->timeline;
	uint64_t time = record_time(samples->taken.record, attr);

	samples->profile->fold->counts.samples++;
	if (count == 0)
		return;
	if (timeline != NULL)
		timeline_check(timeline, attr->name, time);
	add_chain(samples, sample, attr->counted.frame, count, time, NULL);
}

/* Takes a sample of an event, by its field if that is asked for. */
static void
take_one(struct samples *samples, struct attr *attr,
    struct record_sample *sample)
{
	const struct counted_event *event = &attr->counted;
	uint64_t count = count_of(attr, sample->period);
	int64_t number = 0;
	bool is_found;

	if (!counts_event(samples, attr) || samples->refused != NULL)
		return;
	if (!event->has_frames) {
		samples->profile->frameless++;
		return;
	}
	if (profile_counts_field(samples->profile)) {
		is_found = event->has_field && field_number(&event->field,
		    sample_raw(sample, attr), &number);
		if (!profile_weigh(samples->profile, is_found, number, &count))
			return;
	}
	count_sample(samples, attr, sample, count);
}

/*
 * Takes a sample by what each of its counters has gained.  What they gain in a
 * sample that is left out is not counted with the next one either.
 */
static void
take_reads(struct samples *samples, const struct attr *attr,
    struct record_sample *sample, bool counts)
{
	struct attrs *attrs = &samples->file->attrs;
	struct attr *counted;
	struct counter *counter;
	struct str reads = sample->reads;
	uint64_t value, gain, *last;

	for (; reads.len > 0; reads = str_skip(reads, sample->read_size)) {
		value = attr_word(reads.data);
		counter = attrs_counter(attrs,
		    attr_word(reads.data + sample->id_at));
		if (counter == NULL) {
			if (counts)
				note_odd(samples);
			continue;
		}
		/* since Linux 6.12, where threads inherit the event */
		last = (attr->fields & SAMPLE_TID) != 0 &&
		    (attr->flags & ATTR_INHERITS) != 0 ?
		    attrs_thread_value(attrs, counter, sample->tid) :
		    &counter->value;
		gain = value - *last;
		*last = value;
		counted = &attrs->list[counter->attr];
		if (counts && gain > 0 && counts_event(samples, counted) &&
		    samples->refused == NULL && counted->counted.has_frames)
			count_sample(samples, counted, sample,
			    count_of(counted, gain));
	}
}

/* Gives waits an event without a stack. */
static void
add_wait(struct samples *samples, const struct wait_event *event,
    uint64_t time)
{
	*callchain_next(samples->chains) = (struct chain){ .words = "",
	    .is_nothing = true, .time = time, .change = *event };
	callchain_add(samples->chains);
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
	if (time > samples->last)
		samples->last = time;
	if (sched_read_record(record, attr, &event))
		add_wait(samples, &event, time);
}

/* Reads a sample; returns its event, or NULL if it makes no sense. */
static struct attr *
read_sample(struct samples *samples, struct attr *layout,
    struct record_sample *sample)
{
	const struct record *record = samples->taken.record;
	struct attrs *attrs = &samples->file->attrs;
	struct attr *attr;

	sample->has_reads = false;
	if (layout == NULL || attr_has_unknown_reads(layout))
		return layout;
	if (!record_sample(record, layout, sample) ||
	    (attr_is_off_cpu(layout) && !sample_read_off_cpu(sample, layout)))
		return NULL;
	if (samples->taken.block == NULL)
		sample->chain = samples->taken.words;
	if (attrs->id_at > 0 || attrs->count == 1)
		return layout;
	attr = attrs_by_id(attrs,
	    record_word(record, layout->at.id, UINT64_MAX));
	return attr != NULL || attr_marks_all(attrs->list) ? attr :
	    attrs->list;
}

static void
note_left_out(struct samples *samples, const struct attr *layout)
{
	const struct record *record = samples->taken.record;
	struct record_sample words = { .pid = -1, .tid = -1 };

	if (samples->tally == NULL || record_is_guest(record))
		return;
	record_words(record, layout, &words);
	select_tally_add(samples->tally, find_comm(samples, words.tid),
	    record_time(record, layout));
}

static void
take_wait(struct samples *samples, const struct attr *attr,
    const struct attr *layout, struct record_sample *sample)
{
	const struct sched_event *source = &attr->sched;
	const struct waits_options *options = samples->profile->options->waits;
	uint64_t time = record_time(samples->taken.record, attr);
	struct wait_event event;
	bool is_asked, needs_stack;

	/* at the end perf itself adds off-CPU samples, of times far away */
	if (time > samples->last && !attr_is_off_cpu(attr))
		samples->last = time;
	if (source->change == WAIT_NO_CHANGE || samples->refused != NULL ||
	    (source->change == WAIT_RAN &&
	    (sample->tid == 0 || !options->running)))
		return;
	if (!sched_read(source, samples->taken.record, layout, sample,
	    &event)) {
		note_odd(samples);
		return;
	}
	event.count = count_of(attr, sample->period);
	is_asked = event.change == WAIT_WAKE || is_asked_for(samples, layout);
	if (!is_asked && event.change != WAIT_SWITCH) {
		note_left_out(samples, layout);
		return;
	}
	samples->profile->fold->counts.samples += is_asked;
	needs_stack = event.change == WAIT_SWITCH ? is_asked &&
	    event.prev != 0 && options->counts[event.kind] :
	    event.change != WAIT_WAKE || options->wakers;
	if (!needs_stack) {
		add_wait(samples, &event, time);
		return;
	}
	if (!sample->has_chain)	/* the root alone is its stack */
		sample->chain = STR("");
	sample->has_chain = true;
	add_chain(samples, sample, 0, 0, time, &event);
}

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

void
samples_take(struct samples *samples, const struct record *record,
    const struct block *block, uint64_t at, struct str words)
{
	struct attr *attr = attrs_of_sample(&samples->file->attrs,
	    record->bytes), *counted;
	struct record_sample sample;

	samples->taken = (struct taken_sample){ record, block, at, words };
	if (samples->profile->options->select != NULL &&
	    !counts_waits(samples) && !is_asked_for(samples, attr)) {
		note_left_out(samples, attr);
		if ((attr->fields & SAMPLE_READ) == 0)
			return;
		counted = read_sample(samples, attr, &sample);
		if (counted != NULL && sample.has_reads)
			take_reads(samples, counted, &sample, false);
		return;
	}
	if (record_is_guest(record)) {
		samples->guests++;
		return;
	}
	if (attr == NULL || samples->taken.block == NULL ||
	    !attr->counted.is_plain ||
	    !record_plain_sample(record, attr, &sample)) {
		take_any(samples, attr);
		return;
	}
	samples->profile->fold->counts.samples++;
	add_chain(samples, &sample, attr->counted.frame,
	    sample.period == 0 ? 1 : sample.period, 0, NULL);
}

void
samples_begin(struct samples *samples)
{
	struct attrs *attrs = &samples->file->attrs;
	struct text name = { 0 };
	const struct attr *attr;
	const char *lack;
	size_t i;

	if (samples->has_learned)
		return;
	samples->has_learned = true;
	for (; attrs->named < attrs->count; attrs->named++) {
		attr = &attrs->list[attrs->named];
		name.len = 0;
		attr_add_name(attr, &name);
		attrs_name(attrs, attrs->named, text_str(&name));
		/* a dummy has no samples, but other records */
		if (attr->type != ATTR_SOFTWARE || attr->config != ATTR_DUMMY)
			filter_meet(&samples->profile->options->filter,
			    attr->name);
	}
	free(name.data);
	if (!counts_waits(samples) || attrs->count == 0)
		return;
	lack = sched_learn(samples);
	if (samples->refused == NULL)
		samples->refused = lack;
	for (i = 0; i < attrs->count; i++)
		if (attrs->list[i].sched.change != WAIT_NO_CHANGE)
			refuse(samples, &attrs->list[i]);
}

void
samples_forget_events(struct samples *samples)
{
	struct attrs *attrs = &samples->file->attrs;
	size_t i;

	/* a pipe may have many attrs in a row */
	if (!samples->has_learned)
		return;
	samples->has_learned = false;
	for (i = 0; i < attrs->count; i++) {
		attrs->list[i].counted = (struct counted_event){ 0 };
		attrs->list[i].sched = (struct sched_event){ 0 };
	}
}
