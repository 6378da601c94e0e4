#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

#define MISC_LEAVES	(1 << 13)	/* SWITCH: its thread does */

/*
 * Changes of threads are samples of the tracepoints sched:sched_switch and
 * sched:sched_waking or sched_wakeup, by their raw data; of a clock, and of
 * perf record --off-cpu, by their periods.
 *
 *	sched_switch	prev_pid  prev_state  next_pid
 *	sched_waking	pid
 *
 * The formats in the recording define these fields and the bits of a state.
 */

/* Bits that have meant the same in all versions. */
#define STATE_SLEEPS	1
#define STATE_UNINTERRUPTIBLE	2
#define STATE_ENDED	0x30
#define STATE_ALL	0xff

static inline bool
counts_waits(const struct samples *samples)
{
	return samples->profile->options->waits != NULL && !samples->surveys;
}

/* Refuses the recording if samples of an event cannot be folded. */
static void
refuse(struct samples *samples, const struct attr *attr)
{
	if (samples->refused != NULL)
		return;
	if ((attr->fields & SAMPLE_USER_STACK) != 0 &&
	    samples->chains->backtrace.machine == NULL)
		samples->refused = "recorded with --call-graph dwarf, and on "
		    "a machine that is neither x86_64 nor aarch64" ONLY_PERF;
	else if (attr_has_unknown_reads(attr))
		samples->refused = "recorded with reads of counters that are "
		    "of another kind" ONLY_PERF;
	else if (samples->profile->options->cgroup && attr->at.cgroup_back == 0)
		samples->refused = "recorded without cgroups; use perf record "
		    "--all-cgroups";
	else if (profile_counts_field(samples->profile) &&
	    (attr->fields & SAMPLE_READ) != 0)
		samples->refused = "recorded with counter reads (:S), which "
		    "cannot be combined with --weight";
}

/* True if samples of an event count; else one more of others was met. */
static bool
counts_event(struct samples *samples, struct attr *attr)
{
	struct counted_event *event = &attr->counted;
	struct filter *filter = &samples->profile->options->filter;
	const struct attrs *attrs = &samples->file->attrs;

	if (event->state == EVENT_OTHER)
		++*filter->others;
	if (event->state != EVENT_UNKNOWN)
		return event->state == EVENT_COUNTS;
	if (!filter_wants(filter, attr->name)) {
		event->state = EVENT_OTHER;
		return false;
	}
	event->state = EVENT_COUNTS;
	event->frame = filter_frame(filter, samples->profile->fold, attr->name);
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
	    (attrs->count == 1 || attrs->list->at.id > 0) &&
	    samples->profile->fold->timeline == NULL &&
	    !counts_waits(samples) && !profile_counts_field(samples->profile);
	return true;
}

void
samples_note_odd(struct samples *samples)
{
	const struct taken_record *taken = &samples->taken;
	uint64_t at = taken->block == NULL ? taken->at :
	    block_offset(taken->block, taken->record);

	if (samples->odd++ == 0 || at < samples->odd_at)
		samples->odd_at = at;
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

/* True if the sample is asked for, or makes no sense. */
static bool
is_asked_for(struct samples *samples)
{
	const struct record *record = samples->taken.record;
	const struct attr *attr = samples->layout;
	struct select *select = samples->profile->options->select;
	const char *lack = NULL;
	struct record_sample words;

	if (select == NULL || attr == NULL || record->bytes.len < attr->at.end)
		return true;
	if ((select->by & SAMPLE_HAS_TIME) != 0 && attr->at.time == 0)
		lack = "recorded without times, which --time needs; use perf "
		    "record -T";
	else if ((select->by & SAMPLE_HAS_CPU) != 0 && attr->at.cpu == 0)
		lack = "recorded without processor numbers, which --cpus "
		    "needs; use perf record --sample-cpu";
	else if ((select->by & (SAMPLE_HAS_PID | SAMPLE_HAS_TID |
	    SAMPLE_HAS_COMM)) != 0 && attr->at.tid == 0)
		lack = "recorded without process and thread IDs, which "
		    "--pids, --tids and --comms need";
	if (lack != NULL && samples->refused == NULL)
		samples->refused = lack;
	if (lack != NULL || samples->surveys)
		return false;
	record_words(record, attr, &words);
	return select_sample(select, &(struct sample){ .has = select->by,
	    .time = record_word(record, attr->at.time, 0),
	    .cpu = (uint32_t)record_word(record, attr->at.cpu, 0),
	    .pid = words.pid, .tid = words.tid,
	    .comm = (select->by & SAMPLE_HAS_COMM) == 0 ? STR("") :
	    find_comm(samples, words.tid) });
}

/* Returns the frame of a sample's cgroup, plus one. */
static uint32_t
find_cgroup(const struct samples *samples)
{
	struct str bytes = samples->taken.record->bytes;
	const struct attr_places *at = &samples->layout->at;
	uint64_t cgroup = 0;

	if (at->cgroup_back > 0 && bytes.len >= at->end + at->cgroup_back)
		cgroup = attr_word(bytes.data + bytes.len - at->cgroup_back);
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
add_chain(struct samples *samples, struct record_sample *sample, uint32_t event,
    uint64_t count, uint64_t time, const struct wait_event *change)
{
	struct callchain *chains = samples->chains;
	struct task *thread = process_find(samples->process, sample->tid);
	const struct task *owner = sample->pid == sample->tid ? thread :
	    process_find(samples->process, sample->pid);
	const struct task_label *label = find_label(samples, thread,
	    sample->pid, sample->tid);
	bool has_rest = sample->has_rest && sample->has_chain;
	bool is_lone = !sample->has_chain;
	struct str words = sample->chain;

	if (has_rest) {
		if (sample->user.stack.len > 0 && samples->taken.block != NULL)
			block_find_stack(samples->taken.block, &sample->user);
		is_lone = !backtrace_make(&chains->backtrace, sample,
		    owner->maps, thread->since, &words);
	}
	callchain_add(chains, &(struct chain){
		.maps = owner->maps,
		.words = is_lone ? (struct str){ sample->ip, ATTR_WORD } :
		    words,
		.root = label->root - 1,
		.cgroup = samples->profile->options->cgroup ?
		    find_cgroup(samples) : 0,
		.event = event,
		.java = label->java,
		.mode = (uint8_t)record_mode(samples->taken.record),
		.is_lone = is_lone,
		.count = count,
		.time = time,
		.change = change != NULL ? *change : (struct wait_event){ 0 },
	});
	if (has_rest && chains->backtrace.words.len > 0)
		callchain_flush(chains);
}

/* Returns how much a sample of an event counts, whose period this is. */
static uint64_t
count_of(const struct attr *attr, uint64_t period)
{
	return period == 0 || attr->type == ATTR_TRACEPOINT ? 1 : period;
}

/* Takes a sample by its period, a field, or what one counter has gained. */
static void
take_one(struct samples *samples, struct attr *attr,
    struct record_sample *sample, uint64_t gain)
{
	const struct counted_event *event = &attr->counted;
	struct timeline *timeline = samples->profile->fold->timeline;
	uint64_t count = count_of(attr, gain);
	uint64_t time = record_time(samples->taken.record, attr);
	int64_t number = 0;
	bool is_found;

	if (!counts_event(samples, attr) || samples->refused != NULL)
		return;
	/* perf script prints tracepoints' frames if any has call chains */
	if (attr->type == ATTR_TRACEPOINT &&
	    (samples->file->attrs.traced & SAMPLE_CALLCHAIN) == 0) {
		samples->profile->frameless += !sample->has_reads;
		return;
	}
	if (profile_counts_field(samples->profile) && !sample->has_reads) {
		is_found = event->has_field && field_number(&event->field,
		    sample_raw(sample, attr), &number);
		if (!profile_weigh(samples->profile, is_found, number, &count))
			return;
	}
	samples->profile->fold->counts.samples++;
	if (count == 0)
		return;
	if (timeline != NULL)
		timeline_check(timeline, attr->name, time);
	add_chain(samples, sample, event->frame, count, time, NULL);
}

/* Takes a sample by what each of its counters has gained. */
static void
take_reads(struct samples *samples, const struct attr *attr,
    struct record_sample *sample, bool counts)
{
	struct attrs *attrs = &samples->file->attrs;
	struct attr *event;
	struct str reads = sample->reads;
	uint64_t id, value, gain, *last;

	for (; reads.len > 0; reads = str_skip(reads, sample->read_size)) {
		value = attr_word(reads.data);
		id = attr_word(reads.data + sample->id_at);
		event = attrs_counted(attrs, id);
		if (event == NULL) {
			if (counts)
				samples_note_odd(samples);
			continue;
		}
		/* since Linux 6.12, where threads inherit the event */
		last = attrs_last(attrs, id, (attr->fields & SAMPLE_TID) != 0 &&
		    (attr->flags & ATTR_INHERITS) != 0 ?
		    sample->tid : INT32_MIN);
		/* the gain of a sample left out does not count later either */
		gain = value - *last;
		*last = value;
		if (counts && gain > 0)
			take_one(samples, event, sample, gain);
	}
}

/* Gives waits an event without a stack. */
static void
add_wait(struct samples *samples, const struct wait_event *event, uint64_t time)
{
	callchain_add(samples->chains, &(struct chain){ .words = STR(""),
	    .is_nothing = true, .time = time, .change = *event });
}

void
samples_take_change(struct samples *samples, uint64_t time)
{
	const struct record *record = samples->taken.record;
	const struct attr *attr = !counts_waits(samples) ? NULL :
	    attrs_find(&samples->file->attrs, record->bytes, false);
	struct wait_event event = { .change = WAIT_NO_CHANGE };

	if (attr == NULL || time == 0)
		return;
	if (time > samples->last)
		samples->last = time;
	if (record->type == RECORD_LOST || record->type == RECORD_LOST_SAMPLES)
		event.change = WAIT_LOST;
	else if (record->type == RECORD_SWITCH ||
	    record->type == RECORD_SWITCH_ALL)
		event.change = (record->misc & MISC_LEAVES) == 0 ?
		    WAIT_SWITCH_IN : WAIT_SWITCH_OUT;
	else
		return;
	event.next = record_tid(record, attr);
	event.cpu = (uint32_t)record_end_word(record, attr->back.cpu,
	    WAITS_CPU_NONE);
	add_wait(samples, &event, time);
}

/* Reads a sample; returns its event, or NULL if it makes no sense. */
static struct attr *
read_sample(struct samples *samples, struct record_sample *sample)
{
	const struct record *record = samples->taken.record;
	struct attr *layout = samples->layout;
	struct attrs *attrs = &samples->file->attrs;
	struct attr *attr;

	sample->has_reads = false;
	sample->period = 0;
	if (layout == NULL || attr_has_unknown_reads(layout))
		return layout;
	if (!record_sample(record, layout, sample) ||
	    (attr_is_off_cpu(layout) && !sample_read_off_cpu(sample, layout)))
		return NULL;
	if (samples->taken.block == NULL)
		sample->chain = samples->taken.words;
	if (attrs->list->at.id > 0 || attrs->count == 1)
		return layout;
	attr = attrs_by_id(attrs,
	    record_word(record, layout->at.id, UINT64_MAX));
	return attr != NULL || attr_marks_all(attrs->list) ? attr : attrs->list;
}

static void
note_left_out(struct samples *samples)
{
	const struct record *record = samples->taken.record;
	const struct attr *layout = samples->layout;
	struct record_sample words = { .pid = -1, .tid = -1 };

	if (samples->tally == NULL || record_is_guest(record))
		return;
	record_words(record, layout, &words);
	select_tally_add(samples->tally, find_comm(samples, words.tid),
	    record_time(record, layout));
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

/* Reads a sample's change, except its count; false if it makes no sense. */
static bool
read_change(const struct samples *samples, const struct sched_event *source,
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
	if (sample->tid < 0) {	/* the thread is exiting */
		sample->tid = event->prev;
		sample->pid = sample->pid < 0 ? event->prev : sample->pid;
	}
	return true;
}

static void
take_wait(struct samples *samples, const struct attr *attr,
    struct record_sample *sample)
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
	if (!read_change(samples, source, sample, &event)) {
		samples_note_odd(samples);
		return;
	}
	event.count = count_of(attr, sample->period);
	is_asked = event.change == WAIT_WAKE || is_asked_for(samples);
	if (!is_asked && event.change != WAIT_SWITCH) {
		note_left_out(samples);
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

void
samples_take(struct samples *samples)
{
	const struct record *record = samples->taken.record;
	struct attr *attr, *layout = attrs_of_sample(&samples->file->attrs,
	    record->bytes);
	struct record_sample sample;
	bool counts;

	samples->layout = layout;
	counts = samples->profile->options->select == NULL ||
	    counts_waits(samples) || is_asked_for(samples);
	if (!counts) {
		note_left_out(samples);
		if ((layout->fields & SAMPLE_READ) == 0)
			return;
	} else if (record_is_guest(record)) {
		samples->guests++;
		return;
	} else if (layout != NULL && samples->taken.block != NULL &&
	    layout->counted.is_plain &&
	    record_plain_sample(record, layout, &sample)) {
		samples->profile->fold->counts.samples++;
		add_chain(samples, &sample, layout->counted.frame,
		    count_of(layout, sample.period), 0, NULL);
		return;
	}
	attr = read_sample(samples, &sample);
	if (attr != NULL && sample.has_reads && !counts_waits(samples))
		take_reads(samples, attr, &sample, counts);
	else if (!counts)
		return;
	else if (attr == NULL)
		samples_note_odd(samples);
	else if (!counts_waits(samples))
		take_one(samples, attr, &sample, sample.period);
	else if (!attr_has_unknown_reads(attr))
		take_wait(samples, attr, &sample);
}

/* Finds a field of numbers, or refuses the recording. */
static void
find_field(struct samples *samples, const struct tracepoint *tracepoint,
    const char *name, struct raw_field *field)
{
	const char *trouble = tracepoint_field(tracepoint, str_from(name),
	    field);
	struct text text = { 0 };

	if (trouble == NULL && !field->is_number)
		trouble = "is no number";
	if (trouble == NULL || samples->refused != NULL)
		return;
	if (tracepoint->text.len == 0)
		text_add_format(&text, "recorded without the format "
		    "of a tracepoint, which locates %s", name);
	else
		text_add_format(&text, "the field %s of the "
		    "tracepoint %.*s:%.*s %s", name,
		    (int)tracepoint->system.len, tracepoint->system.data,
		    (int)tracepoint->name.len, tracepoint->name.data, trouble);
	text_add_char(&text, '\0');
	samples->refused = arena_copy(&samples->file->arena,
	    text_str(&text)).data;
	free(text.data);
}

/* Finds what an event reports, or refuses the recording. */
static void
learn_change(struct samples *samples, struct attr *attr)
{
	const struct tracepoint *tracepoint = formats_find(
	    &samples->file->formats, attr->config);
	const struct str system = STR("sched:"), state = STR("prev_state");
	struct sched_event *source = &attr->sched;
	struct str name = STR("");	/* of the scheduler's tracepoint */

	if (attr->type == ATTR_TRACEPOINT && tracepoint->text.len == 0 &&
	    str_starts(attr->name, system))
		name = str_skip(attr->name, system.len);
	else if (attr->type == ATTR_TRACEPOINT && tracepoint->text.len > 0 &&
	    str_equal(tracepoint->system, STR("sched")))
		name = tracepoint->name;
	if (str_equal(name, STR("sched_switch"))) {
		source->change = WAIT_SWITCH;
		if ((attr->flags & ATTR_FREQUENCY) != 0 || attr->period > 1)
			samples->refused = "recorded with -F or -c, which "
			    "leave switches out; perf record "
			    "-e cpu-clock/freq=999/ -e sched:sched_switch "
			    "-a -g records all";
		source->states = tracepoint_flags(tracepoint, state,
		    STR("SDTtXZPIxKWN"));
		source->ended = tracepoint_flags(tracepoint, state, STR("XxZ"));
		source->uninterruptible = tracepoint_flags(tracepoint, state,
		    STR("D"));
		if ((source->states & STATE_SLEEPS) == 0) {
			source->states = STATE_ALL;
			source->ended = STATE_ENDED;
			source->uninterruptible = STATE_UNINTERRUPTIBLE;
		}
		find_field(samples, tracepoint, "prev_pid", &source->prev);
		find_field(samples, tracepoint, "prev_state", &source->state);
		find_field(samples, tracepoint, "next_pid", &source->next);
	} else if (str_equal(name, STR("sched_waking")) ||
	    str_equal(name, STR("sched_wakeup"))) {
		source->change = WAIT_WAKE;
		find_field(samples, tracepoint, "pid", &source->next);
	} else if (attr_is_off_cpu(attr))
		source->change = WAIT_RECORDED;
	else if (attr->type == ATTR_SOFTWARE &&
	    (attr->config == ATTR_CPU_CLOCK || attr->config == ATTR_TASK_CLOCK))
		source->change = WAIT_RAN;
}

/* Finds the events that report changes, or refuses what lacks them. */
static void
learn_changes(struct samples *samples)
{
	const struct waits_options *options = samples->profile->options->waits;
	struct attrs *attrs = &samples->file->attrs;
	/* the first event that reports a change counts */
	struct sched_event *events[WAIT_RAN + 1] = { NULL }, *event;
	bool has_switches;
	size_t i;

	for (i = 0; i < attrs->count; i++) {
		learn_change(samples, &attrs->list[i]);
		if (samples->refused != NULL)
			return;
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
		samples->refused = "recorded without thread switches; use "
		    "perf record -e sched:sched_switch -a -g";
	else if (options->running && events[WAIT_RAN] == NULL)
		samples->refused = "recorded without samples of a clock; use "
		    "perf record -e cpu-clock -e sched:sched_switch -a -g";
	else if (!has_switches && options->counts[WAIT_PREEMPTED] &&
	    !options->running)
		samples->refused = "recorded without preempted threads; use "
		    "perf record -e sched:sched_switch -a -g";
	else if (has_switches && attrs->defers_chains)
		samples->refused = "recorded with deferred stacks, which come "
		    "after the wait; use perf record --call-graph fp";
	else if (options->wakers &&
	    (!has_switches || events[WAIT_WAKE] == NULL))
		samples->refused = "recorded without wakers; use perf record "
		    "-e sched:sched_switch -e sched:sched_waking -a -g";
}

void
samples_begin(struct samples *samples)
{
	struct attrs *attrs = &samples->file->attrs;
	struct text name = { 0 };
	struct attr *attr;
	size_t i;

	if (attrs->named == attrs->count)
		return;
	for (attrs->named = 0; attrs->named < attrs->count; attrs->named++) {
		attr = &attrs->list[attrs->named];
		attr->counted = (struct counted_event){ 0 };
		attr->sched = (struct sched_event){ 0 };
		name.len = 0;
		attr_add_name(attr, &name);
		attrs_name(attrs, attrs->named, text_str(&name));
		/* a dummy has no samples, but other records */
		if (attr->type != ATTR_SOFTWARE || attr->config != ATTR_DUMMY)
			filter_meet(&samples->profile->options->filter,
			    attr->name);
	}
	free(name.data);
	if (!counts_waits(samples) || samples->refused != NULL)
		return;
	learn_changes(samples);
	for (i = 0; i < attrs->count; i++)
		if (attrs->list[i].sched.change != WAIT_NO_CHANGE)
			refuse(samples, &attrs->list[i]);
}
