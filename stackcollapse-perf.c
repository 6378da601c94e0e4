/*
 * stackcollapse-perf: folds the output of perf script.
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
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "perf/event.h"
#include "fold/folded.h"
#include "perf/extras.h"
#include "perf/frames.h"
#include "fold/sniff.h"
#include "lib/input.h"
#include "lib/message.h"
#include "lib/options.h"
#include "lib/output.h"
#include "perf/frameline.h"
#include "lib/progress.h"
#include "fold/linecache.h"
#include "lib/threads.h"

static bool show_pid;
static bool show_tid;
static bool show_inlined;
static bool show_context;
static bool show_addresses;
static bool mark_all;
static bool mark_kernel;
static bool mark_jit;
static bool source_lines;
static const char *event_filter = "";
static struct option_range jobs = { 0, 1, THREADS_MOST };

#define RECENT_BITS	13	/* 1 MB of lines; twice as many are slower */
#define LONGEST_SHOWN	200	/* bytes of an odd line */
#define HEADS		256
#define HEAD_START	16	/* bytes that tell a head's place */
#define HEAD_BYTES	40	/* longer ones are parsed each time */
#define PADDED_COMMAND	15	/* characters: perf pads shorter names */
#define LONG_ADDRESS	5	/* digits that are hardly another word */

/* What the lines of the sample being read are for. */
enum sample {
	NO_SAMPLE,
	SAMPLE,			/* counted */
	SAMPLE_BEGUN,		/* counted if frames follow */
	SAMPLE_LONE,		/* of one frame, unless more follow */
	OTHER_SAMPLE,		/* of another event, left out */
	RECORD			/* what follows are details of no sample */
};

/*
 * "COMM PID[/TID]", with which an event line began that was counted, and the
 * root of its stack.  It stands in a table at a place that its first bytes
 * tell.
 */
struct head {
	char text[HEAD_BYTES];
	size_t len;			/* 0: there is none */
	bool java;
	struct calls root;
};

/* What depends on the order of the input; see input_wait. */
struct notes {
	struct text filter;		/* the event that counts; empty: any */
	bool others_told;		/* of the events that do not count */
	size_t unrecognized_line;	/* the first; 0: there was none */
	const char *unrecognized_file;
	struct text first_line;		/* that is no comment, for messages */
};

/* What a thread folds; it begins with its input, for input_run. */
struct fold {
	struct input input;
	struct notes *notes;		/* of all threads */
	struct recent recent[2];	/* of java, or not */
	struct head *heads;
	struct frames frames;
	struct stacks stacks;
	enum sample sample;
	struct stack stack;		/* of the sample, so far */
	struct calls lone;		/* the frame of a SAMPLE_LONE */
	struct memo commands;		/* by name */
	struct text command;
	struct calls root;		/* its command, which is... */
	bool java;			/* called java... */
	struct text located, source;	/* names with source lines */
	unsigned long long period;
	struct text filter;		/* as noted; empty: not yet */
	bool others_told, has_line;	/* these are noted, too */
	bool recognized;		/* a line only perf script prints */
	bool cut_short;			/* the input ended inside a sample */
	size_t samples, other_samples;
	size_t unrecognized;		/* lines */
	size_t merged;			/* see add_source */
};

/* The event that counts, which is this one if it is the first. */
static struct str
note_event(struct fold *fold, struct str name)
{
	struct text *filter = &fold->notes->filter;

	input_wait(&fold->input);
	if (filter->len == 0)
		text_add(filter, name);
	return text_str(filter);
}

static void
note_others(struct fold *fold)
{
	struct text shown = { 0 };

	input_wait(&fold->input);
	fold->others_told = true;
	if (fold->notes->others_told)
		return;
	fold->notes->others_told = true;
	progress_clear();
	message_add_shown(&shown, text_str(&fold->filter));
	fprintf(stderr, "Filtering for events of type: %.*s\n",
	    (int)shown.len, shown.data);
	free(shown.data);
}

static void
note_line(struct fold *fold, struct str line)
{
	input_wait(&fold->input);
	fold->has_line = true;
	if (fold->notes->first_line.len == 0)
		text_add(&fold->notes->first_line, line);
}

/* Whether samples of this event count: of the first one, unless told. */
static bool
is_wanted(struct fold *fold, const struct event *event)
{
	if (event->name.len == 0)
		return true;
	if (fold->filter.len == 0)
		text_add(&fold->filter, note_event(fold, event->name));
	if (str_equal(event->name, text_str(&fold->filter)))
		return true;
	if (event_filter[0] == '\0' && !fold->others_told)
		note_others(fold);
	return false;
}

/*
 * COMM, COMM-PID or COMM-PID/TID; a lone number is the thread's.  Where perf
 * was told not to print the command, it is ":PID", as perf calls one without.
 */
static void
name_command(struct fold *fold, const struct event *event)
{
	bool both = event->tid.len > 0 && !str_equal(event->tid, STR("0"));
	struct text *name = &fold->command;
	size_t i;

	name->len = 0;
	text_add(name, event->comm);
	if (event->comm.len == 0) {
		text_add_char(name, ':');
		text_add(name, event->pid);
	}
	if (show_pid || show_tid) {
		text_add_char(name, '-');
		text_add(name, both ? event->pid : STR("?"));
	}
	if (show_tid) {
		text_add_char(name, '/');
		text_add(name, both ? event->tid : event->pid);
	}
	for (i = 0; i < name->len; i++)
		if (name->data[i] == ' ')
			name->data[i] = '_';
}

/* The frames, which are one unless there is a ';', of the command's name. */
static struct calls
find_root(struct fold *fold)
{
	struct str name = text_str(&fold->command);
	const struct calls *known = memo_find(&fold->commands, name);

	return known != NULL ? *known :
	    memo_note(&fold->commands, namer_calls(&fold->frames.namer, name));
}

/* A period of 0, as where none was printed, counts as 1. */
static void
start_sample(struct fold *fold, enum sample sample, struct calls root,
    bool java, unsigned long long period)
{
	fold->root = root;
	fold->java = java;
	fold->period = period > 0 ? period : 1;
	fold->sample = sample;
}

static void
end_sample(struct fold *fold)
{
	if (fold->sample == SAMPLE_LONE) {
		calls_push(&fold->stack, fold->lone);
		fold->sample = SAMPLE;
	}
	if (fold->sample == SAMPLE) {
		calls_push(&fold->stack, fold->root);
		stacks_add(&fold->stacks, &fold->stack, fold->period);
		fold->samples++;
	}
	fold->stack.depth = 0;
	fold->sample = NO_SAMPLE;
}

/* Where the head that text begins with belongs. */
static struct head *
head_place(const struct fold *fold, struct str text)
{
	uint64_t words[HEAD_START / sizeof(uint64_t)];

	memcpy(words, text.data, sizeof(words));
	words[0] = (words[0] ^ words[1] >> 7) * UINT64_C(0x9E3779B97F4A7C15);
	return &fold->heads[words[0] >> 32 & (HEADS - 1)];
}

/* Notes the head of a line that begins with it and tells nothing unusual. */
static void
note_head(struct fold *fold, const struct event *event)
{
	size_t line = (size_t)(event->rest.data - event->head.data);
	struct head *head;

	if (event->head.len == 0 || event->head.len > HEAD_BYTES ||
	    event->name.len == 0 || event->rest.len > 0 ||
	    is_blank(event->head.data[0]) || line < HEAD_START)
		return;
	head = head_place(fold, event->head);
	memcpy(head->text, event->head.data, event->head.len);
	head->len = event->head.len;
	head->root = fold->root;
	head->java = fold->java;
}

/* "libc.so.6[27b25]" without what stands in brackets */
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
 * Adds the next line, "  memmove.S:371", to the name of the call before it.
 * perf prints none where nothing at all is known.  It is taken whatever it is,
 * as the original does: an empty one, which ends a sample, is counted, as the
 * next sample's frames then become part of this one.
 */
static void
add_source(struct fold *fold)
{
	struct str line, source;

	if (!input_line(&fold->input, &line))
		return;
	if (line.len == 0)
		fold->merged++;
	fold->source.len = 0;
	add_unbracketed(&fold->source, line);
	source = str_trim(text_str(&fold->source));
	if (source.len > 0) {
		text_add_char(&fold->located, ':');
		folded_add_name(&fold->located, source);
	}
}

/*
 * The calls, each with the source line that the input has next.  Where the
 * module is unknown, perf prints none from the first unknown call on.
 */
static struct calls
locate(struct fold *fold, struct calls calls, bool unknown_module)
{
	struct str name;
	bool unknown = false;
	size_t i;

	fold->located.len = 0;
	for (i = 0; i < calls.count; i++) {
		name = fold->frames.namer.names.keys[calls.frames[i]];
		unknown = unknown || (unknown_module &&
		    str_starts(name, STR("[unknown")));
		if (i > 0)
			text_add_char(&fold->located, ';');
		text_add(&fold->located, name);
		if (!unknown)
			add_source(fold);
	}
	return calls.count > 0 ?
	    namer_calls(&fold->frames.namer, text_str(&fold->located)) : calls;
}

/* With source lines a line is gone once its frame is folded. */
static void
remember(struct fold *fold, struct str line, struct calls calls)
{
	if (fold->sample != SAMPLE || source_lines ||
	    !is_blank(line.data[0]) || line.len <= PLACE_ADDRESS_END)
		return;
	line.len = (size_t)(input_ahead(&fold->input).data - line.data);
	if (line.data[line.len - 1] == '\n')
		recent_note(&fold->recent[fold->java],
		    recent_address_place(&fold->recent[fold->java], line.data),
		    line, calls);
}

static struct calls
find_calls(struct fold *fold, struct place *place)
{
	bool unknown_module = str_equal(place->module, STR("[unknown]"));
	struct calls calls;

	place->java = fold->java;
	calls = frames_at(&fold->frames, place);
	return source_lines && !calls.inlined ?
	    locate(fold, calls, unknown_module) : calls;
}

static struct calls
fold_frame(struct fold *fold, struct place *place)
{
	struct calls calls = { NULL, 0, false };

	if (fold->sample == SAMPLE_LONE)	/* an argument looked like it */
		fold->period = 1;
	if (fold->sample == SAMPLE_BEGUN || fold->sample == SAMPLE_LONE)
		fold->sample = SAMPLE;
	if (fold->sample != SAMPLE)
		return calls;
	calls = find_calls(fold, place);
	calls_push(&fold->stack, calls);
	return calls;
}

/* "           401136 main+0x6" where "EVENT:" ends, in its columns. */
static bool
parse_bare_lone_frame(const struct event *event, struct place *place)
{
	struct str rest = event->rest, name = event->name;
	size_t digits = 0, blanks;

	rest.len = fields_start_bare(rest);
	while (digits < rest.len && is_hex(rest.data[digits]))
		digits++;
	if (name.len == 0 || digits >= PLACE_ADDRESS_END)
		return false;
	blanks = PLACE_ADDRESS_END - digits;
	/* one more stands behind the colon */
	if (rest.data - (name.data + name.len) < (ptrdiff_t)(blanks + 2))
		return false;
	rest.data -= blanks;
	rest.len += blanks;
	return place_parse_bare(rest, place) &&
	    !is_blank(place->symbol.data[0]);
}

/*
 * Without a call graph perf prints the one frame on the event line, behind the
 * arguments if it is a tracepoint, and pads the command on the left:
 *
 *	   swapper     0 [000] 115.1:     250000 cycles:  ffffffff81000130 ...
 *
 * The frame begins at the first word, or the last of LONG_ADDRESS digits or
 * more, that is an address.
 */
static bool
parse_lone_frame(const struct event *event, bool padded, struct place *place)
{
	struct str rest = event->rest;
	size_t at, end, frame;

	if (!padded && event->comm.len < PADDED_COMMAND)
		return false;
	rest.len = frame = fields_start(rest);
	for (at = 0; at < rest.len; at = end + 1) {
		for (end = at; end < rest.len && is_hex(rest.data[end]);)
			end++;
		if (end < rest.len && rest.data[end] == ' ' && (end - at >=
		    LONG_ADDRESS || (padded && at == 0 && end > at)))
			frame = at;
		while (end < rest.len && rest.data[end] != ' ')
			end++;
	}
	return place_parse(str_skip(rest, frame), place) ||
	    (padded && parse_bare_lone_frame(event, place));
}

/* Of other records than samples nothing is to be counted. */
static void
fold_record(struct fold *fold)
{
	if (fold->sample == SAMPLE_LONE)
		end_sample(fold);
	if (fold->sample != SAMPLE)
		fold->sample = RECORD;
}

/* Begins the event's sample, if it is wanted, as `sample`. */
static void
fold_event(struct fold *fold, const struct event *event, enum sample sample)
{
	unsigned long long period = 0;

	if (event->record) {
		fold_record(fold);
		return;
	}
	if (fold->sample == SAMPLE_LONE)
		end_sample(fold);
	if (is_wanted(fold, event)) {
		if (event->rest.len == 0 && event->period.len > 0 &&
		    !str_number(event->period, &period))
			fold->stacks.overflowed = true;
		name_command(fold, event);
		start_sample(fold, sample, find_root(fold),
		    str_starts(text_str(&fold->command), STR("java")), period);
		note_head(fold, event);
		return;
	}
	fold->other_samples++;
	if (fold->sample != SAMPLE)
		fold->sample = sample == SAMPLE ? OTHER_SAMPLE : RECORD;
}

/*
 * A sample of one frame.  That is all, unless perf did not pad the line; with
 * source lines, the next one is not a frame but that of this one.
 */
static void
fold_lone_frame(struct fold *fold, struct event *event, struct place *place,
    bool padded)
{
	if (place->address.data == event->rest.data)
		event->rest.len = 0;
	fold_event(fold, event, SAMPLE_LONE);
	if (fold->sample != SAMPLE_LONE)
		return;
	fold->lone = find_calls(fold, place);
	if (padded || source_lines)
		end_sample(fold);
}

static void
fold_timed_event(struct fold *fold, struct event *event, bool padded)
{
	struct place place;

	fold->recognized = true;
	if (!event->record && parse_lone_frame(event, padded, &place))
		fold_lone_frame(fold, event, &place, padded);
	else if (event->record || !padded)
		fold_event(fold, event, SAMPLE);
	else if (event->rest.len == 0 || event->comm.len == 0)
		fold_event(fold, event, SAMPLE_BEGUN);
}

/* "     work  1234     250000 cycles:     401136 main+0x6 (/w)", if it is */
static bool
fold_untimed_lone_frame(struct fold *fold, struct str line)
{
	struct event event;
	struct place place;

	if (!event_parse_counted(line, &event) ||
	    !parse_lone_frame(&event, true, &place))
		return false;
	fold->recognized = true;
	fold_lone_frame(fold, &event, &place, true);
	return true;
}

/* Before the frames, only what is certain can end a sample that counts. */
static bool
ends_sample(const struct fold *fold, struct str line)
{
	bool likely = fold->stack.depth > 0 || fold->sample == OTHER_SAMPLE;

	if (likely && fields_are_likely(line))
		return true;
	return (likely || (fold->sample == SAMPLE && line.data[0] != '\t')) &&
	    fields_are_certain(line);
}

/* Says so of the first such line; how many there were is said at the end. */
static void
fold_unrecognized(struct fold *fold, struct str line)
{
	struct notes *notes = fold->notes;
	struct text shown = { 0 };

	if (ends_sample(fold, line)) {
		end_sample(fold);
		fold->sample = RECORD;
		return;
	}
	if (event_is_record(line)) {
		fold_record(fold);
		return;
	}
	if (fold->sample == RECORD && is_blank(line.data[0]))
		return;
	if (fold->unrecognized++ > 0)
		return;
	input_wait(&fold->input);
	if (notes->unrecognized_line > 0)
		return;
	notes->unrecognized_line = input_number(&fold->input);
	notes->unrecognized_file = fold->input.name;
	progress_clear();
	message_add_shown(&shown, line.len < LONGEST_SHOWN ? line :
	    str_take(line, LONGEST_SHOWN));
	fprintf(stderr, "Unrecognized line: %.*s\n", (int)shown.len,
	    shown.data);
	free(shown.data);
}

/* Whether what was parsed as a frame cannot well be anything else. */
static bool
is_certain(const struct place *place, bool indented)
{
	struct str address = place->address, module = place->module;
	size_t digits = 0;

	while (digits < address.len && is_hex(address.data[digits]))
		digits++;
	return digits == address.len && (indented || digits >= LONG_ADDRESS ||
	    str_starts(module, STR("/")) || str_starts(module, STR("[")));
}

/* The calls of lines that came before. */
static void
fold_known_frames(struct fold *fold)
{
	const struct recent *recent = &fold->recent[fold->java];
	struct str ahead = input_ahead(&fold->input);
	size_t len, skipped = 0, lines = 0;
	struct calls calls = { NULL, 0, false };

	while (ahead.len > RECENT_LINE && (len = recent_find(recent,
	    recent_address_place(recent, ahead.data), ahead, &calls)) > 0) {
		calls_push(&fold->stack, calls);
		ahead = str_skip(ahead, len);
		skipped += len;
		lines++;
	}
	input_skip(&fold->input, skipped, lines);
}

/* An empty line and the next event, if its head came before; else false. */
static bool
fold_known_event(struct fold *fold)
{
	struct str ahead = input_ahead(&fold->input), text;
	const struct head *head;
	unsigned long long period;
	size_t len;

	if (ahead.len <= HEAD_BYTES || ahead.data[0] != '\n')
		return false;
	text = str_skip(ahead, 1);
	head = head_place(fold, text);
	if (head->len == 0 || memcmp(head->text, text.data, head->len) != 0)
		return false;
	text = str_skip(text, head->len);
	len = event_parse_plain(text, text_str(&fold->filter), &period);
	if (len == 0)
		return false;
	end_sample(fold);
	start_sample(fold, SAMPLE, head->root, head->java, period);
	input_skip(&fold->input, 1 + head->len + len, 2);
	return true;
}

/*
 * Folds the lines ahead as far as they came before: 92 % of the frames and
 * nearly all events in a profile of a whole machine.
 */
static void
fold_known(struct fold *fold)
{
	if (fold->sample != SAMPLE || source_lines)
		return;
	do
		fold_known_frames(fold);
	while (fold_known_event(fold));
}

static bool
is_empty(struct str line)
{
	return line.len == 0 || (is_blank(line.data[line.len - 1]) &&
	    str_trim_start(line).len == 0);
}

static void
fold_line(struct fold *fold, struct str line)
{
	bool indented = line.len > 0 && is_blank(line.data[0]);
	bool inside = fold->sample == SAMPLE || fold->sample == OTHER_SAMPLE;
	struct event event;
	struct place place;

	if (is_empty(line)) {
		end_sample(fold);
		return;
	}
	if (line.data[0] == '#')
		return;
	if (!fold->has_line)
		note_line(fold, line);
	if ((!indented || !inside) && event_parse(line, &event))
		fold_timed_event(fold, &event, indented);
	else if (!indented && event_parse_untimed(line, &event))
		fold_event(fold, &event, SAMPLE);
	else if (line.data[0] == ' ' && !inside &&
	    fold_untimed_lone_frame(fold, line))
		return;
	else if (!fields_are_certain(line) && (place_parse(line, &place) ||
	    (fold->sample != NO_SAMPLE && line.data[0] == '\t' &&
	    place_parse_bare(line, &place)))) {
		fold->recognized = fold->recognized ||
		    is_certain(&place, indented);
		remember(fold, line, fold_frame(fold, &place));
	} else
		fold_unrecognized(fold, line);
}

/* Says what was wrong with the input; false when nothing in it was right. */
static bool
report(const struct fold *fold)
{
	const struct notes *notes = fold->notes;
	struct text shown = { 0 };

	if (!fold->recognized && notes->first_line.len > 0) {
		warnx("this is not what perf script prints, it looks like %s",
		    guess_kind(text_str(&notes->first_line)));
		return false;
	}
	if (fold->unrecognized > 1)
		warnx("%lu lines were not recognized, the first is line %lu "
		    "of %s", (unsigned long)fold->unrecognized,
		    (unsigned long)notes->unrecognized_line,
		    notes->unrecognized_file);
	if (fold->merged > 0)
		warnx("--srcline: %lu samples became one with the next, as "
		    "their last frames have no source lines",
		    (unsigned long)fold->merged);
	if (fold->cut_short)
		warnx("the input ends inside a sample, which is left out");
	if (fold->stacks.overflowed)
		warnx("a count is larger than 2^64 - 1, which is printed "
		    "instead");
	if (fold->samples > 0)
		return true;
	if (notes->first_line.len == 0)
		warnx("the input is empty");
	else if (fold->other_samples > 0) {
		message_add_shown(&shown, text_str(&notes->filter));
		warnx("no sample is of the event %.*s; %lu are of others",
		    (int)shown.len, shown.data,
		    (unsigned long)fold->other_samples);
		free(shown.data);
	} else
		warnx("no stack was found; was it recorded without -g, "
		    "or printed without comm or ip?");
	return true;
}

static const struct option options[] = {
	{ "pid", OPTION_FLAG, &show_pid, NULL,
	    "add the process's number to the command's name [1]" },
	{ "tid", OPTION_FLAG, &show_tid, NULL,
	    "add the process's and the thread's numbers [1]" },
	{ "kernel", OPTION_FLAG, &mark_kernel, NULL,
	    "mark functions of the kernel with _[k]" },
	{ "jit", OPTION_FLAG, &mark_jit, NULL,
	    "mark functions compiled at run time with _[j]" },
	{ "all", OPTION_FLAG, &mark_all, NULL, "--kernel and --jit" },
	{ "addrs", OPTION_FLAG, &show_addresses, NULL,
	    "show the address where the symbol is unknown" },
	{ "inline", OPTION_FLAG, &show_inlined, NULL,
	    "ask addr2line for inlined functions" },
	{ "context", OPTION_FLAG, &show_context, NULL,
	    "add file and line to what --inline finds" },
	{ "srcline", OPTION_FLAG, &source_lines, NULL,
	    "add the lines that perf script -F +srcline prints" },
	{ "event-filter", OPTION_TEXT, &event_filter, "EVENT",
	    "count this event (default: the first one met)" },
	{ NULL, OPTION_ADDED, NULL, NULL, NULL },
	{ "jobs", OPTION_RANGE, &jobs, "N",
	    "fold in N threads (default: 1 unless the files are large)" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[option ...] [file ...] > out.folded",
	"[1] perf script prints both with -F comm,pid,tid,cpu,time,event,"
	"ip,sym,dso",
	options
};

static void
fold_init(struct fold *fold, struct notes *notes)
{
	*fold = (struct fold){ .sample = NO_SAMPLE, .notes = notes };
	frames_init(&fold->frames);
	memo_init(&fold->commands);
	stacks_init(&fold->stacks);
	fold->heads = mem_array(HEADS, sizeof(*fold->heads));
	recent_init(&fold->recent[0], RECENT_BITS);
	recent_init(&fold->recent[1], RECENT_BITS);
	text_add(&fold->filter, text_str(&notes->filter));
	fold->frames.kernel = mark_kernel || mark_all;
	fold->frames.jit = mark_jit || mark_all;
	fold->frames.addresses = show_addresses;
	if (show_inlined)
		fold->frames.inliner = addr2line_new(show_context);
}

/* Folds all of the input, or this thread's part: a struct fold. */
static void *
fold_input(void *argument)
{
	struct fold *fold = argument;
	struct str line;

	input_show(&fold->input, &fold->samples,
	    &fold->stacks.sequences.count);
	while (input_line(&fold->input, &line)) {
		fold_line(fold, line);
		fold_known(fold);
	}
	if (fold->sample == SAMPLE_LONE)
		end_sample(fold);
	fold->cut_short = fold->sample == SAMPLE && fold->stack.depth > 0;
	if (fold->frames.inliner != NULL)
		addr2line_end(fold->frames.inliner);
	stacks_settle(&fold->stacks);
	return NULL;
}

/* The end of the last empty line, which ends a sample. */
static size_t
find_sample_end(struct str text, size_t from)
{
	size_t end, line;

	for (end = text.len; end > from; end--) {
		if (text.data[end - 1] != '\n')
			continue;
		line = end - 1;
		if (line > 0 && text.data[line - 1] == '\r')
			line--;
		if (line > 0 && text.data[line - 1] == '\n')
			return end;
	}
	return 0;
}

/* Adds what another thread has folded. */
static void
fold_merge(struct fold *fold, struct fold *other)
{
	stacks_merge(&fold->stacks, &fold->frames.namer.names, &other->stacks,
	    &other->frames.namer.names);
	fold->recognized |= other->recognized;
	fold->cut_short |= other->cut_short;
	fold->samples += other->samples;
	fold->other_samples += other->other_samples;
	fold->unrecognized += other->unrecognized;
}

/* With addr2line, and with source lines, samples are folded one by one. */
static size_t
choose_threads(const char *const *operands)
{
	size_t threads = input_threads(jobs.value, operands);

	return show_inlined || source_lines ? 1 : threads;
}

int
main(int argc, char **argv)
{
	static struct fold folds[THREADS_MOST];
	static struct notes notes;
	const char *const *operands = options_parse(&usage, argv);
	size_t count = choose_threads(operands), i;
	bool all_read, good;

	(void)argc;
	progress_start(options_program(argv), operands, "samples");
	text_add(&notes.filter, str_from(event_filter));
	for (i = 0; i < count; i++)
		fold_init(&folds[i], &notes);
	all_read = input_run(operands, find_sample_end, fold_input, folds,
	    sizeof(*folds), count);
	for (i = 1; i < count; i++)
		fold_merge(&folds[0], &folds[i]);
	good = report(&folds[0]);
	if (good)
		stacks_print(&folds[0].stacks, &folds[0].frames.namer.names,
		    count > 1, stdout);
	return output_close(good && all_read ? 0 : 1);
}
