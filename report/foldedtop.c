/*
 * foldedtop: prints folded stacks as a table of functions, for readers at a
 * terminal and for programs.
 *
 *	main;parse;read 12		self%   self  total%   total ...
 *	main;print 4			75.00%    12   75.00%     12 ... read
 *					25.00%     4   25.00%      4 ... print
 *					 0.00%     0  100.00%     16 ... main
 *					 0.00%     0   75.00%     12 ... parse
 *
 * Of two counts it tells what has changed by more than chance, and is a gate:
 * its status tells if a condition holds for any function.
 */
#include <limits.h>
#include <math.h>

#include "lib/message.h"
#include "lib/options.h"
#include "lib/output.h"
#include "lib/progress.h"
#include "report/foldedtop/gate.h"
#include "report/foldedtop/pattern.h"
#include "report/foldedtop/treeview.h"

#define USUAL_LINES	30
#define USUAL_PATHS	10
#define FEW		100	/* samples, which tell little */
#define FAILED		3	/* the status of a condition that holds */
#define MOST_VIEWS	3

static const char *sort = "self";
static struct option_range most_lines = { -1, 0, LONG_MAX };
static const char *match, *under, *callers, *callees;
static bool paths;
static double min_share = 1;
static double noise = 3;
static double factor = NAN;	/* it was not told */
static const char *fail_if;
static bool as_tsv, as_json;

static const struct option options[] = {
	{ "sort", OPTION_TEXT, &sort, "KEY",
	    "self (default), total, stacks or name" },
	{ "lines", OPTION_RANGE, &most_lines, "N",
	    "print this many functions, or stacks; 0: all\n"
	    "(default: 30 functions, 10 stacks)" },
	{ "n", OPTION_RANGE, &most_lines, "N", "the same as --lines" },
	{ "match", OPTION_TEXT, &match, "REGEX",
	    "only functions whose names match" },
	{ "under", OPTION_TEXT, &under, "REGEX",
	    "only what functions that match do and call" },
	{ "callers", OPTION_TEXT, &callers, "REGEX",
	    "a tree of what calls functions that match" },
	{ "callees", OPTION_TEXT, &callees, "REGEX",
	    "a tree of what they call" },
	{ "paths", OPTION_FLAG, &paths, NULL,
	    "a tree of the hottest stacks" },
	{ "min-share", OPTION_DECIMAL, &min_share, "PERCENT",
	    "leave smaller parts out of trees (default 1)" },
	{ "noise", OPTION_DECIMAL, &noise, "SIGMA",
	    "of two counts: standard errors that may be chance\n"
	    "(default 3)" },
	{ "factor", OPTION_DECIMAL, &factor, "NUMBER",
	    "of two counts: samples that a count is" },
	{ "fail-if", OPTION_TEXT, &fail_if, "CONDITION",
	    "of two counts: exit with 3 if it holds for a function,\n"
	    "as 'total > 5% & sigma > 3'" },
	{ "tsv", OPTION_FLAG, &as_tsv, NULL, "print tab-separated values" },
	{ "json", OPTION_FLAG, &as_json, NULL, "print JSON" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[option ...] [file ...]",
	"difffolded -nf before after | foldedtop --fail-if='total > 5% & "
	"sigma > 3'", options
};

static void
check_options(struct ranking *ranking)
{
	if (!rank_key_find(sort, &ranking->key))
		options_reject("option --sort: \"%s\" is not self, total, "
		    "stacks or name", sort);
	if (!(min_share >= 0 && min_share <= 100))
		options_reject("option --min-share: %g is not from 0 to 100",
		    min_share);
	if (!(noise >= 0))
		options_reject("option --noise: %g is below 0", noise);
	if (!isnan(factor) && !(factor > 0))
		options_reject("option --factor: %g is not above 0", factor);
	if (as_tsv && as_json)
		options_reject("--tsv and --json are mutually exclusive");
	ranking->noise = noise;
	ranking->factor = isnan(factor) ? 0 : factor;
	ranking->match = pattern_make("match", match);
}

/* Returns how many rows are printed, or stacks. */
static size_t
find_most(size_t usual)
{
	if (most_lines.value < 0)
		return usual;
	return most_lines.value == 0 ? SIZE_MAX : (size_t)most_lines.value;
}

static void
read_lines(struct folded_lines *lines, struct functions *functions,
    const char *const *operands)
{
	struct folded_line line;

	folded_lines_init(lines, operands);
	while (folded_lines_next(lines, &line))
		functions_add(functions, &line);
	functions_end(functions);
	folded_lines_report_odd(lines);
	if (!isfinite(functions->all.of[0] * 100) ||
	    !isfinite(functions->all.of[1] * 100))
		message_fail("the counts add up to more than a double holds");
}

/* Explains why there are no functions; true if there are none. */
static bool
report_none(const struct folded_lines *lines, const struct ranking *ranking)
{
	const struct functions *functions = ranking->functions;

	if (ranking->count > 0)
		return false;
	folded_lines_report_none(lines);
	if (functions->names.count == 0 && functions->stacks > 0)
		message_warn("no stack has a frame");
	else if (functions->whole.of[1] > 0 || functions->whole.of[0] > 0)
		message_warn("--match: no function matches \"%s\"", match);
	else if (functions->all.of[1] > 0 || functions->all.of[0] > 0)
		message_warn("--under: no function matches \"%s\"", under);
	else if (lines->counts.samples > 0)
		message_warn("all counts are 0");
	return true;
}

/* Adds a view of a tree; false, after a message, if nothing is in it. */
static bool
add_view(struct treeview *views, size_t *count, const struct treeview *view)
{
	struct treeview *added = &views[*count];

	if (view->of != NULL && view->tree->count == 1) {
		message_warn("--%s: no function matches \"%s\"", view->kind,
		    view->of);
		return false;
	}
	*added = *view;
	if (view->of != NULL)
		treeview_by_share(added, min_share);
	else
		treeview_hottest(added, find_most(USUAL_PATHS));
	++*count;
	return true;
}

/* Makes the views asked for; false if one of them is empty. */
static bool
make_views(const struct functions *functions, struct treeview *views,
    size_t *count)
{
	bool good = true;

	if (callers != NULL)
		good &= add_view(views, count, &(struct treeview){
		    .kind = "callers", .of = callers, .functions = functions,
		    .tree = &functions->callers });
	if (callees != NULL)
		good &= add_view(views, count, &(struct treeview){
		    .kind = "callees", .of = callees, .functions = functions,
		    .tree = &functions->callees, .with_self = true });
	if (paths)
		good &= add_view(views, count, &(struct treeview){
		    .kind = "paths", .functions = functions,
		    .tree = &functions->paths, .with_self = true });
	return good;
}

static void
show(const struct ranking *ranking, const struct treeview *views, size_t count)
{
	bool has_trees = callers != NULL || callees != NULL || paths;

	if (ranking->unknown != NULL && fail_if == NULL && !as_json)
		message_warn("chance is unknown: %s", ranking->unknown);
	if (as_json)
		showdata_json(ranking, find_most(SIZE_MAX), fail_if != NULL,
		    views, count);
	else if (as_tsv && has_trees)
		showdata_trees_tsv(ranking, views, count);
	else if (as_tsv)
		showdata_functions_tsv(ranking, find_most(SIZE_MAX));
	else if (has_trees)
		showtext_trees(ranking, views, count);
	else if (ranking->count > 0)
		showtext_functions(ranking, find_most(USUAL_LINES));
}

/* Returns why a condition cannot be evaluated, or NULL. */
static const char *
find_doubt(const struct gate *gate, const struct ranking *ranking,
    const struct folded_lines *lines)
{
	const struct functions *functions = ranking->functions;
	const double *sample = functions->chance.sample;

	if (lines->cut > 0)
		return "a file ends inside a line, and may be cut off";
	if (lines->counts.odd > 0)
		return "some lines are not stacks and counts";
	if (!functions->have_two)
		return "it compares two counts, and no line has two";
	if (functions->singles > 0)
		return "some lines have only one count";
	if (functions->whole.of[0] <= 0)
		return "there are no counts before";
	if (functions->whole.of[1] <= 0)
		return "there are no counts after";
	if (!gate->needs_sigmas)
		return NULL;
	if (ranking->unknown != NULL)
		return ranking->unknown;
	/* no change is beyond chance then */
	return functions->all.of[0] < FEW * sample[0] ||
	    functions->all.of[1] < FEW * sample[1] ?
	    "a profile has fewer than 100 samples" : NULL;
}

/*
 * Tells the functions for which the condition holds, and notes them.  Returns
 * the status: FAILED, or 0, but 1 where that cannot be relied upon.
 */
static int
judge(struct gate *gate, struct ranking *ranking,
    const struct folded_lines *lines)
{
	const char *doubt = ranking->count > 0 ?
	    find_doubt(gate, ranking, lines) : NULL;
	struct rank_row *row = ranking->rows;
	int status = 0;
	size_t i;

	if (doubt != NULL)
		message_warn("--fail-if: %s", doubt);
	if (doubt != NULL || ranking->count == 0 || lines->input.failed)
		return 1;
	for (i = 0; i < ranking->count; i++, row++) {
		row->fails = gate_holds(gate, ranking, row);
		if (row->fails) {
			gate_report(ranking, row);
			status = FAILED;
		}
	}
	return status;
}

int
main(int argc, char **argv)
{
	static struct functions functions;
	static struct folded_lines lines;
	struct ranking ranking = { .functions = &functions };
	struct treeview views[MOST_VIEWS];
	const char *const *operands = options_parse(&usage, argv);
	struct gate gate = { 0 };
	size_t view_count = 0;
	int status = 0;
	bool good;

	(void)argc;
	if (fail_if != NULL)
		gate_read(&gate, fail_if);
	check_options(&ranking);
	functions.under = pattern_make("under", under);
	functions.callers_of = pattern_make("callers", callers);
	functions.callees_of = pattern_make("callees", callees);
	functions.with_paths = paths;
	functions_init(&functions);
	progress_start(options_program(argv), operands, "lines");
	read_lines(&lines, &functions, operands);
	ranking_make(&ranking);
	if (fail_if != NULL)
		status = judge(&gate, &ranking, &lines);
	good = !report_none(&lines, &ranking);
	good &= make_views(&functions, views, &view_count);
	ranking.unit = folded_unit_name(&lines.unit);
	show(&ranking, views, view_count);
	good &= !lines.input.failed;
	return output_close(good || status != 0 ? status : 1);
}
