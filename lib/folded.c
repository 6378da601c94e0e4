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
