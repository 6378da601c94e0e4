#include "scriptline.h"

#define COMM_COLUMNS	16	/* of a sample without a call graph */
#define LONG_ADDRESS	5	/* digits that are hardly another word */
#define RECORD		STR("PERF_RECORD_")

/* True if a tab and an address begin a line: then it holds no other fields. */
static bool
begins_frame(struct str line)
{
	return line.len > 1 && line.data[0] == '\t' &&
	    (line.data[1] == ' ' || is_hex(line.data[1]));
}

/* How the module of a file begins, or the kernel's, after the symbol. */
static const char *const modules[] = { " (/", " ([", NULL };

static bool
is_path(struct str module)
{
	return str_starts(module, STR("/")) || str_starts(module, STR("["));
}

/*
 * Returns where "(/usr/bin/my app (x86)/run (deleted))" opens, given where it
 * closes; 0 if it is no module: "std::function<void (int)>::operator()".
 */
static size_t
find_module(struct str line, size_t close)
{
	struct str rest = str_take(line, close);
	size_t open = str_cut(&rest, '(').len, depth = 0;

	/* nearly always, and memchr(3) is faster */
	if (str_find(rest, '(') == rest.len)
		return open < close && line.data[open - 1] == ' ' ? open : 0;
	for (open = close; open > 0; open--) {
		if (line.data[open] == ')')
			depth++;
		else if (line.data[open] == '(' && --depth == 0)
			break;
	}
	if (open > 0 && line.data[open - 1] == ' ')
		return open;
	for (open = close; open > 0; open--)
		if (line.data[open] == '(' && line.data[open - 1] == ' ')
			break;
	return is_path(str_skip(line, open + 1)) ? open : 0;
}

static bool
is_hex_number(struct str text)
{
	str_hex(&text);
	return text.len == 0;
}

/* Parses "    7f722d142778 main+0x1f (/usr/bin/java)"; false for others. */
static bool
parse_frame(struct str line, struct frame *frame)
{
	size_t start = str_blanks(line), end, open;
	size_t close = str_find_last(line, ')');

	for (end = start; end < line.len && is_word(line.data[end]);)
		end++;
	if (close == line.len || end == start)
		return false;
	open = find_module(line, close);
	frame->module = str_between(line, open + 1, close);
	if (open <= end || (close + 1 < line.len && !is_path(frame->module) &&
	    !is_blank(line.data[close + 1])))
		return false;
	frame->address = str_between(line, start, end);
	frame->symbol = str_trim_start(str_between(line, end, open - 1));
	if (end == open - 1)	/* "ADDRESS (MODULE)" or "SYMBOL (MODULE)" */
		frame->symbol = is_hex_number(frame->address) ?
		    STR("[unknown]") : frame->address;
	else if (frame->symbol.len == 0)
		frame->symbol = STR(" ");
	return true;
}

/*
 * Parses "    7f722d142778 main+0x1f", perhaps without a symbol.  The address
 * must fill its columns: other lines of two words may be anything.
 */
static bool
parse_bare_frame(struct str line, struct frame *frame)
{
	line = str_trim_end(line);
	if (!head_fills_columns(line))
		return false;
	frame->address = str_trim_start(str_take(line, FRAME_ADDRESS_END));
	frame->symbol = line.len == FRAME_ADDRESS_END ? STR("[unknown]") :
	    str_skip(line, FRAME_ADDRESS_END + 1);
	frame->module = str_take(line, 0);
	return !str_any(str_contains, frame->symbol, modules);
}

/* True if the line may begin a sample. */
static bool
has_head(const struct script_line *line)
{
	return line->kind >= LINE_HEAD && line->kind <= LINE_ARGUMENTS;
}

bool
script_line_is_certain(const struct script_line *line)
{
	const struct frame *frame = &line->frame;

	if (line->kind == LINE_FRAME)
		return is_hex_number(frame->address) && (line->padded ||
		    frame->address.len >= LONG_ADDRESS ||
		    is_path(frame->module));
	return line->kind == LINE_LONE_FRAME || ((has_head(line) ||
	    line->kind == LINE_RECORD) && line->head.time.len > 0);
}

/*
 * Returns the index of the first branch; s.len if there is none.  It ends with
 * its prediction, transaction, abort and cycles:
 *
 *	 0x401126/0x401130/P/-/-/0  0x401136/0x401120/M/-/-/1
 */
static size_t
find_branch(struct str s)
{
	static const char *const predictions[] = {
		"P", "M", "-", "PN", "MN", NULL
	};
	static const char *const flags[] = {
		"X/A/", "X/-/", "-/A/", "-/-/", NULL
	};
	struct str rest;
	size_t at;

	for (at = str_find(s, '/'); at < s.len;
	    at += 1 + str_find(str_skip(s, at + 1), '/')) {
		rest = str_skip(s, at + 1);
		if (str_any(str_equal, str_cut(&rest, '/'), predictions) &&
		    str_any(str_starts, rest, flags) &&
		    str_digits(str_skip(rest, 4)) > 0)
			break;
	}
	while (at > 0 && at < s.len && !is_blank(s.data[at - 1]))
		at--;
	return at;
}

/* True for an address, pages' sizes and a cgroup, "  1f2a3b 4K N/A /a". */
static bool
is_memory(struct str line)
{
	struct str words = str_trim_start(line), rest = words, word, unit;

	while (rest.len > 0) {
		word = unit = str_take(rest, str_find(rest, ' '));
		str_hex(&unit);
		if (!str_equal(word, STR("N/A")) && (unit.len > 1 ||
		    unit.len == word.len || !str_contains(STR("KMGT"), unit)))
			break;
		rest = str_trim_start(str_skip(rest, word.len));
	}
	return rest.len == 0 || (rest.len < words.len &&
	    (rest.data[0] == '/' || str_equal(rest, STR("unknown"))));
}

/* Fields after a frame on its line begin so, a branch's target first. */
static const char *const field_starts[] = {
	" =>", " insn:", " ilen:", "\t\t", NULL
};

/* True for what perf prints after frames, even if brackets look like one's. */
static bool
fields_are_certain(struct str line)
{
	/* registers, instructions per cycle of Intel PT, and simpleperf's */
	static const char *const starts[] = {
		" ABI:", " \t IPC:", "\ttracing data:", NULL
	};
	struct str text = str_trim_start(line);

	if (begins_frame(line))
		return false;
	if (str_starts(line, STR("\t\t"))) {
		/* a disassembled instruction, if it is no frame */
		str_hex(&text);
		return !str_starts(text, STR(" ")) ||
		    !str_any(str_contains, text, modules);
	}
	return find_branch(line) < line.len ||
	    str_any(str_starts, line, field_starts) ||
	    str_any(str_starts, line, starts) ||
	    str_starts(text, STR("BPF output:")) ||
	    str_starts(text, STR("BPF string:"));
}

/*
 * Returns the end of the first module in brackets before a blank or the end: of
 * a path or, if there is none, of a name like "(inlined)"; 0 if there is none.
 */
static size_t
module_end(struct str text)
{
	size_t at, end = 0, depth, named = 0;

	for (;;) {
		at = end + 2 + str_search(str_skip(text, end), STR(" ("));
		for (end = at, depth = 1; depth > 0; end++) {
			if (end >= text.len)
				return named;
			depth += text.data[end] == '(';
			depth -= text.data[end] == ')';
		}
		if (end < text.len && !is_blank(text.data[end]))
			continue;
		if (is_path(str_skip(text, at)))
			return end;
		if (named == 0 && is_lower(text.data[at]))
			named = end;
	}
}

/* Returns what comes before such fields, which follow a module unless bare. */
static struct str
before_fields(struct str text, bool bare)
{
	const char *const *start;
	size_t at;

	for (start = field_starts; *start != NULL; start++) {
		at = str_search(text, str_from(*start));
		if (bare || (at > 0 && text.data[at - 1] == ')'))
			text.len = at;
	}
	at = find_branch(text);
	if (bare)
		return str_trim_end(str_take(text, at));
	if (at < text.len)
		text.len = module_end(text);
	at = str_find_last(text, ')') + 1;
	return at < text.len && is_blank(text.data[at]) ?
	    str_take(text, at) : text;
}

/*
 * Returns s from the last address that fills its columns, a blank and 16; empty
 * if there is none.  One more blank follows an event's name; without it, the
 * address is one of data.
 */
static struct str
find_columns(struct str s)
{
	const size_t end = FRAME_ADDRESS_END;
	size_t at = s.len;
	struct str rest;

	while (at-- > 1) {
		rest = str_skip(s, at);
		if (rest.data[0] == ' ' && head_fills_columns(rest) &&
		    (rest.len == end || (rest.len > end + 1 &&
		    rest.data[end + 1] != ' ')))
			return rest;
	}
	return str_take(s, 0);
}

/* Parses the frame, perhaps without module, at the last address. */
static bool
parse_in_columns(struct str s, struct frame *frame)
{
	return parse_frame(find_columns(before_fields(s, false)), frame) ||
	    (parse_bare_frame(find_columns(before_fields(s, true)), frame) &&
	    !is_blank(frame->symbol.data[0]));
}

/*
 * Finds the frame of a sample without a call graph on its head, after the
 * arguments of a tracepoint.  perf then pads commands of less than 15 bytes:
 *
 *	   swapper     0 [000] 115.1:     250000 cycles:  ffffffff81000130 ...
 */
static bool
parse_lone_frame(const struct head *head, bool padded, struct frame *frame)
{
	struct str fields, rest, word, address;

	if (head->comm.len == 0 && parse_in_columns(head->fields, frame))
		return true;
	if (!padded && head->comm.len < HEAD_COMM_MOST)
		return false;
	fields = rest = before_fields(str_trim(head->fields), false);
	address = str_take(fields, 0);
	/* the last long address or, if the line is padded, the first word */
	for (; str_contains(rest, STR(" ")); str_cut(&rest, ' ')) {
		word = str_take(rest, str_find(rest, ' '));
		if (is_hex_number(word) && (word.len >= LONG_ADDRESS ||
		    (padded && word.data == fields.data)))
			address = rest;
	}
	return parse_frame(address, frame) ||
	    (padded && parse_in_columns(head->fields, frame));
}

static enum line_kind
timed_kind(struct script_line *line, unsigned form)
{
	struct head *head = &line->head;
	struct str rest = str_trim_start(head->fields);
	bool padded = line->padded || ((form & HEAD_SQUEEZED) &&
	    head->comm.len == 0);

	if (str_starts(rest, RECORD) || str_starts(head->event, RECORD) ||
	    str_starts(rest, STR("DEFERRED CALLCHAIN ")))
		return LINE_RECORD;
	if (parse_lone_frame(head, padded, &line->frame)) {
		head->counts |= line->frame.address.data == rest.data;
		return LINE_LONE_FRAME;
	}
	/* Without a command, padding cannot be recognized. */
	if (!line->padded && (head->comm.len > 0 || head->counts))
		return LINE_HEAD;
	return rest.len == 0 || head->comm.len == 0 ? LINE_PADDED_HEAD :
	    LINE_ARGUMENTS;
}

/*
 * True for a record other than a sample, of --show-task-events and the like:
 *
 *	sh  4680 PERF_RECORD_COMM exec: sh:4680/4680
 */
static bool
is_record(struct str line)
{
	size_t at = str_search(line, RECORD);

	return at == 0 || (at < line.len && is_blank(line.data[at - 1])) ||
	    str_starts(line, STR(" instruction trace error type "));
}

/* Parses a head without a time and its frame.  A command ends at column 16. */
static bool
parse_untimed_frame(struct script_line *line, unsigned form)
{
	struct head *head = &line->head;
	struct str text = line->text, *address = &line->frame.address;

	if ((form & (HEAD_SQUEEZED | HEAD_TIMED)) ||
	    !parse_in_columns(text, &line->frame))
		return false;
	text.len = (size_t)(address->data - text.data) + address->len -
	    FRAME_ADDRESS_END;
	if (!head_parse_columns(text, form, head))
		return false;
	head->fields = str_skip(line->text, text.len);
	return head->comm.len > 0 ? head->comm.data + head->comm.len ==
	    text.data + COMM_COLUMNS : str_trim_start(text).len > 0;
}

/*
 * Parses a head without a time, unless all have one and this is a message such
 * as "Processed 283 events and lost 1 chunks!".  A command alone, or a number,
 * is one only if the line ends in a blank, as perf's own do.
 */
static bool
parse_untimed(struct script_line *line, enum line_place place, unsigned form)
{
	struct head *head = &line->head;
	struct str text = line->text;
	bool in_words = (form & HEAD_SQUEEZED) && !(form & HEAD_NUMBERLESS);
	bool ends = place != LINE_INSIDE && text.data[0] != '\t' &&
	    str_ends(text, STR(" ")), found;

	if ((form & HEAD_TIMED) || (line->padded && !ends))
		return false;
	found = (ends && !in_words && head_parse_columns(text, form, head) &&
	    head->event.len + head->period.len + head->tid.len > 0) ||
	    ((!line->padded || in_words) &&
	    head_parse_words(text, form, head)) ||
	    (ends && head_parse_columns(text, form, head));
	return found && (!line->padded || head->comm.len == 0);
}

/* True for "|8 x += i * i;" (+srccode), "  work.c:8 (inlined)" (+srcline). */
static bool
is_source(struct str text)
{
	const struct str inlined = STR(" (inlined)");
	size_t number;

	if (str_starts(text, STR("|")))
		return str_digits(str_skip(text, 1)) > 0;
	if (!str_starts(text, STR("  ")) || !str_ends(text, inlined))
		return false;
	number = str_digits_start(str_take(text, text.len - inlined.len));
	return !is_blank(text.data[2]) && is_digit(text.data[number]) &&
	    text.data[number - 1] == ':';
}

static enum line_kind
find_kind(struct script_line *line, enum line_place place, unsigned form)
{
	static const char *const starts[] = { " 0x", " /", " unknown", NULL };
	const enum line_kind other = line->padded ? LINE_DETAIL : LINE_ODD;
	struct str text = line->text;

	line->head = head_none;
	if (is_source(text))
		return other;
	if (!line->padded || place != LINE_INSIDE) {
		if (head_parse(text, form, &line->head))
			return timed_kind(line, form);
		if (parse_untimed_frame(line, form))
			return LINE_LONE_FRAME;
	}
	if (!line->padded && parse_untimed(line, place, form))
		return is_record(text) ? LINE_RECORD : LINE_HEAD;
	if (fields_are_certain(text))
		return text.data[0] == '\t' ? LINE_LIKELY_FIELDS : LINE_FIELDS;
	if (parse_frame(text, &line->frame) || (place != LINE_OUTSIDE &&
	    text.data[0] == '\t' && parse_bare_frame(text, &line->frame)))
		return LINE_FRAME;
	if (place == LINE_INSIDE && str_starts(text, STR(" ")) &&
	    (str_any(str_starts, text, starts) ||
	    str_contains(text, STR("/-/")) || is_memory(text)))
		return LINE_LIKELY_FIELDS;
	if (is_record(text))
		return LINE_RECORD;
	return parse_untimed(line, place, form) ? LINE_HEAD : other;
}

void
script_line_parse(struct str text, enum line_place place, unsigned form,
    struct script_line *line)
{
	const struct head *head = &line->head;
	bool has_sample;

	line->text = text;
	line->padded = text.len > 0 && is_blank(text.data[0]);
	/* nearly all lines */
	if (place == LINE_INSIDE && begins_frame(text) &&
	    parse_frame(text, &line->frame)) {
		line->kind = LINE_FRAME;
		return;
	}
	line->kind = str_trim_end(text).len == 0 ? LINE_BLANK :
	    find_kind(line, place, form);
	if (!str_starts(text, STR("#")))
		return;
	/*
	 * "# captured on: ..." is a comment, "# hash 29007: ..." may be, and
	 * "#hash 29007 1.5: cycles:" is a sample of the command "#hash".
	 */
	has_sample = has_head(line) && (is_blank(text.data[1]) ?
	    head->is_aligned && head->event.len > 0 && head->tid.len > 0 :
	    head->is_aligned || head->event.len > 0);
	if (!has_sample)
		line->kind = LINE_COMMENT;
}

unsigned
script_line_form(struct str bytes)
{
	/* A head has a command and no number, or its number is in columns. */
	bool numberless = false, in_columns = false;
	/* A head has an event and no period, a time, or frames and no time. */
	bool weightless = false, timed = false, untimed = false;
	bool open = false;	/* a sample with a time has not ended */
	unsigned form = HEAD_SQUEEZED;
	struct script_line line = { .kind = LINE_BLANK };
	const struct head *head = &line.head;
	struct str rest, text;

	for (rest = bytes; rest.len > 0;) {
		text = str_cut(&rest, '\n');
		if (!str_starts(text, STR("#")) &&
		    str_contains(text, STR("  ")))
			form = 0;
	}
	while (str_find(bytes, '\n') < bytes.len) {
		text = str_cut(&bytes, '\n');
		if (str_starts(text, STR("\t"))) {
			untimed |= has_head(&line) && !open;
			continue;
		}
		script_line_parse(text, LINE_BETWEEN, form | HEAD_WEIGHTED,
		    &line);
		open &= line.kind != LINE_BLANK;
		if (!has_head(&line))
			continue;
		numberless |= head->tid.len == 0 && head->comm.len > 0 &&
		    head->time.len + head->event.len > 0;
		in_columns |= head->in_columns && (head->pid.len > 0 ?
		    head->pid : head->tid).len < HEAD_ID_COLUMNS;
		weightless |= head->event.len > 0 && head->period.len == 0;
		timed |= head->time.len > 0;
		open |= head->time.len > 0;
		untimed |= !open && line.kind == LINE_LONE_FRAME;
	}
	return form | (numberless && !in_columns ? HEAD_NUMBERLESS : 0) |
	    (weightless ? 0 : HEAD_WEIGHTED) |
	    (timed && !untimed ? HEAD_TIMED : 0);
}

void
script_line_times(struct str bytes, unsigned form, uint64_t *first,
    uint64_t *last)
{
	struct script_line line;
	struct str text;
	uint64_t time;

	*first = *last = 0;
	while (bytes.len > 0) {
		text = str_cut(&bytes, '\n');
		if (str_starts(text, STR("\t")))
			continue;
		script_line_parse(text, LINE_OUTSIDE, form, &line);
		time = has_head(&line) ? head_time(&line.head) : HEAD_NO_TIME;
		if (time == HEAD_NO_TIME)
			continue;
		*first = *first == 0 || time < *first ? time : *first;
		*last = time > *last ? time : *last;
	}
}
