/*
 * A table is printed in one of three forms, of the same cells: aligned text for
 * readers, tab-separated values, or JSON.
 *
 *	 self%  self  function		self	self_percent	function
 *	75.00%    12  read		12	75	read
 *
 * The rows of text are gone through twice: first to learn how wide cells are,
 * then to print them.  On a terminal long names are shortened in their middle.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/json.h"
#include "lib/message.h"
#include "lib/output.h"
#include "lib/progress.h"
#include "lib/utf8.h"
#include "ranking.h"

#define CELLS_MOST	8	/* of a row of text */
#define GAP		2	/* blanks after a cell */
#define LEAST_NAME	16	/* columns of a name that is shortened */
#define STEP		2	/* columns to the right */

enum form { TEXT, TSV, JSON };

struct shown_table {
	const struct ranking *ranking;
	enum form form;
	bool is_heads;		/* cells are the names of their columns */
	const char *prefix;	/* of these names in tab-separated values */
	struct text out;
	size_t most;		/* functions */
	const struct treeview *view;	/* the tree */
	/* of text alone: */
	bool is_measured;	/* rows only widen their columns; nothing of
				   them is printed */
	size_t screen;		/* columns of the terminal; 0: any number */
	size_t widths[CELLS_MOST];
	size_t at;		/* the number of the next cell in the row */
	struct text name;	/* as it is shown */
	struct text cell;	/* while it is made */
};

/* Columns of numbers; the share of a count follows it. */
enum column {
	SELF, SELF_SHARE, TOTAL, TOTAL_SHARE, STACKS,
	BEFORE, AFTER, POINTS, PERCENT, SIGMA
};

static const struct {
	const char *name;	/* in data */
	const char *head;	/* in text */
	const char *format;	/* of a number in text; NULL: it is a count */
} looks[] = {
	[SELF] = { "self", "self", NULL },
	[SELF_SHARE] = { "self_percent", "self%", "%.2f%%" },
	[TOTAL] = { "total", "total", NULL },
	[TOTAL_SHARE] = { "total_percent", "total%", "%.2f%%" },
	[STACKS] = { "stacks", "stacks", NULL },
	[BEFORE] = { "before", "before", NULL },
	[AFTER] = { "after", "after", NULL },
	[POINTS] = { "points", "points", "%+.2f" },
	[PERCENT] = { "percent", "change", "%+.2f%%" },
	[SIGMA] = { "sigma", "sigma", "%.1f" },
};

static const char *const fates[] = {
	[FATE_SAME] = "same", [FATE_MOVED] = "moved",
	[FATE_CHANGED] = "changed", [FATE_NEW] = "new", [FATE_GONE] = "gone",
};

/* Ends the cell of text that was made, on the right of its column. */
static void
end_cell(struct shown_table *table)
{
	size_t *width = &table->widths[table->at++], i;
	struct str cell = text_str(&table->cell);

	table->cell.len = 0;
	if (cell.len > *width)
		*width = cell.len;
	for (i = cell.len; i < *width; i++)
		text_add_char(&table->out, ' ');
	text_add(&table->out, cell);
	for (i = 0; i < GAP; i++)
		text_add_char(&table->out, ' ');
}

/* Adds `"NAME":`, after a comma unless it is the first of an object. */
static void
add_key(struct shown_table *table, const char *name)
{
	struct text *json = &table->out;

	if (json->data[json->len - 1] != '{')
		text_add_char(json, ',');
	json_add_string(json, str_from(name));
	text_add_char(json, ':');
}

static void
add_text(struct shown_table *table, const char *name, struct str text)
{
	add_key(table, name);
	json_add_string(&table->out, text);
}

/*
 * Adds a number of a column.  It is empty in data if it is not finite; `words`,
 * unless NULL, replace it in text.
 */
static void
add_number(struct shown_table *table, enum column column, double number,
    const char *words)
{
	struct text *out = table->form == TEXT ? &table->cell : &table->out;

	if (table->form == JSON)
		add_key(table, looks[column].name);
	if (table->is_heads && table->form == TEXT)
		text_add(out, str_from(looks[column].head));
	else if (table->is_heads)
		text_add_format(out, "%s%s", table->prefix,
		    looks[column].name);
	else if (table->form != TEXT) {
		/* four digits after the point */
		if (looks[column].format != NULL)
			number = rint(number * 1e4) / 1e4;
		if (table->form == JSON || isfinite(number))
			json_add_number(out, number);
	} else if (words != NULL)
		text_add(out, str_from(words));
	else if (looks[column].format == NULL)
		text_add_count(out, number);
	else
		text_add_format(out, looks[column].format, number);
	if (table->form == TEXT)
		end_cell(table);
	else if (table->form == TSV)
		text_add_char(out, '\t');
}

static void
add_empty(struct shown_table *table, int count)
{
	for (; count > 0; count--)
		if (table->form == TEXT)
			end_cell(table);
		else
			text_add_char(&table->out, '\t');
}

/* Adds a count and its share, the share first in text. */
static void
add_part(struct shown_table *table, enum column column, double count,
    double whole)
{
	if (table->form != TEXT)
		add_number(table, column, count, NULL);
	add_number(table, column + 1, ranking_share(count, whole), NULL);
	if (table->form == TEXT)
		add_number(table, column, count, NULL);
}

/* Adds five cells about two counts. */
static void
add_change(struct shown_table *table, const struct counts_pair *counts,
    const struct counts_pair *whole)
{
	const double *of = counts->of;
	struct count_change change = ranking_change(table->ranking, counts,
	    whole);

	add_number(table, BEFORE, of[0], NULL);
	add_number(table, AFTER, of[1], NULL);
	add_number(table, POINTS, change.points, NULL);
	add_number(table, PERCENT, change.percent, of[0] > 0 && of[1] > 0 ?
	    NULL : of[1] > 0 ? "new" : of[0] > 0 ? "gone" : "none");
	add_number(table, SIGMA, change.sigmas,
	    isnan(change.sigmas) ? "-" : NULL);
}

/* Adds the change of a function's own counts, or of its total. */
static void
add_named_change(struct shown_table *table, enum column column,
    const struct counts_pair *counts)
{
	if (table->form == JSON) {
		add_key(table, looks[column].name);
		text_add_char(&table->out, '{');
	}
	table->prefix = column == SELF ? "self_" : "total_";
	add_change(table, counts, &table->ranking->functions->whole);
	table->prefix = "";
	if (table->form == JSON)
		text_add_char(&table->out, '}');
}

/* Adds what is known of a function; in text of two profiles, its change. */
static void
add_function(struct shown_table *table, const struct function *function,
    const char *fate)
{
	const struct ranking *ranking = table->ranking;
	const struct counts_pair *whole = &ranking->functions->whole;
	bool have_two = ranking->functions->have_two;

	if (have_two && table->form == TEXT) {
		add_change(table, ranking_counts(ranking, function), whole);
		return;
	}
	if (have_two) {
		add_named_change(table, SELF, &function->self);
		add_named_change(table, TOTAL, &function->total);
	} else {
		add_part(table, SELF, function->self.of[1], whole->of[1]);
		add_part(table, TOTAL, function->total.of[1], whole->of[1]);
	}
	if (have_two && table->form == JSON)
		add_text(table, "fate", str_from(fate));
	add_number(table, STACKS, (double)function->stacks, NULL);
	if (have_two && table->form == TSV)
		text_add_format(&table->out, "%s\t", fate);
}

/*
 * Adds the counts of a node, as parts of its tree's.  In text these are empty
 * if the row continues the one above.
 */
static void
add_node(struct shown_table *table, const struct treeview *view,
    const struct shown_node *shown)
{
	const struct call_node *node = &view->tree->nodes[shown->node];
	const struct counts_pair *whole = &view->tree->nodes[0].total;
	bool is_text = table->form == TEXT && !table->is_heads;
	bool goes_on = is_text && shown->goes_on;
	bool has_self = view->with_self && (!is_text || node->self.of[1] > 0);

	if (view->functions->have_two) {
		if (goes_on)
			add_empty(table, 5);
		else
			add_change(table, &node->total, whole);
		return;
	}
	if (goes_on)
		add_empty(table, 2);
	else
		add_part(table, TOTAL, node->total.of[1], whole->of[1]);
	if (has_self)
		add_part(table, SELF, node->self.of[1], whole->of[1]);
	else if (view->with_self || table->form == TSV)
		add_empty(table, 2);
}

/* Returns how many columns of a terminal a character takes. */
static size_t
width_of(uint32_t code)
{
	/* most of Asia's take two */
	static const struct {
		uint32_t first, last;
	} wide[] = {
		{ 0x1100, 0x115f }, { 0x2e80, 0x303e }, { 0x3041, 0xa4cf },
		{ 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f },
		{ 0xff00, 0xff60 }, { 0xffe0, 0xffe6 }, { 0x1f300, 0x1f64f },
		{ 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd }
	};
	size_t i;

	for (i = 0; i < sizeof(wide) / sizeof(*wide); i++)
		if (code >= wide[i].first && code <= wide[i].last)
			return 2;
	return 1;
}

/* Adds a name that has too many columns, shortened in its middle. */
static void
add_short(struct text *out, struct str name, size_t left, size_t room)
{
	size_t last = (room - 2) / 2, first = room - 2 - last, width;
	struct str rest = name;

	while (rest.len > 0 && (width = width_of(utf8_next(&rest))) <= first) {
		first -= width;
		left -= width;
		text_add(out, str_take(name, name.len - rest.len));
		name = rest;
	}
	text_add(out, STR(".."));
	while (left > last)
		left -= width_of(utf8_next(&name));
	text_add(out, name);
}

/* Adds a name, in which "\t" is a tab, and so on. */
static void
add_escaped(struct text *out, struct str name)
{
	const struct str escaped = STR("\\\t\n\r");
	uint32_t code;
	size_t at;

	while (name.len > 0) {
		code = utf8_next(&name);
		at = code < 0x80 ? str_find(escaped, (char)code) : escaped.len;
		if (at < escaped.len) {
			text_add_char(out, '\\');
			text_add_char(out, "\\tnr"[at]);
		} else if (utf8_is_shown(code))
			utf8_add(out, code);
		else
			text_add_format(out, "\\u%04x", (unsigned)code);
	}
}

/* Ends a row of text with a name as terminals may show it, after blanks. */
static void
end_text(struct shown_table *table, struct str name, size_t indent)
{
	size_t used = indent, room = LEAST_NAME, width = 0, i;
	uint32_t code;

	for (i = 0; i < table->at; i++)
		used += table->widths[i] + GAP;
	table->at = 0;
	for (i = 0; i < indent; i++)
		text_add_char(&table->out, ' ');
	table->name.len = 0;
	while (name.len > 0) {
		code = utf8_next(&name);
		if (!utf8_is_shown(code))
			code = 0xFFFD;
		utf8_add(&table->name, code);
		width += width_of(code);
	}
	name = text_str(&table->name);
	if (table->screen > used + LEAST_NAME)
		room = table->screen - used;
	if (table->screen > 0 && width > room)
		add_short(&table->out, name, width, room);
	else
		text_add(&table->out, name);
}

static void
end_row(struct shown_table *table, struct str name, size_t indent)
{
	table->is_heads = false;
	if (table->form == TEXT)
		end_text(table, name, indent);
	else
		add_escaped(&table->out, name);
	text_add_char(&table->out, '\n');
	if (table->is_measured)
		table->out.len = 0;
	else
		output_drain(&table->out, stdout);
}

/* Prints a table of text, after it was measured. */
static void
print_text(struct shown_table *table, void (*print)(struct shown_table *))
{
	table->screen = progress_columns(STDOUT_FILENO);
	memset(table->widths, 0, sizeof(table->widths));
	output_flush(&table->out, stdout);
	table->is_measured = true;
	print(table);
	table->is_measured = false;
	table->out.len = 0;
	print(table);
}

static const char *
plural(size_t count)
{
	return count == 1 ? "" : "s";
}

/* Adds a line about all, before the rows. */
static void
add_whole_line(struct shown_table *table, size_t most)
{
	const struct ranking *ranking = table->ranking;
	const struct functions *functions = ranking->functions;
	struct text *out = &table->out;

	if (functions->have_two) {
		text_add(out, STR("before "));
		text_add_count(out, functions->whole.of[0]);
		text_add(out, STR(", after "));
	}
	text_add_count(out, functions->whole.of[1]);
	if (ranking->unit != NULL)
		text_add_format(out, " %s", ranking->unit);
	text_add(out, STR(" in "));
	text_add_thousands(out, (double)functions->stacks);
	text_add_format(out, " stack%s, ", plural(functions->stacks));
	text_add_thousands(out, (double)ranking->count);
	text_add_format(out, " function%s", plural(ranking->count));
	if (most < ranking->count)
		text_add_format(out, ", the first %zu", most);
	text_add_char(out, '\n');
}

static void
add_heads(struct shown_table *table)
{
	static const struct function none;

	table->is_heads = true;
	add_function(table, &none, "fate");
	end_row(table, STR("function"), 0);
}

static void
print_rows(struct shown_table *table, size_t from, size_t to)
{
	const struct rank_row *row;

	for (; from < to; from++) {
		row = &table->ranking->rows[from];
		add_function(table, row->function, fates[row->fate]);
		end_row(table, row->name, 0);
	}
}

/* Adds all functions; of two profiles only as data. */
static void
print_functions(struct shown_table *table)
{
	if (table->form == TEXT)
		add_whole_line(table, table->most);
	add_heads(table);
	print_rows(table, 0, table->most);
}

/* Ends the title of a section: how many rows it has, and how many follow. */
static void
end_title(struct shown_table *table, size_t count, size_t most)
{
	text_add_format(&table->out, ": %zu", count);
	if (most < count)
		text_add_format(&table->out, ", the first %zu", most);
	text_add_char(&table->out, '\n');
}

/* Prints a function that moved, and its calls that changed beyond chance. */
static void
print_moved(struct shown_table *table, const struct rank_row *row)
{
	const struct ranking *ranking = table->ranking;
	const struct functions *functions = ranking->functions;
	const struct function *function = row->function;
	const struct call_node *calls = functions->calls.nodes, *call;
	struct text name = { 0 };
	uint32_t i;

	add_change(table, &function->total, &functions->whole);
	end_row(table, row->name, 0);
	for (i = calls[function->calls].first_child; i != 0; i = call->next) {
		call = &calls[i];
		if (ranking_pair_sigmas(ranking, &call->self) < ranking->noise)
			continue;
		add_change(table, &call->self, &functions->whole);
		name.len = 0;
		text_add(&name, STR("from "));
		text_add(&name, call->function == CALL_NONE ? STR("nothing") :
		    function_name(functions, call->function));
		end_row(table, text_str(&name), STEP);
	}
	free(name.data);
}

static void
print_comparison(struct shown_table *table)
{
	const struct ranking *ranking = table->ranking;
	const char *measure = ranking->key == RANK_TOTAL ? "total" : "self";
	const struct rank_row *row;
	size_t rows = table->most;
	size_t beyond = rows < ranking->beyond ? rows : ranking->beyond;

	add_whole_line(table, ranking->count);
	add_heads(table);
	if (ranking->unknown == NULL && ranking->key <= RANK_TOTAL) {
		text_add_format(&table->out, "\n%s, changed beyond chance "
		    "(%g sigma)", measure, ranking->noise);
		end_title(table, ranking->beyond, beyond);
	}
	print_rows(table, 0, beyond);
	if (ranking->count > ranking->beyond) {
		text_add_format(&table->out, "\n%s%s", measure,
		    ranking->unknown != NULL ? ", chance is unknown" :
		    ranking->key <= RANK_TOTAL ? ", within chance" : "");
		end_title(table, ranking->count - ranking->beyond,
		    rows - beyond);
	}
	print_rows(table, beyond, rows);
	if (ranking->moved == 0)
		return;
	if (rows > ranking->moved)
		rows = ranking->moved;
	text_add(&table->out, STR("\nmoved: other callers, the same total"));
	end_title(table, ranking->moved, rows);
	for (row = ranking->rows; rows > 0; row++)
		if (row->fate == FATE_MOVED) {
			print_moved(table, row);
			rows--;
		}
}

void
show_functions(const struct ranking *ranking, size_t most, bool as_tsv)
{
	struct shown_table table = {
		.ranking = ranking, .form = as_tsv ? TSV : TEXT, .prefix = "",
		.most = most < ranking->count ? most : ranking->count
	};

	if (as_tsv)
		print_functions(&table);
	else
		print_text(&table, ranking->functions->have_two ?
		    print_comparison : print_functions);
	output_flush(&table.out, stdout);
}

/* Adds a line about a tree, before its rows. */
static void
add_tree_line(struct shown_table *table, const struct treeview *view)
{
	const double *of = view->tree->nodes[0].total.of;
	const struct functions *functions = view->functions;
	const double *whole = functions->whole.of;
	struct text *out = &table->out;
	int side = functions->have_two ? 0 : 1;

	text_add_format(out, "%s%s", view->kind, view->of != NULL ? " of " :
	    "");
	message_add_shown(out, str_from(view->of != NULL ? view->of : ""));
	for (; side < 2; side++) {
		text_add(out, !functions->have_two ? STR(": ") : side == 0 ?
		    STR(": before ") : STR(", after "));
		text_add_count(out, of[side]);
		text_add(out, STR(" of "));
		text_add_count(out, whole[side]);
		text_add_format(out, ", %.2f%%", ranking_share(of[side],
		    whole[side]));
	}
	text_add_char(out, '\n');
}

/* Adds the nodes of a tree, after the names of the columns in text. */
static void
print_tree(struct shown_table *table)
{
	const struct treeview *view = table->view;
	const struct shown_node *shown;
	size_t i;

	if (table->form == TEXT) {
		add_tree_line(table, view);
		table->is_heads = true;
		add_node(table, view, &(struct shown_node){ .node = 0 });
		end_row(table, STR("function"), 0);
	}
	for (i = 0; i < view->shown.count; i++) {
		shown = &view->shown.list[i];
		if (table->form == TSV)
			text_add_format(&table->out, "%s\t%lu\t", view->kind,
			    (unsigned long)shown->depth);
		add_node(table, view, shown);
		end_row(table, shown->name, (size_t)shown->indent * STEP);
	}
}

void
show_trees(const struct ranking *ranking, const struct treeview *views,
    size_t count, bool as_tsv)
{
	struct shown_table table = {
		.ranking = ranking, .form = as_tsv ? TSV : TEXT, .prefix = ""
	};
	struct treeview all = {
		.functions = ranking->functions,
		.tree = &ranking->functions->paths, .with_self = true
	};
	size_t i;

	if (as_tsv) {
		text_add(&table.out, STR("tree\tdepth\t"));
		table.is_heads = true;
		add_node(&table, &all, &(struct shown_node){ .node = 0 });
		end_row(&table, STR("function"), 0);
	}
	for (i = 0; i < count; i++) {
		table.view = &views[i];
		if (as_tsv)
			print_tree(&table);
		else
			print_text(&table, print_tree);
		if (!as_tsv && i + 1 < count)
			text_add_char(&table.out, '\n');
	}
	output_flush(&table.out, stdout);
}

/* Adds a number by a name that is no column's. */
static void
add_member(struct shown_table *table, const char *name, double number)
{
	add_key(table, name);
	json_add_number(&table->out, number);
}

/* Adds the calls of a function that moved. */
static void
add_calls(struct shown_table *table, uint32_t node)
{
	const struct functions *functions = table->ranking->functions;
	const struct call_node *calls = functions->calls.nodes, *call;
	uint32_t i;
	struct text *json = &table->out;
	char before = '[';

	add_key(table, "callers");
	for (i = calls[node].first_child; i != 0; i = call->next) {
		call = &calls[i];
		text_add_char(json, before);
		before = ',';
		text_add(json, STR("{\"name\":"));
		if (call->function == CALL_NONE)
			text_add(json, STR("null"));
		else
			json_add_string(json, function_name(functions,
			    call->function));
		add_change(table, &call->self, &functions->whole);
		text_add_char(json, '}');
	}
	text_add_char(json, ']');
}

static void
add_object(struct shown_table *table, const struct rank_row *row, bool has_gate)
{
	add_text(table, "name", row->name);
	add_function(table, row->function, fates[row->fate]);
	if (row->fate == FATE_MOVED)
		add_calls(table, row->function->calls);
	if (has_gate) {
		add_key(table, "fails");
		text_add(&table->out, row->fails ? STR("true") :
		    STR("false"));
	}
	text_add_char(&table->out, '}');
}

/* Begins an item of an array, on a line of its own. */
static void
begin_item(struct text *json, size_t number)
{
	text_add(json, number == 0 ? STR("[\n") : STR(",\n"));
	output_drain(json, stdout);
	text_add_char(json, '{');
}

static void
end_items(struct text *json, size_t count)
{
	text_add(json, count == 0 ? STR("[]") : STR("\n]"));
}

static void
add_whole(struct shown_table *table)
{
	const struct ranking *ranking = table->ranking;
	const struct functions *functions = ranking->functions;

	if (functions->have_two) {
		add_member(table, "before", functions->whole.of[0]);
		add_member(table, "after", functions->whole.of[1]);
		add_member(table, "noise", ranking->noise);
		add_key(table, "sigma_unknown");
		if (ranking->unknown != NULL)
			json_add_string(&table->out,
			    str_from(ranking->unknown));
		else
			text_add(&table->out, STR("null"));
	} else
		add_member(table, "total", functions->whole.of[1]);
	if (ranking->unit != NULL)
		add_text(table, "unit", str_from(ranking->unit));
	add_member(table, "stacks", (double)functions->stacks);
}

void
show_json(const struct ranking *ranking, size_t most, bool has_gate,
    const struct treeview *views, size_t count)
{
	struct shown_table table = { .ranking = ranking, .form = JSON };
	const struct treeview *view;
	const struct shown_node *shown;
	size_t i;

	text_add_char(&table.out, '{');
	add_whole(&table);
	for (view = views; view < views + count; view++) {
		add_key(&table, view->kind);
		for (i = 0; i < view->shown.count; i++) {
			shown = &view->shown.list[i];
			begin_item(&table.out, i);
			add_member(&table, "depth", shown->depth);
			add_text(&table, "name", shown->name);
			add_node(&table, view, shown);
			text_add_char(&table.out, '}');
		}
		end_items(&table.out, i);
	}
	if (count == 0) {
		add_key(&table, "functions");
		for (i = 0; i < most && i < ranking->count; i++) {
			begin_item(&table.out, i);
			add_object(&table, &ranking->rows[i], has_gate);
		}
		end_items(&table.out, i);
	}
	text_add(&table.out, STR("}\n"));
	output_flush(&table.out, stdout);
}
