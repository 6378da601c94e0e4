#include <sys/stat.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../lib/interrupt.h"
#include "../lib/mapping.h"
#include "../lib/message.h"
#include "../lib/progress.h"
#include "gaps.h"
#include "recording.h"

/* If so many blocks wait for their order, the older half waits no longer. */
#define WAITING_BLOCKS	192

/* Of copies of stacks, one byte in so many is looked at. */
#define STACKS_UNREAD	16

#define TELL_RECORDS	65536	/* between two looks at the clock */

struct recording {
	const struct recording_options *options;
	const struct recording_target *target;
	const char *name;
	struct datafile file;
	struct modules modules;
	struct tasks tasks;
	struct maps *kernel;
	struct order order;
	struct batches batches;
	struct samples samples;
	struct tally told;
	bool is_perfs;			/* perf script may read it */
	struct gaps gaps;
};

bool
recording_begins(struct str bytes, int fd)
{
	return folder_is_recording(fd) || str_starts(bytes, STR("PERFILE2")) ||
	    str_starts(bytes, STR("2ELIFREP")) ||
	    str_starts(bytes, STR("PERFFILE"));
}

/* The symbols are found as the header, or records before this, told. */
static void
open_symbols(struct recording *recording)
{
	struct text release = { 0 };
	struct symbol_sources sources = {
		.symfs = recording->options->symfs,
		.kallsyms = recording->options->kallsyms,
		.home = getenv("HOME"),
	};

	if (recording->modules.symbols != NULL)
		return;
	if (sources.kallsyms == NULL)
		sources.kallsyms = recording->file.folder.kallsyms;
	text_add(&release, recording->file.release);
	text_add_char(&release, '\0');
	if (recording->file.release.len > 0)
		sources.release = release.data;
	recording->modules.symbols = symbols_open(&sources);
	free(release.data);
}

/*
 * The kernel's names are read ahead where there are many samples, and their
 * event is counted in the kernel.
 */
static void
take_kernel_map(struct recording *recording, const struct record_map *map)
{
	const struct attrs *attrs = &recording->file.attrs;
	struct modules *modules = &recording->modules;

	modules_add_kernel(modules, recording->kernel, map);
	if (modules->kernel != NULL && recording->batches.threads > 1 &&
	    !recording->file.header.is_pipe && attrs->count > 0 &&
	    attr_counts_kernel(attrs->list))
		dso_read_ahead(modules->kernel->dso);
}

static bool
take_map(struct recording *recording, const struct record *record)
{
	enum record_mode mode = record_mode(record);
	struct record_map map;
	struct task *task;

	if (!record_map(record, &map))
		return false;
	open_symbols(recording);
	if (mode == MODE_KERNEL)
		take_kernel_map(recording, &map);
	else if (mode != MODE_GUEST_KERNEL && mode != MODE_GUEST_USER) {
		task = tasks_get(&recording->tasks, map.pid, map.tid);
		maps_add(task->maps, modules_map(&recording->modules, &map,
		    task->pid));
	}
	return true;
}

static bool
take_ksymbol(struct recording *recording, const struct record *record)
{
	struct record_ksymbol ksymbol;

	if (!record_ksymbol(record, &ksymbol))
		return false;
	modules_add_ksymbol(&recording->modules, recording->kernel, &ksymbol);
	return true;
}

static bool
take_comm(struct recording *recording, const struct record *record)
{
	struct record_comm comm;

	if (!record_comm(record, &comm))
		return false;
	tasks_rename(&recording->tasks, &comm);
	return true;
}

static bool
take_task(struct recording *recording, const struct record *record)
{
	struct record_task task;

	if (!record_task(record, &task))
		return false;
	if (record->type == RECORD_FORK)
		tasks_fork(&recording->tasks, &task);
	else
		tasks_end(&recording->tasks, &task);
	return true;
}

/* Takes a record of the kernel but samples; false if it makes no sense. */
static bool
take_other(struct recording *recording, const struct record *record)
{
	bool good = true;

	switch (record->type) {
	case RECORD_MMAP:
	case RECORD_MMAP2:
		good = take_map(recording, record);
		break;
	case RECORD_COMM:
		good = take_comm(recording, record);
		break;
	case RECORD_FORK:
	case RECORD_EXIT:
		good = take_task(recording, record);
		break;
	case RECORD_KSYMBOL:
		good = take_ksymbol(recording, record);
		break;
	case RECORD_LOST:
	case RECORD_LOST_SAMPLES:
		recording->gaps.lost += record_lost(record);
		break;
	case RECORD_DEFERRED_CHAIN:
		recording->gaps.deferred++;
		break;
	default:
		break;
	}
	return good;
}

/* Notes that a record needs too much memory, with all that came before it. */
static void
check_memory(struct recording *recording, const struct record *record,
    const struct block *block)
{
	unsigned long long bytes = tasks_bytes(&recording->tasks) +
	    modules_bytes(&recording->modules) +
	    attrs_bytes(&recording->file.attrs);

	if (bytes <= recording->options->memory)
		return;
	recording->gaps.full = recording->options->memory;
	recording->gaps.full_at = block_offset(block, record);
}

/* Takes a record whose time has come. */
static inline void
take(struct recording *recording, const struct record *record,
    struct block *block)
{
	struct samples *samples = &recording->samples;
	unsigned long long odd = samples->odd;

	if (recording->gaps.full > 0)
		return;
	if (record->type == RECORD_SAMPLE)
		samples_take(samples, record, block);
	else {
		samples->odd += !take_other(recording, record);
		check_memory(recording, record, block);
	}
	if (odd == 0 && samples->odd > 0)
		recording->gaps.odd_at = block_offset(block, record);
}

/* Takes all that is due. */
static void
take_due(struct recording *recording)
{
	const struct queued *queued;
	struct record record;

	while ((queued = order_next(&recording->order)) != NULL) {
		order_prefetch(&recording->order);
		record = record_at(queued->record);
		take(recording, &record, queued->owner);
		blocks_drop(&recording->file.blocks, queued->owner, 1);
	}
}

static uint64_t
find_time(struct attrs *attrs, const struct record *record)
{
	bool is_sample = record->type == RECORD_SAMPLE;
	const struct attr *attr;

	/* mostly it is in the same place for all events */
	if (is_sample && attrs->time_at > 0 &&
	    attrs->time_at + sizeof(uint64_t) <= record->bytes.len)
		return attr_word(record->bytes.data + attrs->time_at);
	attr = attrs_find(attrs, record->bytes, is_sample);
	return attr == NULL ? RECORD_NO_TIME : record_time(record, attr);
}

/* Has a record of the kernel wait for its turn, or takes it at once. */
static void
enqueue(struct recording *recording, const struct record *record,
    struct block *block)
{
	struct attrs *attrs = &recording->file.attrs;
	uint64_t time = find_time(attrs, record);
	size_t most = WAITING_BLOCKS + 2 * recording->file.count;

	if (time == 0 || time == RECORD_NO_TIME ||
	    (!recording->file.header.is_pipe &&
	    !attr_marks_all(attrs->list))) {
		take(recording, record, block);
		return;
	}
	block->held++;
	order_add(&recording->order, (struct queued){ time,
	    record->bytes.data, block });
	if (recording->file.blocks.used > most)
		batches_settle(&recording->batches);
	if (recording->file.blocks.used > most) {
		order_relieve(&recording->order);
		take_due(recording);
	}
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

/* Takes a record of perf's own. */
static void
take_own(struct recording *recording, const struct record *record)
{
	struct datafile *file = &recording->file;
	struct bytes bytes = bytes_from(record->bytes);
	uint64_t feature;

	switch (record->type) {
	case RECORD_ATTR:
		recording->samples.counted = NULL;
		header_read_attr(&file->attrs, record->bytes);
		break;
	case RECORD_EVENT_UPDATE:
		header_update_event(&file->attrs, record->bytes);
		break;
	case RECORD_FEATURE:
		bytes_skip(&bytes, RECORD_HEADER);
		feature = bytes_u64(&bytes);
		datafile_take_feature(file, feature,
		    bytes_text(&bytes, bytes_left(&bytes)),
		    &recording->modules);
		recording->samples.machine = find_machine(file->machine);
		recording->samples.counted = NULL;
		break;
	case RECORD_BUILD_ID:
		header_note_ids(&recording->modules, record->bytes);
		break;
	case RECORD_FINISHED_ROUND:
		if (datafile_has_rounds(file))
			order_end_round(&recording->order);
		take_due(recording);
		break;
	case RECORD_TRACING_DATA:
		datafile_skip_data(file, record);
		break;
	case RECORD_AUXTRACE_INFO:
	case RECORD_AUXTRACE:
		recording->samples.refused =
		    "recorded with a trace of the processor (AUX)";
		break;
	default:
		break;
	}
}

static void
show_progress(struct recording *recording)
{
	struct tally tally = {
		.bytes = datafile_given(&recording->file),
		.counted = *recording->target->samples,
		.stacks = recording->target->stacks->paths.ends,
	};

	progress_tell(&recording->told, tally, str_from(recording->name));
}

static void
fold(struct recording *recording)
{
	struct record record;
	struct block *block;
	unsigned long records = 0;

	recording->samples.machine = find_machine(recording->file.machine);
	while (recording->samples.refused == NULL &&
	    recording->gaps.full == 0 &&
	    datafile_next(&recording->file, &record, &block)) {
		if (record.type >= RECORD_OWN)
			take_own(recording, &record);
		else
			enqueue(recording, &record, block);
		if (++records % TELL_RECORDS == 0)
			show_progress(recording);
	}
	order_end(&recording->order);
	take_due(recording);
	batches_end(&recording->batches);
}

static void
report_cut_file(const char *path)
{
	message_warn("%s was cut off, or cannot be read, while its symbols "
	    "were; functions in it may have no names", path);
}

static void
report_damaged(const char *path, const char *reason)
{
	message_warn("%s: %s; inlined functions may be missing", path, reason);
}

/* Adds what can be done to the reason why a recording is refused. */
static const char *
advise(const struct recording *recording, int fd)
{
	struct text *text = recording->target->advice;
	const char *name = fd == STDIN_FILENO ? "-" : recording->name;

	text->len = 0;
	text_add_format(text, "%s, which only perf script reads: perf script "
	    "--no-inline -i %s | stackcollapse-perf",
	    recording->samples.refused, name);
	text_add_char(text, '\0');
	return text->data;
}

static const char *
open_recording(struct recording *recording, int fd, struct str bytes)
{
	struct datafile *file = &recording->file;
	const char *trouble = datafile_open(file, recording->name, fd, bytes,
	    &recording->modules);

	recording->is_perfs = trouble == NULL || file->header.is_foreign;
	if (trouble != NULL)
		return trouble;
	if (file->header.is_pipe)
		interrupt_outlive(fd);
	if (file->machine.len > 0 && !header_is_64_bit(file->machine))
		return "recorded on a 32-bit machine";
	if ((file->header.features >> FEATURE_AUXTRACE & 1) != 0)
		return "recorded with a trace of the processor (AUX)";
	if ((file->header.features >> FEATURE_STAT & 1) != 0)
		return "recorded by perf stat";
	return NULL;
}

/*
 * Returns how many threads fold: as many as pay for so large a file, and one
 * where the order is kept.
 */
static size_t
choose_threads(const struct recording *recording, int fd)
{
	struct stat status;
	unsigned long long size = ULLONG_MAX;

	if (recording->target->timeline != NULL)
		return 1;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		size = (unsigned long long)status.st_size;
	if (attrs_have_stacks(&recording->file.attrs))
		size /= STACKS_UNREAD;
	return threads_choose(recording->options->jobs->value, size);
}

static void
begin_batches(struct recording *recording, int fd)
{
	const struct recording_options *options = recording->options;
	const struct recording_target *target = recording->target;
	struct chain_options chain_options = {
		.max_stack = (size_t)options->max_stack.value,
		.reads_ahead = options->jobs->value != 1 &&
		    target->timeline == NULL,
		.timeline = target->timeline,
		.inlined = options->not_inlined ? INLINED_NONE :
		    options->inlined ? INLINED_ALL : INLINED_UNWOUND,
		.lines = options->lines,
	};

	batches_init(&recording->batches, choose_threads(recording, fd),
	    &recording->file.blocks, target->frames, target->stacks,
	    &chain_options);
}

const char *
recording_fold(const struct recording_options *options,
    const struct recording_target *target, const char *name,
    struct str bytes, int fd)
{
	struct recording recording = {
		.options = options, .target = target, .name = name,
		.samples = {
			.target = target, .attrs = &recording.file.attrs,
			.tasks = &recording.tasks,
			.batches = &recording.batches,
			.kernel_module = &recording.modules.kernel,
			.roots = { .roots = target->roots,
			    .namer = target->frames->namer },
		},
	};

	modules_init(&recording.modules, NULL);
	tasks_init(&recording.tasks);
	recording.kernel = maps_new(&recording.tasks.maps);
	recording.samples.kernel = recording.kernel;
	recording.samples.refused = open_recording(&recording, fd, bytes);
	begin_batches(&recording, fd);
	if (recording.samples.refused == NULL)
		fold(&recording);

	if (recording.samples.refused == NULL) {
		*target->losses += recording.gaps.full > 0 ||
		    gaps_report_bytes(&recording.file);
		gaps_report_records(name, &recording.gaps,
		    &recording.samples);
		gaps_report_functions(name, &recording.modules,
		    &recording.batches.workers[0].chains.unknowns);
	}
	symbols_tell_damaged(recording.modules.symbols, report_damaged);
	order_free(&recording.order);
	batches_free(&recording.batches);
	maps_free(recording.kernel);
	tasks_free(&recording.tasks);
	symbols_close(recording.modules.symbols);
	mapping_tell_cut(report_cut_file);
	modules_free(&recording.modules);
	datafile_close(&recording.file);
	if (recording.file.blocks.was_cut) {
		message_warn("%s was cut off, or cannot be read, while it was "
		    "read", name);
		++*target->losses;
	}
	samples_free(&recording.samples);
	return recording.samples.refused != NULL && recording.is_perfs ?
	    advise(&recording, fd) : recording.samples.refused;
}
