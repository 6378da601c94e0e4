#include <stdlib.h>

#include "cgnames.h"

#define MOST_SMALL	((unsigned long long)1 << 20)

void
cgnames_init(struct cgnames *names)
{
	size_t i;

	*names = (struct cgnames){ .ids = { { 0 } } };
	table_init(&names->texts);
	for (i = 0; i < sizeof(names->ids) / sizeof(*names->ids); i++)
		table_init(&names->ids[i].large);
}

void
cgnames_free(struct cgnames *names)
{
	size_t i;

	for (i = 0; i < sizeof(names->ids) / sizeof(*names->ids); i++) {
		free(names->ids[i].small);
		free(names->ids[i].texts);
		table_free(&names->ids[i].large);
	}
	table_free(&names->texts);
}

/* Returns where the text of a number is kept. */
static uint32_t *
find_id(struct cgnames_ids *ids, struct str digits)
{
	unsigned long long number;
	uint32_t large;

	if (str_number(digits, &number) && number < MOST_SMALL) {
		ids->small = mem_grow(ids->small, &ids->room,
		    (size_t)number + 1, sizeof(*ids->small));
		while (ids->known <= number)
			ids->small[ids->known++] = TABLE_NONE;
		return &ids->small[number];
	}
	large = ids->large.count;
	ids->texts = mem_grow(ids->texts, &ids->large_room, (size_t)large + 1,
	    sizeof(*ids->texts));
	ids->texts[large] = TABLE_NONE;
	return &ids->texts[table_add(&ids->large, digits)];
}

/* Returns the text of "(12)", if it is known; this is most of all names. */
static uint32_t
find_small(const struct cgnames_ids *ids, struct str text)
{
	size_t number = 0, i;

	if (text.len < 3 || text.len > 8 || text.data[0] != '(' ||
	    text.data[text.len - 1] != ')')
		return TABLE_NONE;
	for (i = 1; i < text.len - 1; i++) {
		if (!is_digit(text.data[i]))
			return TABLE_NONE;
		number = number * 10 + (size_t)(text.data[i] - '0');
	}
	return number < ids->known ? ids->small[number] : TABLE_NONE;
}

uint32_t
cgnames_read(struct cgnames *names, enum cgnames_kind kind, struct str text)
{
	uint32_t *known, small = find_small(&names->ids[kind], text);
	struct str digits;
	size_t len;

	if (small != TABLE_NONE)
		return small;
	text = str_trim(text);
	if (!str_starts(text, STR("(")))
		return table_add(&names->texts, text);
	digits = str_skip(text, 1);
	len = str_digits(digits);
	if (len == 0 || len == digits.len || digits.data[len] != ')')
		return table_add(&names->texts, text);
	known = find_id(&names->ids[kind], str_take(digits, len));
	digits = str_trim_start(str_skip(digits, len + 1));
	if (digits.len > 0)
		*known = table_add(&names->texts, digits);
	else if (*known == TABLE_NONE)
		return table_add(&names->texts, text);
	return *known;
}
