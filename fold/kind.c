#include <stdlib.h>

#include "folded.h"
#include "kind.h"
#include "lib/mem.h"
#include "lib/options.h"
#include "lib/packed.h"
#include "lib/protobuf.h"

#define KIND(number, name, source, sample, files) \
	[KIND_##number] = { "stackcollapse-" name, source, sample, files, \
	    files ", which stackcollapse-" name " folds" }

const struct kind kinds[] = {
	KIND(BPFTRACE, "bpftrace", "bpftrace", "stack", "maps of bpftrace"),
	KIND(CALLGRIND, "callgrind", "callgrind", "cost",
	    "a profile of callgrind"),
	KIND(CPROFILE, "cprofile", "cProfile", "function",
	    "a profile of cProfile"),
	KIND(CPUPROFILE, "cpuprofile", "Node.js or Chrome", "sample",
	    "a profile of Node.js or Chrome"),
	KIND(DTRACE, "dtrace", "DTrace", "stack", "stacks of DTrace"),
	KIND(FIREFOX, "firefox", "the Firefox profiler", "sample",
	    "a profile for Firefox"),
	KIND(FOLDED, "perf", "a collapser", "stack", "folded text"),
	KIND(GDB, "gdb", "gdb", "stack", "backtraces of gdb"),
	KIND(GHCPROF, "ghcprof", "GHC", "table of stacks", "a profile of GHC"),
	KIND(HEAP, "heap", "jemalloc or gperftools", "stack",
	    "a profile of jemalloc or gperftools"),
	KIND(JSTACK, "jstack", "jstack", "thread", "dumps of jstack"),
	KIND(OTLP, "otlp", "OpenTelemetry", "sample",
	    "a profile of OpenTelemetry"),
	KIND(PERF, "perf", "perf script", "sample", "a profile of perf"),
	KIND(PPROF, "pprof", "a profiler of pprof", "sample",
	    "a profile of pprof"),
	KIND(SAMPLE, "sample", "sample", "call graph",
	    "a call graph of sample"),
	KIND(SPEEDSCOPE, "speedscope", "speedscope", "sample",
	    "a file of speedscope"),
	KIND(STAP, "stap", "SystemTap", "stack", "stacks of SystemTap"),
	KIND(SVG, "svg", "flamegraph", "frame", "a picture in SVG"),
	KIND(TRACE, "trace", "a program that traces", "trace event",
	    "a trace in Chrome's format"),
	KIND(VTUNE, "vtune", "VTune", "stack with a count",
	    "a call tree of VTune"),
	KIND(XCTRACE, "xctrace", "xctrace", "row", "samples of xctrace"),
};

static const char recording[] =
    "a perf.data file, which stackcollapse-perf folds";

bool
kind_is_binary(struct str bytes)
{
	size_t i;

	for (i = 0; i < bytes.len; i++)
		if (is_control(bytes.data[i]) && !is_blank(bytes.data[i]))
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
kind_is_event(struct str line)
{
	size_t len;

	for (; line.len > 0; line = str_trim_start(str_skip(line, len))) {
		len = str_find(line, ' ');
		if (is_time(str_take(line, len)))
			return true;
	}
	return false;
}

/* Cuts a line off, and its end: LF, CRLF, or Hadoop Streaming's tab and LF. */
static struct str
cut_line(struct str *bytes)
{
	struct str line = str_cut(bytes, '\n');

	if (str_ends(line, STR("\r")))
		line.len--;
	if (str_ends(line, STR("\t")))
		line.len--;
	return line;
}

bool
kind_is_folded(struct str bytes)
{
	struct str rest = bytes, line, count;
	bool has_frames = false, is_first = true, has_count;

	if (str_starts(bytes, STR("\x1f\x8b")))	/* packed by gzip */
		return false;
	while (rest.len > 0 && rest.data < bytes.data + KIND_FOLDED_START) {
		line = cut_line(&rest);
		if (line.len == 0 || str_starts(line, STR("# ")))
			continue;
		if (kind_is_event(line))
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

/*
 * Steps over a pattern that s begins with; false if it begins otherwise.  %d is
 * digits, %x any number of hexadecimal digits, %w of characters of a word.
 */
static bool
skip_pattern(struct str *s, const char *pattern)
{
	size_t digits;

	for (; *pattern != '\0'; pattern++) {
		if (*pattern != '%') {
			if (s->len == 0 || s->data[0] != *pattern)
				return false;
			*s = str_skip(*s, 1);
			continue;
		}
		pattern++;
		digits = str_digits(*s);
		if (*pattern == 'd' && digits == 0)
			return false;
		if (*pattern == 'd')
			*s = str_skip(*s, digits);
		else if (*pattern == 'x')
			str_hex(s);
		else
			while (s->len > 0 && is_word(s->data[0]))
				*s = str_skip(*s, 1);
	}
	return true;
}

/* "        7f3c04d5e0f2 main+0x12 (/usr/bin/app)", without the blanks */
static bool
is_perf_frame(struct str text)
{
	struct str rest = text;

	return skip_pattern(&rest, "%x ") && text.len - rest.len > 8 &&
	    str_ends(text, STR(")"));
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

/* What lines of a kind's files begin with, as a pattern, or have, as a text. */
static const struct {
	enum kind_number kind;
	enum { STARTS, INDENTED, HAS, JSON } where;
	const char *text;
	const char *other;	/* NULL, or what the line has, too */
} marks[] = {
	{ KIND_GDB, STARTS, "#%d ", " (" },
	{ KIND_GDB, STARTS, "#%d ", "<signal handler called>" },
	{ KIND_HEAP, STARTS, "--- symbol", NULL },
	{ KIND_CALLGRIND, STARTS, "# callgrind format", NULL },
	{ KIND_CALLGRIND, STARTS, "creator: callgrind", NULL },
	{ KIND_CALLGRIND, STARTS, "events: ", NULL },
	{ KIND_HEAP, STARTS, "heap profile: ", NULL },
	{ KIND_HEAP, STARTS, "heap_v2/", NULL },
	{ KIND_GHCPROF, HAS, "Time and Allocation Profiling Report", NULL },
	{ KIND_DTRACE, HAS, "FUNCTION:NAME", NULL },
	{ KIND_JSTACK, INDENTED, "Full thread dump", NULL },
	{ KIND_JSTACK, INDENTED, "java.lang.Thread.State: ", NULL },
	{ KIND_SAMPLE, STARTS, "Analysis of sampling ", NULL },
	{ KIND_SAMPLE, STARTS, "Call graph:", NULL },
	{ KIND_VTUNE, INDENTED, "Function Stack", NULL },
	{ KIND_VTUNE, INDENTED, "\"Function Stack\"", NULL },
	{ KIND_XCTRACE, HAS, "<trace-query-result", NULL },
	{ KIND_SVG, HAS, "<svg ", NULL },
	{ KIND_BPFTRACE, STARTS, "Attaching ", " probe" },
	{ KIND_BPFTRACE, STARTS, "@%w[", NULL },
	/* "0xffffffff8103ce3b : halt+0xb/0x10 [kernel]", "0x3c1 [/lib/a.so" */
	{ KIND_STAP, INDENTED, "0x%x : ", NULL },
	{ KIND_STAP, INDENTED, "0x%x [/", NULL },
	/* in a file that is JSON */
	{ KIND_TRACE, JSON, "\"traceEvents\"", NULL },
	{ KIND_SPEEDSCOPE, JSON, "speedscope.app/file-format-schema", NULL },
	{ KIND_GHCPROF, JSON, "\"cost_centres\"", NULL },
	{ KIND_FIREFOX, JSON, "\"meta\"", NULL },
	{ KIND_FIREFOX, JSON, "\"libs\"", NULL },
	{ KIND_CPUPROFILE, JSON, "\"functionName\"", NULL }
};

/* Returns the kind whose mark a line or a file of JSON has, or NULL. */
static const struct kind *
find_mark(struct str s, bool is_json)
{
	struct str rest;
	size_t i;

	for (i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		if (is_json != (marks[i].where == JSON))
			continue;
		rest = marks[i].where == INDENTED ? str_trim_start(s) : s;
		if ((marks[i].where >= HAS ?
		    str_contains(s, str_from(marks[i].text)) :
		    skip_pattern(&rest, marks[i].text)) &&
		    (marks[i].other == NULL ||
		    str_contains(s, str_from(marks[i].other))))
			return &kinds[marks[i].kind];
	}
	return NULL;
}

const struct kind *
kind_of_lines(struct str lines)
{
	const struct kind *kind = NULL;
	struct str line, text;

	while (kind == NULL && lines.len > 0) {
		line = str_trim_end(cut_line(&lines));
		if (line.len == 0)
			continue;
		text = str_trim_start(line);
		kind = find_mark(line, false);
		if (kind == NULL && (kind_is_event(line) ||
		    is_perf_frame(text)))
			kind = &kinds[KIND_PERF];
		if (kind == NULL && is_blank(line.data[0]) &&
		    is_dtrace_frame(text))
			kind = &kinds[KIND_DTRACE];
	}
	return kind;
}

const char *
kind_looks(struct str lines)
{
	const struct kind *kind;
	struct str rest, line;

	if (lines.len > KIND_FOLDED_START)
		lines.len = KIND_FOLDED_START;
	rest = lines;
	line = cut_line(&rest);
	if (str_starts(line, STR("PERFILE2")))
		return recording;
	if (kind_is_binary(line))
		return "binary data";
	if (is_folded(line))
		return "folded text, which flamegraph draws";
	if (kind_is_event(line))
		return "the output of perf script, which "
		    "stackcollapse-perf folds";
	kind = kind_of_lines(lines);
	if (kind != NULL && kind != &kinds[KIND_DTRACE])
		return kind->looks;
	if (kind == &kinds[KIND_DTRACE] || str_find(line, '`') < line.len)
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
	static const char utf_16[] = "UTF-16; iconv -f UTF-16 converts it";
	static const struct {
		struct str bytes;
		const char *file;
	} magics[] = {
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

	for (i = 0; i < sizeof(magics) / sizeof(*magics); i++)
		if (str_starts(bytes, magics[i].bytes))
			return magics[i].file;
	if (str_starts(bytes, STR("MOJ")) && bytes.len > 3 &&
	    is_control(bytes.data[3]))	/* its version */
		return "a binary profile of Austin (MOJO); mojo2austin makes "
		    "folded text of it";
	/* a digit and the first block's magic; a name may begin with "BZh" */
	return str_starts(bytes, STR("BZh")) && bytes.len > 4 &&
	    str_starts(str_skip(bytes, 4), STR("1AY&SY")) ?
	    "compressed; bzip2 -dc decompresses it" : NULL;
}

const char *
kind_refusal(struct str bytes)
{
	const char *kind = find_magic(bytes);
	size_t i, odd = 0;

	if (bytes.len > KIND_FOLDED_START)
		bytes.len = KIND_FOLDED_START;
	if (kind != NULL)
		return kind;
	for (i = 0; i < bytes.len; i++)
		odd += is_control(bytes.data[i]) && !is_blank(bytes.data[i]);
	if (bytes.len >= 64 && odd >= bytes.len / 8)
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
kind_has_folded(struct str bytes)
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

/* True for a dict of cProfile, whose keys are tuples of three. */
static bool
is_marshal(struct str bytes)
{
	/* the highest bit marks what others refer to; ')' is a short tuple */
	return bytes.len > 3 && (bytes.data[0] & 0x7f) == '{' &&
	    (bytes.data[1] & 0x7e) == '(' && bytes.data[2] == 3;
}

/* True for a message of a profile's fields; it may end inside the last one. */
static bool
is_pprof(struct str bytes)
{
	struct bytes message = bytes_from(bytes);
	struct protobuf_field field;
	size_t count = 0;

	if (!kind_is_binary(bytes))
		return false;
	while (protobuf_next(&message, &field)) {
		if (field.number < 1 || field.number > 15)
			return false;
		count++;
	}
	return count >= 2;
}

/*
 * True for a CPU profile of gperftools: the words 0, 3, 0, the period and 0, of
 * 8 or 4 bytes; symbols may come first, between marks.
 */
static bool
is_cpu(struct str bytes)
{
	static const char words[][24] = {
		{ [8] = 3 }, { [15] = 3 }, { [4] = 3 }, { [7] = 3 }
	};
	size_t i, len;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		len = i < 2 ? 24 : 12;
		if (str_starts(bytes, (struct str){ words[i], len }))
			return true;
	}
	return false;
}

/*
 * True for a message that begins with a field 1 which has messages in it, 1 or
 * 2.  That of pprof has numbers.  The field may be longer than these bytes.
 */
static bool
is_otlp(struct str bytes)
{
	size_t len;
	int i;

	if (!kind_is_binary(bytes) || !str_starts(bytes, STR("\n")))
		return false;
	for (i = 0; i < 2; i++) {
		bytes = str_skip(bytes, 1);
		/* the length of the field, at least 2 */
		len = 0;
		while (len < 5 && len < bytes.len &&
		    (bytes.data[len] & 0x80) != 0)
			len++;
		if (len >= bytes.len || (len == 0 && bytes.data[0] < 2))
			return false;
		bytes = str_skip(bytes, len + 1);
		if (!str_starts(bytes, STR("\n")) &&
		    !str_starts(bytes, STR("\x12")))
			return false;
	}
	return true;
}

const struct kind *
kind_find(struct str bytes, bool is_all)
{
	const struct kind *kind = NULL;
	struct text unpacked = { 0 };
	struct str text;
	size_t whole;

	bytes = str_without_mark(bytes);
	if (str_starts(bytes, STR("PERFILE2")) ||
	    str_starts(bytes, STR("2ELIFREP")))
		return &kinds[KIND_PERF];
	if (packed_by(bytes) != NULL) {
		if (!is_all)
			return NULL;
		packed_unpack(packed_by(bytes), bytes, &unpacked,
		    KIND_ENOUGH);
		if (packed_by(text_str(&unpacked)) == NULL)
			kind = kind_find(text_str(&unpacked), true);
		free(unpacked.data);
		return kind;
	}
	if (is_marshal(bytes))
		return &kinds[KIND_CPROFILE];
	if (is_cpu(bytes))
		return &kinds[KIND_HEAP];
	text = str_trim_start(bytes);	/* of JSON */
	if (str_starts(text, STR("[")) && str_contains(text, STR("\"ph\"")) &&
	    str_starts(str_trim_start(str_skip(text, 1)), STR("{")))
		return &kinds[KIND_TRACE];
	if (str_starts(text, STR("{")))
		kind = find_mark(text, true);
	if (kind != NULL)
		return kind;
	whole = str_find_last(bytes, '\n');
	text = is_all ? bytes : str_take(bytes,
	    whole < bytes.len ? whole + 1 : 0);
	kind = kind_is_folded(text) ? &kinds[KIND_FOLDED] :
	    kind_of_lines(text);
	if (kind == NULL && is_all && is_otlp(bytes))
		kind = &kinds[KIND_OTLP];
	else if (kind == NULL && is_all && is_pprof(bytes))
		kind = &kinds[KIND_PPROF];
	return kind;
}

void
kind_add_program(struct text *text, const char *self, const char *program)
{
	static const char *const names[] = { "stackcollapse", "flamegraph",
	    "difffolded", "folded" };
	const char *slash = strrchr(self, '/'), *own = NULL;
	size_t i;

	for (i = 0; own == NULL && i < sizeof(names) / sizeof(*names); i++)
		own = strstr(slash != NULL ? slash : self, names[i]);
	if (own == NULL)	/* a link's name */
		own = slash != NULL ? slash + 1 : self;
	text_add(text, str_take(str_from(self), (size_t)(own - self)));
	text_add(text, str_from(program));
}

/* Adds a file's name and what ends it, not to be taken for an option. */
static void
add_name(struct text *text, const char *name, const char *end)
{
	struct text path = { 0 };

	text_add_format(&path, "%s%s%s", name[0] == '-' ? "./" : "", name, end);
	text_add_word(text, text_str(&path));
	free(path.data);
}

const char *
kind_advise(struct str bytes, const char *name, const char *const *operands)
{
	static const char *const none[] = { NULL };
	const struct kind *kind = kind_find(bytes, true);
	bool is_alone = operands[0] == NULL || operands[1] == NULL;
	struct text advice = { 0 }, program = { 0 };

	if (kind == NULL || kind == &kinds[KIND_FOLDED])
		return NULL;
	text_add_format(&advice, "%s; type: %s", kind->files,
	    name == NULL ? "... | " : "");
	kind_add_program(&program, options_self(), "stackcollapse");
	text_add_word(&advice, text_str(&program));
	free(program.data);
	if (name != NULL) {
		text_add_char(&advice, ' ');
		add_name(&advice, name, "");
	}
	if (name == NULL || is_alone) {
		text_add(&advice, STR(" | "));
		options_add_command(&advice, name == NULL ? operands : none,
		    name);
	} else {
		text_add(&advice, STR(" > "));
		add_name(&advice, name, ".folded");
	}
	text_add_char(&advice, '\0');
	return advice.data;
}
