/*
 * foldedtop: prints folded stacks as a table of functions.
 *
 *	main;parse;read 12		 self         total     stacks function
 *	main;print 4			75.00% 12  75.00% 12         1 read
 *					25.00%  4  25.00%  4         1 print
 *					 0.00%  0 100.00% 16         2 main
 *					 0.00%  0  75.00% 12         1 parse
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/message.h"
#include "lib/options.h"
#include "lib/output.h"
#include "report/foldedtop/functions.h"

static struct functions functions;

static int
compare(const void *a, const void *b)
{
	const struct function *f = &functions.list[*(const uint32_t *)a];
	const struct function *g = &functions.list[*(const uint32_t *)b];

	if (f->self.of[1] != g->self.of[1])
		return f->self.of[1] < g->self.of[1] ? 1 : -1;
	if (f->total.of[1] != g->total.of[1])
		return f->total.of[1] < g->total.of[1] ? 1 : -1;
	return f < g ? -1 : f > g;
}

static void
print_table(void)
{
	uint32_t *order = table_order(&functions.names), i;
	const struct function *function;
	struct text text = { 0 };
	double whole = functions.whole.of[1];

	qsort(order, functions.names.count, sizeof(*order), compare);
	for (i = 0; i < functions.names.count; i++) {
		function = &functions.list[order[i]];
		text_add_format(&text, "%6.2f%% %8.15g %6.2f%% %8.15g %8lu ",
		    100 * function->self.of[1] / whole, function->self.of[1],
		    100 * function->total.of[1] / whole, function->total.of[1],
		    (unsigned long)function->stacks);
		message_add_shown(&text, functions.names.keys[order[i]]);
		text_add_char(&text, '\n');
		output_drain(&text, stdout);
	}
	output_flush(&text, stdout);
}

static const struct option options[] = {
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[option ...] [file ...]", NULL, options
};

int
main(int argc, char **argv)
{
	const char *const *operands = options_parse(&usage, argv);
	static struct folded_lines lines;
	struct folded_line line;

	(void)argc;
	progress_start(options_program(argv), operands, "lines");
	functions_init(&functions);
	folded_lines_init(&lines, operands);
	while (folded_lines_next(&lines, &line))
		functions_add(&functions, &line);
	functions_end(&functions);
	folded_lines_report_odd(&lines);
	folded_lines_report_none(&lines);
	if (functions.whole.of[1] > 0)
		print_table();
	return output_close(lines.input.failed ? 1 : 0);
}
