/*
 * stackcollapse-gdb: folds the backtraces that gdb prints, one of each thread
 * every time it stops a process: the poor man's profiler.
 *
 *	Thread 2 (Thread 0x7fb7079196c0 (LWP 21687) "sorter"):
 *	#0  partition (first=0x55d2, last=0x55f0) at sort.c:18
 *	#1  0x00005643b5720bdd in sort (n=12) at sort.c:37
 *	#2  0x00007fb707b078ec in clone3 () from /lib/x86_64-linux-gnu/libc.so.6
 *
 * It becomes a stack that counts all threads with it:
 *
 *	clone3;sort;partition 1
 *
 * Any line except a frame ends a stack, unless it is indented: this is the rest
 * of a line that does not fit the terminal, or a variable of "bt full".
 */
#include "fold/collapse.h"
#include "fold/function.h"

static void
end(struct fold *fold)
{
	if (fold->stack.depth > 0)
		fold_count(fold, 1);
}

static void
fold_line(struct fold *fold, struct str line)
{
	struct str text;
	size_t digits, blank;

	if (line.len > 0)
		fold_note_line(fold, line);
	/* frames that are cut off, and those after them, are missing */
	if (input_line_is_cut(&fold->input) && (line.data[0] == '#' ||
	    (fold->stack.depth > 0 && is_blank(line.data[0])))) {
		fold->recognized |= kind_of_lines(line) == &kinds[KIND_GDB];
		fold_cut(fold);
		return;
	}
	if (line.len > 1 && line.data[0] == '#' && is_digit(line.data[1])) {
		text = str_skip(line, 1);
		digits = str_digits(text);
		if (str_equal(str_take(text, digits), STR("0")))
			end(fold);
		text = str_trim_start(str_skip(text, digits));
		/* "0x00005643b5720bdd in sort (n=12) at sort.c:37" */
		blank = str_find(text, ' ');
		if (str_starts(text, STR("0x")) &&
		    str_starts(str_skip(text, blank), STR(" in ")))
			text = str_skip(text, blank + 4);
		text = str_take(text, function_arguments(text));
		fold_frame(fold, str_trim(text));
		fold->recognized = true;
	/* "No locals." belongs to a frame */
	} else if (line.len == 0 || !(is_blank(line.data[0]) ||
	    str_starts(line, STR("No locals")) ||
	    str_starts(line, STR("No symbol table"))))
		end(fold);
}

const struct format collapser = {
	.kind = &kinds[KIND_GDB], .size = sizeof(struct fold),
	.line = fold_line, .end = end,
	.nothing = "no stack was found",
};
