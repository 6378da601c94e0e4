#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "selection.h"

#define NANOSECONDS	1000000000	/* in a second */
#define DIGITS		9		/* of a second's fraction, at most */
#define LINE		256	/* bytes, which no command has as many of */

#define FROM_FILE	STR("file://")

static const struct {
	unsigned by;
	const char *option;
} options[] = {
	{ SELECTION_TIME, "--time" }, { SELECTION_CPUS, "--cpus" },
	{ SELECTION_PIDS, "--pids" }, { SELECTION_TIDS, "--tids" },
	{ SELECTION_COMMS, "--comms" },
};

static const char no_range[] = "is no range of seconds, as 12.5,13, nor of "
    "per cent, as 10%/2 or 10%-20%";
static const char backwards[] = "has a range that ends before it begins";

/* Parses "12.5"; a time may lack the digits on one side of its point. */
static bool
parse_time(struct str s, uint64_t *time)
{
	size_t seconds = str_digits(s), digits, i;
	unsigned long long value = 0;
	struct str fraction = str_skip(s, seconds);

	if (seconds > 0 && !str_number(s, &value))
		return false;
	if (fraction.len > 0 && fraction.data[0] != '.')
		return false;
	fraction = str_skip(fraction, fraction.len > 0);
	digits = str_digits(fraction);
	if (digits < fraction.len || digits > DIGITS || seconds + digits == 0 ||
	    value >= UINT64_MAX / NANOSECONDS)
		return false;
	for (i = 0; i < DIGITS; i++)
		value = value * 10 + (i < digits ?
		    (unsigned)(fraction.data[i] - '0') : 0);
	*time = value;
	return true;
}

/* Cuts the next range, "1,2" or "1, 2", off a list. */
static struct str
cut_range(struct str *list)
{
	size_t end = str_find(*list, ',');
	struct str range;

	end += end < list->len;
	end += str_blanks(str_skip(*list, end));
	while (end < list->len && !is_blank(list->data[end]))
		end++;
	range = str_take(*list, end);
	*list = str_trim_start(str_skip(*list, end));
	return range;
}

/* Parses "1,2", ",2" or "1,"; an end of 0 is none, as in perf. */
static const char *
parse_range(struct str s, struct selection_range *range)
{
	size_t comma = str_find(s, ',');
	struct str start = str_take(s, comma), end;

	if (comma == s.len)
		return no_range;
	end = str_trim_start(str_skip(s, comma + 1));
	*range = (struct selection_range){ 0, 0 };
	if ((start.len > 0 && !parse_time(start, &range->start)) ||
	    (end.len > 0 && !parse_time(end, &range->end)))
		return no_range;
	if (range->end == 0)
		range->end = UINT64_MAX;
	return range->end < range->start ? backwards : NULL;
}

static const char *
parse_ranges(struct selection *selection, struct str list)
{
	struct selection_range range;
	const char *trouble;
	size_t room = 0;

	while (list.len > 0) {
		trouble = parse_range(cut_range(&list), &range);
		if (trouble != NULL)
			return trouble;
		if (selection->ranges_count > 0 &&
		    selection_end(selection) >= range.start)
			return "has ranges that overlap, or that are not in "
			    "the order of time";
		selection->ranges = mem_grow(selection->ranges, &room,
		    selection->ranges_count + 1, sizeof(range));
		selection->ranges[selection->ranges_count++] = range;
	}
	return selection->ranges_count == 0 ? no_range : NULL;
}

/* Parses "12.5%", and steps over it. */
static bool
parse_percent(const char **at, double *share)
{
	size_t len = strspn(*at, "0123456789."), digits = strspn(*at, ".");
	char *end;

	if (len == digits)
		return false;
	*share = strtod(*at, &end) / 100;
	if (end != *at + len || *end != '%')
		return false;
	*at = end + 1;
	return true;
}

/*
 * Parses "10%/2", the second tenth, or "10%-20%", and steps over it; "10%"
 * alone is the first tenth.
 */
static const char *
parse_share(const char **at, bool is_alone, struct selection_share *share)
{
	unsigned long long number = 1;
	double part;

	if (!parse_percent(at, &part))
		return no_range;
	if (**at == '-') {
		++*at;
		share->start = part;
		if (!parse_percent(at, &share->end))
			return no_range;
	} else {
		if (**at == '/' && (!str_number(str_from(*at + 1), &number) ||
		    number == 0))
			return no_range;
		if (**at == '/')
			*at += 1 + strspn(*at + 1, "0123456789");
		else if (!is_alone)
			return no_range;
		share->start = part * (double)(number - 1);
		share->end = part * (double)number;
	}
	if (share->start > 1 || share->end > 1)
		return "has parts beyond 100 %";
	return share->end < share->start ? backwards : NULL;
}

static const char *
parse_shares(struct selection *selection, const char *list)
{
	bool is_alone = strchr(list, ',') == NULL;
	struct selection_share share;
	const char *trouble;
	size_t room = 0;

	while (*list != '\0') {
		trouble = parse_share(&list, is_alone, &share);
		if (trouble != NULL)
			return trouble;
		if (*list != '\0' && *list++ != ',')
			return no_range;
		selection->shares = mem_grow(selection->shares, &room,
		    selection->shares_count + 1, sizeof(share));
		selection->shares[selection->shares_count++] = share;
	}
	return NULL;
}

const char *
selection_ask_time(struct selection *selection, const char *list)
{
	selection->by |= SELECTION_TIME;
	return strchr(list, '%') != NULL ? parse_shares(selection, list) :
	    parse_ranges(selection, str_trim(str_from(list)));
}

/* Parses a number, and steps over it; false if it is larger than `most`. */
static bool
parse_number(struct str *s, unsigned long long most,
    unsigned long long *number)
{
	if (!str_number(*s, number) || *number > most)
		return false;
	*s = str_skip(*s, str_digits(*s));
	return true;
}

/* Steps over the comma between two numbers of a list; false if it is none. */
static bool
skip_comma(struct str *s)
{
	if (s->len == 0)
		return true;
	if (s->data[0] != ',' || s->len == 1)
		return false;
	*s = str_skip(*s, 1);
	return true;
}

const char *
selection_ask_cpus(struct selection *selection, const char *list)
{
	static const char trouble[] = "is no list of processors, as 0-3,7";
	const unsigned long long most = SELECTION_CPUS_MOST - 1;
	unsigned long long cpu, last;
	struct str s = str_from(list);

	selection->by |= SELECTION_CPUS;
	selection->cpus = mem_array(SELECTION_CPUS_MOST / 8, 1);
	do {
		if (!parse_number(&s, most, &cpu))
			return trouble;
		last = cpu;
		if (str_starts(s, STR("-"))) {
			s = str_skip(s, 1);
			if (!parse_number(&s, most, &last))
				return trouble;
		}
		if (last < cpu || !skip_comma(&s))
			return trouble;
		for (; cpu <= last; cpu++)
			selection->cpus[cpu / 8] |=
			    (unsigned char)(1 << cpu % 8);
	} while (s.len > 0);
	return NULL;
}

/* Adds the numbers of a list; -1 is one, of a thread that has ended. */
static const char *
parse_ids(struct intmap *ids, const char *list)
{
	struct str s = str_from(list);
	unsigned long long number;
	bool is_negative;

	intmap_init(ids);
	do {
		is_negative = str_starts(s, STR("-"));
		s = str_skip(s, is_negative);
		if (!parse_number(&s, INT32_MAX, &number) || !skip_comma(&s))
			return "is not a list of numbers, such as 41,42";
		*intmap_at(ids, (uint32_t)(is_negative ? 0 - number :
		    number)) = 1;
	} while (s.len > 0);
	return NULL;
}

const char *
selection_ask_pids(struct selection *selection, const char *list)
{
	selection->by |= SELECTION_PIDS;
	return parse_ids(&selection->pids, list);
}

const char *
selection_ask_tids(struct selection *selection, const char *list)
{
	selection->by |= SELECTION_TIDS;
	return parse_ids(&selection->tids, list);
}

/* Adds the lines of a file; false, with errno, if it cannot be read. */
static bool
add_lines(struct table *comms, const char *path)
{
	FILE *file = fopen(path, "r");
	char line[LINE];
	bool good;

	if (file == NULL)
		return false;
	while (fgets(line, sizeof(line), file) != NULL)
		table_add(comms, (struct str){ line, strcspn(line, "\n") });
	good = !ferror(file);
	fclose(file);
	return good;
}

/* A command may be "file://PATH", a list of commands, a line each. */
const char *
selection_ask_comms(struct selection *selection, const char *list)
{
	struct str rest = str_from(list), comm;
	struct text path = { 0 };
	bool good = true;

	selection->by |= SELECTION_COMMS;
	table_init(&selection->comms);
	while (rest.len > 0 && good) {
		comm = str_take(rest, str_find(rest, ','));
		rest = str_skip(rest, comm.len + (comm.len < rest.len));
		if (!str_starts(comm, FROM_FILE)) {
			table_add(&selection->comms, comm);
			continue;
		}
		path.len = 0;
		text_add(&path, str_skip(comm, FROM_FILE.len));
		text_add_char(&path, '\0');
		good = add_lines(&selection->comms, path.data);
	}
	free(path.data);
	if (!good)
		return strerror(errno);
	return selection->comms.count == 0 ? "names no command" : NULL;
}

void
selection_add_options(const struct selection *selection, struct text *text)
{
	const char *between = "";
	size_t i;

	for (i = 0; i < sizeof(options) / sizeof(*options); i++) {
		if ((selection->by & options[i].by) == 0)
			continue;
		text_add_format(text, "%s%s", between, options[i].option);
		between = " and ";
	}
}

static int
compare_ranges(const void *left, const void *right)
{
	const struct selection_range *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

/* Makes one of ranges that overlap. */
static void
join_ranges(struct selection *selection)
{
	struct selection_range *list = selection->ranges, *last = list;
	size_t i;

	qsort(list, selection->ranges_count, sizeof(*list), compare_ranges);
	for (i = 1; i < selection->ranges_count; i++)
		if (list[i].start > last->end)
			*++last = list[i];
		else if (list[i].end > last->end)
			last->end = list[i].end;
	selection->ranges_count = (size_t)(last - list) + 1;
}

/* As perf, whose ranges end before the next one begins. */
void
selection_resolve(struct selection *selection, uint64_t first, uint64_t last)
{
	double total = last > first ? (double)(last - first) : 0;
	const struct selection_share *share = selection->shares;
	struct selection_range *range;
	size_t i;

	if (selection->ranges == NULL)
		selection->ranges = mem_array(selection->shares_count,
		    sizeof(*selection->ranges));
	selection->ranges_count = selection->shares_count;
	for (i = 0; i < selection->shares_count; i++, share++) {
		range = &selection->ranges[i];
		range->start = first + (uint64_t)round(share->start * total);
		range->end = first + (uint64_t)round(share->end * total);
		if (range->end > range->start && range->end != last)
			range->end--;
	}
	join_ranges(selection);
}

bool
selection_finds_time(const struct selection *selection, uint64_t time)
{
	size_t low = 0, high = selection->ranges_count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (selection->ranges[middle].end < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low < selection->ranges_count &&
	    selection->ranges[low].start <= time;
}

bool
selection_wants_thread(const struct selection *selection, int32_t pid,
    int32_t tid)
{
	return ((selection->by & SELECTION_PIDS) == 0 ||
	    intmap_find(&selection->pids, (uint32_t)pid) != 0) &&
	    ((selection->by & SELECTION_TIDS) == 0 ||
	    intmap_find(&selection->tids, (uint32_t)tid) != 0);
}

bool
selection_wants_comm(const struct selection *selection, struct str comm)
{
	return (selection->by & SELECTION_COMMS) == 0 ||
	    table_find(&selection->comms, comm) != TABLE_NONE;
}

uint64_t
selection_clip(const struct selection *selection, uint64_t from, uint64_t to)
{
	const struct selection_range *range = selection->ranges;
	uint64_t sum = 0, start, end;
	size_t i;

	if ((selection->by & SELECTION_TIME) == 0)
		return to > from ? to - from : 0;
	for (i = 0; i < selection->ranges_count; i++, range++) {
		start = range->start > from ? range->start : from;
		end = range->end < to ? range->end : to;
		sum += end > start ? end - start : 0;
	}
	return sum;
}
