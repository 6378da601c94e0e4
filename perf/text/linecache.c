#include "linecache.h"

#define LINE_BITS	13	/* 1 MB of lines; twice as many are slower */
#define THREADS		256
#define THREAD_START	16	/* bytes that the slot of a thread depends on */
#define THREAD_BYTES	40	/* longer ones are parsed each time */
#define PADDED_COMM	15	/* a longer one may have a frame on its line */
#define ADDRESS_COLUMNS	16
#define SAFE_DIGITS	20	/* fewer make no number larger than 2^64 - 1 */

/* "COMM PID[/TID]", with which an event's line began. */
struct thread_line {
	char text[THREAD_BYTES];
	size_t len;		/* 0: an empty slot */
	struct sample sample;	/* without its time, processor and count */
	bool has_root;		/* one of its samples was selected */
	bool short_comm;	/* no frame is on its line */
};

/* The rest of an event line, after the thread. */
struct tail {
	size_t len;		/* with the line end */
	struct str time;
	struct str cpu;		/* digits, or empty */
	unsigned long long period;
	bool arguments;		/* something follows the event's name... */
	bool counts;		/* ...which is nothing or a cgroup */
};

void
linecache_init(struct linecache *cache)
{
	line_cache_init(&cache->frames[0], LINE_BITS);
	line_cache_init(&cache->frames[1], LINE_BITS);
	cache->threads = mem_array(THREADS, sizeof(*cache->threads));
}

/* Returns the slot of the thread that text begins with. */
static struct thread_line *
thread_slot(const struct linecache *cache, struct str text)
{
	uint64_t words[THREAD_START / sizeof(uint64_t)];

	memcpy(words, text.data, sizeof(words));
	words[0] = (words[0] ^ words[1] >> 7) * UINT64_C(0x9E3779B97F4A7C15);
	return &cache->threads[words[0] >> 32 & (THREADS - 1)];
}

/*
 * Returns the slot for a frame's line, from its address in the 16 columns after
 * the tab; the last 8 digits differ most.
 */
static size_t
frame_slot(const struct line_cache *cache, const char *line)
{
	uint64_t digits;

	memcpy(&digits, line + FRAME_ADDRESS_END - sizeof(digits),
	    sizeof(digits));
	return line_cache_slot(cache, digits);
}

/* True if text, at least as long, begins with the thread of a slot. */
static inline bool
begins_with(struct str text, const struct thread_line *thread)
{
	return thread->len > 0 &&
	    memcmp(thread->text, text.data, thread->len) == 0;
}

/*
 * Returns the event whose lines are looked up: the one that counts, or, while
 * that is unknown, the event of the last sample left out.
 */
static inline struct str
event_of(const struct linecache *cache, const struct script *script)
{
	const struct text *event = &script->options->filter.event;

	return text_str(event->len > 0 ? event : &cache->left_event);
}

/*
 * Notes the thread of a line that begins with it and has nothing unusual.
 * Those of another file are forgotten, as their ids may be of other threads.
 */
static void
note_thread(struct linecache *cache, const struct script *script,
    const struct sample *sample, struct str whole)
{
	const struct head *head = &script->line.head;
	bool is_left = script->state == SCRIPT_LEFT;
	struct str text = head->thread, comm = head->comm;
	struct thread_line *thread;

	if (text.len == 0 || text.len > THREAD_BYTES ||
	    whole.len < THREAD_START || text.data != whole.data ||
	    is_blank(text.data[0]) || head->tid.len == 0 ||
	    !head->in_columns || comm.len == 0 ||
	    head->event.len == 0 ||
	    !str_equal(head->event, event_of(cache, script)))
		return;
	if (cache->file != script->fold->input.name) {
		memset(cache->threads, 0, THREADS * sizeof(*thread));
		cache->file = script->fold->input.name;
	}
	thread = thread_slot(cache, text);
	if (is_left && thread->len == text.len && begins_with(text, thread))
		return;
	memcpy(thread->text, text.data, text.len);
	thread->len = text.len;
	thread->sample = *sample;
	thread->sample.comm.data = thread->text + (comm.data - text.data);
	thread->has_root = !is_left;
	thread->short_comm = comm.len < PADDED_COMM;
}

static inline void
note_frame(struct linecache *cache, const struct script *script,
    struct str whole)
{
	struct line_cache *frames = &cache->frames[script->sample.root.java];

	if (is_blank(whole.data[0]) && whole.data[whole.len - 1] == '\n' &&
	    script->line.text.len > FRAME_ADDRESS_END)
		line_cache_note(frames, frame_slot(frames, whole.data), whole,
		    &script->calls);
}

void
linecache_note(struct linecache *cache, const struct script *script,
    struct str whole)
{
	const struct head *head = &script->line.head;

	if (script->state == SCRIPT_LEFT && script->line.kind == LINE_HEAD) {
		cache->left_event.len = 0;
		text_add(&cache->left_event, head->event);
		note_thread(cache, script, &script->left, whole);
	} else if (!script_takes_frames(script))
		return;
	else if (script->line.kind == LINE_FRAME)
		note_frame(cache, script, whole);
	else if (script->line.kind == LINE_HEAD)
		note_thread(cache, script, &script->sample, whole);
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
skip_cpu(const char *at, struct str *cpu)
{
	const char *digits = at + 1;

	*cpu = (struct str){ digits, 0 };
	if (*at != '[')
		return at;
	at = skip_digits(digits);
	cpu->len = (size_t)(at - digits);
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

	if (*at != ' ' || (at = skip_cpu(skip_spaces(at), &tail->cpu)) == NULL)
		return false;
	tail->time.data = at;
	at = skip_time(at);
	if (at == NULL)
		return false;
	tail->time.len = (size_t)(at - 1 - tail->time.data);
	if ((at = parse_period(skip_spaces(at), &tail->period)) == NULL ||
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
fold_frames(const struct linecache *cache, struct script *script,
    struct str *ahead)
{
	const struct line_cache *frames =
	    &cache->frames[script->sample.root.java];
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

/* Steps over the frames ahead of a sample that is left out. */
static size_t
skip_frames(struct str *ahead)
{
	size_t end, lines = 0;

	while (str_starts(*ahead, STR("\t")) &&
	    (end = str_find(*ahead, '\n')) < ahead->len) {
		*ahead = str_skip(*ahead, end + 1);
		lines++;
	}
	return lines;
}

/* Sets what samples are selected by; false if a line lacks that. */
static bool
read_selected(const struct select *select, const struct tail *tail,
    struct sample *sample)
{
	unsigned long long cpu = 0;

	sample->time = head_time(&(struct head){ .time = tail->time });
	sample->has |= SAMPLE_HAS_TIME;
	if (sample->time == HEAD_NO_TIME)
		return false;
	if ((select->by & SAMPLE_HAS_CPU) == 0)
		return true;
	if (!str_number(tail->cpu, &cpu) || cpu > UINT32_MAX)
		return false;
	sample->cpu = (uint32_t)cpu;
	sample->has |= SAMPLE_HAS_CPU;
	return true;
}

/*
 * Folds or leaves out the sample of an empty line and an event line ahead, and
 * steps over both; false if its thread is not in the cache.
 */
static inline bool
fold_event(const struct linecache *cache, struct script *script,
    struct str name, struct str *ahead)
{
	const struct select *select = script->options->select;
	const struct thread_line *thread;
	struct sample sample;
	struct str line, text;
	struct tail tail;

	if (ahead->len <= THREAD_BYTES || ahead->data[0] != '\n' ||
	    cache->file != script->fold->input.name)
		return false;
	line = str_skip(*ahead, 1);
	thread = thread_slot(cache, line);
	if (!begins_with(line, thread))
		return false;
	text = str_skip(line, thread->len);
	if (!parse_tail(text, name, &tail) ||
	    (tail.arguments && !thread->short_comm))
		return false;
	sample = thread->sample;
	sample.count = tail.counts && tail.period > 0 ? tail.period : 1;
	if (select != NULL && (!read_selected(select, &tail, &sample) ||
	    (!thread->has_root && select_wants(select, &sample))))
		return false;
	script_begin_cached(script, &sample);
	*ahead = str_skip(text, tail.len);
	return true;
}

void
linecache_fold(const struct linecache *cache, struct script *script)
{
	struct input *input = &script->fold->input;
	struct str ahead = input_ahead(input), name = event_of(cache, script);
	const char *start = ahead.data;
	size_t lines = 0;

	if (!script_takes_frames(script) && (script->state != SCRIPT_LEFT ||
	    !script->fold->recognized || script->before != SCRIPT_OUTSIDE))
		return;
	for (;;) {
		lines += script->state == SCRIPT_LEFT ? skip_frames(&ahead) :
		    fold_frames(cache, script, &ahead);
		if (!script->caches ||
		    (input->form & HEAD_NUMBERLESS) != 0 ||
		    !fold_event(cache, script, name, &ahead))
			break;
		lines += 2;
	}
	input_skip(input, (size_t)(ahead.data - start), lines);
}
