#include <math.h>
#include <stdio.h>

#include "lib/json.h"
#include "lib/output.h"
#include "lib/utf8.h"
#include "ranking.h"
#include "treeview.h"

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

/* What is printed: lines of cells with tabs between them, or a JSON object. */
struct data {
	struct text text;
	bool is_json;
	const struct ranking *ranking;
};

static void
end_line(struct data *data)
{
	text_add_char(&data->text, '\n');
	output_drain(&data->text, stdout);
}

/* Adds `"NAME":`, after a comma unless it is the first of an object. */
static void
add_key(struct data *data, const char *name)
{
	struct text *json = &data->text;

	if (json->data[json->len - 1] != '{')
		text_add_char(json, ',');
	json_add_string(json, str_from(name));
	text_add_char(json, ':');
}

static void
add_text(struct data *data, const char *name, struct str text)
{
	add_key(data, name);
	json_add_string(&data->text, text);
}

/* Adds a member, or a cell; it is empty if the number is not finite. */
static void
add_number(struct data *data, const char *name, double number)
{
	if (data->is_json)
		add_key(data, name);
	if (data->is_json || isfinite(number))
		json_add_number(&data->text, number);
	if (!data->is_json)
		text_add_char(&data->text, '\t');
}

/* Adds a number to four digits after the point. */
static void
add_rounded(struct data *data, const char *name, double number)
{
	add_number(data, name, rint(number * 1e4) / 1e4);
}

static void
add_change(struct data *data, const struct counts_pair *counts,
    const struct counts_pair *all)
{
	struct count_change change = ranking_change(data->ranking, counts,
	    all);

	add_number(data, "before", counts->of[0]);
	add_number(data, "after", counts->of[1]);
	add_rounded(data, "points", change.points);
	add_rounded(data, "percent", change.percent);
	add_rounded(data, "sigma", change.sigmas);
}

static void
add_self(struct data *data, const struct counts_pair *self,
    const struct counts_pair *all)
{
	add_number(data, "self", self->of[1]);
	add_rounded(data, "self_percent",
	    ranking_share(self->of[1], all->of[1]));
}

static void
add_total(struct data *data, const struct counts_pair *total,
    const struct counts_pair *all)
{
	add_number(data, "total", total->of[1]);
	add_rounded(data, "total_percent",
	    ranking_share(total->of[1], all->of[1]));
}

void
showdata_functions_tsv(const struct ranking *ranking, size_t most)
{
	const struct functions *functions = ranking->functions;
	const struct counts_pair *whole = &functions->whole;
	struct data data = { .ranking = ranking };
	const struct function *function;
	size_t i;

	text_add(&data.text, functions->have_two ? STR(CHANGE_HEADS("self_")
	    CHANGE_HEADS("total_") "stacks\tfate\tfunction") : STR("self\t"
	    "self_percent\ttotal\ttotal_percent\tstacks\tfunction"));
	end_line(&data);
	for (i = 0; i < most && i < ranking->count; i++) {
		function = &functions->list[ranking->rows[i].function];
		if (functions->have_two) {
			add_change(&data, &function->self, whole);
			add_change(&data, &function->total, whole);
		} else {
			add_self(&data, &function->self, whole);
			add_total(&data, &function->total, whole);
		}
		add_number(&data, NULL, (double)function->stacks);
		if (functions->have_two)
			text_add_format(&data.text, "%s\t",
			    rank_fate_name(ranking->rows[i].fate));
		add_escaped(&data.text, function_name(functions,
		    ranking->rows[i].function));
		end_line(&data);
	}
	output_flush(&data.text, stdout);
}

/* Adds the counts of a node, as parts of its tree's. */
static void
add_node_counts(struct data *data, const struct treeview *view,
    const struct call_node *node)
{
	const struct counts_pair *all = &view->tree->nodes[0].total;

	if (view->functions->have_two) {
		add_change(data, &node->total, all);
		return;
	}
	add_total(data, &node->total, all);
	if (view->with_self)
		add_self(data, &node->self, all);
	else if (!data->is_json)
		text_add(&data->text, STR("\t\t"));
}

void
showdata_trees_tsv(const struct ranking *ranking, const struct treeview *views,
    size_t count)
{
	struct data data = { .ranking = ranking };
	const struct treeview *view;
	const struct call_node *node;
	size_t i;

	text_add(&data.text, ranking->functions->have_two ? STR("tree\tdepth\t"
	    CHANGE_HEADS("") "function") : STR("tree\tdepth\ttotal\t"
	    "total_percent\tself\tself_percent\tfunction"));
	end_line(&data);
	for (view = views; view < views + count; view++)
		for (i = 0; i < view->count; i++) {
			node = &view->tree->nodes[view->list[i].node];
			text_add_format(&data.text, "%s\t", view->kind);
			add_number(&data, NULL, view->list[i].depth);
			add_node_counts(&data, view, node);
			add_escaped(&data.text, function_name(view->functions,
			    node->function));
			end_line(&data);
		}
	output_flush(&data.text, stdout);
}

static void
add_change_object(struct data *data, const char *name,
    const struct counts_pair *counts)
{
	add_key(data, name);
	text_add_char(&data->text, '{');
	add_change(data, counts, &data->ranking->functions->whole);
	text_add_char(&data->text, '}');
}

/* Adds the calls of a function that moved. */
static void
add_calls(struct data *data, uint32_t call)
{
	const struct functions *functions = data->ranking->functions;
	const struct call *calls = functions->calls;
	struct text *json = &data->text;
	char before = '[';

	add_key(data, "callers");
	for (; call != 0; call = calls[call].next) {
		text_add_char(json, before);
		before = ',';
		text_add(json, STR("{\"name\":"));
		if (calls[call].caller == CALL_NONE)
			text_add(json, STR("null"));
		else
			json_add_string(json, function_name(functions,
			    calls[call].caller));
		add_change(data, &calls[call].counts, &functions->whole);
		text_add_char(json, '}');
	}
	text_add_char(json, ']');
}

static void
add_function(struct data *data, const struct rank_row *row, bool has_gate)
{
	const struct functions *functions = data->ranking->functions;
	const struct function *function = &functions->list[row->function];

	text_add_char(&data->text, '{');
	add_text(data, "name", function_name(functions, row->function));
	if (functions->have_two) {
		add_change_object(data, "self", &function->self);
		add_change_object(data, "total", &function->total);
		add_text(data, "fate", str_from(rank_fate_name(row->fate)));
	} else {
		add_self(data, &function->self, &functions->whole);
		add_total(data, &function->total, &functions->whole);
	}
	add_number(data, "stacks", (double)function->stacks);
	if (row->fate == FATE_MOVED)
		add_calls(data, function->first_call);
	if (has_gate) {
		add_key(data, "fails");
		text_add(&data->text, row->fails ? STR("true") :
		    STR("false"));
	}
	text_add_char(&data->text, '}');
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

/* Adds the members for all stacks. */
static void
add_whole(struct data *data)
{
	const struct ranking *ranking = data->ranking;
	const struct functions *functions = ranking->functions;

	if (functions->have_two) {
		add_number(data, "before", functions->whole.of[0]);
		add_number(data, "after", functions->whole.of[1]);
		add_number(data, "noise", ranking->noise);
		add_key(data, "sigma_unknown");
		if (ranking->unknown != NULL)
			json_add_string(&data->text,
			    str_from(ranking->unknown));
		else
			text_add(&data->text, STR("null"));
	} else
		add_number(data, "total", functions->whole.of[1]);
	if (ranking->unit != NULL)
		add_text(data, "unit", str_from(ranking->unit));
	add_number(data, "stacks", (double)functions->stacks);
}

void
showdata_json(const struct ranking *ranking, size_t most, bool has_gate,
    const struct treeview *views, size_t count)
{
	struct data data = { .is_json = true, .ranking = ranking };
	const struct treeview *view;
	const struct call_node *node;
	size_t i;

	text_add_char(&data.text, '{');
	add_whole(&data);
	for (view = views; view < views + count; view++) {
		add_key(&data, view->kind);
		for (i = 0; i < view->count; i++) {
			node = &view->tree->nodes[view->list[i].node];
			begin_item(&data.text, i);
			text_add_char(&data.text, '{');
			add_number(&data, "depth", view->list[i].depth);
			add_text(&data, "name", function_name(
			    view->functions, node->function));
			add_node_counts(&data, view, node);
			text_add_char(&data.text, '}');
		}
		end_items(&data.text, view->count);
	}
	if (count == 0) {
		add_key(&data, "functions");
		for (i = 0; i < most && i < ranking->count; i++) {
			begin_item(&data.text, i);
			add_function(&data, &ranking->rows[i], has_gate);
		}
		end_items(&data.text, i);
	}
	text_add(&data.text, STR("}\n"));
	output_flush(&data.text, stdout);
}
