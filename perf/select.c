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
	size_t point = str_find(s, '.');
	struct str fraction = str_skip(s, point + (point < s.len));
	int64_t number;

	if (str_digits(s) < point || fraction.len > DIGITS ||
	    str_digits(fraction) < fraction.len ||
	    !str_fixed(s, DIGITS, &number))
		return false;
	*time = (uint64_t)number;
	return true;
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

/* Parses "1,2 3,4"; a blank may follow a comma. */
static const char *
parse_ranges(struct select *select, struct str list)
{
	struct select_range range;
	const char *trouble;
	size_t room = 0, end;

	while (list.len > 0) {
		end = str_find(list, ',');
		end += end < list.len;
		end += str_blanks(str_skip(list, end));
		while (end < list.len && !is_blank(list.data[end]))
			end++;
		trouble = parse_range(str_take(list, end), &range);
		list = str_trim_start(str_skip(list, end));
		if (trouble != NULL)
			return trouble;
		if (select->ranges_count > 0 &&
		    select_end(select) >= range.start)
			return "has ranges that overlap or are not in order";
		*LIST_ADD(select->ranges, select->ranges_count, room) = range;
	}
	return select->ranges_count == 0 ? no_range : NULL;
}

/* Parses "12.5%" as a part of 1. */
static bool
parse_percent(struct str s, double *part)
{
	char *end;

	if (!str_ends(s, STR("%")) || s.len == 1 ||
	    strspn(s.data, "0123456789.") + 1 != s.len)
		return false;
	*part = strtod(s.data, &end) / 100;
	return end + 1 == s.data + s.len;
}

/* Parses "10%/2", the second tenth, "10%-20%", or "10%" alone. */
static const char *
parse_share(struct str s, bool is_alone, struct select_share *share)
{
	size_t end = str_find(s, '%');
	struct str rest = str_skip(s, end + (end < s.len));
	unsigned long long number = 1;
	double part;

	if (!parse_percent(str_take(s, s.len - rest.len), &part))
		return no_range;
	if (str_starts(rest, STR("-"))) {
		share->start = part;
		if (!parse_percent(str_skip(rest, 1), &share->end))
			return no_range;
	} else {
		if (rest.len == 0 ? !is_alone : rest.data[0] != '/' ||
		    !str_is_number(str_skip(rest, 1)) ||
		    !str_number(str_skip(rest, 1), &number) || number == 0)
			return no_range;
		share->start = part * (double)(number - 1);
		share->end = part * (double)number;
	}
	if (share->start > 1 || share->end > 1)
		return "has parts beyond 100 %";
	return share->end < share->start ? backwards : NULL;
}

static const char *
ask_time(struct select *select, struct str list)
{
	bool is_alone = !str_contains(list, STR(","));
	struct select_share share;
	const char *trouble;
	size_t room = 0;

	if (!str_contains(list, STR("%")))
		return parse_ranges(select, str_trim(list));
	while (list.len > 0) {
		trouble = parse_share(str_cut(&list, ','), is_alone, &share);
		if (trouble != NULL)
			return trouble;
		*LIST_ADD(select->shares, select->shares_count, room) = share;
	}
	return NULL;
}

/* Parses a number; false if it is larger than `most`. */
static bool
parse_number(struct str s, unsigned long long most,
    unsigned long long *number)
{
	return str_is_number(s) && str_number(s, number) && *number <= most;
}

/* Adds the processors "7" or "0-3"; false if it is neither. */
static bool
add_cpus(struct intmap *cpus, struct str word)
{
	size_t dash = str_find(word, '-');
	struct str end = dash < word.len ? str_skip(word, dash + 1) : word;
	unsigned long long cpu, last;

	if (!parse_number(str_take(word, dash), CPUS_MOST - 1, &cpu) ||
	    !parse_number(end, CPUS_MOST - 1, &last) || last < cpu)
		return false;
	for (; cpu <= last; cpu++)
		*intmap_at(cpus, cpu) = 1;
	return true;
}

/* Adds an ID; -1 is one, of a thread that has ended. */
static bool
add_id(struct intmap *ids, struct str word)
{
	bool is_negative = str_starts(word, STR("-"));
	unsigned long long id;

	if (!parse_number(str_skip(word, is_negative), INT32_MAX, &id))
		return false;
	*intmap_at(ids, is_negative ? 0 - id : id) = 1;
	return true;
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
ask_comms(struct select *select, struct str list)
{
	struct text path = { 0 };
	bool good = true;
	struct str comm;

	while (list.len > 0 && good) {
		comm = str_cut(&list, ',');
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

/* The options, by the bits of sample_has; `add` takes each part of a list. */
static const struct {
	const char *option, *what, *field;
	const char *(*ask)(struct select *select, struct str list);
	bool (*add)(struct intmap *numbers, struct str word);
	const char *trouble;
} options[SAMPLE_FIELDS] = {
	{ "--time", "time", "time", ask_time, NULL, NULL },
	{ "--cpus", "processor", "cpu", NULL, add_cpus,
	    "is not a list of processors, such as 0-3,7" },
	{ "--pids", "process", "pid", NULL, add_id,
	    "is not a list of numbers, such as 41,42" },
	{ "--tids", "thread", "tid", NULL, add_id,
	    "is not a list of numbers, such as 41,42" },
	{ "--comms", "command", "comm", ask_comms, NULL, NULL },
};

/* Adds what a list of an option asks for; returns what is wrong, or NULL. */
static const char *
ask(struct select *select, size_t option, struct str list)
{
	bool goes_on = true;
	struct str word;

	if (options[option].ask != NULL)
		return options[option].ask(select, list);
	while (goes_on) {
		word = str_cut(&list, ',');
		goes_on = list.data > word.data + word.len;
		if (!options[option].add(&select->numbers[option], word))
			return options[option].trouble;
	}
	return NULL;
}

void
select_ask(struct select *select, const char *const *lists)
{
	const char *trouble;
	size_t i;

	for (i = 0; i < SAMPLE_FIELDS; i++) {
		if (lists[i] == NULL)
			continue;
		select->by |= 1U << i;
		trouble = ask(select, i, str_from(lists[i]));
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

/* In perf, too, ranges end before the next one begins. */
void
select_resolve(struct select *select, uint64_t first, uint64_t last)
{
	double total = last > first ? (double)(last - first) : 0;
	const struct select_share *share = select->shares;
	struct select_range *range, *joined;
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
	/* make one of ranges that overlap */
	joined = range = select->ranges;
	sort_by_number(range, select->ranges_count, sizeof(*range));
	for (i = 1; i < select->ranges_count; i++)
		if (range[i].start > joined->end)
			*++joined = range[i];
		else if (range[i].end > joined->end)
			joined->end = range[i].end;
	select->ranges_count = (size_t)(joined - range) + 1;
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
	const struct select_range *range;
	uint64_t sum = 0, start, end;
	size_t i;

	if (select == NULL || (select->by & SAMPLE_HAS_TIME) == 0)
		return to > from ? to - from : 0;
	for (i = 0; i < select->ranges_count; i++) {
		range = &select->ranges[i];
		start = range->start > from ? range->start : from;
		end = range->end < to ? range->end : to;
		sum += end > start ? end - start : 0;
	}
	return sum;
}

bool
select_sample(struct select *select, const struct sample *sample)
{
	unsigned lack;
	size_t i = 0;

	if (select == NULL)
		return true;
	lack = select->by & ~sample->has;
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
	const uint64_t numbers[SAMPLE_FIELDS] = { 0, sample->cpu,
	    (uint64_t)sample->pid, (uint64_t)sample->tid, 0 };
	size_t i;

	if (!select_wants_time(select, sample->time))
		return false;
	for (i = 0; i < SAMPLE_FIELDS; i++)
		if ((select->by >> i & 1) != 0 && options[i].add != NULL &&
		    intmap_find(&select->numbers[i], numbers[i]) == 0)
			return false;
	return (select->by & SAMPLE_HAS_COMM) == 0 ||
	    table_find(&select->comms, sample->comm) != TABLE_NONE;
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
	table_free(&tally->comms);
	free(tally->counts);
}

void
select_tally_print(const struct select_tally *tally, struct text *text)
{
	uint32_t count = tally->comms.count, i;
	uint32_t *by_name = table_order(&tally->comms);
	struct {
		uint64_t rest;		/* the largest count comes first */
		uint32_t comm;
	} *list = mem_array(count, sizeof(*list));
	const unsigned long long second = NANOSECONDS;

	text_add_format(text, "%llu", tally->samples);
	if (tally->first > 0)
		text_add_format(text, " from %llu.%09llu to %llu.%09llu",
		    tally->first / second, tally->first % second,
		    tally->last / second, tally->last % second);
	for (i = 0; i < count; i++) {
		list[i].rest = UINT64_MAX - tally->counts[by_name[i]];
		list[i].comm = by_name[i];
	}
	sort_by_number(list, count, sizeof(*list));
	for (i = 0; i < count && i < COMMS_SHOWN; i++) {
		text_add(text, i == 0 ? STR(", of ") : STR(", "));
		text_add(text, tally->comms.keys[list[i].comm]);
		text_add_format(text, " (%llu)", tally->counts[list[i].comm]);
	}
	if (count > COMMS_SHOWN)
		text_add(text, STR(", ..."));
}
