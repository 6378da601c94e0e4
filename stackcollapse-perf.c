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
 * perf/text/script.h folds these lines one by one, and perf/text/known.h those
 * that came before, many at once.  perf/data/recording.h folds perf.data.
 */
#include <sys/stat.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "fold/collapse.h"
#include "lib/message.h"
#include "lib/options.h"
#include "perf/data/recording.h"
#include "perf/inliner.h"
#include "perf/pair.h"
#include "perf/text/known.h"
#include "perf/text/line.h"
#include "perf/text/script.h"
#include "perf/text/times.h"

#define FEW_SAMPLES	1000	/* fewer may be short by chance */

static struct script_options wanted;
static bool mark_all;
static const char *event_filter = "";
static const char *weight = "";
static struct selection selection;
static const char *selected_time, *selected_cpus, *selected_pids,
    *selected_tids, *selected_comms;
static double gaps = NAN;	/* milliseconds */
static const char *off_cpu;	/* the kinds of waits, or NULL */
static bool wakers, wall, no_unit;
static struct waits_options waits;
static struct option_range recorded_jobs = { 1, 0, 1 };
static struct recording_options recorded = {
	.symfs = "", .memory = RECORDING_MEMORY,
	.max_stack = { RECORDING_STACK, 0, 65535 }, .jobs = &recorded_jobs,
};

struct perf {
	struct fold fold;
	struct script script;
	struct known known;
	struct pair pair;	/* of two events' counts, in the end */
	bool recorded;		/* a recording was folded */
	bool refused;		/* a recording was refused */
	struct text advice;	/* about that */
};

static void
begin(struct fold *fold)
{
	struct perf *perf = (struct perf *)fold;

	script_init(&perf->script, fold, &wanted);
	known_init(&perf->known);
}

static void
fold_line(struct fold *fold, struct str line)
{
	struct perf *perf = (struct perf *)fold;
	struct str whole = input_whole_line(&fold->input);

	/* The input ends in the blanks of a frame, which end no sample. */
	if (line.len > 0 && !str_ends(whole, STR("\n")) &&
	    str_trim(line).len == 0)
		return;
	script_line(&perf->script, line);
	if (wanted.cgroup)
		return;		/* what follows knows no cgroups */
	known_note(&perf->known, &perf->script, whole);
	known_fold(&perf->known, &perf->script);
}

static bool
goes_on(struct fold *fold, struct str line)
{
	return script_goes_on(&((struct perf *)fold)->script, line);
}

/* Ends a part of the input.  The clock of threads begins with the range. */
static void
end(struct fold *fold)
{
	struct script *script = &((struct perf *)fold)->script;
	uint64_t begin = selection_begin(&selection);

	script_end(script);
	if (begin > 0 && begin < script->timeline.begin)
		script->timeline.begin = begin;
}

static bool
is_recording(const struct beginning *file)
{
	return recording_begins(file->bytes, file->fd);
}

static const char *
fold_recording(struct fold *fold, const struct beginning *file)
{
	struct perf *perf = (struct perf *)fold;
	struct script *script = &perf->script;
	const char *reason;
	struct recording_target target = {
		.frames = &script->frames,
		.roots = &script->roots,
		.filter = script->filter,
		.selection = wanted.selection,
		.census = &script->census,
		.stacks = wanted.waits == NULL ? &fold->stacks :
		    &script->waits.told,
		.timeline = fold->timeline,
		.waits = wanted.waits == NULL ? NULL : &script->waits,
		.fields = fieldcount_is_asked(&script->fields) ?
		    &script->fields : NULL,
		.samples = &fold->counts.samples,
		.frameless = &script->frameless,
		.losses = &fold->counts.told,
		.failed = &fold->input.failed,
		.advice = &perf->advice,
	};

	recorded.lines = wanted.source_lines ? LINES_PERF :
	    wanted.context ? LINES_CONTEXT : LINES_NONE;
	reason = recording_fold(&recorded, &target, perf->fold.input.name,
	    file->bytes, file->fd);
	perf->recorded |= reason == NULL;
	perf->refused |= reason != NULL;
	return reason;
}

/* Finds the times of which percentages are asked for. */
static const char *
begin_lines(struct fold *fold, const struct beginning *file)
{
	struct times times;

	if (!selection_has_shares(&selection))
		return NULL;
	if (!times_find(file, input_form(&fold->input), &times))
		return "--time with percentages needs a file, not a pipe";
	selection_resolve(&selection, times.first, times.last);
	return NULL;
}

/* Says what there is, since nothing of it was selected. */
static void
tell_census(const struct census *census)
{
	struct text options = { 0 }, there = { 0 }, shown = { 0 };

	selection_add_options(&selection, &options);
	census_add(census, &there);
	message_add_shown(&shown, text_str(&there));
	message_warn("%.*s left no sample; there are %.*s", (int)options.len,
	    options.data, (int)shown.len, shown.data);
	free(options.data);
	free(there.data);
	free(shown.data);
}

/* Says why there is no stack. */
static void
explain(const struct script *script)
{
	const struct filter *filter = script->filter;
	size_t others = script->fold->counts.others;
	struct text shown = { 0 }, names = { 0 };
	struct str events[2];
	size_t asked;

	if (script->frameless > 0) {
		message_warn("no %s was found, as tracepoints that are "
		    "recorded without -g have no frame: samples that are "
		    "left out: %zu", script->fold->first_lines.len > 0 ?
		    "stack" : "sample", script->frameless);
		return;
	}
	if (others == 0 && script->fold->first_lines.len == 0)
		message_warn("no sample was found; perf record -e cpu-clock "
		    "-g has some of any program that runs long enough");
	else if (others == 0)
		message_warn("no stack was found; was it recorded without -g, "
		    "or printed without comm or ip?");
	if (others == 0 || filter_resolve(filter, events) == 0)
		return;		/* nothing, or finish tells more */
	message_add_shown(&shown, text_str(&filter->event));
	asked = shown.len;
	filter_add_others(filter, &names);
	message_add_shown(&shown, text_str(&names));
	message_warn("no sample is of the event %.*s; of other events there "
	    "%s %lu%.*s", (int)asked, shown.data, others == 1 ? "is" : "are",
	    (unsigned long)others, (int)(shown.len - asked),
	    shown.data + asked);
	free(names.data);
	free(shown.data);
}

/* Ends the program if text lacks what is asked for of waits. */
static void
check_changes(const struct script *script)
{
	unsigned changes = script->changes;

	if (wanted.waits == NULL || script->fold->first_lines.len == 0)
		return;
	if ((changes & (1U << WAIT_SWITCH | 1U << WAIT_PAST)) == 0)
		message_fail("no thread switch was found; use perf record -e "
		    "sched:sched_switch -a -g");
	if (waits.running && (changes & 1U << WAIT_RAN) == 0)
		message_fail("--wall: no sample of a clock was found; use "
		    "perf record -e cpu-clock -e sched:sched_switch -a -g");
	if (wakers && (changes & 1U << WAIT_WAKE) == 0)
		message_fail("--wakers: no waker was found; use perf record "
		    "-e sched:sched_switch -e sched:sched_waking -a -g");
}

static void
report(struct fold *fold)
{
	const struct perf *perf = (const struct perf *)fold;
	const struct script *script = &perf->script;

	filter_report(script->filter, fold->counts.others);
	check_changes(script);
	choice_report(&script->lacks);
	if (script->frames.inliner != NULL)
		inliner_end(script->frames.inliner);
	if (script->odd > 0)
		message_plain("Unrecognized line: %.*s", (int)wanted.odd.len,
		    wanted.odd.data);
	if (script->odd > 1)
		message_warn("%lu lines were not recognized, the first is "
		    "line %lu of %s", (unsigned long)script->odd,
		    (unsigned long)wanted.odd_line, wanted.odd_file);
	if (script->without_cgroup > 0)
		message_warn("--cgroup: samples without a cgroup, which "
		    "perf script prints with -F +cgroup: %lu",
		    (unsigned long)script->without_cgroup);
	if (script->without_event > 0)
		message_warn("%s: samples without their event, which "
		    "perf script prints with -F +event: %lu",
		    wanted.filter.each ? "--each-event" : "--event-filter",
		    (unsigned long)script->without_event);
	if (script->srcline.merged > 0)
		message_warn("--srcline: samples merged with the next one, "
		    "since their last frames have no source line: %lu",
		    (unsigned long)script->srcline.merged);
	fieldcount_report(&script->fields);
	if (wanted.waits != NULL && fold->counts.samples > 0 &&
	    !perf->refused && !fold->input.failed && !script->waits.counts)
		message_warn("no matching wait was found");
	if (fold->counts.samples == 0 && !fold->cut_short && !perf->refused &&
	    fold->adder.left_out == 0 && !script->lacks.found &&
	    script->fields.missing == 0 && script->fields.negative == 0) {
		if (script->census.count > 0 && fold->counts.others == 0)
			tell_census(&script->census);
		else
			explain(script);
	}
}

/* Says that events which were asked for do not exist. */
static void
refuse_events(const struct filter *filter)
{
	struct text shown = { 0 }, names = { 0 };
	size_t asked;

	message_add_shown(&shown, text_str(&filter->event));
	asked = shown.len;
	filter_add_events(filter, &names);
	message_add_shown(&shown, text_str(&names));
	message_warn("--event-filter: %.*s is neither the name of an event "
	    "nor of two with a comma between them; there %s%.*s",
	    (int)asked, shown.data, names.len > 0 ? "are" : "is none",
	    (int)(shown.len - asked), shown.data + asked);
	free(names.data);
	free(shown.data);
}

/* Makes of stacks of several events those with the counts asked for. */
static bool
join_events(struct perf *perf)
{
	struct fold *fold = &perf->fold;
	struct table *names = &fold->namer.names;
	const struct filter *filter = perf->script.filter;
	struct str events[2];
	size_t count = filter_resolve(filter, events);

	if (count == 0 && !perf->refused &&
	    fold->counts.samples + fold->counts.others > 0) {
		refuse_events(filter);
		return false;
	}
	pair_join(&perf->pair, &fold->stacks,
	    count < 1 ? TABLE_NONE : filter_frame(filter, names, events[0]),
	    count < 2 ? TABLE_NONE : filter_frame(filter, names, events[1]));
	return true;
}

/*
 * Tells the unit where counts are nanoseconds, which nobody takes for samples:
 * of waits, and of a recording's clocks.  Text has it only with waits, since
 * the original, whose output is the same, prints none.
 */
static void
tell_unit(struct perf *perf)
{
	struct str event = text_str(&perf->script.filter->event);
	bool by_clock = str_starts(event, STR("cpu-clock")) ||
	    str_starts(event, STR("task-clock"));

	if (wanted.waits != NULL || (perf->recorded && by_clock &&
	    wanted.weight.len == 0 &&
	    !filter_keeps_events(perf->script.filter)))
		folded_note_unit(&perf->fold.unit, STR("# unit: ns"));
	if (no_unit)
		perf->fold.unit.name[0] = '\0';
}

/* True for a name made of a module's, "[libc.so.6]". */
static bool
is_unknown(const struct fold *fold, uint32_t frame)
{
	return str_starts(fold->namer.names.keys[frame], STR("["));
}

/*
 * Says why nearly all stacks are short, if they are: no call graph was
 * recorded, or programs have no frame pointers.
 */
static void
tell_short(struct fold *fold)
{
	struct stacks *stacks = &fold->stacks;
	size_t around = 1U + wanted.cgroup + (wanted.filter.each ||
	    wanted.filter.choices != NULL);
	struct stack stack = { 0 };
	double all = 0, shallow = 0, alone = 0, count;
	uint32_t node;

	if (fold->counts.samples < FEW_SAMPLES)
		return;
	stacks_settle(stacks);
	for (node = 1; node < stacks->paths.count; node++) {
		if (!path_ends(&stacks->paths, node))
			continue;
		stack.depth = 0;
		stacks_get(stacks, node, &stack);
		count = (double)stacks->counts[node];
		all += count;
		if (stack.depth <= around || is_unknown(fold, stack.frames[0]))
			continue;
		shallow += stack.depth <= around + 2 ? count : 0;
		alone += stack.depth == around + 1 ? count : 0;
	}
	free(stack.frames);
	if (shallow < 0.95 * all)
		return;
	if (alone < all)
		message_warn("nearly all stacks have one or two frames: "
		    "programs lack frame pointers, which gcc and clang "
		    "-fno-omit-frame-pointer keeps; or use perf record "
		    "--call-graph dwarf");
	else
		message_warn("stacks have one frame each: no call graph was "
		    "recorded, which perf record -g does");
}

static bool
finish(struct fold *fold)
{
	struct perf *perf = (struct perf *)fold;

	tell_unit(perf);
	if (wanted.waits == NULL && !wanted.in_order && !fold->has_folded)
		tell_short(fold);
	if (fold->stacks.has_zeros)
		stacks_leave_zeros(&fold->stacks);
	return wanted.filter.choices == NULL || join_events(perf);
}

/* Adds the counts of one event, or two. */
static void
add_counts(void *fold, uint32_t number, struct text *line)
{
	pair_add_counts(&((const struct perf *)fold)->pair, number, line);
}

static struct format format = {
	.source = "perf script",
	.sample = "sample",
	.kind = &sniff_perf,
	.size = sizeof(struct perf),
	.begin = begin,
	.line = fold_line,
	.file = fold_recording,
	.is_file = is_recording,
	.form = line_form,
	.begin_lines = begin_lines,
	.goes_on = goes_on,
	.end = end,
	.report = report,
	.finish = finish,
	.adds_folded = true,
};

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
	{ "no-inline", OPTION_FLAG, &recorded.not_inlined, NULL,
	    "no inlined functions in a recording's stacks" },
	{ "context", OPTION_FLAG, &wanted.context, NULL,
	    "add file and line to the functions with inlined ones" },
	{ "srcline", OPTION_FLAG, &wanted.source_lines, NULL,
	    "add the lines that perf script -F +srcline prints" },
	{ "event-filter", OPTION_TEXT, &event_filter, "EVENT",
	    "count this event (default: the first one met), or\n"
	    "EVENT,EVENT: two, each with a count of its own" },
	{ NULL, OPTION_ADDED, NULL, NULL, NULL },
	{ "time", OPTION_TEXT, &selected_time, "RANGES",
	    "count samples of these times: 12.5,13 or 10%/2 or\n"
	    "0%-10%,40%-50%" },
	{ "comms", OPTION_TEXT, &selected_comms, "LIST",
	    "count samples of these commands: make,cc1" },
	{ "pids", OPTION_TEXT, &selected_pids, "LIST",
	    "count samples of these processes: 41,42 [1]" },
	{ "tids", OPTION_TEXT, &selected_tids, "LIST",
	    "count samples of these threads" },
	{ "cpus", OPTION_TEXT, &selected_cpus, "LIST",
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
	{ "wakers", OPTION_FLAG, &wakers, NULL,
	    "with --off-cpu: add, after --, who woke the thread [3]" },
	{ "wall", OPTION_FLAG, &wall, NULL,
	    "fold the times on a processor and off, by a clock [3]" },
	{ "stitch", OPTION_FLAG, &recorded.stitch, NULL,
	    "join stacks whose copies are too short to earlier ones" },
	{ "symfs", OPTION_TEXT, &recorded.symfs, "DIR",
	    "find the files of a recording in DIR instead of /" },
	{ "kallsyms", OPTION_TEXT, &recorded.kallsyms, "FILE",
	    "take the names of the kernel's functions from FILE" },
	{ "buildid-dir", OPTION_TEXT, &recorded.buildid_dir, "DIR",
	    "find what perf archive packed in DIR instead of ~/.debug" },
	{ "debuginfod", OPTION_FLAG, &recorded.debuginfod, NULL,
	    "fetch missing debug files of a recording from the\n"
	    "servers of DEBUGINFOD_URLS" },
	{ "max-stack", OPTION_RANGE, &recorded.max_stack, "N",
	    "cut stacks of a recording at N frames (default: 127)" },
	{ "no-unit", OPTION_FLAG, &no_unit, NULL,
	    "print no comment with the unit of the counts" },
	COLLAPSE_JOBS,
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[option ...] [file ...] > out.folded",
	"[1] perf script prints both with -F +pid\n"
	"[2] of perf record --all-cgroups, and perf script -F +cgroup\n"
	"[3] of perf record -a -g -e sched:sched_switch, for --wakers also -e\n"
	"    sched:sched_waking, for --wall also -e cpu-clock",
	options
};

/* Ends the program if a list of an option, which may be NULL, is none. */
static void
ask(const char *option, const char *list,
    const char *(*set)(struct selection *selection, const char *list))
{
	const char *trouble;

	if (list == NULL)
		return;
	wanted.selection = &selection;
	trouble = set(&selection, list);
	if (trouble != NULL)
		options_reject("option --%s: \"%s\" %s", option, list,
		    trouble);
}

static void
check_selection(void)
{
	ask("time", selected_time, selection_ask_time);
	ask("comms", selected_comms, selection_ask_comms);
	ask("pids", selected_pids, selection_ask_pids);
	ask("tids", selected_tids, selection_ask_tids);
	ask("cpus", selected_cpus, selection_ask_cpus);
}

static void
check_order(void)
{
	const double most = 1e12, nanoseconds = 1e6;

	if (wanted.cgroup && wanted.in_order)
		options_reject("--cgroup cannot be combined with --in-order");
	if (wanted.filter.choices != NULL && wanted.in_order)
		options_reject("--event-filter with two events cannot be "
		    "combined with --in-order");
	if (wanted.filter.each && wanted.in_order)
		options_reject("--each-event cannot be combined with "
		    "--in-order");
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

/* Sets the kinds of waits that count; ends the program if there are none. */
static void
check_waits(void)
{
	struct str kind = str_from(off_cpu == NULL ? "" : off_cpu);
	bool all = wall || str_equal(kind, STR("all"));
	bool preempted = all || str_equal(kind, STR("preempted"));
	bool blocked = all || kind.len == 0 ||
	    str_equal(kind, STR("blocked"));

	if (off_cpu == NULL && !wall) {
		if (wakers)
			options_reject("--wakers needs --off-cpu or --wall");
		return;
	}
	if (off_cpu != NULL && wall)
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
	waits.wakers = wakers;
	waits.kinds = waits.running = wall;
	waits.selection = wanted.selection;
	selection.clips = true;
	wanted.waits = &waits;
}

/* Chooses which events count, and by what. */
static void
choose_events(void)
{
	if (wanted.filter.each && event_filter[0] != '\0')
		options_reject("--each-event and --event-filter are mutually "
		    "exclusive");
	wanted.weight = str_from(weight);
	filter_ask(&wanted.filter, str_from(event_filter));
	if (wanted.filter.choices == NULL)
		return;
	format.counts = add_counts;
	format.no_folded = "it is folded text, to which the events of "
	    "--event-filter cannot be added";
}

/* Ends the program if a number follows --pid, which perf's own --pid takes. */
static void
check_numbers(const char *const *operands)
{
	const char *flag = wanted.tid ? "tid" : "pid";

	for (; *operands != NULL; operands++)
		if (is_digit(**operands) && access(*operands, F_OK) != 0 &&
		    strspn(*operands, "0123456789,") == strlen(*operands))
			options_reject("option --%s takes no value; to count "
			    "only %s, type --%ss=%s", flag, *operands, flag,
			    *operands);
}

/* Ends the program if there is no file of the kernel's names to read. */
static void
check_kallsyms(void)
{
	const char *path = recorded.kallsyms;
	struct stat status;

	if (path == NULL)
		return;
	if (stat(path, &status) != 0 || access(path, R_OK) != 0)
		message_fail("%s: %s", path, strerror(errno));
	if (!S_ISREG(status.st_mode))
		message_fail("%s: not a regular file", path);
}

/* Ends the program if there is no folder of files. */
static void
check_buildid_dir(void)
{
	const char *path = recorded.buildid_dir;
	struct stat status;

	if (path == NULL)
		return;
	if (stat(path, &status) != 0)
		message_fail("%s: %s", path, strerror(errno));
	if (!S_ISDIR(status.st_mode))
		message_fail("%s: %s", path, strerror(ENOTDIR));
}

/* Ends the program if no server is to be asked. */
static void
check_servers(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	if (recorded.debuginfod && (urls == NULL ||
	    strspn(urls, " ") == strlen(urls)))
		message_fail("--debuginfod: DEBUGINFOD_URLS names no server");
}

int
main(int argc, char **argv)
{
	const char *const *operands = options_parse(&usage, argv);

	(void)argc;
	wanted.kernel |= mark_all;
	wanted.jit |= mark_all;
	if (wanted.pid || wanted.tid)
		check_numbers(operands);
	choose_events();
	check_selection();
	check_order();
	check_waits();
	check_kallsyms();
	check_buildid_dir();
	check_servers();
	return collapse(&format, argv, operands);
}
