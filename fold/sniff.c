#include "folded.h"
#include "sniff.h"

static bool
is_binary(struct str line)
{
	size_t i;

	for (i = 0; i < line.len; i++)
		if (is_control(line.data[i]))
			return true;
	return false;
}

/* "main;parse;read 12" */
static bool
is_folded(struct str line)
{
	struct str count;

	return folded_cut_count(&line, &count) &&
	    str_find(line, ';') < line.len;
}

/* A time stamp, "115.109216:", as a word */
static bool
is_time(struct str word)
{
	size_t point = str_find(word, '.'), i;

	if (point == 0 || point + 2 >= word.len || !str_ends(word, STR(":")))
		return false;
	for (i = 0; i + 1 < word.len; i++)
		if (i != point && !is_digit(word.data[i]))
			return false;
	return true;
}

/* "java 24636/25607 [000] 4794564.109216:        235 cpu-clock:" */
static bool
is_perf_event(struct str line)
{
	size_t len;

	for (; line.len > 0; line = str_trim_start(str_skip(line, len))) {
		len = str_find(line, ' ');
		if (is_time(str_take(line, len)))
			return true;
	}
	return false;
}

const char *
sniff_kind(struct str line)
{
	if (str_starts(line, STR("PERFILE2")))
		return "a perf.data file; print it with perf script";
	if (is_binary(line))
		return "binary data";
	if (is_folded(line))
		return "folded already; give it to flamegraph";
	if (is_perf_event(line))
		return "the output of perf script; give it to "
		    "stackcollapse-perf";
	if (str_find(line, '`') < line.len)
		return "the output of DTrace; give it to stackcollapse-dtrace";
	if (str_starts(line, STR("<?xml")) || str_starts(line, STR("<svg")))
		return "a picture";
	return "some other text";
}
