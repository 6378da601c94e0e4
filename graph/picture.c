#include <math.h>
#include <stdlib.h>

#include "assets.h"
#include "lib/output.h"
#include "lib/utf8.h"
#include "picture.h"

/*
 * The axis is time below a flame chart, whose counts are time:
 *
 *	|        |        |        |        |        |
 *	0      0.5 s     1 s     1.5 s     2 s     2.5 s
 *
 * graph/viewer/axis.js does the same for the view of a zoom.
 */

#define TICK		4	/* pixels */
#define LABEL		6	/* sizes of the font, from one to the next */
#define TICKS_MAX	1000	/* however small the font is */

static const struct {
	const char *name;
	double seconds;
} units[] = { { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "ns", 1e-9 } };

#define UNITS	(sizeof(units) / sizeof(*units))

double
picture_axis_unit(const char *name)
{
	size_t i;

	for (i = 0; i < UNITS; i++)
		if (strcmp(name, units[i].name) == 0)
			return units[i].seconds;
	return 0;
}

static double
inner_width(const struct picture *picture)
{
	return (double)picture->width - 2 * PICTURE_SIDE;
}

/* Adds a tick with its time below it, to the left if it does not fit. */
static void
add_tick(struct picture *picture, double part, const char *label)
{
	double x = PICTURE_SIDE + part * inner_width(picture);
	double width = (double)strlen(label) * picture->font_size * 5 / 6 *
	    picture->font_width;
	bool fits = x + width / 2 <= (double)picture->width;
	struct text *svg = &picture->svg;
	struct text place = { 0 };

	svg_number(&place, picture->fluid ? x * 100 / PICTURE_FLUID : x);
	if (picture->fluid)
		text_add_char(&place, '%');
	text_add_char(&place, '\0');
	text_add_format(svg, "<line x1=\"%s\" x2=\"%s\"", place.data,
	    place.data);
	svg_number_attribute(svg, "y1", picture->axis_top);
	svg_number_attribute(svg, "y2", picture->axis_top + TICK);
	text_add_format(svg, "/><text x=\"%s\"", place.data);
	svg_number_attribute(svg, "y", picture->axis_top + TICK +
	    picture->font_size * 5 / 6);
	text_add_format(svg, "%s>%s</text>\n",
	    fits ? "" : " class=\"end\"", label);
	free(place.data);
}

static void
draw_axis(struct picture *picture)
{
	double length = picture->time * picture->factor * picture->axis;
	double least, power, step;
	struct text *svg = &picture->svg;
	char label[400];
	size_t unit = 0;
	int decimals, i;

	if (picture->axis <= 0)
		return;
	/* 1, 2, 5 or 10 times a power of ten */
	least = length * fmax(1.0 / TICKS_MAX,
	    picture->font_size * LABEL / inner_width(picture));
	power = pow(10, floor(log10(least)));
	step = power * (least <= power ? 1 : least <= 2 * power ? 2 :
	    least <= 5 * power ? 5 : 10);
	while (unit < UNITS - 1 && length < units[unit].seconds)
		unit++;
	decimals = (int)fmax(0, -floor(log10(step / units[unit].seconds *
	    (1 + 1e-9))));
	text_add_format(svg, "<g id=\"axis\" data-unit=\"%g\"", picture->axis);
	svg_number_attribute(svg, "font-size", picture->font_size * 5 / 6);
	text_add(svg, STR(">\n"));
	/* a step may be 0 where a factor is next to the least double */
	for (i = 0; i <= TICKS_MAX && i * step <= length * (1 + 1e-9); i++) {
		snprintf(label, sizeof(label), "%.*f %s", decimals,
		    i * step / units[unit].seconds, units[unit].name);
		add_tick(picture, i * step / length, i > 0 ? label : "0");
	}
	text_add(svg, STR("</g>\n"));
}

/*
 * The legend is a line below the frames that explains the colours that occur:
 *
 *	(green) Java  (aqua) inlined Java  (red) other
 *	(blue) -3.25%  (light blue) less  (white) same  (pink) more  (red) 3.25%
 */

/* U+25A0, a square of the reader's font. */
#define SQUARE	STR("\xE2\x96\xA0")
#define GAP	6	/* pixels before a square */

static void
add_entry(struct picture *picture, struct colour colour, struct str meaning)
{
	struct text *svg = &picture->svg;

	text_add_format(svg, "<tspan dx=\"%d\" fill=\"", GAP);
	svg_colour(svg, colour);
	if (picture->tree->changes != NULL)
		palette_add_dark(&picture->palette, colour, svg);
	text_add(svg, STR("\">"));
	svg_text(svg, SQUARE, picture->ascii);
	text_add(svg, STR("</tspan> "));
	svg_text(svg, meaning, picture->ascii);
	text_add_char(svg, '\n');
}

/*
 * Adds an entry for `halves` halves of the change of the full colour: a word
 * for one half, and for two the change in per cent.
 */
static void
add_change(struct picture *picture, int halves)
{
	static const char *const words[] = { "less", "same", "more" };
	double max = picture->tree->max_change, change = max * halves / 2;
	struct colour colour = palette_difference(&picture->palette, change,
	    max);
	char percent[400];

	snprintf(percent, sizeof(percent), "%+.2f%%",
	    100 * change / picture->whole);
	add_entry(picture, colour, str_from(abs(halves) > 1 ? percent :
	    words[halves + 1]));
}

/* (blue) 0.5 or less  (..) 0.707  (white) 1, cycles/instructions ... */
static void
add_ratio(struct picture *picture, int halves)
{
	const struct difference *difference = &picture->difference;
	struct colour colour = palette_difference(&picture->palette,
	    (picture->negate ? -halves : halves) / 2.0, 1);
	struct text text = { 0 };

	difference_add_ratio(difference, exp2(halves / 2.0), &text);
	if (halves == 0) {
		text_add(&text, STR(", "));
		text_add(&text, difference->names[0]);
		text_add_char(&text, '/');
		text_add(&text, difference->names[1]);
		text_add(&text, STR(" of all"));
	} else if (abs(halves) > 1)
		text_add(&text, halves < 0 ? STR(" or less") : STR(" or more"));
	add_entry(picture, colour, text_str(&text));
	free(text.data);
}

static void
add_sides(struct picture *picture)
{
	const struct palette *palette = &picture->palette;
	char chance[64];

	if ((picture->sides >> SIDE_AFTER & 1) != 0)
		add_entry(picture, palette_one_side(palette, !picture->negate),
		    STR("new"));
	if ((picture->sides >> SIDE_BEFORE & 1) != 0)
		add_entry(picture, palette_one_side(palette, picture->negate),
		    STR("gone"));
	if (picture->difference.noise > 0) {
		snprintf(chance, sizeof(chance), "less than %g sigma",
		    picture->difference.noise);
		add_entry(picture, palette_chance(palette, 1),
		    str_from(chance));
	}
}

/* True if the palette's colours mean something, and are not from --cp. */
static bool
has_kinds(const struct picture *picture)
{
	return picture->map == NULL &&
	    picture->palette.scheme->kinds[0].name != NULL;
}

static void
add_kinds(struct picture *picture)
{
	const struct scheme_kind *kinds = picture->palette.scheme->kinds;
	const struct rules *rules = picture->rules;
	size_t i;

	for (i = 0; rules != NULL && i < rules->count; i++)
		if (rules->list[i].used)
			add_entry(picture, rules->list[i].colour,
			    rules->list[i].pattern);
	for (i = 0; has_kinds(picture) && i < SCHEME_KINDS &&
	    kinds[i].name != NULL; i++)
		if ((picture->palette.used >> kinds[i].hue & 1) != 0)
			add_entry(picture, palette_sample(kinds[i].hue),
			    str_from(kinds[i].name));
}

static bool
has_legend(const struct picture *picture)
{
	return picture->legend && (picture->tree->changes != NULL ||
	    picture->rules != NULL || has_kinds(picture));
}

static void
draw_legend(struct picture *picture)
{
	bool differential = picture->tree->changes != NULL;
	bool by_ratio = picture->difference.by_ratio;
	struct text *svg = &picture->svg;
	int halves;

	if (!has_legend(picture))
		return;
	text_add_format(svg, "<text id=\"legend\" x=\"%d\"",
	    PICTURE_SIDE - GAP);
	svg_number_attribute(svg, "y", picture->full_height -
	    picture->font_size / 4);
	svg_number_attribute(svg, "font-size", picture->font_size * 5 / 6);
	text_add_char(svg, '>');
	for (halves = -2; differential && halves <= 2; halves++)
		if (by_ratio)
			add_ratio(picture, halves);
		else
			add_change(picture, halves);
	if (!differential)
		add_kinds(picture);
	else if (!by_ratio)
		add_sides(picture);
	text_add(svg, STR("</text>\n"));
}

static struct str
clean(struct picture *picture, const char *text)
{
	return utf8_clean(str_from(text), &picture->arena);
}

/* A saved page may have lost the height of the picture, so it is here, too. */
static void
add_rows(struct picture *picture)
{
	const struct tree *tree = picture->tree;
	struct text *svg = &picture->svg;
	size_t i;

	text_add_format(svg, " data-lanes=\"%zu\" data-rows=\"",
	    picture->lanes_shown);
	for (i = 0; i < tree->lane_count; i++) {
		if (i > 0)
			text_add_char(svg, ' ');
		text_add_number(svg, tree->lanes[i].rows);
	}
	text_add_char(svg, '"');
	svg_number_attribute(svg, "data-high", picture->full_height);
}

static void
add_units(struct picture *picture)
{
	const struct difference *difference = &picture->difference;
	const struct chance *chance = &difference->chance;
	struct text *svg = &picture->svg;

	svg_attribute(svg, "data-unit", picture->counted, picture->ascii);
	if (picture->fluid)
		text_add(svg, STR(" data-fluid=\"\""));
	if (picture->factor != 1)
		text_add_format(svg, " data-factor=\"%.17g\"",
		    picture->factor);
	if (picture->tree->in_lanes)
		add_rows(picture);
	if (picture->tree->by_size)
		text_add(svg, STR(" data-sort=\"size\""));
	if (picture->tree->by_total)
		text_add(svg, STR(" data-delta=\"total\""));
	if (difference->by_ratio) {
		text_add(svg, STR(" data-delta=\"ratio\" data-counts=\""));
		svg_value(svg, difference->names[0], picture->ascii);
		text_add_char(svg, ',');
		svg_value(svg, difference->names[1], picture->ascii);
		text_add_format(svg, "\" data-ratio=\"%.17g\"",
		    difference->whole[0] / difference->whole[1]);
	}
	if (picture->negate)
		text_add(svg, STR(" data-negate=\"\""));
	/* what isChance() needs */
	if (difference->noise > 0)
		text_add_format(svg, " data-noise=\"%.17g %.17g %.17g %.17g\"",
		    difference->noise, chance->sample[0], chance->sample[1],
		    chance_share(chance));
}

/* Without a viewer the table has what stackcollapse-svg needs to read it. */
static void
add_narrow(struct picture *picture)
{
	const struct tree *tree = picture->tree;
	struct text *svg = &picture->svg;

	if (picture->counts.look_count == 0)
		return;
	text_add(svg, STR("<!-- Frames that are not drawn.  A look is a line, "
	    "COLOR tab NAME.  After an\nempty line: how many drawn frames come "
	    "first, then COUNT of the next new look or\nLOOK:COUNT of a used "
	    "one, from 0.  See flamegraph(1). -->\n"
	    "<metadata id=\"narrow\""));
	if (picture->inverted)
		text_add(svg, STR(" data-inverted=\"\""));
	if (!picture->script) {
		text_add_format(svg, " data-factor=\"%.17g\""
		    " data-widths=\"%s\"", picture->factor,
		    difference_widths_names[tree->widths]);
		counts_write(svg, &picture->counts, tree->differential);
	}
	text_add_char(svg, '>');
	counts_write_narrow(svg, &picture->counts, picture->ascii,
	    picture->out);
	text_add(svg, STR("</metadata>\n"));
}

static void
draw_frames(struct picture *picture)
{
	struct text *svg = &picture->svg;

	text_add(svg, STR("<g id=\"frames\""));
	svg_attribute(svg, "data-nametype",
	    clean(picture, picture->name_type), picture->ascii);
	if (picture->palette.scheme->hue == HUE_COLORBLIND)
		text_add(svg, STR(" data-palette=\"colorblind\""));
	if (picture->search[0] != '\0')
		svg_attribute(svg, "data-search",
		    clean(picture, picture->search), picture->ascii);
	if (picture->script)
		add_units(picture);
	/* for stackcollapse-svg, to know which count of a title is which */
	if (picture->tree->widths != TREE_AFTER &&
	    (picture->script || picture->difference.by_ratio))
		text_add_format(svg, " data-widths=\"%s\"",
		    difference_widths_names[picture->tree->widths]);
	if (picture->script && picture->cut != LABEL_END)
		svg_attribute(svg, "data-truncate",
		    str_from(svg_cuts[picture->cut]), false);
	text_add(svg, STR(">\n"));
	frames_draw(picture);
	text_add(svg, STR("</g>\n"));
	add_narrow(picture);
}

struct caption {
	const char *id;		/* or NULL */
	enum { LEFT, MIDDLE, RIGHT } side;
	double x;		/* inwards from the side of the anchor */
	double y;
	double font_size;	/* 0: the picture's */
	bool hidden;		/* until a script shows it */
	const char *content;
};

static void
add_caption(struct picture *picture, const struct caption *caption)
{
	double width = (double)picture->width;
	struct text *svg = &picture->svg;

	text_add(svg, STR("<text"));
	if (caption->id != NULL)
		svg_attribute(svg, "id", str_from(caption->id), false);
	if (caption->side == LEFT)
		svg_number_attribute(svg, "x", caption->x);
	else if (caption->side == MIDDLE && picture->fluid)
		text_add(svg, STR(" x=\"50%\""));
	else if (caption->side == MIDDLE)
		svg_number_attribute(svg, "x", floor(width / 2));
	else if (picture->fluid) {
		text_add(svg, STR(" x=\"100%\""));
		svg_number_attribute(svg, "dx", 0 - caption->x);
	} else
		svg_number_attribute(svg, "x", width - caption->x);
	svg_number_attribute(svg, "y", caption->y);
	if (caption->side == MIDDLE)
		text_add(svg, STR(" text-anchor=\"middle\""));
	if (caption->font_size > 0)
		svg_number_attribute(svg, "font-size", caption->font_size);
	if (caption->hidden)
		text_add(svg, STR(" display=\"none\""));
	text_add_char(svg, '>');
	svg_text(svg, clean(picture, caption->content), picture->ascii);
	text_add(svg, STR("</text>\n"));
}

static void
draw_others(struct picture *picture)
{
	const struct tree *tree = picture->tree;
	double counts = 0;
	char content[200];
	size_t i;

	for (i = picture->lanes_shown; i < tree->lane_count; i++)
		counts += tree->frames[tree->lanes[i].root].total;
	if (!tree->in_lanes || picture->lanes_shown == tree->lane_count)
		return;
	snprintf(content, sizeof(content), "%sothers: %zu lanes, %.2f%%",
	    picture->script ? LANE_FOLDED : "",
	    tree->lane_count - picture->lanes_shown,
	    100 * counts / picture->all);
	add_caption(picture, &(struct caption){ .id = "others", .side = LEFT,
	    .x = PICTURE_SIDE + 3, .y = picture->others_top + PICTURE_GAP +
	    (double)(picture->height - PICTURE_GAP) / 2 + 3,
	    .content = content });
}

/* Adds a comment.  It cannot hold "--". */
static void
add_notes(struct picture *picture)
{
	struct str text = clean(picture, picture->notes);
	struct text *svg = &picture->svg;
	size_t i;

	if (text.len == 0)
		return;
	text_add(svg, STR("<!-- NOTES: "));
	for (i = 0; i < text.len; i++) {
		if (picture->ascii && (text.data[i] & 0x80) != 0)
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
add_lines(struct text *svg, const char *const *lines, bool needed)
{
	for (; needed && *lines != NULL; lines++)
		text_add(svg, str_from(*lines));
}

static void
add_size(struct picture *picture)
{
	struct text *svg = &picture->svg;

	if (picture->fluid)
		text_add(svg, STR(" width=\"100%\""));
	else
		text_add_format(svg, " width=\"%ld\"", picture->width);
	svg_number_attribute(svg, "height", picture->full_height);
}

/* Without a theme, text on a dark background is white. */
static void
add_theme(struct picture *picture)
{
	const struct background *background = &picture->background;
	struct text *svg = &picture->svg;

	if (picture->theme[0] != '\0')
		svg_attribute(svg, "data-theme", str_from(picture->theme),
		    false);
	if (background->dark_top != NULL)
		text_add_format(svg, " style=\"--top: %s; --bottom: %s\"",
		    background->dark_top, background->dark_bottom);
	else if (background->top == background->bottom &&
	    background_is_dark(background))
		text_add(svg, STR(" style=\"--own: white\""));
}

static void
open_picture(struct picture *picture)
{
	const struct str last = STR("sans-serif");
	struct str font = clean(picture, picture->font_type);
	struct text *svg = &picture->svg;

	text_add(svg, STR("<?xml version=\"1.0\""));
	if (picture->encoding[0] != '\0')
		svg_attribute(svg, "encoding", str_from(picture->encoding),
		    false);
	text_add(svg, STR("?>\n<svg version=\"1.1\""
	    " xmlns=\"http://www.w3.org/2000/svg\""));
	if (picture->attributes != NULL)
		text_add(svg, STR(
		    " xmlns:xlink=\"http://www.w3.org/1999/xlink\""));
	add_size(picture);
	if (!picture->fluid) {
		text_add_format(svg, " viewBox=\"0 0 %ld ", picture->width);
		svg_number(svg, picture->full_height);
		text_add_char(svg, '"');
	}
	text_add(svg, STR(" font-family=\""));
	svg_value(svg, font, picture->ascii);
	if (!str_ends(font, last)) {	/* for readers who lack the font */
		text_add(svg, STR(", "));
		text_add(svg, last);
	}
	text_add_char(svg, '"');
	svg_number_attribute(svg, "font-size", picture->font_size);
	add_theme(picture);
	text_add(svg, STR(">\n"));
	add_notes(picture);
}

/* for a browser's tab and screen readers */
static void
add_name(struct picture *picture, const char *name)
{
	struct text *svg = &picture->svg;

	text_add(svg, STR("<title>"));
	svg_text(svg, clean(picture, name), picture->ascii);
	text_add(svg, STR("</title>\n"));
}

/* Pictures in one page share ids, so the gradient's is made of its colours. */
static void
add_background(struct picture *picture)
{
	const char *top = picture->background.top;
	const char *bottom = picture->background.bottom;
	struct text *svg = &picture->svg;

	text_add_format(svg, "<defs><linearGradient id=\"from-%s-to-%s\""
	    " x1=\"0\" x2=\"0\" y1=\"0\" y2=\"1\">"
	    "<stop stop-color=\"%s\" offset=\"5%%\"/>"
	    "<stop stop-color=\"%s\" offset=\"95%%\"/>"
	    "</linearGradient></defs>\n<style>\n",
	    top + 1, bottom + 1, top, bottom);
	add_lines(svg, picture_css, true);
	add_lines(svg, legend_css, has_legend(picture));
	add_lines(svg, difference_css, picture->tree->differential);
	add_lines(svg, axis_css, picture->axis > 0);
	add_lines(svg, theme_css, picture->theme[0] != '\0');
	add_lines(svg, viewer_css, picture->script);
	add_lines(svg, lanes_css, picture->tree->in_lanes);
	add_lines(svg, range_css, measure_has_ranges(picture));
	add_lines(svg, colorblind_css, picture->script &&
	    picture->palette.scheme->hue == HUE_COLORBLIND);
	text_add(svg, STR("</style>\n<rect id=\"canvas\""));
	add_size(picture);
	text_add_format(svg, " fill=\"url(#from-%s-to-%s)\"/>\n",
	    top + 1, bottom + 1);
}

/* Hidden buttons do nothing where no script may run, as in an image. */
static void
add_controls(struct picture *picture)
{
	double top = picture->font_size * 2;
	double bottom = picture->full_height - (picture->font_size + 5);
	const struct caption captions[] = {
		{ "details", LEFT, PICTURE_SIDE, bottom, 0, false, " " },
		{ "unzoom", LEFT, PICTURE_SIDE, top, 0, true, "Reset Zoom" },
		{ "search", RIGHT, PICTURE_SIDE + 100, top, 0, true, "Search" },
		{ "ignorecase", RIGHT, PICTURE_SIDE + 16, top, 0, true, "ic" },
		{ "matched", RIGHT, PICTURE_SIDE, bottom, 0, false, " " },
	};
	size_t i;

	for (i = 0; i < sizeof(captions) / sizeof(*captions); i++)
		add_caption(picture, &captions[i]);
}

static void
add_script(struct picture *picture)
{
	bool has_ranges = measure_has_ranges(picture);
	struct text *svg = &picture->svg;

	text_add(svg, STR("<script"));
	counts_write(svg, &picture->counts, picture->tree->differential);
	text_add(svg, STR("><![CDATA[\n(() => {\n\"use strict\";\n"));
	add_lines(svg, viewer_js, true);
	add_lines(svg, axis_js, picture->axis > 0);
	add_lines(svg, differential_js, picture->tree->differential);
	add_lines(svg, nameattr_js, picture->attributes != NULL);
	add_lines(svg, lanes_js, picture->tree->in_lanes);
	add_lines(svg, range_js, has_ranges);
	add_lines(svg, strip_js, has_ranges && picture->tree->in_lanes);
	add_lines(svg, start_js, true);
	add_lines(svg, fluid_js, picture->fluid);
	text_add(svg, STR("})();\n]]></script>\n"));
}

void
picture_draw(struct picture *picture, struct tree *tree, FILE *out)
{
	struct difference *difference = &picture->difference;
	double line = picture->font_size * 2;
	int i;

	picture->out = out;
	measure_picture(picture, tree);
	picture->counted = clean(picture, picture->count_name);
	for (i = 0; difference->by_ratio && i < 2; i++)
		difference->names[i] = utf8_clean(difference->names[i],
		    &picture->arena);
	if (difference->by_ratio)
		picture->counted = difference->names[
		    tree->widths == TREE_AFTER];
	open_picture(picture);
	add_name(picture, picture->title);
	add_background(picture);
	draw_frames(picture);
	draw_others(picture);
	draw_axis(picture);
	add_caption(picture, &(struct caption){ "title", MIDDLE, 0, line,
	    picture->font_size + 5, false, picture->title });
	if (picture->subtitle[0] != '\0')
		add_caption(picture, &(struct caption){ "subtitle", MIDDLE, 0,
		    line * 2, 0, false, picture->subtitle });
	draw_legend(picture);
	if (picture->script) {
		add_controls(picture);
		add_script(picture);
	}
	text_add(&picture->svg, STR("</svg>\n"));
	output_flush(&picture->svg, out);
}

/* Scripts may look for the text of flamegraph.pl: it is there, but not seen. */
void
picture_draw_error(struct picture *picture, FILE *out)
{
	struct text *svg = &picture->svg;

	picture->full_height = picture->font_size * 5;
	open_picture(picture);
	add_name(picture, "flamegraph: no stack with a count was found");
	add_caption(picture, &(struct caption){ .side = MIDDLE,
	    .y = picture->font_size * 2, .hidden = true,
	    .content = "ERROR: No valid input provided to flamegraph.pl." });
	text_add(svg, STR("<foreignObject width=\"100%\" height=\"100%\" "
	    "overflow=\"visible\"><p xmlns=\"http://www.w3.org/1999/xhtml\" "
	    "style=\"margin: 1em; max-width: calc(100vw - 2em)\">No stack "
	    "with a count was found.  flamegraph reads folded stacks, a line "
	    "each, such as <code>main;parse;read 12</code>.  Fold a "
	    "profile first: <code>stackcollapse-perf perf.data | flamegraph "
	    "&gt; out.svg</code></p></foreignObject>\n</svg>\n"));
	output_flush(svg, out);
}
