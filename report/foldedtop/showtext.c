#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/message.h"
#include "lib/output.h"
#include "lib/progress.h"
#include "lib/utf8.h"
#include "ranking.h"
#include "treeview.h"

#define CELLS_MOST	8	/* of a row */
#define GAP		2	/* blanks after a cell */
#define LEAST_NAME	16	/* columns of a name that is shortened */
#define STEP		2	/* columns to the right */

/*
 * Aligned text, of rows that are cells and a name:
 *
 *	 self%  self  function
 *	75.00%    12  read
 *
 * Rows are gone through twice: first to learn how wide cells are, then to print
 * them.  On a terminal long names are shortened in their middle.
 */
struct table_text {
	const struct ranking *ranking;
	size_t screen;		/* columns of the terminal; 0: any number */
	bool is_printing;
	size_t widths[CELLS_MOST];
	size_t at;		/* the number of the next cell in the row */
	struct text line;
	struct text name;	/* as it is shown */
	struct text cell;	/* while it is made */
};

/* Adds a cell to the row, on the right of its column. */
static void
add_cell(struct table_text *table, struct str cell)
{
	size_t *width = &table->widths[table->at++], i;

	if (!table->is_printing) {
		if (cell.len > *width)
			*width = cell.len;
		return;
	}
	for (i = cell.len; i < *width; i++)
		text_add_char(&table->line, ' ');
	text_add(&table->line, cell);
	for (i = 0; i < GAP; i++)
		text_add_char(&table->line, ' ');
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

/* Stores a name as a terminal may show it; returns how many columns it has. */
static size_t
make_shown(struct text *shown, struct str name)
{
	size_t columns = 0;
	uint32_t code;

	shown->len = 0;
	while (name.len > 0) {
		code = utf8_next(&name);
		if (!utf8_is_shown(code))
			code = 0xFFFD;
		utf8_add(shown, code);
		columns += width_of(code);
	}
	return columns;
}

/* Adds a name that has too many columns, shortened in its middle. */
static void
add_short(struct text *line, struct str name, size_t columns, size_t room)
{
	size_t last = (room - 2) / 2, first = room - 2 - last, width;
	struct str rest = name;

	while (rest.len > 0 && (width = width_of(utf8_next(&rest))) <= first) {
		first -= width;
		columns -= width;
		text_add(line, str_take(name, name.len - rest.len));
		name = rest;
	}
	text_add(line, STR(".."));
	while (columns > last)
		columns -= width_of(utf8_next(&name));
	text_add(line, name);
}

/* Ends the row with a name, indented by some columns, and prints it. */
static void
end_line(struct table_text *table, struct str name, size_t indent)
{
	size_t used = indent, room = LEAST_NAME, width, i;

	for (i = 0; i < table->at; i++)
		used += table->widths[i] + GAP;
	table->at = 0;
	if (!table->is_printing)
		return;
	for (i = 0; i < indent; i++)
		text_add_char(&table->line, ' ');
	width = make_shown(&table->name, name);
	name = text_str(&table->name);
	if (table->screen > used + LEAST_NAME)
		room = table->screen - used;
	if (table->screen > 0 && width > room)
		add_short(&table->line, name, width, room);
	else
		text_add(&table->line, name);
	text_add_char(&table->line, '\n');
	output_drain(&table->line, stdout);
}

/* Adds a line unchanged, with its end. */
static void
tell(struct table_text *table, const char *format, ...)
{
	va_list args;

	if (!table->is_printing)
		return;
	va_start(args, format);
	text_add_list(&table->line, format, args);
	va_end(args);
	text_add_char(&table->line, '\n');
}

static void
print_twice(struct table_text *table, void (*print)(struct table_text *,
    const void *), const void *context)
{
	table->screen = progress_columns(STDOUT_FILENO);
	table->is_printing = false;
	memset(table->widths, 0, sizeof(table->widths));
	print(table, context);
	table->is_printing = true;
	print(table, context);
	output_flush(&table->line, stdout);
}

/* Adds the cell that was made. */
static void
end_cell(struct table_text *table)
{
	add_cell(table, text_str(&table->cell));
	table->cell.len = 0;
}

static void
count_cell(struct table_text *table, double count)
{
	text_add_count(&table->cell, count);
	end_cell(table);
}

/* Adds two cells: a count's share, and the count. */
static void
share_cells(struct table_text *table, double count, double whole)
{
	text_add_format(&table->cell, "%.2f%%", ranking_share(count, whole));
	end_cell(table);
	count_cell(table, count);
}

static void
empty_cells(struct table_text *table, int count)
{
	for (; count > 0; count--)
		add_cell(table, STR(""));
}

/* Adds five cells about two counts. */
static void
change_cells(struct table_text *table, const struct counts_pair *counts,
    const struct counts_pair *whole)
{
	const double *of = counts->of;
	struct count_change change = ranking_change(table->ranking, counts,
	    whole);

	count_cell(table, of[0]);
	count_cell(table, of[1]);
	text_add_format(&table->cell, "%+.2f", change.points);
	end_cell(table);
	if (of[0] > 0 && of[1] > 0)
		text_add_format(&table->cell, "%+.2f%%", change.percent);
	else
		text_add(&table->cell, of[1] > 0 ? STR("new") : of[0] > 0 ?
		    STR("gone") : STR("none"));
	end_cell(table);
	if (isnan(change.sigmas))
		text_add_char(&table->cell, '-');
	else
		text_add_format(&table->cell, "%.1f", change.sigmas);
	end_cell(table);
}

static void
change_heads(struct table_text *table)
{
	add_cell(table, STR("before"));
	add_cell(table, STR("after"));
	add_cell(table, STR("points"));
	add_cell(table, STR("change"));
	add_cell(table, STR("sigma"));
}

/* Returns the end of the word for this many things. */
static const char *
plural(size_t count)
{
	return count == 1 ? "" : "s";
}

/* Tells the counts of all, before the rows. */
static void
tell_whole(struct table_text *table, size_t most)
{
	const struct ranking *ranking = table->ranking;
	const struct functions *functions = ranking->functions;
	struct text *cell = &table->cell;

	if (functions->have_two) {
		text_add(cell, STR("before "));
		text_add_count(cell, functions->whole.of[0]);
		text_add(cell, STR(", after "));
	}
	text_add_count(cell, functions->whole.of[1]);
	if (ranking->unit != NULL)
		text_add_format(cell, " %s", ranking->unit);
	text_add(cell, STR(" in "));
	text_add_thousands(cell, (double)functions->stacks);
	text_add_format(cell, " stack%s, ", plural(functions->stacks));
	text_add_thousands(cell, (double)ranking->count);
	text_add_format(cell, " function%s", plural(ranking->count));
	if (most < ranking->count)
		text_add_format(cell, ", the first %lu", (unsigned long)most);
	tell(table, "%.*s", (int)cell->len, cell->data);
	cell->len = 0;
}

static const struct function *
function_of(const struct table_text *table, const struct rank_row *row)
{
	return &table->ranking->functions->list[row->function];
}

static void
end_row(struct table_text *table, const struct rank_row *row)
{
	end_line(table, function_name(table->ranking->functions,
	    row->function), 0);
}

static void
print_functions(struct table_text *table, const void *most)
{
	const struct ranking *ranking = table->ranking;
	size_t rows = *(const size_t *)most, i;
	double whole = ranking->functions->whole.of[1];
	const struct function *function;

	tell_whole(table, rows);
	add_cell(table, STR("self%"));
	add_cell(table, STR("self"));
	add_cell(table, STR("total%"));
	add_cell(table, STR("total"));
	add_cell(table, STR("stacks"));
	end_line(table, STR("function"), 0);
	for (i = 0; i < rows; i++) {
		function = function_of(table, &ranking->rows[i]);
		share_cells(table, function->self.of[1], whole);
		share_cells(table, function->total.of[1], whole);
		count_cell(table, (double)function->stacks);
		end_row(table, &ranking->rows[i]);
	}
}

/* Prints rows of changes from one up to another. */
static void
print_changes(struct table_text *table, size_t from, size_t to)
{
	const struct ranking *ranking = table->ranking;
	size_t i;

	for (i = from; i < to; i++) {
		change_cells(table, ranking_counts(ranking,
		    function_of(table, &ranking->rows[i])),
		    &ranking->functions->whole);
		end_row(table, &ranking->rows[i]);
	}
}

/* Tells how many functions follow, and how many of these are printed. */
static void
tell_section(struct table_text *table, const char *what, size_t count,
    size_t most)
{
	if (most < count)
		tell(table, "\n%s: %lu, the first %lu", what,
		    (unsigned long)count, (unsigned long)most);
	else
		tell(table, "\n%s: %lu", what,
		    (unsigned long)count);
}

/* Prints a function that moved, and its calls that changed beyond chance. */
static void
print_moved(struct table_text *table, const struct rank_row *row)
{
	const struct ranking *ranking = table->ranking;
	const struct functions *functions = ranking->functions;
	const struct function *function = function_of(table, row);
	const struct call *call;
	struct text name = { 0 };
	uint32_t i;

	change_cells(table, &function->total, &functions->whole);
	end_row(table, row);
	for (i = function->first_call; i != 0; i = call->next) {
		call = &functions->calls[i];
		if (ranking_pair_sigmas(ranking, &call->counts) <
		    ranking->noise)
			continue;
		change_cells(table, &call->counts, &functions->whole);
		name.len = 0;
		text_add(&name, STR("from "));
		text_add(&name, call->caller == CALL_NONE ? STR("nothing") :
		    function_name(functions, call->caller));
		end_line(table, text_str(&name), STEP);
	}
	free(name.data);
}

static void
print_all_moved(struct table_text *table, size_t most)
{
	const struct ranking *ranking = table->ranking;
	const struct rank_row *row = ranking->rows;

	if (ranking->moved == 0)
		return;
	if (most > ranking->moved)
		most = ranking->moved;
	tell_section(table, "moved: other callers, the same total",
	    ranking->moved, most);
	for (; most > 0; row++)
		if (row->fate == FATE_MOVED) {
			print_moved(table, row);
			most--;
		}
}

static void
print_comparison(struct table_text *table, const void *most)
{
	const struct ranking *ranking = table->ranking;
	const char *measure = ranking_measure(ranking);
	size_t rows = *(const size_t *)most;
	size_t beyond = rows < ranking->beyond ? rows : ranking->beyond;
	struct text section = { 0 };

	tell_whole(table, ranking->count);
	change_heads(table);
	end_line(table, STR("function"), 0);
	if (ranking->unknown == NULL && ranking->key <= RANK_TOTAL) {
		text_add_format(&section, "%s, changed beyond chance "
		    "(%g sigma)", measure, ranking->noise);
		text_add_char(&section, '\0');
		tell_section(table, section.data, ranking->beyond, beyond);
	}
	print_changes(table, 0, beyond);
	if (ranking->count > ranking->beyond) {
		section.len = 0;
		text_add_format(&section, "%s%s", measure,
		    ranking->unknown != NULL ? ", chance is unknown" :
		    ranking->key <= RANK_TOTAL ? ", within chance" : "");
		text_add_char(&section, '\0');
		tell_section(table, section.data, ranking->count -
		    ranking->beyond, rows - beyond);
	}
	print_changes(table, beyond, rows);
	free(section.data);
	print_all_moved(table, *(const size_t *)most);
}

void
showtext_functions(const struct ranking *ranking, size_t most)
{
	struct table_text table = { .ranking = ranking };

	if (most > ranking->count)
		most = ranking->count;
	print_twice(&table, ranking->functions->have_two ? print_comparison :
	    print_functions, &most);
}

/* Tells the counts of a tree, before its rows. */
static void
tell_tree(struct table_text *table, const struct treeview *view)
{
	const double *of = view->tree->nodes[0].total.of;
	const struct functions *functions = view->functions;
	const double *whole = functions->whole.of;
	struct text *cell = &table->cell;
	int side = functions->have_two ? 0 : 1;

	text_add_format(cell, "%s%s", view->kind, view->of != NULL ? " of " :
	    "");
	message_add_shown(cell, str_from(view->of != NULL ? view->of : ""));
	for (; side < 2; side++) {
		text_add(cell, !functions->have_two ? STR(": ") : side == 0 ?
		    STR(": before ") : STR(", after "));
		text_add_count(cell, of[side]);
		text_add(cell, STR(" of "));
		text_add_count(cell, whole[side]);
		text_add_format(cell, ", %.2f%%", ranking_share(of[side],
		    whole[side]));
	}
	tell(table, "%.*s", (int)cell->len, cell->data);
	cell->len = 0;
}

/* Adds the cells of a node, empty if the row continues the one above. */
static void
node_cells(struct table_text *table, const struct treeview *view,
    const struct shown_node *shown)
{
	const struct call_node *node = &view->tree->nodes[shown->node];
	const struct counts_pair *whole = &view->tree->nodes[0].total;
	bool has_self = view->with_self && node->self.of[1] > 0;

	if (view->functions->have_two) {
		if (shown->goes_on)
			empty_cells(table, 5);
		else
			change_cells(table, &node->total, whole);
		return;
	}
	if (shown->goes_on)
		empty_cells(table, 2);
	else
		share_cells(table, node->total.of[1], whole->of[1]);
	if (has_self)
		share_cells(table, node->self.of[1], whole->of[1]);
	else if (view->with_self)
		empty_cells(table, 2);
}

static void
node_heads(struct table_text *table, const struct treeview *view)
{
	if (view->functions->have_two)
		change_heads(table);
	else {
		add_cell(table, STR("total%"));
		add_cell(table, STR("total"));
		if (view->with_self) {
			add_cell(table, STR("self%"));
			add_cell(table, STR("self"));
		}
	}
	end_line(table, STR("function"), 0);
}

static void
print_tree(struct table_text *table, const void *context)
{
	const struct treeview *view = context;
	const struct shown_node *shown;
	size_t i;

	tell_tree(table, view);
	node_heads(table, view);
	for (i = 0; i < view->count; i++) {
		shown = &view->list[i];
		node_cells(table, view, shown);
		end_line(table, function_name(view->functions,
		    view->tree->nodes[shown->node].function),
		    (size_t)shown->indent * STEP);
	}
}

void
showtext_trees(const struct ranking *ranking, const struct treeview *views,
    size_t count)
{
	struct table_text table = { .ranking = ranking };
	size_t i;

	for (i = 0; i < count; i++) {
		print_twice(&table, print_tree, &views[i]);
		if (i + 1 < count)
			tell(&table, "%s", "");
	}
	output_flush(&table.line, stdout);
}
