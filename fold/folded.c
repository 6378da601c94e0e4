#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "folded.h"

bool
folded_cut_count(struct str *line, struct str *count)
{
	size_t at = line->len, end;

	while (at > 0 && is_digit(line->data[at - 1]))
		at--;
	end = at;
	if (at > 0 && line->data[at - 1] == '.') {
		at--;
		while (at > 0 && is_digit(line->data[at - 1]))
			at--;
		if (at + 1 == end)
			return false;
	} else if (at == line->len)
		return false;
	if (at == 0 || !is_blank(line->data[at - 1]))
		return false;
	*count = str_skip(*line, at);
	*line = str_take(*line, at - 1);
	return true;
}

void
folded_add_name(struct text *text, struct str name)
{
	size_t i;
	char c;

	for (i = 0; i < name.len; i++) {
		c = name.data[i];
		text_add_char(text, c == ';' ? ':' : c == '\n' ? '_' : c);
	}
}

void
folded_add_line(struct text *text, struct str file, uint64_t line)
{
	if (file.len == 0)
		return;
	text_add_char(text, ':');
	folded_add_name(text, file);
	text_add_char(text, ':');
	if (line > 0)
		text_add_number(text, line);
	else
		text_add_char(text, '?');
}

/* Up to 18 digits fit an integer; strtod(3) does the rest. */
double
folded_value(struct str count)
{
	char small[64], *copy = small;
	long long number = 0;
	double value;
	size_t i;

	for (i = 0; i < count.len && i < 18 && is_digit(count.data[i]); i++)
		number = number * 10 + (count.data[i] - '0');
	if (i == count.len)
		return (double)number;
	if (count.len >= sizeof(small))
		copy = mem_array(count.len + 1, 1);
	memcpy(copy, count.data, count.len);
	copy[count.len] = '\0';
	value = strtod(copy, NULL);
	if (copy != small)
		free(copy);
	return value;
}

bool
amount_read(struct str count, struct amount *amount)
{
	size_t point = str_find(count, '.');
	bool fits;

	*amount = (struct amount){ 0 };
	fits = point == 0 || str_number(count, &amount->whole);
	if (fits && point < count.len)
		amount->part = folded_value(str_skip(count, point));
	if (amount->part >= 1)	/* ".99999999999999999" */
		amount->part = nextafter(1, 0);
	return fits;
}

bool
amount_add(struct amount *amount, struct amount other)
{
	double part = amount->part + other.part;
	unsigned long long carry = part >= 1;

	if (other.whole > ULLONG_MAX - amount->whole ||
	    carry > ULLONG_MAX - amount->whole - other.whole) {
		*amount = (struct amount){ ULLONG_MAX, 0 };
		return false;
	}
	amount->whole += other.whole + carry;
	amount->part = carry ? part - 1 : part;
	return true;
}

void
folded_add_value(struct text *text, double value)
{
	size_t start = text->len;

	text_add_format(text, "%.15g", value);
	if (!str_contains(str_skip(text_str(text), start), STR("e")))
		return;
	text->len = start;
	text_add_format(text, "%.20f", value);
	while (text->data[text->len - 1] == '0')
		text->len--;
	if (text->data[text->len - 1] == '.')
		text->len--;
}

void
folded_note_unit(struct folded_unit *unit, struct str comment)
{
	struct str start = STR("# unit: "), name;

	if (!str_starts(comment, start))
		return;
	name = str_trim(str_skip(comment, start.len));
	if (name.len == 0 || name.len >= sizeof(unit->name))
		return;
	if (unit->name[0] == '\0') {
		memcpy(unit->name, name.data, name.len);
		unit->name[name.len] = '\0';
	} else
		unit->differs |= !str_equal(name, str_from(unit->name));
}

const char *
folded_unit_name(const struct folded_unit *unit)
{
	return unit->name[0] == '\0' || unit->differs ? NULL : unit->name;
}
