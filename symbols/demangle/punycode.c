#include <stdint.h>

#include "punycode.h"
#include "lib/utf8.h"

/* RFC 3492, section 5. */
#define BASE		36
#define LEAST		1
#define MOST		26
#define SKEW		38
#define DAMP		700
#define FIRST_BIAS	72
#define FIRST_CODE	0x80

#define FIRST_LETTER	0xa0		/* before it are control characters */
#define LAST_CODE	0x10ffff

/* Returns the value of a digit, a to z, 0 to 9; BASE for others. */
static uint32_t
digit_of(char c)
{
	if (c >= 'a' && c <= 'z')
		return (uint32_t)(c - 'a');
	if (is_digit(c))
		return (uint32_t)(c - '0') + 26;
	return BASE;
}

/* Returns the digit below which a number ends, at its k-th BASE. */
static uint32_t
threshold(uint32_t k, uint32_t bias)
{
	if (k <= bias + LEAST)
		return LEAST;
	return k - bias > MOST ? MOST : k - bias;
}

/* Cuts a number off the code; false if it is missing or too large. */
static bool
cut_delta(struct str *code, uint32_t bias, uint32_t *delta)
{
	uint64_t weight = 1, sum = 0;
	uint32_t k, digit, end;

	for (k = BASE;; k += BASE) {
		if (code->len == 0)
			return false;
		digit = digit_of(code->data[0]);
		*code = str_skip(*code, 1);
		if (digit == BASE)
			return false;
		sum += digit * weight;
		end = threshold(k, bias);
		if (digit < end)
			break;
		weight *= BASE - end;
		if (sum > UINT32_MAX || weight > UINT32_MAX)
			return false;
	}
	*delta = (uint32_t)sum;
	return sum <= UINT32_MAX;
}

/* Returns the bias of section 6.1, for a name of `count` letters. */
static uint32_t
next_bias(uint32_t delta, uint32_t count, bool first)
{
	uint32_t k = 0;

	delta /= first ? DAMP : 2;
	delta += delta / count;
	for (; delta > (BASE - LEAST) * MOST / 2; k += BASE)
		delta /= BASE - LEAST;
	return k + (BASE - LEAST + 1) * delta / (delta + SKEW);
}

bool
punycode_add(struct text *out, struct str ascii, struct str code)
{
	uint32_t letters[PUNYCODE_LONGEST], count = 0, letter = FIRST_CODE;
	uint32_t bias = FIRST_BIAS, delta;
	uint64_t at = 0, i;
	bool first = true;

	if (ascii.len + code.len > PUNYCODE_LONGEST)
		return false;
	for (; count < ascii.len; count++)
		letters[count] = (unsigned char)ascii.data[count];
	for (; code.len > 0; at++) {
		if (!cut_delta(&code, bias, &delta))
			return false;
		bias = next_bias(delta, count + 1, first);
		first = false;
		at += delta;
		if (at / (count + 1) > LAST_CODE - letter)
			return false;
		letter += (uint32_t)(at / (count + 1));
		if (letter < FIRST_LETTER ||
		    (letter >= 0xd800 && letter < 0xe000))
			return false;
		at %= count + 1;
		memmove(&letters[at + 1], &letters[at],
		    (size_t)(count - at) * sizeof(*letters));
		letters[at] = letter;
		count++;
	}
	for (i = 0; i < count; i++)
		utf8_add(out, letters[i]);
	return true;
}
