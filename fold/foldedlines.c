#include <stdio.h>

#include "foldedlines.h"
#include "lib/message.h"
#include "lib/progress.h"

void
folded_lines_init(struct folded_lines *lines, const char *const *operands)
{
	*lines = (struct folded_lines){ .operands = operands };
	input_init(&lines->input, operands);
	progress_watch(&lines->input.lines, NULL);
	input_examine(&lines->input, per_file_examine, &lines->files);
	lines->files.all = &lines->counts;
	lines->files.operands = operands;
	/* A collapser prints all that it has when its recorder ends. */
	input_outlive_interrupt(fileno(stdin));
}

/* Returns false if the text is not a stack and a count. */
static bool
parse(struct str text, struct folded_line *line)
{
	struct str first, second;

	*line = (struct folded_line){ .stack = text };
	if (!folded_cut_count(&line->stack, &second))
		return false;
	line->before = line->count = folded_value(second);
	line->has_two = folded_cut_count(&line->stack, &first);
	if (line->has_two)
		line->before = folded_value(first);
	line->tail = str_skip(text, line->stack.len);
	return true;
}

void
folded_tell_cut(const struct input *input, bool counts)
{
	if (counts)
		message_warn("%s: line %zu has no end; if it is cut off, its "
		    "count is wrong", input->name, input->line);
	else
		message_warn("%s: line %zu is cut off at the end of the file, "
		    "and is left out", input->name, input->line);
}

bool
folded_lines_next(struct folded_lines *lines, struct folded_line *line)
{
	bool several = lines->operands[0] != NULL && lines->operands[1] != NULL;
	struct str text;
	bool is_stack = false;

	while (!is_stack && input_line(&lines->input, &text)) {
		if (str_starts(text, STR("# "))) {
			folded_note_unit(&lines->unit, text);
			continue;
		}
		if (!lines->has_begun)
			input_obey_interrupt();
		lines->has_begun = true;
		is_stack = parse(text, line);
		if (input_line_is_cut(&lines->input)) {
			/* a stack and a count counts, as in flamegraph.pl */
			lines->cut++;
			if (!is_stack || several)
				folded_tell_cut(&lines->input, is_stack);
			lines->input.failed |= !is_stack && several;
		}
		if (is_stack)
			lines->counts.samples++;
		else
			lines->counts.odd++;
	}
	if (is_stack)
		return true;
	per_file_begin(&lines->files, NULL);
	if (lines->operands[0] != NULL)
		lines->input.failed |= per_file_report(&lines->files, "stack");
	if (!lines->has_begun)
		input_catch_up();
	return false;
}

void
folded_lines_report_odd(const struct folded_lines *lines)
{
	if (lines->counts.odd > 0)
		message_plain("Ignored %zu lines with invalid format",
		    lines->counts.odd);
}

void
folded_lines_report_none(const struct folded_lines *lines)
{
	if (lines->counts.samples > 0 || lines->input.failed)
		return;
	if (lines->counts.odd == 0)
		message_warn("the input is empty");
	else
		message_warn("no line is a stack and a count; the input looks "
		    "like %s", lines->files.looks);
}
