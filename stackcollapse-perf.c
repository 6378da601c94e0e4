/*
 * stackcollapse-perf: folds what perf record writes, or perf script prints.
 *
 * A sample is a line about the event, the stack's frames from the innermost
 * outwards, and an empty line:
 *
 *	java 24636/25607 [000] 4794564.109216:        235 cpu-clock:
 *	        7f722d142778 Ljava/io/PrintStream;::print (/tmp/perf-24636.map)
 *	        7f722d0bb0a1 main+0x1f (/usr/bin/java)
 *
 * It becomes, added to others with the same stack:
 *
 *	java;main;java/io/PrintStream:::print 235
 *
 * perf/text/script.h reads these lines, perf/data/recording.h reads perf.data,
 * and perf/profile.h makes folded stacks of both.
 */
#include <sys/stat.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "fold/collapse.h"
#include "lib/mapping.h"
#include "lib/message.h"
#include "lib/options.h"
#include "perf/data/recording.h"
#include "perf/text/script.h"

static struct profile_options wanted;
static bool mark_all;
static const char *event_filter = "";
static const char *weight = "";
static struct select select_options;
static const char *selected[SAMPLE_FIELDS];	/* by sample_has's bits */
static double gaps = NAN;	/* milliseconds */
static const char *off_cpu;	/* the kinds of waits, or NULL */
static struct waits_options waits;
static struct recording_options recorded = {
	.sources = { .symfs = "" }, .memory = RECORDING_MEMORY,
	.max_stack = { RECORDING_STACK, 0, 65535 },
};

struct perf {
	struct fold fold;
	struct profile profile;
	struct script script;
};

static void
begin(struct fold *fold)
{
	struct perf *perf = (struct perf *)fold;

	profile_init(&perf->profile, fold, &wanted);
	script_init(&perf->script, &perf->profile);
}

static void
fold_line(struct fold *fold, struct str line)
{
	struct script *script = &((struct perf *)fold)->script;

	/* A truncated frame line of blanks alone ends no sample. */
	if (line.len > 0 && input_line_is_cut(&fold->input) &&
	    str_trim(line).len == 0)
		return;
	script_take_line(script, line);
	linecache_fold(script);
}

static bool
goes_on(struct fold *fold, struct str line)
{
	return script_goes_on(&((struct perf *)fold)->script, line);
}

/* The clock of threads begins with the range. */
static void
end(struct fold *fold)
{
	struct perf *perf = (struct perf *)fold;
	uint64_t *clock = &perf->profile.timeline.begin;
	const struct select_range *first = select_options.ranges;

	script_end(&perf->script);
	if (select_options.ranges_count > 0 && first->start > 0 &&
	    first->start < *clock)
		*clock = first->start;
}

static const char *
fold_recording(struct fold *fold, struct content *content)
{
	struct profile *profile = &((struct perf *)fold)->profile;
	const char *reason;

	recorded.chains.lines = wanted.source_lines ? LINES_PERF :
	    wanted.context ? LINES_CONTEXT : LINES_NONE;
	reason = recording_fold(&recorded, profile, content);
	profile->reads_recording |= reason == NULL;
	return reason;
}

/* Finds the time span for percentages. */
static const char *
begin_lines(struct fold *fold, const struct beginning *file)
{
	off_t read = lseek(file->fd, 0, SEEK_CUR);
	struct str bytes = { NULL, 0 };
	uint64_t first, last;
	struct stat status;

	if (select_options.shares == NULL)
		return NULL;
	if (read >= 0 && fstat(file->fd, &status) == 0 &&
	    S_ISREG(status.st_mode))
		bytes = mapping_add(file->fd, file->name, 0,
		    (unsigned long long)status.st_size);
	if (bytes.len < (size_t)read)
		return "--time with percentages needs a file, not a pipe";
	script_line_times(str_skip(bytes, (size_t)read - file->bytes.len),
	    fold->input.form, &first, &last);
	mapping_remove(bytes.data);
	select_resolve(&select_options, first, last);
	return NULL;
}

static void
report(struct fold *fold)
{
	struct perf *perf = (struct perf *)fold;

	filter_report(&wanted.filter);
	script_report(&perf->script);
	profile_report(&perf->profile);
}

static bool
finish(struct fold *fold)
{
	return profile_finish(&((struct perf *)fold)->profile);
}

/* Adds the counts of one event, or two. */
static void
add_counts(void *fold, uint32_t number, struct text *line)
{
	profile_add_counts(&((const struct perf *)fold)->profile, number,
	    line);
}

static const struct option options[] = {
	{ "pid", OPTION_FLAG, &wanted.pid, NULL,
	    "add the process's number to the command's name [1]" },
	{ "tid", OPTION_FLAG, &wanted.tid, NULL,
	    "add the process's and the thread's numbers [1]" },
	{ "cgroup", OPTION_FLAG, &wanted.cgroup, NULL,
	    "add the cgroup as a frame around the command's [2]" },
	{ "kernel", OPTION_FLAG, &wanted.kernel, NULL,
	    "mark functions of the kernel with _[k]" },
	{ "jit", OPTION_FLAG, &wanted.jit, NULL,
	    "mark functions compiled at run time with _[j]" },
	{ "all", OPTION_FLAG, &mark_all, NULL, "--kernel and --jit" },
	{ "addrs", OPTION_FLAG, &wanted.addresses, NULL,
	    "show the address where the symbol is unknown" },
	{ "inline", OPTION_FLAG, &wanted.inlined, NULL,
	    "add inlined functions to text, from debug information" },
	{ "no-inline", OPTION_FLAG, &recorded.chains.not_inlined, NULL,
	    "no inlined functions in a recording's stacks" },
	{ "context", OPTION_FLAG, &wanted.context, NULL,
	    "add file and line to the functions with inlined ones" },
	{ "srcline", OPTION_FLAG, &wanted.source_lines, NULL,
	    "add the lines that perf script -F +srcline prints" },
	{ "event-filter", OPTION_TEXT, &event_filter, "EVENT",
	    "count this event (default: the first one met), or\n"
	    "EVENT,EVENT: two, each with a count of its own" },
	{ NULL, OPTION_ADDED, NULL, NULL, NULL },
	{ "time", OPTION_TEXT, &selected[0], "RANGES",
	    "count samples of these times: 12.5,13 or 10%/2 or\n"
	    "0%-10%,40%-50%" },
	{ "comms", OPTION_TEXT, &selected[4], "LIST",
	    "count samples of these commands: make,cc1" },
	{ "pids", OPTION_TEXT, &selected[2], "LIST",
	    "count samples of these processes: 41,42 [1]" },
	{ "tids", OPTION_TEXT, &selected[3], "LIST",
	    "count samples of these threads" },
	{ "cpus", OPTION_TEXT, &selected[1], "LIST",
	    "count samples of these processors: 0-3,7" },
	{ "in-order", OPTION_FLAG, &wanted.in_order, NULL,
	    "keep the order of time, thread by thread, for\n"
	    "flamegraph --flamechart" },
	{ "each-event", OPTION_FLAG, &wanted.filter.each, NULL,
	    "count all events, each in a frame around the command's" },
	{ "weight", OPTION_TEXT, &weight, "FIELD",
	    "count this field of a tracepoint, as bytes_alloc" },
	{ "gaps", OPTION_DECIMAL, &gaps, "MS",
	    "with --in-order: show times without samples that are\n"
	    "longer than this many milliseconds" },
	{ "off-cpu", OPTION_OPTIONAL, &off_cpu, "KIND",
	    "blocked (default), preempted or all: fold the times in\n"
	    "which threads are on no processor, in nanoseconds [3]" },
	{ "wakers", OPTION_FLAG, &waits.wakers, NULL,
	    "with --off-cpu: add, after --, who woke the thread [3]" },
	{ "wall", OPTION_FLAG, &waits.running, NULL,
	    "fold the times on a processor and off, by a clock [3]" },
	{ "stitch", OPTION_FLAG, &recorded.chains.stitch, NULL,
	    "join stacks whose copies are too short to earlier ones" },
	{ "symfs", OPTION_TEXT, &recorded.sources.symfs, "DIR",
	    "find the files of a recording in DIR instead of /" },
	{ "kallsyms", OPTION_TEXT, &recorded.sources.kallsyms, "FILE",
	    "take the names of the kernel's functions from FILE" },
	{ "buildid-dir", OPTION_TEXT, &recorded.sources.buildid_dir, "DIR",
	    "find what perf archive packed in DIR instead of ~/.debug" },
	{ "debuginfod", OPTION_FLAG, &recorded.chains.fetches, NULL,
	    "fetch missing debug files of a recording from the\n"
	    "servers of DEBUGINFOD_URLS" },
	{ "max-stack", OPTION_RANGE, &recorded.max_stack, "N",
	    "cut stacks of a recording at N frames (default: 127)" },
	{ "no-unit", OPTION_FLAG, &wanted.no_unit, NULL,
	    "print no comment with the unit of the counts" },
	COLLAPSE_JOBS,
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static void check(const char *const *operands);

static struct format format = {
	.kind = &kinds[KIND_PERF],
	.size = sizeof(struct perf),
	.begin = begin,
	.line = fold_line,
	.file = fold_recording,
	.is_file = recording_begins,
	.form = script_line_form,
	.begin_lines = begin_lines,
	.goes_on = goes_on,
	.in_parts = true,
	.end = end,
	.report = report,
	.finish = finish,
	.adds_folded = true,
	.options = options,
	.check = check,
	.notes = "[1] perf script prints both with -F +pid\n"
	    "[2] of perf record --all-cgroups, and perf script -F +cgroup\n"
	    "[3] of perf record -a -g -e sched:sched_switch, for --wakers also "
	    "-e\n"
	    "    sched:sched_waking, for --wall also -e cpu-clock",
};

static void
check_order(void)
{
	const double most = 1e12, nanoseconds = 1e6;
	const char *other = wanted.cgroup ? "--cgroup" :
	    filter_is_list(&wanted.filter) ?
	    "--event-filter with two events" :
	    wanted.filter.each ? "--each-event" : NULL;

	if (other != NULL && wanted.in_order)
		options_reject("%s cannot be combined with --in-order", other);
	wanted.tid |= wanted.in_order;
	if (isnan(gaps))
		return;
	if (!wanted.in_order)
		options_reject("--gaps needs --in-order");
	if (!(gaps >= 0 && gaps <= most))
		options_reject("option --gaps: %g is not from 0 to %g", gaps,
		    most);
	wanted.gap = (uint64_t)fmax(gaps * nanoseconds, 1);
}

/* Sets the kinds of waits; ends the program if they are wrong. */
static void
check_waits(void)
{
	struct str kind = str_from(off_cpu == NULL ? "" : off_cpu);
	bool all = waits.running || str_equal(kind, STR("all"));
	bool preempted = all || str_equal(kind, STR("preempted"));
	bool blocked = all || kind.len == 0 ||
	    str_equal(kind, STR("blocked"));

	if (off_cpu == NULL && !waits.running) {
		if (waits.wakers)
			options_reject("--wakers needs --off-cpu or --wall");
		return;
	}
	if (off_cpu != NULL && waits.running)
		options_reject("--off-cpu and --wall are mutually exclusive");
	if (event_filter[0] != '\0' || wanted.filter.each || weight[0] != '\0')
		options_reject("--event-filter, --each-event and --weight "
		    "cannot be combined with --off-cpu or --wall");
	if (!blocked && !preempted)
		options_reject("option --off-cpu: \"%s\" is not blocked, "
		    "preempted or all", off_cpu);
	waits.counts[WAIT_BLOCKED] = blocked;
	waits.counts[WAIT_UNINTERRUPTIBLE] = blocked;
	waits.counts[WAIT_PREEMPTED] = preempted;
	waits.select = wanted.select;
	select_options.clips = true;
	wanted.waits = &waits;
}

/* Ends the program unless there is such a folder, or a readable file. */
static void
check_path(const char *path, bool is_folder)
{
	struct stat status;

	if (path == NULL)
		return;
	if (stat(path, &status) != 0 ||
	    access(path, is_folder ? F_OK : R_OK) != 0)
		message_fail("%s: %s", path, strerror(errno));
	if (is_folder && !S_ISDIR(status.st_mode))
		message_fail("%s: %s", path, strerror(ENOTDIR));
	if (!is_folder && !S_ISREG(status.st_mode))
		message_fail("%s: not a regular file", path);
}

static void
check(const char *const *operands)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	const char *flag = wanted.tid ? "tid" : "pid";

	wanted.kernel |= mark_all;
	wanted.jit |= mark_all;
	/* a number may follow perf's own --pid */
	for (; (wanted.pid || wanted.tid) && *operands != NULL; operands++)
		if (is_digit(**operands) && access(*operands, F_OK) != 0 &&
		    strspn(*operands, "0123456789,") == strlen(*operands))
			options_reject("option --%s takes no value; to count "
			    "only %s, type --%ss=%s", flag, *operands, flag,
			    *operands);
	if (wanted.filter.each && event_filter[0] != '\0')
		options_reject("--each-event and --event-filter are mutually "
		    "exclusive");
	wanted.weight = str_from(weight);
	filter_ask(&wanted.filter, str_from(event_filter));
	if (filter_is_list(&wanted.filter)) {
		format.counts = add_counts;
		format.no_folded = "it is folded text, to which the events of "
		    "--event-filter cannot be added";
	}
	select_ask(&select_options, selected);
	if (select_options.by != 0)
		wanted.select = &select_options;
	check_order();
	check_waits();
	check_path(recorded.sources.kallsyms, false);
	check_path(recorded.sources.buildid_dir, true);
	if (recorded.chains.fetches && (urls == NULL ||
	    strspn(urls, " ") == strlen(urls)))
		message_fail("--debuginfod: DEBUGINFOD_URLS names no server");
}

int
main(int argc, char **argv)
{
	(void)argc;
	return collapse(&format, argv);
}
