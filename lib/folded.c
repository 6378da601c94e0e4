#include <stdint.h>
#include <stdlib.h>

#include "folded.h"
#include "mem.h"

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

/* The bits in which eight bytes of a and of b differ. */
static uint64_t
difference(const char *a, const char *b)
{
	uint64_t first, second;

	memcpy(&first, a, sizeof(first));
	memcpy(&second, b, sizeof(second));
	return first ^ second;
}

/* Neighbouring lines share hundreds of bytes: 32 a step. */
size_t
folded_common(struct str a, struct str b)
{
	size_t len = a.len < b.len ? a.len : b.len, at = 0;
	const char *p, *q;

	for (; at + 32 <= len; at += 32) {
		p = a.data + at;
		q = b.data + at;
		if ((difference(p, q) | difference(p + 8, q + 8) |
		    difference(p + 16, q + 16) | difference(p + 24, q + 24)))
			break;
	}
	while (at + 8 <= len && difference(a.data + at, b.data + at) == 0)
		at += 8;
	while (at < len && a.data[at] == b.data[at])
		at++;
	return at;
}

size_t
folded_frame_start(struct str line, size_t at)
{
	while (at > 0 && line.data[at - 1] != ';')
		at--;
	return at;
}

/* Up to 18 digits fit an integer; all else is left to strtod(3). */
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
