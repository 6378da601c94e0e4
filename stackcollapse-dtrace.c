/*
 * stackcollapse-dtrace: folds the stacks that DTrace prints of aggregations,
 * @[stack()] = count() and the like.
 *
 * A stack is its frames from the innermost outwards, and its count:
 *
 *	              libc.so.1`_read+0x7
 *	              bash`main+0x1
 *	               15
 *
 * It becomes, added to others with the same stack:
 *
 *	bash`main;libc.so.1`_read 15
 *
 * Only a count ends a stack: an empty line does not, so that the stacks of one
 * key, @[stack(), ustack()], make one.  The first three lines are a header,
 * but DTrace prints none when it is told to be quiet.
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>

#include "fold/calls.h"
#include "fold/folded.h"
#include "fold/sniff.h"
#include "lib/input.h"
#include "lib/options.h"
#include "lib/output.h"
#include "lib/progress.h"
#include "fold/linecache.h"
#include "symbols/function.h"
#include "lib/threads.h"

#define HEADER_LINES	3
#define RECENT_BITS	14	/* 16,384 lines; half as many are slower */

static struct option_range jobs = { 0, 1, THREADS_MOST };

/* What depends on the order of the input; see input_wait. */
struct notes {
	bool begun;			/* the input has a first line */
	struct text first_line;		/* that is not empty, for messages */
};

/* What a thread folds; it begins with its input, for input_run. */
struct fold {
	struct input input;
	struct notes *notes;		/* of all threads */
	bool has_line;			/* the first one is noted */
	int header;			/* lines of it that are to come */
	struct namer namer;
	struct memo texts;		/* of frames, as read */
	struct recent recent;
	uint16_t next[1 << RECENT_BITS];	/* place of what followed */
	size_t place;			/* of the line before */
	struct stacks stacks;
	struct stack stack;		/* so far */
	size_t counts;			/* how many ended a stack... */
	size_t negative;		/* ...which was left out */
	bool cut_short;			/* the input ended inside a stack */
	struct text name;
};

/*
 * What is left of the last '<' or '(' after a "::", as arguments of C++:
 *
 *	std::vector<int>::push_back(int const&)
 *	std::vector<int>::push_back
 */
static struct str
without_arguments(struct str frame)
{
	size_t scope = str_search(frame, STR("::")), end;

	for (end = frame.len; end > scope; end--)
		if (frame.data[end - 1] == '(' || frame.data[end - 1] == '<')
			return str_take(frame, end - 1);
	return frame;
}

/* Adds the name of a call.  A Java class has an 'L' before and a ';' behind. */
static void
add_call(struct text *name, struct str call)
{
	if (str_starts(call, STR("L")))
		call = str_skip(call, 1);
	folded_add_name(name, call);
}

/* "outer->inner" is two calls, of which the second one was inlined. */
static struct calls
find_calls(struct fold *fold, struct str text)
{
	struct str frame = text.len > 0 ? without_arguments(text) : STR("-");
	struct function_chain chain = function_chain(frame);
	struct str call;
	bool inlined = false;

	fold->name.len = 0;
	for (; function_next_call(&chain, &call); inlined = true) {
		if (inlined)
			text_add_char(&fold->name, ';');
		add_call(&fold->name, call);
		if (inlined)
			text_add(&fold->name, STR("_[i]"));
	}
	if (!inlined)
		return (struct calls){ NULL, 0, false };
	return namer_calls(&fold->namer, text_str(&fold->name));
}

/* "unix`idle+0x114": what stands behind the last '+' is the offset. */
static struct calls
parse_frame(struct fold *fold, struct str text)
{
	const struct calls *known;

	text.len = str_find_last(text, '+');
	known = memo_find(&fold->texts, text);
	return known != NULL ? *known :
	    memo_note(&fold->texts, find_calls(fold, text));
}

/*
 * What a line with its line end is known by: "  unix`idle+", as the frame is
 * the same whatever offset stands behind it.  Without an offset, the line.
 */
static struct str
known_part(struct str line)
{
	size_t end = line.len - 1;

	while (end > 0 && is_word(line.data[end - 1]))
		end--;
	return end > 0 && line.data[end - 1] == '+' ?
	    str_take(line, end) : line;
}

/* The length of a line whose first bytes are known; 0 if not all of it is. */
static size_t
known_line(struct str ahead, size_t known)
{
	size_t end = known;

	if (ahead.data[known - 1] == '\n')
		return known;
	while (end < ahead.len && is_word(ahead.data[end]))
		end++;
	return end < ahead.len && ahead.data[end] == '\n' ? end + 1 : 0;
}

/* Folds the frame in `text`, which is what a line holds behind blanks. */
static void
fold_frame(struct fold *fold, struct str line, struct str text)
{
	struct calls calls = parse_frame(fold, text);
	size_t place;

	calls_push(&fold->stack, calls);
	line.len = (size_t)(input_ahead(&fold->input).data - line.data);
	if (line.data[line.len - 1] != '\n')
		return;
	line = known_part(line);
	place = recent_line_place(&fold->recent, line);
	recent_note(&fold->recent, place, line, calls);
	fold->next[fold->place] = (uint16_t)place;
	fold->place = place;
}

/*
 * The length of the line ahead and its calls, if it came before; else 0.  Half
 * of all lines, and most where stacks repeat, are what followed the line before
 * when that came last: their ends need not be found, which saves 15 to 34 % of
 * the instructions.
 */
static size_t
find_known(struct fold *fold, struct str ahead, struct calls *calls)
{
	size_t place = fold->next[fold->place];
	size_t len = recent_find(&fold->recent, place, ahead, calls);

	if (len == 0) {
		len = str_find(ahead, '\n');
		if (len == 0 || len == ahead.len)
			return 0;
		place = recent_line_place(&fold->recent,
		    known_part(str_take(ahead, len + 1)));
		len = recent_find(&fold->recent, place, ahead, calls);
	}
	if (len > 0)
		len = known_line(ahead, len);
	if (len > 0) {
		fold->next[fold->place] = (uint16_t)place;
		fold->place = place;
	}
	return len;
}

static void
fold_known(struct fold *fold)
{
	struct str ahead = input_ahead(&fold->input);
	size_t len, skipped = 0, lines = 0;
	struct calls calls = { NULL, 0, false };

	while ((len = find_known(fold, ahead, &calls)) > 0) {
		calls_push(&fold->stack, calls);
		ahead = str_skip(ahead, len);
		skipped += len;
		lines++;
	}
	input_skip(&fold->input, skipped, lines);
}

/*
 * A stack without frames, as stack() is while no kernel code runs, is one of a
 * frame without a name.
 */
static void
fold_count(struct fold *fold, struct str digits)
{
	unsigned long long count;

	if (!str_number(digits, &count))
		fold->stacks.overflowed = true;
	if (fold->stack.depth == 0)
		calls_push(&fold->stack, namer_calls(&fold->namer, STR("")));
	stacks_add(&fold->stacks, &fold->stack, count);
	fold->stack.depth = 0;
	fold->counts++;
}

static void
drop_stack(struct fold *fold)
{
	fold->stack.depth = 0;
	fold->counts++;
	fold->negative++;
}

static bool
is_number(struct str text)
{
	size_t i = 0;

	while (i < text.len && is_digit(text.data[i]))
		i++;
	return text.len > 0 && i == text.len;
}

static bool
is_negative(struct str text)
{
	return text.len > 0 && text.data[0] == '-' &&
	    is_number(str_skip(text, 1));
}

/* "module`function+0x1f", or what DTrace prints where a name is missing */
static bool
is_frame(struct str text)
{
	return str_find(text, '`') < text.len ||
	    str_starts(text, STR("0x")) ||
	    function_without_offset(text).len < text.len;
}

static bool
is_title(struct str text)
{
	return str_contains(text, STR("FUNCTION:NAME"));
}

/*
 *	CPU     ID                    FUNCTION:NAME
 *	  0  64091                        :tick-60s
 *
 * The input begins with a header, whatever it says.  A later file has one
 * where it says so; else it may be the rest of a file that was split, perhaps
 * in its header.
 */
static bool
in_header(struct fold *fold, struct str text)
{
	const struct input *input = &fold->input;

	if (!input->file_begins)
		fold->header = 0;
	else if (input->line == 1) {
		input_wait(input);
		if (!fold->notes->begun || is_title(text))
			fold->header = HEADER_LINES;
		fold->notes->begun = true;
	}
	if (fold->header == 0 || is_frame(text)) {
		fold->header = 0;
		return false;
	}
	fold->header--;
	return true;
}

static void
note_line(struct fold *fold, struct str text)
{
	input_wait(&fold->input);
	fold->has_line = true;
	if (fold->notes->first_line.len == 0)
		text_add(&fold->notes->first_line, text);
}

static void
fold_line(struct fold *fold, struct str line)
{
	struct str text = str_trim_start(line);

	if (!fold->has_line && text.len > 0)
		note_line(fold, text);
	if (in_header(fold, text) || text.len == 0)
		return;
	if (is_number(text))
		fold_count(fold, text);
	else if (is_negative(text))
		drop_stack(fold);
	else
		fold_frame(fold, line, text);
}

/* Says what was wrong with the input; false when nothing in it was right. */
static bool
report(const struct fold *fold)
{
	struct str first = text_str(&fold->notes->first_line);

	if (first.len == 0)
		warnx("the input is empty");
	else if (fold->counts == 0 && !is_frame(first) && !is_title(first)) {
		warnx("this is not what DTrace prints, it looks like "
		    "%s", guess_kind(first));
		return false;
	} else if (fold->counts == 0)
		warnx("no stack was found");
	if (fold->negative > 0)
		warnx("stacks with a negative count, left out: %lu",
		    (unsigned long)fold->negative);
	if (fold->cut_short)
		warnx("the input ends inside a stack, which is left out");
	if (fold->stacks.overflowed)
		warnx("a count is larger than 2^64 - 1, which is printed "
		    "instead");
	return true;
}

static const struct option options[] = {
	{ "jobs", OPTION_RANGE, &jobs, "N",
	    "fold in N threads (default: 1 unless the files are large)" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[--jobs N] [file ...] > out.folded", NULL, options
};

static void
fold_init(struct fold *fold, struct notes *notes)
{
	*fold = (struct fold){ .notes = notes };
	namer_init(&fold->namer);
	memo_init(&fold->texts);
	stacks_init(&fold->stacks);
	recent_init(&fold->recent, RECENT_BITS);
}

/* Folds all of the input, or this thread's part: a struct fold. */
static void *
fold_input(void *argument)
{
	struct fold *fold = argument;
	struct str line;

	input_show(&fold->input, &fold->counts,
	    &fold->stacks.sequences.count);
	while (input_line(&fold->input, &line)) {
		fold_line(fold, line);
		if (fold->header == 0)
			fold_known(fold);
	}
	fold->cut_short = fold->stack.depth > 0;
	stacks_settle(&fold->stacks);
	return NULL;
}

/* The end of the last count, which ends a stack, behind more than a header. */
static size_t
find_stack_end(struct str text, size_t from)
{
	size_t end = text.len, start, i;
	size_t header = 0;
	struct str line;

	if (str_find(str_skip(text, from), '\n') == text.len - from)
		return 0;
	for (i = 0; i <= HEADER_LINES && header < text.len; i++)
		header += 1 + str_find(str_skip(text, header), '\n');
	if (from < header)
		from = header;
	for (; end > from; end = start) {
		for (start = end - 1; start > 0; start--)
			if (text.data[start - 1] == '\n')
				break;
		line = str_trim_start(str_between(text, start, end));
		if (!str_ends(line, STR("\n")))
			continue;
		line.len -= str_ends(line, STR("\r\n")) ? 2 : 1;
		if (is_number(line) || is_negative(line))
			return end;
	}
	return 0;
}

/* Adds what another thread has folded. */
static void
fold_merge(struct fold *fold, struct fold *other)
{
	stacks_merge(&fold->stacks, &fold->namer.names, &other->stacks,
	    &other->namer.names);
	fold->cut_short |= other->cut_short;
	fold->counts += other->counts;
	fold->negative += other->negative;
}

int
main(int argc, char **argv)
{
	static struct fold folds[THREADS_MOST];
	static struct notes notes;
	const char *const *operands = options_parse(&usage, argv);
	size_t count = input_threads(jobs.value, operands), i;
	bool all_read, good;

	(void)argc;
	progress_start(options_program(argv), operands, "samples");
	for (i = 0; i < count; i++)
		fold_init(&folds[i], &notes);
	all_read = input_run(operands, find_stack_end, fold_input, folds,
	    sizeof(*folds), count);
	for (i = 1; i < count; i++)
		fold_merge(&folds[0], &folds[i]);
	good = report(&folds[0]);
	if (good)
		stacks_print(&folds[0].stacks, &folds[0].namer.names,
		    count > 1, stdout);
	return output_close(good && all_read ? 0 : 1);
}
