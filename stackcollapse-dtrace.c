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
#include <stdint.h>

#include "collapse/symbol.h"
#include "fold/collapse.h"
#include "fold/function.h"
#include "lib/message.h"
#include "lib/options.h"

#define HEADER_LINES	3
#define LINE_BITS	14	/* 16,384 lines; half as many are slower */

struct dtrace {
	struct fold fold;
	bool begun;			/* the input has a first line */
	int header;			/* lines of it that are to come */
	struct memo texts;		/* of frames, as read */
	struct line_cache cache;
	uint16_t next[1 << LINE_BITS];	/* slot of what followed */
	size_t slot;			/* of the line before */
	size_t negative;		/* counts, whose stacks are left out */
	struct text name;
};

/* Returns the two calls of "outer->inner"; the second is inlined. */
static struct calls
find_calls(struct dtrace *dtrace, struct str text)
{
	struct function_chain chain = function_chain(text.len > 0 ? text :
	    STR("-"));
	struct text *name = &dtrace->name;
	size_t start, module;
	struct str call;
	bool inlined = false;

	name->len = 0;
	for (; function_next_call(&chain, &call); inlined = true) {
		if (inlined)
			text_add_char(name, ';');
		start = name->len;
		/* a Java class begins with 'L' and ends with ';' */
		if (str_starts(call, STR("L")))
			call = str_skip(call, 1);
		module = str_find(call, '`');
		if (module < call.len) {
			text_add(name, str_take(call, module + 1));
			call = str_skip(call, module + 1);
		}
		symbol_add_name(name, call);
		for (; start < name->len; start++)
			if (name->data[start] == ';')
				name->data[start] = ':';
		if (inlined)
			text_add(name, STR("_[i]"));
	}
	if (!inlined)
		return (struct calls){ NULL, 0, false };
	return namer_calls(&dtrace->fold.namer, text_str(name));
}

/* Returns the part by which a line is known: "  unix`idle+", or all of it. */
static struct str
known_part(struct str line)
{
	size_t end = line.len - 1;

	while (end > 0 && is_word(line.data[end - 1]))
		end--;
	return end > 0 && line.data[end - 1] == '+' ?
	    str_take(line, end) : line;
}

static void
follow(struct dtrace *dtrace, size_t slot)
{
	dtrace->next[dtrace->slot] = (uint16_t)slot;
	dtrace->slot = slot;
}

/* Adds the frame in `text`, all of a line but the blanks before it. */
static void
add_frame(struct dtrace *dtrace, struct str text)
{
	struct str line = input_whole_line(&dtrace->fold.input);
	const struct calls *known;
	struct calls calls;
	size_t slot;

	/* "unix`idle+0x114": the offset follows the last '+' */
	text.len = str_find_last(text, '+');
	if (str_find(text, '`') < text.len)
		text = str_trim_end(text);
	known = memo_find(&dtrace->texts, text);
	calls = known != NULL ? *known :
	    memo_note(&dtrace->texts, find_calls(dtrace, text));
	calls_push(&dtrace->fold.stack, calls);
	if (line.data[line.len - 1] != '\n')
		return;
	line = known_part(line);
	slot = line_cache_line_slot(&dtrace->cache, line);
	line_cache_note(&dtrace->cache, slot, line, &calls);
	follow(dtrace, slot);
}

/*
 * Finds the calls of the next line, if it came before; returns its length, or
 * 0.  Half of all lines follow the same line as last time: their ends need not
 * be found, and that saves 15 to 34 % of the instructions.
 */
static size_t
find_known(struct dtrace *dtrace, struct str ahead, struct calls *calls)
{
	size_t slot = dtrace->next[dtrace->slot];
	size_t len = line_cache_find(&dtrace->cache, slot, ahead, calls);

	if (len == 0) {
		len = str_find(ahead, '\n');
		if (len == 0 || len == ahead.len)
			return 0;
		slot = line_cache_line_slot(&dtrace->cache,
		    known_part(str_take(ahead, len + 1)));
		len = line_cache_find(&dtrace->cache, slot, ahead, calls);
	}
	if (len > 0 && ahead.data[len - 1] != '\n') {
		while (len < ahead.len && is_word(ahead.data[len]))
			len++;
		len = len < ahead.len && ahead.data[len] == '\n' ? len + 1 : 0;
	}
	if (len > 0)
		follow(dtrace, slot);
	return len;
}

/* True for "module`function+0x1f", and for "0x1f", without a name. */
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
 * True for the lines of a header:
 *
 *	CPU     ID                    FUNCTION:NAME
 *	  0  64091                        :tick-60s
 *
 * The input begins with one, whatever it says.  A later file without a title
 * may be the rest of a file that was split, perhaps in its header.
 */
static bool
in_header(struct dtrace *dtrace, struct str text)
{
	const struct input *input = &dtrace->fold.input;

	if (input->line == 1) {
		if (!dtrace->begun || is_title(text))
			dtrace->header = HEADER_LINES;
		dtrace->begun = true;
	}
	if (dtrace->header == 0 || is_frame(text)) {
		dtrace->header = 0;
		return false;
	}
	dtrace->header--;
	return true;
}

static void
begin(struct fold *fold)
{
	line_cache_init(&((struct dtrace *)fold)->cache, LINE_BITS);
}

static void
fold_line(struct fold *fold, struct str line)
{
	struct dtrace *dtrace = (struct dtrace *)fold;
	struct str text = str_trim_start(line), ahead;
	struct calls calls = { NULL, 0, false };
	size_t len, skipped = 0, lines = 0;

	if (!fold->has_lines && text.len > 0) {
		fold_note_line(fold, text);
		fold->recognized = is_frame(text) || is_title(text);
	}
	if (in_header(dtrace, text))
		return;
	if (str_is_number(text))
		fold_count_digits(fold, text);
	else if (str_starts(text, STR("-")) &&
	    str_is_number(str_skip(text, 1))) {
		fold->stack.depth = 0;
		dtrace->negative++;
	} else if (text.len > 0)
		add_frame(dtrace, text);
	if (dtrace->header > 0)
		return;
	/* the next lines as long as they came before */
	ahead = input_ahead(&fold->input);
	while ((len = find_known(dtrace, ahead, &calls)) > 0) {
		calls_push(&fold->stack, calls);
		ahead = str_skip(ahead, len);
		skipped += len;
		lines++;
	}
	input_skip(&fold->input, skipped, lines);
}

/* A file with a header begins anew. */
static bool
goes_on(struct fold *fold, struct str line)
{
	(void)fold;
	return !is_title(line);
}

static void
end(struct fold *fold)
{
	const struct dtrace *dtrace = (const struct dtrace *)fold;

	if (fold->stack.depth > 0)
		fold_cut(fold);
	fold->recognized |= fold->counts.samples > 0 || dtrace->negative > 0;
}

static void
report(struct fold *fold)
{
	const struct dtrace *dtrace = (const struct dtrace *)fold;

	if (dtrace->negative > 0)
		message_warn("stacks with a negative count, left out: %lu",
		    (unsigned long)dtrace->negative);
	else if (fold->counts.samples == 0 && !fold->cut_short)
		message_warn("no stack was found");
}

static const struct option options[] = {
	COLLAPSE_JOBS,
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

const struct format collapser = {
	.kind = &kinds[KIND_DTRACE], .size = sizeof(struct dtrace),
	.begin = begin, .line = fold_line, .goes_on = goes_on, .end = end,
	.report = report,
	.options = options, .synopsis = "[file ...] > out.folded",
	.in_parts = true,
};
