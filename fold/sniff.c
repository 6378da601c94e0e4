#include "folded.h"
#include "sniff.h"

#define ENOUGH	64	/* bytes, to tell what all of them are */

static const char recording[] =
    "a perf.data file, which stackcollapse-perf folds";

const struct file_kind
	sniff_perf = FILE_KIND("perf", "a profile of perf"),
	sniff_dtrace = FILE_KIND("dtrace", "stacks of DTrace"),
	sniff_bpftrace = FILE_KIND("bpftrace", "maps of bpftrace"),
	sniff_callgrind = FILE_KIND("callgrind", "a profile of callgrind"),
	sniff_gdb = FILE_KIND("gdb", "backtraces of gdb"),
	sniff_ghcprof = FILE_KIND("ghcprof", "a profile of GHC"),
	sniff_heap = FILE_KIND("heap", "a profile of jemalloc or gperftools"),
	sniff_jstack = FILE_KIND("jstack", "dumps of jstack"),
	sniff_sample = FILE_KIND("sample", "a call graph of sample"),
	sniff_stap = FILE_KIND("stap", "stacks of SystemTap"),
	sniff_svg = FILE_KIND("svg", "a picture in SVG"),
	sniff_vtune = FILE_KIND("vtune", "a call tree of VTune"),
	sniff_xctrace = FILE_KIND("xctrace", "samples of xctrace");

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

	if (str_starts(bytes, STR("\x1f\x8b")))	/* packed by gzip */
		return false;
	while (rest.len > 0 && rest.data < bytes.data + SNIFF_MOST) {
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

static size_t
count_hex(struct str s)
{
	size_t len = 0;

	while (len < s.len && is_hex(s.data[len]))
		len++;
	return len;
}

/* "        7f3c04d5e0f2 main+0x12 (/usr/bin/app)", without the blanks */
static bool
is_perf_frame(struct str text)
{
	size_t digits = count_hex(text);

	return digits >= 8 && str_starts(str_skip(text, digits), STR(" ")) &&
	    str_ends(text, STR(")"));
}

/* "0xffffffff8103ce3b : halt+0xb/0x10 [kernel]" or "0x3c1e81 [/lib/a.so+.." */
static bool
is_stap_frame(struct str text)
{
	if (!str_starts(text, STR("0x")))
		return false;
	text = str_skip(text, 2);
	text = str_skip(text, count_hex(text));
	return str_starts(text, STR(" : ")) || str_starts(text, STR(" [/"));
}

/* "#0  main () at a.c:3", "#12 0x00005643b5720bdd in ?? ()" */
static bool
is_gdb_frame(struct str line)
{
	size_t digits;

	if (!str_starts(line, STR("#")))
		return false;
	line = str_skip(line, 1);
	digits = str_digits(line);
	return digits > 0 && str_starts(str_skip(line, digits), STR(" ")) &&
	    (str_contains(line, STR(" (")) ||
	    str_contains(line, STR("<signal handler called>")));
}

/* "@[", "@stacks[bash, ", "Attaching 2 probes..." */
static bool
is_bpftrace_line(struct str line)
{
	size_t len = 1;

	if (str_starts(line, STR("Attaching ")))
		return str_contains(line, STR(" probe"));
	if (!str_starts(line, STR("@")))
		return false;
	while (len < line.len && is_word(line.data[len]))
		len++;
	return str_starts(str_skip(line, len), STR("["));
}

/* "libc.so.1`_read+0x7", "genunix`0xfffffffffb800c91" */
static bool
is_dtrace_frame(struct str text)
{
	size_t len = 0;

	while (len < text.len && (is_word(text.data[len]) ||
	    strchr(".-+/@", text.data[len]) != NULL))
		len++;
	return len > 0 && str_starts(str_skip(text, len), STR("`")) &&
	    str_find_last(text, '`') == len && len + 1 < text.len;
}

static bool
is_callgrind_line(struct str line)
{
	return str_starts(line, STR("# callgrind format")) ||
	    str_starts(line, STR("creator: callgrind")) ||
	    str_starts(line, STR("events: "));
}

/* Returns the kind of files that have a line like this, which is not blank. */
static const struct file_kind *
kind_of_line(struct str line)
{
	struct str text = str_trim(line);

	if (is_callgrind_line(line))
		return &sniff_callgrind;
	if (is_gdb_frame(line))
		return &sniff_gdb;
	if (str_starts(line, STR("heap profile: ")) ||
	    str_starts(line, STR("heap_v2/")) ||
	    str_equal(line, STR("--- symbol")))
		return &sniff_heap;
	if (str_contains(line, STR("Time and Allocation Profiling Report")))
		return &sniff_ghcprof;
	if (str_contains(line, STR("FUNCTION:NAME")))
		return &sniff_dtrace;
	if (sniff_is_event(line) || is_perf_frame(text))
		return &sniff_perf;
	if (is_bpftrace_line(line))
		return &sniff_bpftrace;
	if (str_starts(text, STR("Full thread dump")) ||
	    str_starts(text, STR("java.lang.Thread.State: ")))
		return &sniff_jstack;
	if (str_starts(line, STR("Analysis of sampling ")) ||
	    str_starts(line, STR("Call graph:")))
		return &sniff_sample;
	if (str_starts(text, STR("Function Stack")) ||
	    str_starts(text, STR("\"Function Stack\"")))
		return &sniff_vtune;
	if (str_contains(line, STR("<trace-query-result")))
		return &sniff_xctrace;
	if (str_contains(line, STR("<svg ")))
		return &sniff_svg;
	if (is_stap_frame(text))
		return &sniff_stap;
	return is_blank(line.data[0]) && is_dtrace_frame(text) ?
	    &sniff_dtrace : NULL;
}

const struct file_kind *
sniff_lines(struct str lines)
{
	const struct file_kind *kind = NULL;
	struct str line;

	while (kind == NULL && lines.len > 0) {
		line = str_trim_end(cut_line(&lines));
		if (line.len > 0)
			kind = kind_of_line(line);
	}
	return kind;
}

const char *
sniff_kind(struct str lines)
{
	const struct file_kind *kind;
	struct str rest, line;

	if (lines.len > SNIFF_MOST)
		lines.len = SNIFF_MOST;
	rest = lines;
	line = cut_line(&rest);
	if (str_starts(line, STR("PERFILE2")))
		return recording;
	if (is_binary(line))
		return "binary data";
	if (is_folded(line))
		return "folded text, which flamegraph draws";
	if (sniff_is_event(line))
		return "the output of perf script, which "
		    "stackcollapse-perf folds";
	kind = sniff_lines(lines);
	if (kind != NULL && kind != &sniff_dtrace)
		return kind->looks;
	if (kind == &sniff_dtrace || str_find(line, '`') < line.len)
		return "the output of DTrace, which stackcollapse-dtrace "
		    "folds";
	if (str_starts(line, STR("<?xml")) || str_starts(line, STR("<svg")))
		return "a picture";
	return "some other text";
}

/* "BZh", a digit and the first block's magic; a name may begin with "BZh". */
static bool
is_bzip2(struct str bytes)
{
	return str_starts(bytes, STR("BZh")) && bytes.len > 4 &&
	    str_starts(str_skip(bytes, 4), STR("1AY&SY"));
}

/* Returns what begins with these bytes, or NULL. */
static const char *
find_magic(struct str bytes)
{
	static const char utf_16[] = "UTF-16; iconv -f UTF-16 converts it";
	static const struct {
		struct str magic;
		const char *kind;
	} kinds[] = {
		{ { "PERFILE2", 8 }, recording },
		{ { "\177ELF", 4 }, "an ELF program or library, not text" },
		{ { "!<arch>\n", 8 }, "an archive, not text" },
		{ { "PK\3\4", 4 }, "a zip archive, not text" },
		{ { "\37\213", 2 }, "compressed; gzip -dc decompresses it" },
		{ { "\3757zXZ", 6 }, "compressed; xz -dc decompresses it" },
		{ { "\050\265/\375", 4 },
		    "compressed; zstd -dc decompresses it" },
		{ { "\377\376", 2 }, utf_16 },
		{ { "\376\377", 2 }, utf_16 },
	};
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (str_starts(bytes, kinds[i].magic))
			return kinds[i].kind;
	if (str_starts(bytes, STR("MOJ")) && bytes.len > 3 &&
	    is_control(bytes.data[3]))	/* its version */
		return "a binary profile of Austin (MOJO); mojo2austin makes "
		    "folded text of it";
	return is_bzip2(bytes) ? "compressed; bzip2 -dc decompresses it" : NULL;
}

/* True if there are enough bytes, and an eighth or more are not text. */
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

	if (bytes.len > SNIFF_MOST)
		bytes.len = SNIFF_MOST;
	if (kind != NULL)
		return kind;
	if (is_mostly_binary(bytes))
		return "binary data";
	if (str_contains(bytes, STR("\n. ... raw event: size ")))
		return "a raw dump; run perf script without -D";
	if (str_contains(bytes, STR("  task name  ")) &&
	    str_contains(bytes, STR("  sch delay  ")))
		return "a table of perf sched timehist; stackcollapse-perf "
		    "--off-cpu folds the recording";
	if (str_contains(bytes, STR("\n# Event count (approx.): ")))
		return "sums that perf report has printed; perf script prints "
		    "samples: perf script | stackcollapse-perf";
	return NULL;
}

bool
sniff_has_folded(struct str bytes)
{
	struct str rest = bytes, line, count;
	bool is_first = true;

	/* The next line, "version: 1", is a stack and a count. */
	if (str_starts(bytes, STR("# callgrind format")))
		return false;
	while (rest.len > 0) {
		line = cut_line(&rest);
		if (line.len == 0 || str_starts(line, STR("# ")))
			continue;
		if (is_first ? folded_cut_count(&line, &count) :
		    is_folded(line))
			return true;
		is_first = false;
	}
	return false;
}
