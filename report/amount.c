#include <limits.h>
#include <math.h>

#include "amount.h"
#include "fold/folded.h"
#include "lib/json.h"

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

bool
amount_add_digits(struct amount *amount, struct str digits)
{
	size_t point = str_find(digits, '.');
	struct amount more = { 0 };
	bool fits = point == 0 || str_number(digits, &more.whole);

	if (fits && point < digits.len)
		more.part = folded_value(str_skip(digits, point));
	if (more.part >= 1)	/* ".99999999999999999" */
		more.part = nextafter(1, 0);
	return amount_add(amount, more) && fits;
}

double
amount_value(struct amount amount)
{
	return (double)amount.whole + amount.part;
}

void
amount_write(struct text *json, struct amount amount, double factor)
{
	if (factor == 1 && amount.part == 0)
		text_add_number(json, amount.whole);
	else
		json_add_number(json, amount_value(amount) * factor);
}
