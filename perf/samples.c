#include <stdio.h>
#include <stdlib.h>

#include "samples.h"

/* A copy of a stack counts as these bytes of a batch, for most is not read. */
#define STACK_COUNTS	4096

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
	return true;
}

/* Returns where a root is kept, as long as the samples are. */
static const struct root *
keep_root(struct samples *samples, struct root root)
{
	struct root **kept;

	samples->roots = mem_grow(samples->roots, &samples->roots_room,
	    root.frame + (size_t)1, sizeof(*samples->roots));
	while (samples->roots_count <= root.frame)
		samples->roots[samples->roots_count++] = NULL;
	kept = &samples->roots[root.frame];
	if (*kept == NULL) {
		*kept = mem_array(1, sizeof(**kept));
		**kept = root;
	}
	return *kept;
}

/*
 * Finds the root of a thread that is in a process, as a sample says: those of
 * threads that have ended have the number -1 in all processes.
 */
static const struct root *
find_root(struct samples *samples, const struct task *task, int32_t process)
{
	struct roots *roots = samples->target->roots;
	bool numbers = roots->pid || roots->tid;
	char pid[16], tid[16];
	struct thread_id id;

	snprintf(pid, sizeof(pid), "%ld", (long)process);
	snprintf(tid, sizeof(tid), "%ld", (long)task->tid);
	samples->comm.len = 0;
	text_add_format(&samples->comm, ":%s", tid);
	id = (struct thread_id){
		.comm = task->named ? task->name : text_str(&samples->comm),
		.pid = str_from(numbers ? pid : tid),
		.tid = numbers ? str_from(tid) : STR(""),
	};
	return keep_root(samples, roots_find(roots,
	    samples->target->frames->namer, &id));
}

/* Returns a number that is mostly the same only for the same chains. */
static uint64_t
key_of(const struct task *task, const struct sample *sample)
{
	size_t middle = sample->chain.len / 2 / sizeof(uint64_t);
	uint64_t key = attr_word(sample->ip) ^ task->maps->version << 40;

	return sample->chain.len == 0 ? key :
	    key ^ attr_word(sample->chain.data + middle * sizeof(uint64_t));
}

/* Returns the thread of a sample, with its root. */
static struct task *
find_task(struct samples *samples, const struct sample *sample)
{
	struct task *task = tasks_get(samples->tasks, sample->pid,
	    sample->tid);

	if (task->root == NULL || task->root_pid != sample->pid) {
		task->root = find_root(samples, task, sample->pid);
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

/* Counts a sample of an event, by its period. */
static void
count(struct samples *samples, struct attr *attr,
    const struct sample *sample, enum record_mode mode, struct block *block)
{
	struct timeline *timeline = samples->target->timeline;
	struct batch *batch;
	struct chain *chain;
	struct task *task;

	if (attr != samples->counted && !is_wanted(samples, attr))
		return;
	if (samples->refused != NULL || !samples->has_frames)
		return;
	if (timeline != NULL)
		timeline_check(timeline, attr->name, samples->time);
	task = find_task(samples, sample);
	batch = batches_with_room(samples->batches, samples->kernel,
	    *samples->kernel_module, key_of(task, sample),
	    sample->chain.len + (sample->has_user ? STACK_COUNTS : 0));
	chain = batch_add(batch);
	*chain = (struct chain){
		.maps = maps_hold(task->maps), .root = task->root,
		.words = sample->has_chain ? sample->chain.data : sample->ip,
		.len = sample->has_chain ? (uint32_t)sample->chain.len :
		    ATTR_WORD,
		.mode = (uint8_t)mode, .is_lone = !sample->has_chain,
		.count = sample->period == 0 ||
		    attr->type == ATTR_TRACEPOINT ? 1 : sample->period,
		.time = samples->time, .owner = block,
	};
	if (sample->has_user)
		add_rest(samples, sample, batch, chain);
	block->held++;
	++*samples->target->samples;
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

void
samples_take(struct samples *samples, const struct record *record,
    struct block *block)
{
	struct attrs *attrs = samples->attrs;
	struct attr *attr = attrs_of_sample(attrs, record->bytes), *counted;
	enum record_mode mode = record_mode(record);
	struct sample sample;

	if (mode == MODE_GUEST_KERNEL || mode == MODE_GUEST_USER) {
		samples->guests++;
		return;
	}
	if (attr != NULL && attr_has_unknown_reads(attr)) {
		is_wanted(samples, attr);
		return;
	}
	if (attr == NULL || !record_sample(record, attr, &sample) ||
	    (attrs->id_at == 0 &&
	    (attr = find_event(attrs, sample.id)) == NULL)) {
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
samples_free(struct samples *samples)
{
	size_t i;

	for (i = 0; i < samples->roots_count; i++)
		free(samples->roots[i]);
	free(samples->roots);
	free(samples->comm.data);
}
