/*
 * flamegraph: draws folded stacks as a picture for a browser.
 *
 * A line is a stack, its frames parted by ';' from the root to the leaf, and a
 * count, or two counts where two profiles are compared:
 *
 *	main;parse;read 12
 *	main;parse;read 12 34
 *
 * Each frame becomes a group with its tooltip, a rectangle as wide as its
 * share of the counts, and a label where there is room:
 *
 *	<g><title>read (12 samples, 80.00%)</title><rect .../><text ...>..</g>
 *
 * Siblings stand in the order of their first lines when all lines are sorted
 * as bytes; in a flame chart, in the order of the input.  A frame stands
 * before those above it, from left to right: the viewer depends on it.
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph/attributes.h"
#include "graph/palette.h"
#include "graph/svg.h"
#include "graph/tree.h"
#include "graph/viewer_css.h"
#include "graph/viewer_js.h"
#include "lib/folded.h"
#include "lib/guess.h"
#include "lib/input.h"
#include "lib/options.h"
#include "lib/output.h"
#include "lib/sort.h"
#include "lib/utf8.h"

#define SIDE_PAD	10	/* pixels left and right of the frames */
#define FRAME_GAP	1	/* pixels between a frame and that above it */
#define MAX_PIXELS	1000000
#define LOW_COUNT	100	/* fewer samples than this tell little */
#define SHOWN_LOSS	0.02	/* a smaller loss by --total is rounding */

static const char *title = "";
static const char *subtitle = "";
static const char *font_type = "Verdana";
static const char *encoding = "";
static const char *name_type = "Function:";
static const char *count_name = "samples";
static const char *colors = "hot";
static const char *background = "";
static const char *notes = "";
static const char *min_width = "0.1";
static const char *name_attributes = "";
static long width = 1200;
static long height = 16;
static double font_size = 12;
static double font_width = 0.59;
static double factor = 1;
static double total = 0;
static bool hash;
static bool random_colors;
static bool keep_palette;
static bool reverse;
static bool inverted;
static bool flame_chart;
static bool negate;

static const char palette_path[] = "palette.map";

struct graph {
	/* what the options mean */
	enum palette_theme theme;
	const char *top, *bottom;	/* colours of the background */
	double min_width;		/* of a frame, in pixels, or... */
	bool min_percent;		/* ...in per cent of the counts */
	bool ascii;			/* the encoding may have no more */
	struct str count_name;
	struct attribute_file attributes;
	/* what the input says */
	struct arena arena;		/* for its text */
	struct sort_item *lines;
	size_t line_count, line_room;
	size_t ignored;			/* lines */
	struct str first_line;		/* as it came, for messages */
	struct tree tree;
	/* how it is drawn */
	double time;			/* the counts of the full width */
	double pixels;			/* the width of one count */
	double least;			/* counts of a frame that is drawn */
	double picture_height;
	double top_pad, bottom_pad;	/* above and below the frames */
	struct palette palette;
	struct palette_map map;
	struct text svg;		/* what is not printed yet */
	struct text scratch;
};

/*
 * In a chain graph, what stands behind ";--;" are wakers.  Their frames are
 * marked for the palette:
 *
 *	a;b;--;c;d	a;b;--;c_[w];d_[w]
 *	a;b		a;b;--;
 */
static struct str
mark_wakers(struct graph *graph, struct str stack)
{
	const struct str border = STR(";--;"), mark = STR("_[w]");
	struct text *marked = &graph->scratch;
	size_t part = str_search(stack, border), end, i;

	marked->len = 0;
	text_add(marked, str_take(stack, part));
	text_add(marked, border);
	end = marked->len;
	while (part < stack.len) {
		stack = str_skip(stack, part + border.len);
		part = str_search(stack, border);
		for (i = 0; i < part; i++) {
			if (stack.data[i] == ';')
				text_add(marked, mark);
			text_add_char(marked, stack.data[i]);
		}
		text_add(marked, mark);
		if (part > 0)	/* empty parts at the end do not count */
			end = marked->len;
		text_add(marked, border);
	}
	return arena_copy(&graph->arena, str_take(text_str(marked), end));
}

/* The stack and what its counts say; false if there is none. */
static bool
parse_line(struct str line, struct sample *sample)
{
	struct str first, second;

	*sample = (struct sample){ .stack = line };
	if (!folded_cut_count(&sample->stack, &second))
		return false;
	sample->count = folded_value(second);
	if (folded_cut_count(&sample->stack, &first)) {
		sample->differential = true;
		sample->delta = sample->count - folded_value(first);
	}
	return true;
}

/* "a;b;c 1 2" with its frames the other way round, "c;b;a 1 2" */
static struct str
reverse_line(struct graph *graph, struct str line)
{
	struct text *reversed = &graph->scratch;
	struct str rest = line, first = STR(""), last;
	size_t at;

	if (!folded_cut_count(&rest, &last))
		return line;
	folded_cut_count(&rest, &first);
	while (str_ends(rest, STR(";")))
		rest.len--;
	reversed->len = 0;
	while ((at = str_find_last(rest, ';')) < rest.len) {
		text_add(reversed, str_skip(rest, at + 1));
		text_add_char(reversed, ';');
		rest = str_take(rest, at);
	}
	text_add(reversed, rest);
	if (first.len > 0) {
		text_add_char(reversed, ' ');
		text_add(reversed, first);
	}
	text_add_char(reversed, ' ');
	text_add(reversed, last);
	return text_str(reversed);
}

static void
read_lines(struct graph *graph, struct input *input)
{
	struct str line, clean;

	while (input_line(input, &line)) {
		if (str_starts(line, STR("# ")))
			continue;
		if (graph->first_line.len == 0)
			graph->first_line = arena_copy(&graph->arena, line);
		clean = utf8_clean(line, &graph->arena);
		if (reverse)
			clean = reverse_line(graph, clean);
		graph->lines = mem_grow(graph->lines, &graph->line_room,
		    graph->line_count + 1, sizeof(*graph->lines));
		graph->lines[graph->line_count++].key = clean.data == line.data ||
		    reverse ? arena_copy(&graph->arena, clean) : clean;
	}
}

static void
build_tree(struct graph *graph)
{
	struct sample sample;
	size_t i;

	tree_init(&graph->tree, flame_chart);
	for (i = 0; i < graph->line_count; i++) {
		if (!parse_line(graph->lines[i].key, &sample)) {
			graph->ignored++;
			continue;
		}
		if (graph->theme == PALETTE_CHAIN)
			sample.stack = mark_wakers(graph, sample.stack);
		tree_add(&graph->tree, &sample);
	}
	tree_finish(&graph->tree);
	tree_hide(&graph->tree);
}

/* The size of the picture and of what is in it, but for its height. */
static void
measure(struct graph *graph)
{
	double counts = graph->tree.time;

	graph->time = counts;
	if (total >= counts)
		graph->time = total;
	else if (total / counts > SHOWN_LOSS)
		warnx("--total %.15g is less than the counts add up to, %.15g, "
		    "and ignored", total, counts);
	graph->pixels = (double)(width - 2 * SIDE_PAD) / graph->time;
	graph->least = graph->min_percent ?
	    graph->time * graph->min_width / 100 :
	    graph->min_width / graph->pixels;
	graph->top_pad = font_size * 3;
	if (subtitle[0] != '\0')
		graph->top_pad += font_size * 2;
	graph->bottom_pad = font_size * 2 + 10;
}

static uint32_t
max_depth(const struct graph *graph)
{
	const struct frame *frames = graph->tree.frames;
	uint32_t frame = 0, depth = 0;
	bool narrow;

	do {
		narrow = frames[frame].total < graph->least;
		if (!narrow && !frames[frame].hidden &&
		    frames[frame].depth > depth)
			depth = frames[frame].depth;
		frame = tree_next(&graph->tree, frame, narrow);
	} while (frame != 0);
	return depth;
}

/* _[k], _[i], _[j] and _[w] are for palettes, not for readers. */
static struct str
without_mark(struct str name)
{
	size_t len = name.len;

	return len >= 4 && name.data[len - 4] == '_' &&
	    name.data[len - 3] == '[' && name.data[len - 1] == ']' &&
	    strchr("kwij", name.data[len - 2]) != NULL ?
	    str_take(name, len - 4) : name;
}

/* The count that the tooltip tells. */
static double
shown_count(const struct graph *graph, const struct frame *frame)
{
	double counts = frame == graph->tree.frames ? graph->time :
	    frame->total;

	return rint(counts * factor);
}

/* "parse (1,234 samples, 12.34%)", with the difference in a differential */
static void
add_tooltip(struct graph *graph, const struct frame *frame)
{
	bool is_root = frame == graph->tree.frames;
	double all = graph->time * factor;
	double samples = shown_count(graph, frame);
	double delta = negate ? 0 - frame->delta : frame->delta;
	struct text *svg = &graph->svg;

	svg_text(svg, is_root ? STR("all") : without_mark(frame->name),
	    graph->ascii);
	text_add(svg, STR(" ("));
	svg_thousands(svg, samples);
	text_add_char(svg, ' ');
	svg_text(svg, graph->count_name, graph->ascii);
	text_add(svg, STR(", "));
	if (is_root)
		text_add(svg, STR("100"));
	else
		svg_percent(svg, 100 * samples / all);
	if (frame->differential && !is_root)
		text_add_format(svg, "%%; %s%.2f", delta > 0 ? "+" : "",
		    100 * delta / all);
	text_add(svg, STR("%)"));
}

/* The frame's left and right edge, in pixels. */
struct edges {
	double left, right;
};

static struct edges
find_edges(const struct graph *graph, const struct frame *frame)
{
	double end = frame == graph->tree.frames ? graph->time :
	    frame->start + frame->total;

	return (struct edges){ SIDE_PAD + frame->start * graph->pixels,
	    SIDE_PAD + end * graph->pixels };
}

/* The upper edge of frames at a depth. */
static double
find_top(const struct graph *graph, uint32_t depth)
{
	return inverted ? graph->top_pad + (double)depth * (double)height :
	    graph->picture_height - graph->bottom_pad -
	    ((double)depth + 1) * (double)height + FRAME_GAP;
}

static void
add_fill(struct graph *graph, const struct frame *frame)
{
	struct text *svg = &graph->svg;
	struct str name = frame->name;

	if (str_equal(name, STR("--")))		/* between stacks */
		text_add(svg, STR("#a0a0a0"));
	else if (str_equal(name, STR("-")))
		text_add(svg, STR("#c8c8c8"));
	else if (frame->differential)
		svg_colour(svg, palette_difference(
		    negate ? 0 - frame->delta : frame->delta,
		    graph->tree.max_delta));
	else if (keep_palette)
		svg_value(svg, palette_map_colour(&graph->map,
		    &graph->palette, name), graph->ascii);
	else
		svg_colour(svg, palette_colour(&graph->palette, name));
}

/* Edges are rounded before the width is taken, so that neighbours touch. */
static void
add_rectangle(struct graph *graph, const struct frame *frame,
    struct edges edges)
{
	long long left = svg_to_tenths(edges.left);
	struct text *svg = &graph->svg;

	text_add(svg, STR("<rect x=\""));
	svg_tenths(svg, left);
	text_add(svg, STR("\" y=\""));
	svg_number(svg, find_top(graph, frame->depth));
	text_add(svg, STR("\" width=\""));
	svg_tenths(svg, svg_to_tenths(edges.right) - left);
	text_add(svg, STR("\" height=\""));
	svg_number(svg, (double)height - FRAME_GAP);
	text_add(svg, STR("\" fill=\""));
	add_fill(graph, frame);
	text_add(svg, STR("\"/>"));
}

/* The name, cut to what fits, where at least three characters do. */
static void
add_label(struct graph *graph, const struct frame *frame, struct edges edges)
{
	double room = (edges.right - edges.left) / (font_size * font_width);
	struct str name = without_mark(frame->name);
	struct text *svg = &graph->svg;
	size_t fitting;

	if (room < 3 || name.len == 0)
		return;
	fitting = room < (double)name.len ? (size_t)room : name.len;
	text_add(svg, STR("<text x=\""));
	svg_number(svg, edges.left + 3);
	text_add(svg, STR("\" y=\""));
	svg_number(svg, find_top(graph, frame->depth) +
	    (double)(height - FRAME_GAP) / 2 + 3);
	text_add(svg, STR("\">"));
	if (fitting < name.len && utf8_length(name) > fitting) {
		svg_text(svg, utf8_take(name, fitting - 2), graph->ascii);
		text_add(svg, STR(".."));
	} else
		svg_text(svg, name, graph->ascii);
	text_add(svg, STR("</text>"));
}

/* What the viewer takes for the frame's own count, if it is not told. */
static double
derived_self(const struct graph *graph, const struct frame *frame)
{
	const struct frame *frames = graph->tree.frames;
	double self = shown_count(graph, frame);
	uint32_t child;

	for (child = frame->first_child; child != 0; child = frames[child].next)
		if (frames[child].total >= graph->least && !frames[child].hidden)
			self -= shown_count(graph, &frames[child]);
	return self > 0 ? self : 0;
}

/* Unless --nameattr sets the same attribute. */
static void
add_data(struct graph *graph, struct str name, double count,
    const struct attributes *attributes)
{
	if (attributes != NULL && (str_contains(attributes->extra, name) ||
	    str_contains(attributes->link_extra, name)))
		return;
	text_add_char(&graph->svg, ' ');
	text_add(&graph->svg, name);
	text_add_format(&graph->svg, "=\"%.0f\"", count);
}

/* What the viewer cannot read from the tooltips. */
static void
add_counts(struct graph *graph, const struct frame *frame,
    const struct attributes *attributes)
{
	double self = rint(frame->self * factor);

	if (self != derived_self(graph, frame))
		add_data(graph, STR("data-self"), self, attributes);
	if (frame->differential)
		add_data(graph, STR("data-before"), rint(fabs(
		    (frame->total - frame->total_delta) * factor)), attributes);
	if (attributes != NULL && attributes->title.len > 0)
		add_data(graph, STR("data-count"), shown_count(graph, frame),
		    attributes);
}

/* Begins the frame's group, a link or not; the tag that closes it. */
static struct str
open_group(struct graph *graph, const struct attributes *attributes)
{
	struct text *svg = &graph->svg;
	struct str target;

	if (attributes == NULL || attributes->href.len == 0) {
		text_add(svg, STR("<g"));
		if (attributes != NULL)
			text_add(svg, attributes->extra);
		return STR("</g>\n");
	}
	target = attributes->target;
	text_add(svg, STR("<a"));
	svg_attribute(svg, "xlink:href", attributes->href, graph->ascii);
	svg_attribute(svg, "target", target.len > 0 ? target : STR("_top"),
	    graph->ascii);
	text_add(svg, attributes->link_extra);
	text_add(svg, attributes->extra);
	return STR("</a>\n");
}

static void
draw_frame(struct graph *graph, const struct frame *frame)
{
	const struct attributes *attributes = name_attributes[0] == '\0' ?
	    NULL : attributes_find(&graph->attributes, frame->name);
	struct str end = open_group(graph, attributes);
	struct edges edges = find_edges(graph, frame);

	add_counts(graph, frame, attributes);
	text_add(&graph->svg, STR("><title>"));
	if (attributes != NULL && attributes->title.len > 0)
		svg_text(&graph->svg, attributes->title, graph->ascii);
	else
		add_tooltip(graph, frame);
	text_add(&graph->svg, STR("</title>"));
	add_rectangle(graph, frame, edges);
	add_label(graph, frame, edges);
	text_add(&graph->svg, end);
	text_drain(&graph->svg, stdout);
}

static void
draw_frames(struct graph *graph)
{
	struct text *svg = &graph->svg;
	uint32_t frame = 0;
	bool narrow;

	text_add(svg, STR("<g id=\"frames\""));
	svg_attribute(svg, "data-nametype",
	    utf8_clean(str_from(name_type), &graph->arena), graph->ascii);
	text_add(svg, STR(">\n"));
	do {
		narrow = graph->tree.frames[frame].total < graph->least;
		if (!narrow && !graph->tree.frames[frame].hidden)
			draw_frame(graph, &graph->tree.frames[frame]);
		frame = tree_next(&graph->tree, frame, narrow);
	} while (frame != 0);
	text_add(svg, STR("</g>\n"));
}

/* A line of text around the frames; `more` are its further attributes. */
static void
add_text(struct graph *graph, const char *id, double x, double y,
    const char *more, const char *content)
{
	struct text *svg = &graph->svg;

	text_add(svg, STR("<text"));
	if (id != NULL)
		svg_attribute(svg, "id", str_from(id), false);
	text_add(svg, STR(" x=\""));
	svg_number(svg, x);
	text_add(svg, STR("\" y=\""));
	svg_number(svg, y);
	text_add_format(svg, "\"%s>", more);
	svg_text(svg, utf8_clean(str_from(content), &graph->arena),
	    graph->ascii);
	text_add(svg, STR("</text>\n"));
}

/* A comment cannot hold "--". */
static void
add_notes(struct graph *graph)
{
	struct str text = utf8_clean(str_from(notes), &graph->arena);
	struct text *svg = &graph->svg;
	size_t i;

	if (text.len == 0)
		return;
	text_add(svg, STR("<!-- NOTES: "));
	for (i = 0; i < text.len; i++) {
		if (graph->ascii && (text.data[i] & 0x80) != 0)
			text_add_char(svg, '?');
		else
			text_add_char(svg, text.data[i]);
		if (text.data[i] == '-' && i + 1 < text.len &&
		    text.data[i + 1] == '-')
			text_add_char(svg, ' ');
	}
	text_add(svg, STR(" -->\n"));
}

static void
add_lines(struct text *svg, const char *const *lines)
{
	for (; *lines != NULL; lines++)
		text_add(svg, str_from(*lines));
}

static void
open_picture(struct graph *graph)
{
	struct text *svg = &graph->svg;

	text_add(svg, STR("<?xml version=\"1.0\""));
	if (encoding[0] != '\0')
		svg_attribute(svg, "encoding", str_from(encoding), false);
	text_add(svg, STR("?>\n<svg version=\"1.1\""
	    " xmlns=\"http://www.w3.org/2000/svg\""));
	if (name_attributes[0] != '\0')
		text_add(svg, STR(
		    " xmlns:xlink=\"http://www.w3.org/1999/xlink\""));
	text_add_format(svg, " width=\"%ld\" height=\"", width);
	svg_number(svg, graph->picture_height);
	text_add_format(svg, "\" viewBox=\"0 0 %ld ", width);
	svg_number(svg, graph->picture_height);
	text_add_char(svg, '"');
	svg_attribute(svg, "font-family",
	    utf8_clean(str_from(font_type), &graph->arena), graph->ascii);
	text_add(svg, STR(" font-size=\""));
	svg_number(svg, font_size);
	text_add(svg, STR("\">\n"));
	add_notes(graph);
}

/* What lies behind the frames. */
static void
add_background(struct graph *graph)
{
	struct text *svg = &graph->svg;

	text_add_format(svg, "<defs><linearGradient id=\"background\""
	    " x1=\"0\" x2=\"0\" y1=\"0\" y2=\"1\">"
	    "<stop stop-color=\"%s\" offset=\"5%%\"/>"
	    "<stop stop-color=\"%s\" offset=\"95%%\"/>"
	    "</linearGradient></defs>\n<style>\n", graph->top, graph->bottom);
	add_lines(svg, viewer_css);
	text_add_format(svg, "</style>\n<rect id=\"canvas\" width=\"%ld\""
	    " height=\"", width);
	svg_number(svg, graph->picture_height);
	text_add(svg, STR("\" fill=\"url(#background)\"/>\n"));
}

/* The title above, the details below, and the buttons in the corners. */
static void
add_surroundings(struct graph *graph)
{
	double right = (double)(width - SIDE_PAD), line = font_size * 2;
	double bottom = graph->picture_height - graph->bottom_pad / 2;
	struct text larger = { 0 };

	text_add(&larger, STR(" font-size=\""));
	svg_number(&larger, font_size + 5);
	text_add(&larger, STR("\""));
	text_add_char(&larger, '\0');
	add_text(graph, "title", (double)(width / 2), line, larger.data,
	    title[0] != '\0' ? title : flame_chart ? "Flame Chart" :
	    inverted ? "Icicle Graph" : "Flame Graph");
	free(larger.data);
	if (subtitle[0] != '\0')
		add_text(graph, "subtitle", (double)(width / 2),
		    font_size * 4, "", subtitle);
	add_text(graph, "details", SIDE_PAD, bottom, "", " ");
	add_text(graph, "unzoom", SIDE_PAD, line, " class=\"hide\"",
	    "Reset Zoom");
	add_text(graph, "search", right - 100, line, "", "Search");
	add_text(graph, "ignorecase", right - 16, line, "", "ic");
	add_text(graph, "matched", right - 100, bottom, "", " ");
}

static void
draw_picture(struct graph *graph)
{
	measure(graph);
	graph->picture_height = graph->top_pad + graph->bottom_pad +
	    ((double)max_depth(graph) + 1) * (double)height;
	open_picture(graph);
	add_background(graph);
	draw_frames(graph);
	add_surroundings(graph);
	text_add(&graph->svg, STR("<script><![CDATA[\n"));
	add_lines(&graph->svg, viewer_js);
	text_add(&graph->svg, STR("]]></script>\n</svg>\n"));
	text_flush(&graph->svg, stdout);
}

/* What is drawn where there is nothing to draw, for whoever looks at it. */
static void
draw_error(struct graph *graph)
{
	graph->picture_height = font_size * 5;
	open_picture(graph);
	add_text(graph, NULL, (double)(width / 2), font_size * 2,
	    " text-anchor=\"middle\"",
	    "ERROR: No valid input provided to flamegraph.pl.");
	text_add(&graph->svg, STR("</svg>\n"));
	text_flush(&graph->svg, stdout);
}

static const struct option options[] = {
	{ "title", OPTION_TEXT, &title, "TEXT", "title" },
	{ "subtitle", OPTION_TEXT, &subtitle, "TEXT", "line below the title" },
	{ "width", OPTION_INTEGER, &width, "PIXELS",
	    "of the picture (default 1200)" },
	{ "height", OPTION_INTEGER, &height, "PIXELS",
	    "of a frame (default 16)" },
	{ "minwidth", OPTION_TEXT, &min_width, "WIDTH",
	    "leave out narrower frames: pixels, or per cent of\n"
	    "the counts with % (default 0.1)" },
	{ "fonttype", OPTION_TEXT, &font_type, "FONT",
	    "font (default Verdana)" },
	{ "fontsize", OPTION_DECIMAL, &font_size, "PIXELS",
	    "size of the font (default 12)" },
	{ "fontwidth", OPTION_DECIMAL, &font_width, "RATIO",
	    "mean width of a character, as part of the font's\n"
	    "size (default 0.59)" },
	{ "countname", OPTION_TEXT, &count_name, "TEXT",
	    "what is counted (default samples)" },
	{ "nametype", OPTION_TEXT, &name_type, "TEXT",
	    "what is named (default Function:)" },
	{ "colors", OPTION_TEXT, &colors, "PALETTE",
	    "hot (default), mem, io, wakeup, chain, java, js,\n"
	    "perl, red, green, blue, aqua, yellow, purple, orange" },
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
	{ "inverted", OPTION_FLAG, &inverted, NULL, "draw downwards" },
	{ "flamechart", OPTION_FLAG, &flame_chart, NULL,
	    "keep the order of the input: left to right is time" },
	{ "negate", OPTION_FLAG, &negate, NULL,
	    "swap the colors of more and less" },
	{ "total", OPTION_DECIMAL, &total, "COUNT",
	    "counts of the full width (default: all there are)" },
	{ "factor", OPTION_DECIMAL, &factor, "NUMBER",
	    "show counts multiplied by this" },
	{ "nameattr", OPTION_TEXT, &name_attributes, "FILE",
	    "links and other attributes of functions" },
	{ "notes", OPTION_TEXT, &notes, "TEXT",
	    "comment in the file, without < and >" },
	{ "encoding", OPTION_TEXT, &encoding, "NAME",
	    "encoding that the file names (default: none, UTF-8)" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[option ...] [file ...] > out.svg",
	"example: flamegraph --title=\"malloc()\" --countname=bytes "
	"malloc.folded > malloc.svg",
	options
};

static const char *
default_background(enum palette_theme theme)
{
	switch (theme) {
	case PALETTE_MEM:
		return "green";
	case PALETTE_IO:
	case PALETTE_WAKEUP:
	case PALETTE_CHAIN:
		return "blue";
	case PALETTE_HOT:
	case PALETTE_JAVA:
	case PALETTE_JS:
	case PALETTE_PERL:
		return "yellow";
	default:
		return "grey";
	}
}

/* The colours behind the frames, from the top to the bottom. */
static void
choose_background(struct graph *graph)
{
	static const struct {
		const char *name, *top, *bottom;
	} gradients[] = {
		{ "yellow", "#eeeeee", "#eeeeb0" },
		{ "blue", "#eeeeee", "#e0e0ff" },
		{ "green", "#eef2ee", "#e0ffe0" },
		{ "grey", "#f8f8f8", "#e8e8e8" },
	};
	const char *name = background;
	size_t i;

	if (name[0] == '\0')
		name = default_background(graph->theme);
	for (i = 0; i < sizeof(gradients) / sizeof(*gradients); i++)
		if (strcmp(name, gradients[i].name) == 0) {
			graph->top = gradients[i].top;
			graph->bottom = gradients[i].bottom;
			return;
		}
	for (i = 1; name[0] == '#' && is_hex(name[i]); i++)
		continue;
	if (i != 7 || name[i] != '\0')
		options_reject(&usage, "option --bgcolors: \"%s\" is no color",
		    name);
	graph->top = graph->bottom = name;
}

/* DIGITS[.DIGITS][%] */
static void
parse_min_width(struct graph *graph)
{
	size_t len = strspn(min_width, "0123456789.");
	char *end;

	graph->min_width = strtod(min_width, &end);
	graph->min_percent = min_width[len] == '%';
	if (len == 0 || end != min_width + len ||
	    min_width[len + graph->min_percent] != '\0')
		options_reject(&usage, "option --minwidth: \"%s\" is neither "
		    "pixels nor per cent", min_width);
}

/*
 * The file is UTF-8.  In any other encoding that begins with ASCII, all else is
 * written as references, and then the file is in that one, too.
 */
static void
choose_encoding(struct graph *graph)
{
	static const char *const known[] = {
		"ascii", "us-ascii", "iso-8859-", "latin", "windows-", "koi8-",
		"gb2312", "gbk", "gb18030", "big5", "euc-", "shift_jis",
	};
	struct str name = str_from(encoding);
	size_t i, len;

	graph->ascii = name.len > 0 && !(name.len == 5 &&
	    str_starts_any_case(name, STR("utf-8")));
	if (!graph->ascii)
		return;
	for (len = 0; len < name.len; len++)
		if (!is_word(name.data[len]) && name.data[len] != '-')
			break;
	for (i = 0; len == name.len &&
	    i < sizeof(known) / sizeof(*known); i++)
		if (str_starts_any_case(name, str_from(known[i])))
			return;
	options_reject(&usage, "option --encoding: \"%s\" is not an encoding "
	    "that begins with ASCII", encoding);
}

static void
check_options(struct graph *graph)
{
	graph->theme = palette_find(str_from(colors));
	if (graph->theme == PALETTE_NONE)
		options_reject(&usage, "option --colors: no palette is called "
		    "\"%s\"", colors);
	choose_background(graph);
	parse_min_width(graph);
	choose_encoding(graph);
	if (strpbrk(notes, "<>") != NULL)
		options_reject(&usage, "option --notes: no < and > in a comment");
	if (width <= 2 * SIDE_PAD || width > MAX_PIXELS)
		options_reject(&usage, "option --width: %ld is not from %d to %d",
		    width, 2 * SIDE_PAD + 1, MAX_PIXELS);
	if (height < FRAME_GAP || height > MAX_PIXELS)
		options_reject(&usage, "option --height: %ld is not from %d to %d",
		    height, FRAME_GAP, MAX_PIXELS);
	if (!(font_size > 0 && font_size <= MAX_PIXELS))
		options_reject(&usage, "option --fontsize: %g is not from 0 to %d",
		    font_size, MAX_PIXELS);
	if (!(font_width > 0))
		options_reject(&usage, "option --fontwidth: %g is not above 0",
		    font_width);
	if (!(factor > 0))
		options_reject(&usage, "option --factor: %g is not above 0",
		    factor);
	if (!(total >= 0))
		options_reject(&usage, "option --total: %g is below 0", total);
}

/* Says what was wrong with the input. */
static void
report(const struct graph *graph)
{
	double counts = graph->tree.time;

	if (counts < LOW_COUNT && strcmp(count_name, "samples") == 0)
		fprintf(stderr, "Stack count is low (%.15g). Did something go "
		    "wrong?\n", counts);
	if (graph->ignored > 0)
		fprintf(stderr, "Ignored %lu lines with invalid format\n",
		    (unsigned long)graph->ignored);
	if (counts > 0)
		return;
	if (graph->line_count == 0)
		warnx("the input is empty");
	else if (graph->ignored < graph->line_count)
		warnx("all counts are 0");
	else
		warnx("no line is a stack and a count; the input looks like "
		    "%s", guess_kind(graph->first_line));
}

int
main(int argc, char **argv)
{
	static struct graph graph;
	struct input input;
	const char *const *operands = options_parse(&usage, argv);
	bool good;

	(void)argc;
	check_options(&graph);
	if (name_attributes[0] != '\0' && !attributes_read(&graph.attributes,
	    name_attributes, graph.ascii))
		return 1;
	input_init(&input, operands);
	read_lines(&graph, &input);
	if (!flame_chart)
		sort_items(graph.lines, graph.line_count);
	build_tree(&graph);
	report(&graph);
	if (graph.tree.time <= 0) {
		draw_error(&graph);
		return output_close(2);
	}
	if (!isfinite(graph.tree.time * factor))
		errx(1, "the counts add up to more than a double holds");
	graph.palette.theme = graph.theme;
	graph.palette.shade = hash ? SHADE_HASH : random_colors ? SHADE_RANDOM :
	    SHADE_NAME;
	graph.count_name = utf8_clean(str_from(count_name), &graph.arena);
	if (keep_palette && !palette_map_read(&graph.map, palette_path))
		return 1;
	draw_picture(&graph);
	good = !input.failed && (!keep_palette ||
	    palette_map_write(&graph.map, palette_path));
	return output_close(good ? 0 : 1);
}
