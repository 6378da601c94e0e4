/*
 * linecache: a cache in front of the parser of perf script's lines.  In a
 * profile of a whole machine, 92 % of the frames and nearly all heads repeat.
 */
#include "script.h"

#define THREADS		256
#define THREAD_START	16	/* bytes that its slot depends on */
#define THREAD_BYTES	40	/* longer ones are parsed each time */
#define EVENT_BYTES	40
#define ADDRESS_COLUMNS	16	/* of one of data after the event */
#define SAFE_DIGITS	20	/* fewer make no number larger than 2^64 - 1 */

/* "COMM PID[/TID]", with which a head began, and its "EVENT:". */
struct thread_line {
	char text[THREAD_BYTES], event[EVENT_BYTES];
	size_t len, event_len;	/* a len of 0: an empty slot */
	struct sample sample;	/* its root is 0 if it was left out */
};

static struct thread_line *
thread_slot(const struct script *script, struct str text)
{
	uint64_t words[THREAD_START / sizeof(uint64_t)];

	memcpy(words, text.data, sizeof(words));
	words[0] = (words[0] ^ words[1] >> 7) * UINT64_C(0x9E3779B97F4A7C15);
	return &script->threads[words[0] >> 32 & (THREADS - 1)];
}

/* Returns the slot of a frame, by the last 8 digits of its address. */
static size_t
frame_slot(const struct line_cache *cache, const char *line)
{
	uint64_t digits;

	memcpy(&digits, line + FRAME_ADDRESS_END - sizeof(digits),
	    sizeof(digits));
	return line_cache_slot(cache, digits);
}

/*
 * A thread is noted if its line begins with it and has nothing unusual, and
 * periods of one event count.
 */
static void
note_head(struct script *script)
{
	const struct profile_options *options = script->options;
	const struct head *head = &script->line.head;
	struct str text = head->thread, event = head->event;
	struct thread_line *thread;

	if (options->in_order || options->waits != NULL || options->cgroup ||
	    options->source_lines || profile_counts_field(script->profile) ||
	    filter_keeps_events(&options->filter) ||
	    (script->fold->input.form & HEAD_NUMBERLESS) != 0 ||
	    !head->in_columns || head->comm.len == 0 ||
	    text.len > THREAD_BYTES || event.len == 0 ||
	    event.len >= EVENT_BYTES || script->line.text.len < THREAD_START)
		return;
	if (script->threads == NULL)
		script->threads = mem_array(THREADS, sizeof(*thread));
	thread = thread_slot(script, text);
	memcpy(thread->text, text.data, text.len);
	memcpy(thread->event, event.data, event.len + 1);
	thread->len = text.len;
	thread->event_len = event.len + 1;
	thread->sample = script->sample;
	thread->sample.comm.data = thread->text +
	    (head->comm.data - text.data);
}

static const char *
skip_spaces(const char *at)
{
	while (*at == ' ')
		at++;
	return at;
}

static inline const char *
skip_digits(const char *at, struct str *digits)
{
	*digits = (struct str){ at, 0 };
	while (is_digit(at[digits->len]))
		digits->len++;
	return at + digits->len;
}

/*
 * Parses a head after its thread, if it is of the same event and head_parse
 * would see nothing else in it:
 *
 *	 [000]   502.708183:     142857 cpu-clock:
 *
 * Stores the CPU, the time and what the sample counts.  Returns how much of
 * text that is, with the line end, or 0.  A NUL must follow text.
 */
static size_t
parse_rest(struct str text, struct thread_line *thread, struct head *head)
{
	const char *at = skip_spaces(text.data), *end = text.data + text.len;
	const char *digits;
	struct str fraction;
	uint64_t count = 0;
	size_t len = 0;

	head->cpu = str_take(text, 0);
	if (*at == '[') {
		at = skip_digits(at + 1, &head->cpu);
		if (head->cpu.len == 0 || at[0] != ']' || at[1] != ' ')
			return 0;
		at = skip_spaces(at + 1);
	}
	at = skip_digits(at, &head->time);
	if (text.data[0] != ' ' || head->time.len == 0 || *at != '.')
		return 0;
	at = skip_digits(at + 1, &fraction);
	head->time.len += 1 + fraction.len;
	if (fraction.len == 0 || *at != ':')
		return 0;
	at = digits = skip_spaces(at + 1);
	for (; is_digit(*at); at++)
		count = count * 10 + (uint64_t)(*at - '0');
	if (at > digits && (*at != ' ' || at - digits >= SAFE_DIGITS))
		return 0;
	at = skip_spaces(at);
	if (!str_starts((struct str){ at, (size_t)(end - at) },
	    (struct str){ thread->event, thread->event_len }))
		return 0;
	end = at + thread->event_len;
	at = skip_spaces(end);
	/* where nothing follows, or a cgroup, the period counts */
	thread->sample.count = count > 0 && (*at == '\n' || *at == '/' ||
	    strncmp(at, "unknown\n", sizeof("unknown\n") - 1) == 0) ?
	    count : 1;
	if (*at != '\n') {
		while (len < ADDRESS_COLUMNS && is_hex(at[len]))
			len++;
		/* the line of a long command may have a frame */
		if (*at == '\r' || at - end != 1 ||
		    thread->sample.comm.len >= HEAD_COMM_MOST ||
		    len == ADDRESS_COLUMNS)
			return 0;
		end = text.data + text.len;
		at = memchr(at, '\n', (size_t)(end - at));
	}
	return at == NULL ? 0 : (size_t)(at + 1 - text.data);
}

/*
 * Steps over the frames ahead, and returns their number.  Adds them, unless
 * their sample is left out.
 */
static inline size_t
fold_frames(struct script *script, struct str *ahead)
{
	const struct line_cache *frames =
	    &script->frames[script->sample.java];
	struct stack *stack = &script->fold->stack;
	struct str rest = *ahead;
	size_t len, lines = 0;
	struct calls calls = { NULL, 0, false };

	if (script->left != SCRIPT_OUTSIDE)
		for (; str_starts(rest, STR("\t")) &&
		    (len = str_find(rest, '\n')) < rest.len; lines++)
			rest = str_skip(rest, len + 1);
	else {
		for (; rest.len > LINE_CACHE_LINE && (len = line_cache_find(
		    frames, frame_slot(frames, rest.data), rest, &calls)) > 0;
		    lines++) {
			calls_push(stack, calls);
			rest = str_skip(rest, len);
		}
		if (lines > 0)
			script->state = SCRIPT_STACK;
	}
	*ahead = rest;
	return lines;
}

/*
 * Begins the sample of an empty line and a head ahead, and steps over both;
 * false if they have to be parsed.
 */
static inline bool
fold_head(struct script *script, struct str *ahead)
{
	struct thread_line *thread;
	struct str text;
	size_t len;

	if (ahead->len <= THREAD_BYTES || ahead->data[0] != '\n' ||
	    script->threads == NULL)
		return false;
	text = str_skip(*ahead, 1);
	thread = thread_slot(script, text);
	if (thread->len == 0 ||
	    memcmp(thread->text, text.data, thread->len) != 0)
		return false;
	text = str_skip(text, thread->len);
	len = parse_rest(text, thread, &script->line.head);
	if (len == 0 || !script_begin_cached(script, &thread->sample))
		return false;
	*ahead = str_skip(text, len);
	return true;
}

void
linecache_fold(struct script *script)
{
	struct input *input = &script->fold->input;
	struct str whole = input_whole_line(input), ahead = input_ahead(input);
	struct line_cache *frames = &script->frames[script->sample.java];
	bool is_left = script->left != SCRIPT_OUTSIDE;
	size_t lines = 0;

	if (script->is_head)
		note_head(script);
	if (is_left ? script->state != SCRIPT_OUTSIDE ||
	    !script->fold->recognized : script->options->source_lines ||
	    (script->state != SCRIPT_OPEN && script->state != SCRIPT_STACK))
		return;
	if (!is_left && script->line.kind == LINE_FRAME &&
	    is_blank(whole.data[0]) && str_ends(whole, STR("\n")) &&
	    script->line.text.len > FRAME_ADDRESS_END)
		line_cache_note(frames, frame_slot(frames, whole.data), whole,
		    &script->calls);
	for (;; lines += 2) {
		lines += fold_frames(script, &ahead);
		if (!fold_head(script, &ahead))
			break;
	}
	input_skip(input, (size_t)(ahead.data - whole.data) - whole.len, lines);
}
