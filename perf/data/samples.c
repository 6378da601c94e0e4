#include <stdlib.h>
#include <string.h>

#include "samples.h"
#include "symbols/unwind/unwind.h"

static bool
counts_fields(const struct samples *samples)
{
	return samples->target->fields != NULL;
}

/* Finds the field by which an event's samples count. */
static void
find_field(struct samples *samples, const struct attr *attr)
{
	struct tracepoint tracepoint = { .is_big = false };

	if (attr->type == ATTR_TRACEPOINT)
		tracepoint = formats_find(samples->formats, attr->config);
	samples->has_field = tracepoint_field(&tracepoint,
	    samples->target->fields->field, &samples->field) == NULL;
}

/* Returns why samples of an event cannot be folded, or NULL. */
static const char *
find_refusal(const struct samples *samples, const struct attr *attr)
{
	if ((attr->fields & SAMPLE_USER_STACK) != 0 && samples->machine == NULL)
		return "recorded with --call-graph dwarf, and on a machine "
		    "that is neither x86_64 nor aarch64" ONLY_PERF;
	if (attr_has_branch_chains(attr))
		return "recorded with --call-graph lbr" ONLY_PERF;
	if (attr_has_unknown_reads(attr))
		return "recorded with reads of counters that are of another "
		    "kind" ONLY_PERF;
	if (samples->roots.cgroup && attr->at.cgroup_back == 0)
		return "recorded without cgroups; use perf record "
		    "--all-cgroups";
	if (counts_fields(samples) && (attr->fields & SAMPLE_READ) != 0)
		return "recorded with counter reads (:S), which cannot be "
		    "combined with --weight";
	return NULL;
}

/* Refuses the recording if samples of an event, which count, need that. */
static void
refuse(struct samples *samples, const struct attr *attr)
{
	if (samples->refused == NULL)
		samples->refused = find_refusal(samples, attr);
}

/* perf script prints tracepoints' frames if one of them has chains. */
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

/* Returns when a sample was taken. */
static struct moment
find_moment(const struct samples *samples, const struct record *record)
{
	return (struct moment){ block_turn(samples->slice->block, record,
	    samples->attrs, samples->is_pipe), samples->number };
}

/* Notes samples of an event that does not count. */
static void
note_other(struct samples *samples, struct other_event event)
{
	struct other_event *other;

	if (samples->others == NULL)
		samples->others = mem_array(samples->attrs->count,
		    sizeof(*samples->others));
	other = &samples->others[event.attr];
	event.count += other->count;
	if (other->count > 0 && moment_is_before(other->first, event.first))
		event.first = other->first;
	*other = event;
}

/*
 * True if samples of an event count; then what is the same for all of them is
 * noted.
 */
static bool
counts_event(struct samples *samples, const struct attr *attr)
{
	const struct filter *filter = samples->target->filter;
	struct attrs *attrs = samples->attrs;

	if (attr == samples->counted)
		return true;
	if (!filter_counts(filter, attr->name))
		return false;
	samples->counted = attr;
	samples->event = !filter_keeps_events(filter) ? 0 :
	    1 + filter_frame(filter, &samples->namer->names, attr->name);
	samples->has_frames = has_frames(attrs, attr);
	if (counts_fields(samples))
		find_field(samples, attr);
	refuse(samples, attr);
	samples->is_plain = attr_is_plain(attr) && samples->refused == NULL &&
	    (attrs->count == 1 || attrs->id_at > 0) &&
	    samples->target->timeline == NULL && !counts_fields(samples);
	return true;
}

/* The same; and samples of events that do not count are noted. */
static bool
is_wanted(struct samples *samples, const struct attr *attr,
    struct moment moment)
{
	if (counts_event(samples, attr))
		return true;
	note_other(samples, (struct other_event){
	    (size_t)(attr - samples->attrs->list), 1, moment });
	return false;
}

/*
 * Adds to a chain what the rest of it is unwound from, if there is that; its
 * thread has its name since a record of that number.
 */
static void
add_rest(struct samples *samples, const struct record_sample *sample,
    struct chain *chain, uint64_t since)
{
	struct batch *batch = samples->batch;
	struct chain_rest *rest;

	if (!sample->has_chain || samples->machine == NULL ||
	    (sample->user.stack.len == 0 &&
	    samples->machine != &unwind_aarch64))
		return;
	if (batch->rests == NULL)
		batch->rests = mem_array(BATCH_CHAINS, sizeof(*batch->rests));
	rest = &batch->rests[batch->rests_count++];
	*rest = (struct chain_rest){ samples->machine, sample->ip,
	    sample->user, { sample->tid, since } };
	if (sample->user.stack.len > 0)
		block_find_stack(samples->slice->block, &rest->user);
	chain->rest = (uint16_t)batch->rests_count;
}

/* Makes room for a chain, where the kernel is as it was then. */
static void
make_room(struct samples *samples, struct moment moment)
{
	const struct history *history = samples->history;
	struct maps_view kernel = maps_at(history->kernel, moment);
	struct module *module = history_kernel(history, moment);
	struct batch *batch = samples->batch;

	if (batch->count == BATCH_CHAINS ||
	    batch->kernel.maps != kernel.maps ||
	    batch->kernel.count != kernel.count ||
	    batch->kernel_module != module)
		samples_fold(samples);
	batch->kernel = kernel;
	batch->kernel_module = module;
}

void
samples_note_odd(struct samples *samples, const struct record *record,
    const struct block *block, uint64_t number)
{
	if (samples->odd++ > 0 && number > samples->odd_number)
		return;
	samples->odd_number = number;
	samples->odd_at = block_offset(block, record);
}

/* The same of the sample that is taken. */
static void
note_odd(struct samples *samples, const struct record *record)
{
	samples_note_odd(samples, record, samples->slice->block,
	    samples->number);
}

/* Finds the thread of a sample, which mostly is that of the one before. */
static void
find_thread(struct samples *samples, int32_t pid, int32_t tid)
{
	if (samples->has_thread && samples->tid == tid && samples->pid == pid)
		return;
	samples->thread = history_find(samples->history, pid, tid);
	samples->has_thread = true;
	samples->pid = pid;
	samples->tid = tid;
}

/* Returns what the thread of a sample was called, until the next call. */
static struct str
find_comm(struct samples *samples, const struct record *record,
    const struct attr *attr)
{
	uint64_t ids = record_word(record, attr->at.tid, UINT64_MAX);
	const struct history_name *name;
	struct text *comm = &samples->roots.name;

	find_thread(samples, (int32_t)(uint32_t)ids,
	    (int32_t)(uint32_t)(ids >> 32));
	name = history_name(&samples->thread, find_moment(samples, record));
	if (name != NULL && name->name.len > 0)
		return name->name;
	comm->len = 0;
	text_add_format(comm, ":%ld", (long)samples->tid);
	return text_str(comm);
}

/* Returns what the samples of an event do not tell to a selection, or NULL. */
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

/* True if a sample, which is whole, is selected. */
static bool
is_selected(struct samples *samples, const struct record *record,
    const struct attr *attr)
{
	const struct select *select = samples->select;
	uint64_t ids = record_word(record, attr->at.tid, UINT64_MAX);

	return select_wants_time(select,
	    record_word(record, attr->at.time, 0)) &&
	    select_wants_cpu(select,
	    (uint32_t)record_word(record, attr->at.cpu, 0)) &&
	    select_wants_thread(select, (int32_t)(uint32_t)ids,
	    (int32_t)(uint32_t)(ids >> 32)) &&
	    ((select->by & SAMPLE_HAS_COMM) == 0 ||
	    select_wants_comm(select, find_comm(samples, record, attr)));
}

/* True if a sample is selected, or makes no sense. */
static bool
is_chosen(struct samples *samples, const struct record *record)
{
	const struct attr *attr = attrs_of_sample(samples->attrs,
	    record->bytes);
	const char *lack;

	if (attr == NULL || record->bytes.len < attr->at.end)
		return true;
	lack = find_lack(samples->select, attr);
	if (lack != NULL && samples->refused == NULL)
		samples->refused = lack;
	return lack == NULL && !samples->surveys &&
	    is_selected(samples, record, attr);
}

/* True if a sample is asked for, or makes no sense. */
static inline bool
is_asked_for(struct samples *samples, const struct record *record)
{
	return samples->select == NULL || is_chosen(samples, record);
}

/* Returns the number of a sample's cgroup. */
static uint64_t
find_cgroup(const struct samples *samples, const struct record *record)
{
	const struct attr *attr = attrs_of_sample(samples->attrs,
	    record->bytes);
	size_t back = samples->slice->block->has_turns ? ATTR_WORD : 0;

	if (attr == NULL)
		return 0;
	back += attr->at.cgroup_back;
	return record->bytes.len < attr->at.end + back ? 0 :
	    attr_word(record->bytes.data + record->bytes.len - back);
}

/* Returns the root of the sample's thread at a moment. */
static const struct known_root *
find_root(struct samples *samples, const struct record *record,
    struct moment moment)
{
	uint64_t cgroup = samples->roots.cgroup ? find_cgroup(samples, record) :
	    0;
	const struct history_name *name = history_name(&samples->thread,
	    moment);
	struct known_root *known =
	    &samples->known[(uint32_t)samples->tid % SAMPLES_ROOTS];
	char number[24];	/* ":41", of a thread without a name */
	struct root root;

	if (known->is_known && known->name == name &&
	    known->pid == samples->pid && known->tid == samples->tid &&
	    known->cgroup == cgroup)
		return known;
	snprintf(number, sizeof(number), ":%ld", (long)samples->tid);
	root = roots_find(&samples->roots, samples->namer, &(struct sample){
	    .has = SAMPLE_HAS_PID | SAMPLE_HAS_TID, .pid = samples->pid,
	    .tid = samples->tid, .comm = name == NULL || name->name.len == 0 ?
	    str_from(number) : name->name });
	*known = (struct known_root){ name, samples->pid, samples->tid, true,
	    root.java, root.frame, cgroup, 0 };
	if (samples->roots.cgroup)
		known->cgroup_frame = 1 + roots_find_cgroup(&samples->roots,
		    samples->namer, history_cgroup(samples->history, cgroup));
	return known;
}

/* Adds a sample's chain to those that are folded, and returns it. */
static inline struct chain *
add_chain(struct samples *samples, const struct record_sample *sample,
    const struct record *record, struct moment moment, uint64_t count)
{
	struct batch *batch = samples->batch;
	const struct known_root *root;
	struct chain *chain;

	find_thread(samples, sample->pid, sample->tid);
	make_room(samples, moment);
	root = find_root(samples, record, moment);
	chain = &batch->chains[batch->count++];
	*chain = (struct chain){
		.maps = history_maps(&samples->thread, moment),
		.words = sample->has_chain ? sample->chain.data : sample->ip,
		.len = sample->has_chain ? (uint32_t)sample->chain.len :
		    ATTR_WORD,
		.root = root->frame, .cgroup = root->cgroup_frame,
		.event = samples->event,
		.java = root->java,
		.mode = (uint8_t)record_mode(record),
		.is_lone = !sample->has_chain,
		.count = count,
	};
	if (sample->has_user)
		add_rest(samples, sample, chain, root->name == NULL ? 0 :
		    root->name->from.number);
	return chain;
}

/* Returns how much a sample of an event counts, whose period this is. */
static uint64_t
count_of(const struct attr *attr, uint64_t period)
{
	return period == 0 || attr->type == ATTR_TRACEPOINT ? 1 : period;
}

/* Adds a sample of the slice to those that need their order. */
static void
add_ordered(struct samples *samples, struct ordered_sample ordered)
{
	if (samples->slice->block->has_turns)
		ordered.joined = ordered.time;
	ordered_add(&samples->ordered, ordered);
}

/*
 * Adds the chain of a sample, and returns where chains keep its stack; that
 * begins with the frame of an event if stacks do, and it counts.
 */
static uint32_t
keep_chain(struct samples *samples, const struct attr *attr,
    const struct record_sample *sample, const struct record *record,
    struct moment moment)
{
	struct chain *chain;

	if (filter_keeps_events(samples->target->filter))
		counts_event(samples, attr);
	chain = add_chain(samples, sample, record, moment, 0);
	chain->kept = chains_keep(samples->chains);
	return chain->kept;
}

/*
 * Stores what counts of a sample: its field, if that is asked for, or its
 * period; false if it is left out.
 */
static bool
weigh(struct samples *samples, const struct attr *attr,
    const struct record_sample *sample, uint64_t *count)
{
	int64_t number = 0;
	bool is_found;

	if (!counts_fields(samples)) {
		*count = count_of(attr, sample->period);
		return true;
	}
	is_found = samples->has_field && field_number(&samples->field,
	    sample_raw(sample, attr), &number);
	return fieldcount_take(&samples->fields, is_found, number, count);
}

/* Takes a sample of an event, by itself. */
static void
take_one(struct samples *samples, const struct attr *attr,
    const struct record_sample *sample, const struct record *record)
{
	struct timeline *timeline = samples->target->timeline;
	struct moment moment = find_moment(samples, record);
	uint64_t count, time;

	if (!is_wanted(samples, attr, moment) || samples->refused != NULL)
		return;
	samples->frameless += !samples->has_frames;
	if (!samples->has_frames || !weigh(samples, attr, sample, &count))
		return;
	samples->count++;
	if (count == 0)
		return;
	if (timeline == NULL) {
		add_chain(samples, sample, record, moment, count);
		return;
	}
	time = record_time(record, attr);
	timeline_check(timeline, attr->name, time);
	add_ordered(samples, (struct ordered_sample){ .moment = moment,
	    .time = time, .of.count = count,
	    .stack = keep_chain(samples, attr, sample, record, moment) });
}

/*
 * Takes a sample with reads of counters, which count once they are in order,
 * unless it is left out.  Where stacks begin with events, each read has a stack
 * of its own.
 */
static void
take_reads(struct samples *samples, const struct attr *attr,
    struct record_sample *sample, const struct record *record, bool counts)
{
	struct ordered_sample ordered = {
		.moment = find_moment(samples, record),
		.time = record_time(record, attr), .is_read = true };
	struct attrs *attrs = samples->attrs;
	struct sample_read read;
	struct counter *counter;

	samples->target->stacks->has_zeros = true;
	while (sample_next_read(sample, &read)) {
		counter = attrs_counter(attrs, read.id);
		if (counter == NULL && counts)
			note_odd(samples, record);
		if (counter == NULL)
			continue;
		if (counts && (ordered.stack == 0 ||
		    filter_keeps_events(samples->target->filter)))
			ordered.stack = keep_chain(samples,
			    &attrs->list[counter->attr], sample, record,
			    ordered.moment);
		ordered.of.read = (struct ordered_read){ read.id, read.value,
		    sample->tid, (uint32_t)(attr - attrs->list) };
		add_ordered(samples, ordered);
	}
}

void
samples_take_change(struct samples *samples, const struct record *record,
    struct moment moment)
{
	const struct attr *attr = samples->target->waits == NULL ? NULL :
	    attrs_find(samples->attrs, record->bytes, false);
	struct ordered_sample ordered = { .moment = moment,
	    .time = moment.time };

	if (attr == NULL || moment.time == 0)
		return;
	if (moment.time > samples->last)
		samples->last = moment.time;
	if (switches_read_record(record, attr, &ordered.of.event))
		ordered_add(&samples->ordered, ordered);
}

/* Returns the event of a sample, by its number; the first if it lacks one. */
static struct attr *
find_event(struct attrs *attrs, uint64_t id)
{
	struct attr *attr = attrs->count == 1 ? attrs->list :
	    attrs_by_id(attrs, id);

	return attr != NULL || attr_marks_all(attrs->list) ? attr :
	    attrs->list;
}

/* Reads a sample; returns its event, or NULL if it makes no sense. */
static struct attr *
read_sample(struct samples *samples, const struct record *record,
    struct record_sample *sample)
{
	struct attrs *attrs = samples->attrs;
	struct attr *attr = attrs_of_sample(attrs, record->bytes);

	sample->has_reads = false;
	if (attr == NULL || attr_has_unknown_reads(attr))
		return attr;
	if (!record_sample(record, attr, sample) ||
	    (attr_is_off_cpu(attr) && !sample_read_off_cpu(sample, attr)))
		return NULL;
	return attrs->id_at > 0 ? attr : find_event(attrs,
	    record_word(record, attr->at.id, UINT64_MAX));
}

static bool
is_guest(const struct record *record)
{
	enum record_mode mode = record_mode(record);

	return mode == MODE_GUEST_KERNEL || mode == MODE_GUEST_USER;
}

/* Notes that there is a sample, which is left out, in the tally. */
static void
note_left_out(struct samples *samples, const struct record *record,
    const struct attr *attr)
{
	if (samples->tally != NULL && !is_guest(record))
		select_tally(samples->tally, find_comm(samples, record, attr),
		    record_time(record, attr));
}

/*
 * Leaves a sample out.  What its counters have counted so far is not counted
 * with the next one.
 */
static void
leave_out(struct samples *samples, const struct record *record)
{
	const struct attr *attr = attrs_of_sample(samples->attrs,
	    record->bytes);
	struct record_sample sample;

	note_left_out(samples, record, attr);
	if ((attr->fields & SAMPLE_READ) == 0)
		return;
	attr = read_sample(samples, record, &sample);
	if (attr != NULL && sample.has_reads)
		take_reads(samples, attr, &sample, record, false);
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
    struct record_sample *sample, const struct record *record)
{
	const struct switch_source *source = switches_source(
	    &samples->switches, (size_t)(attr - samples->attrs->list));
	const struct waits_options *options = samples->target->waits->options;
	const struct attr *layout = attrs_of_sample(samples->attrs,
	    record->bytes);
	uint64_t time = record_time(record, attr);
	struct ordered_sample ordered = {
		.moment = { time, samples->number }, .time = time };
	struct wait_event *event = &ordered.of.event;
	bool is_asked;

	/* at the end perf itself adds off-CPU samples, of times far away */
	if (time > samples->last && !attr_is_off_cpu(attr))
		samples->last = time;
	if (source->change == WAIT_NOTHING || samples->refused != NULL ||
	    (source->change == WAIT_RAN &&
	    (sample->tid == 0 || !options->running)))
		return;
	if (!switches_read(source, record, layout, sample, event)) {
		note_odd(samples, record);
		return;
	}
	event->count = count_of(attr, sample->period);
	is_asked = event->change == WAIT_WAKE || is_asked_for(samples, record);
	if (!is_asked && event->change != WAIT_SWITCH) {
		note_left_out(samples, record, layout);
		return;
	}
	samples->count += is_asked;
	if (needs_stack(options, event, is_asked)) {
		if (!sample->has_chain)	/* the root alone is its stack */
			sample->chain = STR("");
		sample->has_chain = true;
		ordered.stack = keep_chain(samples, attr, sample, record,
		    ordered.moment);
	}
	add_ordered(samples, ordered);
}

/* Does the work of take for a sample of any kind. */
static void
take_any(struct samples *samples, const struct record *record)
{
	struct record_sample sample;
	struct attr *attr = read_sample(samples, record, &sample);

	if (attr == NULL)
		note_odd(samples, record);
	else if (attr_has_unknown_reads(attr)) {
		if (samples->target->waits == NULL)
			is_wanted(samples, attr, find_moment(samples, record));
	} else if (samples->target->waits != NULL)
		take_wait(samples, attr, &sample, record);
	else if (sample.has_reads)
		take_reads(samples, attr, &sample, record, true);
	else
		take_one(samples, attr, &sample, record);
}

static inline void
take(struct samples *samples, const struct record *record)
{
	struct attr *attr = attrs_of_sample(samples->attrs, record->bytes);
	struct record_sample sample;

	if (samples->target->waits == NULL && !is_asked_for(samples, record))
		leave_out(samples, record);
	else if (is_guest(record))
		samples->guests++;
	else if (attr != NULL && attr == samples->counted &&
	    samples->is_plain && record_plain_sample(record, attr, &sample)) {
		samples->count++;
		add_chain(samples, &sample, record,
		    find_moment(samples, record),
		    sample.period == 0 ? 1 : sample.period);
	} else
		take_any(samples, record);
}

/* Takes the next sample of a slice, of which `rest` is left. */
static bool
next_sample(struct samples *samples, struct str *rest, struct record *record)
{
	while (rest->len >= RECORD_HEADER) {
		*record = record_at(rest->data);
		if (record->bytes.len < RECORD_HEADER ||
		    record->bytes.len > rest->len)
			return false;
		*rest = str_skip(*rest, record->bytes.len);
		samples->number++;
		if (record->type == RECORD_SAMPLE)
			return true;
	}
	return false;
}

/* Begins with a slice. */
static struct str
begin_slice(struct samples *samples, const struct slice *slice)
{
	samples->slice = slice;
	samples->number = slice->number - 1;
	return slice->records;
}

void
samples_take(struct samples *samples, const struct slice *slice)
{
	struct str rest = begin_slice(samples, slice);
	struct record record;

	while (next_sample(samples, &rest, &record))
		take(samples, &record);
	/* a file may be another one by now */
	if (rest.len >= RECORD_HEADER)
		note_odd(samples, &record);
}

/* Notes the files in which the addresses of a sample are. */
static void
want(struct samples *samples, const struct record_sample *sample,
    struct moment moment)
{
	struct str words = sample->has_chain ? sample->chain :
	    (struct str){ sample->ip, ATTR_WORD };
	struct maps_range around = { 0, 0 };
	struct maps_view maps;
	const struct map *map;
	uint64_t address;

	find_thread(samples, sample->pid, sample->tid);
	maps = history_maps(&samples->thread, moment);
	if (maps.maps == NULL)
		return;
	for (; words.len >= ATTR_WORD; words = str_skip(words, ATTR_WORD)) {
		address = attr_word(words.data);
		if (address >= around.start && address < around.end)
			continue;
		map = maps_find(maps, address, &around);
		if (map != NULL && map->module->dso != NULL)
			dso_want(map->module->dso);
	}
}

void
samples_want(struct samples *samples, const struct slice *slice)
{
	struct str rest = begin_slice(samples, slice);
	struct record record;
	struct record_sample sample;
	struct attr *attr;

	samples_begin(samples);
	while (next_sample(samples, &rest, &record)) {
		attr = is_guest(&record) || !is_asked_for(samples, &record) ?
		    NULL : read_sample(samples, &record, &sample);
		if (attr != NULL && !attr_has_unknown_reads(attr))
			want(samples, &sample, find_moment(samples, &record));
	}
}

void
samples_begin(struct samples *samples)
{
	samples->has_thread = false;
	memset(samples->known, 0, sizeof(samples->known));
}

void
samples_fold(struct samples *samples)
{
	if (samples->batch->count > 0)
		chains_fold(samples->chains, samples->batch);
}

/* Stores how much a sample whose turn it is counts; false if it does not. */
static bool
weigh_ordered(struct samples *samples, const struct ordered_sample *ordered,
    uint64_t *count)
{
	struct timeline *timeline = samples->target->timeline;
	const struct attr *attr;

	*count = ordered->of.count;
	if (!ordered->is_read)
		return true;
	attr = &samples->attrs->list[ordered->of.read.attr];
	if (ordered->of.read.value == 0 ||
	    ordered->stack == ORDERED_NO_STACK ||
	    !is_wanted(samples, attr, ordered->moment) ||
	    samples->refused != NULL || !samples->has_frames)
		return false;
	*count = count_of(attr, ordered->of.read.value);
	samples->count++;
	if (timeline != NULL)
		timeline_check(timeline, attr->name, ordered->time);
	return true;
}

void
samples_fold_ordered(struct samples *samples, uint64_t time)
{
	const struct recording_target *target = samples->target;
	const struct ordered_sample *next;
	uint64_t count;

	ordered_begin(&samples->ordered, samples->chains, time);
	while ((next = ordered_next(&samples->ordered, samples->attrs)) !=
	    NULL)
		if (target->waits != NULL)
			waits_take(target->waits, &next->of.event, next->time,
			    next->stack);
		else if (!weigh_ordered(samples, next, &count))
			continue;
		else if (target->timeline != NULL)
			timeline_add(target->timeline, next->stack, count,
			    next->time);
		else
			stacks_count(target->stacks, next->stack, count);
}

/* Names all events, before threads need their names. */
static void
name_events(struct samples *samples)
{
	struct attrs *attrs = samples->attrs;
	const struct attr *attr;

	for (; attrs->named < attrs->count; attrs->named++) {
		attr = &attrs->list[attrs->named];
		name_event(attrs, attr);
		if (!attr_is_dummy(attr))
			filter_meet(samples->target->filter, attr->name);
	}
}

/* Returns the event that a sample is the first to tell, or NULL. */
static const struct attr *
told_event(struct samples *samples, const struct record *record)
{
	const struct counter *counter;
	struct sample_read read;
	struct record_sample sample;
	const struct attr *attr = is_guest(record) ? NULL :
	    read_sample(samples, record, &sample);

	if (attr == NULL || !sample.has_reads)
		return attr;
	while (sample_next_read(&sample, &read)) {
		counter = attrs_counter(samples->attrs, read.id);
		if (counter != NULL && read.value > 0)
			return &samples->attrs->list[counter->attr];
	}
	return NULL;
}

/* Learns which events tell of waits, once attrs are known. */
static void
learn_switches(struct samples *samples)
{
	struct attrs *attrs = samples->attrs;
	const char *lack;
	size_t i;

	if (samples->knows_switches || attrs->count == 0)
		return;
	samples->knows_switches = true;
	lack = switches_learn(&samples->switches, attrs, samples->formats,
	    samples->target->waits->options);
	if (samples->refused == NULL)
		samples->refused = lack;
	for (i = 0; i < attrs->count; i++)
		if (switches_source(&samples->switches, i)->change !=
		    WAIT_NOTHING)
			refuse(samples, &attrs->list[i]);
}

void
samples_choose_event(struct samples *samples, const struct slices *slices)
{
	struct filter *filter = samples->target->filter;
	struct moment first = { UINT64_MAX, UINT64_MAX }, moment;
	const struct attr *chosen = NULL, *attr;
	struct record record;
	struct str rest;
	size_t i;

	name_events(samples);
	if (samples->surveys)
		return;
	samples_begin(samples);
	if (samples->target->waits != NULL) {
		learn_switches(samples);
		return;
	}
	for (i = 0; i < slices->count && !filter_knows(filter); i++) {
		rest = begin_slice(samples, &slices->list[i]);
		while (next_sample(samples, &rest, &record)) {
			moment = find_moment(samples, &record);
			if (!moment_is_before(moment, first) ||
			    !is_asked_for(samples, &record))
				continue;
			attr = told_event(samples, &record);
			if (attr == NULL)
				continue;
			first = moment;
			chosen = attr;
			if (samples->attrs->count == 1)
				break;
		}
	}
	if (chosen != NULL)
		filter_learn(filter, chosen->name);
}

static void
forget_others(struct samples *samples)
{
	free(samples->others);
	samples->others = NULL;
}

void
samples_move(struct samples *samples, struct samples *from)
{
	size_t i;

	if (from->odd > 0 && (samples->odd == 0 ||
	    from->odd_number < samples->odd_number)) {
		samples->odd_number = from->odd_number;
		samples->odd_at = from->odd_at;
	}
	samples->odd += from->odd;
	samples->guests += from->guests;
	samples->count += from->count;
	samples->frameless += from->frameless;
	fieldcount_add(&samples->fields, &from->fields);
	from->fields.missing = from->fields.negative = 0;
	if (samples->refused == NULL)
		samples->refused = from->refused;
	from->odd = from->guests = from->count = from->frameless = 0;
	for (i = 0; from->others != NULL && i < from->attrs->count; i++)
		if (from->others[i].count > 0)
			note_other(samples, from->others[i]);
	forget_others(from);
}

/* In the order in which they came; those without samples are the last. */
static int
compare_others(const void *left, const void *right)
{
	const struct other_event *a = left, *b = right;

	if (a->count == 0 || b->count == 0)
		return (a->count == 0) - (b->count == 0);
	if (moment_is_before(a->first, b->first))
		return -1;
	return moment_is_before(b->first, a->first) ? 1 :
	    (a->attr > b->attr) - (a->attr < b->attr);
}

void
samples_note_others(struct samples *samples)
{
	struct filter *filter = samples->target->filter;
	const struct other_event *other = samples->others, *end;

	if (other == NULL)
		return;
	end = other + samples->attrs->count;
	qsort(samples->others, samples->attrs->count, sizeof(*other),
	    compare_others);
	for (; other < end && other->count > 0; other++) {
		filter_wants(filter, samples->attrs->list[other->attr].name);
		*filter->others += other->count - 1;
	}
	forget_others(samples);
}

void
samples_forget_event(struct samples *samples)
{
	samples->counted = NULL;
	samples->knows_switches = false;
}

void
samples_free(struct samples *samples)
{
	free(samples->batch->rests);
	free(samples->batch);
	ordered_free(&samples->ordered);
	free(samples->others);
	free(samples->roots.name.data);
	switches_free(&samples->switches);
}
