#include <stdlib.h>

#include "fold/folded.h"
#include "lib/message.h"
#include "script.h"

#define LONGEST_SHOWN	200	/* bytes of an odd line */
#define LINE_BITS	13	/* 1 MB of lines; twice as many are slower */

/*
 * What a line of each kind does in each state:
 *
 *	-	nothing
 *	e	ends the sample, and counts it if it counts
 *	b	begins a sample...
 *	p	...that counts if frames follow
 *	l	...of one frame
 *	f	adds a frame outside those so far
 *	n	may begin a sample without a name...
 *	N	...and this is its first frame
 *	x	ends the sample; only details of it may follow
 *	d	begins details of no sample
 *	?	makes no sense...
 *	o	...and begins nothing
 *	u	makes no sense, unless it is certainly a frame
 *
 *			outside nameless record begun lone open stack other
 */
static const char actions[LINE_KINDS][2 * SCRIPT_STATES] = {
	[LINE_BLANK]		= "n n e e e e e e",
	[LINE_COMMENT]		= "- e - - - - - -",
	[LINE_HEAD]		= "b b b b b b b b",
	[LINE_PADDED_HEAD]	= "p p p p p p p p",
	[LINE_LONE_FRAME]	= "l l l l l l l l",
	[LINE_ARGUMENTS]	= "- e - - - - - -",
	[LINE_FRAME]		= "u N - f f f f -",
	[LINE_FIELDS]		= "? o - ? x x x x",
	[LINE_LIKELY_FIELDS]	= "? o - ? ? ? x x",
	[LINE_RECORD]		= "d d d d x - - d",
	[LINE_DETAIL]		= "? o - ? ? ? ? ?",
	[LINE_ODD]		= "? o ? ? ? ? ? ?",
};

void
script_init(struct script *script, struct profile *profile)
{
	*script = (struct script){ .fold = profile->fold, .profile = profile,
	    .options = profile->options };
	line_cache_init(&script->frames[0], LINE_BITS);
	line_cache_init(&script->frames[1], LINE_BITS);
}

/* True if the sample counts, even if no frames follow. */
static bool
is_counted(const struct script *script)
{
	return script->state <= SCRIPT_STACK && script->state >=
	    (script->options->waits != NULL ? SCRIPT_BEGUN : SCRIPT_LONE);
}

static void
end_sample(struct script *script)
{
	if (is_counted(script))
		profile_add(script->profile, &script->sample);
	script->fold->stack.depth = 0;
	script->state = script->left = SCRIPT_OUTSIDE;
}

/*
 * Cuts the cgroup off the end of what follows an event's name, before the lone
 * frame if there is one; "" if it has none:
 *
 *	sh 10 1.5: 250 cycles:  /user.slice/a b      7f722d142778 f (/bin/x)
 */
static struct str
cut_cgroup(struct script_line *line)
{
	struct str rest = str_trim(line->head.fields), name = STR("unknown");
	size_t at;

	if (line->kind == LINE_LONE_FRAME)
		rest.len = (size_t)(line->frame.address.data - rest.data);
	rest = str_trim_end(rest);
	at = str_ends(rest, name) ? rest.len - name.len :
	    str_starts(rest, STR("/")) ? 0 : str_search(rest, STR(" /"));
	line->head.counts |= str_trim_end(str_take(rest, at)).len == 0;
	return str_trim_start(str_skip(rest, at));
}

static void
read_place(const struct head *head, struct sample *sample)
{
	unsigned long long cpu;

	sample->has &= ~(unsigned)(SAMPLE_HAS_TIME | SAMPLE_HAS_CPU);
	sample->time = head_time(head);
	if (sample->time != HEAD_NO_TIME)
		sample->has |= SAMPLE_HAS_TIME;
	if (str_number(head->cpu, &cpu)) {
		sample->has |= SAMPLE_HAS_CPU;
		sample->cpu = cpu > UINT32_MAX ? UINT32_MAX : (uint32_t)cpu;
	}
}

/* Reads a head's sample; a missing command is named by its ID, ":41". */
static void
read_sample(struct script *script, struct sample *sample)
{
	const struct head *head = &script->line.head;

	*sample = (struct sample){ .comm = head->comm };
	read_place(head, sample);
	if (str_fixed(head->pid, 0, &sample->pid))
		sample->has |= SAMPLE_HAS_PID;
	if (str_fixed(head->tid, 0, &sample->tid))
		sample->has |= SAMPLE_HAS_TID;
	if (head->comm.len > 0) {
		sample->has |= SAMPLE_HAS_COMM;
		return;
	}
	script->text.len = 0;
	text_add_char(&script->text, ':');
	text_add(&script->text, head->pid.len > 0 ? head->pid :
	    head->tid.len > 0 ? head->tid : STR("-1"));
	sample->comm = text_str(&script->text);
}

/* Leaves a sample out; the lines that follow are as in this state. */
static void
leave_out(struct script *script, const struct sample *sample,
    enum script_state state)
{
	select_tally_add(&script->options->select->tally, sample->comm,
	    sample->has & SAMPLE_HAS_TIME ? sample->time : 0);
	if (script->state == SCRIPT_OUTSIDE)
		script->sample = *sample;
	script->left = state;
}

static void
end_waits(struct script *script)
{
	if (script->waits_file == NULL)
		return;
	if (!waits_end(&script->profile->waits, script->time,
	    script->waits_file)) {
		message_warn("%s: it lacks the times at which threads resume; "
		    "use perf record --switch-events -e sched:sched_switch -g "
		    "PROGRAM and perf script --show-switch-events",
		    script->waits_file);
		script->fold->input.failed = true;
	}
	script->waits_file = NULL;
}

/* Notes a switch's time.  Where it goes back, another recording begins. */
static bool
note_time(struct script *script, uint64_t time)
{
	if (time == HEAD_NO_TIME)
		return false;
	if (time < script->time)
		end_waits(script);
	script->time = time;
	return true;
}

/*
 * Finds the root of a sample.  perf 6.12 and 7 forget a thread when it exits,
 * and print its ID as the command of later samples:
 *
 *	cc1   23158 [001] 33957.258604:     500000 cpu-clock:
 *	:23158   23158 [001] 33957.259106:     500000 cpu-clock:
 *
 * These get the last command that was new to the thread in this file before the
 * first of them, even if the ID is used again later.
 */
static void
find_root(struct script *script, struct sample *sample)
{
	const uint32_t exited = UINT32_C(1) << 31;
	struct intmap *commands = &script->commands;
	struct str digits = str_skip(sample->comm, 1);
	uint32_t tid = (uint32_t)sample->tid, root, *seen, *last;
	uint64_t thread = intmap_pair(tid, UINT32_MAX);
	unsigned long long number;

	if (!(sample->has & SAMPLE_HAS_TID) || (int64_t)tid != sample->tid)
		return;
	if ((sample->has & SAMPLE_HAS_COMM) && sample->comm.data[0] == ':' &&
	    str_is_number(digits) && str_number(digits, &number) &&
	    number == tid) {
		last = intmap_at(commands, thread);
		root = *last & ~exited;
		*last |= exited;
		if (root == 0)
			return;
		sample->root = root;
		sample->java = str_starts(
		    script->fold->namer.names.keys[root - 1], STR("java"));
		return;
	}
	seen = intmap_at(commands, intmap_pair(tid, sample->root));
	if (*seen == 0) {
		*seen = 1;
		last = intmap_at(commands, thread);
		if (!(*last & exited))
			*last = sample->root;
	}
}

/*
 * Reads what a sample counts, its field or its period, and the frames around
 * its stack; false if it is left out.  A period that is 0, or not printed,
 * counts 1.
 */
static bool
read_roots(struct script *script, struct sample *sample)
{
	struct fold *fold = script->fold;
	struct profile *profile = script->profile;
	const struct profile_options *options = script->options;
	struct head *head = &script->line.head;
	struct str cgroup = options->cgroup || !head->counts ?
	    cut_cgroup(&script->line) : STR("");
	unsigned long long period = 0;
	int64_t number = 0;
	bool is_found;

	if (profile_counts_field(profile)) {
		is_found = args_field(head, options->weight, &number);
		if (!profile_weigh(profile, is_found, number, &sample->count))
			return false;
		fold->counts.samples += sample->count == 0;
		if (sample->count == 0)
			return false;
	} else {
		fold->stacks.overflowed |= head->counts &&
		    head->period.len > 0 && !str_number(head->period, &period);
		sample->count = period > 0 ? period : 1;
	}
	profile_root(profile, sample);
	sample->cgroup = profile_cgroup(profile, cgroup);
	profile->without_cgroup += sample->cgroup > 0 && cgroup.len == 0;
	sample->event = filter_frame(&options->filter, fold, head->event);
	profile->without_event += sample->event > 0 && head->event.len == 0;
	if (!options->in_order)
		find_root(script, sample);
	return true;
}

/* Counts an odd line, and notes the first one for a message at the end. */
static void
note_odd(struct script *script)
{
	const struct input *input = &script->fold->input;
	struct str line = script->line.text;

	if (script->fold->counts.odd++ > 0)
		return;
	script->odd = message_shown(str_take(line, line.len < LONGEST_SHOWN ?
	    line.len : LONGEST_SHOWN));
	script->odd_line = input->line;
	script->odd_file = input->name;
}

/* Reads what a sample tells of waits; false if it is left out. */
static bool
read_wait(struct script *script, struct sample *sample, enum script_state state)
{
	struct wait_event *change = &sample->change;
	bool has_change = args_change(&script->line, change);

	if (!has_change && change->change != WAIT_NO_CHANGE)
		note_odd(script);
	if (!note_time(script, sample->time) || !has_change ||
	    (change->change == WAIT_RAN && (!script->options->waits->running ||
	    str_equal(script->line.head.comm, STR("swapper")))))
		return false;
	script->profile->changes |= 1U << change->change;
	script->waits_file = script->fold->input.name;
	sample->is_selected = change->change == WAIT_WAKE ||
	    select_sample(script->options->select, sample);
	if (change->change == WAIT_SWITCH || sample->is_selected)
		return true;
	leave_out(script, sample, state);
	return false;
}

/* Begins the sample of a head, if it is wanted, in this state. */
static bool
begin(struct script *script, enum script_state state)
{
	struct profile_options *options = script->options;
	struct str event = script->line.head.event;
	struct sample sample;

	read_sample(script, &sample);
	if (options->waits == NULL &&
	    !select_sample(options->select, &sample)) {
		leave_out(script, &sample, state);
		return false;
	}
	script->unended |= script->state == SCRIPT_OPEN;
	if (options->waits != NULL || script->state == SCRIPT_LONE)
		end_sample(script);
	/* a sample of another event does not end one that counts */
	if (!is_counted(script))
		script->state = state == SCRIPT_OPEN ? SCRIPT_OTHER :
		    SCRIPT_RECORD;
	if (options->waits == NULL) {
		script->begun.len = 0;
		text_add(&script->begun, event);
		/* the first event with frames is the one that counts */
		if (state != SCRIPT_BEGUN &&
		    !filter_wants(&options->filter, event))
			return false;
		timeline_check(&script->profile->timeline, event, sample.time);
	} else if (!read_wait(script, &sample, state))
		return false;
	if (!read_roots(script, &sample))
		return false;
	script->sample = sample;
	/* frames may have been added to the sample before */
	script->state = state == SCRIPT_OPEN &&
	    script->fold->stack.depth > 0 ? SCRIPT_STACK : state;
	return true;
}

bool
script_begin_cached(struct script *script, struct sample *sample)
{
	const struct select *select = script->options->select;
	bool is_selected = true;

	if (select != NULL) {
		read_place(&script->line.head, sample);
		if ((select->by & ~sample->has) != 0)
			return false;
		is_selected = select_sample(script->options->select, sample);
		if (is_selected && sample->root == 0)
			return false;
	}
	end_sample(script);
	if (is_selected) {
		script->sample = *sample;
		script->state = SCRIPT_OPEN;
	} else
		leave_out(script, sample, SCRIPT_OPEN);
	return true;
}

/*
 * Adds the awaited source line, whatever it is, as the original does.  If it is
 * empty, it would have ended the sample, which becomes one with the next.
 */
static void
add_source_line(struct script *script, struct str line)
{
	struct table *names = &script->fold->namer.names;
	const struct stack *stack = &script->fold->stack;
	struct text *text = &script->text, *name = &script->profile->name;
	struct str trimmed;
	uint32_t *frame;
	size_t open, close;

	script->merged += line.len == 0;
	text->len = name->len = 0;
	/* "libc.so.6[27b25]", without what is in brackets */
	for (;; line = str_skip(line, open + close + 1)) {
		open = str_find(line, '[');
		close = str_find(str_skip(line, open), ']');
		if (open + close == line.len)
			break;
		text_add(text, str_take(line, open));
	}
	text_add(text, line);
	trimmed = str_trim(text_str(text));
	if (trimmed.len > 0 && script->calls.count > 0) {
		frame = &stack->frames[stack->depth - 1 - script->call];
		text_add(name, names->keys[*frame]);
		text_add_char(name, ':');
		folded_add_name(name, trimmed);
		*frame = table_add(names, text_str(name));
	}
	script->call++;
	script->source_lines--;
}

/*
 * Adds the calls of the frame in the line outside the frames so far.  Source
 * lines follow those with a module, even a frame that is left out, or else
 * those before the first unknown function.
 */
static void
push_frame(struct script *script)
{
	const struct frame *frame = &script->line.frame;
	struct calls calls = frames_calls(&script->profile->frames, frame,
	    true, script->sample.java);
	const struct str *names = script->fold->namer.names.keys;
	bool has_module = !str_equal(frame->module, STR("[unknown]"));
	size_t lines = 0;

	script->calls = calls;
	calls_push(&script->fold->stack, calls);
	if (!script->options->source_lines || calls.inlined)
		return;
	while (lines < calls.count && (has_module ||
	    !str_starts(names[calls.frames[lines]], STR("[unknown"))))
		lines++;
	script->source_lines = lines + (lines == 0 && has_module);
	script->call = 0;
}

/*
 * Ends a sample of one frame, unless more may follow: after a line that is not
 * padded, but not after a source line.
 */
static void
end_lone(struct script *script)
{
	if (!script->line.padded && !script->options->source_lines)
		return;
	if (script->left == SCRIPT_LONE)
		script->left = SCRIPT_OUTSIDE;
	else if (script->state == SCRIPT_LONE && script->source_lines == 0)
		end_sample(script);
}

static void
add_frame(struct script *script)
{
	/* An argument of the event, or data, looked like the frame. */
	if (script->state == SCRIPT_LONE) {
		script->fold->stack.depth -= script->calls.count;
		if (!profile_counts_field(script->profile))
			script->sample.count = 1;
	}
	if (script->state == SCRIPT_BEGUN &&
	    !filter_wants(&script->options->filter,
	    text_str(&script->begun))) {
		script->state = SCRIPT_OTHER;
		return;
	}
	script->state = SCRIPT_STACK;
	push_frame(script);
}

/* Takes what a line has about waits alone. */
static void
take_wait(struct script *script)
{
	const struct script_line *line = &script->line;
	struct wait_event change;

	if (line->kind == LINE_ARGUMENTS) {	/* without frames */
		begin(script, SCRIPT_BEGUN);
		end_sample(script);
	} else if (line->kind == LINE_RECORD && args_change(line, &change) &&
	    note_time(script, head_time(&line->head)))
		waits_take(&script->profile->waits, &change, script->time,
		    WAITS_STACK_NONE);
}

static void
act(struct script *script, char action)
{
	switch (action) {
	case 'e':
		end_sample(script);
		break;
	case 'b':
		script->is_head = begin(script, SCRIPT_OPEN) ||
		    script->state == SCRIPT_OUTSIDE;	/* it is left out */
		break;
	case 'p':
		begin(script, SCRIPT_BEGUN);
		break;
	case 'l':
		if (begin(script, SCRIPT_LONE))
			push_frame(script);
		end_lone(script);
		break;
	case 'f':
		add_frame(script);
		break;
	case 'n':
		script->state = SCRIPT_NAMELESS;
		break;
	case 'N':
		/* perf script -F ip,sym prints neither name nor number */
		script->line.head = head_none;
		script->state = SCRIPT_OUTSIDE;
		if (begin(script, SCRIPT_OPEN))
			add_frame(script);
		break;
	case 'x':
		end_sample(script);
		/* fall through */
	case 'd':
		script->state = SCRIPT_RECORD;
		break;
	case 'u':
		if (!script_line_is_certain(&script->line))
			note_odd(script);
		break;
	case 'o':
		script->state = SCRIPT_OUTSIDE;
		/* fall through */
	case '?':
		note_odd(script);
		break;
	}
}

static enum line_place
next_place(const struct script *script)
{
	enum script_state state = script->left != SCRIPT_OUTSIDE ?
	    script->left : script->state;

	return state == SCRIPT_OUTSIDE ? LINE_OUTSIDE :
	    state < SCRIPT_OPEN ? LINE_BETWEEN : LINE_INSIDE;
}

void
script_take_line(struct script *script, struct str text)
{
	struct fold *fold = script->fold;
	struct script_line *line = &script->line;
	bool is_left = script->left != SCRIPT_OUTSIDE;

	script->is_head = false;
	if (fold->input.line == 1) {	/* other threads follow */
		intmap_free(&script->commands);
		free(script->threads);
		script->threads = NULL;
	}
	if (script->source_lines > 0) {
		add_source_line(script, text);
		end_lone(script);
		return;
	}
	script_line_parse(text, next_place(script), fold->input.form, line);
	script->profile->frameless += line->kind == LINE_ARGUMENTS;
	if (line->kind != LINE_BLANK && line->kind != LINE_COMMENT)
		fold_note_line(fold, text);
	/* perf script --header, of a recording that may have no sample */
	if (!fold->recognized)
		fold->recognized = script_line_is_certain(line) ||
		    (line->kind == LINE_COMMENT &&
		    str_starts(text, STR("# captured on")));
	if (is_left && line->kind >= LINE_COMMENT)
		return;
	script->left = SCRIPT_OUTSIDE;
	if (script->options->waits != NULL)
		take_wait(script);
	act(script, is_left && line->kind == LINE_BLANK ? 'e' :
	    actions[line->kind][2 * script->state]);
}

bool
script_goes_on(struct script *script, struct str text)
{
	struct script_line line;

	script_line_parse(text, next_place(script),
	    script->fold->input.form, &line);
	/* the last sample's frames are its innermost, as in the original */
	if (script->left == SCRIPT_OUTSIDE && script->state == SCRIPT_STACK &&
	    line.kind >= LINE_HEAD && line.kind <= LINE_LONE_FRAME)
		script->fold->counts.joined++;
	return line.kind != LINE_COMMENT && line.kind != LINE_RECORD &&
	    (line.kind != LINE_ODD || script->source_lines > 0);
}

void
script_end(struct script *script)
{
	script->source_lines = 0;
	if (script->state == SCRIPT_LONE || (script->options->waits != NULL &&
	    script->state != SCRIPT_STACK))
		end_sample(script);
	end_waits(script);
	if (script->state == SCRIPT_STACK ||
	    (script->state == SCRIPT_OPEN && !script->unended))
		fold_cut(script->fold);
	script->fold->stack.depth = 0;
	script->state = script->left = SCRIPT_OUTSIDE;
}

void
script_report(const struct script *script)
{
	size_t odd = script->fold->counts.odd;

	if (odd > 0)
		message_plain("Unrecognized line: %s", script->odd);
	if (odd > 1)
		message_warn("%zu lines were not recognized, the first is "
		    "line %zu of %s", odd, script->odd_line, script->odd_file);
	message_count("--srcline: samples merged with the next one, since "
	    "their last frames have no source line", script->merged);
}
