#include <stdlib.h>

#include "samples.h"

/* A copy of a stack counts as these bytes of a batch, for most is not read. */
#define STACK_COUNTS	4096

/* No address that is deeper than this is a part of a key: it may be far. */
#define KEY_DEPTH	3

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
	size_t i;

	if (attr->type != ATTR_TRACEPOINT)
		return true;
	for (i = 0; i < attrs->count; i++)
		if (attrs->list[i].type == ATTR_TRACEPOINT &&
		    (attrs->list[i].fields & SAMPLE_CALLCHAIN) != 0)
			return true;
	return false;
}

/*
 * True if samples of an event count, which its first one may decide; then what
 * is the same for all of them is noted.
 */
static bool
is_wanted(struct samples *samples, struct attr *attr)
{
	struct filter *filter = samples->target->filter;
	struct attrs *attrs = samples->attrs;
	struct text name = { 0 };

	if (attr->name.len == 0) {
		attr_add_name(attr, &name);
		attrs_name(attrs, (size_t)(attr - attrs->list),
		    text_str(&name));
		free(name.data);
	}
	if (!filter_wants(filter, attr->name))
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

/* Returns a number that is mostly the same only for the same chains. */
static uint64_t
key_of(const struct task *task, const struct sample *sample)
{
	uint64_t key = attr_word(sample->ip) ^ task->maps->version << 40;
	size_t at = sample->chain.len / 2 / ATTR_WORD;

	if (at > KEY_DEPTH)
		at = KEY_DEPTH;
	return sample->chain.len == 0 ? key :
	    key ^ attr_word(sample->chain.data + at * ATTR_WORD);
}

/* Returns the thread of a sample, with its root. */
static struct task *
find_task(struct samples *samples, const struct sample *sample)
{
	struct task *task = tasks_get(samples->tasks, sample->pid,
	    sample->tid);

	if (task->root == NULL || task->root_pid != sample->pid) {
		task->root = taskroots_find(&samples->roots, task,
		    sample->pid);
		task->root_pid = sample->pid;
	}
	return task;
}

/* Adds to a chain what the rest of it is unwound from, if there is that. */
static void
add_rest(const struct samples *samples, const struct sample *sample,
    struct batch *batch, struct chain *chain)
{
	if (!sample->has_chain || (sample->user.stack.len == 0 &&
	    samples->machine != &unwind_aarch64))
		return;
	chain->rest = batch_add_rest(batch, (struct chain_rest){
	    samples->machine, sample->ip, sample->user });
}

/* Adds a sample's chain to those that are folded. */
static inline void
add_chain(struct samples *samples, const struct sample *sample,
    enum record_mode mode, uint64_t count, struct block *block)
{
	struct task *task = find_task(samples, sample);
	struct batch *batch = batches_with_room(samples->batches,
	    samples->kernel, *samples->kernel_module, key_of(task, sample),
	    sample->chain.len + (sample->has_user ? STACK_COUNTS : 0));
	struct chain *chain = batch_add(batch, block);

	*chain = (struct chain){
		.maps = batch_hold_maps(batch, task->maps), .root = task->root,
		.words = sample->has_chain ? sample->chain.data : sample->ip,
		.len = sample->has_chain ? (uint32_t)sample->chain.len :
		    ATTR_WORD,
		.mode = (uint8_t)mode, .is_lone = !sample->has_chain,
		.count = count, .time = samples->time,
	};
	if (sample->has_user)
		add_rest(samples, sample, batch, chain);
	++*samples->target->samples;
}

/* Counts a sample of an event, by its period. */
static void
count(struct samples *samples, struct attr *attr,
    const struct sample *sample, enum record_mode mode, struct block *block)
{
	struct timeline *timeline = samples->target->timeline;

	if (attr != samples->counted && !is_wanted(samples, attr))
		return;
	if (samples->refused != NULL || !samples->has_frames)
		return;
	if (timeline != NULL)
		timeline_check(timeline, attr->name, samples->time);
	add_chain(samples, sample, mode, sample->period == 0 ||
	    attr->type == ATTR_TRACEPOINT ? 1 : sample->period, block);
}

/*
 * Takes the next of the counters that were read with a sample which gained
 * anything, as the sample's period; returns its event, or NULL at the end.
 */
static struct attr *
next_read(struct samples *samples, const struct attr *attr,
    struct sample *sample)
{
	struct attrs *attrs = samples->attrs;
	bool threads = attr_reads_threads(attr);
	struct counter *counter;
	struct sample_read read;
	uint64_t *value;

	while (sample_next_read(sample, &read)) {
		counter = attrs_counter(attrs, read.id);
		if (counter == NULL) {
			samples->odd++;
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
    enum record_mode mode, struct block *block)
{
	struct attr *counted;
	struct sample sample;

	if (attr != NULL && attr_has_unknown_reads(attr)) {
		is_wanted(samples, attr);
		return;
	}
	if (attr == NULL || !record_sample(record, attr, &sample) ||
	    (samples->attrs->id_at == 0 && (attr = find_event(samples->attrs,
	    record_word(record, attr->at.id, UINT64_MAX))) == NULL)) {
		samples->odd++;
		return;
	}
	if (samples->target->timeline != NULL)
		samples->time = record_time(record, attr);
	do {
		counted = sample.has_reads ?
		    next_read(samples, attr, &sample) : attr;
		if (counted != NULL)
			count(samples, counted, &sample, mode, block);
	} while (sample.has_reads && counted != NULL);
}

void
samples_take(struct samples *samples, const struct record *record,
    struct block *block)
{
	struct attr *attr = attrs_of_sample(samples->attrs, record->bytes);
	enum record_mode mode = record_mode(record);
	struct sample sample;

	if (mode == MODE_GUEST_KERNEL || mode == MODE_GUEST_USER)
		samples->guests++;
	else if (attr != NULL && attr == samples->counted &&
	    samples->is_plain && record_plain_sample(record, attr, &sample))
		add_chain(samples, &sample, mode, sample.period == 0 ? 1 :
		    sample.period, block);
	else
		take(samples, record, attr, mode, block);
}

void
samples_free(struct samples *samples)
{
	taskroots_free(&samples->roots);
}
