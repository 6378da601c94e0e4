#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/message.h"
#include "lib/options.h"
#include "lib/sort.h"
#include "select.h"

#define NANOSECONDS	1000000000ULL	/* in a second */
#define DIGITS		9		/* of a second's fraction, at most */
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

/*
 * Cuts "1,2", ",2" or "1," off a list; a blank may follow the comma.  As in
 * perf, an end of 0 means no end.
 */
static const char *
cut_range(struct str *list, struct select_range *range)
{
	struct str start = str_cut(list, ',');
	bool has_comma = list->data > start.data + start.len;
	struct str end = str_cut_word(list);

	*list = str_trim_start(*list);
	*range = (struct select_range){ 0, 0 };
	if (!has_comma ||
	    (start.len > 0 && !parse_time(start, &range->start)) ||
	    (end.len > 0 && !parse_time(end, &range->end)))
		return no_range;
	if (range->end == 0)
		range->end = UINT64_MAX;
	return range->end < range->start ? backwards : NULL;
}

/* Parses a number; false if it is larger than `most`. */
static bool
parse_number(struct str s, unsigned long long most,
    unsigned long long *number)
{
	return str_is_number(s) && str_number(s, number) && *number <= most;
}

/* Cuts "12.5%" off as a part of 1. */
static bool
cut_percent(struct str *s, double *part)
{
	struct str digits = str_cut(s, '%');
	char *end;

	if (digits.len == 0 ||
	    strspn(digits.data, "0123456789.") != digits.len)
		return false;
	*part = strtod(digits.data, &end) / 100;
	return end == digits.data + digits.len && *end == '%';
}

/* Parses "10%/2", the second tenth, "10%-20%", or "10%" alone. */
static const char *
parse_share(struct str s, bool is_alone, struct select_share *share)
{
	unsigned long long number = 1;

	if (!cut_percent(&s, &share->start))
		return no_range;
	if (str_starts(s, STR("-"))) {
		s = str_skip(s, 1);
		if (!cut_percent(&s, &share->end) || s.len > 0)
			return no_range;
	} else {
		if (s.len == 0 ? !is_alone : s.data[0] != '/' ||
		    !parse_number(str_skip(s, 1), UINT64_MAX, &number) ||
		    number == 0)
			return no_range;
		share->end = share->start * (double)number;
		share->start *= (double)(number - 1);
	}
	if (share->start > 1 || share->end > 1)
		return "has parts beyond 100 %";
	return share->end < share->start ? backwards : NULL;
}

/* Parses "1,2 3,4", or shares with commas between them. */
static const char *
ask_time(struct select *select, struct str list)
{
	bool is_alone = !str_contains(list, STR(","));
	bool are_shares = str_contains(list, STR("%"));
	struct select_range *range;
	const char *trouble;
	size_t room = 0;

	if (!are_shares)
		list = str_trim(list);
	trouble = list.len == 0 ? no_range : NULL;
	while (list.len > 0 && trouble == NULL) {
		if (are_shares) {
			trouble = parse_share(str_cut(&list, ','), is_alone,
			    LIST_ADD(select->shares, select->shares_count,
			    room));
			continue;
		}
		range = LIST_ADD(select->ranges, select->ranges_count, room);
		trouble = cut_range(&list, range);
		if (trouble == NULL && range > select->ranges &&
		    range[-1].end >= range->start)
			trouble = "has ranges that overlap or are not in order";
	}
	return trouble;
}

/* Adds the processors "7" or "0-3"; false if it is neither. */
static bool
add_cpus(struct intmap *cpus, struct str word)
{
	size_t dash = str_find(word, '-');
	struct str end = dash < word.len ? str_skip(word, dash + 1) : word;
	unsigned long long cpu, last;

	if (!parse_number(str_take(word, dash), WAITS_CPU_MOST - 1, &cpu) ||
	    !parse_number(end, WAITS_CPU_MOST - 1, &last) || last < cpu)
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

/* A command may be "file://PATH", a list of commands, a line each. */
static const char *
ask_comms(struct select *select, struct str list)
{
	struct table *comms = &select->comms;
	struct text path = { 0 };
	struct str comm;
	char line[256];		/* longer than any command */
	FILE *file;

	while (list.len > 0) {
		comm = str_cut(&list, ',');
		if (!str_starts(comm, FROM_FILE)) {
			table_add(comms, comm);
			continue;
		}
		path.len = 0;
		text_add(&path, str_skip(comm, FROM_FILE.len));
		text_add_char(&path, '\0');
		file = fopen(path.data, "r");
		while (file != NULL && fgets(line, sizeof(line), file) != NULL)
			table_add(comms,
			    (struct str){ line, strcspn(line, "\n") });
		if (file == NULL || ferror(file))
			return strerror(errno);
		fclose(file);
	}
	free(path.data);
	return comms->count == 0 ? "names no command" : NULL;
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

void
select_ask(struct select *select, const char *const *lists)
{
	const char *trouble;
	struct str list, word;
	size_t i;

	for (i = 0; i < SAMPLE_FIELDS; i++) {
		if (lists[i] == NULL)
			continue;
		select->by |= 1U << i;
		list = str_from(lists[i]);
		trouble = options[i].ask == NULL ? NULL :
		    options[i].ask(select, list);
		while (trouble == NULL && options[i].add != NULL) {
			word = str_cut(&list, ',');
			if (!options[i].add(&select->numbers[i], word))
				trouble = options[i].trouble;
			if (list.data == word.data + word.len)
				break;
		}
		if (trouble != NULL)
			options_reject("option %s: \"%s\" %s",
			    options[i].option, lists[i], trouble);
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
select_clip(const struct select *select, uint64_t from, uint64_t *to)
{
	const struct select_range *range = NULL;
	uint64_t sum = 0, start, end;
	size_t i;

	if (select == NULL || (select->by & SAMPLE_HAS_TIME) == 0)
		return *to > from ? *to - from : 0;
	for (i = 0; i < select->ranges_count; i++) {
		range = &select->ranges[i];
		start = range->start > from ? range->start : from;
		end = range->end < *to ? range->end : *to;
		sum += end > start ? end - start : 0;
	}
	if (range != NULL && range->end < *to)
		*to = range->end;
	return sum;
}

bool
select_sample(struct select *select, const struct sample *sample)
{
	const uint64_t numbers[SAMPLE_FIELDS] = { 0, sample->cpu,
	    (uint64_t)sample->pid, (uint64_t)sample->tid, 0 };
	unsigned lack;
	size_t i;

	if (select == NULL)
		return true;
	lack = select->by & ~sample->has;
	for (i = 0; i < SAMPLE_FIELDS; i++)
		if ((lack >> i & 1) != 0) {
			select->lacking[i]++;
			return false;
		}
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
	if (time > 0 && (time < tally->first || tally->first == 0))
		tally->first = time;
	if (time > tally->last)
		tally->last = time;
}

void
select_explain(const struct select *select)
{
	const struct select_tally *tally = &select->tally;
	uint32_t count = tally->comms.count, most, shown, i;
	uint32_t *by_name = table_order(&tally->comms);
	unsigned long long *counts = tally->counts;
	struct text used = { 0 }, text = { 0 };

	for (i = 0; i < SAMPLE_FIELDS; i++)
		if ((select->by >> i & 1) != 0)
			text_add_format(&used, "%s%s", used.len > 0 ?
			    " and " : "", options[i].option);
	text_add_number(&text, tally->samples);
	if (tally->first > 0)
		text_add_format(&text, " from %llu.%09llu to %llu.%09llu",
		    tally->first / NANOSECONDS, tally->first % NANOSECONDS,
		    tally->last / NANOSECONDS, tally->last % NANOSECONDS);
	for (shown = 0; shown < count && shown < COMMS_SHOWN; shown++) {
		most = by_name[0];
		for (i = 1; i < count; i++)
			if (counts[by_name[i]] > counts[most])
				most = by_name[i];
		text_add(&text, shown == 0 ? STR(", of ") : STR(", "));
		text_add(&text, tally->comms.keys[most]);
		text_add_format(&text, " (%llu)", counts[most]);
		counts[most] = 0;
	}
	if (count > COMMS_SHOWN)
		text_add(&text, STR(", ..."));
	message_warn("%.*s left no sample; there are %s", (int)used.len,
	    used.data, message_shown(text_str(&text)));
}
