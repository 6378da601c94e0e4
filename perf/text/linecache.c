/*
 * linecache: a cache in front of the parser of perf script's lines.  In a
 * profile of a whole machine, 92 % of the frames and nearly all heads repeat.
 */
#include "script.h"

#define THREADS		256
#define THREAD_START	16	/* bytes that its slot depends on */
#define THREAD_BYTES	40	/* longer ones are parsed each time */
#define EVENT_BYTES	40
#define PADDED_COMM	15	/* a longer one may have a frame on its line */
#define ADDRESS_COLUMNS	16	/* of one of data after the event */
#define SAFE_DIGITS	20	/* fewer make no number larger than 2^64 - 1 */

/* "COMM PID[/TID]", with which a head began, and its event. */
struct thread_line {
	char text[THREAD_BYTES], event[EVENT_BYTES];
	size_t len, event_len;	/* a len of 0: an empty slot */
	struct sample sample;	/* without its time, processor and count; its
				   root is 0 if it was left out */
};

static struct thread_line *
thread_slot(const struct script *script, struct str text)
{
	uint64_t words[THREAD_START / sizeof(uint64_t)];

	memcpy(words, text.data, sizeof(words));
	words[0] = (words[0] ^ words[1] >> 7) * UINT64_C(0x9E3779B97F4A7C15);
	return &script->cache.threads[words[0] >> 32 & (THREADS - 1)];
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
 * Notes the thread of a line that begins with it and has nothing unusual.  In
 * another file its ID may be another thread's.
 */
static void
note_thread(struct script *script, const struct sample *sample,
    struct str whole)
{
	struct linecache *cache = &script->cache;
	const struct head *head = &script->line.head;
	struct str text = head->thread, event = head->event;
	struct thread_line *thread;

	if (text.len > THREAD_BYTES || event.len > EVENT_BYTES ||
	    text.len == 0 || event.len == 0 || head->comm.len == 0 ||
	    whole.len < THREAD_START || text.data != whole.data ||
	    is_blank(text.data[0]) || !head->in_columns)
		return;
	if (cache->threads == NULL)
		cache->threads = mem_array(THREADS, sizeof(*thread));
	if (cache->file != script->fold->input.name) {
		memset(cache->threads, 0, THREADS * sizeof(*thread));
		cache->file = script->fold->input.name;
	}
	thread = thread_slot(script, text);
	if (script->state == SCRIPT_LEFT && thread->len == text.len &&
	    memcmp(thread->text, text.data, text.len) == 0)
		return;
	memcpy(thread->text, text.data, text.len);
	memcpy(thread->event, event.data, event.len);
	thread->len = text.len;
	thread->event_len = event.len;
	thread->sample = *sample;
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
parse_rest(struct str text, const struct thread_line *thread,
    struct head *head, uint64_t *count)
{
	const char *at = skip_spaces(text.data), *end = text.data + text.len;
	const char *digits;
	size_t len = 0;
	struct str fraction, *cpu = &head->cpu;
	uint64_t period = 0;

	*cpu = str_take(text, 0);
	if (*at == '[') {
		at = skip_digits(at + 1, cpu);
		if (cpu->len == 0 || at[0] != ']' || at[1] != ' ')
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
		period = period * 10 + (uint64_t)(*at - '0');
	if (at > digits && (*at != ' ' || at - digits >= SAFE_DIGITS))
		return 0;
	at = skip_spaces(at);
	if ((size_t)(end - at) <= thread->event_len ||
	    memcmp(at, thread->event, thread->event_len) != 0 ||
	    at[thread->event_len] != ':')
		return 0;
	end = at + thread->event_len + 1;
	at = skip_spaces(end);
	/* where nothing follows, or a cgroup, the period counts */
	*count = period > 0 && (*at == '\n' || *at == '/' ||
	    strncmp(at, "unknown\n", sizeof("unknown\n") - 1) == 0) ?
	    period : 1;
	if (*at != '\n') {
		while (len < ADDRESS_COLUMNS && is_hex(at[len]))
			len++;
		if (*at == '\r' || at - end != 1 ||
		    thread->sample.comm.len >= PADDED_COMM ||
		    len == ADDRESS_COLUMNS)
			return 0;
		end = text.data + text.len;
		at = memchr(at, '\n', (size_t)(end - at));
	}
	return at == NULL ? 0 : (size_t)(at + 1 - text.data);
}

/* Adds the frames ahead, and steps over them; returns their number. */
static inline size_t
fold_frames(struct script *script, struct str *ahead)
{
	const struct line_cache *frames =
	    &script->cache.frames[script->sample.java];
	struct stack *stack = &script->fold->stack;
	struct str rest = *ahead;
	size_t len, lines = 0;
	struct calls calls = { NULL, 0, false };

	while (rest.len > LINE_CACHE_LINE && (len = line_cache_find(frames,
	    frame_slot(frames, rest.data), rest, &calls)) > 0) {
		calls_push(stack, calls);
		rest = str_skip(rest, len);
		lines++;
	}
	*ahead = rest;
	if (lines > 0)
		script->state = SCRIPT_STACK;
	return lines;
}

/*
 * Begins the sample of an empty line and a head ahead, and steps over both;
 * false if they have to be parsed.
 */
static inline bool
fold_head(struct script *script, struct str *ahead)
{
	const struct thread_line *thread;
	struct str line, text;
	struct head head;
	uint64_t count;
	size_t len;

	if (ahead->len <= THREAD_BYTES || ahead->data[0] != '\n' ||
	    script->cache.file != script->fold->input.name)
		return false;
	line = str_skip(*ahead, 1);
	thread = thread_slot(script, line);
	if (thread->len == 0 ||
	    memcmp(thread->text, line.data, thread->len) != 0)
		return false;
	text = str_skip(line, thread->len);
	len = parse_rest(text, thread, &head, &count);
	if (len == 0 ||
	    !script_begin_cached(script, &thread->sample, &head, count))
		return false;
	*ahead = str_skip(text, len);
	return true;
}

void
linecache_fold(struct script *script)
{
	struct input *input = &script->fold->input;
	struct str whole = input_whole_line(input), ahead = input_ahead(input);
	struct line_cache *frames =
	    &script->cache.frames[script->sample.java];
	size_t lines = 0, end;
	bool takes_frames = (script->state == SCRIPT_OPEN ||
	    script->state == SCRIPT_STACK) && !script->options->source_lines;

	if (takes_frames && script->line.kind == LINE_FRAME &&
	    is_blank(whole.data[0]) && str_ends(whole, STR("\n")) &&
	    script->line.text.len > FRAME_ADDRESS_END)
		line_cache_note(frames, frame_slot(frames, whole.data), whole,
		    &script->calls);
	if (script->line.kind == LINE_HEAD && script->caches &&
	    (script->state == SCRIPT_LEFT ||
	    (takes_frames && script->has_begun)))
		note_thread(script, takes_frames ? &script->sample :
		    &script->left, whole);
	if (!takes_frames && (script->state != SCRIPT_LEFT ||
	    !script->fold->recognized || script->before != SCRIPT_OUTSIDE))
		return;
	for (;; lines += 2) {
		if (script->state != SCRIPT_LEFT)
			lines += fold_frames(script, &ahead);
		else	/* the sample is left out, and so are its frames */
			for (; str_starts(ahead, STR("\t")) &&
			    (end = str_find(ahead, '\n')) < ahead.len; lines++)
				ahead = str_skip(ahead, end + 1);
		if (!script->caches || (input->form & HEAD_NUMBERLESS) != 0 ||
		    !fold_head(script, &ahead))
			break;
	}
	input_skip(input, (size_t)(ahead.data - whole.data) - whole.len, lines);
}
