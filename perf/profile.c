#include <stdlib.h>

#include "fold/folded.h"
#include "lib/message.h"
#include "lib/progress.h"
#include "profile.h"

#define FEW_SAMPLES	1000	/* fewer may be short by chance */

void
profile_init(struct profile *profile, struct fold *fold,
    struct profile_options *options)
{
	*profile = (struct profile){
		.fold = fold,
		.options = options,
		.frames = { .namer = &fold->namer, .kernel = options->kernel,
		    .jit = options->jit, .addresses = options->addresses },
	};
	options->filter.others = &fold->counts.others;
	if (options->in_order) {
		timeline_init(&profile->timeline, &fold->stacks, options->gap);
		profile->timeline.cuts = options->waits != NULL;
		fold->timeline = &profile->timeline;
	}
	if (options->waits != NULL) {
		waits_init(&profile->waits, options->waits, fold);
		progress_watch(&fold->counts.samples,
		    &profile->waits.sampled.paths.ends);
	}
	if (options->inlined)
		frames_begin_inlining(&profile->frames, options->context);
}

/* Returns the frame of a name, with '_' for blanks. */
static uint32_t
add_frame(struct profile *profile)
{
	struct text *name = &profile->name;
	size_t i;

	for (i = 0; i < name->len; i++)
		if (name->data[i] == ' ')
			name->data[i] = '_';
	return table_add(&profile->fold->namer.names, text_str(name));
}

void
profile_root(struct profile *profile, struct sample *sample)
{
	const struct profile_options *options = profile->options;
	struct text *name = &profile->name;

	name->len = 0;
	folded_add_name(name, sample->comm);
	/* The original treats thread 0 as unknown. */
	if ((options->pid || options->tid) && sample->tid != 0 &&
	    (sample->has & SAMPLE_HAS_PID) != 0)
		text_add_format(name, "-%lld", (long long)sample->pid);
	else if (options->pid || options->tid)
		text_add(name, STR("-?"));
	if (options->tid)
		text_add_char(name, '/');
	if (options->tid && (sample->has & SAMPLE_HAS_TID) != 0)
		text_add_format(name, "%lld", (long long)sample->tid);
	sample->java = str_starts(text_str(name), STR("java"));
	sample->root = 1 + add_frame(profile);
}

uint32_t
profile_cgroup(struct profile *profile, struct str path)
{
	if (!profile->options->cgroup)
		return 0;
	profile->name.len = 0;
	folded_add_name(&profile->name, path.len > 0 ? path : STR("unknown"));
	return 1 + add_frame(profile);
}

bool
profile_weigh(struct profile *profile, bool is_found, int64_t value,
    uint64_t *count)
{
	profile->without_field += !is_found;
	profile->negative += is_found && value < 0;
	*count = (uint64_t)value;
	return is_found && value >= 0;
}

void
profile_add(struct profile *profile, const struct sample *sample)
{
	struct fold *fold = profile->fold;
	struct wait_event change = sample->change;
	uint32_t number;

	stack_push(&fold->stack, sample->root - 1);
	if (sample->cgroup > 0)
		stack_push(&fold->stack, sample->cgroup - 1);
	if (sample->event > 0)
		stack_push(&fold->stack, sample->event - 1);
	if (profile->options->waits != NULL) {
		stacks_number(&profile->waits.sampled, fold->stack.frames,
		    &fold->stack.depth, 1, &number);
		change.count = sample->count;
		waits_take(&profile->waits, &change, sample->time,
		    sample->is_selected ? number : WAITS_STACK_NONE);
	} else if (fold->timeline != NULL)
		timeline_add_stack(fold->timeline, &fold->stack,
		    sample->count, sample->time);
	else
		stacks_add(&fold->stacks, &fold->stack, sample->count);
	fold->stack.depth = 0;
	fold->counts.samples++;
}

/* Says why there is no stack, and which samples there are. */
static void
explain(const struct profile *profile)
{
	const struct filter *filter = &profile->options->filter;
	const struct select *select = profile->options->select;
	size_t others = profile->fold->counts.others;
	bool has_lines = profile->fold->first_lines.len > 0;
	struct text names = { 0 };
	struct str events[2];

	if (select != NULL && select->tally.samples > 0 && others == 0)
		select_explain(select);
	else if (profile->frameless > 0)
		message_warn("no %s was found, as tracepoints that are "
		    "recorded without -g have no frame: samples that are "
		    "left out: %zu", has_lines ? "stack" : "sample",
		    profile->frameless);
	else if (others == 0)
		message_warn(has_lines ? "no stack was found; was it recorded "
		    "without -g, or printed without comm or ip?" :
		    "no sample was found; perf record -e cpu-clock -g "
		    "samples any program that runs long enough");
	else if (filter_resolve(filter, events) > 0) {
		filter_add_events(filter, false, &names);
		message_warn("no sample is of the event %s; of other events "
		    "there %s %zu%s", message_shown(filter->choices.keys[0]),
		    others == 1 ? "is" : "are", others,
		    message_shown(text_str(&names)));
	}	/* else profile_finish says more */
}

/* Ends the program if text lacks what is asked for of waits. */
static void
check_changes(const struct profile *profile)
{
	const struct waits_options *waits = profile->options->waits;
	unsigned changes = profile->changes;

	if (waits == NULL || profile->fold->first_lines.len == 0)
		return;
	if ((changes & (1U << WAIT_SWITCH | 1U << WAIT_RECORDED)) == 0)
		message_fail("no thread switch was found; use perf record -e "
		    "sched:sched_switch -a -g");
	if (waits->running && (changes & 1U << WAIT_RAN) == 0)
		message_fail("--wall: no sample of a clock was found; use "
		    "perf record -e cpu-clock -e sched:sched_switch -a -g");
	if (waits->wakers && (changes & 1U << WAIT_WAKE) == 0)
		message_fail("--wakers: no waker was found; use perf record "
		    "-e sched:sched_switch -e sched:sched_waking -a -g");
}

void
profile_report(struct profile *profile)
{
	const struct profile_options *options = profile->options;
	struct fold *fold = profile->fold;
	const struct select *select = options->select;
	bool is_lacking;

	check_changes(profile);
	is_lacking = select != NULL && select_report(select);
	frames_report(&profile->frames);
	message_count("--cgroup: samples without a cgroup, which perf script "
	    "prints with -F +cgroup", profile->without_cgroup);
	if (profile->without_event > 0)
		message_warn("%s: samples without their event, which "
		    "perf script prints with -F +event: %zu",
		    options->filter.each ? "--each-event" : "--event-filter",
		    profile->without_event);
	if (profile->without_field > 0)
		message_warn("--weight: samples without the field %s, left "
		    "out: %zu", message_shown(options->weight),
		    profile->without_field);
	if (profile->negative > 0)
		message_warn("--weight: samples in which %s is negative, "
		    "left out: %zu", message_shown(options->weight),
		    profile->negative);
	fold->lost |= is_lacking;
	if (is_lacking || fold->refused)
		return;
	if (fold->counts.samples == 0 && !fold->cut_short &&
	    fold->left_out == 0 && profile->without_field == 0 &&
	    profile->negative == 0)
		explain(profile);
	if (fold->counts.samples > 0 && options->waits != NULL &&
	    !fold->input.failed && profile->waits.sums_count == 0)
		message_warn("no matching wait was found");
}

/*
 * Replaces stacks that begin with an event's name by stacks with one or two
 * counts, in the order of the events:
 *
 *	cycles;main;read 12		main;read 12 3
 *	cycles;main 7			main 7 0
 *	instructions;main;read 3
 */
static void
join_stacks(struct profile *profile, const uint32_t events[2])
{
	struct stacks *stacks = &profile->fold->stacks, joined;
	struct stack stack = { 0 };
	uint32_t node, event, number;

	stacks_settle(stacks);
	stacks_init(&joined);
	for (node = 1; node < stacks->paths.count; node++) {
		if (!path_ends(&stacks->paths, node) ||
		    stacks->counts[node] == 0)
			continue;
		stack.depth = 0;
		stacks_get(stacks, node, &stack);
		event = stack.frames[--stack.depth];
		if (event != events[0] && event != events[1])
			continue;
		stacks_number(&joined, stack.frames, &stack.depth, 1, &number);
		if (event == events[0])
			stacks_count(&joined, number, stacks->counts[node]);
		if (events[1] != TABLE_NONE)
			profile->seconds = mem_grow_zero(profile->seconds,
			    &profile->seconds_room, joined.paths.count,
			    sizeof(*profile->seconds));
		if (event == events[1])
			profile->seconds[number] = stacks->counts[node];
	}
	joined.overflowed = stacks->overflowed;
	stacks_free(stacks);
	free(stack.frames);
	*stacks = joined;
}

/* Keeps the events asked for; false if they do not exist. */
static bool
join_events(struct profile *profile)
{
	struct fold *fold = profile->fold;
	const struct filter *filter = &profile->options->filter;
	uint32_t frames[2] = { TABLE_NONE, TABLE_NONE };
	struct text names = { 0 };
	struct str events[2];
	size_t count = filter_resolve(filter, events), i;

	if (count == 0 && !fold->refused &&
	    fold->counts.samples + fold->counts.others > 0) {
		filter_add_events(filter, true, &names);
		message_warn("--event-filter: %s is neither the name of an "
		    "event nor of two with a comma between them; there %s%s",
		    message_shown(filter->choices.keys[0]),
		    names.len > 0 ? "are" : "is none",
		    message_shown(text_str(&names)));
		return false;
	}
	for (i = 0; i < count; i++)
		frames[i] = filter_frame(filter, fold, events[i]) - 1;
	join_stacks(profile, frames);
	return true;
}

void
profile_add_counts(const struct profile *profile, uint32_t number,
    struct text *line)
{
	text_add_number(line, profile->fold->stacks.counts[number]);
	if (profile->seconds != NULL) {
		text_add_char(line, ' ');
		text_add_number(line, profile->seconds[number]);
	}
}

/* Says why nearly all stacks are short: no call graph or frame pointers. */
static void
tell_short(const struct profile *profile)
{
	const struct profile_options *options = profile->options;
	struct fold *fold = profile->fold;
	struct stacks *stacks = &fold->stacks;
	size_t around = 1U + options->cgroup +
	    filter_keeps_events(&options->filter);
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
		/* a name made of a module's, "[libc.so.6]" */
		if (stack.depth <= around || str_starts(
		    fold->namer.names.keys[stack.frames[0]], STR("[")))
			continue;
		shallow += stack.depth <= around + 2 ? count : 0;
		alone += stack.depth == around + 1 ? count : 0;
	}
	free(stack.frames);
	if (shallow < 0.95 * all)
		return;
	message_warn(alone < all ? "nearly all stacks have one or two frames: "
	    "programs were compiled without frame pointers; use "
	    "-fno-omit-frame-pointer, or perf record --call-graph dwarf" :
	    "stacks have one frame each: no call graph was recorded; use perf "
	    "record -g");
}

bool
profile_finish(struct profile *profile)
{
	const struct profile_options *options = profile->options;
	const struct filter *filter = &options->filter;
	struct str event = filter->choices.count > 0 ?
	    filter->choices.keys[0] : STR("");
	bool by_clock = str_starts(event, STR("cpu-clock")) ||
	    str_starts(event, STR("task-clock"));

	/*
	 * A comment says that counts are nanoseconds.  Text has it with waits
	 * only, so that its output is the original's.
	 */
	if (options->waits != NULL || (profile->reads_recording && by_clock &&
	    options->weight.len == 0 &&
	    !filter_keeps_events(filter)))
		folded_note_unit(&profile->fold->unit, STR("# unit: ns"));
	if (options->no_unit)
		profile->fold->unit.name[0] = '\0';
	if (options->waits == NULL && !options->in_order &&
	    !profile->fold->has_folded)
		tell_short(profile);
	return !filter_is_list(filter) || join_events(profile);
}
