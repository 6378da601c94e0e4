/*
 * The kernel's records take effect after the queue, perf's own before it.
 *
 * With perf record --call-graph fp,defer (Linux 6.19), a sample has the
 * kernel's addresses and a cookie, the same for all samples until the kernel
 * returns to the program.  Then the user chain is recorded once:
 *
 *	SAMPLE    ffffffff81a012  USER_DEFERRED  cookie
 *	SAMPLE    ffffffff81b300  USER_DEFERRED  cookie
 *	CALLCHAIN_DEFERRED  cookie  count  USER  7f2a0c14  401136
 *
 * Copies of samples are parked here when they leave the queue, until their
 * chain leaves it.  As in perf script, they are resolved against the maps then.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jitcode.h"
#include "lib/input.h"
#include "lib/mapping.h"
#include "lib/message.h"
#include "lib/progress.h"
#include "queue.h"
#include "recording.h"

#define TELL_RECORDS	65536	/* between two looks at the clock */

/* Room for the chains of deferred samples; one takes less than 2^17 bytes. */
#define JOINED_BYTES	((size_t)256 * 1024)

/*
 * If parked samples need more memory, the oldest are given up.  A processor's
 * buffer has 512 KB or so, and few samples wait beyond its end.
 */
#ifndef DEFERRED_BYTES
#define DEFERRED_BYTES	((size_t)16 * 1024 * 1024)
#endif

#define BUCKETS_BITS	17

static const char has_trace[] =
    "recorded with a trace of the processor (AUX)" ONLY_PERF;

struct parked {
	struct parked *next;	/* in its bucket, or in the list taken */
	struct parked *before, *after;	/* by time of parking, in a ring */
	uint64_t cookie;
	int32_t tid;
	struct record record;	/* in the same piece of memory */
	struct taken_record taken;	/* with the kernel's words */
};

struct recording {
	const struct recording_options *options;
	const struct content *content;
	struct datafile file;
	struct queue queue;
	struct process process;
	struct jitcode jit;
	struct callchain chains;
	struct samples samples;
	const char *refused;		/* why what follows is, or NULL */

	struct parked ring;		/* its `after` is the oldest */
	struct parked *buckets[1 << BUCKETS_BITS];	/* newest first */
	size_t parked_bytes;
	unsigned long long alone;	/* samples whose chain never came */
	char joined[JOINED_BYTES];	/* chains of samples in the batch */
	size_t joined_len;

	uint64_t time;			/* newest of the records taken */
	long long bytes;		/* of memory, for processes */
	uint64_t full_at;		/* where memory became full, or 0 */
	unsigned long long lost;	/* records, by the kernel */
};

bool
recording_begins(const struct beginning *file)
{
	return datafile_is_folder(file->fd) ||
	    str_starts(file->bytes, STR("PERFILE2")) ||
	    str_starts(file->bytes, STR("2ELIFREP")) ||
	    str_starts(file->bytes, STR("PERFFILE"));
}

static void
open_symbols(struct recording *recording)
{
	const struct recording_options *options = recording->options;
	const struct datafile *file = &recording->file;
	struct symbol_sources sources = options->sources;
	struct text release = { 0 };

	if (sources.kallsyms == NULL)
		sources.kallsyms = file->kallsyms;
	sources.home = getenv("HOME");
	sources.asks_servers = options->chains.fetches;
	sources.is_foreign = datafile_is_foreign(file, &sources.machine);
	text_add(&release, file->release);
	text_add_char(&release, '\0');
	if (file->release.len > 0)
		sources.release = release.data;
	recording->process.modules.symbols = symbols_open(&sources);
	free(release.data);
}

/* Makes stacks of what waits if it holds the maps of a process. */
static void
flush_users(struct recording *recording, int32_t pid)
{
	const struct maps *maps = process_find(&recording->process, pid)->maps;

	if (maps != NULL && maps->users > 1)
		callchain_flush(&recording->chains);
}

/* Changes the processes; false if a record makes no sense. */
static bool
change(struct recording *recording, const struct record *record)
{
	bool is_map = record->type == RECORD_MMAP ||
	    record->type == RECORD_MMAP2;
	bool is_kernel = record->type == RECORD_KSYMBOL ||
	    (is_map && record_mode(record) == MODE_KERNEL);
	struct process *process = &recording->process;
	struct record_fields fields;

	/* else samples would have it */
	if (record->type == RECORD_DEFERRED_CHAIN ||
	    !record_fields(record, &fields))
		return false;
	recording->lost += fields.lost;
	if (is_map && record_is_guest(record))
		return true;
	if (is_kernel)
		callchain_flush(&recording->chains);
	else if (is_map)
		flush_users(recording, fields.pid);
	recording->bytes -= mem_taken();
	if (is_map && !is_kernel &&
	    jitcode_add(&recording->jit, &process->modules, &fields))
		process_get(process, fields.pid)->has_jit = true;
	process_take(process, record, &fields);
	recording->bytes += mem_taken();
	return true;
}

static struct parked **
find_bucket(struct recording *recording, int32_t tid, uint64_t cookie)
{
	uint64_t key = cookie ^ (uint64_t)(uint32_t)tid << 32;

	return &recording->buckets[key * table_multiplier() >>
	    (64 - BUCKETS_BITS)];
}

/* Takes the samples parked for this rest of their chains; returns how many. */
static size_t
take_parked(struct recording *recording, int32_t tid, uint64_t cookie,
    struct str rest)
{
	struct parked **link = find_bucket(recording, tid, cookie);
	struct parked *parked, *taken = NULL;	/* the oldest first */
	size_t count = 0, len;
	char *words;

	while ((parked = *link) != NULL) {
		if (parked->tid != tid || parked->cookie != cookie) {
			link = &parked->next;
			continue;
		}
		*link = parked->next;
		parked->before->after = parked->after;
		parked->after->before = parked->before;
		recording->parked_bytes -= sizeof(*parked) +
		    parked->record.bytes.len;
		parked->next = taken;
		taken = parked;
	}
	for (; (parked = taken) != NULL; count++) {
		taken = parked->next;
		len = parked->taken.words.len;
		if (len + rest.len > JOINED_BYTES - recording->joined_len) {
			callchain_flush(&recording->chains);
			recording->joined_len = 0;
		}
		words = recording->joined + recording->joined_len;
		memcpy(words, parked->taken.words.data, len);
		memcpy(words + len, rest.data, rest.len);
		recording->joined_len += len + rest.len;
		recording->samples.taken = parked->taken;
		recording->samples.taken.words = (struct str){ words,
		    len + rest.len };
		samples_take(&recording->samples);
		free(parked);
	}
	return count;
}

/* Takes the oldest parked sample and others that wait for its chain. */
static void
give_up_oldest(struct recording *recording)
{
	const struct parked *oldest = recording->ring.after;

	recording->alone += take_parked(recording, oldest->tid,
	    oldest->cookie, STR(""));
}

/* Parks a sample that waits for its chain; false if it does not. */
static bool
park(struct recording *recording, const struct delivery *next)
{
	const struct record *record = &next->record;
	const struct attr *attr = attrs_of_sample(&recording->file.attrs,
	    record->bytes);
	struct parked *parked, **bucket;
	struct record_sample sample;
	const char *end;
	char *copy;

	if (attr == NULL || !attr_defers_chains(attr) ||
	    !record_sample(record, attr, &sample) ||
	    sample.chain.len < 2 * ATTR_WORD)
		return false;
	end = sample.chain.data + sample.chain.len;
	if (attr_word(end - 2 * ATTR_WORD) != CONTEXT_USER_DEFERRED)
		return false;
	parked = mem_array(1, sizeof(*parked) + record->bytes.len);
	bucket = find_bucket(recording, sample.tid, attr_word(end - ATTR_WORD));
	copy = memcpy(parked + 1, record->bytes.data, record->bytes.len);
	*parked = (struct parked){ .next = *bucket,
	    .before = recording->ring.before, .after = &recording->ring,
	    .cookie = attr_word(end - ATTR_WORD), .tid = sample.tid,
	    .record = *record, .taken = { &parked->record, NULL,
	    block_offset(next->block, record),
	    { copy + (sample.chain.data - record->bytes.data),
	    sample.chain.len - ATTR_WORD } } };
	parked->record.bytes.data = copy;
	*bucket = parked->before->after = parked->after->before = parked;
	recording->parked_bytes += sizeof(*parked) + record->bytes.len;
	while (recording->parked_bytes > DEFERRED_BYTES)
		give_up_oldest(recording);
	return true;
}

static inline void
take(struct recording *recording, const struct delivery *next)
{
	const struct record *record = &next->record;
	struct samples *samples = &recording->samples;
	struct jitcode *jit = &recording->jit;
	bool defers = recording->file.attrs.defers_chains;
	struct jitcode_load load;
	struct record_fields fields;
	const struct attr *attr;
	int32_t tid;

	/* functions that were compiled up to this time */
	while (next->time >= jit->soonest &&
	    jitcode_next(jit, next->time, &load)) {
		jit->late += jit->grows && load.time > 0 &&
		    load.time < recording->time;
		flush_users(recording, load.pid);
		recording->bytes -= mem_taken();
		maps_add(&process_get(&recording->process, load.pid)->maps,
		    &load.map, &recording->process.generation);
		recording->bytes += mem_taken();
	}
	if (next->time > recording->time)
		recording->time = next->time;
	samples->taken = (struct taken_record){ record, next->block, 0, { 0 } };
	if (record->type == RECORD_SAMPLE) {
		if (!defers || !park(recording, next))
			samples_take(samples);
		return;
	}
	if (defers && record->type == RECORD_DEFERRED_CHAIN &&
	    (attr = attrs_find(&recording->file.attrs, record->bytes, false)) !=
	    NULL && record_fields(record, &fields) &&
	    record_is_pid(tid = record_tid(record, attr))) {
		take_parked(recording, tid, fields.id, fields.chain);
		return;
	}
	if (!change(recording, record))
		samples_note_odd(samples);
	samples_take_change(samples, next->time);
	if (recording->bytes > (long long)recording->options->memory)
		recording->full_at = block_offset(next->block, record);
}

static void
deliver(struct recording *recording)
{
	const struct str machine = recording->file.machine;
	struct queue *queue = &recording->queue;
	struct delivery next;

	if (recording->process.modules.symbols == NULL)
		open_symbols(recording);
	/* a machine without a name is x86-64 */
	recording->chains.backtrace.machine = machine.len == 0 ||
	    str_equal(machine, STR("x86_64")) ? &unwind_x86_64 :
	    str_equal(machine, STR("aarch64")) ||
	    str_equal(machine, STR("arm64")) ? &unwind_aarch64 : NULL;
	samples_begin(&recording->samples);
	jitcode_read_on(&recording->jit);
	queue_begin(queue);
	while (recording->samples.refused == NULL && recording->full_at == 0 &&
	    queue_next(queue, &next))
		take(recording, &next);
	callchain_flush(&recording->chains);
	queue_end(queue);
}

static void
take_own(struct recording *recording, const struct record *record)
{
	struct datafile *file = &recording->file;
	struct record_fields fields;

	recording->bytes -= mem_taken();
	if (datafile_take(file, record))
		file->attrs.named = 0;
	recording->bytes += mem_taken();
	if (record->type == RECORD_TICKS) {
		record_fields(record, &fields);
		recording->jit.ticks = fields.ticks;
	} else if (record->type == RECORD_AUXTRACE_INFO ||
	    record->type == RECORD_AUXTRACE)
		recording->refused = has_trace;
	/* zstd may have older records that it has not printed yet */
	else if (record->type == RECORD_FINISHED_ROUND && file->count == 1 &&
	    !file->parts->is_compressed && queue_end_round(&recording->queue))
		deliver(recording);
}

static const char *
fold(struct recording *recording)
{
	struct samples *samples = &recording->samples;
	struct datafile *file = &recording->file;
	struct queue *queue = &recording->queue;
	struct record record;
	struct block *block;
	unsigned long records = 0;
	uint64_t shown = 0, given, time;

	if (recording->refused != NULL)
		return recording->refused;
	while (samples->refused == NULL && recording->refused == NULL &&
	    recording->full_at == 0 && datafile_next(file, &record, &block)) {
		if (record.type >= RECORD_OWN)
			take_own(recording, &record);
		else if (record.type == RECORD_SAMPLE &&
		    samples_pass_over(samples, &record, &time))
			queue_skip(queue, record.bytes.len,
			    attr_marks_all(file->attrs.list) ? time : 0);
		else if (queue_add(queue, &record, block)) {
			deliver(recording);
			if (queue_is_full(queue)) {
				queue_halve(queue);
				deliver(recording);
			}
		}
		if (++records % TELL_RECORDS != 0)
			continue;
		given = datafile_given(file);
		progress_add(given - shown, str_from(recording->content->name));
		shown = given;
	}
	queue->complete = UINT64_MAX;
	deliver(recording);
	while (recording->full_at == 0 && samples->refused == NULL &&
	    recording->parked_bytes > 0)
		give_up_oldest(recording);
	callchain_flush(&recording->chains);
	callchain_end(&recording->chains);
	return samples->refused != NULL ? samples->refused : recording->refused;
}

static void
report_cut_file(const char *path)
{
	message_warn("%s was truncated or became unreadable while its symbols "
	    "were read; its functions may have no names", path);
}

static void
report_unread(const char *path, const char *reason, size_t more)
{
	message_warn("%s: %s; names of functions may be missing; more such "
	    "files: %zu", path, reason, more);
}

static void
report_damaged(const char *path, const char *reason, const char *lost)
{
	message_warn("%s: %s; %s may be missing", path, reason, lost);
}

static void
report_sources(const struct recording *recording)
{
	const struct symbols *symbols = recording->process.modules.symbols;
	const struct fetch_counts *counts = symbols_fetched(symbols);
	const struct datafile *file = &recording->file;
	const char *name = recording->content->name;

	if (symbols_were_foreign(symbols))
		message_warn("%s: recorded on another machine (%.*s %.*s), so "
		    "names of this one are used for files with a recorded "
		    "build id only; --kallsyms and --symfs tell where others "
		    "are", name, (int)file->release.len, file->release.data,
		    (int)file->machine.len, file->machine.data);
	if (counts == NULL)
		return;
	if (counts->error != 0)
		message_warn("%s: --debuginfod: debuginfod-find cannot be "
		    "run: %s", name, strerror(counts->error));
	else if (counts->late > 0)
		message_warn("%s: --debuginfod: files found: %zu of %zu; not "
		    "in time: %zu", name, counts->found, counts->asked,
		    counts->late);
	else if (counts->asked > 0)
		message_warn("%s: --debuginfod: files found: %zu of %zu", name,
		    counts->found, counts->asked);
}

/* Adds to the reason why a recording is refused the command that folds it. */
static const char *
advise(const struct recording *recording, const char *refused)
{
	struct text *text = &recording->samples.profile->advice;
	const struct content *content = recording->content;

	text->len = 0;
	text_add(text, str_from(refused));
	if (str_ends(text_str(text), STR(ONLY_PERF)))
		text_add_format(text, ": perf script --no-inline -i %s | "
		    "stackcollapse-perf", content->fd == STDIN_FILENO ? "-" :
		    content->name);
	if (refused == has_trace)
		text_add(text, STR("; with --itrace=i10usg, perf script "
		    "prints the trace's stacks"));
	text_add_char(text, '\0');
	return text->data;
}

/* Opens a recording, to fold it or, if `tally` is not NULL, to tally it. */
static struct recording *
begin(const struct recording_options *options, struct profile *profile,
    const struct content *content, struct select_tally *tally)
{
	struct recording *recording = mem_array(1, sizeof(*recording));
	struct datafile *file = &recording->file;
	size_t most = (size_t)options->max_stack.value;

	recording->options = options;
	recording->content = content;
	recording->ring.before = recording->ring.after = &recording->ring;
	process_init(&recording->process);
	recording->refused = datafile_open(file, content->name, content->fd,
	    content->ahead, &recording->process.modules);
	if (recording->refused == NULL) {
		if (file->header.is_pipe)
			input_outlive_interrupt(content->fd);
		if (header_has(&file->header, FEATURE_AUXTRACE))
			recording->refused = has_trace;
		else if (header_has(&file->header, FEATURE_STAT))
			recording->refused = "recorded by perf stat" ONLY_PERF;
	}
	callchain_init(&recording->chains, profile, &recording->process,
	    &options->chains);
	/* perf records up to 127 frames, simpleperf all that it unwinds */
	recording->chains.backtrace.most = most == RECORDING_STACK &&
	    recording->process.modules.simpleperf.paths.count > 0 ?
	    SIZE_MAX : most;
	recording->samples = (struct samples){ .profile = profile, .file = file,
	    .process = &recording->process, .chains = &recording->chains,
	    .tally = tally, .surveys = tally != NULL };
	if (tally == NULL && profile->options->select != NULL &&
	    file->header.is_pipe)
		recording->samples.tally = &profile->options->select->tally;
	recording->jit.attrs = &file->attrs;
	recording->jit.grows = file->header.is_pipe;
	recording->queue.file = file;
	return recording;
}

static void
end(struct recording *recording)
{
	struct parked *parked = recording->ring.after, *after;

	free(recording->queue.runs);
	for (; parked != &recording->ring; parked = after) {
		after = parked->after;
		free(parked);
	}
	jitcode_free(&recording->jit);
	callchain_free(&recording->chains);
	process_free(&recording->process);
	mapping_tell_cut(report_cut_file);
	datafile_close(&recording->file);
	free(recording);
}

/* Tallies all samples of a file in another pass. */
static const char *
survey(const struct recording *from, struct select_tally *tally)
{
	struct content content = *from->content;
	struct recording *recording;
	const char *refused;

	if (from->file.copy != NULL)
		content.fd = fileno(from->file.copy);
	recording = begin(from->options, from->samples.profile, &content,
	    tally);
	refused = fold(recording);
	end(recording);
	return refused;
}

/* Finds the time span for percentages. */
static const char *
resolve_times(const struct recording *recording)
{
	struct select *select = recording->samples.profile->options->select;
	const struct datafile *file = &recording->file;
	struct select_tally tally = { .first = file->first,
	    .last = file->last };
	const char *refused = NULL;

	if (select == NULL || select->shares == NULL)
		return NULL;
	if (file->header.is_pipe)
		return "--time with percentages needs a file, not a pipe";
	if (tally.first == 0 && tally.last == 0)
		refused = survey(recording, &tally);
	select_resolve(select, tally.first, tally.last);
	table_free(&tally.comms);
	free(tally.counts);
	return refused;
}

/* Reports what is missing; tallies what there is if nothing was selected. */
static void
report(struct recording *recording, size_t before)
{
	const struct samples *samples = &recording->samples;
	struct select *select = recording->samples.profile->options->select;
	struct fold *fold = recording->samples.profile->fold;
	const char *name = recording->content->name;
	bool has_loss = recording->full_at > 0 ||
	    datafile_report_gaps(&recording->file);
	const struct {
		unsigned long long count;
		const char *what;
	} oddities[] = {
		{ recording->lost, "records that were lost while it was "
		    "recorded" },
		{ recording->queue.late, "records that came too late for "
		    "their time" },
		{ recording->alone, "samples whose deferred user call chain "
		    "never came (--call-graph fp,defer)" },
		{ samples->guests, "samples of virtual machines, left out" },
	};
	size_t i;

	fold->counts.reported += has_loss;
	fold->input.failed |= has_loss || samples->odd > 0;
	for (i = 0; i < sizeof(oddities) / sizeof(*oddities); i++)
		if (oddities[i].count > 0)
			message_warn("%s: %s: %llu", name, oddities[i].what,
			    oddities[i].count);
	if (samples->odd > 0)
		message_warn("%s: invalid records, left out: %llu, the first "
		    "at byte %llu", name, samples->odd,
		    (unsigned long long)samples->odd_at);
	if (recording->full_at > 0)
		message_warn("%s: all from byte %llu on is left out: "
		    "processes, maps and names need more than %llu MB of "
		    "memory", name, (unsigned long long)recording->full_at,
		    recording->options->memory >> 20);
	jitcode_report(&recording->jit, name);
	callchain_report(&recording->chains, name);
	if (select != NULL && fold->counts.samples == before &&
	    !recording->file.header.is_pipe)
		survey(recording, &select->tally);
}

const char *
recording_fold(const struct recording_options *options,
    struct profile *profile, const struct content *content)
{
	struct recording *recording = begin(options, profile, content, NULL);
	bool *failed = &profile->fold->input.failed;
	size_t before = profile->fold->counts.samples;
	const char *refused;

	if (recording->refused == NULL)
		recording->refused = resolve_times(recording);
	refused = fold(recording);
	if (refused == NULL && profile->options->waits != NULL &&
	    !waits_end(&profile->waits, recording->samples.last, content->name))
		refused = "recorded without the times at which threads "
		    "resume; use perf record --switch-events "
		    "-e sched:sched_switch -g PROGRAM";
	if (refused == NULL)
		report(recording, before);
	*failed |= symbols_tell_damaged(recording->process.modules.symbols,
	    report_damaged);
	*failed |= mapping_tell_failures(report_unread);
	report_sources(recording);
	if (refused != NULL)
		refused = advise(recording, refused);
	end(recording);
	return refused;
}
