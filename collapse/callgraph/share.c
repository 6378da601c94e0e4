#include "share.h"

/* Stores the 128 bits of a * b. */
static void
multiply(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low)
{
	uint64_t a0 = a & UINT32_MAX, a1 = a >> 32;
	uint64_t b0 = b & UINT32_MAX, b1 = b >> 32;
	uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
	uint64_t other = a0 * b1 + (middle & UINT32_MAX);

	*low = a * b;
	*high = a1 * b1 + (middle >> 32) + (other >> 32);
}

/* Returns high:low / by, bit by bit; high is less than `by`. */
static uint64_t
divide(uint64_t high, uint64_t low, uint64_t by)
{
	uint64_t quotient = 0;
	int bit, carry;

	for (bit = 63; bit >= 0; bit--) {
		carry = (int)(high >> 63);
		high = high << 1 | (low >> bit & 1);
		quotient <<= 1;
		if (carry != 0 || high >= by) {
			high -= by;
			quotient |= 1;
		}
	}
	return quotient;
}

uint64_t
share_of(uint64_t x, uint64_t part, uint64_t whole)
{
	uint64_t high, low, half = whole / 2;

	if (x <= UINT32_MAX && part <= UINT32_MAX &&
	    x * part <= UINT64_MAX - half)
		return (x * part + half) / whole;
	multiply(x, part, &high, &low);
	low += half;
	high += low < half;
	return divide(high, low, whole);
}

/* Finds how many bits the weights must lose so that their sum fits. */
static void
begin(struct share *share)
{
	uint64_t most = share->high + (share->low >> 32);

	share->begun = true;
	share->equal = share->high == 0 && share->low == 0;
	while (most >> share->shift > UINT32_MAX)
		share->shift++;
	share->whole = share->equal ? share->count :
	    (share->high << (32 - share->shift)) + (share->low >> share->shift);
}

uint64_t
share_take(struct share *share, uint64_t weight)
{
	uint64_t due;

	if (!share->begun)
		begin(share);
	weight = share->equal ? 1 : weight >> share->shift;
	if (--share->count == 0)
		due = share->left;
	else
		due = share->whole == 0 ? 0 :
		    share_of(share->left, weight, share->whole);
	share->left -= due;
	share->whole -= weight;
	return due;
}
