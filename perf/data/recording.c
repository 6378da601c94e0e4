#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "datafile.h"
#include "decode.h"
#include "lib/interrupt.h"
#include "lib/mapping.h"
#include "lib/message.h"
#include "lib/progress.h"
#include "recording.h"

#define TELL_RECORDS	65536	/* between two looks at the clock */

static const char has_trace[] =
    "recorded with a trace of the processor (AUX)" ONLY_PERF;

struct recording {
	const struct recording_options *options;
	struct profile *profile;
	struct select_tally *tally;	/* of samples not selected; NULL: all
					   samples count */
	const char *name;
	struct datafile file;
	struct process process;
	struct callchain chains;
	struct samples samples;
	struct decode decode;
	struct queue queue;
	bool surveys;			/* counts what there is, and no more */
	const char *refused;		/* why what follows is, or NULL */
};

bool
recording_begins(const struct beginning *file)
{
	return datafile_is_folder(file->fd) ||
	    str_starts(file->bytes, STR("PERFILE2")) ||
	    str_starts(file->bytes, STR("2ELIFREP")) ||
	    str_starts(file->bytes, STR("PERFFILE"));
}

/* Returns what stacks are unwound for: a machine without a name is x86-64. */
static const struct unwind_machine *
find_machine(struct str name)
{
	if (str_equal(name, STR("aarch64")) || str_equal(name, STR("arm64")))
		return &unwind_aarch64;
	return name.len == 0 || str_equal(name, STR("x86_64")) ?
	    &unwind_x86_64 : NULL;
}

/* Opens the symbols as the header, or records so far, tell. */
static void
open_symbols(struct recording *recording)
{
	const struct recording_options *options = recording->options;
	const struct datafile *file = &recording->file;
	struct text release = { 0 };
	struct symbol_sources sources = {
		.symfs = options->symfs,
		.kallsyms = options->kallsyms != NULL ? options->kallsyms :
		    file->kallsyms,
		.home = getenv("HOME"),
		.buildid_dir = options->buildid_dir,
		.asks_servers = options->chains.fetches,
	};

	sources.is_foreign = datafile_is_foreign(file, &sources.machine);
	text_add(&release, file->release);
	text_add_char(&release, '\0');
	if (file->release.len > 0)
		sources.release = release.data;
	recording->process.modules.symbols = symbols_open(&sources);
	recording->chains.symbols = recording->process.modules.symbols;
	free(release.data);
}

/* Delivers what is complete in the queue. */
static void
deliver(struct recording *recording)
{
	if (recording->process.modules.symbols == NULL)
		open_symbols(recording);
	decode_queue(&recording->decode, &recording->queue);
}

/* Adds a record of the kernel to the queue. */
static inline void
add(struct recording *recording, const struct record *record,
    struct block *block)
{
	struct datafile *file = &recording->file;
	struct queue *queue = &recording->queue;
	uint64_t time;

	if (record->type == RECORD_SAMPLE &&
	    samples_pass_over(&recording->samples, record, &time))
		queue_skip(queue, record->bytes.len,
		    attr_marks_all(file->attrs.list) ? time : 0);
	else if (queue_add(queue, record, block, record_turn(record,
	    &file->attrs, file->header.is_pipe))) {
		deliver(recording);
		if (!queue_is_full(queue))
			return;
		queue_halve(queue);
		deliver(recording);
	}
}

/* Takes a record of perf's own. */
static void
take_own(struct recording *recording, const struct record *record)
{
	struct datafile *file = &recording->file;

	recording->decode.bytes -= mem_taken();
	if (datafile_take(file, record, &recording->process.modules))
		samples_forget_events(&recording->samples);
	recording->decode.bytes += mem_taken();
	recording->chains.machine = find_machine(file->machine);
	switch (record->type) {
	case RECORD_TICKS:
		record_ticks(record, &recording->decode.jit.ticks);
		break;
	case RECORD_FINISHED_ROUND:
		if (datafile_has_rounds(file) &&
		    queue_end_round(&recording->queue))
			deliver(recording);
		break;
	case RECORD_AUXTRACE_INFO:
	case RECORD_AUXTRACE:
		recording->refused = has_trace;
		break;
	default:
		break;
	}
}

/* Folds the recording; returns NULL, or why it is refused. */
static const char *
fold(struct recording *recording)
{
	struct samples *samples = &recording->samples;
	struct record record;
	struct block *block;
	unsigned long records = 0;
	uint64_t shown = 0, given;

	recording->chains.machine = find_machine(recording->file.machine);
	while (samples->refused == NULL && recording->refused == NULL &&
	    !recording->decode.is_full &&
	    datafile_next(&recording->file, &record, &block)) {
		if (record.type >= RECORD_OWN)
			take_own(recording, &record);
		else
			add(recording, &record, block);
		if (++records % TELL_RECORDS != 0)
			continue;
		given = datafile_given(&recording->file);
		progress_add(given - shown, str_from(recording->name));
		shown = given;
	}
	recording->queue.complete = UINT64_MAX;
	deliver(recording);
	decode_end(&recording->decode);
	callchain_end(&recording->chains);
	return samples->refused != NULL ? samples->refused :
	    recording->refused;
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

/* Says what came from the servers of debuginfod. */
static void
report_fetched(const char *name, const struct symbols *symbols)
{
	struct fetch_counts counts;

	if (!symbols_fetched(symbols, &counts))
		return;
	if (counts.error != 0)
		message_warn("%s: --debuginfod: debuginfod-find cannot be "
		    "run: %s", name, strerror(counts.error));
	else if (counts.late > 0)
		message_warn("%s: --debuginfod: files found: %zu of %zu; not "
		    "in time: %zu", name, counts.found, counts.asked,
		    counts.late);
	else if (counts.asked > 0)
		message_warn("%s: --debuginfod: files found: %zu of %zu", name,
		    counts.found, counts.asked);
}

/* Says that names of this machine were not taken for another one's. */
static void
report_foreign(const struct recording *recording)
{
	const struct datafile *file = &recording->file;

	if (symbols_were_foreign(recording->process.modules.symbols))
		message_warn("%s: recorded on another machine (%.*s %.*s), "
		    "so names of this one are used for files with a "
		    "recorded build id only; --kallsyms and --symfs tell "
		    "where others are", recording->name,
		    (int)file->release.len, file->release.data,
		    (int)file->machine.len, file->machine.data);
}

/* Adds to the reason why a recording is refused the command that folds it. */
static const char *
advise(const struct recording *recording, int fd, const char *refused)
{
	struct text *text = &recording->profile->advice;
	const char *name = fd == STDIN_FILENO ? "-" : recording->name;

	text->len = 0;
	text_add(text, str_from(refused));
	if (str_ends(text_str(text), STR(ONLY_PERF)))
		text_add_format(text, ": perf script --no-inline -i %s | "
		    "stackcollapse-perf", name);
	if (refused == has_trace)
		text_add(text, STR("; with --itrace=i10usg, perf script "
		    "prints the trace's stacks"));
	text_add_char(text, '\0');
	return text->data;
}

static const char *
open_recording(struct recording *recording, int fd, struct str bytes)
{
	struct datafile *file = &recording->file;
	const char *trouble = datafile_open(file, recording->name, fd, bytes,
	    &recording->process.modules);

	if (trouble != NULL)
		return trouble;
	if (file->header.is_pipe)
		interrupt_outlive(fd);
	if (header_has(&file->header, FEATURE_AUXTRACE))
		return has_trace;
	if (header_has(&file->header, FEATURE_STAT))
		return "recorded by perf stat" ONLY_PERF;
	return NULL;
}

/* Begins to fold, once the header was read. */
static void
begin(struct recording *recording)
{
	const struct recording_options *options = recording->options;
	struct profile *profile = recording->profile;
	struct datafile *file = &recording->file;
	struct chain_options chain_options = options->chains;

	chain_options.max_stack = (size_t)options->max_stack.value;
	/* perf records up to 127 frames, simpleperf all that it unwinds */
	if (chain_options.max_stack == RECORDING_STACK &&
	    recording->process.modules.simpleperf.paths.count > 0)
		chain_options.max_stack = SIZE_MAX;
	callchain_init(&recording->chains, profile, &chain_options);
	recording->samples = (struct samples){
		.profile = profile,
		.file = file,
		.process = &recording->process,
		.chains = &recording->chains,
		.surveys = recording->surveys,
		.tally = recording->surveys || file->header.is_pipe ?
		    recording->tally : NULL,
	};
	recording->decode = (struct decode){
		.attrs = &file->attrs,
		.process = &recording->process,
		.samples = &recording->samples,
		.chains = &recording->chains,
		.memory = options->memory,
	};
	jitcode_init(&recording->decode.jit, &file->attrs,
	    file->header.is_pipe);
	recording->queue = (struct queue){ .blocks = &file->blocks,
	    .most = QUEUE_MOST + READER_BLOCKS * file->count };
}

static void
report_records(const struct recording *recording)
{
	const struct samples *samples = &recording->samples;
	const struct decode *decode = &recording->decode;
	const struct {
		unsigned long long count;
		const char *what;
	} oddities[] = {
		{ decode->lost, "records that were lost while it was "
		    "recorded" },
		{ recording->queue.late, "records that came too late for "
		    "their time" },
		{ decode->alone, "samples whose deferred user call chain "
		    "never came (--call-graph fp,defer)" },
		{ samples->guests, "samples of virtual machines, left out" },
	};
	size_t i;

	for (i = 0; i < sizeof(oddities) / sizeof(*oddities); i++)
		if (oddities[i].count > 0)
			message_warn("%s: %s: %llu", recording->name,
			    oddities[i].what, oddities[i].count);
	if (samples->odd > 0)
		message_warn("%s: invalid records, left out: %llu, the first "
		    "at byte %llu", recording->name, samples->odd,
		    (unsigned long long)samples->odd_at);
	if (decode->is_full)
		message_warn("%s: all from byte %llu on is left out: "
		    "processes, maps and names need more than %llu MB of "
		    "memory", recording->name,
		    (unsigned long long)decode->full_at, decode->memory >> 20);
}

static void
end(struct recording *recording)
{
	queue_free(&recording->queue);
	decode_free(&recording->decode);
	free(recording->samples.sched.lacking.data);
	free(recording->samples.number.data);
	callchain_free(&recording->chains);
	process_free(&recording->process);
	mapping_tell_cut(report_cut_file);
	datafile_close(&recording->file);
	free(recording);
}

/* Begins to fold one. */
static struct recording *
new_recording(const struct recording_options *options,
    struct profile *profile, const char *name)
{
	struct recording *recording = mem_array(1, sizeof(*recording));

	recording->options = options;
	recording->profile = profile;
	if (profile->options->select != NULL)
		recording->tally = &profile->options->select->tally;
	recording->name = name;
	process_init(&recording->process);
	return recording;
}

/* Tallies all samples of a file in another pass. */
static const char *
survey(const struct recording *from, struct select_tally *tally,
    struct str bytes, int fd)
{
	struct recording *recording = new_recording(from->options,
	    from->profile, from->name);
	const char *refused;

	recording->tally = tally;
	recording->surveys = true;
	if (from->file.copy != NULL)
		fd = fileno(from->file.copy);
	refused = open_recording(recording, fd, bytes);
	begin(recording);
	if (refused == NULL)
		refused = fold(recording);
	end(recording);
	return refused;
}

/* Finds the time span for percentages. */
static const char *
resolve_times(const struct recording *recording, struct str bytes, int fd)
{
	struct select *select = recording->profile->options->select;
	const struct datafile *file = &recording->file;
	const char *refused = NULL;
	struct select_tally tally;

	if (select == NULL || select->shares == NULL)
		return NULL;
	if (file->header.is_pipe)
		return "--time with percentages needs a file, not a pipe";
	if (file->first != 0 || file->last != 0) {
		select_resolve(select, file->first, file->last);
		return NULL;
	}
	tally = (struct select_tally){ 0 };
	refused = survey(recording, &tally, bytes, fd);
	select_resolve(select, tally.first, tally.last);
	select_tally_free(&tally);
	return refused;
}

/* Tells what is missing, and what there is if nothing was selected. */
static void
report(struct recording *recording, size_t before, struct str bytes, int fd)
{
	struct fold *fold = recording->profile->fold;
	const char *name = recording->name;
	size_t losses = fold->counts.reported;

	fold->counts.reported += recording->decode.is_full ||
	    datafile_report_gaps(&recording->file);
	fold->input.failed |= fold->counts.reported > losses ||
	    recording->samples.odd > 0;
	report_records(recording);
	jitcode_report(&recording->decode.jit, name);
	stats_report(&recording->chains.stats, name,
	    &recording->process.modules, recording->options->chains.stitch);
	if (recording->tally != NULL && fold->counts.samples == before &&
	    !recording->file.header.is_pipe)
		survey(recording, recording->tally, bytes, fd);
}

const char *
recording_fold(const struct recording_options *options,
    struct profile *profile, const char *name, struct str bytes, int fd)
{
	struct recording *recording = new_recording(options, profile, name);
	bool *failed = &profile->fold->input.failed;
	size_t before = profile->fold->counts.samples;
	const char *refused = open_recording(recording, fd, bytes);
	struct symbols *symbols;

	if (refused == NULL)
		refused = resolve_times(recording, bytes, fd);
	begin(recording);
	if (refused == NULL)
		refused = fold(recording);
	if (refused == NULL && profile->options->waits != NULL &&
	    !waits_end(&profile->waits, recording->samples.sched.last, name))
		refused = "recorded without the times at which threads "
		    "resume; use perf record --switch-events "
		    "-e sched:sched_switch -g PROGRAM";
	if (refused == NULL)
		report(recording, before, bytes, fd);
	symbols = recording->process.modules.symbols;
	*failed |= symbols_tell_damaged(symbols, report_damaged);
	*failed |= mapping_tell_failures(report_unread);
	report_foreign(recording);
	report_fetched(name, symbols);
	if (refused != NULL)
		refused = advise(recording, fd, refused);
	end(recording);
	return refused;
}
