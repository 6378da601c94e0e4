#include <stdlib.h>

#include "../fold/sniff.h"
#include "../lib/gzip.h"
#include "../lib/mem.h"
#include "../lib/protobuf.h"
#include "../lib/text.h"
#include "kind.h"

static const struct kind
	perf = { "stackcollapse-perf", "a profile of perf" },
	folded = { "stackcollapse-perf", "folded text" },
	dtrace = { "stackcollapse-dtrace", "stacks of DTrace" },
	bpftrace = { "stackcollapse-bpftrace", "maps of bpftrace" },
	callgrind = { "stackcollapse-callgrind", "a profile of callgrind" },
	cprofile = { "stackcollapse-cprofile", "a profile of cProfile" },
	firefox = { "stackcollapse-firefox", "a profile for Firefox" },
	gdb = { "stackcollapse-gdb", "backtraces of gdb" },
	jstack = { "stackcollapse-jstack", "dumps of jstack" },
	pprof = { "stackcollapse-pprof", "a profile of pprof" },
	sample = { "stackcollapse-sample", "a call graph of sample" },
	stap = { "stackcollapse-stap", "stacks of SystemTap" },
	vtune = { "stackcollapse-vtune", "a call tree of VTune" },
	xctrace = { "stackcollapse-xctrace", "samples of xctrace" };

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
static const struct kind *
kind_of_line(struct str line)
{
	struct str text = str_trim(line);

	if (is_callgrind_line(line))
		return &callgrind;
	if (is_gdb_frame(line))
		return &gdb;
	if (str_contains(line, STR("FUNCTION:NAME")))
		return &dtrace;
	if (sniff_is_event(line) || is_perf_frame(text))
		return &perf;
	if (is_bpftrace_line(line))
		return &bpftrace;
	if (str_starts(text, STR("Full thread dump")) ||
	    str_starts(text, STR("java.lang.Thread.State: ")))
		return &jstack;
	if (str_starts(line, STR("Analysis of sampling ")) ||
	    str_starts(line, STR("Call graph:")))
		return &sample;
	if (str_starts(text, STR("Function Stack")) ||
	    str_starts(text, STR("\"Function Stack\"")))
		return &vtune;
	if (str_contains(line, STR("<trace-query-result")))
		return &xctrace;
	if (is_stap_frame(text))
		return &stap;
	return is_blank(line.data[0]) && is_dtrace_frame(text) ? &dtrace : NULL;
}

static const struct kind *
kind_of_text(struct str text)
{
	const struct kind *kind = NULL;
	struct str line;
	size_t len;

	if (sniff_is_folded(text))
		return &folded;
	while (kind == NULL && text.len > 0) {
		len = str_find(text, '\n');
		line = str_trim_end(str_take(text, len));
		text = str_skip(text, len + (len < text.len));
		if (line.len > 0)
			kind = kind_of_line(line);
	}
	return kind;
}

/* True for a dict of cProfile, whose keys are tuples of three. */
static bool
is_marshal(struct str bytes)
{
	return bytes.len > 3 && (bytes.data[0] & 0x7f) == '{' &&
	    (str_starts(str_skip(bytes, 1), STR("(\3")) ||
	    str_starts(str_skip(bytes, 1), STR("\xa8\3")) ||
	    str_starts(str_skip(bytes, 1), STR(")\3")) ||
	    str_starts(str_skip(bytes, 1), STR("\xa9\3")));
}

static bool
is_firefox(struct str bytes)
{
	struct str text = str_trim_start(bytes);

	return str_starts(text, STR("{")) &&
	    !str_contains(text, STR("\"traceEvents\"")) &&
	    (str_contains(text, STR("\"meta\"")) ||
	    str_contains(text, STR("\"libs\"")));
}

/* True for bytes that no text has. */
static bool
is_binary(struct str bytes)
{
	size_t i;

	for (i = 0; i < bytes.len; i++)
		if (is_control(bytes.data[i]) && !is_blank(bytes.data[i]))
			return true;
	return false;
}

/*
 * True for a message with fields of a profile alone, which has 14; it may end
 * inside the last one.
 */
static bool
is_pprof(struct str bytes)
{
	struct protobuf message = protobuf_from(bytes);
	struct protobuf_field field;
	size_t count = 0;

	if (!is_binary(bytes))
		return false;
	while (protobuf_next(&message, &field)) {
		if (field.number < 1 || field.number > 15)
			return false;
		count++;
	}
	return count >= 2;
}

static const struct kind *
kind_of_packed(struct str bytes)
{
	struct gzip *gzip = gzip_new();
	struct text text = { 0 };
	const struct kind *kind = NULL;
	struct str piece;

	while (text.len < KIND_ENOUGH && gzip_next(gzip, &bytes, &piece))
		text_add(&text, piece);
	if (is_firefox(text_str(&text)))
		kind = &firefox;
	else if (is_pprof(text_str(&text)))
		kind = &pprof;
	free(text.data);
	gzip_free(gzip);
	return kind;
}

const struct kind *
kind_find(struct str bytes, bool is_all)
{
	const struct kind *kind;
	size_t whole = str_find_last(bytes, '\n');
	struct str text;

	if (str_starts(bytes, STR("PERFILE2")) ||
	    str_starts(bytes, STR("2ELIFREP")))
		return &perf;
	if (gzip_begins(bytes))
		return is_all ? kind_of_packed(bytes) : NULL;
	if (is_marshal(bytes))
		return &cprofile;
	if (is_firefox(bytes))
		return &firefox;
	text = is_all ? bytes : str_take(bytes,
	    whole < bytes.len ? whole + 1 : 0);
	kind = kind_of_text(text);
	if (kind == NULL && is_all && is_pprof(bytes))
		kind = &pprof;
	return kind;
}
