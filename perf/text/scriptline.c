#include "scriptline.h"

#define COMM_COLUMNS	16	/* of a sample without a call graph */
#define PADDED_COMMAND	15	/* characters: perf pads shorter names */
#define LONG_ADDRESS	5	/* digits that are hardly another word */

#define RECORD		STR("PERF_RECORD_")

/* True if a tab and an address begin a line: then it holds no other fields. */
static bool
begins_frame(struct str line)
{
	return line.len > 1 && line.data[0] == '\t' &&
	    (line.data[1] == ' ' || is_hex(line.data[1]));
}

/* True if the bracket at line[open] begins a file's module, or the kernel's. */
static bool
is_path(struct str line, size_t open)
{
	return line.data[open + 1] == '/' || line.data[open + 1] == '[';
}

/* True if text holds a module in brackets: a file's path or the kernel. */
static bool
names_module(struct str text)
{
	return str_contains(text, STR(" (/")) || str_contains(text, STR(" (["));
}

/*
 * Returns where "(/usr/bin/my app (x86)/run (deleted))" opens, given where it
 * closes; 0 if it is no module: "std::function<void (int)>::operator()".
 */
static size_t
find_module(struct str line, size_t close)
{
	struct str rest = str_take(line, close);
	size_t open = str_find(rest, '('), depth = 0;

	/* nearly always, and memchr(3) is faster */
	if (open == close)
		return 0;
	rest = str_skip(rest, open + 1);
	if (str_find(rest, '(') == rest.len)
		return open > 0 && line.data[open - 1] == ' ' ? open : 0;
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
	return is_path(line, open) ? open : 0;
}

static bool
is_hex_number(struct str text)
{
	str_hex(&text);
	return text.len == 0;
}

/*
 * Parses "    7f722d142778 main+0x1f (/usr/bin/java)"; false if it is no frame.
 */
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
	if (open <= end || (close + 1 < line.len &&
	    !is_blank(line.data[close + 1]) && !is_path(line, open)))
		return false;
	frame->address = str_between(line, start, end);
	frame->module = str_between(line, open + 1, close);
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
	size_t start = 1;

	line = str_trim_end(line);
	if (line.len < FRAME_ADDRESS_END || !is_blank(line.data[0]) ||
	    (line.len > FRAME_ADDRESS_END &&
	    line.data[FRAME_ADDRESS_END] != ' '))
		return false;
	while (start < FRAME_ADDRESS_END && line.data[start] == ' ')
		start++;
	frame->address = str_between(line, start, FRAME_ADDRESS_END);
	frame->symbol = line.len == FRAME_ADDRESS_END ? STR("[unknown]") :
	    str_skip(line, FRAME_ADDRESS_END + 1);
	frame->module = str_take(line, 0);
	return frame->address.len > 0 && is_hex_number(frame->address) &&
	    !names_module(frame->symbol);
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
	struct str address = line->frame.address;
	struct str module = line->frame.module, rest = address;

	if (line->kind == LINE_LONE_FRAME)
		return true;
	if (line->kind != LINE_FRAME)
		return (has_head(line) || line->kind == LINE_RECORD) &&
		    line->head.time.len > 0;
	str_hex(&rest);
	return rest.len == 0 && (line->padded ||
	    address.len >= LONG_ADDRESS || str_starts(module, STR("/")) ||
	    str_starts(module, STR("[")));
}

/*
 * True for a branch's prediction, transaction, abort and cycles, as in
 *
 *	 0x401126/0x401130/P/-/-/0  0x401136/0x401120/M/-/-/1
 */
static bool
is_branch_state(struct str s)
{
	static const char *const predictions[] = {
		"/P/", "/M/", "/-/", "/PN/", "/MN/", NULL
	};

	if (!str_any(str_starts, s, predictions))
		return false;
	s = str_skip(s, s.data[2] == '/' ? 3 : 4);
	return s.len > 4 && (s.data[0] == 'X' || s.data[0] == '-') &&
	    s.data[1] == '/' && (s.data[2] == 'A' || s.data[2] == '-') &&
	    s.data[3] == '/' && is_digit(s.data[4]);
}

/* Returns the index of the first branch's state; s.len if s has none. */
static size_t
find_branch_state(struct str s)
{
	size_t at = str_find(s, '/');

	while (at < s.len && !is_branch_state(str_skip(s, at)))
		at += 1 + str_find(str_skip(s, at + 1), '/');
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
		if (unit.len > 0 && !str_equal(word, STR("N/A")) &&
		    (unit.len > 1 || word.len == 1 ||
		    !str_contains(STR("KMGT"), unit)))
			break;
		rest = str_trim_start(str_skip(rest, word.len));
	}
	return words.len > 0 && (rest.len == 0 || (rest.len < words.len &&
	    (rest.data[0] == '/' || str_equal(rest, STR("unknown")))));
}

/*
 * True if a line holds what perf script -F prints after a sample's frames, even
 * if brackets look like a frame's.
 */
static bool
fields_are_certain(struct str line)
{
	static const char *const starts[] = {
		" insn:", " ilen:", " ABI:",
		" \t IPC:",		/* instructions per cycle: Intel PT */
		" =>",			/* a branch's target */
		"\ttracing data:",	/* of simpleperf */
		NULL
	};
	static const char *const indented[] = {
		"BPF output:", "BPF string:", NULL
	};
	struct str text = str_trim_start(line), rest = text;

	if (begins_frame(line))
		return false;
	if (str_starts(line, STR("\t\t"))) {
		/* a disassembled instruction, if it is no frame */
		str_hex(&rest);
		return rest.len == text.len || !str_starts(rest, STR(" ")) ||
		    !names_module(text);
	}
	return find_branch_state(line) < line.len ||
	    str_any(str_starts, line, starts) ||
	    str_any(str_starts, text, indented);
}

/* Returns one past the bracket that closes text[open]; 0 if none does. */
static size_t
bracket_end(struct str text, size_t open)
{
	size_t at, depth = 0;

	for (at = open; at < text.len; at++)
		if (text.data[at] == '(')
			depth++;
		else if (text.data[at] == ')' && --depth == 0)
			return at + 1;
	return 0;
}

/*
 * Returns the end of the first brackets that begin with one of `starts` and end
 * before a blank or with the text; 0 if none do.
 */
static size_t
module_end(struct str text, struct str starts)
{
	size_t at = 0, end;

	for (;; at = end) {
		at += 2 + str_search(str_skip(text, at), STR(" ("));
		end = at < text.len ? bracket_end(text, at - 1) : 0;
		if (end == 0 || (str_find(starts, text.data[at]) < starts.len &&
		    (end == text.len || is_blank(text.data[end]))))
			return end;
	}
}

/* Fields after a frame on its line begin so, all but branches. */
static const char *const field_starts[] = {
	" =>", " insn:", " ilen:", "\t\t", NULL
};

/* Returns how much of a text comes before such fields. */
static size_t
fields_start(struct str text)
{
	const char *const *start;
	size_t at;

	for (start = field_starts; *start != NULL; start++) {
		at = str_search(text, str_from(*start));
		if (at > 0 && text.data[at - 1] == ')')
			text.len = at;
	}
	if (find_branch_state(text) < text.len) {
		at = module_end(text, STR("/["));
		text.len = at > 0 ? at : module_end(text,
		    STR("abcdefghijklmnopqrstuvwxyz"));
	}
	at = str_find_last(text, ')');
	return at + 1 < text.len && is_blank(text.data[at + 1]) ?
	    at + 1 : text.len;
}

/*
 * Returns the index of the frame's address: the last one of LONG_ADDRESS digits
 * or, if the line is padded, the first word; s.len if there is none.
 */
static size_t
find_address(struct str s, bool padded)
{
	size_t at, end, found = s.len;

	for (at = 0; at < s.len; at = end + 1) {
		for (end = at; end < s.len && is_hex(s.data[end]);)
			end++;
		if (end < s.len && s.data[end] == ' ' && (end - at >=
		    LONG_ADDRESS || (padded && at == 0 && end > at)))
			found = at;
		end += str_find(str_skip(s, end), ' ');
	}
	return found;
}

/*
 * Returns the index of the last address that fills its columns, a blank and 16;
 * s.len if there is none.  One more blank follows an event's name; without it,
 * the address is one of data.
 */
static size_t
find_columns(struct str s)
{
	size_t at = 0, word, end, found = s.len;

	while (at < s.len) {
		for (word = at; word < s.len && s.data[word] == ' ';)
			word++;
		for (end = word; end < s.len && is_hex(s.data[end]);)
			end++;
		if (end > word && end - at >= FRAME_ADDRESS_END + (at == 0) &&
		    end - word < FRAME_ADDRESS_END && (end == s.len ||
		    (end + 1 < s.len && s.data[end] == ' ' &&
		    s.data[end + 1] != ' ')))
			found = end - FRAME_ADDRESS_END;
		at = end + str_find(str_skip(s, end), ' ');
	}
	return found;
}

/* Parses the frame, perhaps without module, at the last address. */
static bool
parse_in_columns(struct str s, struct frame *frame)
{
	struct str all = str_take(s, fields_start(s));
	size_t at = find_columns(all);
	const char *const *field;

	if (at < all.len && parse_frame(str_skip(all, at), frame))
		return true;
	all = s;
	for (field = field_starts; *field != NULL; field++)
		all.len = str_search(all, str_from(*field));
	at = find_branch_state(all);
	if (at < all.len)
		for (all.len = at; all.len > 0 &&
		    !is_blank(all.data[all.len - 1]);)
			all.len--;
	all = str_trim_end(all);
	at = find_columns(all);
	return at < all.len && parse_bare_frame(str_skip(all, at), frame) &&
	    !is_blank(frame->symbol.data[0]);
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
	struct str rest = str_trim(head->fields);
	size_t at;

	if (head->comm.len == 0 && parse_in_columns(head->fields, frame))
		return true;
	if (!padded && head->comm.len < PADDED_COMMAND)
		return false;
	rest.len = fields_start(rest);
	at = find_address(rest, padded);
	return (at < rest.len && parse_frame(str_skip(rest, at), frame)) ||
	    (padded && parse_in_columns(head->fields, frame));
}

/* Classifies a line with a time stamp. */
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

/*
 * Parses a head without a time, and its lone frame in columns.  A command ends
 * at column 16.
 */
static bool
parse_untimed_frame(struct script_line *line, unsigned form)
{
	struct head *head = &line->head;
	struct str text = line->text, *address = &line->frame.address, comm;

	if ((form & HEAD_SQUEEZED) || !parse_in_columns(text, &line->frame))
		return false;
	text.len = (size_t)(address->data - text.data) + address->len -
	    FRAME_ADDRESS_END;
	if (!head_parse_columns(text, form, head))
		return false;
	head->fields = str_skip(line->text, text.len);
	comm = head->comm;
	return comm.len > 0 ? comm.data + comm.len == text.data + COMM_COLUMNS :
	    str_trim_start(text).len > 0;
}

/*
 * Parses a head without a time.  A command alone, or a number, is one only if
 * the line ends in a blank, as perf's own do.
 */
static bool
parse_untimed(struct script_line *line, enum line_place place, unsigned form)
{
	struct head *head = &line->head;
	struct str text = line->text;
	bool in_words = (form & HEAD_SQUEEZED) && !(form & HEAD_NUMBERLESS);
	bool ends = place != LINE_INSIDE && text.data[0] != '\t' &&
	    str_ends(text, STR(" "));

	if (ends && !in_words && head_parse_columns(text, form, head) &&
	    (line->padded ? head->comm.len == 0 : head->event.len +
	    head->period.len + head->tid.len > 0))
		return true;
	if ((!line->padded || (ends && in_words)) &&
	    head_parse_words(text, form, head))
		return !line->padded || head->comm.len == 0;
	return ends && head_parse_columns(text, form, head) &&
	    (!line->padded || head->comm.len == 0);
}

/* Classifies a line that is no head. */
static enum line_kind
other_kind(struct script_line *line, enum line_place place)
{
	static const char *const starts[] = { " 0x", " /", " unknown", NULL };
	struct str text = line->text;

	if (fields_are_certain(text))
		return text.data[0] == '\t' ? LINE_LIKELY_FIELDS : LINE_FIELDS;
	if (parse_frame(text, &line->frame) || (place != LINE_OUTSIDE &&
	    text.data[0] == '\t' &&
	    parse_bare_frame(text, &line->frame)))
		return LINE_FRAME;
	if (place == LINE_INSIDE &&
	    (str_any(str_starts, text, starts) || (str_starts(text, STR(" ")) &&
	    (str_contains(text, STR("/-/")) || is_memory(text)))))
		return LINE_LIKELY_FIELDS;
	if (is_record(text))
		return LINE_RECORD;
	return line->padded ? LINE_DETAIL : LINE_ODD;
}

/* True for "|8 x += i * i;" (+srccode), "  work.c:8 (inlined)" (+srcline). */
static bool
is_source(struct str text)
{
	const struct str inlined = STR(" (inlined)");
	size_t number;

	if (text.data[0] == '|')
		return text.len > 1 && is_digit(text.data[1]);
	if (!str_starts(text, STR("  ")) || !str_ends(text, inlined) ||
	    is_blank(text.data[2]))
		return false;
	text.len -= inlined.len;
	number = str_digits_start(text);
	return number < text.len && text.data[number - 1] == ':';
}

static enum line_kind
find_kind(struct script_line *line, enum line_place place, unsigned form)
{
	bool is_timed = form & HEAD_TIMED;
	enum line_kind kind;

	line->head = head_none();
	if (is_source(line->text))
		return line->padded ? LINE_DETAIL : LINE_ODD;
	if (!line->padded || place != LINE_INSIDE) {
		if (head_parse(line->text, form, &line->head))
			return timed_kind(line, form);
		if (!is_timed && parse_untimed_frame(line, form))
			return LINE_LONE_FRAME;
	}
	/* "Processed 283 events and lost 1 chunks!" */
	if (!is_timed && !line->padded && parse_untimed(line, place, form))
		return is_record(line->text) ? LINE_RECORD : LINE_HEAD;
	kind = other_kind(line, place);
	return kind == LINE_DETAIL && !is_timed &&
	    parse_untimed(line, place, form) ? LINE_HEAD : kind;
}

/*
 * True for "# captured on: ...", and perhaps for "# hash 29007: ...", but not
 * for "#hash 29007 1.5: cycles:", a sample of the command "#hash".
 */
static bool
is_comment(const struct script_line *line)
{
	const struct head *head = &line->head;

	if (line->kind != LINE_HEAD && line->kind != LINE_LONE_FRAME)
		return true;
	return is_blank(line->text.data[1]) ? !head->is_aligned ||
	    head->event.len == 0 || head->tid.len == 0 :
	    !head->is_aligned && head->event.len == 0;
}

void
script_line_parse(struct str text, enum line_place place, unsigned form,
    struct script_line *line)
{
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
	if (str_starts(text, STR("#")) && is_comment(line))
		line->kind = LINE_COMMENT;
}

/* What the heads of a file's beginning show. */
struct shown {
	bool numberless;	/* one has a command and no number, */
	bool in_columns;	/* ...or a number that blanks align, */
	bool weightless;	/* ...or an event's name and no period */
	bool timed;		/* one has a time */
	bool untimed;		/* one with frames has none */
	bool open;		/* one with a time has not ended */
	bool awaits;		/* frames may follow one that has none */
};

static void
note_head(struct str text, unsigned form, struct shown *shown)
{
	const struct head *head;
	struct script_line line;

	script_line_parse(text, LINE_BETWEEN, form, &line);
	head = &line.head;
	shown->open &= line.kind != LINE_BLANK;
	shown->awaits = false;
	if (!has_head(&line))
		return;
	shown->numberless |= head->tid.len == 0 && head->comm.len > 0 &&
	    head->time.len + head->event.len > 0;
	shown->in_columns |= head->in_columns && (head->pid.len > 0 ?
	    head->pid : head->tid).len < HEAD_ID_COLUMNS;
	shown->weightless |= head->event.len > 0 && head->period.len == 0;
	shown->timed |= head->time.len > 0;
	shown->open |= head->time.len > 0;
	shown->awaits = !shown->open;
	shown->untimed |= shown->awaits && line.kind == LINE_LONE_FRAME;
}

unsigned
script_line_form(struct str bytes)
{
	struct shown shown = { .numberless = false };
	unsigned form = HEAD_SQUEEZED | HEAD_WEIGHTED;
	struct str rest, text;

	for (rest = bytes; rest.len > 0;) {
		text = str_cut(&rest, '\n');
		if (!str_starts(text, STR("#")) &&
		    str_contains(text, STR("  ")))
			form &= ~(unsigned)HEAD_SQUEEZED;
	}
	while (str_find(bytes, '\n') < bytes.len) {
		text = str_cut(&bytes, '\n');
		if (!str_starts(text, STR("\t")))
			note_head(text, form, &shown);
		else
			shown.untimed |= shown.awaits;
	}
	if (shown.weightless)
		form &= ~(unsigned)HEAD_WEIGHTED;
	return form |
	    (shown.numberless && !shown.in_columns ? HEAD_NUMBERLESS : 0) |
	    (shown.timed && !shown.untimed ? HEAD_TIMED : 0);
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
