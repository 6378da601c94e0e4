/*
 * flamegraph: draws folded stacks as a picture for a browser.
 *
 * A line is a stack, its frames parted by ';' from the root to the leaf, and a
 * count, or two counts where two profiles are compared:
 *
 *	main;parse;read 12
 *	main;parse;read 12 34
 *
 * Siblings are drawn in the order of their first lines when all lines are
 * sorted as bytes, or by their sizes; in a flame chart, in the order of the
 * input.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "fold/foldedlines.h"
#include "graph/attributes.h"
#include "graph/colourfile.h"
#include "graph/difference.h"
#include "graph/picture.h"
#include "lib/message.h"
#include "lib/options.h"
#include "lib/output.h"
#include "lib/progress.h"

#define MAX_PIXELS	1000000
#define LOW_COUNT	100	/* fewer samples than this tell little */

static const char *colors = "hot";
static const char *background = "";
static const char *min_width;	/* NULL: not given */
static const char *width = "1200";
static const char *cut_part = "end";
static const char *theme = "";
static bool no_javascript;
static bool no_legend;
static const char *name_attributes = "";
static bool hash;
static bool random_colors;
static bool keep_palette;
static const char *color_rules = "";
static bool reverse;
static bool flame_chart;
static bool lanes;
static const char *axis = "";
static double factor = NAN;	/* not given */
static const char *delta = "self";
static const char *widths = "";
static const char *order = "name";

static const char samples[] = "samples";

/* This holds the other options. */
static struct picture picture = {
	.title = "", .subtitle = "", .notes = "", .encoding = "",
	.font_type = "Verdana", .font_size = 12, .font_width = 0.59,
	.name_type = "Function:", .count_name = samples,
	.height = 16, .factor = 1, .search = ""
};

static char palettes[1024];	/* for the usage */

static const char palette_path[] = "palette.map";

struct graph {
	struct folded_lines lines;
	struct tree tree;
	struct text reversed;		/* a stack */
};

static const struct option options[] = {
	{ "title", OPTION_TEXT, &picture.title, "TEXT", "title" },
	{ "subtitle", OPTION_TEXT, &picture.subtitle, "TEXT",
	    "line below the title" },
	{ "width", OPTION_TEXT, &width, "PIXELS",
	    "of the picture (default 1200); auto: of the window" },
	{ "height", OPTION_INTEGER, &picture.height, "PIXELS",
	    "of a frame (default 16)" },
	{ "minwidth", OPTION_TEXT, &min_width, "WIDTH",
	    "leave out narrower frames: pixels, or per cent of the\n"
	    "counts with % (default 0.1; 0.01 with --lanes)" },
	{ "fonttype", OPTION_TEXT, &picture.font_type, "FONT",
	    "font (default Verdana)" },
	{ "fontsize", OPTION_DECIMAL, &picture.font_size, "PIXELS",
	    "size of the font (default 12)" },
	{ "fontwidth", OPTION_DECIMAL, &picture.font_width, "RATIO",
	    "mean width of a character, as part of the font's\n"
	    "size (default 0.59)" },
	{ "countname", OPTION_TEXT, &picture.count_name, "TEXT",
	    "what is counted (default: the unit of the input, or\n"
	    "samples); TEXT,TEXT for a ratio" },
	{ "nametype", OPTION_TEXT, &picture.name_type, "TEXT",
	    "what is named (default Function:)" },
	{ "colors", OPTION_TEXT, &colors, "PALETTE",
	    palettes },
	{ "bgcolors", OPTION_TEXT, &background, "COLOR",
	    "yellow, blue, green, grey or #rrggbb\n"
	    "(default: one that suits the palette)" },
	{ "hash", OPTION_FLAG, &hash, NULL,
	    "names that begin alike get colors alike" },
	{ "random", OPTION_FLAG, &random_colors, NULL, "mixed colors" },
	{ "cp", OPTION_FLAG, &keep_palette, NULL,
	    "keep the colors of names in ./palette.map" },
	{ "reverse", OPTION_FLAG, &reverse, NULL,
	    "turn the stacks over: merge them from their leaves" },
	{ "inverted", OPTION_FLAG, &picture.inverted, NULL, "draw downwards" },
	{ "flamechart", OPTION_FLAG, &flame_chart, NULL,
	    "keep the order of the input: left to right is time" },
	{ "negate", OPTION_FLAG, &picture.negate, NULL,
	    "swap the colors of more and less" },
	{ "total", OPTION_DECIMAL, &picture.total, "COUNT",
	    "counts of the full width (default: all there are)" },
	{ "factor", OPTION_DECIMAL, &factor, "NUMBER",
	    "show counts multiplied by this" },
	{ "nameattr", OPTION_TEXT, &name_attributes, "FILE",
	    "links and other attributes of functions" },
	{ "notes", OPTION_TEXT, &picture.notes, "TEXT",
	    "comment in the file, without < and >" },
	{ "encoding", OPTION_TEXT, &picture.encoding, "NAME",
	    "encoding that the file names (default: none, UTF-8)" },
	{ NULL, OPTION_ADDED, NULL, NULL, NULL },
	{ "axis", OPTION_TEXT, &axis, "UNIT",
	    "ns, us, ms or s: of time, for --flamechart (default:\n"
	    "if counts are called so)" },
	{ "lanes", OPTION_FLAG, &lanes, NULL,
	    "a flame chart with each thread in a lane of its own,\n"
	    "on one axis of time" },
	{ "delta", OPTION_TEXT, &delta, "CHANGE",
	    "self (default) or total: color the change of a\n"
	    "function itself, or with all that it calls;\n"
	    "ratio: color the ratio of two events' counts" },
	{ "widths", OPTION_TEXT, &widths, "COUNT",
	    "after (default), before, sum or change: which of two\n"
	    "counts, their sum, or the size of the change" },
	{ "noise", OPTION_DECIMAL, &picture.difference.noise, "SIGMA",
	    "make changes gray that are less than this many\n"
	    "standard errors" },
	{ "sort", OPTION_TEXT, &order, "ORDER",
	    "name (default) or size: the largest siblings first" },
	{ "truncate", OPTION_TEXT, &cut_part, "PART",
	    "end (default), front or middle: where long names are\n"
	    "cut" },
	{ "color-rules", OPTION_TEXT, &color_rules, "FILE",
	    "lines of a regular expression and a color, for names\n"
	    "that match" },
	{ "no-legend", OPTION_FLAG, &no_legend, NULL,
	    "do not say what colors mean" },
	{ "theme", OPTION_TEXT, &theme, "THEME",
	    "light, dark, or auto: as the reader's system is" },
	{ "search", OPTION_TEXT, &picture.search, "REGEX",
	    "open the picture with this search" },
	{ "no-javascript", OPTION_FLAG, &no_javascript, NULL,
	    "a picture with tooltips, without a viewer" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[option ...] [file ...] > out.svg",
	"flamegraph --title=\"malloc()\" --countname=bytes "
	"malloc.folded > malloc.svg",
	options
};

/* Returns the place of an option's word in a list that ends in NULL. */
static int
choose(const char *option, const char *word, const char *const *words,
    const char *shown)
{
	int i = 0;

	while (words[i] != NULL && strcmp(word, words[i]) != 0)
		i++;
	if (words[i] == NULL)
		options_reject("option --%s: \"%s\" is not %s", option, word,
		    shown);
	return i;
}

/* Parses the width, a number or "auto", and the least, DIGITS[.DIGITS][%]. */
static void
parse_widths(void)
{
	const char *least = min_width != NULL ? min_width :
	    lanes ? "0.01" : "0.1";
	size_t len = strspn(least, "0123456789.");
	char *end;

	picture.fluid = strcmp(width, "auto") == 0;
	if (picture.fluid)
		picture.width = PICTURE_FLUID;
	else if (!options_integer(width, &picture.width))
		options_reject("option --width: \"%s\" is neither a "
		    "number of pixels nor auto", width);
	if (picture.width <= 2 * PICTURE_SIDE || picture.width > MAX_PIXELS)
		options_reject("option --width: %ld is not from %d to "
		    "%d", picture.width, 2 * PICTURE_SIDE + 1, MAX_PIXELS);
	picture.min_adapts = min_width == NULL;
	picture.min_width = strtod(least, &end);
	picture.min_percent = least[len] == '%';
	if (len == 0 || end != least + len ||
	    least[len + picture.min_percent] != '\0')
		options_reject("option --minwidth: \"%s\" is neither "
		    "pixels nor per cent", least);
}

static void
choose_axis(void)
{
	const char *unit = axis[0] != '\0' ? axis : picture.count_name;
	double seconds = picture_axis_unit(unit);

	if (axis[0] != '\0' && !flame_chart)
		options_reject("--axis needs --flamechart");
	if (axis[0] != '\0' && seconds <= 0)
		options_reject("option --axis: \"%s\" is not ns, us, ms or s",
		    axis);
	picture.axis = flame_chart ? seconds : 0;
}

/* Checks the names of the counts of a ratio, and what makes the widths. */
static void
check_ratio(enum tree_widths chosen)
{
	struct str name = str_from(picture.count_name);
	size_t at = str_find(name, ',');
	struct str *names = picture.difference.names;

	names[0] = str_take(name, at);
	names[1] = str_skip(name, at + (at < name.len));
	if (at == name.len)
		names[1] = name;
	if (str_find(names[1], ',') < names[1].len)
		options_reject("option --countname: \"%s\" is more than two "
		    "names with a comma between them", picture.count_name);
	if (chosen != TREE_BEFORE && chosen != TREE_AFTER)
		options_reject("option --widths: with --delta=ratio, only "
		    "before and after are possible");
	if (picture.difference.noise > 0)
		options_reject("--noise cannot be combined with --delta=ratio");
}

static void
check_tree(struct tree *tree)
{
	static const char *const deltas[] = { "self", "total", "ratio", NULL };
	static const char *const orders[] = { "name", "size", NULL };
	int by = choose("delta", delta, deltas, "self, total or ratio");
	bool by_ratio = by == 2;

	tree->by_total = by == 1;
	if (widths[0] == '\0')
		widths = by_ratio ? "before" : "after";
	tree->widths = (enum tree_widths)choose("widths", widths,
	    difference_widths_names, "after, before, sum or change");
	if (!(picture.difference.noise >= 0))
		options_reject("option --noise: %g is below 0",
		    picture.difference.noise);
	picture.difference.by_ratio = by_ratio;
	if (by_ratio)
		check_ratio(tree->widths);
	tree->by_size = choose("sort", order, orders, "name or size") == 1;
	if (tree->by_size && flame_chart)
		options_reject("--sort=size cannot be combined with "
		    "--flamechart or --lanes");
}

static void
check_viewer(void)
{
	static const char *const themes[] = {
		"", "light", "dark", "auto", NULL
	};

	choose("theme", theme, themes, "light, dark or auto");
	picture.theme = theme;
	picture.script = !no_javascript;
	if (no_javascript && picture.search[0] != '\0')
		options_reject("--search cannot be combined with "
		    "--no-javascript");
	picture.cut = (enum label_cut)choose("truncate", cut_part, svg_cuts,
	    "end, front or middle");
}

/*
 * With --bgcolors=#rrggbb that color, not the theme, decides if text is light.
 * Frames change their colors only if it and the theme are dark.
 */
static void
choose_theme(void)
{
	bool is_dark = strcmp(theme, "dark") == 0;

	if (background[0] != '#' || strcmp(theme, "auto") == 0)
		return;
	if (!background_is_dark(&picture.background))
		picture.theme = is_dark ? "light" : theme;
	else if (!is_dark)
		picture.theme = "own";
}

static void
check_options(void)
{
	if (lanes && reverse)
		options_reject("--lanes cannot be combined with --reverse");
	flame_chart |= lanes;
	picture.palette.scheme = scheme_find(str_from(colors));
	if (picture.palette.scheme == NULL)
		options_reject("option --colors: no palette is called "
		    "\"%s\"", colors);
	picture.palette.shade = hash ? SHADE_HASH :
	    random_colors ? SHADE_RANDOM : SHADE_NAME;
	if (picture.title[0] == '\0')
		picture.title = flame_chart ? "Flame Chart" :
		    picture.inverted ? "Icicle Graph" : "Flame Graph";
	check_viewer();
	choose_axis();
	picture.legend = !no_legend;
	if (!background_choose(&picture.background, background[0] != '\0' ?
	    background : picture.palette.scheme->background, theme))
		options_reject("option --bgcolors: \"%s\" is not a color",
		    background);
	choose_theme();
	picture.palette.dark = strcmp(picture.theme, "dark") == 0;
	picture.palette.perhaps_dark = strcmp(picture.theme, "auto") == 0;
	parse_widths();
	if (!svg_encoding(&picture.encoding, &picture.ascii))
		options_reject("option --encoding: \"%s\" is not an encoding "
		    "that begins with ASCII", picture.encoding);
	if (strpbrk(picture.notes, "<>") != NULL)
		options_reject("option --notes: a comment cannot hold < or >");
	if (picture.height < PICTURE_GAP || picture.height > MAX_PIXELS)
		options_reject("option --height: %ld is not from %d to "
		    "%d", picture.height, PICTURE_GAP, MAX_PIXELS);
	if (!(picture.font_size > 0 && picture.font_size <= MAX_PIXELS))
		options_reject("option --fontsize: %g is not above 0 and at "
		    "most %d", picture.font_size, MAX_PIXELS);
	if (!(picture.font_width > 0))
		options_reject("option --fontwidth: %g is not above 0",
		    picture.font_width);
	if (!isnan(factor))
		picture.factor = picture.difference.factor = factor;
	if (!(picture.factor > 0))
		options_reject("option --factor: %g is not above 0",
		    picture.factor);
	if (!(picture.total >= 0))
		options_reject("option --total: %g is below 0",
		    picture.total);
}

/* Returns "c;b;a" for "a;b;c". */
static struct str
reverse_stack(struct text *reversed, struct str stack)
{
	size_t at;

	while (str_ends(stack, STR(";")))
		stack.len--;
	reversed->len = 0;
	while ((at = str_find_last(stack, ';')) < stack.len) {
		text_add(reversed, str_skip(stack, at + 1));
		text_add_char(reversed, ';');
		stack = str_take(stack, at);
	}
	text_add(reversed, stack);
	return text_str(reversed);
}

/* Reads the lines, and names the counts as they do unless --countname does. */
static void
read_lines(struct graph *graph, const char *const *operands)
{
	struct folded_line line;
	const char *unit;

	folded_lines_init(&graph->lines, operands);
	while (folded_lines_next(&graph->lines, &line)) {
		if (reverse)
			line.stack = reverse_stack(&graph->reversed,
			    line.stack);
		tree_add(&graph->tree, &line);
	}
	unit = folded_unit_name(&graph->lines.unit);
	if (unit != NULL && picture.count_name == samples) {
		picture.count_name = unit;
		choose_axis();
	}
}

/* Says why there is nothing to draw, unless that was said of a file. */
static void
report_nothing(const struct graph *graph)
{
	if (graph->lines.counts.samples == 0)
		folded_lines_report_none(&graph->lines);
	else if (graph->tree.widths == TREE_CHANGE && graph->tree.differential)
		message_warn("no stack has changed");
	else if (graph->tree.in_lanes)
		message_warn("no thread has a stack; a line with only a "
		    "thread's name is a gap");
	else
		message_warn("all counts are 0");
}

/*
 * Says what was wrong with the input, in the words of flamegraph.pl; ends the
 * program if a sum, also in per cent, is more than a double holds.
 */
static void
report(const struct graph *graph)
{
	const struct tree *tree = &graph->tree;
	double counts = tree->time, shown = picture.factor;

	if (counts < LOW_COUNT && strcmp(picture.count_name, "samples") == 0)
		message_plain("Stack count is low (%.15g). Did something go "
		    "wrong?", counts);
	folded_lines_report_odd(&graph->lines);
	if (!isfinite(counts * shown * 1000) ||
	    !isfinite(layout_length(tree) * shown * 1000) ||
	    !isfinite(tree->max_change * 1000) || (tree->changes != NULL &&
	    !isfinite(tree->changes[0].total * shown * 1000)))
		message_fail("the counts add up to more than a double holds");
}

/* Ends the program if there are no two counts where an option asks for them. */
static void
compare(const struct tree *tree)
{
	bool is_asked = tree->by_total || picture.difference.by_ratio ||
	    tree->widths != TREE_AFTER ||
	    picture.difference.noise > 0;
	const char *reason;

	if (is_asked && tree->time > 0 && !tree->differential)
		message_fail("--delta, --widths and --noise need lines with "
		    "two counts");
	if (!tree->differential)
		return;
	if (picture.rules != NULL)
		message_warn("--color-rules is for lines with one count: the "
		    "colors are those of changes");
	reason = difference_prepare(&picture.difference, tree);
	if (reason != NULL)
		message_fail("--noise: %s", reason);
}

int
main(int argc, char **argv)
{
	static struct graph graph;
	static struct attribute_file attributes;
	static struct palette_map map;
	static struct rules rules;
	const char *const *operands;
	bool good;

	(void)argc;
	scheme_list(palettes, sizeof(palettes));
	operands = options_parse(&usage, argv);
	check_options();
	tree_init(&graph.tree);
	check_tree(&graph.tree);
	options_refuse_terminal(operands);
	if (name_attributes[0] != '\0') {
		if (!attributes_read(&attributes, name_attributes,
		    picture.ascii))
			return 1;
		picture.attributes = &attributes;
	}
	if (keep_palette) {
		if (!palette_map_read(&map, palette_path))
			return 1;
		picture.map = &map;
	}
	if (color_rules[0] != '\0') {
		if (!rules_read(&rules, color_rules))
			return 1;
		picture.rules = &rules;
	}
	progress_start(options_program(argv), operands, "lines");
	graph.tree.chart = flame_chart;
	graph.tree.in_lanes = lanes;
	graph.tree.chain = picture.palette.scheme->has_wakers;
	read_lines(&graph, operands);
	layout_frames(&graph.tree);
	compare(&graph.tree);
	if (graph.tree.time <= 0) {
		report_nothing(&graph);
		picture_draw_error(&picture, stdout);
		return output_close(1);
	}
	report(&graph);
	picture_draw(&picture, &graph.tree, stdout);
	good = !graph.lines.input.failed && (!keep_palette ||
	    palette_map_write(&map, palette_path));
	return output_close(good ? 0 : 1);
}
