#include "known.h"

#define LINE_BITS	13	/* 1 MB of lines; twice as many are slower */
#define THREADS		256
#define THREAD_START	16	/* bytes that tell where a thread is noted */
#define THREAD_BYTES	40	/* longer ones are parsed each time */
#define PADDED_COMM	15	/* a longer one may have a frame on its line */
#define ADDRESS_COLUMNS	16
#define SAFE_DIGITS	20	/* fewer make no number larger than 2^64 - 1 */

/* "COMM PID[/TID]", with which an event line began that was counted. */
struct thread_line {
	char text[THREAD_BYTES];
	size_t len;		/* 0: no thread is noted here */
	struct root root;
	bool short_comm;	/* no frame is on its line */
	bool has_root;		/* else none of its samples was selected */
	bool wanted;		/* the thread is; its time may be not */
	size_t comm;		/* where its command begins in text, */
	size_t comm_len;
};

/* The rest of an event line, after the thread. */
struct tail {
	size_t len;		/* with the line end */
	unsigned long long period;
	bool arguments;		/* something follows the event's name... */
	bool counts;		/* ...which is nothing or a cgroup */
};

void
known_init(struct known *known)
{
	line_cache_init(&known->frames[0], LINE_BITS);
	line_cache_init(&known->frames[1], LINE_BITS);
	known->threads = mem_array(THREADS, sizeof(*known->threads));
}

/* Returns where the thread that text begins with is noted. */
static struct thread_line *
thread_slot(const struct known *known, struct str text)
{
	uint64_t words[THREAD_START / sizeof(uint64_t)];

	memcpy(words, text.data, sizeof(words));
	words[0] = (words[0] ^ words[1] >> 7) * UINT64_C(0x9E3779B97F4A7C15);
	return &known->threads[words[0] >> 32 & (THREADS - 1)];
}

/*
 * Returns where a frame's line is noted: by its address, which perf prints in
 * 16 columns after a tab; the last 8 digits tell most.
 */
static size_t
frame_slot(const struct line_cache *cache, const char *line)
{
	uint64_t digits;

	memcpy(&digits, line + FRAME_ADDRESS_END - sizeof(digits),
	    sizeof(digits));
	return line_cache_slot(cache, digits);
}

/* True if text, which is no shorter, begins with the thread that is noted. */
static inline bool
is_noted(const struct thread_line *noted, struct str text)
{
	return noted->len > 0 &&
	    memcmp(noted->text, text.data, noted->len) == 0;
}

/* Returns the event of which lines are known. */
static inline struct str
event_of(const struct known *known, const struct script *script)
{
	return text_str(script->filter->event.len > 0 ? &script->filter->event :
	    &known->left_event);
}

/*
 * Notes the thread of a line that begins with it and tells nothing unusual.
 * Those of another file are forgotten, as struct exited is to see them, too.
 */
static void
note_thread(struct known *known, const struct script *script, struct str whole)
{
	const struct event *event = &script->line.event;
	struct str text = event->thread.text, comm = event->thread.comm;
	struct thread_line *noted;

	if (text.len == 0 || text.len > THREAD_BYTES ||
	    whole.len < THREAD_START || text.data != whole.data ||
	    is_blank(text.data[0]) || event->thread.pid.len == 0 ||
	    !event->thread.certain ||
	    event->name.len == 0 ||
	    !str_equal(event->name, event_of(known, script)))
		return;
	if (known->file != script->fold->input.name) {
		memset(known->threads, 0, THREADS * sizeof(*noted));
		known->file = script->fold->input.name;
	}
	noted = thread_slot(known, text);
	if (script->state == SCRIPT_LEFT && noted->len == text.len &&
	    is_noted(noted, text))
		return;
	memcpy(noted->text, text.data, text.len);
	noted->len = text.len;
	noted->root = script->root;
	noted->short_comm = comm.len > 0 && comm.len < PADDED_COMM;
	noted->has_root = script->state != SCRIPT_LEFT;
	noted->wanted = choice_has_thread(script->options->selection,
	    &event->thread);
	noted->comm = comm.len == 0 ? 0 : (size_t)(comm.data - text.data);
	noted->comm_len = comm.len;
}

/*
 * Notes the thread of a sample that is left out, and its event as long as it is
 * not known which one counts.
 */
static void
note_left(struct known *known, const struct script *script, struct str whole)
{
	const struct event *event = &script->line.event;

	if (event->thread.comm.len == 0 || (event->thread.tid.len == 0 &&
	    (script->options->selection->by & SELECTION_PIDS) != 0))
		return;
	known->left_event.len = 0;
	text_add(&known->left_event, event->name);
	note_thread(known, script, whole);
}

static inline void
note_frame(struct known *known, const struct script *script, struct str whole)
{
	struct line_cache *cache = &known->frames[script->root.java];

	if (is_blank(whole.data[0]) && whole.data[whole.len - 1] == '\n' &&
	    script->line.text.len > FRAME_ADDRESS_END)
		line_cache_note(cache, frame_slot(cache, whole.data), whole,
		    &script->calls);
}

void
known_note(struct known *known, const struct script *script, struct str whole)
{
	if (!script_takes_frames(script)) {
		if (script->state == SCRIPT_LEFT &&
		    script->line.kind == LINE_EVENT)
			note_left(known, script, whole);
	} else if (script->line.kind == LINE_FRAME)
		note_frame(known, script, whole);
	else if (script->line.kind == LINE_EVENT)
		note_thread(known, script, whole);
}

static const char *
skip_spaces(const char *at)
{
	while (*at == ' ')
		at++;
	return at;
}

static const char *
skip_digits(const char *at)
{
	while (is_digit(*at))
		at++;
	return at;
}

/* Skips "[000] ", if it is there; returns NULL where it is odd. */
static inline const char *
skip_cpu(const char *at)
{
	const char *digits = at + 1;

	if (*at != '[')
		return at;
	at = skip_digits(digits);
	return at > digits && at[0] == ']' && at[1] == ' ' ?
	    skip_spaces(at + 1) : NULL;
}

/* Skips "502.708183:"; returns NULL where it is not. */
static const char *
skip_time(const char *at)
{
	const char *point = skip_digits(at), *end;

	if (point == at || *point != '.')
		return NULL;
	end = skip_digits(point + 1);
	return end > point + 1 && *end == ':' ? end + 1 : NULL;
}

/* Skips "142857 ", if it is there; returns NULL where it is odd. */
static const char *
parse_period(const char *at, unsigned long long *period)
{
	const char *start = at;

	*period = 0;
	for (; is_digit(*at); at++)
		*period = *period * 10 + (unsigned long long)(*at - '0');
	if (at == start)
		return at;
	return at - start < SAFE_DIGITS && *at == ' ' ? skip_spaces(at) : NULL;
}

/* True for an address of data in its 16 columns, if a blank precedes it. */
static bool
fills_address_columns(const char *at)
{
	size_t digits = 0;

	while (digits < ADDRESS_COLUMNS && is_hex(at[digits]))
		digits++;
	return digits == ADDRESS_COLUMNS;
}

/*
 * Parses an event line after its thread, if it is of the event `name` and
 * holds nothing that event_parse would see more in:
 *
 *	 [000]   502.708183:     142857 cpu-clock:
 *
 * A NUL must follow text.
 */
static bool
parse_tail(struct str text, struct str name, struct tail *tail)
{
	const char *at = text.data, *end = text.data + text.len, *name_end;

	if (*at != ' ' || (at = skip_cpu(skip_spaces(at))) == NULL)
		return false;
	if ((at = skip_time(at)) == NULL ||
	    (at = parse_period(skip_spaces(at), &tail->period)) == NULL ||
	    (size_t)(end - at) <= name.len ||
	    memcmp(at, name.data, name.len) != 0 || at[name.len] != ':')
		return false;
	name_end = at + name.len + 1;
	at = skip_spaces(name_end);
	if (*at == '\r')
		return false;
	tail->arguments = *at != '\n';
	tail->counts = !tail->arguments || *at == '/' ||
	    str_starts((struct str){ at, (size_t)(end - at) },
	    STR("unknown\n"));
	if (tail->arguments)
		at = at - name_end != 1 || fills_address_columns(at) ? NULL :
		    memchr(at, '\n', (size_t)(end - at));
	if (at == NULL)
		return false;
	tail->len = (size_t)(at + 1 - text.data);
	return true;
}

/* Folds the frames ahead, and steps over them; returns how many lines. */
static inline size_t
fold_frames(const struct known *known, struct script *script,
    struct str *ahead)
{
	const struct line_cache *cache = &known->frames[script->root.java];
	struct stack *stack = &script->fold->stack;
	struct str rest = *ahead;
	size_t len, lines = 0;
	struct calls calls = { NULL, 0, false };

	while (rest.len > LINE_CACHE_LINE && (len = line_cache_find(cache,
	    frame_slot(cache, rest.data), rest, &calls)) > 0) {
		calls_push(stack, calls);
		rest = str_skip(rest, len);
		lines++;
	}
	*ahead = rest;
	if (lines > 0)
		script->state = SCRIPT_STACK;
	return lines;
}

/* What is ahead after some lines. */
struct step {
	struct str ahead;
	size_t lines;		/* 0: it goes no further here */
};

/* Steps over the frames ahead of a sample that is left out. */
static struct step
skip_frames(struct str ahead, size_t lines)
{
	size_t end;

	while (str_starts(ahead, STR("\t")) &&
	    (end = str_find(ahead, '\n')) < ahead.len) {
		ahead = str_skip(ahead, end + 1);
		lines++;
	}
	return (struct step){ ahead, lines };
}

/*
 * Folds or leaves out a known thread's event, of which text begins with what
 * parse_tail has parsed.
 */
static struct step
select_event(struct script *script, const struct thread_line *thread,
    struct str text, struct tail tail)
{
	const struct selection *selection = script->options->selection;
	const char *start = skip_spaces(text.data), *end = skip_cpu(start);
	unsigned long long cpu = UINT32_MAX;
	uint64_t time = event_nanoseconds((struct str){ end,
	    (size_t)(text.data + text.len - end) });

	if (*start == '[')
		str_number((struct str){ start + 1, (size_t)(end - start) },
		    &cpu);
	else if ((selection->by & SELECTION_CPUS) != 0)
		return (struct step){ text, 0 };
	if (!thread->wanted || !selection_wants_time(selection, time) ||
	    !selection_wants_cpu(selection, cpu > UINT32_MAX ? UINT32_MAX :
	    (uint32_t)cpu)) {
		script_leave_sample(script, (struct str){ thread->text +
		    thread->comm, thread->comm_len }, time);
		return skip_frames(str_skip(text, tail.len), 2);
	}
	if (!thread->has_root)
		return (struct step){ text, 0 };
	script_select_sample(script, thread->root,
	    tail.counts ? tail.period : 1);
	return (struct step){ str_skip(text, tail.len), 2 };
}

/*
 * Folds an empty line and the next event, and steps over them; returns how many
 * lines these are, 0 if its thread is not known.
 */
static inline size_t
fold_event(const struct known *known, struct script *script, struct str name,
    struct str *ahead)
{
	const struct thread_line *thread;
	struct str line, text;
	struct step step;
	struct tail tail;

	if (ahead->len <= THREAD_BYTES || ahead->data[0] != '\n' ||
	    known->file != script->fold->input.name)
		return 0;
	line = str_skip(*ahead, 1);
	thread = thread_slot(known, line);
	if (!is_noted(thread, line))
		return 0;
	text = str_skip(line, thread->len);
	if (!parse_tail(text, name, &tail) ||
	    (tail.arguments && !thread->short_comm))
		return 0;
	if (script->options->selection != NULL) {
		step = select_event(script, thread, text, tail);
		if (step.lines > 0)
			*ahead = step.ahead;
		return step.lines;
	}
	script_next_sample(script, thread->root,
	    tail.counts ? tail.period : 1);
	*ahead = str_skip(text, tail.len);
	return 2;
}

void
known_fold(const struct known *known, struct script *script)
{
	struct input *input = &script->fold->input;
	struct str ahead = input_ahead(input), name = event_of(known, script);
	const char *start = ahead.data;
	struct step skipped;
	size_t lines, step;

	if (script->state == SCRIPT_LEFT && script->fold->recognized &&
	    script->before == SCRIPT_OUTSIDE) {
		skipped = skip_frames(ahead, 0);
		ahead = skipped.ahead;
		lines = skipped.lines;
	} else if (script_takes_frames(script))
		lines = fold_frames(known, script, &ahead);
	else
		return;
	while (script->counts_periods &&
	    !(input_form(input) & EVENT_NUMBERLESS) &&
	    (step = fold_event(known, script, name, &ahead)) > 0)
		lines += step + fold_frames(known, script, &ahead);
	input_skip(input, (size_t)(ahead.data - start), lines);
}
