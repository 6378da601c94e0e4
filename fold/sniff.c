#include "folded.h"
#include "sniff.h"

#define ENOUGH	64	/* bytes, to tell what all of them are */
#define MOST	4096	/* that are looked at */

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
bool
sniff_is_event(struct str line)
{
	size_t len;

	for (; line.len > 0; line = str_trim_start(str_skip(line, len))) {
		len = str_find(line, ' ');
		if (is_time(str_take(line, len)))
			return true;
	}
	return false;
}

/*
 * Cuts a line off the bytes, and steps over its end, LF or CRLF; a tab before
 * it is Hadoop Streaming's.
 */
static struct str
cut_line(struct str *bytes)
{
	size_t len = str_find(*bytes, '\n');
	struct str line = str_take(*bytes, len);

	*bytes = str_skip(*bytes, len + (len < bytes->len));
	if (str_ends(line, STR("\r")))
		line.len--;
	if (str_ends(line, STR("\t")))
		line.len--;
	return line;
}

bool
sniff_is_folded(struct str bytes)
{
	struct str rest = bytes, line, count;
	bool has_frames = false, is_first = true, has_count;

	while (rest.len > 0 && rest.data < bytes.data + MOST) {
		line = cut_line(&rest);
		if (line.len == 0 || str_starts(line, STR("# ")))
			continue;
		if (sniff_is_event(line))
			return false;
		has_count = !is_blank(line.data[0]) &&
		    folded_cut_count(&line, &count);
		if (is_first && !has_count)
			return false;
		is_first = false;
		has_frames |= has_count && str_find(line, ';') < line.len;
	}
	return has_frames;
}

const char *
sniff_kind(struct str line)
{
	if (str_starts(line, STR("PERFILE2")))
		return "a perf.data file, which stackcollapse-perf folds";
	if (is_binary(line))
		return "binary data";
	if (is_folded(line))
		return "folded text, which flamegraph draws";
	if (sniff_is_event(line))
		return "the output of perf script, which "
		    "stackcollapse-perf folds";
	if (str_find(line, '`') < line.len ||
	    str_contains(line, STR("FUNCTION:NAME")))
		return "the output of DTrace, which stackcollapse-dtrace "
		    "folds";
	if (str_starts(line, STR("<?xml")) || str_starts(line, STR("<svg")))
		return "a picture";
	return "some other text";
}

/* Returns what begins with these bytes, or NULL. */
static const char *
find_magic(struct str bytes)
{
	static const struct {
		struct str magic;
		const char *kind;
	} kinds[] = {
		{ { "\177ELF", 4 }, "an ELF program or library, not text" },
		{ { "!<arch>\n", 8 }, "an archive, not text" },
		{ { "PK\3\4", 4 }, "a zip archive, not text" },
		{ { "\37\213", 2 }, "compressed; gzip -dc decompresses it" },
		{ { "BZh", 3 }, "compressed; bzip2 -dc decompresses it" },
		{ { "\3757zXZ", 6 }, "compressed; xz -dc decompresses it" },
		{ { "\050\265/\375", 4 },
		    "compressed; zstd -dc decompresses it" },
		{ { "\377\376", 2 }, "UTF-16; iconv -f UTF-16 converts it" },
	};
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (str_starts(bytes, kinds[i].magic))
			return kinds[i].kind;
	return NULL;
}

/* True if an eighth or more of the bytes are no text's, if there are enough. */
static bool
is_mostly_binary(struct str bytes)
{
	size_t i, count = 0;

	for (i = 0; i < bytes.len; i++)
		count += is_control(bytes.data[i]) && !is_blank(bytes.data[i]);
	return bytes.len >= ENOUGH && count >= bytes.len / 8;
}

const char *
sniff_refusal(struct str bytes)
{
	const char *kind = find_magic(bytes);

	if (bytes.len > MOST)
		bytes.len = MOST;
	if (kind != NULL)
		return kind;
	if (is_mostly_binary(bytes))
		return "binary data";
	if (str_contains(bytes, STR("\n. ... raw event: size ")))
		return "a raw dump; run perf script without -D";
	return NULL;
}
