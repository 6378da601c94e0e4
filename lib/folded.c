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

/* Neighbouring lines share hundreds of bytes: 32 a step. */
size_t
folded_common(struct str a, struct str b)
{
	size_t len = a.len < b.len ? a.len : b.len, at = 0;
	uint64_t words[2][4];

	for (; at + sizeof(words[0]) <= len; at += sizeof(words[0])) {
		memcpy(words[0], a.data + at, sizeof(words[0]));
		memcpy(words[1], b.data + at, sizeof(words[1]));
		if (((words[0][0] ^ words[1][0]) | (words[0][1] ^ words[1][1]) |
		    (words[0][2] ^ words[1][2]) | (words[0][3] ^ words[1][3])))
			break;
	}
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

double
folded_value(struct str count)
{
	unsigned long long number;
	char small[64], *copy = small;
	double value;

	if (str_find(count, '.') == count.len && str_number(count, &number))
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
