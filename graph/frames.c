#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/output.h"
#include "picture.h"

/* Cuts off _[k], _[i], _[j] or _[w]; they are for palettes. */
static struct str
without_mark(struct str name)
{
	size_t len = name.len;

	return len >= 4 && name.data[len - 4] == '_' &&
	    name.data[len - 3] == '[' && name.data[len - 1] == ']' &&
	    strchr("kwij", name.data[len - 2]) != NULL ?
	    str_take(name, len - 4) : name;
}

/* True for the root of a lane; its row has its name. */
static bool
is_lane(const struct picture *picture, const struct tree_frame *frame)
{
	return frame->depth == 1 && picture->tree->in_lanes;
}

/* True for that and the root of all: it has gaps, and is only a bar. */
static bool
is_ground(const struct picture *picture, const struct tree_frame *frame)
{
	return frame->depth < 2 && picture->tree->in_lanes;
}

static double
find_total(const struct picture *picture, const struct tree_frame *frame)
{
	return frame == picture->tree->frames ? picture->all : frame->total;
}

/* Returns where a frame ends. */
static double
find_end(const struct picture *picture, const struct tree_frame *frame)
{
	return frame == picture->tree->frames ? picture->time :
	    is_lane(picture, frame) ? picture->lane->end :
	    frame->start + frame->total;
}

/* Returns the tooltip's count, rounded as text_add_count does. */
static double
shown_count(const struct picture *picture, const struct tree_frame *frame)
{
	double count = find_total(picture, frame) * picture->factor;
	char digits[32];

	if (fabs(count) < 1e15 && count == (double)(long long)count)
		return count;
	if (fabs(count) >= 100)
		return rint(count);
	snprintf(digits, sizeof(digits), "%.3g", count);
	return strtod(digits, NULL);
}

/* Returns the change from the first profile, as the picture shows it. */
static double
shown_change(const struct picture *picture, const struct tree_frame *frame)
{
	double change = difference_change(picture->tree, frame);

	return picture->negate ? 0 - change : change;
}

/* Adds "parse (1,234 samples, 12.34%)", in a differential with the change. */
static void
add_tooltip(struct picture *picture, const struct tree_frame *frame)
{
	bool is_root = frame == picture->tree->frames;
	double total = find_total(picture, frame), change;
	struct text *svg = &picture->svg;

	svg_text(svg, is_root ? STR("all") : without_mark(frame->name),
	    picture->ascii);
	text_add(svg, STR(" ("));
	text_add_count(svg, total * picture->factor);
	text_add_char(svg, ' ');
	svg_text(svg, picture->counted, picture->ascii);
	text_add(svg, STR(", "));
	if (is_root)
		text_add(svg, STR("100"));
	else
		svg_percent(svg, 100 * total / picture->all);
	if (picture->difference.by_ratio && frame->differential) {
		text_add(svg, STR("%; "));
		picture->scratch.len = 0;
		difference_add_other(&picture->difference, picture->tree,
		    frame, picture->factor, &picture->scratch);
		svg_text(svg, text_str(&picture->scratch), picture->ascii);
		text_add_char(svg, ')');
		return;
	}
	if (frame->differential && !is_root) {
		change = shown_change(picture, frame);
		text_add_format(svg, "%%; %s%.2f", change > 0 ? "+" : "",
		    100 * change / picture->whole);
	}
	text_add(svg, STR("%)"));
}

/* With a viewer the tooltip is flamegraph.pl's, and the viewer adds this. */
static void
add_difference(struct picture *picture, const struct tree_frame *frame)
{
	picture->scratch.len = 0;
	difference_tell(&picture->difference, picture->tree, frame,
	    picture->factor, &picture->scratch);
	svg_value(&picture->svg, text_str(&picture->scratch), picture->ascii);
}

struct edges {
	double left, right;	/* in pixels */
	long long x, width;	/* in tenths; neighbours touch */
};

static struct edges
find_edges(const struct picture *picture, const struct tree_frame *frame)
{
	double end = find_end(picture, frame);
	struct edges edges;

	edges.left = PICTURE_SIDE + frame->start * picture->pixels;
	edges.right = PICTURE_SIDE + end * picture->pixels;
	edges.x = svg_scale(edges.left, 1);
	edges.width = svg_scale(edges.right, 1) - edges.x;
	return edges;
}

/* Returns the upper edge of frames at a depth. */
static double
find_top(const struct picture *picture, uint32_t depth)
{
	const struct tree_lane *lane = picture->lane;
	double height = (double)picture->height;

	if (lane != NULL && depth > 0)
		return lane->top + (picture->inverted ? (double)depth - 1 :
		    (double)lane->rows - depth) * height;
	return picture->inverted ? picture->top_pad + depth * height :
	    picture->full_height - picture->bottom_pad -
	    ((double)depth + 1) * height + PICTURE_GAP;
}

struct fill {
	struct str text;	/* in palette.map, or "" */
	struct colour colour;
};

/*
 * Returns the color of a change.  Frames of only one profile have their own
 * with --widths; without it, some of them are invisible.
 */
static struct colour
find_difference(struct picture *picture, const struct tree_frame *frame)
{
	const struct tree *tree = picture->tree;
	double lean = difference_lean(&picture->difference, tree, frame);
	enum difference_side side = tree->widths == TREE_AFTER ? SIDE_BOTH :
	    difference_side(tree, frame);

	if (picture->difference.by_ratio)
		return palette_difference(&picture->palette,
		    picture->negate ? 0 - lean : lean, 1);
	if (difference_is_noise(&picture->difference, tree, frame))
		return palette_chance(&picture->palette,
		    shown_change(picture, frame));
	picture->sides |= 1U << side;
	if (side != SIDE_BOTH)
		return palette_one_side(&picture->palette,
		    (side == SIDE_AFTER) != picture->negate);
	return palette_difference(&picture->palette,
	    shown_change(picture, frame), tree->max_change);
}

static struct fill
find_fill(struct picture *picture, const struct tree_frame *frame)
{
	struct fill fill = { .colour = { 255, 255, 255 } };
	struct palette *palette = &picture->palette;
	struct str name = frame->name;
	struct rule *rule = picture->rules == NULL || name.len == 0 ? NULL :
	    rules_find(picture->rules, without_mark(name));

	if (is_ground(picture, frame))
		fill.colour = (struct colour){ 128, 128, 128 };
	else if (str_equal(name, STR("--")))	/* between stacks */
		fill.colour = (struct colour){ 160, 160, 160 };
	else if (str_equal(name, STR("-")))
		fill.colour = (struct colour){ 200, 200, 200 };
	else if (frame->differential)
		fill.colour = find_difference(picture, frame);
	else if (rule != NULL) {
		rule->used = true;
		fill.colour = rule->colour;
	} else if (picture->map != NULL) {
		fill.text = palette_map_colour(picture->map, palette, name);
		colour_parse(fill.text, &fill.colour);
	} else
		fill.colour = palette_colour(palette, name);
	return fill;
}

static void
add_fill(struct text *svg, struct fill fill)
{
	if (fill.text.len > 0)
		text_add(svg, fill.text);
	else
		svg_colour(svg, fill.colour);
}

/* A fluid picture is 1000 pixels wide: a tenth is a hundredth of a per cent. */
static void
add_across(struct picture *picture, long long tenths)
{
	svg_hundredths(&picture->svg, picture->fluid ? tenths : 10 * tenths);
	if (picture->fluid)
		text_add_char(&picture->svg, '%');
}

static void
add_rectangle(struct picture *picture, const struct tree_frame *frame,
    struct edges edges, struct fill fill)
{
	struct text *svg = &picture->svg;

	text_add(svg, STR("<rect x=\""));
	add_across(picture, edges.x);
	text_add(svg, STR("\" y=\""));
	svg_number(svg, find_top(picture, frame->depth));
	text_add(svg, STR("\" width=\""));
	add_across(picture, edges.width);
	text_add(svg, STR("\" height=\""));
	text_add_number(svg, (unsigned long)picture->height - PICTURE_GAP);
	text_add(svg, STR("\" fill=\""));
	add_fill(svg, fill);
	if (is_ground(picture, frame))
		text_add(svg, STR("\" fill-opacity=\".2"));
	else if (frame->differential)
		palette_add_dark(&picture->palette, fill.colour, svg);
	text_add(svg, STR("\"/>"));
}

/* Returns the part of a time in which a lane has stacks, from its part *at. */
static double
find_usage(const struct tree_lane *lane, size_t *at, double begin, double end)
{
	double busy = 0;

	while (*at < lane->busy_count && lane->busy[*at].begin < end) {
		busy += fmax(0, fmin(lane->busy[*at].end, end) -
		    fmax(lane->busy[*at].begin, begin));
		if (lane->busy[*at].end > end)
			break;
		(*at)++;
	}
	return fmin(busy / (end - begin), 1);
}

/*
 * Adds a curve over the row of a lane: the part of each pixel's time in which
 * it has stacks, also narrow ones.  The smallest part is a pixel high.
 */
static void
add_usage(struct picture *picture, const struct tree_frame *frame)
{
	const struct tree_lane *lane = picture->lane;
	struct text *svg = &picture->svg;
	double high = (double)picture->height - PICTURE_GAP;
	double bottom = find_top(picture, frame->depth) + high, usage;
	long x = (long)(lane->begin * picture->pixels);
	long end = (long)ceil(lane->end * picture->pixels);
	long long now = 0, next;
	size_t at = 0;

	text_add(svg, STR("<path d=\""));
	for (; x <= end; x++) {
		usage = x == end ? 0 : find_usage(lane, &at,
		    (double)x / picture->pixels,
		    (double)(x + 1) / picture->pixels);
		/* sums may be off by a little */
		next = usage > 1e-6 ? svg_scale(fmax(usage * high, 1), 1) : 0;
		if (next == now)
			continue;
		if (now == 0) {
			text_add_format(svg, "M%ld ", PICTURE_SIDE + x);
			svg_number(svg, bottom);
		} else
			text_add_format(svg, "H%ld", PICTURE_SIDE + x);
		text_add_char(svg, 'V');
		svg_number(svg, bottom - (double)next / 10);
		now = next;
	}
	text_add(svg, STR("\"/>"));
}

/*
 * Adds the name, cut to fit, if three characters or more do.  A lane's has the
 * full row, and begins with the viewer's fold marker if there is more above.
 */
static void
add_label(struct picture *picture, const struct tree_frame *frame,
    struct edges edges, struct colour colour)
{
	double room = (edges.right - edges.left) /
	    (picture->font_size * picture->font_width);
	struct str name = without_mark(frame->name);
	bool lane = is_lane(picture, frame);
	struct text *svg = &picture->svg;

	if (lane) {
		edges.left = PICTURE_SIDE;
		edges.x = 10 * PICTURE_SIDE;
		room = (double)name.len;
	} else if (room < 3 || name.len == 0)
		return;
	text_add(svg, STR("<text x=\""));
	if (picture->fluid) {
		add_across(picture, edges.x);
		text_add(svg, STR("\" dx=\"3"));
	} else
		svg_number(svg, edges.left + 3);
	text_add(svg, STR("\" y=\""));
	svg_number(svg, find_top(picture, frame->depth) +
	    (double)(picture->height - PICTURE_GAP) / 2 + 3);
	if (colour_is_dark(colour))
		text_add(svg, STR("\" fill=\"#fff"));
	text_add(svg, STR("\">"));
	if (lane && picture->script && picture->lane->rows > 1)
		svg_text(svg, STR(LANE_OPEN), picture->ascii);
	svg_label(svg, name, room < (double)name.len ? (size_t)room : name.len,
	    picture->cut, picture->ascii);
	text_add(svg, STR("</text>"));
}

/* Begins an attribute; false if --nameattr sets the same one. */
static bool
open_data(struct picture *picture, struct str name,
    const struct attributes *attributes)
{
	if (attributes != NULL && (str_contains(attributes->extra, name) ||
	    str_contains(attributes->link_extra, name)))
		return false;
	text_add_char(&picture->svg, ' ');
	text_add(&picture->svg, name);
	text_add(&picture->svg, STR("=\""));
	return true;
}

/* Lists the counts of a frame whose tooltip has `shown`. */
static void
list_counts(struct picture *picture, const struct tree_frame *frame,
    double shown)
{
	double total = find_total(picture, frame);

	counts_add(&picture->counts, picture->tree, frame, total, shown,
	    is_ground(picture, frame) ?
	    find_end(picture, frame) - frame->start : total);
}

/* A tooltip from --nameattr has no counts, and perhaps not the name. */
static void
add_hidden(struct picture *picture, const struct tree_frame *frame,
    const struct attributes *attributes, bool seen)
{
	bool titled = attributes != NULL && attributes->title.len > 0;

	list_counts(picture, frame, titled ? -1 :
	    shown_count(picture, frame) / picture->factor);
	picture->counts.elements++;
	if (!picture->script)
		return;
	if (titled && open_data(picture, STR("data-name"), attributes)) {
		svg_value(&picture->svg, without_mark(frame->name),
		    picture->ascii);
		text_add_char(&picture->svg, '"');
	}
	if (picture->tree->differential && seen &&
	    open_data(picture, STR("data-change"), attributes)) {
		add_difference(picture, frame);
		text_add_char(&picture->svg, '"');
	}
}

/* Begins the frame's group or link; returns its closing tag. */
static struct str
open_group(struct picture *picture, const struct attributes *attributes)
{
	struct text *svg = &picture->svg;
	struct str target;

	if (attributes == NULL || attributes->href.len == 0) {
		text_add(svg, STR("<g"));
		if (attributes != NULL)
			text_add(svg, attributes->extra);
		return STR("</g>\n");
	}
	target = attributes->target;
	text_add(svg, STR("<a"));
	svg_attribute(svg, "xlink:href", attributes->href, picture->ascii);
	svg_attribute(svg, "target", target.len > 0 ? target : STR("_top"),
	    picture->ascii);
	text_add(svg, attributes->link_extra);
	text_add(svg, attributes->extra);
	return STR("</a>\n");
}

/*
 * Lists a frame that is not drawn, with its colour, a dark one after ';' in a
 * differential, and its name.  Elements take browsers five times as long.
 */
static void
list_frame(struct picture *picture, const struct tree_frame *frame)
{
	struct fill fill = find_fill(picture, frame);
	double total = find_total(picture, frame);
	struct text *look = &picture->scratch;

	look->len = 0;
	add_fill(look, fill);
	if (frame->differential) {
		text_add_char(look, ';');
		if (palette_darken(&picture->palette, &fill.colour))
			svg_colour(look, fill.colour);
	}
	text_add_char(look, '\t');
	text_add(look, without_mark(frame->name));
	list_counts(picture, frame, total);
	counts_add_narrow(&picture->counts, text_str(look), total);
}

static void
draw_frame(struct picture *picture, const struct tree_frame *frame)
{
	const struct attributes *attributes = picture->attributes == NULL ?
	    NULL : attributes_find(picture->attributes, frame->name);
	struct edges edges = find_edges(picture, frame);
	const struct tree_lane *lane = picture->lane;
	/* in a lane, or in a row of one, that is not shown */
	bool hidden = lane != NULL && (frame->depth > lane->rows ||
	    lane >= picture->tree->lanes + picture->lanes_shown);
	struct fill fill;
	struct str end;

	if (attributes == NULL && (hidden || (edges.width <= 0 &&
	    !is_lane(picture, frame) && frame != picture->tree->frames))) {
		list_frame(picture, frame);
		return;
	}
	end = open_group(picture, attributes);
	fill = find_fill(picture, frame);
	if (attributes != NULL && hidden &&
	    open_data(picture, STR("display"), attributes))
		text_add(&picture->svg, STR("none\""));
	if (is_lane(picture, frame) &&
	    open_data(picture, STR("data-lane"), attributes))
		text_add_char(&picture->svg, '"');
	add_hidden(picture, frame, attributes, edges.width > 0);
	text_add(&picture->svg, STR("><title>"));
	if (attributes != NULL && attributes->title.len > 0)
		svg_text(&picture->svg, attributes->title, picture->ascii);
	else
		add_tooltip(picture, frame);
	if (picture->tree->differential && !picture->script) {
		text_add(&picture->svg, STR("&#10;"));
		add_difference(picture, frame);
	}
	text_add(&picture->svg, STR("</title>"));
	add_rectangle(picture, frame, edges, fill);
	if (is_lane(picture, frame) && !picture->fluid && !hidden)
		add_usage(picture, frame);
	add_label(picture, frame, edges, fill.colour);
	text_add(&picture->svg, end);
	output_drain(&picture->svg, picture->out);
}

void
frames_draw(struct picture *picture)
{
	const struct tree_frame *frames = picture->tree->frames;
	uint32_t frame = 0;

	do {
		if (is_lane(picture, &frames[frame]))
			picture->lane = picture->lane == NULL ?
			    picture->tree->lanes : picture->lane + 1;
		if (frames[frame].total >= picture->least ||
		    is_ground(picture, &frames[frame]))
			draw_frame(picture, &frames[frame]);
		frame = tree_next(picture->tree, frame);
	} while (frame != 0);
}
