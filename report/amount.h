/*
 * amount: a count of folded text, or a sum of them, which is exact if all are
 * whole.
 */
#ifndef AMOUNT_H
#define AMOUNT_H

#include "lib/text.h"

/* It begins as { 0 }. */
struct amount {
	unsigned long long whole;
	double part;		/* below 1 */
};

/* Adds another one; false, and it is as large as can be, if it overflows. */
bool amount_add(struct amount *amount, struct amount other);

/* Adds a count, as folded text has it, in the same way. */
bool amount_add_digits(struct amount *amount, struct str digits);

/* Returns the amount as a double. */
double amount_value(struct amount amount);

/* Adds the amount times a factor to JSON, with all its digits. */
void amount_write(struct text *json, struct amount amount, double factor);

#endif
