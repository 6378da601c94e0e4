#include <stdlib.h>

#include "fold/folded.h"
#include "gate.h"
#include "lib/message.h"
#include "lib/options.h"

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
	gate->names_self |= i == FIELD_SELF;
	gate->names_total |= i == FIELD_TOTAL;
	gate->has_plain_sigma |= i == FIELD_SIGMA;
	gate->needs_sigmas |= i >= FIELD_SIGMA;
	return (enum gate_field)i;
}

/* Reads a number, as folded text has counts, perhaps with a sign. */
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

/* Returns a change in the unit. */
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
		return ranking_pair_sigmas(ranking, gate->names_self ?
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

void
gate_read(struct gate *gate, const char *condition)
{
	gate->text = gate->rest = str_from(condition);
	take_condition(gate);
	gate->rest = str_trim_start(gate->rest);
	if (gate->rest.len > 0)
		reject(gate, "&, | or the end");
	if (gate->has_plain_sigma && gate->names_self && gate->names_total)
		options_reject("option --fail-if: sigma is ambiguous beside "
		    "self and total; write self-sigma or total-sigma");
}

bool
gate_holds(struct gate *gate, const struct ranking *ranking,
    const struct rank_row *row)
{
	gate->ranking = ranking;
	gate->function = &ranking->functions->list[row->function];
	gate->rest = gate->text;
	return take_condition(gate);
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

void
gate_report(const struct ranking *ranking, const struct rank_row *row)
{
	const struct functions *functions = ranking->functions;
	const struct function *function = &functions->list[row->function];
	struct str name = function_name(functions, row->function);
	struct text text = { 0 };

	message_add_shown(&text, name);
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
