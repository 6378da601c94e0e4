#include <math.h>
#include <stdio.h>

#include "lib/jsontext.h"
#include "lib/output.h"
#include "lib/utf8.h"
#include "showdata.h"

#define CHANGE_HEADS(of) \
	of "before\t" of "after\t" of "points\t" of "percent\t" of "sigma\t"

/* Adds a name, in which "\t" is a tab, and so on. */
static void
add_escaped(struct text *out, struct str name)
{
	uint32_t code;

	while (name.len > 0) {
		code = utf8_next(&name);
		if (code == '\\')
			text_add(out, STR("\\\\"));
		else if (code == '\t')
			text_add(out, STR("\\t"));
		else if (code == '\n')
			text_add(out, STR("\\n"));
		else if (code == '\r')
			text_add(out, STR("\\r"));
		else if (utf8_is_shown(code))
			utf8_add(out, code);
		else
			text_add_format(out, "\\u%04x", (unsigned)code);
	}
}

static void
end_line(struct text *out)
{
	text_add_char(out, '\n');
	output_drain(out, stdout);
}

/* Adds a number; none if it is not finite. */
static void
add_cell(struct text *out, double number)
{
	if (isfinite(number))
		json_add_number(out, number);
	text_add_char(out, '\t');
}

/* Adds a number to four digits after the point. */
static void
add_rounded_cell(struct text *out, double number)
{
	add_cell(out, rint(number * 1e4) / 1e4);
}

static void
add_share_cells(struct text *out, double count, double whole)
{
	add_cell(out, count);
	add_rounded_cell(out, ranking_share(count, whole));
}

static void
add_change_cells(struct text *out, const struct ranking *ranking,
    const struct counts_pair *counts, const struct counts_pair *all)
{
	struct count_change change = ranking_change(ranking, counts, all);

	add_cell(out, counts->of[0]);
	add_cell(out, counts->of[1]);
	add_rounded_cell(out, change.points);
	add_rounded_cell(out, change.percent);
	add_rounded_cell(out, change.sigmas);
}

void
showdata_functions_tsv(const struct ranking *ranking, size_t most)
{
	const struct functions *functions = ranking->functions;
	const struct counts_pair *whole = &functions->whole;
	const struct function *function;
	struct text out = { 0 };
	size_t i;

	text_add(&out, functions->have_two ? STR(CHANGE_HEADS("self_")
	    CHANGE_HEADS("total_") "stacks\tfate\tfunction") : STR("self\t"
	    "self_percent\ttotal\ttotal_percent\tstacks\tfunction"));
	end_line(&out);
	for (i = 0; i < most && i < ranking->count; i++) {
		function = &functions->list[ranking->rows[i].function];
		if (functions->have_two) {
			add_change_cells(&out, ranking, &function->self, whole);
			add_change_cells(&out, ranking, &function->total,
			    whole);
		} else {
			add_share_cells(&out, function->self.of[1],
			    whole->of[1]);
			add_share_cells(&out, function->total.of[1],
			    whole->of[1]);
		}
		add_cell(&out, (double)function->stacks);
		if (functions->have_two)
			text_add_format(&out, "%s\t",
			    rank_fate_name(ranking->rows[i].fate));
		add_escaped(&out, function_name(functions,
		    ranking->rows[i].function));
		end_line(&out);
	}
	output_flush(&out, stdout);
}

/* Adds a node of a tree, whose counts are parts of those of the tree. */
static void
print_node(struct text *out, const struct ranking *ranking,
    const struct treeview *view, const struct shown_node *shown)
{
	const struct call_node *node = &view->tree->nodes[shown->node];
	const struct counts_pair *all = &view->tree->nodes[0].total;

	text_add_format(out, "%s\t%lu\t", view->kind,
	    (unsigned long)shown->depth);
	if (view->functions->have_two)
		add_change_cells(out, ranking, &node->total, all);
	else {
		add_share_cells(out, node->total.of[1], all->of[1]);
		if (view->with_self)
			add_share_cells(out, node->self.of[1], all->of[1]);
		else
			text_add(out, STR("\t\t"));
	}
	add_escaped(out, function_name(view->functions, node->function));
	end_line(out);
}

void
showdata_trees_tsv(const struct ranking *ranking, const struct treeview *views,
    size_t count)
{
	struct text out = { 0 };
	size_t i, j;

	text_add(&out, ranking->functions->have_two ? STR("tree\tdepth\t"
	    CHANGE_HEADS("") "function") : STR("tree\tdepth\ttotal\t"
	    "total_percent\tself\tself_percent\tfunction"));
	end_line(&out);
	for (i = 0; i < count; i++)
		for (j = 0; j < views[i].count; j++)
			print_node(&out, ranking, &views[i], &views[i].list[j]);
	output_flush(&out, stdout);
}

/* Adds `"NAME":`, after a comma unless it is the first of an object. */
static void
add_key(struct text *json, const char *name)
{
	if (json->data[json->len - 1] != '{')
		text_add_char(json, ',');
	json_add_string(json, str_from(name));
	text_add_char(json, ':');
}

static void
add_number_member(struct text *json, const char *name, double number)
{
	add_key(json, name);
	json_add_number(json, number);
}

/* Adds a number to four digits after the point. */
static void
add_rounded_member(struct text *json, const char *name, double number)
{
	add_number_member(json, name, rint(number * 1e4) / 1e4);
}

static void
add_text(struct text *json, const char *name, struct str s)
{
	add_key(json, name);
	json_add_string(json, s);
}

/* Adds the members of an object about two counts. */
static void
add_change_members(struct text *json, const struct ranking *ranking,
    const struct counts_pair *counts, const struct counts_pair *all)
{
	struct count_change change = ranking_change(ranking, counts, all);

	add_number_member(json, "before", counts->of[0]);
	add_number_member(json, "after", counts->of[1]);
	add_rounded_member(json, "points", change.points);
	add_rounded_member(json, "percent", change.percent);
	add_rounded_member(json, "sigma", change.sigmas);
}

static void
add_change_object(struct text *json, const char *name,
    const struct ranking *ranking, const struct counts_pair *counts)
{
	add_key(json, name);
	text_add_char(json, '{');
	add_change_members(json, ranking, counts, &ranking->functions->whole);
	text_add_char(json, '}');
}

/* Adds the calls of a function that moved. */
static void
add_calls(struct text *json, const struct ranking *ranking, uint32_t call)
{
	const struct functions *functions = ranking->functions;
	const struct call *calls = functions->calls;
	char before = '[';

	add_key(json, "callers");
	for (; call != 0; call = calls[call].next) {
		text_add_char(json, before);
		before = ',';
		text_add(json, STR("{\"name\":"));
		if (calls[call].caller == CALL_NONE)
			text_add(json, STR("null"));
		else
			json_add_string(json, function_name(functions,
			    calls[call].caller));
		add_change_members(json, ranking, &calls[call].counts,
		    &functions->whole);
		text_add_char(json, '}');
	}
	text_add_char(json, ']');
}

static void
add_function(struct text *json, const struct ranking *ranking,
    const struct rank_row *row, bool has_gate)
{
	const struct functions *functions = ranking->functions;
	const struct function *function = &functions->list[row->function];
	double whole = functions->whole.of[1];

	text_add_char(json, '{');
	add_text(json, "name", function_name(functions, row->function));
	if (functions->have_two) {
		add_change_object(json, "self", ranking, &function->self);
		add_change_object(json, "total", ranking, &function->total);
		add_text(json, "fate", str_from(rank_fate_name(row->fate)));
	} else {
		add_number_member(json, "self", function->self.of[1]);
		add_rounded_member(json, "self_percent",
		    ranking_share(function->self.of[1], whole));
		add_number_member(json, "total", function->total.of[1]);
		add_rounded_member(json, "total_percent",
		    ranking_share(function->total.of[1], whole));
	}
	add_number_member(json, "stacks", (double)function->stacks);
	if (row->fate == FATE_MOVED)
		add_calls(json, ranking, function->first_call);
	if (has_gate) {
		add_key(json, "fails");
		text_add(json, row->fails ? STR("true") : STR("false"));
	}
	text_add_char(json, '}');
}

static void
add_node_object(struct text *json, const struct ranking *ranking,
    const struct treeview *view, const struct shown_node *shown)
{
	const struct call_node *node = &view->tree->nodes[shown->node];
	const struct counts_pair *all = &view->tree->nodes[0].total;

	text_add_char(json, '{');
	add_number_member(json, "depth", shown->depth);
	add_text(json, "name", function_name(view->functions, node->function));
	if (view->functions->have_two)
		add_change_members(json, ranking, &node->total, all);
	else {
		add_number_member(json, "total", node->total.of[1]);
		add_rounded_member(json, "total_percent",
		    ranking_share(node->total.of[1], all->of[1]));
	}
	if (view->with_self && !view->functions->have_two) {
		add_number_member(json, "self", node->self.of[1]);
		add_rounded_member(json, "self_percent",
		    ranking_share(node->self.of[1], all->of[1]));
	}
	text_add_char(json, '}');
}

/* Begins an item of an array on a line of its own. */
static void
begin_item(struct text *json, size_t number)
{
	text_add(json, number == 0 ? STR("[\n") : STR(",\n"));
	output_drain(json, stdout);
}

static void
end_items(struct text *json, size_t count)
{
	text_add(json, count == 0 ? STR("[]") : STR("\n]"));
}

/* Adds what is told of all stacks. */
static void
add_whole(struct text *json, const struct ranking *ranking)
{
	const struct functions *functions = ranking->functions;

	if (functions->have_two) {
		add_number_member(json, "before", functions->whole.of[0]);
		add_number_member(json, "after", functions->whole.of[1]);
		add_number_member(json, "noise", ranking->noise);
		add_key(json, "sigma_unknown");
		if (ranking->unknown != NULL)
			json_add_string(json, str_from(ranking->unknown));
		else
			text_add(json, STR("null"));
	} else
		add_number_member(json, "total", functions->whole.of[1]);
	if (ranking->unit != NULL) {
		add_key(json, "unit");
		json_add_string(json, str_from(ranking->unit));
	}
	add_number_member(json, "stacks", (double)functions->stacks);
}

void
showdata_json(const struct ranking *ranking, size_t most, bool has_gate,
    const struct treeview *views, size_t count)
{
	struct text json = { 0 };
	size_t i, j;

	text_add_char(&json, '{');
	add_whole(&json, ranking);
	for (i = 0; i < count; i++) {
		add_key(&json, views[i].kind);
		for (j = 0; j < views[i].count; j++) {
			begin_item(&json, j);
			add_node_object(&json, ranking, &views[i],
			    &views[i].list[j]);
		}
		end_items(&json, views[i].count);
	}
	if (count == 0) {
		add_key(&json, "functions");
		for (i = 0; i < most && i < ranking->count; i++) {
			begin_item(&json, i);
			add_function(&json, ranking, &ranking->rows[i],
			    has_gate);
		}
		end_items(&json, i);
	}
	text_add(&json, STR("}\n"));
	output_flush(&json, stdout);
}
