#include "fold/folded.h"
#include "lib/message.h"
#include "script.h"

#define LONGEST_SHOWN	200	/* bytes of an odd line */

/*
 * A line of each kind does in each state what a letter says:
 *
 *	-	nothing
 *	e	ends the sample, which is counted if it counts
 *	b	begins a sample...
 *	p	...that counts if frames follow
 *	l	...of one frame
 *	f	adds a frame outside those so far
 *	n	may begin a sample without a name...
 *	N	...whose first frame this is
 *	x	ends the sample; only details of it may follow
 *	d	begins details of no sample
 *	?	makes no sense
 *	o	...and begins nothing
 *
 *			outside nameless open stack begun bare lone other record
 *
 * A line of a sample that is not selected does nothing: see is_left_out.
 */
static const char actions[LINE_KINDS][2 * SCRIPT_STATES] = {
	[LINE_BLANK]		= "n n e e e e e e e",
	[LINE_COMMENT]		= "- e - - - - - - -",
	[LINE_EVENT]		= "b b b b b b b b b",
	[LINE_PADDED_EVENT]	= "p p p p p p p p p",
	[LINE_LONE_FRAME]	= "l l l l l l l l l",
	[LINE_ARGUMENTS]	= "- e - - - - - - -",
	[LINE_FRAME]		= "- N f f f f f - -",
	[LINE_EXTRAS]		= "? o x x ? ? x x -",
	[LINE_TAB_EXTRAS]	= "? o ? x ? ? ? x -",
	[LINE_LIKELY_EXTRAS]	= "? o ? x ? ? ? x -",
	[LINE_RECORD]		= "d d - - d d x d d",
	[LINE_DETAIL]		= "? o ? ? ? ? ? ? -",
	[LINE_ODD]		= "? o ? ? ? ? ? ? ?",
};

/* The lines that may follow in each state. */
static const unsigned char places[SCRIPT_STATES] = {
	[SCRIPT_OUTSIDE] = LINE_OUTSIDE,
	[SCRIPT_NAMELESS] = LINE_BETWEEN,
	[SCRIPT_OPEN] = LINE_INSIDE,
	[SCRIPT_STACK] = LINE_INSIDE,
	[SCRIPT_BEGUN] = LINE_BETWEEN,
	[SCRIPT_BARE] = LINE_BETWEEN,
	[SCRIPT_LONE] = LINE_BETWEEN,
	[SCRIPT_OTHER] = LINE_INSIDE,
	[SCRIPT_RECORD] = LINE_BETWEEN,
};

void
script_init(struct script *script, struct fold *fold,
    struct script_options *options)
{
	*script = (struct script){
		.fold = fold,
		.options = options,
		.roots = { .pid = options->pid, .tid = options->tid,
		    .cgroup = options->cgroup },
		.filter = &options->filter,
		.fields = { .field = options->weight },
	};
	script->filter->others = &fold->counts.others;
	script->counts_periods = !options->in_order &&
	    options->waits == NULL &&
	    !fieldcount_is_asked(&script->fields) &&
	    !filter_keeps_events(script->filter);
	frames_init(&script->frames, &fold->namer);
	exited_init(&script->exited);
	census_init(&script->census);
	script->frames.kernel = options->kernel;
	script->frames.jit = options->jit;
	script->frames.addresses = options->addresses;
	if (options->in_order) {
		timeline_init(&script->timeline, &fold->stacks, options->gap);
		script->timeline.cuts = options->waits != NULL;
		fold->timeline = &script->timeline;
	}
	if (options->waits != NULL)
		waits_init(&script->waits, options->waits, &fold->stacks,
		    fold->timeline, &fold->namer);
	if (options->inlined)
		script->frames.inliner = inliner_new(options->context);
}

static bool
is_counted(const struct script *script)
{
	return script->state == SCRIPT_OPEN || script->state == SCRIPT_STACK ||
	    script->state == SCRIPT_BARE;
}

/* Takes the sample for waits, with the stack that was read. */
static void
take_wait(struct script *script)
{
	struct stack *stack = &script->fold->stack;
	struct waits *waits = &script->waits;
	uint32_t number;

	stacks_number(&waits->told, stack->frames, &stack->depth, 1, &number);
	script->told.count = script->period;
	waits_take(waits, &script->told, script->time,
	    script->wait_counts ? number : WAITS_STACK_NONE);
}

static inline void
count_sample(struct script *script)
{
	struct fold *fold = script->fold;

	stack_push(&fold->stack, script->root.frame);
	if (script->cgroup > 0)
		stack_push(&fold->stack, script->cgroup - 1);
	if (script->event > 0)
		stack_push(&fold->stack, script->event - 1);
	if (script->options->waits != NULL)
		take_wait(script);
	else if (fold->timeline != NULL)
		timeline_add_stack(fold->timeline, &fold->stack,
		    script->period, script->time);
	else
		stacks_add(&fold->stacks, &fold->stack, script->period);
	fold->stack.depth = 0;
	fold->counts.samples++;
}

static void
end_sample(struct script *script)
{
	if (script->state == SCRIPT_LONE)
		script_push(script, script->lone);
	if (is_counted(script))
		count_sample(script);
	script->fold->stack.depth = 0;
	script->state = SCRIPT_OUTSIDE;
}

/* A period of 0, as where none was printed, counts as 1. */
static inline void
start_sample(struct script *script, struct root root,
    unsigned long long period)
{
	script->root = root;
	script->period = period > 0 ? period : 1;
	script->state = script->fold->stack.depth > 0 ? SCRIPT_STACK :
	    SCRIPT_OPEN;
}

void
script_next_sample(struct script *script, struct root root,
    unsigned long long period)
{
	count_sample(script);
	start_sample(script, root, period);
}

void
script_select_sample(struct script *script, struct root root,
    unsigned long long period)
{
	if (script->state != SCRIPT_LEFT)
		count_sample(script);
	start_sample(script, root, period);
}

void
script_leave_sample(struct script *script, struct str comm, uint64_t time)
{
	if (script->state != SCRIPT_LEFT) {
		end_sample(script);
		script->before = script->state;
	}
	census_count(&script->census, comm, time);
	script->left_place = LINE_INSIDE;
	script->state = SCRIPT_LEFT;
}

/*
 * Cuts the cgroup off the end of what follows an event's name, before the lone
 * frame if there is one; "" if it has none:
 *
 *	sh 10 1.5: 250 cycles:  /user.slice/a b      7f722d142778 f (/bin/x)
 */
static struct str
cut_cgroup(struct line *line)
{
	struct event *event = &line->event;
	const char *frame = line->frame.address.data;
	struct str rest = event->rest;
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
	event->counts |= str_trim_end(str_take(rest, at)).len == 0;
	return str_skip(rest, at);
}

/* Finds the frame of the sample's cgroup, as perf calls it. */
static void
note_cgroup(struct script *script)
{
	struct str path = cut_cgroup(&script->line);

	script->without_cgroup += path.len == 0;
	script->cgroup = 1 + roots_find_cgroup(&script->roots,
	    &script->fold->namer, path);
}

/* Finds the frame of the sample's event, if stacks begin with that. */
static void
note_event(struct script *script, struct str event)
{
	if (!filter_keeps_events(script->filter))
		return;
	script->without_event += event.len == 0;
	script->event = 1 + filter_frame(script->filter,
	    &script->fold->namer.names, event);
}

/* Notes when a sample was made. */
static void
note_time(struct script *script, const struct event *event)
{
	script->time = event_nanoseconds(event->time);
	timeline_check(&script->timeline, event->name, script->time);
}

/*
 * Stores what counts of a sample: its field, if that is asked for, or its
 * period; false if it is left out.
 */
static bool
weigh(struct script *script, const struct event *event, uint64_t *count)
{
	struct fold *fold = script->fold;
	struct fieldcount *fields = &script->fields;
	unsigned long long period = 0;
	int64_t number = 0;
	bool is_found;

	if (!fieldcount_is_asked(fields)) {
		if (event->counts && event->period.len > 0 &&
		    !str_number(event->period, &period))
			fold->stacks.overflowed = true;
		*count = period;
		return true;
	}
	is_found = event_field(event, fields->field, &number);
	if (!fieldcount_take(fields, is_found, number, count))
		return false;
	fold->counts.samples += *count == 0;
	return *count > 0;
}

/* Returns the root of the event's thread. */
static struct root
find_root(struct script *script, const struct thread_id *thread)
{
	const struct input *input = &script->fold->input;
	struct namer *namer = &script->fold->namer;
	struct root root = roots_find_text(&script->roots, namer, thread);

	return script->options->in_order ? root :
	    exited_root(&script->exited, input->name, thread, root);
}

/* True if the sample that the line begins is selected. */
static bool
is_selected(struct script *script)
{
	const struct selection *selection = script->options->selection;
	bool has;

	if (selection == NULL)
		return true;
	script->time = event_nanoseconds(script->line.event.time);
	has = choice_has(selection, &script->line, script->time,
	    &script->lacks);
	script->fold->input.failed |= script->lacks.found;
	return has;
}

/* Leaves a sample out; its frames may follow where it is in this state. */
static void
leave_out(struct script *script, enum script_state state)
{
	struct str comm = script->line.event.thread.comm;

	census_count(&script->census, comm.len > 0 ? comm : STR("?"),
	    script->time);
	if (state == SCRIPT_LONE &&
	    (script->line.padded || script->options->source_lines))
		return;
	script->before = script->state;
	script->left_place = places[state];
	script->state = SCRIPT_LEFT;
}

/* Does not count a sample that would begin in this state. */
static void
pass_over(struct script *script, enum script_state state)
{
	if (!is_counted(script))
		script->state = state == SCRIPT_OPEN ? SCRIPT_OTHER :
		    SCRIPT_RECORD;
}

/* Ends the waits of an input. */
static void
end_waits(struct script *script)
{
	if (script->waits_file == NULL)
		return;
	if (!waits_end(&script->waits, script->time, script->waits_file)) {
		message_warn("%s: it does not say when threads resume; use "
		    "perf record --switch-events -e sched:sched_switch -g "
		    "PROGRAM and perf script --show-switch-events",
		    script->waits_file);
		script->fold->input.failed = true;
	}
	script->waits_file = NULL;
}

/*
 * Notes when something happened that tells of waits; false if that is not told.
 * Where time goes back, another recording begins.
 */
static bool
note_wait_time(struct script *script, struct str text)
{
	uint64_t time = event_nanoseconds(text);

	if (time == EVENT_NO_TIME)
		return false;
	if (time < script->time)
		end_waits(script);
	script->time = time;
	return true;
}

/* Begins the event's sample, which is wanted, in this state. */
static bool
begin_wanted(struct script *script, enum script_state state)
{
	const struct event *event = &script->line.event;
	uint64_t count;

	if (script->options->cgroup)
		note_cgroup(script);
	else if (!event->counts)
		cut_cgroup(&script->line);	/* after it the period counts */
	if (!weigh(script, event, &count)) {
		pass_over(script, state);
		return false;
	}
	start_sample(script, find_root(script, &event->thread), count);
	if (state != SCRIPT_OPEN)
		script->state = state;
	return true;
}

/* Ends the sample before an event's; begins this one if it tells of waits. */
static bool
begin_wait(struct script *script, enum script_state state)
{
	const struct event *event = &script->line.event;
	struct wait_event *told = &script->told;
	bool tells;

	end_sample(script);
	script->state = state == SCRIPT_OPEN ? SCRIPT_OTHER : SCRIPT_RECORD;
	tells = switching_event(event, told);
	if (!note_wait_time(script, event->time) || !tells ||
	    (told->change == WAIT_RAN && (!script->options->waits->running ||
	    str_equal(event->thread.comm, STR("swapper")))))
		return false;
	script->changes |= 1U << told->change;
	script->waits_file = script->fold->input.name;
	script->wait_counts = told->change == WAIT_WAKE ||
	    is_selected(script);
	if (told->change != WAIT_SWITCH && !script->wait_counts) {
		leave_out(script, state);
		return false;
	}
	return begin_wanted(script, state == SCRIPT_BEGUN ? SCRIPT_BARE :
	    state);
}

/*
 * Begins the event's sample, if it is wanted, in this state.  One of another
 * event is left out, but does not end one that counts.
 */
static bool
begin(struct script *script, enum script_state state)
{
	const struct event *event = &script->line.event;

	if (script->options->waits != NULL)
		return begin_wait(script, state);
	if (!is_selected(script)) {
		leave_out(script, state);
		return false;
	}
	script->unended |= script->state == SCRIPT_OPEN;
	if (script->state == SCRIPT_LONE)
		end_sample(script);
	if (state == SCRIPT_BEGUN) {
		/* Without frames it does not tell which event counts. */
		script->begun.len = 0;
		text_add(&script->begun, event->name);
	} else if (!filter_wants(script->filter, event->name)) {
		pass_over(script, state);
		return false;
	}
	note_event(script, event->name);
	if (script->options->in_order)
		note_time(script, event);
	return begin_wanted(script, state);
}

/* Adds names up to the next one that a line belongs to. */
static void
add_names(struct srcline *srcline, const struct namer *namer)
{
	const struct calls *calls = &srcline->calls;
	struct str name;

	srcline->waiting = false;
	while (srcline->next < calls->count && !srcline->waiting) {
		name = namer->names.keys[calls->frames[srcline->next]];
		if (srcline->next++ > 0)
			text_add_char(&srcline->name, ';');
		text_add(&srcline->name, name);
		if (str_starts(name, STR("[unknown")))
			srcline->lines_end |= !srcline->module_known;
		srcline->waiting = !srcline->lines_end;
	}
}

/* Begins with the calls of a frame, which must live until namer is asked. */
static void
srcline_begin(struct srcline *srcline, struct namer *namer, struct calls calls,
    bool module_known)
{
	srcline->calls = calls;
	srcline->next = 0;
	srcline->name.len = 0;
	srcline->module_known = module_known;
	srcline->lines_end = false;
	add_names(srcline, namer);
	if (calls.count == 0)		/* a frame that is left out */
		srcline->waiting = module_known;
}

/* Adds "libc.so.6[27b25]" without what is in brackets. */
static void
add_unbracketed(struct text *text, struct str line)
{
	size_t open, close;

	while (line.len > 0) {
		open = str_find(line, '[');
		close = open + str_find(str_skip(line, open), ']');
		if (close == line.len)
			open = close;
		else
			close++;
		text_add(text, str_take(line, open));
		line = str_skip(line, close);
	}
}

/*
 * Adds the line that is waited for.  It is taken whatever it holds, as the
 * original does: an empty line, which ends a sample, is counted, as the next
 * sample's frames then become part of this one.
 */
static void
srcline_add(struct srcline *srcline, struct namer *namer, struct str line)
{
	struct str trimmed;

	if (line.len == 0)
		srcline->merged++;
	srcline->line.len = 0;
	add_unbracketed(&srcline->line, line);
	trimmed = str_trim(text_str(&srcline->line));
	if (trimmed.len > 0 && srcline->calls.count > 0) {
		text_add_char(&srcline->name, ':');
		folded_add_name(&srcline->name, trimmed);
	}
	add_names(srcline, namer);
}

/* Returns the calls with their lines, once waiting is false or input ends. */
static struct calls
srcline_calls(struct srcline *srcline, struct namer *namer)
{
	srcline->waiting = false;
	return srcline->calls.count == 0 ? srcline->calls :
	    namer_calls(namer, text_str(&srcline->name));
}

/*
 * Takes the calls of the frame in the line.  They are complete now, or when
 * their source lines have been read.
 */
static inline bool
take_calls(struct script *script)
{
	const struct frame_line *frame = &script->line.frame;

	script->calls = frames_line_calls(&script->frames, frame,
	    script->root.java);
	if (!script->options->source_lines || script->calls.inlined)
		return true;
	srcline_begin(&script->srcline, &script->fold->namer, script->calls,
	    !str_equal(frame->module, STR("[unknown]")));
	if (!script->srcline.waiting)
		script->calls = srcline_calls(&script->srcline,
		    &script->fold->namer);
	return !script->srcline.waiting;
}

/* Puts the calls that were taken where they belong. */
static void
put_calls(struct script *script)
{
	if (script->state != SCRIPT_LONE) {
		script_push(script, script->calls);
		return;
	}
	script->lone = script->calls;
	/* With source lines, the next line is this frame's, and no frame. */
	if (script->line.padded || script->options->source_lines)
		end_sample(script);
}

/* Begins a sample of one frame; more may follow a line that is not padded. */
static void
begin_lone(struct script *script)
{
	if (begin(script, SCRIPT_LONE) && take_calls(script))
		put_calls(script);
}

static inline void
add_frame(struct script *script)
{
	/* An argument of the event, or data, looked like the frame. */
	if (script->state == SCRIPT_LONE && !script->line.event.has_address &&
	    !fieldcount_is_asked(&script->fields))
		script->period = 1;
	if (script->state == SCRIPT_BEGUN &&
	    !filter_wants(script->filter, text_str(&script->begun))) {
		script->state = SCRIPT_OTHER;
		return;
	}
	script->state = SCRIPT_STACK;
	if (take_calls(script))
		script_push(script, script->calls);
}

/*
 * Begins a sample of a process without name and number: perf script -F ip,sym
 * prints an empty line before the frames, and one after them.
 */
static void
begin_nameless(struct script *script)
{
	static const struct thread_id nobody = { .certain = false };

	if (script->options->selection != NULL ||
	    fieldcount_is_asked(&script->fields)) {
		script->line.event = (struct event){ .thread = nobody };
		script->state = SCRIPT_OUTSIDE;
		begin(script, SCRIPT_OPEN);
		return;
	}
	note_event(script, STR(""));
	start_sample(script, roots_find_text(&script->roots,
	    &script->fold->namer, &nobody), 1);
	add_frame(script);
}

/* Counts an odd line, and notes the first one for a message at the end. */
static void
note_odd(struct script *script)
{
	const struct input *input = &script->fold->input;
	struct script_options *options = script->options;
	struct str line = script->line.text;

	script->fold->counts.odd++;
	if (script->odd++ > 0)
		return;
	options->odd_line = input->line;
	options->odd_file = input->name;
	message_add_shown(&options->odd, line.len < LONGEST_SHOWN ? line :
	    str_take(line, LONGEST_SHOWN));
}

/*
 * Takes what a line tells of waits that begins no sample where samples count;
 * true if it does nothing else.
 */
static bool
take_telling(struct script *script)
{
	const struct line *line = &script->line;
	struct wait_event told;

	if (line->kind == LINE_ARGUMENTS) {	/* without frames */
		begin_wait(script, SCRIPT_BARE);
		end_sample(script);
		return true;
	}
	if (switching_record(line, &told) &&
	    note_wait_time(script, line->event.time))
		waits_take(&script->waits, &told, script->time,
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
		begin_lone(script);
		break;
	case 'f':
		add_frame(script);
		break;
	case 'n':
		script->state = SCRIPT_NAMELESS;
		break;
	case 'N':
		begin_nameless(script);
		break;
	case 'x':
		end_sample(script);
		/* fall through */
	case 'd':
		script->state = SCRIPT_RECORD;
		break;
	case 'o':
		script->state = SCRIPT_OUTSIDE;
		/* fall through */
	case '?':
		note_odd(script);
		break;
	}
}

/* Returns the place of the lines that may follow. */
static inline enum line_place
next_place(const struct script *script)
{
	return script->state == SCRIPT_LEFT ? script->left_place :
	    places[script->state];
}

/*
 * True if a line belongs to a sample that is left out.  Another one comes in
 * the state that was before it; so does the empty line that ends it, if there
 * is a sample before that nothing else has ended.
 */
static bool
is_left_out(struct script *script, enum line_kind kind)
{
	switch (kind) {
	case LINE_COMMENT:
	case LINE_FRAME:
	case LINE_EXTRAS:
	case LINE_TAB_EXTRAS:
	case LINE_LIKELY_EXTRAS:
	case LINE_DETAIL:
	case LINE_ODD:
		return true;
	default:
		script->state = script->before;
		if (kind != LINE_BLANK || (script->state != SCRIPT_OUTSIDE &&
		    script->state != SCRIPT_NAMELESS))
			return false;
		script->state = SCRIPT_OUTSIDE;
		return true;
	}
}

void
script_line(struct script *script, struct str text)
{
	struct line *line = &script->line;
	struct namer *namer = &script->fold->namer;

	if (script->srcline.waiting) {
		srcline_add(&script->srcline, namer, text);
		if (!script->srcline.waiting) {
			script->calls = srcline_calls(&script->srcline, namer);
			put_calls(script);
		}
		return;
	}
	line_parse(text, next_place(script),
	    input_form(&script->fold->input), line);
	/* perf script --header, of a recording that may have no sample */
	if (line->kind == LINE_COMMENT &&
	    str_starts(text, STR("# captured on")))
		script->fold->recognized = true;
	script->frameless += line->kind == LINE_ARGUMENTS;
	if (line->kind != LINE_BLANK && line->kind != LINE_COMMENT)
		fold_note_line(script->fold, text);
	if (!script->fold->recognized)
		script->fold->recognized = line_is_certain(line);
	if (script->state == SCRIPT_LEFT && is_left_out(script, line->kind))
		return;
	if (script->options->waits == NULL || !take_telling(script))
		act(script, actions[line->kind][2 * script->state]);
}

/*
 * A sample begins in a file, and another one in the next: as in the original
 * the first one's frames are the second one's innermost.
 */
static bool
joins(const struct script *script, enum line_kind kind)
{
	return script->state == SCRIPT_STACK && (kind == LINE_EVENT ||
	    kind == LINE_PADDED_EVENT || kind == LINE_LONE_FRAME);
}

bool
script_goes_on(struct script *script, struct str text)
{
	struct line line;

	line_parse(text, next_place(script),
	    input_form(&script->fold->input), &line);
	if (joins(script, line.kind))
		script->fold->counts.joined++;
	return line.kind != LINE_COMMENT && line.kind != LINE_RECORD &&
	    (line.kind != LINE_ODD || script->srcline.waiting);
}

void
script_end(struct script *script)
{
	if (script->srcline.waiting) {
		script->calls = srcline_calls(&script->srcline,
		    &script->fold->namer);
		put_calls(script);
	}
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
