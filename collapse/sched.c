/*
 * stackcollapse-sched: folds what perf sched timehist prints, a line for each
 * time that a thread leaves a processor.
 *
 *	        time    cpu  task name       wait time  sch delay   run time
 *	                     [tid/pid]          (msec)     (msec)     (msec)
 *	------------ ------  --------------  ---------  ---------  ---------
 *	 1187.885795 [0000]  shop[12/10]         0.000      0.000      5.100  ...
 *	 1187.915795 [0001]  shop[12/10]        25.000      1.000      4.000  ...
 *
 * The wait, of which the delay is the last part, came before the time for which
 * the thread ran.  So the stack that it waited in is that of its line before;
 * here it ended in "futex_wait <- do_futex <- lock <- work":
 *
 *	shop;work;lock;do_futex;futex_wait 25000
 */
#include "fold/collapse.h"
#include "fold/function.h"
#include "lib/intmap.h"
#include "lib/message.h"
#include "lib/options.h"

static const char *column = "wait";
static bool pid, tid;

enum sched_column { WAIT, DELAY, RUN, OTHER_TIME, WORD };

#define WIDEST	16		/* columns after that of tasks */

struct sched {
	struct fold fold;
	enum sched_column counted;
	bool in_table;
	size_t task_at;		/* where the tasks are in a line */
	enum sched_column columns[WIDEST];	/* after them */
	size_t width;
	struct memo chains;	/* the stacks of lines, without threads */
	struct stack reversed;	/* one that is made */
	struct intmap threads;	/* their numbers, from 1, by tid */
	struct calls *last;	/* the stack of a thread's last line, from 1 */
	size_t room;
	struct calls last_of_none;
	struct text name;	/* of a frame, while it is made */
};

/* "shop[12/10]", and the numbers in the columns after it. */
struct sched_line {
	struct str comm, tid, pid;	/* of idle processors: the first one */
	int64_t times[OTHER_TIME + 1];	/* microseconds */
	struct str chain;
};

static void
begin(struct fold *fold)
{
	struct sched *sched = (struct sched *)fold;

	memo_init(&sched->chains);
	intmap_init(&sched->threads);
	sched->counted = strcmp(column, "wait") == 0 ? WAIT :
	    strcmp(column, "delay") == 0 ? DELAY : RUN;
}

/* Ends a table: threads of the next one are others. */
static void
end(struct fold *fold)
{
	struct sched *sched = (struct sched *)fold;

	sched->in_table = false;
	intmap_free(&sched->threads);
	intmap_init(&sched->threads);
}

/* Cuts a title off the header, which ends before two blanks. */
static struct str
cut_title(struct str *line)
{
	struct str text = str_trim_start(*line);
	size_t len = str_search(text, STR("  "));

	*line = str_skip(text, len);
	return str_take(text, len);
}

static enum sched_column
column_of(struct str title)
{
	if (str_equal(title, STR("wait time")))
		return WAIT;
	if (str_equal(title, STR("sch delay")))
		return DELAY;
	if (str_equal(title, STR("run time")))
		return RUN;
	return str_ends(title, STR(" time")) ? OTHER_TIME : WORD;
}

/* Reads "time  cpu  task name  wait time  sch delay  run time  state". */
static void
read_header(struct sched *sched, struct str line)
{
	size_t at = str_search(line, STR("task name"));
	struct str rest = str_skip(line, at);

	sched->task_at = at;
	sched->width = 0;
	cut_title(&rest);
	for (rest = str_trim(rest); rest.len > 0 && sched->width < WIDEST;
	    rest = str_trim_start(rest))
		sched->columns[sched->width++] = column_of(cut_title(&rest));
	sched->in_table = true;
}

/* Cuts a word off a line. */
static struct str
cut_word(struct str *line)
{
	struct str text = str_trim_start(*line);
	size_t len = str_find(text, ' ');

	*line = str_skip(text, len);
	return str_take(text, len);
}

/* Stores "12.345" milliseconds as microseconds; false if it is odd. */
static bool
read_time(struct str text, int64_t *time)
{
	struct str part = str_skip(text, str_digits(text));

	return part.len == 4 && part.len < text.len &&
	    str_is_number(str_skip(part, 1)) && str_fixed(text, 3, time);
}

/* Reads the columns after a task; *rest keeps what comes after them. */
static bool
read_columns(const struct sched *sched, struct str *rest,
    int64_t *times)
{
	struct str word;
	size_t i;

	for (i = 0; i < sched->width; i++) {
		word = cut_word(rest);
		if (word.len == 0 || (sched->columns[i] != WORD &&
		    !read_time(word, &times[sched->columns[i]])))
			return false;
	}
	return true;
}

/* Cuts the number of a thread or process off, "12" or "-1"; empty if none. */
static struct str
cut_id(struct str *text)
{
	size_t sign = str_starts(*text, STR("-"));
	size_t digits = str_digits(str_skip(*text, sign));
	struct str id = str_take(*text, digits > 0 ? sign + digits : 0);

	*text = str_skip(*text, id.len);
	return id;
}

/*
 * Cuts "[12/10]" or "[12]" off, which a blank follows or nothing; false if the
 * text does not begin so.
 */
static bool
cut_ids(struct str *text, struct str *of_thread, struct str *of_process)
{
	struct str rest = str_skip(*text, 1);

	*of_thread = *of_process = cut_id(&rest);
	if (str_starts(rest, STR("/"))) {
		rest = str_skip(rest, 1);
		*of_process = cut_id(&rest);
	}
	if (of_thread->len == 0 || of_process->len == 0 ||
	    !str_starts(rest, STR("]")) ||
	    (rest.len > 1 && rest.data[1] != ' '))
		return false;
	*text = str_skip(rest, 1);
	return true;
}

/*
 * Cuts a task and its columns off; false if there are none.  The name of a
 * command may have brackets, too.
 */
static bool
cut_task(const struct sched *sched, struct str *text, struct sched_line *line)
{
	struct str rest;
	size_t at;

	if (str_starts(*text, STR("<idle>"))) {
		*line = (struct sched_line){ .comm = STR("<idle>"),
		    .tid = STR("0"), .pid = STR("0") };
		*text = str_skip(*text, line->comm.len);
		return read_columns(sched, text, line->times);
	}
	for (at = str_find(*text, '['); at < text->len;
	    at += 1 + str_find(str_skip(*text, at + 1), '[')) {
		rest = str_skip(*text, at);
		if (!cut_ids(&rest, &line->tid, &line->pid) ||
		    !read_columns(sched, &rest, line->times))
			continue;
		line->comm = str_take(*text, at);
		*text = rest;
		return true;
	}
	return false;
}

/* Cuts "next: shop[12]   " off, which -n prints before a chain. */
static struct str
without_next(struct str text)
{
	struct str of_thread, of_process, rest;
	size_t at;

	if (!str_starts(text, STR("next: ")))
		return text;
	for (at = str_find(text, '['); at < text.len;
	    at += 1 + str_find(str_skip(text, at + 1), '[')) {
		rest = str_skip(text, at);
		if (cut_ids(&rest, &of_thread, &of_process))
			return str_trim(rest);
	}
	return STR("");
}

/* Adds the frame "f(int) (inlined)" as f. */
static void
add_frame(struct sched *sched, struct str name)
{
	struct function_parts parts;
	struct str part;

	if (str_ends(name, STR(" (inlined)")))
		name.len -= STR(" (inlined)").len;
	sched->name.len = 0;
	parts = function_parts(name);
	function_skip_result(&parts);
	while (function_next_part(&parts, &part))
		text_add(&sched->name, part);
	stack_push(&sched->reversed, fold_name(&sched->fold,
	    text_str(&sched->name)));
}

/* Returns the stack of "futex_wait <- do_futex <- lock", which lasts. */
static struct calls
find_chain(struct sched *sched, struct str chain)
{
	static const struct str arrow = { " <- ", 4 };
	const struct calls *known = memo_find(&sched->chains, chain);
	struct stack *stack = &sched->reversed;
	size_t len, i;
	uint32_t frame;

	if (known != NULL)
		return *known;
	stack->depth = 0;
	while (chain.len > 0) {
		len = str_search(chain, arrow);
		add_frame(sched, str_take(chain, len));
		chain = str_skip(chain, len < chain.len ? len + arrow.len :
		    len);
	}
	for (i = 0; i < stack->depth / 2; i++) {
		frame = stack->frames[i];
		stack->frames[i] = stack->frames[stack->depth - 1 - i];
		stack->frames[stack->depth - 1 - i] = frame;
	}
	return memo_note(&sched->chains, (struct calls){
	    .frames = stack->frames, .count = stack->depth });
}

/* Adds the frame of a thread's command, "shop", "shop-10" or "shop-10/12". */
static void
add_root(struct sched *sched, const struct sched_line *line)
{
	struct text *name = &sched->name;
	size_t i;

	name->len = 0;
	text_add(name, line->comm);
	for (i = 0; i < name->len; i++)
		if (is_blank(name->data[i]))
			name->data[i] = '_';
	if (pid || tid) {
		text_add_char(name, '-');
		text_add(name, line->pid);
	}
	if (tid) {
		text_add_char(name, '/');
		text_add(name, line->tid);
	}
	fold_frame(&sched->fold, text_str(name));
}

/*
 * Returns where the last stack of a thread is kept.  One that has ended may
 * have the number -1, as others have, and no stack.
 */
static struct calls *
find_last(struct sched *sched, struct str of_thread)
{
	unsigned long long number;
	uint32_t *known;

	if (!str_number(of_thread, &number)) {
		sched->last_of_none = (struct calls){ .count = 0 };
		return &sched->last_of_none;
	}
	known = intmap_at(&sched->threads, number);
	if (*known == 0) {
		*known = (uint32_t)sched->threads.count;
		sched->last = mem_grow(sched->last, &sched->room,
		    (size_t)*known + 1, sizeof(*sched->last));
		sched->last[*known] = (struct calls){ .count = 0 };
	}
	return &sched->last[*known];
}

static void
add_line(struct sched *sched, const struct sched_line *line)
{
	struct calls chain = find_chain(sched, line->chain);
	struct calls *last = find_last(sched, line->tid);

	calls_push(&sched->fold.stack, sched->counted == RUN ? chain : *last);
	*last = chain;
	sched->fold.passed_over = true;
	if (line->times[sched->counted] == 0) {
		sched->fold.stack.depth = 0;
		return;
	}
	add_root(sched, line);
	fold_count(&sched->fold,
	    (unsigned long long)line->times[sched->counted]);
}

/* True for a line of -w or -M, which has no times. */
static bool
is_event(struct str text)
{
	return str_contains(text, STR("]  ")) &&
	    (str_contains(text, STR("  awakened: ")) ||
	    str_contains(text, STR("  migrated: ")));
}

static void
fold_row(struct sched *sched, struct str line)
{
	struct sched_line row = { .times = { 0 } };
	struct str text;

	if (line.len < sched->task_at ||
	    input_line_is_cut(&sched->fold.input)) {
		fold_note_odd(&sched->fold);
		return;
	}
	text = str_skip(line, sched->task_at);
	if (cut_task(sched, &text, &row)) {
		row.chain = without_next(str_trim(text));
		add_line(sched, &row);
	} else if (!is_event(text))
		fold_note_odd(&sched->fold);
}

static void
fold_line(struct fold *fold, struct str line)
{
	struct sched *sched = (struct sched *)fold;
	struct str text = str_trim(line);

	if (text.len == 0)
		return;
	fold_note_line(fold, line);
	if (sniff_is_timehist(line)) {
		end(fold);
		read_header(sched, line);
		fold->recognized = true;
	} else if (str_equal(text, STR("Runtime summary")))
		end(fold);
	else if (sched->in_table && is_digit(text.data[0]))
		fold_row(sched, line);
	else if (sched->in_table && !str_starts(text, STR("[tid/pid]")) &&
	    !str_starts(text, STR("---")))
		fold_note_odd(fold);
}

static const struct format format = {
	.source = "perf sched timehist",
	.sample = "line with a time",
	.kind = &sniff_sched,
	.size = sizeof(struct sched),
	.begin = begin,
	.line = fold_line,
	.end = end,
};

static const struct option options[] = {
	{ "column", OPTION_TEXT, &column, "NAME",
	    "wait (default), delay or run: the time that is counted" },
	{ "pid", OPTION_FLAG, &pid, NULL,
	    "add the process's number to the command" },
	{ "tid", OPTION_FLAG, &tid, NULL,
	    "add the process's and the thread's numbers" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[option ...] [file ...] > out.folded", NULL, options
};

int
main(int argc, char **argv)
{
	const char *const *operands = options_parse(&usage, argv);

	(void)argc;
	if (strcmp(column, "wait") != 0 && strcmp(column, "delay") != 0 &&
	    strcmp(column, "run") != 0)
		options_reject("option --column: \"%s\" is not wait, delay or "
		    "run", column);
	return collapse(&format, argv, operands);
}
