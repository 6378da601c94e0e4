/*
 * foldedtop: prints folded stacks as a table of functions, as text or data.
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
#include <stdlib.h>

#include "fold/folded.h"
#include "lib/message.h"
#include "lib/options.h"
#include "lib/output.h"
#include "lib/progress.h"
#include "report/foldedtop/ranking.h"

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

/*
 * The gate: a condition that is to hold for no function of two profiles.
 *
 *	condition = both { "|" both }
 *	both = term { "&" term }
 *	term = "(" condition ")" | field ("<" | ">") number [unit]
 *	field = "self" | "total" | "before" | "after" | "sigma" |
 *	    "self-sigma" | "total-sigma"
 *	unit = "%" | "points"
 *
 * self and total are changes: in counts, in per cent of the counts before, or
 * in points, which are per cent of all.  before and after are the function's
 * total counts, or their per cent of all.  sigma is the size of a change in
 * standard errors: of the one that the condition is about.
 */

#define DEEPEST	100	/* brackets in brackets */

enum gate_field {
	FIELD_SELF, FIELD_TOTAL, FIELD_BEFORE, FIELD_AFTER, FIELD_SIGMA,
	FIELD_SELF_SIGMA, FIELD_TOTAL_SIGMA, FIELDS
};

enum gate_unit {
	UNIT_COUNTS, UNIT_PERCENT, UNIT_POINTS
};

static const char *const fields[FIELDS] = {
	[FIELD_SELF] = "self", [FIELD_TOTAL] = "total",
	[FIELD_BEFORE] = "before", [FIELD_AFTER] = "after",
	[FIELD_SIGMA] = "sigma", [FIELD_SELF_SIGMA] = "self-sigma",
	[FIELD_TOTAL_SIGMA] = "total-sigma",
};

/* It begins as { 0 }.  The condition is read anew for each function. */
struct gate {
	unsigned named;			/* fields, a bit each */
	size_t depth;			/* of brackets, while it is read */
	struct str text, rest;		/* all, and what is still to be read */
	const struct ranking *ranking;
	const struct function *function;	/* or NULL */
};

static void
reject(const struct gate *gate, const char *expected)
{
	options_reject("option --fail-if: \"%.*s\": %s is expected at \"%.*s\"",
	    (int)gate->text.len, gate->text.data, expected,
	    (int)gate->rest.len, gate->rest.data);
}

/* Steps over this text, and blanks before it; false if it does not come. */
static bool
take(struct gate *gate, struct str text)
{
	gate->rest = str_trim_start(gate->rest);
	if (!str_starts(gate->rest, text))
		return false;
	gate->rest = str_skip(gate->rest, text.len);
	return true;
}

static enum gate_field
take_field(struct gate *gate)
{
	struct str rest = gate->rest = str_trim_start(gate->rest);
	size_t len = 0, i;

	while (len < rest.len && (is_lower(rest.data[len]) ||
	    rest.data[len] == '-'))
		len++;
	for (i = 0; i < FIELDS; i++)
		if (str_equal(str_take(rest, len), str_from(fields[i])))
			break;
	if (i == FIELDS)
		reject(gate, "self, total, before, after, sigma, self-sigma or "
		    "total-sigma");
	gate->rest = str_skip(rest, len);
	gate->named |= 1U << i;
	return (enum gate_field)i;
}

static double
take_number(struct gate *gate)
{
	bool is_negative = take(gate, STR("-"));
	struct str rest = gate->rest = str_trim_start(gate->rest);
	size_t len = str_digits(rest);
	double number;

	if (len == 0)
		reject(gate, "a number");
	if (len < rest.len && rest.data[len] == '.')
		len += 1 + str_digits(str_skip(rest, len + 1));
	number = folded_value(str_take(rest, len));
	gate->rest = str_skip(rest, len);
	return is_negative ? -number : number;
}

static double
change_in(const struct ranking *ranking, const struct counts_pair *counts,
    enum gate_unit unit)
{
	struct count_change change = ranking_change(ranking, counts,
	    &ranking->functions->whole);

	return unit == UNIT_PERCENT ? change.percent :
	    unit == UNIT_POINTS ? change.points : counts->of[1] - counts->of[0];
}

static double
find_value(const struct gate *gate, enum gate_field field, enum gate_unit unit)
{
	const struct ranking *ranking = gate->ranking;
	const struct functions *functions = ranking->functions;
	const struct function *function = gate->function;
	int side = field == FIELD_AFTER;
	double count = function->total.of[side];

	switch (field) {
	case FIELD_SELF:
		return change_in(ranking, &function->self, unit);
	case FIELD_TOTAL:
		return change_in(ranking, &function->total, unit);
	case FIELD_BEFORE:
	case FIELD_AFTER:
		return unit == UNIT_COUNTS ? count :
		    ranking_share(count, functions->whole.of[side]);
	case FIELD_SELF_SIGMA:
		return ranking_pair_sigmas(ranking, &function->self);
	case FIELD_TOTAL_SIGMA:
		return ranking_pair_sigmas(ranking, &function->total);
	default:
		return ranking_pair_sigmas(ranking,
		    (gate->named & 1U << FIELD_SELF) != 0 ?
		    &function->self : &function->total);
	}
}

/* Returns whether a comparison holds; one of no function does not. */
static bool
take_comparison(struct gate *gate)
{
	enum gate_field field = take_field(gate);
	bool is_more = take(gate, STR(">"));
	enum gate_unit unit = UNIT_COUNTS;
	double number, value;

	if (!is_more && !take(gate, STR("<")))
		reject(gate, "< or >");
	number = take_number(gate);
	if (field < FIELD_SIGMA && take(gate, STR("%")))
		unit = UNIT_PERCENT;
	else if ((field == FIELD_SELF || field == FIELD_TOTAL) &&
	    take(gate, STR("points")))
		unit = UNIT_POINTS;
	if (gate->function == NULL)
		return false;
	value = find_value(gate, field, unit);
	return is_more ? value > number : value < number;
}

static bool take_condition(struct gate *gate);

static bool
take_term(struct gate *gate)
{
	bool holds;

	if (!take(gate, STR("(")))
		return take_comparison(gate);
	if (gate->depth++ == DEEPEST)
		reject(gate, "fewer brackets");
	holds = take_condition(gate);
	gate->depth--;
	if (!take(gate, STR(")")))
		reject(gate, "\")\"");
	return holds;
}

static bool
take_both(struct gate *gate)
{
	bool holds = take_term(gate);

	while (take(gate, STR("&")))
		holds &= take_term(gate);
	return holds;
}

static bool
take_condition(struct gate *gate)
{
	bool holds = take_both(gate);

	while (take(gate, STR("|")))
		holds |= take_both(gate);
	return holds;
}

static void
tell(struct text *text, const struct ranking *ranking,
    const struct counts_pair *counts)
{
	chance_tell(text, counts->of, ranking->functions->whole.of, 1);
	if (ranking->unknown == NULL)
		text_add_format(text, ", %.1f sigma",
		    ranking_pair_sigmas(ranking, counts));
}

/* Says on standard error how a function has changed. */
static void
gate_report(const struct ranking *ranking, const struct rank_row *row)
{
	const struct function *function = row->function;
	struct text text = { 0 };

	message_add_shown(&text, row->name);
	text_add(&text, STR(": total "));
	tell(&text, ranking, &function->total);
	if (function->self.of[0] > 0 || function->self.of[1] > 0) {
		text_add(&text, STR("; self "));
		if (pairs_equal(&function->self, &function->total))
			text_add(&text, STR("the same"));
		else
			tell(&text, ranking, &function->self);
	}
	message_warn("%.*s", (int)text.len, text.data);
	free(text.data);
}

static const char *const keys[] = {
	[RANK_SELF] = "self", [RANK_TOTAL] = "total",
	[RANK_STACKS] = "stacks", [RANK_NAME] = "name",
};

/* Reads the condition; ends the program if that or an option is wrong. */
static void
check_options(struct ranking *ranking, struct gate *gate)
{
	const unsigned ambiguous = 1U << FIELD_SELF | 1U << FIELD_TOTAL |
	    1U << FIELD_SIGMA;
	size_t i;

	if (fail_if != NULL) {
		gate->text = gate->rest = str_from(fail_if);
		take_condition(gate);
		gate->rest = str_trim_start(gate->rest);
		if (gate->rest.len > 0)
			reject(gate, "&, | or the end");
	}
	if ((gate->named & ambiguous) == ambiguous)
		options_reject("option --fail-if: sigma is ambiguous beside "
		    "self and total; write self-sigma or total-sigma");
	for (i = 0; i <= RANK_NAME && strcmp(sort, keys[i]) != 0; i++)
		continue;
	ranking->key = (enum rank_key)i;
	if (i > RANK_NAME)
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

/* Makes the views asked for; false, after messages, if one is empty. */
static bool
make_views(const struct functions *functions, struct treeview *views,
    size_t *count)
{
	const struct treeview rows[MOST_VIEWS] = {
		{ .kind = "callers", .of = callers, .functions = functions,
		    .tree = &functions->callers },
		{ .kind = "callees", .of = callees, .functions = functions,
		    .tree = &functions->callees, .with_self = true },
		{ .kind = "paths", .functions = functions,
		    .tree = &functions->paths, .with_self = true },
	};
	const struct treeview *row;
	bool good = true;

	for (row = rows; row < rows + MOST_VIEWS; row++) {
		if (row->tree == &functions->paths ? !paths : row->of == NULL)
			continue;
		if (row->of != NULL && row->tree->count == 1) {
			message_warn("--%s: no function matches \"%s\"",
			    row->kind, row->of);
			good = false;
			continue;
		}
		views[*count] = *row;
		if (row->of != NULL)
			treeview_by_share(&views[*count], min_share);
		else
			treeview_hottest(&views[*count],
			    find_most(USUAL_PATHS));
		++*count;
	}
	return good;
}

static void
show(const struct ranking *ranking, const struct treeview *views, size_t count)
{
	bool has_trees = callers != NULL || callees != NULL || paths;

	if (ranking->unknown != NULL && fail_if == NULL && !as_json)
		message_warn("chance is unknown: %s", ranking->unknown);
	if (as_json)
		show_json(ranking, find_most(SIZE_MAX), fail_if != NULL,
		    views, count);
	else if (has_trees)
		show_trees(ranking, views, count, as_tsv);
	else if (as_tsv || ranking->count > 0)
		show_functions(ranking, find_most(as_tsv ? SIZE_MAX :
		    USUAL_LINES), as_tsv);
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
	if (gate->named < 1U << FIELD_SIGMA)
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
		gate->ranking = ranking;
		gate->function = row->function;
		gate->rest = gate->text;
		row->fails = take_condition(gate);
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
	check_options(&ranking, &gate);
	functions.patterns[UNDER] = pattern_make("under", under);
	functions.patterns[CALLERS] = pattern_make("callers", callers);
	functions.patterns[CALLEES] = pattern_make("callees", callees);
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
