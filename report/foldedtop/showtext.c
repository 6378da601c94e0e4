#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "columns.h"
#include "lib/message.h"
#include "lib/terminal.h"
#include "showtext.h"

#define STEP		2	/* columns to the right */

/* The columns, and a cell that is made for them. */
struct table_text {
	struct columns columns;
	struct text cell;
	const struct ranking *ranking;
};

/* Goes through rows twice, as struct columns needs. */
static void
print_twice(struct table_text *table, void (*print)(struct table_text *,
    const void *), const void *context)
{
	struct columns *columns = &table->columns;

	*columns = (struct columns){ .screen = terminal_columns(STDOUT_FILENO),
	    .line = columns->line, .name = columns->name };
	print(table, context);
	columns->is_printing = true;
	print(table, context);
	columns_flush(columns);
}

static void
add_cell(struct table_text *table, struct str cell)
{
	columns_add(&table->columns, cell);
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
	columns_tell(&table->columns, "%.*s", (int)cell->len, cell->data);
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
	columns_end(&table->columns, function_name(table->ranking->functions,
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
	columns_end(&table->columns, STR("function"), 0);
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
		columns_tell(&table->columns, "\n%s: %lu, the first %lu", what,
		    (unsigned long)count, (unsigned long)most);
	else
		columns_tell(&table->columns, "\n%s: %lu", what,
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
		columns_end(&table->columns, text_str(&name), STEP);
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
	columns_end(&table->columns, STR("function"), 0);
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
	columns_tell(&table->columns, "%.*s", (int)cell->len, cell->data);
	cell->len = 0;
}

/* Adds the cells of a node, which are empty where it goes on. */
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
	columns_end(&table->columns, STR("function"), 0);
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
		columns_end(&table->columns, function_name(view->functions,
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
			columns_tell(&table.columns, "%s", "");
	}
	columns_flush(&table.columns);
}
