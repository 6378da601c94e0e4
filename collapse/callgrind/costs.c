#include "collapse/callgraph/callgraph.h"
#include "costs.h"

/*
 * Events.
 */

void
costs_free(struct costs *costs)
{
	table_free(&costs->names);
	table_free(&costs->made);
	arena_free(&costs->arena);
}

bool
costs_list_events(struct costs *costs, struct str names)
{
	struct str word;

	table_free(&costs->names);
	while ((word = str_cut_word(&names)).len > 0)
		if (costs->names.count == COSTS_MOST ||
		    table_find(&costs->names, word) != TABLE_NONE ||
		    table_add(&costs->names, word) == COSTS_MOST)
			return false;
	return costs->names.count > 0;
}

bool
costs_define_event(struct costs *costs, struct str definition)
{
	size_t end = str_find(definition, ':'), equals;
	uint32_t number;

	definition = str_take(definition, end);
	equals = str_find(definition, '=');
	if (equals == definition.len)	/* a long name alone */
		return true;
	if (costs->made.count == COSTS_MOST)
		return false;
	number = table_add(&costs->made, str_trim(str_take(definition,
	    equals)));
	costs->formulas[number] = arena_copy(&costs->arena,
	    str_skip(definition, equals + 1));
	return true;
}

static unsigned long long
product(unsigned long long a, unsigned long long b)
{
	return b > 0 && a > ~0ULL / b ? ~0ULL : a * b;
}

/* Formulas that are being read; none is part of itself. */
struct formulas {
	struct costs *costs;
	bool begun[COSTS_MOST];
	size_t terms;		/* that may still be read */
};

static bool add_formula(struct formulas *formulas, uint32_t number,
    unsigned long long factor);

/* Adds an event, `factor` times; false if there is no such event. */
static bool
add_event(struct formulas *formulas, struct str name,
    unsigned long long factor)
{
	struct costs *costs = formulas->costs;
	uint32_t number = table_find(&costs->names, name);

	if (number != TABLE_NONE) {
		costs->factors[number] = call_sum(costs->factors[number],
		    factor);
		if (costs->needed <= number)
			costs->needed = (size_t)number + 1;
		return true;
	}
	number = table_find(&costs->made, name);
	return number != TABLE_NONE && add_formula(formulas, number, factor);
}

/* Adds the events of a formula: "Ir + 2 Dr + 3 * Dw". */
static bool
add_formula(struct formulas *formulas, uint32_t number,
    unsigned long long factor)
{
	struct str rest = formulas->costs->formulas[number], term;
	unsigned long long times;
	size_t digits;
	bool known = !formulas->begun[number];

	formulas->begun[number] = true;
	while (known && rest.len > 0) {
		term = str_trim(str_cut(&rest, '+'));
		digits = str_digits(term);
		times = 1;
		if (digits > 0)
			str_number(term, &times);
		term = str_trim_start(str_skip(term, digits));
		if (digits > 0 && str_starts(term, STR("*")))
			term = str_trim_start(str_skip(term, 1));
		known = formulas->terms-- > 0 && add_event(formulas, term,
		    product(times, factor));
	}
	formulas->begun[number] = false;
	return known;
}

bool
costs_choose(struct costs *costs, const char *name)
{
	struct formulas formulas = { .costs = costs, .terms = 1000 };
	struct str wanted;
	size_t i;

	for (i = 0; i < COSTS_MOST; i++)
		costs->factors[i] = 0;
	costs->needed = 0;
	if (costs->names.count == 0)
		return false;
	wanted = name != NULL ? str_from(name) : costs->names.keys[0];
	costs->column = table_find(&costs->names, wanted);
	costs->is_plain = costs->column < COSTS_MOST;
	return add_event(&formulas, wanted, 1);
}

void
costs_add_names(const struct costs *costs, struct text *text)
{
	uint32_t i;

	for (i = 0; i < costs->names.count; i++) {
		if (i > 0)
			text_add(text, STR(", "));
		text_add(text, costs->names.keys[i]);
	}
	for (i = 0; i < costs->made.count; i++) {
		text_add(text, STR(", "));
		text_add(text, costs->made.keys[i]);
	}
}

/*
 * Lines of costs.
 */

void
costs_set_positions(struct costs *costs, struct str value)
{
	costs->positions = (size_t)str_contains(value, STR("instr")) +
	    str_contains(value, STR("addr")) +
	    str_contains(value, STR("bb")) +
	    str_contains(value, STR("line"));
}

bool
costs_begin(char c)
{
	return is_digit(c) || c == '+' || c == '-' || c == '*';
}

/*
 * Cuts a number off the text, "300" or "0x12c", whose bits above the 64th are
 * lost; false if it has none.
 */
static bool
cut_number(struct str *text, unsigned long long *number)
{
	size_t i = 0;

	if (str_starts(*text, STR("0x"))) {
		for (i = 2, *number = 0; i < text->len &&
		    is_hex(text->data[i]); i++)
			*number = *number << 4 | hex_value(text->data[i]);
		*text = str_skip(*text, i);
		return i > 2;
	}
	for (*number = 0; i < text->len && is_digit(text->data[i]) && i < 19;
	    i++)
		*number = *number * 10 + (unsigned)(text->data[i] - '0');
	if (i == 19) {
		str_number(*text, number);
		i = str_digits(*text);
	}
	*text = str_skip(*text, i);
	return i > 0;
}

bool
costs_read_totals(const struct costs *costs, struct str line,
    unsigned long long *cost, bool *negative)
{
	unsigned long long number;
	bool minus;
	size_t i;

	*cost = 0;
	for (i = 0; i < costs->needed && line.len > 0; i++) {
		minus = line.data[0] == '-';
		if (minus)
			line = str_skip(line, 1);
		if (!cut_number(&line, &number) ||
		    (line.len > 0 && !is_blank(line.data[0])))
			return false;
		line = str_trim_start(line);
		if (minus)
			*negative |= costs->factors[i] > 0 && number > 0;
		else if (costs->factors[i] > 0)
			*cost = call_sum(*cost, product(number,
			    costs->factors[i]));
	}
	return true;
}

bool
costs_read(const struct costs *costs, struct str line,
    unsigned long long *cost, bool *negative)
{
	size_t i, len;

	for (i = 0; i < costs->positions; i++) {
		len = 0;
		while (len < line.len && !is_blank(line.data[len]))
			len++;
		line = str_trim_start(str_skip(line, len));
	}
	return costs_read_totals(costs, line, cost, negative);
}

/* Returns the text after a word and a blank; NULL if these are not there. */
static const char *
after_word(const char *at)
{
	const char *word = at;

	while ((unsigned char)*at > ' ')
		at++;
	return at > word && *at == ' ' ? at + 1 : NULL;
}

/*
 * Reads a line of costs with a number in each column, and stores one.  Returns
 * the text after the line; NULL for another or an incomplete line.
 */
static const char *
read_plain(const char *at, size_t column, unsigned long long *cost)
{
	const char *digits;
	size_t i;

	if (!costs_begin(*at))
		return NULL;
	for (i = column; i > 0; i--)
		if ((at = after_word(at)) == NULL)
			return NULL;
	*cost = 0;
	for (digits = at; is_digit(*at); at++)
		*cost = *cost * 10 + (unsigned)(*at - '0');
	if (at == digits || at - digits > 18)
		return NULL;
	while (is_digit(*at) || *at == ' ')
		at++;
	return *at == '\n' ? at + 1 : NULL;
}

size_t
costs_take(const struct costs *costs, struct str *text, size_t most,
    unsigned long long *sum)
{
	const char *at = text->data, *next;
	size_t column = costs->positions + costs->column, lines;
	unsigned long long cost;

	*sum = 0;
	if (!costs->is_plain)
		return 0;
	for (lines = 0; lines < most && *sum <= ~0ULL / 2; lines++) {
		next = read_plain(at, column, &cost);
		if (next == NULL)
			break;
		*sum += cost;
		at = next;
	}
	*text = str_skip(*text, (size_t)(at - text->data));
	return lines;
}
