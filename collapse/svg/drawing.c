#include <math.h>
#include <stdlib.h>

#include "collapse/xml.h"
#include "drawing.h"
#include "fold/folded.h"
#include "narrow.h"
#include "title.h"

#define MOST	(UINT32_MAX - 1)	/* frames */

/* Reads "403.3", "-12" or "33.3333%". */
static double
read_number(struct str value)
{
	double sign = str_starts(value, STR("-")) ? -1 : 1, number;
	size_t len = 0;

	value = str_skip(value, sign < 0);
	while (len < value.len &&
	    (is_digit(value.data[len]) || value.data[len] == '.'))
		len++;
	number = len == 0 ? 0 : folded_value(str_take(value, len));
	return isfinite(number) ? sign * number : 0;
}

static double
number_of(struct str tag, struct str name)
{
	struct str value;

	return xml_attribute(tag, name, &value) ? read_number(value) : 0;
}

/* Reads a number of samples, where inferno tells it, else of pixels. */
static double
place_of(struct str tag, struct str exact, struct str name)
{
	struct str value;

	return xml_attribute(tag, exact, &value) ? read_number(value) :
	    number_of(tag, name);
}

/*
 * Frames.
 */

static void
begin_frames(struct drawing *drawing, struct str tag)
{
	struct str ignored;

	drawing->in_frames = true;
	drawing->ordered = xml_attribute(tag, STR("data-nametype"), &ignored);
	drawing->factor = number_of(tag, STR("data-factor"));
	xml_attribute(tag, STR("data-widths"), &drawing->widths);
}

static void
begin_frame(struct drawing *drawing, struct str tag)
{
	struct str name;

	drawing->has_title = false;
	drawing->name.len = 0;
	if (xml_attribute(tag, STR("data-name"), &name))
		xml_add_text(&drawing->name, name);
	drawing->is_lane = xml_attribute(tag, STR("data-lane"), &name);
}

static void
read_title(struct drawing *drawing, struct str text)
{
	drawing->has_title = drawing->in_frames;
	drawing->title.len = 0;
	if (drawing->in_frames)
		xml_add_text(&drawing->title, text);
}

/*
 * Reads the title of a frame where flamegraph.pl had it until 2013, in a group
 * or rectangle: onmouseover="s('read (12 samples, 34.29%)')".
 */
static void
read_mouseover(struct drawing *drawing, struct str tag)
{
	struct str value;

	if (!xml_attribute(tag, STR("onmouseover"), &value) ||
	    !str_starts(value, STR("s('")) || !str_ends(value, STR("')")) ||
	    value.len < 5)
		return;
	drawing->in_frames = true;
	read_title(drawing, str_between(value, 3, value.len - 2));
}

/* Begins with the frames, or one of them. */
static void
read_group(struct drawing *drawing, struct str tag)
{
	struct str value;

	if (xml_attribute(tag, STR("id"), &value) &&
	    str_equal(value, STR("frames")))
		begin_frames(drawing, tag);
	else if (drawing->in_frames)
		begin_frame(drawing, tag);
	/* until 2018 */
	else if (xml_attribute(tag, STR("class"), &value) &&
	    str_equal(value, STR("func_g")))
		drawing->in_frames = true;
	read_mouseover(drawing, tag);
}

static void
note_counts(struct drawing *drawing, struct drawn_frame *frame,
    const struct title *title)
{
	frame->has_count = title->has_count;
	frame->count = title->count;
	frame->totals[SVG_BEFORE] = frame->totals[SVG_AFTER] = title->count;
	if (title->has_both) {
		frame->totals[SVG_BEFORE] = title->before;
		frame->totals[SVG_AFTER] = title->after;
	} else if (title->has_other) {
		frame->totals[str_equal(drawing->widths, STR("before")) ?
		    SVG_AFTER : SVG_BEFORE] = title->other;
	} else if (title->has_change) {
		frame->change = title->change;	/* until that of all is known */
		drawing->own_changes = true;
	}
	drawing->differential |= title->has_both || title->has_change ||
	    title->has_other;
	if (title->is_all && drawing->root == DRAWING_NONE)
		drawing->root = drawing->count;
}

/* Ends a frame. */
static bool
read_rectangle(struct drawing *drawing, struct fold *fold, struct str tag)
{
	struct drawn_frame frame = { .parent = DRAWING_NONE };
	struct title title;

	read_mouseover(drawing, tag);
	if (!drawing->has_title)
		return true;
	if (drawing->count == MOST)
		return false;
	drawing->has_title = false;
	title_read(text_str(&drawing->title), &title);
	frame.x = place_of(tag, STR("fg:x"), STR("x"));
	frame.width = place_of(tag, STR("fg:w"), STR("width"));
	frame.y = number_of(tag, STR("y"));
	frame.height = number_of(tag, STR("height"));
	frame.is_lane = drawing->is_lane;
	frame.name = fold_name(fold, drawing->name.len > 0 ?
	    text_str(&drawing->name) : title.name);
	note_counts(drawing, &frame, &title);
	drawing->frames = mem_grow(drawing->frames, &drawing->room,
	    (size_t)drawing->count + 1, sizeof(*drawing->frames));
	drawing->frames[drawing->count++] = frame;
	return true;
}

static void
read_lists(struct drawing *drawing, struct str tag)
{
	xml_attribute(tag, STR("data-falls"), &drawing->falls);
	xml_attribute(tag, STR("data-total"), &drawing->totals);
	xml_attribute(tag, STR("data-change"), &drawing->changes);
	xml_attribute(tag, STR("data-before"), &drawing->befores);
}

/* Keeps the table of frames that are not drawn; returns the text after it. */
static struct str
keep_narrow(struct drawing *drawing, struct str tag, struct str rest)
{
	size_t end = str_search(rest, STR("</metadata>"));

	struct str id;

	if (!drawing->ordered || str_ends(tag, STR("/")) ||
	    !xml_attribute(tag, STR("id"), &id) ||
	    !str_equal(id, STR("narrow")))
		return rest;
	drawing->narrow = str_take(rest, end);
	/* without a viewer */
	if (drawing->factor == 0)
		drawing->factor = number_of(tag, STR("data-factor"));
	xml_attribute(tag, STR("data-widths"), &drawing->widths);
	read_lists(drawing, tag);
	return str_skip(rest, end);
}

/*
 * Tags.
 */

/* Steps after a part of the text, or to its end. */
static struct str
skip_to(struct str text, struct str part)
{
	size_t at = str_search(text, part);

	return str_skip(text, at < text.len ? at + part.len : at);
}

/* Steps over a comment and the like; returns the text itself at a tag. */
static struct str
skip_other(struct str text)
{
	if (str_starts(text, STR("<!--")))
		return skip_to(text, STR("-->"));
	if (str_starts(text, STR("<![CDATA[")))
		return skip_to(text, STR("]]>"));
	if (str_starts(text, STR("<?")))
		return skip_to(text, STR("?>"));
	return text;
}

/* Reads a tag, and returns the text after it and what it makes skip. */
static struct str
read_tag(struct drawing *drawing, struct fold *fold, struct str tag,
    struct str rest)
{
	struct str name = xml_cut_name(&tag);
	size_t len;

	if (str_equal(name, STR("g")) || str_equal(name, STR("a")) ||
	    str_equal(name, STR("view")) || str_equal(name, STR("svg")))
		read_group(drawing, tag);
	else if (str_equal(name, STR("title"))) {
		len = str_find(rest, '<');
		read_title(drawing, str_take(rest, len));
		rest = str_skip(rest, len);
	} else if (str_equal(name, STR("rect"))) {
		if (!read_rectangle(drawing, fold, tag))
			return STR("");
	} else if (str_equal(name, STR("script"))) {
		read_lists(drawing, tag);
		if (!str_ends(tag, STR("/")))
			rest = skip_to(rest, STR("</script>"));
	} else if (str_equal(name, STR("metadata")))
		rest = keep_narrow(drawing, tag, rest);
	else if (str_equal(name, STR("style")) && !str_ends(tag, STR("/")))
		rest = skip_to(rest, STR("</style>"));
	return rest;
}

static void
read_tags(struct drawing *drawing, struct fold *fold, struct str text)
{
	struct str after;
	size_t end;

	while ((text = str_skip(text, str_find(text, '<'))).len > 0) {
		after = skip_other(text);
		if (after.len < text.len) {
			text = after;
			continue;
		}
		end = xml_tag_end(text);
		if (end == text.len)
			return;
		text = read_tag(drawing, fold, str_between(text, 1, end),
		    str_skip(text, end + 1));
	}
}

/*
 * Counts.
 */

/* A list of the viewer's: "7 12:3" is 7 for frame 0, and 3 for frame 12. */
struct count_reader {
	struct str rest;
	size_t frame;		/* of the count, from 1; 0: none was read */
	double count;
};

static bool
next_count(struct count_reader *list)
{
	struct str item = str_take(list->rest, str_find(list->rest, ' '));
	size_t colon = str_find(item, ':');
	unsigned long long steps = 1;

	if (item.len == 0)
		return false;
	list->rest = str_skip(list->rest, item.len);
	list->rest = str_trim_start(list->rest);
	if (colon < item.len) {
		if (!str_number(item, &steps) || steps == 0)
			return false;
		item = str_skip(item, colon + 1);
	}
	list->count = read_number(item);
	list->frame += steps < SIZE_MAX / 2 - list->frame ? (size_t)steps :
	    SIZE_MAX / 2 - list->frame;
	return true;
}

/* Divides the counts of titles by the factor. */
static void
divide_counts(struct drawing *drawing)
{
	struct drawn_frame *frame = drawing->frames;

	for (; drawing->factor > 0 && frame < drawing->frames + drawing->count;
	    frame++) {
		frame->count /= drawing->factor;
		frame->totals[SVG_BEFORE] /= drawing->factor;
		frame->totals[SVG_AFTER] /= drawing->factor;
	}
}

static void
read_totals(struct drawing *drawing)
{
	struct count_reader list = { .rest = drawing->totals };
	struct drawn_frame *frame;

	while (next_count(&list) && list.frame <= drawing->count) {
		frame = &drawing->frames[list.frame - 1];
		frame->has_count = true;
		frame->totals[SVG_BEFORE] = frame->totals[SVG_AFTER] =
		    frame->count = list.count;
	}
}

/* Finds both counts, from the one that widths are, and the change. */
static void
add_change(const struct drawing *drawing, double *totals, double change)
{
	double *before = &totals[SVG_BEFORE], *after = &totals[SVG_AFTER];

	if (str_equal(drawing->widths, STR("sum"))) {
		*before = (*after - change) / 2;
		*after = (*after + change) / 2;
	} else if (str_equal(drawing->widths, STR("before")) ||
	    str_equal(drawing->widths, STR("change")))
		*after = *before + change;
	else
		*before = *after - change;
}

/* Reads the lists of a picture of two counts. */
static void
read_changes(struct drawing *drawing)
{
	struct count_reader changes = { .rest = drawing->changes };
	struct count_reader befores = { .rest = drawing->befores };
	struct drawn_frame *frame = drawing->frames;
	uint32_t i;

	if (drawing->changes.data == NULL)
		return;
	drawing->differential = true;
	drawing->own_changes = false;
	next_count(&changes);
	next_count(&befores);
	for (i = 1; i <= drawing->count; i++, frame++) {
		/* titles may have both */
		frame->totals[SVG_BEFORE] = frame->totals[SVG_AFTER] =
		    frame->count;
		if (str_equal(drawing->widths, STR("change")))
			frame->totals[SVG_BEFORE] = befores.frame == i ?
			    befores.count : 0;
		add_change(drawing, frame->totals, changes.frame == i ?
		    changes.count : 0);
		if (changes.frame == i)
			next_count(&changes);
		if (befores.frame == i)
			next_count(&befores);
	}
}

/* Takes counts that nothing tells from widths, and changes from per cents. */
static void
guess_counts(struct drawing *drawing)
{
	const struct drawn_frame root = drawing->frames[drawing->root];
	double scale = root.width > 0 ? root.totals[SVG_AFTER] / root.width : 0;
	struct drawn_frame *frame = drawing->frames;

	for (; frame < drawing->frames + drawing->count; frame++) {
		frame->change *= root.totals[SVG_AFTER] / 100;
		if (frame->has_count)
			continue;
		frame->totals[SVG_BEFORE] = frame->totals[SVG_AFTER] =
		    rint(frame->width * scale);
		drawing->guessed++;
	}
}

const char *
drawing_read(struct drawing *drawing, struct fold *fold, struct str svg)
{
	const char *reason;

	*drawing = (struct drawing){ .root = DRAWING_NONE };
	read_tags(drawing, fold, svg);
	if (drawing->count == MOST)
		return "it has too many frames";
	if (drawing->count == 0)
		return "no frame of a flame graph is in it";
	if (!str_contains(svg, STR("</svg>")))
		return "it is cut off: it has no </svg>";
	if (drawing->root == DRAWING_NONE)
		return "it has no root frame of 100 %";
	divide_counts(drawing);
	if (drawing->narrow.data != NULL &&
	    (reason = narrow_read(drawing, fold)) != NULL)
		return reason;
	read_totals(drawing);
	read_changes(drawing);
	guess_counts(drawing);
	return NULL;
}

void
drawing_free(struct drawing *drawing)
{
	free(drawing->frames);
	free(drawing->name.data);
	free(drawing->title.data);
}
