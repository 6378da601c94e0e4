#include "collapse/callgraph/callgraph.h"
#include "events.h"

void
events_init(struct events *events)
{
	*events = (struct events){ .needed = 0 };
	table_init(&events->names);
	table_init(&events->made);
}

void
events_free(struct events *events)
{
	table_free(&events->names);
	table_free(&events->made);
	arena_free(&events->arena);
}

/* Cuts the first word off, and the blanks around it. */
static struct str
cut_word(struct str *text)
{
	struct str word = str_trim_start(*text);
	size_t len = 0;

	while (len < word.len && !is_blank(word.data[len]))
		len++;
	*text = str_trim_start(str_skip(word, len));
	return str_take(word, len);
}

bool
events_list(struct events *events, struct str names)
{
	struct str word;

	table_free(&events->names);
	table_init(&events->names);
	while ((word = cut_word(&names)).len > 0)
		if (events->names.count == EVENTS_MOST ||
		    table_find(&events->names, word) != TABLE_NONE ||
		    table_add(&events->names, word) == EVENTS_MOST)
			return false;
	return events->names.count > 0;
}

bool
events_define(struct events *events, struct str definition)
{
	size_t end = str_find(definition, ':'), equals;
	uint32_t number;

	definition = str_take(definition, end);
	equals = str_find(definition, '=');
	if (equals == definition.len)	/* a long name alone */
		return true;
	if (events->made.count == EVENTS_MOST)
		return false;
	number = table_add(&events->made, str_trim(str_take(definition,
	    equals)));
	events->formulas[number] = arena_copy(&events->arena,
	    str_skip(definition, equals + 1));
	return true;
}

static unsigned long long
product(unsigned long long a, unsigned long long b)
{
	return b > 0 && a > ~0ULL / b ? ~0ULL : a * b;
}

/* Formulas that are being read: none is part of itself. */
struct formulas {
	struct events *events;
	bool begun[EVENTS_MOST];
	size_t terms;		/* that may still be read */
};

static bool add_formula(struct formulas *formulas, uint32_t number,
    unsigned long long factor);

/* Adds an event so often; false if there is none of this name. */
static bool
add_event(struct formulas *formulas, struct str name,
    unsigned long long factor)
{
	struct events *events = formulas->events;
	uint32_t number = table_find(&events->names, name);

	if (number != TABLE_NONE) {
		events->factors[number] = call_sum(events->factors[number],
		    factor);
		if (events->needed <= number)
			events->needed = (size_t)number + 1;
		return true;
	}
	number = table_find(&events->made, name);
	return number != TABLE_NONE && add_formula(formulas, number, factor);
}

/* Adds what a formula says: "Ir + 2 Dr + 3 * Dw". */
static bool
add_formula(struct formulas *formulas, uint32_t number,
    unsigned long long factor)
{
	struct str rest = formulas->events->formulas[number], term;
	unsigned long long times;
	size_t len, digits;
	bool known = !formulas->begun[number];

	formulas->begun[number] = true;
	while (known && rest.len > 0) {
		len = str_find(rest, '+');
		term = str_trim(str_take(rest, len));
		rest = str_skip(rest, len + (len < rest.len));
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
events_choose(struct events *events, const char *name)
{
	struct formulas formulas = { .events = events, .terms = 1000 };
	struct str wanted;
	size_t i;

	for (i = 0; i < EVENTS_MOST; i++)
		events->factors[i] = 0;
	events->needed = 0;
	if (events->names.count == 0)
		return false;
	wanted = name != NULL ? str_from(name) : events->names.keys[0];
	events->column = table_find(&events->names, wanted);
	events->is_plain = events->column < EVENTS_MOST;
	return add_event(&formulas, wanted, 1);
}

static unsigned
hex_digit(char c)
{
	return is_digit(c) ? (unsigned)(c - '0') :
	    (unsigned)(lower(c) - 'a') + 10;
}

/* Cuts "0x1f" off the text; what is above 64 bits is lost. */
static bool
cut_hex(struct str *text, unsigned long long *number)
{
	size_t i = 2;

	for (*number = 0; i < text->len && is_hex(text->data[i]); i++)
		*number = *number << 4 | hex_digit(text->data[i]);
	*text = str_skip(*text, i);
	return i > 2;
}

/* Cuts a number off the text, "300" or "0x12c"; false if it has none. */
static bool
cut_number(struct str *text, unsigned long long *number)
{
	size_t i = 0, digits;

	if (str_starts(*text, STR("0x")))
		return cut_hex(text, number);
	for (*number = 0; i < text->len && is_digit(text->data[i]) && i < 19;
	    i++)
		*number = *number * 10 + (unsigned)(text->data[i] - '0');
	if (i == 19) {
		str_number(*text, number);
		digits = str_digits(*text);
		i = digits;
	}
	*text = str_skip(*text, i);
	return i > 0;
}

bool
events_cost(const struct events *events, struct str line,
    unsigned long long *cost, bool *negative)
{
	unsigned long long number;
	bool minus;
	size_t i;

	*cost = 0;
	for (i = 0; i < events->needed && line.len > 0; i++) {
		minus = line.data[0] == '-';
		if (minus)
			line = str_skip(line, 1);
		if (!cut_number(&line, &number) ||
		    (line.len > 0 && !is_blank(line.data[0])))
			return false;
		line = str_trim_start(line);
		if (minus)
			*negative |= events->factors[i] > 0 && number > 0;
		else if (events->factors[i] > 0)
			*cost = call_sum(*cost, product(number,
			    events->factors[i]));
	}
	return true;
}

void
events_add_names(const struct events *events, struct text *text)
{
	uint32_t i;

	for (i = 0; i < events->names.count; i++) {
		if (i > 0)
			text_add(text, STR(", "));
		text_add(text, events->names.keys[i]);
	}
	for (i = 0; i < events->made.count; i++) {
		text_add(text, STR(", "));
		text_add(text, events->made.keys[i]);
	}
}
