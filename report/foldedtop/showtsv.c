#include <math.h>
#include <stdio.h>

#include "lib/jsontext.h"
#include "lib/output.h"
#include "lib/utf8.h"
#include "showtsv.h"

#define CHANGE_HEADS(of) \
	of "before\t" of "after\t" of "points\t" of "percent\t" of "sigma\t"

/* Adds a name, in which "\t" is a tab, and so on. */
static void
add_name(struct text *out, struct str name)
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
add_number(struct text *out, double number)
{
	if (isfinite(number))
		json_add_number(out, number);
	text_add_char(out, '\t');
}

/* Adds a number to four digits after the point. */
static void
add_rounded(struct text *out, double number)
{
	add_number(out, rint(number * 1e4) / 1e4);
}

static void
add_share(struct text *out, double count, double whole)
{
	add_number(out, count);
	add_rounded(out, ranking_share(count, whole));
}

static void
add_change(struct text *out, const struct ranking *ranking,
    const struct counts_pair *counts, const struct counts_pair *all)
{
	struct count_change change = ranking_change(ranking, counts, all);

	add_number(out, counts->of[0]);
	add_number(out, counts->of[1]);
	add_rounded(out, change.points);
	add_rounded(out, change.percent);
	add_rounded(out, change.sigmas);
}

void
showtsv_functions(const struct ranking *ranking, size_t most)
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
			add_change(&out, ranking, &function->self, whole);
			add_change(&out, ranking, &function->total, whole);
		} else {
			add_share(&out, function->self.of[1], whole->of[1]);
			add_share(&out, function->total.of[1], whole->of[1]);
		}
		add_number(&out, (double)function->stacks);
		if (functions->have_two)
			text_add_format(&out, "%s\t",
			    rank_fate_name(ranking->rows[i].fate));
		add_name(&out, function_name(functions,
		    ranking->rows[i].function));
		end_line(&out);
	}
	output_flush(&out, stdout);
}

/* Adds a node of a tree, whose counts are parts of those of the tree. */
static void
add_node(struct text *out, const struct ranking *ranking,
    const struct treeview *view, const struct shown_node *shown)
{
	const struct call_node *node = &view->tree->nodes[shown->node];
	const struct counts_pair *all = &view->tree->nodes[0].total;

	text_add_format(out, "%s\t%lu\t", view->kind,
	    (unsigned long)shown->depth);
	if (view->functions->have_two)
		add_change(out, ranking, &node->total, all);
	else {
		add_share(out, node->total.of[1], all->of[1]);
		if (view->with_self)
			add_share(out, node->self.of[1], all->of[1]);
		else
			text_add(out, STR("\t\t"));
	}
	add_name(out, function_name(view->functions, node->function));
	end_line(out);
}

void
showtsv_trees(const struct ranking *ranking, const struct treeview *views,
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
			add_node(&out, ranking, &views[i], &views[i].list[j]);
	output_flush(&out, stdout);
}
