#include <stdlib.h>

#include "census.h"

#define SHOWN	10	/* commands */

#define NANOSECONDS	1000000000	/* in a second */

void
census_init(struct census *census)
{
	*census = (struct census){ .first = UINT64_MAX };
	table_init(&census->commands);
}

void
census_free(struct census *census)
{
	table_free(&census->commands);
	free(census->counts);
}

static void
add(struct census *census, struct str command, unsigned long long count)
{
	uint32_t before = census->commands.count;
	uint32_t number = table_add(&census->commands, command);

	census->counts = mem_grow(census->counts, &census->room,
	    number + (size_t)1, sizeof(*census->counts));
	if (number == before)
		census->counts[number] = 0;
	census->counts[number] += count;
	census->count += count;
}

static void
note_time(struct census *census, uint64_t time)
{
	if (time < census->first)
		census->first = time;
	if (time > census->last)
		census->last = time;
}

void
census_count(struct census *census, struct str command, uint64_t time)
{
	add(census, command, 1);
	if (time != 0 && time != UINT64_MAX)
		note_time(census, time);
}

void
census_merge(struct census *census, const struct census *other)
{
	uint32_t i;

	for (i = 0; i < other->commands.count; i++)
		add(census, other->commands.keys[i], other->counts[i]);
	if (other->first <= other->last) {
		note_time(census, other->first);
		note_time(census, other->last);
	}
}

/* A command, by its number. */
struct rank {
	unsigned long long count;
	struct str command;
};

/* The largest first, and equal ones by their names. */
static int
compare(const void *left, const void *right)
{
	const struct rank *a = left, *b = right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return str_compare(a->command, b->command);
}

static void
add_commands(const struct census *census, struct text *text)
{
	uint32_t count = census->commands.count, i;
	struct rank *ranks = mem_array(count + (size_t)1, sizeof(*ranks));

	for (i = 0; i < count; i++)
		ranks[i] = (struct rank){ census->counts[i],
		    census->commands.keys[i] };
	qsort(ranks, count, sizeof(*ranks), compare);
	for (i = 0; i < count && i < SHOWN; i++) {
		text_add(text, i == 0 ? STR(", of ") : STR(", "));
		text_add(text, ranks[i].command);
		text_add_format(text, " (%llu)", ranks[i].count);
	}
	if (count > SHOWN)
		text_add(text, STR(", ..."));
	free(ranks);
}

static void
add_time(struct text *text, uint64_t time)
{
	text_add_format(text, "%llu.%09llu",
	    (unsigned long long)(time / NANOSECONDS),
	    (unsigned long long)(time % NANOSECONDS));
}

void
census_add(const struct census *census, struct text *text)
{
	text_add_format(text, "%llu", census->count);
	if (census->first <= census->last) {
		text_add(text, STR(" from "));
		add_time(text, census->first);
		text_add(text, STR(" to "));
		add_time(text, census->last);
	}
	add_commands(census, text);
}
