#include <math.h>
#include <stdlib.h>

#include "collapse/xml.h"
#include "drawing.h"
#include "fold/folded.h"

#define MOST	(UINT32_MAX - 1)	/* frames */
#define DIGITS	400	/* of the largest number, with room */
#define TRIES	16	/* brackets that may begin the counts */

/*
 * What a title tells of a frame:
 *
 *	parse (1,234 samples, 56.78%)
 *	parse (1,234 samples, 56.78%; -1.20%)	the change of its own counts
 *	all (2,173 samples, 100%)		of all frames
 *	parse (1,200 cycles, 56.78%; 800 instructions; ratio 1.5)	of both
 *
 * Our own pictures without a viewer have both counts on a second line:
 *
 *	before 1,260, after 1,234, -26, ...
 */
struct title {
	struct str name;
	bool has_count, has_change, has_both, has_other;
	bool is_all;
	double count;
	double change;		/* in per cent of all */
	double before, after;	/* if it has both */
	double other;		/* that makes no widths */
};

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

/* Reads a position in samples, from inferno, or else in pixels. */
static double
place_of(struct str tag, struct str exact, struct str name)
{
	struct str value;

	return xml_attribute(tag, exact, &value) ? read_number(value) :
	    number_of(tag, name);
}

/*
 * Titles.
 */

/* Cuts off a number, "1,234" or "0.5"; false without one. */
static bool
cut_number(struct str *text, double *number)
{
	char digits[DIGITS];
	size_t len = 0, at;
	char c;

	for (at = 0; at < text->len && len < sizeof(digits); at++) {
		c = text->data[at];
		if (is_digit(c) || c == '.')
			digits[len++] = c;
		else if (c != ',' || at + 1 == text->len ||
		    !is_digit(text->data[at + 1]))
			break;
	}
	if (len == 0 || !is_digit(digits[0]) || len == sizeof(digits))
		return false;
	*number = folded_value((struct str){ digits, len });
	*text = str_skip(*text, at);
	return isfinite(*number);
}

static bool
cut_start(struct str *text, struct str start)
{
	if (!str_starts(*text, start))
		return false;
	*text = str_skip(*text, start.len);
	return true;
}

/*
 * Reads "1,234 samples, 56.78%"; the unit may be any words.  "; +1.20%" or
 * "; 800 instructions; ratio 1.5" may follow.
 */
static bool
read_counts(struct str text, struct title *title)
{
	struct str all, rest;
	double percent, sign = 1;
	size_t comma;

	if (!cut_number(&text, &title->count) || !cut_start(&text, STR(" ")))
		return false;
	/* numbers have others */
	for (comma = text.len; comma > 0 && !str_starts(str_skip(text, comma),
	    STR(", "));)
		comma--;
	text = str_skip(text, comma);
	if (!cut_start(&text, STR(", ")))
		return false;
	all = text;
	title->is_all = str_equal(text, STR("100%"));
	if (!cut_number(&text, &percent) || !cut_start(&text, STR("%")))
		return false;
	if (text.len == 0)
		return true;
	if (!cut_start(&text, STR("; ")))
		return false;
	/* "800 instructions; ratio 1.5" */
	rest = text;
	title->has_other = str_contains(text, STR("; ratio ")) &&
	    cut_number(&rest, &title->other) && cut_start(&rest, STR(" "));
	if (title->has_other) {
		title->is_all = str_starts(all, STR("100%"));
		return true;
	}
	if (cut_start(&text, STR("-")))
		sign = -1;
	else
		cut_start(&text, STR("+"));
	title->has_change = cut_number(&text, &title->change);
	title->change *= sign;
	return title->has_change && str_equal(text, STR("%"));
}

/* Parses a title; one in another form is only a name. */
static void
split_title(struct str text, struct title *title)
{
	size_t end = str_find(text, '\n'), open, tries = TRIES;
	struct str line = str_take(text, end), before;
	struct title found = { .name = line };

	*title = found;
	if (!str_ends(line, STR("%)")) && !(str_ends(line, STR(")")) &&
	    str_contains(line, STR("; ratio "))))
		return;
	line.len--;
	/* A name may have brackets, and so may what is counted. */
	for (before = line; tries > 0 &&
	    (open = str_find_last(before, '(')) < before.len;
	    before = str_take(before, open), tries--) {
		found = (struct title){ .name = line };
		if (open == 0 || line.data[open - 1] != ' ' ||
		    !read_counts(str_skip(line, open + 1), &found))
			continue;
		found.name = str_take(line, open - 1);
		found.has_count = true;
		/* "before 1,260, after 1,234, ..." */
		text = str_skip(text, end + (end < text.len));
		found.has_both = cut_start(&text, STR("before ")) &&
		    cut_number(&text, &found.before) &&
		    cut_start(&text, STR(", after ")) &&
		    cut_number(&text, &found.after);
		*title = found;
		return;
	}
}

/*
 * Frames.
 */

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
	    str_equal(value, STR("frames"))) {
		drawing->in_frames = true;
		drawing->ordered = xml_attribute(tag, STR("data-nametype"),
		    &value);
		drawing->factor = number_of(tag, STR("data-factor"));
		xml_attribute(tag, STR("data-widths"), &drawing->widths);
	} else if (drawing->in_frames) {
		drawing->has_title = false;
		drawing->name.len = 0;
		if (xml_attribute(tag, STR("data-name"), &value))
			xml_add_text(&drawing->name, value);
		drawing->is_lane = xml_attribute(tag, STR("data-lane"), &value);
	/* until 2018 */
	} else if (xml_attribute(tag, STR("class"), &value) &&
	    str_equal(value, STR("func_g")))
		drawing->in_frames = true;
	read_mouseover(drawing, tag);
}

/* Ends a frame. */
static bool
read_rectangle(struct drawing *drawing, struct fold *fold, struct str tag)
{
	struct drawn_frame frame = { .parent = DRAWING_NONE };
	double *totals = frame.totals;
	struct title title;

	read_mouseover(drawing, tag);
	if (!drawing->has_title)
		return true;
	if (drawing->count == MOST)
		return false;
	drawing->has_title = false;
	split_title(text_str(&drawing->title), &title);
	frame.x = place_of(tag, STR("fg:x"), STR("x"));
	frame.width = place_of(tag, STR("fg:w"), STR("width"));
	frame.y = number_of(tag, STR("y"));
	frame.height = number_of(tag, STR("height"));
	frame.is_lane = drawing->is_lane;
	frame.name = fold_name(fold, drawing->name.len > 0 ?
	    text_str(&drawing->name) : title.name);
	frame.has_count = title.has_count;
	frame.count = totals[SVG_BEFORE] = totals[SVG_AFTER] = title.count;
	if (title.has_both) {
		totals[SVG_BEFORE] = title.before;
		totals[SVG_AFTER] = title.after;
	} else if (title.has_other)
		totals[str_equal(drawing->widths, STR("before")) ?
		    SVG_AFTER : SVG_BEFORE] = title.other;
	else if (title.has_change) {
		frame.change = title.change;	/* until that of all is known */
		drawing->own_changes = true;
	}
	drawing->differential |= title.has_both || title.has_change ||
	    title.has_other;
	if (title.is_all && drawing->root == DRAWING_NONE)
		drawing->root = drawing->count;
	*LIST_ADD(drawing->frames, drawing->count, drawing->room) = frame;
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
	size_t end;

	while ((text = str_skip(text, str_find(text, '<'))).len > 0) {
		if (str_starts(text, STR("<!--")))
			text = skip_to(text, STR("-->"));
		else if (str_starts(text, STR("<![CDATA[")))
			text = skip_to(text, STR("]]>"));
		else if (str_starts(text, STR("<?")))
			text = skip_to(text, STR("?>"));
		else if ((end = xml_tag_end(text)) == text.len)
			return;
		else
			text = read_tag(drawing, fold,
			    str_between(text, 1, end), str_skip(text, end + 1));
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

/*
 * Reads the lists of a picture of two counts, and finds both counts, from the
 * one that widths are, and the change.
 */
static void
read_changes(struct drawing *drawing)
{
	struct count_reader changes = { .rest = drawing->changes };
	struct count_reader befores = { .rest = drawing->befores };
	struct drawn_frame *frame = drawing->frames;
	bool by_change = str_equal(drawing->widths, STR("change"));
	bool by_before = str_equal(drawing->widths, STR("before"));
	bool by_sum = str_equal(drawing->widths, STR("sum"));
	double change, count;
	uint32_t i;

	drawing->differential = true;
	drawing->own_changes = false;
	next_count(&changes);
	next_count(&befores);
	for (i = 1; i <= drawing->count; i++, frame++) {
		change = changes.frame == i ? changes.count : 0;
		count = frame->count;
		if (by_change)
			count = befores.frame == i ? befores.count : 0;
		/* titles may have both */
		frame->totals[SVG_BEFORE] = by_sum ? (count - change) / 2 :
		    by_change || by_before ? count : count - change;
		frame->totals[SVG_AFTER] = by_sum ? (count + change) / 2 :
		    by_change || by_before ? count + change : count;
		if (changes.frame == i)
			next_count(&changes);
		if (befores.frame == i)
			next_count(&befores);
	}
}

const char *
drawing_read(struct drawing *drawing, struct fold *fold, struct str svg)
{
	struct drawn_frame *frame;
	uint32_t i;

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
	for (i = 0; drawing->factor > 0 && i < drawing->count; i++) {
		frame = &drawing->frames[i];
		frame->count /= drawing->factor;
		frame->totals[SVG_BEFORE] /= drawing->factor;
		frame->totals[SVG_AFTER] /= drawing->factor;
	}
	return NULL;
}

void
drawing_complete(struct drawing *drawing)
{
	struct count_reader list = { .rest = drawing->totals };
	struct drawn_frame *frame, root;
	double scale;

	while (next_count(&list) && list.frame <= drawing->count) {
		frame = &drawing->frames[list.frame - 1];
		frame->has_count = true;
		frame->totals[SVG_BEFORE] = frame->totals[SVG_AFTER] =
		    frame->count = list.count;
	}
	if (drawing->changes.data != NULL)
		read_changes(drawing);
	/* derive missing counts from widths, and changes from per cents */
	root = drawing->frames[drawing->root];
	scale = root.width > 0 ? root.totals[SVG_AFTER] / root.width : 0;
	for (frame = drawing->frames; frame < drawing->frames +
	    drawing->count; frame++) {
		frame->change *= root.totals[SVG_AFTER] / 100;
		if (frame->has_count)
			continue;
		frame->totals[SVG_BEFORE] = frame->totals[SVG_AFTER] =
		    rint(frame->width * scale);
		drawing->guessed++;
	}
}

void
drawing_free(struct drawing *drawing)
{
	free(drawing->frames);
	free(drawing->name.data);
	free(drawing->title.data);
}
