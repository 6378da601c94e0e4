#include <stdlib.h>

#include "samples.h"

/* Returns why only perf script can fold samples of an event; NULL: we can. */
static const char *
find_refusal(const struct samples *samples, const struct attr *attr)
{
	if ((attr->fields & SAMPLE_USER_STACK) != 0 && samples->machine == NULL)
		return "recorded with --call-graph dwarf, and on a machine "
		    "that is neither x86_64 nor aarch64";
	if (attr_has_branch_chains(attr))
		return "recorded with --call-graph lbr";
	if (attr_has_unknown_reads(attr))
		return "recorded with reads of counters that are of another "
		    "kind";
	return NULL;
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

/* Returns when a sample of a slice takes effect. */
static struct moment
find_moment(const struct samples *samples, const struct record *record)
{
	return phase_moment(samples->phase, samples->slice, record_turn(record,
	    samples->attrs, samples->is_pipe), samples->number);
}

/* Notes samples of an event that does not count. */
static void
note_other(struct samples *samples, struct other_event event)
{
	struct other_event *other;
	size_t *number;

	if (samples->others_by_attr == NULL)
		samples->others_by_attr = mem_array(samples->attrs->count,
		    sizeof(*samples->others_by_attr));
	number = &samples->others_by_attr[event.attr];
	if (*number == 0) {
		samples->others = mem_grow(samples->others,
		    &samples->others_room, samples->others_count + 1,
		    sizeof(*samples->others));
		samples->others[samples->others_count++] = event;
		*number = samples->others_count;
		return;
	}
	other = &samples->others[*number - 1];
	other->count += event.count;
	if (moment_is_before(event.first, other->first))
		other->first = event.first;
}

/* True if samples of an event count, which its first one may decide. */
static bool
has_event(struct samples *samples, const struct attr *attr,
    const struct record *record)
{
	struct filter *filter = samples->target->filter;

	if (samples->phase == NULL)
		return filter_wants(filter, attr->name);
	if (str_equal(attr->name, text_str(&filter->event)))
		return true;
	note_other(samples, (struct other_event){
	    (size_t)(attr - samples->attrs->list), 1,
	    find_moment(samples, record) });
	return false;
}

/* The same; then what is the same for all of them is noted. */
static bool
is_wanted(struct samples *samples, struct attr *attr,
    const struct record *record)
{
	struct attrs *attrs = samples->attrs;

	name_event(attrs, attr);
	if (!has_event(samples, attr, record))
		return false;
	samples->counted = attr;
	samples->has_frames = has_frames(attrs, attr);
	if (samples->refused == NULL)
		samples->refused = find_refusal(samples, attr);
	samples->is_plain = attr_is_plain(attr) && samples->refused == NULL &&
	    (attrs->count == 1 || attrs->id_at > 0) &&
	    samples->target->timeline == NULL;
	return true;
}

/* Whose a sample is. */
struct whose {
	const struct root *root;
	const struct maps *maps, *kernel;
	struct module *kernel_module;
};

/* Returns the thread of a sample of a phase, or NULL. */
static const struct sampled *
find_thread(struct samples *samples, const struct sample *sample)
{
	const struct sampled *last = samples->last;

	if (last == NULL || last->tid != sample->tid ||
	    last->pid != sample->pid)
		last = samples->last = phase_find(samples->phase, sample->pid,
		    sample->tid);
	return last;
}

/*
 * Finds whose a sample of a phase is; false if no thread is known, as the file
 * has changed since.
 */
static inline bool
find_then(struct samples *samples, const struct sample *sample,
    const struct record *record, struct whose *whose)
{
	const struct sampled *thread = find_thread(samples, sample);
	const struct past *kernel = samples->phase->kernel_past;
	struct moment moment;
	struct was was;

	if (thread == NULL)
		return false;
	if (sampled_is_steady(thread) && kernel->count == 0) {
		*whose = (struct whose){ thread->root, thread->maps->last,
		    kernel->last, samples->phase->kernel_module };
		return true;
	}
	moment = find_moment(samples, record);
	was = sampled_at(thread, moment);
	*whose = (struct whose){ was.root, past_at(was.maps, moment),
	    past_at(kernel, moment),
	    phase_kernel_module(samples->phase, moment) };
	return true;
}

/* The same of a sample that comes in its order. */
static struct whose
find_now(const struct samples *samples, const struct sample *sample)
{
	struct task *task = tasks_get(samples->tasks, sample->pid,
	    sample->tid);

	return (struct whose){ taskroots_of(samples->roots, task,
	    sample->pid), task->maps, samples->kernel,
	    *samples->kernel_module };
}

/* Adds to a chain what the rest of it is unwound from, if there is that. */
static void
add_rest(struct samples *samples, const struct sample *sample,
    struct chain *chain)
{
	struct batch *batch = samples->batch;

	if (!sample->has_chain || (sample->user.stack.len == 0 &&
	    samples->machine != &unwind_aarch64))
		return;
	if (batch->rests == NULL)
		batch->rests = mem_array(BATCH_CHAINS, sizeof(*batch->rests));
	batch->rests[batch->rests_count++] = (struct chain_rest){
	    samples->machine, sample->ip, sample->user };
	chain->rest = (uint16_t)batch->rests_count;
}

/* Makes room for a chain, where the kernel is as it was then. */
static void
make_room(struct samples *samples, const struct whose *whose)
{
	struct batch *batch = samples->batch;

	if (batch->count == BATCH_CHAINS || batch->kernel != whose->kernel ||
	    batch->kernel_module != whose->kernel_module)
		samples_fold(samples);
	batch->kernel = whose->kernel;
	batch->kernel_module = whose->kernel_module;
}

void
samples_note_odd(struct samples *samples, const struct record *record,
    const struct block *block)
{
	if (samples->odd++ > 0 && samples->number > samples->odd_number)
		return;
	samples->odd_number = samples->number;
	samples->odd_at = block_offset(block, record);
}

/* Adds a sample's chain to those that are folded. */
static inline void
add_chain(struct samples *samples, const struct sample *sample,
    const struct record *record, uint64_t count)
{
	struct batch *batch = samples->batch;
	struct chain *chain;
	struct whose whose;

	if (samples->phase == NULL)
		whose = find_now(samples, sample);
	else if (!find_then(samples, sample, record, &whose)) {
		samples_note_odd(samples, record, samples->slice->block);
		return;
	}
	make_room(samples, &whose);
	chain = &batch->chains[batch->count++];
	*chain = (struct chain){
		.maps = whose.maps, .root = whose.root,
		.words = sample->has_chain ? sample->chain.data : sample->ip,
		.len = sample->has_chain ? (uint32_t)sample->chain.len :
		    ATTR_WORD,
		.mode = (uint8_t)record_mode(record),
		.is_lone = !sample->has_chain,
		.count = count, .time = samples->time,
	};
	if (sample->has_user)
		add_rest(samples, sample, chain);
	samples->count++;
}

/* Counts a sample of an event, by its period. */
static void
count(struct samples *samples, struct attr *attr,
    const struct sample *sample, const struct record *record)
{
	struct timeline *timeline = samples->target->timeline;

	if (attr != samples->counted && !is_wanted(samples, attr, record))
		return;
	if (samples->refused != NULL || !samples->has_frames)
		return;
	if (timeline != NULL)
		timeline_check(timeline, attr->name, samples->time);
	add_chain(samples, sample, record, sample->period == 0 ||
	    attr->type == ATTR_TRACEPOINT ? 1 : sample->period);
}

/*
 * Takes the next of the counters that were read with a sample which gained
 * anything, as the sample's period; returns its event, or NULL at the end.
 */
static struct attr *
next_read(struct samples *samples, const struct attr *attr,
    struct sample *sample, const struct record *record,
    const struct block *block)
{
	struct attrs *attrs = samples->attrs;
	bool threads = attr_reads_threads(attr);
	struct counter *counter;
	struct sample_read read;
	uint64_t *value;

	while (sample_next_read(sample, &read)) {
		counter = attrs_counter(attrs, read.id);
		if (counter == NULL) {
			samples_note_odd(samples, record, block);
			continue;
		}
		value = threads ? attrs_thread_value(attrs, read.id,
		    sample->tid) : &counter->value;
		sample->period = read.value - *value;
		*value = read.value;
		if (sample->period > 0)
			return &attrs->list[counter->attr];
	}
	return NULL;
}

/* Returns the event of a sample, by its number; the first if it lacks one. */
static struct attr *
find_event(struct attrs *attrs, uint64_t id)
{
	struct counter *counter;

	if (attrs->count == 1 || id == 0)
		return attrs->list;
	counter = attrs_counter(attrs, id);
	if (counter != NULL)
		return &attrs->list[counter->attr];
	return attr_marks_all(attrs->list) ? NULL : attrs->list;
}

/* Does the work of samples_take for a sample of any kind. */
static void
take(struct samples *samples, const struct record *record, struct attr *attr,
    const struct block *block)
{
	struct attr *counted;
	struct sample sample;

	if (attr != NULL && attr_has_unknown_reads(attr)) {
		is_wanted(samples, attr, record);
		return;
	}
	if (attr == NULL || !record_sample(record, attr, &sample) ||
	    (sample.has_reads && samples->phase != NULL) ||
	    (samples->attrs->id_at == 0 && (attr = find_event(samples->attrs,
	    record_word(record, attr->at.id, UINT64_MAX))) == NULL)) {
		samples_note_odd(samples, record, block);
		return;
	}
	if (samples->target->timeline != NULL)
		samples->time = record_time(record, attr);
	do {
		counted = sample.has_reads ?
		    next_read(samples, attr, &sample, record, block) : attr;
		if (counted != NULL)
			count(samples, counted, &sample, record);
	} while (sample.has_reads && counted != NULL);
}

void
samples_take(struct samples *samples, const struct record *record,
    const struct block *block)
{
	struct attr *attr = attrs_of_sample(samples->attrs, record->bytes);
	enum record_mode mode = record_mode(record);
	struct sample sample;

	if (mode == MODE_GUEST_KERNEL || mode == MODE_GUEST_USER)
		samples->guests++;
	else if (attr != NULL && attr == samples->counted &&
	    samples->is_plain && record_plain_sample(record, attr, &sample))
		add_chain(samples, &sample, record, sample.period == 0 ? 1 :
		    sample.period);
	else
		take(samples, record, attr, block);
}

/* True if a sample of a slice is folded now. */
static inline bool
is_in_phase(const struct samples *samples, const struct record *record)
{
	const struct phase *phase = samples->phase;
	const struct slice *slice = samples->slice;
	struct moment moment;

	if (slice->from == 0 && slice->to == UINT64_MAX && !phase->is_part)
		return true;
	moment = find_moment(samples, record);
	return moment.time >= slice->from && moment.time <= slice->to &&
	    (!phase->is_part || (!moment_is_before(moment, phase->begin) &&
	    moment_is_before(moment, phase->end)));
}

void
samples_take_slice(struct samples *samples, const struct slice *slice)
{
	struct str rest = slice->records;
	struct record record;

	if (!phase_has(samples->phase, slice))
		return;
	samples->slice = slice;
	samples->number = slice->number;
	/* a file may be another one by now */
	for (; rest.len >= RECORD_HEADER; samples->number++) {
		record = record_at(rest.data);
		if (record.bytes.len < RECORD_HEADER ||
		    record.bytes.len > rest.len)
			break;
		rest = str_skip(rest, record.bytes.len);
		if (record.type == RECORD_SAMPLE &&
		    is_in_phase(samples, &record))
			samples_take(samples, &record, slice->block);
	}
}

void
samples_begin_phase(struct samples *samples, const struct phase *phase)
{
	samples->phase = phase;
	samples->last = NULL;
}

void
samples_fold(struct samples *samples)
{
	if (samples->batch->count > 0)
		chains_fold(samples->chains, samples->batch);
}

void
samples_name_events(struct samples *samples)
{
	struct attrs *attrs = samples->attrs;

	for (; attrs->named < attrs->count; attrs->named++)
		name_event(attrs, &attrs->list[attrs->named]);
}

bool
samples_need_no_order(struct samples *samples, const struct record *record)
{
	struct filter *filter = samples->target->filter;
	enum record_mode mode = record_mode(record);
	struct attrs *attrs = samples->attrs;
	struct sample sample;

	if (samples->target->timeline != NULL || attrs->count == 0 ||
	    (attrs->fields & SAMPLE_READ) != 0)
		return false;
	samples_name_events(samples);
	if (attrs->count == 1 && mode != MODE_GUEST_KERNEL &&
	    mode != MODE_GUEST_USER &&
	    record_sample(record, attrs->list, &sample))
		filter_learn(filter, attrs->list->name);
	return filter_knows(filter);
}

static int
compare_others(const void *left, const void *right)
{
	const struct other_event *a = left, *b = right;

	return moment_is_before(a->first, b->first) ? -1 :
	    moment_is_before(b->first, a->first);
}

/* Forgets the other events that were met. */
static void
forget_others(struct samples *samples)
{
	while (samples->others_count > 0)
		samples->others_by_attr[
		    samples->others[--samples->others_count].attr] = 0;
}

void
samples_move_others(struct samples *samples, struct samples *from)
{
	size_t i;

	for (i = 0; i < from->others_count; i++)
		note_other(samples, from->others[i]);
	forget_others(from);
}

void
samples_note_others(struct samples *samples)
{
	struct filter *filter = samples->target->filter;
	const struct other_event *other = samples->others;
	size_t i;

	if (samples->others_count == 0)
		return;
	qsort(samples->others, samples->others_count, sizeof(*other),
	    compare_others);
	for (i = 0; i < samples->others_count; i++, other++) {
		filter_wants(filter, samples->attrs->list[other->attr].name);
		*filter->others += other->count - 1;
	}
	forget_others(samples);
}

void
samples_free(struct samples *samples)
{
	free(samples->batch->rests);
	free(samples->batch);
	free(samples->others);
	free(samples->others_by_attr);
}
