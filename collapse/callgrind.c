/*
 * stackcollapse-callgrind: folds files of valgrind's callgrind, and of others
 * who write its format.
 *
 * A file is lines of costs, of the function before them, or of a call by it:
 *
 *	events: Ir
 *	fn=(1) main
 *	16 20			line 16 of main: 20 instructions
 *	cfn=(2) parse
 *	calls=3 51
 *	16 400			three calls of parse in line 16: 400 in all
 *	fn=(2)
 *	51 400
 *
 * It has no stacks.  They are inferred: the cost of parse is shared among its
 * callers in proportion to what each of them has spent in it.
 *
 *	main 20
 *	main;parse 400
 */
#include <stdlib.h>

#include "collapse/callgraph/callgraph.h"
#include "fold/collapse.h"
#include "lib/intmap.h"
#include "lib/message.h"

static const char *event;	/* the event that counts; NULL: the first */

#define NONE	UINT32_MAX	/* no function, or no name */

/* "fn=(12) main" comes once, then "fn=(12)"; numbers are by kind. */
enum name_kind { NAME_FUNCTION, NAME_FILE, NAME_OBJECT, NAME_KINDS };

#define COSTS_MOST	64	/* events that are counted, or have formulas */

/*
 * A line of costs has a number for each position, and then one for each event;
 * zeros at the end may be left out:
 *
 *	positions: instr line
 *	event: Sum = Ir + 2 Dw : all that takes time
 *	events: Ir Dr Dw
 *	0x80001234 90 300 40 5		of Sum: 310
 *	+3 * 20				of Sum: 20
 *
 * Sum is made of other events, by a formula.  The struct begins as { 0 }, with
 * `positions` set to 1.
 */
struct costs {
	struct table names;	/* of events that are counted, by column */
	struct table made;	/* names of events that have a formula */
	struct str formulas[COSTS_MOST];	/* in the file's texts */
	size_t terms;		/* of formulas, that may still be read */
	size_t positions;	/* numbers before the costs */
	/* the times that each column counts for the chosen event */
	unsigned long long factors[COSTS_MOST];
	size_t needed;		/* columns that are to be read */
	uint32_t column;	/* of the chosen one, or TABLE_NONE */
};

/* A place in the program, by numbers of names, or NONE. */
struct code_place {
	uint32_t object, file, function;
};

struct callgrind {
	struct fold fold;
	/* of the file that is read */
	const char *name;
	struct table texts;		/* names */
	struct intmap ids[NAME_KINDS];	/* their numbers; their texts plus 1 */
	struct costs costs;
	struct table functions;		/* by the bytes of their places */
	uint32_t found;			/* the function found last */
	uint32_t *frames;		/* by name, plus one; 0: not yet */
	size_t frame_room;
	struct callgraph graph;
	struct code_place at, called;
	uint32_t function;		/* of `at`; NONE before any */
	uint32_t callee;		/* of the next line of costs */
	bool in_call;
	bool has_events;		/* the chosen one is known */
	bool is_refused;
	bool is_callgrinds;		/* callgrind wrote it: it has totals */
	bool has_totals;
	bool has_negative;
	unsigned long long part;	/* the costs of this part so far */
	size_t odd_lines, first_odd;
};

/* Reads what follows "events:"; false if it is odd. */
static bool
list_events(struct costs *costs, struct str names)
{
	struct str word;

	table_free(&costs->names);
	while ((word = str_cut_word(&names)).len > 0)
		if (costs->names.count == COSTS_MOST ||
		    table_find(&costs->names, word) != TABLE_NONE ||
		    table_add(&costs->names, word) == COSTS_MOST)
			return false;
	return costs->names.count > 0;
}

/* Reads what follows "event:"; false if there are too many. */
static bool
define_event(struct costs *costs, struct table *texts, struct str definition)
{
	struct str formula = str_cut(&definition, ':'), name;
	size_t equals = str_find(formula, '=');
	uint32_t number, text;

	if (equals == formula.len)	/* a long name alone */
		return true;
	if (costs->made.count == COSTS_MOST)
		return false;
	name = str_trim(str_cut(&formula, '='));
	number = table_add(&costs->made, name);
	text = table_add(texts, formula);
	costs->formulas[number] = texts->keys[text];
	return true;
}

static unsigned long long
product(unsigned long long a, unsigned long long b)
{
	return b > 0 && a > ~0ULL / b ? ~0ULL : a * b;
}

/*
 * Adds an event, or its formula's, "Ir + 2 Dr + 3 * Dw", `factor` times.
 * Returns false if there is no such event, or if a formula is part of itself.
 */
static bool
add_event(struct costs *costs, struct str name, unsigned long long factor)
{
	uint32_t number = table_find(&costs->names, name);
	unsigned long long times;
	struct str rest, term;
	size_t digits;

	if (number != TABLE_NONE) {
		costs->factors[number] = call_sum(costs->factors[number],
		    factor);
		if (costs->needed <= number)
			costs->needed = (size_t)number + 1;
		return true;
	}
	number = table_find(&costs->made, name);
	if (number == TABLE_NONE)
		return false;
	rest = costs->formulas[number];
	while (rest.len > 0) {
		term = str_trim(str_cut(&rest, '+'));
		digits = str_digits(term);
		times = 1;
		if (digits > 0)
			str_number(term, &times);
		term = str_trim_start(str_skip(term, digits));
		if (digits > 0 && str_starts(term, STR("*")))
			term = str_trim_start(str_skip(term, 1));
		if (costs->terms-- == 0 ||
		    !add_event(costs, term, product(times, factor)))
			return false;
	}
	return true;
}

/*
 * Lines of costs.
 */

/* True if a line that begins with c has costs. */
static bool
begins_costs(char c)
{
	return is_digit(c) || c == '+' || c == '-' || c == '*';
}

/*
 * Stores the cost of the chosen event from the numbers after the positions,
 * "300" or "0x12c"; false if they are invalid.  Bits above the 64th are lost.
 * A negative number counts as 0, and sets `negative`.
 */
static bool
read_costs(const struct costs *costs, struct str line, size_t positions,
    unsigned long long *cost, bool *negative)
{
	unsigned long long number;
	struct str rest;
	bool minus;
	size_t i;

	for (i = 0; i < positions; i++)
		str_cut_word(&line);
	line = str_trim_start(line);
	*cost = 0;
	for (i = 0; i < costs->needed && line.len > 0; i++) {
		minus = line.data[0] == '-';
		if (minus)
			line = str_skip(line, 1);
		if (str_starts(line, STR("0x"))) {
			rest = line = str_skip(line, 2);
			number = str_hex(&rest);
		} else {
			rest = str_skip(line, str_digits(line));
			str_number(line, &number);
		}
		if (rest.len == line.len ||
		    (rest.len > 0 && !is_blank(rest.data[0])))
			return false;
		line = str_trim_start(rest);
		if (minus)
			*negative |= costs->factors[i] > 0 && number > 0;
		else if (costs->factors[i] > 0)
			*cost = call_sum(*cost, product(number,
			    costs->factors[i]));
	}
	return true;
}

/* Stores a column of a line, and returns the next; NULL: use read_costs. */
static const char *
read_plain(const char *at, size_t column, unsigned long long *cost)
{
	const char *digits, *word;
	size_t i;

	if (!begins_costs(*at))
		return NULL;
	for (i = column; i > 0; i--) {
		for (word = at; (unsigned char)*at > ' '; at++)
			continue;
		if (at == word || *at++ != ' ')
			return NULL;
	}
	*cost = 0;
	for (digits = at; is_digit(*at); at++)
		*cost = *cost * 10 + (unsigned)(*at - '0');
	if (at == digits || at - digits > 18)
		return NULL;
	while (is_digit(*at) || *at == ' ')
		at++;
	return *at == '\n' ? at + 1 : NULL;
}

/*
 * Takes up to `most` lines off a text that a NUL follows, in a third of
 * the instructions of read_costs.  Stores the sum of their costs, and returns
 * their number; stops at a line that needs read_costs.
 */
static size_t
take_costs(const struct costs *costs, struct str *text, size_t most,
    unsigned long long *sum)
{
	const char *at = text->data, *next;
	size_t column = costs->positions + costs->column, lines;
	unsigned long long cost;

	*sum = 0;
	if (costs->column == TABLE_NONE)
		return 0;
	for (lines = 0; lines < most && *sum <= ~0ULL / 2; lines++) {
		next = read_plain(at, column, &cost);
		if (next == NULL)
			break;
		*sum += cost;
		at = next;
	}
	*text = str_skip(*text, (size_t)(at - text->data));
	return lines;
}

/* Returns the number of the name after '='; "(12)" may be a name itself. */
static uint32_t
find_name(struct callgrind *file, enum name_kind kind, struct str text)
{
	struct intmap *ids = &file->ids[kind];
	const uint64_t huge = (uint64_t)1 << 63;
	unsigned long long key = 0;
	struct str digits, name;
	uint32_t number;
	size_t len;

	text = str_trim_end(text);
	if (!str_starts(text, STR("(")))
		text = str_trim_start(text);
	for (len = 1; len < text.len && is_digit(text.data[len]); len++)
		key = key * 10 + (unsigned)(text.data[len] - '0');
	if (len == 1 || len == text.len || text.data[0] != '(' ||
	    text.data[len] != ')')
		return table_add(&file->texts, text);
	digits = str_between(text, 1, len);
	name = str_skip(text, len + 1);
	if (len > 18 && (!str_number(digits, &key) || key >= huge))
		key = huge | table_add(&file->texts, digits);
	number = intmap_find(ids, key);
	if (name.len == 0)
		return number != 0 ? number - 1 :
		    table_add(&file->texts, text);
	number = table_add(&file->texts, str_trim_start(name));
	*intmap_at(ids, key) = number + 1;
	return number;
}

static void
report_file(struct callgrind *file)
{
	bool is_cut = file->is_callgrinds && file->has_events &&
	    !file->has_totals;

	if (file->costs.names.count == 0) {
		if (!file->fold.several)
			return;
		message_warn("%s: it has no events, and is not callgrind's",
		    file->name);
		file->fold.input.failed = true;
		return;
	}
	if (file->odd_lines > 0)
		message_warn("%s: lines that are not callgrind's, left out: "
		    "%lu; the first is line %lu", file->name,
		    (unsigned long)file->odd_lines,
		    (unsigned long)file->first_odd);
	if (file->has_negative)
		message_warn("%s: costs below 0 are left out", file->name);
	if (file->graph.overflowed)
		message_warn("%s: the costs add up to more than 2^64 - 1; the "
		    "rest is left out", file->name);
	if (is_cut)
		message_warn("%s: it ends without its totals; it may be cut "
		    "off", file->name);
	file->fold.input.failed |= file->odd_lines > 0 ||
	    file->has_negative || file->graph.overflowed || is_cut;
}

static void
end(struct fold *fold)
{
	struct callgrind *file = (struct callgrind *)fold;
	int i;

	if (file->name == NULL)
		return;
	if (!file->is_refused)
		report_file(file);
	if (file->graph.total > 0) {
		file->fold.counts.samples += file->graph.count;
		callpaths_add(&file->graph, &file->fold.stacks);
	}
	for (i = 0; i < NAME_KINDS; i++)
		intmap_free(&file->ids[i]);
	table_free(&file->texts);
	table_free(&file->costs.names);
	table_free(&file->costs.made);
	table_free(&file->functions);
	free(file->frames);
	callgraph_free(&file->graph);
	*file = (struct callgrind){ .fold = file->fold };
}

static void
leave_out(struct callgrind *file)
{
	if (file->odd_lines++ == 0)
		file->first_odd = file->fold.input.line;
}

/* Leaves out the rest of a file. */
static void
refuse(struct callgrind *file, const char *reason)
{
	message_warn("%s: %s", file->name, reason);
	file->fold.input.failed = true;
	file->is_refused = true;
	file->has_events = false;
}

/* Finds the event that counts, before the first costs; false if it fails. */
static bool
knows_event(struct callgrind *file)
{
	struct costs *costs = &file->costs;
	const struct table *names = &costs->names, *made = &costs->made;
	struct text *reason = &file->fold.name;
	struct str wanted;
	uint32_t i;

	if (file->has_events || names->count == 0)
		return file->has_events;
	memset(costs->factors, 0, sizeof(costs->factors));
	costs->needed = 0;
	wanted = event != NULL ? str_from(event) : names->keys[0];
	costs->column = table_find(names, wanted);
	costs->terms = 1000;
	file->has_events = add_event(costs, wanted, 1);
	if (file->has_events)
		return true;
	reason->len = 0;
	text_add_format(reason, "it has no event %s, but ", event);
	for (i = 0; i < names->count + made->count; i++) {
		text_add(reason, i > 0 ? STR(", ") : STR(""));
		text_add(reason, i < names->count ? names->keys[i] :
		    made->keys[i - names->count]);
	}
	text_add_char(reason, '\0');
	refuse(file, reason->data);
	return false;
}

/*
 * Returns the number of the function at a place.  Each part of a file has the
 * functions in the same order, so the next one is tried first.
 */
static uint32_t
find_function(struct callgrind *file, const struct code_place *place)
{
	struct str key = { (const char *)place, sizeof(*place) };
	uint32_t next = file->found + 1, *frame;

	if (next >= file->graph.count ||
	    !str_equal(file->functions.keys[next], key))
		next = table_add(&file->functions, key);
	if (next == file->graph.count) {
		/* many functions may have a name, perhaps a long one */
		file->frames = mem_grow_zero(file->frames, &file->frame_room,
		    place->function + (size_t)1, sizeof(*file->frames));
		frame = &file->frames[place->function];
		if (*frame == 0)
			*frame = 1 + fold_name(&file->fold,
			    file->texts.keys[place->function]);
		callgraph_add(&file->graph, *frame - 1);
	}
	return file->found = next;
}

/* Adds the cost of a line to the function or to its call. */
static void
add_cost(struct callgrind *file, unsigned long long cost)
{
	struct graph_call *call;

	if (file->in_call) {
		call = callgraph_call(&file->graph, file->function,
		    file->callee);
		call->cost = call_sum(call->cost, cost);
		file->in_call = false;
	} else {
		file->part = call_sum(file->part, cost);
		callgraph_spend(&file->graph, file->function, cost);
	}
}

/* Adds the costs in the next lines, while these are of the same function. */
static void
add_ahead(struct callgrind *file)
{
	struct str ahead = input_ahead(&file->fold.input), rest = ahead;
	unsigned long long sum;
	size_t lines = 0;

	if (!file->has_events)
		return;
	if (file->in_call) {
		lines = take_costs(&file->costs, &rest, 1, &sum);
		if (lines > 0)
			add_cost(file, sum);
	}
	if (!file->in_call) {
		lines += take_costs(&file->costs, &rest, SIZE_MAX, &sum);
		if (sum > 0)
			add_cost(file, sum);
	}
	input_skip(&file->fold.input, ahead.len - rest.len, lines);
}

/* Begins a call, whose cost is in the next line. */
static void
begin_call(struct callgrind *file)
{
	struct code_place *to = &file->called;

	if (to->function == NONE || file->function == NONE) {
		leave_out(file);
		return;
	}
	if (to->object == NONE)
		to->object = file->at.object;
	if (to->file == NONE)
		to->file = file->at.file;
	file->callee = find_function(file, to);
	file->in_call = true;
	to->object = to->file = NONE;
	add_ahead(file);
}

static void
check_totals(struct callgrind *file, struct str costs)
{
	unsigned long long totals;
	bool negative = false;

	if (!knows_event(file))
		return;
	if (!read_costs(&file->costs, str_trim_start(costs), 0, &totals,
	    &negative)) {
		leave_out(file);
		return;
	}
	file->has_totals = true;
	if (totals != file->part && !negative && !file->has_negative) {
		message_warn("%s: the costs before line %lu add up to %llu, "
		    "but its totals say %llu", file->name,
		    (unsigned long)file->fold.input.line, file->part, totals);
		file->fold.input.failed = true;
	}
	file->part = 0;
}

/* Reads "key: value"; most have nothing to do with costs. */
static void
read_header(struct callgrind *file, struct str key, struct str value)
{
	unsigned long long version;

	if (str_equal(key, STR("events"))) {
		if (!list_events(&file->costs, value))
			leave_out(file);
		file->fold.recognized = true;
		file->has_events = file->has_totals = false;
	} else if (str_equal(key, STR("event"))) {
		if (!define_event(&file->costs, &file->texts, value))
			leave_out(file);
		file->has_events = false;
	} else if (str_equal(key, STR("positions")))
		/* a number for each of these words */
		file->costs.positions = (size_t)str_contains(value,
		    STR("instr")) + str_contains(value, STR("addr")) +
		    str_contains(value, STR("bb")) +
		    str_contains(value, STR("line"));
	else if (str_equal(key, STR("totals")))
		check_totals(file, value);
	else if (str_equal(key, STR("creator")))
		file->is_callgrinds = str_starts(str_trim(value),
		    STR("callgrind-"));
	else if (str_equal(key, STR("version")) &&
	    str_number(str_trim(value), &version) && version > 1)
		refuse(file, "the version of its format is unknown");
}

/* Reads "fn=(1) main", two letters and a name; false if the line is another. */
static bool
read_place(struct callgrind *file, struct code_place *place, struct str line)
{
	struct str value;

	if (line.len < 3 || line.data[2] != '=')
		return false;
	value = str_skip(line, 3);
	if (str_starts(line, STR("fn")))
		place->function = find_name(file, NAME_FUNCTION, value);
	else if (str_starts(line, STR("ob")))
		place->object = find_name(file, NAME_OBJECT, value);
	else if (str_starts(line, STR("fl")) || str_starts(line, STR("fi")) ||
	    str_starts(line, STR("fe")))
		place->file = find_name(file, NAME_FILE, value);
	else
		return false;
	return true;
}

static void
read_line(struct callgrind *file, struct str line)
{
	size_t colon;

	if (line.data[0] == 'c' &&
	    read_place(file, &file->called, str_skip(line, 1)))
		return;
	if (str_starts(line, STR("calls="))) {
		begin_call(file);
		return;
	}
	if (read_place(file, &file->at, line)) {
		if (line.data[1] == 'n')
			file->function = find_function(file, &file->at);
		return;
	}
	colon = str_find(line, ':');
	/* names of files and functions that are jumped to, and jumps */
	if (str_starts(line, STR("jfi=")))
		find_name(file, NAME_FILE, str_skip(line, 4));
	else if (str_starts(line, STR("jfn=")))
		find_name(file, NAME_FUNCTION, str_skip(line, 4));
	else if (str_starts(line, STR("jump=")) ||
	    str_starts(line, STR("jcnd=")))
		return;
	else if (colon < line.len && colon > 0 && is_lower(lower(line.data[0])))
		read_header(file, str_take(line, colon),
		    str_skip(line, colon + 1));
	else
		leave_out(file);
}

static void
fold_line(struct fold *fold, struct str line)
{
	struct callgrind *file = (struct callgrind *)fold;
	unsigned long long cost;

	if (fold->input.line == 1) {
		end(fold);
		file->costs.positions = 1;
		file->name = fold->input.name;
		file->at = file->called =
		    (struct code_place){ NONE, NONE, NONE };
		file->function = NONE;
		/* Of several files, end() reports one without events. */
		fold->recognized = fold->several;
	}
	if (line.len == 0)
		return;
	if (!fold->has_lines) {
		fold_note_line(fold, line);
		fold->recognized |= str_equal(line,
		    STR("# callgrind format"));
	}
	if (file->is_refused || line.data[0] == '#')
		return;
	if (!begins_costs(line.data[0]))
		read_line(file, line);
	/* "16 20", "+3 400", "* 20", "0x80001234 90 1" */
	else if (!knows_event(file) || file->function == NONE ||
	    !read_costs(&file->costs, line, file->costs.positions, &cost,
	    &file->has_negative))
		leave_out(file);
	else {
		add_cost(file, cost);
		add_ahead(file);
	}
}

static const struct option options[] = {
	{ "event", OPTION_TEXT, &event, "NAME",
	    "count this event (default: the first one of each file)" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

const struct format collapser = {
	.kind = &kinds[KIND_CALLGRIND], .size = sizeof(struct callgrind),
	.line = fold_line, .end = end,
	.nothing = "no cost was found",
	.options = options,
	.synopsis = "[--event NAME] [file ...] > out.folded",
};
