#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/message.h"
#include "lib/options.h"
#include "lib/sort.h"
#include "select.h"

#define NANOSECONDS	1000000000	/* in a second */
#define DIGITS		9		/* of a second's fraction, at most */
#define LINE		256	/* bytes; longer than any command */

#define CPUS_MOST	65536	/* 8 times as many as Linux's most */
#define COMMS_SHOWN	10

#define FROM_FILE	STR("file://")

static const char no_range[] = "is neither a range of seconds, such as "
    "12.5,13, nor one of per cent, such as 10%/2 or 10%-20%";
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

/* Parses "1,2", ",2" or "1,".  As in perf, an end of 0 means no end. */
static const char *
parse_range(struct str s, struct select_range *range)
{
	size_t comma = str_find(s, ',');
	struct str start = str_take(s, comma), end;

	if (comma == s.len)
		return no_range;
	end = str_trim_start(str_skip(s, comma + 1));
	*range = (struct select_range){ 0, 0 };
	if ((start.len > 0 && !parse_time(start, &range->start)) ||
	    (end.len > 0 && !parse_time(end, &range->end)))
		return no_range;
	if (range->end == 0)
		range->end = UINT64_MAX;
	return range->end < range->start ? backwards : NULL;
}

static const char *
parse_ranges(struct select *select, struct str list)
{
	struct select_range range;
	const char *trouble;
	size_t room = 0;

	while (list.len > 0) {
		trouble = parse_range(cut_range(&list), &range);
		if (trouble != NULL)
			return trouble;
		if (select->ranges_count > 0 &&
		    select_end(select) >= range.start)
			return "has ranges that overlap or are not in order";
		select->ranges = mem_grow(select->ranges, &room,
		    select->ranges_count + 1, sizeof(range));
		select->ranges[select->ranges_count++] = range;
	}
	return select->ranges_count == 0 ? no_range : NULL;
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
parse_share(const char **at, bool is_alone, struct select_share *share)
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
parse_shares(struct select *select, const char *list)
{
	bool is_alone = strchr(list, ',') == NULL;
	struct select_share share;
	const char *trouble;
	size_t room = 0;

	while (*list != '\0') {
		trouble = parse_share(&list, is_alone, &share);
		if (trouble != NULL)
			return trouble;
		if (*list != '\0' && *list++ != ',')
			return no_range;
		select->shares = mem_grow(select->shares, &room,
		    select->shares_count + 1, sizeof(share));
		select->shares[select->shares_count++] = share;
	}
	return NULL;
}

static const char *
ask_time(struct select *select, const char *list)
{
	return strchr(list, '%') != NULL ? parse_shares(select, list) :
	    parse_ranges(select, str_trim(str_from(list)));
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

/* Steps over the comma between two numbers; false if there is none. */
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

static const char *
ask_cpus(struct select *select, const char *list)
{
	static const char trouble[] = "is not a list of processors, such as "
	    "0-3,7";
	const unsigned long long most = CPUS_MOST - 1;
	unsigned long long cpu, last;
	struct str s = str_from(list);

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
			*intmap_at(&select->cpus, cpu) = 1;
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

	do {
		is_negative = str_starts(s, STR("-"));
		s = str_skip(s, is_negative);
		if (!parse_number(&s, INT32_MAX, &number) || !skip_comma(&s))
			return "is not a list of numbers, such as 41,42";
		*intmap_at(ids, is_negative ? 0 - number : number) = 1;
	} while (s.len > 0);
	return NULL;
}

static const char *
ask_pids(struct select *select, const char *list)
{
	return parse_ids(&select->pids, list);
}

static const char *
ask_tids(struct select *select, const char *list)
{
	return parse_ids(&select->tids, list);
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
static const char *
ask_comms(struct select *select, const char *list)
{
	struct str rest = str_from(list), comm;
	struct text path = { 0 };
	bool good = true;

	while (rest.len > 0 && good) {
		comm = str_take(rest, str_find(rest, ','));
		rest = str_skip(rest, comm.len + (comm.len < rest.len));
		if (!str_starts(comm, FROM_FILE)) {
			table_add(&select->comms, comm);
			continue;
		}
		path.len = 0;
		text_add(&path, str_skip(comm, FROM_FILE.len));
		text_add_char(&path, '\0');
		good = add_lines(&select->comms, path.data);
	}
	free(path.data);
	if (!good)
		return strerror(errno);
	return select->comms.count == 0 ? "names no command" : NULL;
}

/* The options, by the bits of sample_has. */
static const struct {
	const char *option, *what, *field;
	const char *(*ask)(struct select *select, const char *list);
} options[SAMPLE_FIELDS] = {
	{ "--time", "time", "time", ask_time },
	{ "--cpus", "processor", "cpu", ask_cpus },
	{ "--pids", "process", "pid", ask_pids },
	{ "--tids", "thread", "tid", ask_tids },
	{ "--comms", "command", "comm", ask_comms },
};

void
select_ask(struct select *select, const char *const *lists)
{
	const char *trouble;
	size_t i;

	for (i = 0; i < SAMPLE_FIELDS; i++) {
		if (lists[i] == NULL)
			continue;
		select->by |= 1U << i;
		trouble = options[i].ask(select, lists[i]);
		if (trouble != NULL)
			options_reject("option %s: \"%s\" %s",
			    options[i].option, lists[i], trouble);
	}
}

void
select_add_options(const struct select *select, struct text *text)
{
	const char *between = "";
	size_t i;

	for (i = 0; i < SAMPLE_FIELDS; i++) {
		if ((select->by >> i & 1) == 0)
			continue;
		text_add_format(text, "%s%s", between, options[i].option);
		between = " and ";
	}
}

/* Makes one of ranges that overlap. */
static void
join_ranges(struct select *select)
{
	struct select_range *list = select->ranges, *last = list;
	size_t i;

	sort_by_number(list, select->ranges_count, sizeof(*list));
	for (i = 1; i < select->ranges_count; i++)
		if (list[i].start > last->end)
			*++last = list[i];
		else if (list[i].end > last->end)
			last->end = list[i].end;
	select->ranges_count = (size_t)(last - list) + 1;
}

/* As perf, whose ranges end before the next one begins. */
void
select_resolve(struct select *select, uint64_t first, uint64_t last)
{
	double total = last > first ? (double)(last - first) : 0;
	const struct select_share *share = select->shares;
	struct select_range *range;
	size_t i;

	if (select->ranges == NULL)
		select->ranges = mem_array(select->shares_count,
		    sizeof(*select->ranges));
	select->ranges_count = select->shares_count;
	for (i = 0; i < select->shares_count; i++, share++) {
		range = &select->ranges[i];
		range->start = first + (uint64_t)round(share->start * total);
		range->end = first + (uint64_t)round(share->end * total);
		if (range->end > range->start && range->end != last)
			range->end--;
	}
	join_ranges(select);
}

bool
select_wants_time(const struct select *select, uint64_t time)
{
	size_t before;

	if ((select->by & SAMPLE_HAS_TIME) == 0 || time == 0 || select->clips)
		return true;
	before = sort_up_to(time, select->ranges, select->ranges_count,
	    sizeof(*select->ranges));
	return before > 0 && time <= select->ranges[before - 1].end;
}

uint64_t
select_clip(const struct select *select, uint64_t from, uint64_t to)
{
	const struct select_range *range = select->ranges;
	uint64_t sum = 0, start, end;
	size_t i;

	if ((select->by & SAMPLE_HAS_TIME) == 0)
		return to > from ? to - from : 0;
	for (i = 0; i < select->ranges_count; i++, range++) {
		start = range->start > from ? range->start : from;
		end = range->end < to ? range->end : to;
		sum += end > start ? end - start : 0;
	}
	return sum;
}

bool
select_sample(struct select *select, const struct sample *sample)
{
	unsigned lack = select->by & ~sample->has;
	size_t i = 0;

	if (lack != 0) {
		while ((lack >> i & 1) == 0)
			i++;
		select->lacking[i]++;
		return false;
	}
	return select_wants(select, sample);
}

bool
select_wants(const struct select *select, const struct sample *sample)
{
	const unsigned by = select->by;

	return select_wants_time(select, sample->time) &&
	    ((by & SAMPLE_HAS_CPU) == 0 ||
	    intmap_find(&select->cpus, sample->cpu) != 0) &&
	    ((by & SAMPLE_HAS_PID) == 0 ||
	    intmap_find(&select->pids, (uint64_t)sample->pid) != 0) &&
	    ((by & SAMPLE_HAS_TID) == 0 ||
	    intmap_find(&select->tids, (uint64_t)sample->tid) != 0) &&
	    ((by & SAMPLE_HAS_COMM) == 0 ||
	    table_find(&select->comms, sample->comm) != TABLE_NONE);
}

bool
select_report(const struct select *select)
{
	bool is_lacking = false;
	size_t i;

	for (i = 0; i < SAMPLE_FIELDS; i++) {
		if (select->lacking[i] == 0)
			continue;
		is_lacking = true;
		message_warn("%s: samples left out, without their %s, "
		    "which perf script prints with -F +%s: %zu",
		    options[i].option, options[i].what, options[i].field,
		    select->lacking[i]);
	}
	return is_lacking;
}

void
select_tally_add(struct select_tally *tally, struct str comm, uint64_t time)
{
	uint32_t number;

	tally->samples++;
	number = table_add(&tally->comms, comm);
	tally->counts = mem_grow_zero(tally->counts, &tally->room,
	    number + (size_t)1, sizeof(*tally->counts));
	tally->counts[number]++;
	if (time == 0)
		return;
	if (time < tally->first || tally->first == 0)
		tally->first = time;
	if (time > tally->last)
		tally->last = time;
}

void
select_tally_free(struct select_tally *tally)
{
	if (tally->samples > 0)
		table_free(&tally->comms);
	free(tally->counts);
}

/* A command of a tally. */
struct tallied_comm {
	unsigned long long count;
	struct str comm;
};

/* Orders by count, the largest first, then by name. */
static int
compare_comms(const void *left, const void *right)
{
	const struct tallied_comm *a = left, *b = right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return str_compare(a->comm, b->comm);
}

void
select_tally_print(const struct select_tally *tally, struct text *text)
{
	uint32_t count = tally->comms.count, i;
	struct tallied_comm *list = mem_array(count + (size_t)1, sizeof(*list));
	const unsigned long long second = NANOSECONDS;

	text_add_format(text, "%llu", tally->samples);
	if (tally->first > 0)
		text_add_format(text, " from %llu.%09llu to %llu.%09llu",
		    tally->first / second, tally->first % second,
		    tally->last / second, tally->last % second);
	for (i = 0; i < count; i++)
		list[i] = (struct tallied_comm){ tally->counts[i],
		    tally->comms.keys[i] };
	qsort(list, count, sizeof(*list), compare_comms);
	for (i = 0; i < count && i < COMMS_SHOWN; i++) {
		text_add(text, i == 0 ? STR(", of ") : STR(", "));
		text_add(text, list[i].comm);
		text_add_format(text, " (%llu)", list[i].count);
	}
	if (count > COMMS_SHOWN)
		text_add(text, STR(", ..."));
}
