/*
 * stackcollapse-stap: folds the stacks that SystemTap prints of an array with
 * stacks as its keys: print_stack() or print_ustack(), and a count after each.
 *
 *	 0xffffffff8103ce3b : native_safe_halt+0xb/0x10 [kernel]
 *	 0xffffffff81013236 : cpu_idle+0xd6/0x120 [kernel]
 *		2404
 *
 * It becomes a stack, whose counts are added up:
 *
 *	cpu_idle;native_safe_halt 2404
 *
 * Only a count ends a stack.  An address without a name has its module, if any,
 * with an offset:
 *
 *	 0x3c1e81ed1d [/lib64/libc.so.6+0x1ed1d/0x38d000]
 */
#include "fold/collapse.h"

static void
fold_line(struct fold *fold, struct str line)
{
	struct str text = str_trim_start(line), frame = text;
	size_t plus = str_find_last(text, '+'), bracket, colon;

	if (text.len == 0)
		return;
	fold_note_line(fold, text);
	if (str_is_number(text) && input_line_is_cut(&fold->input)) {
		fold_cut(fold);
		return;
	}
	if (str_is_number(text)) {
		fold_count_digits(fold, text);
		fold->recognized = true;
		return;
	}
	if (str_starts(str_skip(text, plus), STR("+0x")))
		frame.len = plus;
	bracket = str_search(frame, STR(" ["));
	/* perf script's frames have offsets, too, and end in ")". */
	fold->recognized |= str_starts(text, STR("0x")) ||
	    (frame.len < text.len && !str_ends(text, STR(")")));
	/* an address without a name, in a module */
	if (frame.len < text.len && bracket < frame.len &&
	    str_starts(frame, STR("0x")) && bracket == str_find(frame, ' ')) {
		fold->name.len = 0;
		text_add(&fold->name, str_skip(frame, bracket + 1));
		text_add_char(&fold->name, ']');
		fold_frame(fold, text_str(&fold->name));
		return;
	}
	colon = frame.len;
	while (colon > 0 && !str_starts(str_skip(frame, colon), STR(" : ")))
		colon--;
	if (str_starts(str_skip(frame, colon), STR(" : ")))
		frame = str_skip(frame, colon + 3);
	fold_frame(fold, frame.len > 0 ? frame : STR("-"));
}

static void
end(struct fold *fold)
{
	if (fold->stack.depth > 0 && fold->recognized)
		fold_cut(fold);
	fold->stack.depth = 0;
}

const struct format collapser = {
	.kind = &kinds[KIND_STAP], .size = sizeof(struct fold),
	.line = fold_line, .end = end,
	.nothing = "no stack was found",
};
