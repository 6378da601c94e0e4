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
 *			outside nameless open stack begun lone other record
 */
static const char actions[LINE_KINDS][2 * SCRIPT_STATES] = {
	[LINE_BLANK]		= "n n e e e e e e",
	[LINE_COMMENT]		= "- e - - - - - -",
	[LINE_HEAD]		= "b b b b b b b b",
	[LINE_PADDED_HEAD]	= "p p p p p p p p",
	[LINE_LONE_FRAME]	= "l l l l l l l l",
	[LINE_ARGUMENTS]	= "- e - - - - - -",
	[LINE_FRAME]		= "u N f f f f - -",
	[LINE_FIELDS]		= "? o x x ? x x -",
	[LINE_LIKELY_FIELDS]	= "? o ? x ? ? x -",
	[LINE_RECORD]		= "d d - - d x d d",
	[LINE_DETAIL]		= "? o ? ? ? ? ? -",
	[LINE_ODD]		= "? o ? ? ? ? ? ?",
};

void
script_init(struct script *script, struct profile *profile)
{
	struct profile_options *options = profile->options;

	*script = (struct script){
		.fold = profile->fold,
		.profile = profile,
		.options = options,
		.caches = !options->in_order && options->waits == NULL &&
		    !profile_counts_field(profile) &&
		    !filter_keeps_events(&options->filter) &&
		    !options->cgroup,
	};
	line_cache_init(&script->cache.frames[0], LINE_BITS);
	line_cache_init(&script->cache.frames[1], LINE_BITS);
}

static bool
is_counted(const struct script *script)
{
	return script->state == SCRIPT_OPEN || script->state == SCRIPT_STACK ||
	    script->state == SCRIPT_LONE || (script->state == SCRIPT_BEGUN &&
	    script->options->waits != NULL);
}

static void
end_sample(struct script *script)
{
	if (is_counted(script))
		profile_add(script->profile, &script->sample);
	script->fold->stack.depth = 0;
	script->state = SCRIPT_OUTSIDE;
}

/* Begins a sample that counts, to which frames may have been added. */
static void
start_sample(struct script *script, const struct sample *sample)
{
	script->sample = *sample;
	script->has_begun = true;
	script->state = script->fold->stack.depth > 0 ? SCRIPT_STACK :
	    SCRIPT_OPEN;
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
	struct head *head = &line->head;
	const char *frame = line->frame.address.data;
	struct str rest = str_trim(head->fields);
	size_t at;

	if (line->kind == LINE_LONE_FRAME && frame >= rest.data &&
	    frame < rest.data + rest.len)
		rest.len = (size_t)(frame - rest.data);
	rest = str_trim_end(rest);
	at = str_ends(rest, STR("unknown")) ? rest.len - 7 : rest.len;
	if (at == rest.len)
		for (at = 0; at < rest.len && (rest.data[at] != '/' ||
		    (at > 0 && rest.data[at - 1] != ' '));)
			at++;
	head->counts |= str_trim_end(str_take(rest, at)).len == 0;
	return at < rest.len ? str_skip(rest, at) : STR("");
}

/*
 * Stores what counts of a sample, its field or its period; false if it is left
 * out.  A period that is 0, or not printed, counts 1.
 */
static bool
weigh(struct script *script, const struct head *head, uint64_t *count)
{
	struct fold *fold = script->fold;
	struct profile *profile = script->profile;
	unsigned long long period = 0;
	int64_t number = 0;
	bool is_found;

	if (!profile_counts_field(profile)) {
		if (head->counts && head->period.len > 0 &&
		    !str_number(head->period, &period))
			fold->stacks.overflowed = true;
		*count = period > 0 ? period : 1;
		return true;
	}
	is_found = args_field(head, profile->options->weight, &number);
	if (!profile_weigh(profile, is_found, number, count))
		return false;
	fold->counts.samples += *count == 0;
	return *count > 0;
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
	script->comm.len = 0;
	text_add_char(&script->comm, ':');
	text_add(&script->comm, head->pid.len > 0 ? head->pid :
	    head->tid.len > 0 ? head->tid : STR("-1"));
	sample->comm = text_str(&script->comm);
}

/* Leaves a sample out; the lines that follow are as in this state. */
static void
leave_out(struct script *script, const struct sample *sample,
    enum script_state state)
{
	select_tally_add(&script->options->select->tally, sample->comm,
	    sample->has & SAMPLE_HAS_TIME ? sample->time : 0);
	script->left = *sample;
	if (state == SCRIPT_LONE &&
	    (script->line.padded || script->options->source_lines))
		return;
	if (script->state != SCRIPT_LEFT)
		script->before = script->state;
	script->left_state = state;
	script->state = SCRIPT_LEFT;
}

static void
pass_over(struct script *script, enum script_state state)
{
	if (!is_counted(script))
		script->state = state == SCRIPT_OPEN ? SCRIPT_OTHER :
		    SCRIPT_RECORD;
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
 * Corrects the root of a sample.  perf 6.12 and 7 forget a thread when it
 * exits, and print its ID as the command of later samples:
 *
 *	cc1   23158 [001] 33957.258604:     500000 cpu-clock:
 *	:23158   23158 [001] 33957.259106:     500000 cpu-clock:
 *
 * These get the last command that was new to the thread in this file before the
 * first of them, even if the ID is used again later.
 */
static void
correct_root(struct script *script, struct sample *sample)
{
	struct script_threads *threads = &script->threads;
	struct str number = str_skip(sample->comm, sample->comm.len > 0);
	uint32_t tid = (uint32_t)sample->tid, root, *seen;
	uint64_t exited = intmap_pair(tid, UINT32_MAX);
	unsigned long long printed;

	if (!(sample->has & SAMPLE_HAS_TID) || (int64_t)tid != sample->tid)
		return;
	if (script->fold->input.name != threads->file) {
		intmap_free(&threads->last);
		intmap_free(&threads->seen);
		threads->file = script->fold->input.name;
	}
	if (!(sample->has & SAMPLE_HAS_COMM) ||
	    !str_starts(sample->comm, STR(":")) || !str_is_number(number) ||
	    !str_number(number, &printed) || printed != tid) {
		seen = intmap_at(&threads->seen,
		    intmap_pair(tid, sample->root));
		if (*seen == 0 && intmap_find(&threads->seen, exited) == 0)
			*intmap_at(&threads->last, tid) = sample->root;
		*seen = 1;
		return;
	}
	*intmap_at(&threads->seen, exited) = 1;
	root = intmap_find(&threads->last, tid);
	if (root == 0)
		return;
	sample->root = root;
	sample->java = str_starts(script->fold->namer.names.keys[root - 1],
	    STR("java"));
}

/* Begins a selected sample in this state, with the frames around its stack. */
static bool
begin_wanted(struct script *script, struct sample *sample,
    enum script_state state)
{
	struct profile *profile = script->profile;
	const struct filter *filter = &script->options->filter;
	struct head *head = &script->line.head;
	struct str cgroup = STR("");

	if (script->options->cgroup || !head->counts)
		cgroup = cut_cgroup(&script->line);
	if (!weigh(script, head, &sample->count)) {
		pass_over(script, state);
		return false;
	}
	profile_root(profile, sample);
	sample->cgroup = profile_cgroup(profile, cgroup);
	profile->without_cgroup += sample->cgroup > 0 && cgroup.len == 0;
	sample->event = filter_frame(filter, script->fold, head->event);
	profile->without_event += sample->event > 0 && head->event.len == 0;
	if (!script->options->in_order)
		correct_root(script, sample);
	start_sample(script, sample);
	if (state != SCRIPT_OPEN)
		script->state = state;
	return true;
}

/* Counts an odd line, and notes the first one for a message at the end. */
static void
note_odd(struct script *script)
{
	const struct input *input = &script->fold->input;
	struct str line = script->line.text;

	script->fold->counts.odd++;
	if (script->odd++ > 0)
		return;
	script->odd_line = input->line;
	script->odd_file = input->name;
	message_add_shown(&script->odd_text, line.len < LONGEST_SHOWN ? line :
	    str_take(line, LONGEST_SHOWN));
}

/* Ends the sample before an event's; begins this one if it is of a wait. */
static bool
begin_wait(struct script *script, struct sample *sample,
    enum script_state state)
{
	const struct head *head = &script->line.head;
	const struct waits_options *waits = script->options->waits;
	struct wait_event *change = &sample->change;
	bool has_change = args_change(&script->line, change);

	end_sample(script);
	pass_over(script, state);
	if (!has_change && change->change != WAIT_NO_CHANGE)
		note_odd(script);
	if (!note_time(script, sample->time) || !has_change ||
	    (change->change == WAIT_RAN && (!waits->running ||
	    str_equal(head->comm, STR("swapper")))))
		return false;
	script->profile->changes |= 1U << change->change;
	script->waits_file = script->fold->input.name;
	sample->is_selected = change->change == WAIT_WAKE ||
	    select_sample(script->options->select, sample);
	if (change->change != WAIT_SWITCH && !sample->is_selected) {
		leave_out(script, sample, state);
		return false;
	}
	return begin_wanted(script, sample, state);
}

/*
 * Begins the sample of a head, if it is wanted, in this state.  One of another
 * event does not end one that counts.
 */
static bool
begin(struct script *script, enum script_state state)
{
	const struct head *head = &script->line.head;
	struct sample sample;

	read_sample(script, &sample);
	if (script->options->waits != NULL)
		return begin_wait(script, &sample, state);
	if (!select_sample(script->options->select, &sample)) {
		leave_out(script, &sample, state);
		return false;
	}
	script->unended |= script->state == SCRIPT_OPEN;
	if (script->state == SCRIPT_LONE)
		end_sample(script);
	if (state == SCRIPT_BEGUN) {
		/* Without frames it does not tell which event counts. */
		script->begun.len = 0;
		text_add(&script->begun, head->event);
	} else if (!filter_wants(&script->options->filter, head->event)) {
		pass_over(script, state);
		return false;
	}
	if (script->options->in_order)
		timeline_check(&script->profile->timeline, head->event,
		    sample.time);
	return begin_wanted(script, &sample, state);
}

bool
script_begin_cached(struct script *script, const struct sample *like,
    const struct head *head, uint64_t count)
{
	const struct select *select = script->options->select;
	struct sample sample;
	bool is_selected;

	if (select == NULL) {
		end_sample(script);
		start_sample(script, like);
		script->sample.count = count;
		return true;
	}
	sample = *like;
	sample.count = count;
	read_place(head, &sample);
	if ((select->by & ~sample.has) != 0)
		return false;
	is_selected = select_sample(script->options->select, &sample);
	if (is_selected && sample.root == 0)
		return false;
	if (script->state != SCRIPT_LEFT)
		end_sample(script);
	if (is_selected)
		start_sample(script, &sample);
	else
		leave_out(script, &sample, SCRIPT_OPEN);
	return true;
}

/*
 * Waits for the source line of the frame's next call.  Without a module, perf
 * prints lines up to the first unknown function.
 */
static void
await_source_line(struct script *script)
{
	struct srcline *srcline = &script->srcline;
	const struct calls *calls = &script->calls;
	const struct str *names = script->fold->namer.names.keys;

	if (srcline->next < calls->count)
		srcline->waiting = srcline->has_module ||
		    !str_starts(names[calls->frames[srcline->next]],
		    STR("[unknown"));
	else	/* a frame that is left out may have one */
		srcline->waiting = srcline->has_module && srcline->next == 0;
}

/*
 * Adds the awaited source line, whatever it is, as the original does.  If it is
 * empty, it would have ended the sample, which becomes one with the next.
 */
static void
add_source_line(struct script *script, struct str line)
{
	struct srcline *srcline = &script->srcline;
	struct table *names = &script->fold->namer.names;
	const struct stack *stack = &script->fold->stack;
	struct text *name = &srcline->name;
	struct str trimmed;
	uint32_t *frame;
	size_t open, close;

	srcline->merged += line.len == 0;
	srcline->line.len = name->len = 0;
	/* "libc.so.6[27b25]", without what is in brackets */
	for (;; line = str_skip(line, open + close + 1)) {
		open = str_find(line, '[');
		close = str_find(str_skip(line, open), ']');
		if (open + close == line.len)
			break;
		text_add(&srcline->line, str_take(line, open));
	}
	text_add(&srcline->line, line);
	trimmed = str_trim(text_str(&srcline->line));
	if (trimmed.len > 0 && script->calls.count > 0) {
		frame = &stack->frames[stack->depth - 1 - srcline->next];
		text_add(name, names->keys[*frame]);
		text_add_char(name, ':');
		folded_add_name(name, trimmed);
		*frame = table_add(names, text_str(name));
	}
	srcline->next++;
	await_source_line(script);
}

/* Adds the calls of the frame in the line outside the frames so far. */
static void
push_frame(struct script *script)
{
	const struct frame *frame = &script->line.frame;

	script->calls = frames_calls(&script->profile->frames, frame, true,
	    script->sample.java);
	calls_push(&script->fold->stack, script->calls);
	if (!script->options->source_lines || script->calls.inlined)
		return;
	script->srcline.next = 0;
	script->srcline.has_module =
	    !str_equal(frame->module, STR("[unknown]"));
	await_source_line(script);
}

/*
 * Ends a sample of one frame, unless more may follow: after a line that is not
 * padded, but not after a source line.
 */
static void
end_lone(struct script *script)
{
	if (script->state == SCRIPT_LONE && !script->srcline.waiting &&
	    (script->line.padded || script->options->source_lines))
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

/* Takes a line about waits alone; true if it has no other meaning. */
static bool
take_wait(struct script *script)
{
	const struct script_line *line = &script->line;
	struct wait_event change;

	if (line->kind == LINE_ARGUMENTS) {	/* without frames */
		begin(script, SCRIPT_BEGUN);
		end_sample(script);
		return true;
	}
	if (line->kind == LINE_RECORD && args_change(line, &change) &&
	    note_time(script, head_time(&line->head)))
		waits_take(&script->profile->waits, &change, script->time,
		    WAITS_STACK_NONE);
	return false;
}

static void
act(struct script *script, char action)
{
	switch (action) {
	case 'e':
		end_sample(script);
		break;
	case 'b':
		begin(script, SCRIPT_OPEN);
		break;
	case 'p':
		begin(script, SCRIPT_BEGUN);
		break;
	case 'l':
		if (begin(script, SCRIPT_LONE)) {
			push_frame(script);
			end_lone(script);
		}
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
	enum script_state state = script->state == SCRIPT_LEFT ?
	    script->left_state : script->state;

	if (state == SCRIPT_OUTSIDE)
		return LINE_OUTSIDE;
	return state == SCRIPT_OPEN || state == SCRIPT_STACK ||
	    state == SCRIPT_OTHER ? LINE_INSIDE : LINE_BETWEEN;
}

/*
 * True if a line belongs to a sample that is left out.  A head, and an empty
 * line if a sample has not ended, come in the state before that one.
 */
static bool
is_left_out(struct script *script, enum line_kind kind)
{
	if (script->state != SCRIPT_LEFT || kind >= LINE_COMMENT)
		return script->state == SCRIPT_LEFT;
	script->state = script->before;
	if (kind != LINE_BLANK || (script->state != SCRIPT_OUTSIDE &&
	    script->state != SCRIPT_NAMELESS))
		return false;
	script->state = SCRIPT_OUTSIDE;
	return true;
}

void
script_take_line(struct script *script, struct str text)
{
	struct script_line *line = &script->line;

	script->has_begun = false;
	if (script->srcline.waiting) {
		add_source_line(script, text);
		end_lone(script);
		return;
	}
	script_line_parse(text, next_place(script),
	    script->fold->input.form, line);
	/* perf script --header, of a recording that may have no sample */
	if (line->kind == LINE_COMMENT &&
	    str_starts(text, STR("# captured on")))
		script->fold->recognized = true;
	script->profile->frameless += line->kind == LINE_ARGUMENTS;
	if (line->kind != LINE_BLANK && line->kind != LINE_COMMENT)
		fold_note_line(script->fold, text);
	if (!script->fold->recognized)
		script->fold->recognized = script_line_is_certain(line);
	if (is_left_out(script, line->kind))
		return;
	if (script->options->waits == NULL || !take_wait(script))
		act(script, actions[line->kind][2 * script->state]);
}

bool
script_goes_on(struct script *script, struct str text)
{
	struct script_line line;

	script_line_parse(text, next_place(script),
	    script->fold->input.form, &line);
	/* the last sample's frames are its innermost, as in the original */
	if (script->state == SCRIPT_STACK && (line.kind == LINE_HEAD ||
	    line.kind == LINE_PADDED_HEAD || line.kind == LINE_LONE_FRAME))
		script->fold->counts.joined++;
	return line.kind != LINE_COMMENT && line.kind != LINE_RECORD &&
	    (line.kind != LINE_ODD || script->srcline.waiting);
}

void
script_end(struct script *script)
{
	script->srcline.waiting = false;
	if (script->state == SCRIPT_LEFT)
		script->state = script->before;
	if (script->state == SCRIPT_LONE || (script->options->waits != NULL &&
	    script->state != SCRIPT_STACK))
		end_sample(script);
	end_waits(script);
	if (script->state == SCRIPT_STACK ||
	    (script->state == SCRIPT_OPEN && !script->unended))
		fold_cut(script->fold);
	script->fold->stack.depth = 0;
	script->state = SCRIPT_OUTSIDE;
}

void
script_report(const struct script *script)
{
	if (script->odd > 0)
		message_plain("Unrecognized line: %.*s",
		    (int)script->odd_text.len, script->odd_text.data);
	if (script->odd > 1)
		message_warn("%lu lines were not recognized, the first is "
		    "line %lu of %s", (unsigned long)script->odd,
		    (unsigned long)script->odd_line, script->odd_file);
	message_count("--srcline: samples merged with the next one, since "
	    "their last frames have no source line", script->srcline.merged);
}
