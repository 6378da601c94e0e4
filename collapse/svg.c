/*
 * stackcollapse-svg: folds the frames of flame graphs, for profiles of which
 * only the picture is left, as flamegraph.pl, inferno and this project's
 * flamegraph draw them:
 *
 *	<g id="frames">
 *	<g><title>parse (35 samples, 100.00%)</title><rect .../></g>
 *	<g><title>read (12 samples, 34.29%)</title>
 *	<rect x="403.3" y="37" width="404.6" height="15" .../></g>
 *
 * A frame's count less those of the frames on it is its own:
 *
 *	parse 23
 *	parse;read 12
 *
 * Frames are in any order, and their places alone show what called what.  Where
 * our flamegraph drew them they are in the order of a walk, the viewer's script
 * has what the titles lack, and a table has the frames that are not drawn; see
 * graph/counts.h.  Pictures of two profiles become lines with two counts.
 */
#include <math.h>
#include <stdlib.h>

#include "collapse/xml.h"
#include "fold/collapse.h"
#include "lib/message.h"

#define MOST		((size_t)INT32_MAX)	/* bytes of a picture */
#define MOST_NARROW	((uint32_t)1 << 24)	/* frames, beside a table */
#define DIGITS		400	/* of the largest number, with room */
#define TRIES		16	/* brackets that may begin the counts */
#define NONE		UINT32_MAX
#define DEEPEST		4096	/* deeper frames are left out of stacks */
#define ROW_GAP		1	/* pixels between a frame and the one on it */
#define FRACTION	1e-12	/* of a sum, may be due to rounding */
#define NARROW	STR("[unknown]")	/* frames on the root, left out */

static bool reverse;

enum { SVG_BEFORE, SVG_AFTER };	/* counts of two profiles, or twice of one */

struct drawn_frame {
	uint32_t name;		/* of the fold's table */
	bool has_count;		/* in the title */
	bool is_lane;		/* the first of those in a lane, on the root */
	double x, y, width, height;
	double count;		/* that makes the width */
	double totals[2], own[2];	/* with, and without those on it */
	double change;		/* of own counts, if no total is before */
	uint32_t level;		/* from the root, 0 */
	uint32_t parent;	/* or NONE */
};

struct drawing {
	struct drawn_frame *frames;
	uint32_t count;
	size_t room;
	uint32_t root;		/* the frame of all */
	bool ordered;		/* callers come before their callees */
	bool has_levels;	/* the levels of frames are known */
	bool differential;	/* there are two counts */
	bool own_changes;	/* titles have changes, not counts before */
	size_t guessed;		/* counts that no title has */
	double factor;		/* by which titles are more than counts */
	struct str widths;	/* which of two counts frames are as wide as */
	struct str totals, changes, befores;	/* lists of the viewer's */
	struct str falls, narrow;	/* digits, and the table; or no data */
	/* The frame that is being read. */
	bool in_frames, has_title, is_lane;
	struct text name, title;
};

struct svg {
	struct fold fold;
	double (*counts)[2];		/* by the number of a stack */
	size_t room;
	bool differential;		/* a picture had two counts */
	unsigned long long guessed;	/* counts */
	unsigned long long misplaced;	/* frames on none, or with more than
					   the one that they are on */
	unsigned long long inexact;	/* counts of before */
	unsigned long long narrow;	/* frames without width */
};

/*
 * The numbers in a frame's title:
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
	struct drawn_frame frame;	/* counts; a change is in per cent */
	bool has_change, has_both, is_all;
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

static void
set_totals(struct drawn_frame *frame, double count)
{
	frame->totals[SVG_BEFORE] = frame->totals[SVG_AFTER] = count;
}

/*
 * Reads "1,234 samples, 56.78%"; the unit may be any words.  "; +1.20%" or
 * "; 800 instructions; ratio 1.5" may follow.
 */
static bool
read_counts(const struct drawing *drawing, struct str text,
    struct title *title)
{
	struct drawn_frame *frame = &title->frame;
	double number, sign = 1;
	struct str rest;
	size_t comma;

	if (!cut_number(&text, &frame->count) || !cut_start(&text, STR(" ")))
		return false;
	set_totals(frame, frame->count);
	/* numbers have others */
	for (comma = text.len; comma > 0 && !str_starts(str_skip(text, comma),
	    STR(", "));)
		comma--;
	text = str_skip(text, comma);
	if (!cut_start(&text, STR(", ")))
		return false;
	title->is_all = str_starts(text, STR("100%"));
	if (!cut_number(&text, &number) || !cut_start(&text, STR("%")))
		return false;
	if (text.len == 0)
		return true;
	if (!cut_start(&text, STR("; ")))
		return false;
	/* "800 instructions; ratio 1.5" */
	rest = text;
	title->has_both = str_contains(text, STR("; ratio ")) &&
	    cut_number(&rest, &number) && cut_start(&rest, STR(" "));
	if (title->has_both) {
		frame->totals[str_equal(drawing->widths, STR("before")) ?
		    SVG_AFTER : SVG_BEFORE] = number;
		return true;
	}
	if (cut_start(&text, STR("-")))
		sign = -1;
	else
		cut_start(&text, STR("+"));
	title->is_all = false;
	title->has_change = cut_number(&text, &frame->change);
	frame->change *= sign;
	return title->has_change && str_equal(text, STR("%"));
}

/* Parses a title; one in another form is only a name. */
static void
split_title(const struct drawing *drawing, struct str text,
    struct title *title)
{
	struct str line = str_cut(&text, '\n'), before;
	struct title found;
	size_t open, tries = TRIES;
	double totals[2];

	*title = (struct title){ .name = line };
	if (!str_ends(line, STR("%)")) && !(str_ends(line, STR(")")) &&
	    str_contains(line, STR("; ratio "))))
		return;
	line.len--;
	/* Names and units may contain brackets, too. */
	for (before = line; tries > 0 &&
	    (open = str_find_last(before, '(')) < before.len;
	    before = str_take(before, open), tries--) {
		found = (struct title){ .frame = { .has_count = true } };
		if (open == 0 || line.data[open - 1] != ' ' ||
		    !read_counts(drawing, str_skip(line, open + 1), &found))
			continue;
		found.name = str_take(line, open - 1);
		/* "before 1,260, after 1,234, ..." */
		if (cut_start(&text, STR("before ")) &&
		    cut_number(&text, &totals[SVG_BEFORE]) &&
		    cut_start(&text, STR(", after ")) &&
		    cut_number(&text, &totals[SVG_AFTER])) {
			memcpy(found.frame.totals, totals, sizeof(totals));
			found.frame.change = 0;
			found.has_change = false;
			found.has_both = true;
		}
		*title = found;
		return;
	}
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

/* Begins the frames, or one of them. */
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
static void
read_rectangle(struct drawing *drawing, struct fold *fold, struct str tag)
{
	struct title title;
	struct drawn_frame *frame = &title.frame;

	read_mouseover(drawing, tag);
	if (!drawing->has_title)
		return;
	drawing->has_title = false;
	split_title(drawing, text_str(&drawing->title), &title);
	frame->x = place_of(tag, STR("fg:x"), STR("x"));
	frame->width = place_of(tag, STR("fg:w"), STR("width"));
	frame->y = number_of(tag, STR("y"));
	frame->height = number_of(tag, STR("height"));
	frame->is_lane = drawing->is_lane;
	frame->parent = NONE;
	frame->name = fold_name(fold, drawing->name.len > 0 ?
	    text_str(&drawing->name) : title.name);
	drawing->own_changes |= title.has_change;
	drawing->differential |= title.has_both || title.has_change;
	if (title.is_all && drawing->root == NONE)
		drawing->root = drawing->count;
	*LIST_ADD(drawing->frames, drawing->count, drawing->room) = *frame;
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

/* Returns what follows a part of the text. */
static struct str
skip_to(struct str text, struct str part)
{
	size_t at = str_search(text, part);

	return str_skip(text, at < text.len ? at + part.len : at);
}

/* Reads a tag, which `rest` follows; returns where reading goes on. */
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
	} else if (str_equal(name, STR("rect")))
		read_rectangle(drawing, fold, tag);
	else if (str_equal(name, STR("script"))) {
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

/* A list of the viewer's: "7 12:3" is 7 for frame 0, and 3 for frame 12. */
struct count_reader {
	struct str rest;
	uint64_t frame;		/* of the count, from 1; 0: none was read */
	double count;
};

/* Steps to the count of a frame after the last one; false without one. */
static bool
find_count(struct count_reader *list, uint64_t frame)
{
	unsigned long long steps;
	struct str item;
	size_t colon;

	while (list->frame < frame) {
		if (list->rest.len == 0)
			return false;
		steps = 1;
		item = str_take(list->rest, str_find(list->rest, ' '));
		colon = str_find(item, ':');
		list->rest = str_trim_start(str_skip(list->rest, item.len));
		if (item.len == 0 || (colon < item.len &&
		    (!str_number(item, &steps) || steps == 0))) {
			list->rest = STR("");
			return false;
		}
		list->count = read_number(str_skip(item,
		    colon < item.len ? colon + 1 : 0));
		list->frame += steps < UINT32_MAX ? steps : UINT32_MAX;
	}
	return list->frame == frame;
}

/* Finds both counts of a frame, whose width is one of them, by the change. */
static void
split_count(struct drawn_frame *frame, struct str widths, double change,
    double before)
{
	bool by_change = str_equal(widths, STR("change"));
	bool by_before = by_change || str_equal(widths, STR("before"));
	bool by_sum = str_equal(widths, STR("sum"));
	double count = by_change ? before : frame->count;

	/* titles may have both */
	frame->totals[SVG_BEFORE] = by_sum ? (count - change) / 2 :
	    by_before ? count : count - change;
	frame->totals[SVG_AFTER] = by_sum ? (count + change) / 2 :
	    by_before ? count + change : count;
}

/* The table of frames that are not drawn. */
struct reader {
	struct text table;		/* without comments */
	struct str rest;
	uint32_t *names;		/* of looks, by their number */
	size_t looks, room;
	size_t used;			/* looks up to the last new one */
	struct drawn_frame *frames;	/* drawn ones, and those of the table */
	size_t frame_room;
	uint32_t count;
	uint32_t drawn;			/* frames that were drawn, so far */
};

/* #e8a33b, tab, read: a line for each look, and an empty line. */
static void
read_looks(struct reader *reader, struct fold *fold)
{
	struct text name = { 0 };
	struct str line;

	while ((line = str_cut(&reader->rest, '\n')).len > 0) {
		str_cut(&line, '\t');
		name.len = 0;
		xml_add_text(&name, line);
		*LIST_ADD(reader->names, reader->looks, reader->room) =
		    fold_name(fold, text_str(&name));
	}
	free(name.data);
}

static bool
add_frame(struct reader *reader, struct drawn_frame frame)
{
	if (reader->count == MOST_NARROW)
		return false;
	*LIST_ADD(reader->frames, reader->count, reader->frame_room) = frame;
	return true;
}

/* Adds drawn frames; false if there are fewer. */
static bool
add_drawn(struct reader *reader, struct drawing *drawing,
    unsigned long long number)
{
	if (number > drawing->count - reader->drawn)
		return false;
	for (; number > 0; number--) {
		if (reader->drawn == drawing->root)
			drawing->root = reader->count;
		if (!add_frame(reader, drawing->frames[reader->drawn++]))
			return false;
	}
	return true;
}

/* Adds the frame of "12", the count of a new look, or of "3:12". */
static bool
add_narrow(struct reader *reader, struct str item)
{
	struct drawn_frame frame = { .has_count = true,
	    .parent = NONE };
	unsigned long long look = reader->used;
	size_t colon = str_find(item, ':');

	if (colon == item.len)
		reader->used++;
	else if (!str_number(item, &look))
		return false;
	else
		item = str_skip(item, colon + 1);
	if (look >= reader->looks || item.len == 0 || !is_digit(item.data[0]))
		return false;
	frame.name = reader->names[look];
	frame.count = folded_value(item);
	set_totals(&frame, frame.count);
	return isfinite(frame.count) && add_frame(reader, frame);
}

/* 5 12 0:3: a line for narrow frames, after the number of drawn ones. */
static bool
read_frames(struct reader *reader, struct drawing *drawing)
{
	unsigned long long drawn;
	struct str line;

	while (reader->rest.len > 0) {
		line = str_cut(&reader->rest, '\n');
		if (!str_number(str_cut(&line, ' '), &drawn) ||
		    !add_drawn(reader, drawing, drawn))
			return false;
		while (line.len > 0)
			if (!add_narrow(reader, str_cut(&line, ' ')))
				return false;
	}
	return add_drawn(reader, drawing, drawing->count - reader->drawn);
}

/* Finds levels by data-falls; see graph/counts.c. */
static bool
read_levels(struct drawing *drawing)
{
	struct str falls = drawing->falls;
	long long level = -1;
	uint32_t i;
	char c;

	for (i = 0; i < drawing->count; i++) {
		level++;
		do {
			if (falls.len == 0)
				return false;
			c = falls.data[0];
			falls = str_skip(falls, 1);
			if (!is_digit(c) && !is_lower(c))
				return false;
			level -= is_digit(c) ? c - '0' : c - 'a' + 10;
		} while (c == 'z');
		if (level < 0)
			return false;
		drawing->frames[i].level = level > DEEPEST ?
		    NONE : (uint32_t)level;
	}
	return falls.len == 0;
}

/*
 * Inserts the frames of the table between the drawn ones, and finds the levels
 * of all.  Returns NULL, or the reason why it cannot.
 */
static const char *
read_narrow(struct drawing *drawing, struct fold *fold)
{
	struct reader reader = { .count = 0 };
	struct str table = drawing->narrow;
	size_t len;
	bool good;

	/* comments keep texts short for readers of XML */
	while (table.len > 0) {
		len = str_search(table, STR("<!--"));
		text_add(&reader.table, str_take(table, len));
		table = skip_to(str_skip(table, len), STR("-->"));
	}
	reader.rest = text_str(&reader.table);
	read_looks(&reader, fold);
	good = read_frames(&reader, drawing);
	free(reader.table.data);
	free(reader.names);
	free(drawing->frames);
	drawing->frames = reader.frames;
	drawing->count = reader.count;
	drawing->has_levels = true;
	if (!good && reader.count == MOST_NARROW)
		return "it has too many frames";
	return good && read_levels(drawing) ? NULL :
	    "its table of narrow frames is damaged";
}

/* Finds the counts of all frames, drawn or not. */
static void
complete(struct drawing *drawing)
{
	struct count_reader totals = { .rest = drawing->totals };
	struct count_reader changes = { .rest = drawing->changes };
	struct count_reader befores = { .rest = drawing->befores };
	bool has_changes = drawing->changes.data != NULL;
	struct drawn_frame *frame, root;
	double scale;
	uint32_t i;

	drawing->differential |= has_changes;
	drawing->own_changes &= !has_changes;
	for (i = 1; i <= drawing->count; i++) {
		frame = &drawing->frames[i - 1];
		if (find_count(&totals, i)) {
			frame->has_count = true;
			frame->count = totals.count;
			set_totals(frame, frame->count);
		}
		if (has_changes)
			split_count(frame, drawing->widths,
			    find_count(&changes, i) ? changes.count : 0,
			    find_count(&befores, i) ? befores.count : 0);
	}
	/* derive missing counts from widths, and changes from per cents */
	root = drawing->frames[drawing->root];
	scale = root.width > 0 ? root.totals[SVG_AFTER] / root.width : 0;
	for (i = 0; i < drawing->count; i++) {
		frame = &drawing->frames[i];
		frame->change *= root.totals[SVG_AFTER] / 100;
		if (frame->has_count)
			continue;
		set_totals(frame, rint(frame->width * scale));
		drawing->guessed++;
	}
}

/* Returns NULL, or the reason why a picture is not a flame graph. */
static const char *
read_drawing(struct drawing *drawing, struct fold *fold, struct str svg)
{
	const char *reason = NULL;
	struct drawn_frame *frame;
	uint32_t i;

	read_tags(drawing, fold, svg);
	if (drawing->count == 0)
		return "no frame of a flame graph is in it";
	if (!str_contains(svg, STR("</svg>")))
		return "it is cut off: it has no </svg>";
	if (drawing->root == NONE)
		return "it has no root frame of 100 %";
	for (i = 0; drawing->factor > 0 && i < drawing->count; i++) {
		frame = &drawing->frames[i];
		frame->count /= drawing->factor;
		frame->totals[SVG_BEFORE] /= drawing->factor;
		frame->totals[SVG_AFTER] /= drawing->factor;
	}
	if (drawing->narrow.data != NULL)
		reason = read_narrow(drawing, fold);
	if (reason == NULL)
		complete(drawing);
	return reason;
}

/*
 * Parents.
 *
 * Rows are the different heights of frames, and the root has the lowest one, or
 * the highest if the picture hangs down.  Edges are rounded, all in the same
 * way.  So a frame is on the last one of the row below that does not begin
 * after it, unless that has no counts left: narrow frames may begin at the same
 * tenth of a pixel.
 *
 * In lanes, a row is the distance from the lane's first frame.
 */

/* A frame, for sorting. */
struct placed {
	uint32_t level, frame;
	double x;
	double left;		/* counts that are not yet of others on it */
};

static int
compare_places(const void *a, const void *b)
{
	const struct placed *one = a, *other = b;

	if (one->level != other->level)
		return one->level < other->level ? -1 : 1;
	if (one->x != other->x)
		return one->x < other->x ? -1 : 1;
	return one->frame < other->frame ? -1 : one->frame > other->frame;
}

static void
find_levels(struct drawing *drawing)
{
	struct placed *list = mem_array(drawing->count, sizeof(*list));
	const struct drawn_frame *lane = NULL;
	struct drawn_frame *frame;
	uint32_t row = 0, root, i;
	double at;

	/* number the rows: all levels are 0, and x is a height */
	for (i = 0; i < drawing->count; i++)
		list[i] = (struct placed){ .frame = i,
		    .x = drawing->frames[i].y };
	qsort(list, drawing->count, sizeof(*list), compare_places);
	for (i = 0; i < drawing->count; i++) {
		row += i > 0 && list[i].x != list[i - 1].x;
		drawing->frames[list[i].frame].level = row;
	}
	root = drawing->frames[drawing->root].level;
	for (i = 0; i < drawing->count; i++) {
		frame = &drawing->frames[i];
		if (frame->is_lane)
			lane = frame;
		at = root == 0 ? frame->level : (double)root - frame->level;
		if (lane != NULL)
			at = 1 + rint(fabs(frame->y - lane->y) /
			    (lane->height + ROW_GAP));
		frame->level = at >= 0 && at <= DEEPEST ? (uint32_t)at : NONE;
	}
	free(list);
}

/* Finds parents in a picture that draws them before their children. */
static void
follow_order(struct drawing *drawing)
{
	uint32_t *path = mem_array(DEEPEST + 1, sizeof(*path));
	struct drawn_frame *frame;
	uint32_t i, depth = 0;		/* frames of the path */

	for (i = drawing->root; i < drawing->count; i++) {
		frame = &drawing->frames[i];
		if (frame->level > depth || (frame->level == 0 && depth > 0))
			continue;
		if (frame->level > 0)
			frame->parent = path[frame->level - 1];
		path[frame->level] = i;
		depth = frame->level + 1;
	}
	free(path);
}

/*
 * Finds the parents of a row's frames in the row below: the last one that does
 * not begin after a frame, or the first of the 15 before it with enough counts.
 */
static void
place_row(struct drawing *drawing, struct placed *list, size_t below,
    size_t start, size_t end)
{
	size_t first = below, at, chosen, tried;
	const struct drawn_frame *other;
	struct drawn_frame *frame;

	for (at = start; at < end; at++) {
		frame = &drawing->frames[list[at].frame];
		while (below + 1 < start && list[below + 1].x <= list[at].x)
			below++;
		chosen = below;
		for (tried = 0; tried < 16 && tried <= below - first; tried++) {
			other = &drawing->frames[list[below - tried].frame];
			if (list[below - tried].left >=
			    frame->totals[SVG_AFTER] &&
			    other->x + other->width >= frame->x) {
				chosen = below - tried;
				break;
			}
		}
		list[chosen].left -= frame->totals[SVG_AFTER];
		frame->parent = list[chosen].frame;
	}
}

static void
find_places(struct drawing *drawing)
{
	struct placed *list = mem_array(drawing->count, sizeof(*list));
	size_t count = 0, below = 0, start, end;
	struct drawn_frame *frame;
	uint32_t i;

	for (i = 0; i < drawing->count; i++) {
		frame = &drawing->frames[i];
		if (frame->level != NONE &&
		    (frame->level > 0 || i == drawing->root))
			list[count++] = (struct placed){ frame->level, i,
			    frame->x, frame->totals[SVG_AFTER] };
	}
	qsort(list, count, sizeof(*list), compare_places);
	for (start = 1; start < count; below = start, start = end) {
		for (end = start; end < count &&
		    list[end].level == list[start].level; end++)
			continue;
		if (list[start].level > list[below].level + 1)
			break;
		place_row(drawing, list, below, start, end);
	}
	free(list);
}

static double *
counts_of(struct svg *svg, uint32_t stack)
{
	svg->counts = mem_grow_zero(svg->counts, &svg->room, (size_t)stack + 1,
	    sizeof(*svg->counts));
	return svg->counts[stack];
}

/* Makes of a difference what it would be without rounding. */
static double
settle(struct svg *svg, double own, double total)
{
	if (fabs(own) <= FRACTION * total)
		return 0;
	if (own >= 0 && isfinite(own))
		return own;
	svg->misplaced++;
	return 0;
}

static void
count_frame(struct svg *svg, const struct drawing *drawing, uint32_t number)
{
	struct drawn_frame *frame = &drawing->frames[number];
	double all = drawing->frames[drawing->root].totals[SVG_AFTER];
	double *own = frame->own, *counts;
	struct stack *stack = &svg->fold.stack;
	uint32_t name;
	size_t i;

	own[SVG_AFTER] = settle(svg, own[SVG_AFTER], frame->totals[SVG_AFTER]);
	if (drawing->own_changes) {
		/* the change was told to 0.01 % of all */
		own[SVG_BEFORE] = fmax(rint(own[SVG_AFTER] - frame->change), 0);
		svg->inexact += all / 10000 > 1 && frame->change != 0;
	} else if (drawing->differential)
		own[SVG_BEFORE] = settle(svg, own[SVG_BEFORE],
		    frame->totals[SVG_BEFORE]);
	else
		own[SVG_BEFORE] = own[SVG_AFTER];
	if (own[SVG_BEFORE] <= 0 && own[SVG_AFTER] <= 0)
		return;
	stack->depth = 0;
	for (; number != drawing->root; number = drawing->frames[number].parent)
		stack_push(stack, drawing->frames[number].name);
	if (stack->depth == 0)		/* the root has no name */
		stack_push(stack, fold_name(&svg->fold, NARROW));
	for (i = 0; reverse && i < stack->depth / 2; i++) {
		name = stack->frames[i];
		stack->frames[i] = stack->frames[stack->depth - 1 - i];
		stack->frames[stack->depth - 1 - i] = name;
	}
	counts = counts_of(svg, fold_number(&svg->fold));
	counts[SVG_BEFORE] += own[SVG_BEFORE];
	counts[SVG_AFTER] += own[SVG_AFTER];
	svg->fold.counts.samples++;
}

static void
fold_drawing(struct svg *svg, struct drawing *drawing)
{
	struct drawn_frame *frames = drawing->frames, *frame = frames;
	uint32_t i;
	int of;

	if (!drawing->has_levels)
		find_levels(drawing);
	if (drawing->ordered)
		follow_order(drawing);
	else
		find_places(drawing);
	/* subtract the counts of frames from their parents' */
	for (i = 0; i < drawing->count; i++, frame++) {
		if (i != drawing->root && frame->parent == NONE) {
			svg->misplaced++;
			continue;
		}
		for (of = 0; of < 2; of++) {
			frame->own[of] += frame->totals[of];
			if (i != drawing->root)
				frames[frame->parent].own[of] -=
				    frame->totals[of];
		}
	}
	for (i = 0, frame = frames; i < drawing->count; i++, frame++) {
		if (i == drawing->root || frame->parent != NONE)
			count_frame(svg, drawing, i);
		/* places alone do not tell what it is on */
		svg->narrow += !drawing->ordered && frame->width <= 0 &&
		    frame->totals[SVG_AFTER] > 0;
	}
	svg->differential |= drawing->differential;
	svg->guessed += drawing->guessed;
}

static const char *
fold_file(struct fold *fold, struct content *content)
{
	struct drawing drawing = { .root = NONE };
	struct str text;
	const char *reason = content_all(content, &text, MOST) ?
	    read_drawing(&drawing, fold, text) : content->trouble;

	if (reason == NULL)
		fold_drawing((struct svg *)fold, &drawing);
	free(drawing.frames);
	free(drawing.name.data);
	free(drawing.title.data);
	return reason;
}

static void
add_counts(void *fold, uint32_t number, struct text *line)
{
	struct svg *svg = fold;
	const double *counts = counts_of(svg, number);

	if (svg->differential) {
		folded_add_value(line, counts[SVG_BEFORE]);
		text_add_char(line, ' ');
	}
	folded_add_value(line, counts[SVG_AFTER]);
}

static void
report(struct fold *fold)
{
	const struct svg *svg = (const struct svg *)fold;

	if (svg->misplaced > 0)
		message_warn("frames without a parent, or wider than it: "
		    "%llu; their counts are wrong or left out", svg->misplaced);
	fold->lost |= svg->misplaced > 0;
	if (svg->narrow > 0)
		message_warn("frames too narrow to find their parent: %llu; "
		    "they may be in other stacks", svg->narrow);
	if (svg->guessed > 0)
		message_warn("counts without a title, estimated from the "
		    "widths of frames: %llu", svg->guessed);
	if (svg->inexact > 0)
		message_warn("counts of before, known only to 0.01 %% of the "
		    "total: %llu", svg->inexact);
}

static const struct option options[] = {
	{ "reverse", OPTION_FLAG, &reverse, NULL,
	    "turn the stacks over, of a picture with --reverse" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

const struct format collapser = {
	.kind = &kinds[KIND_SVG], .size = sizeof(struct svg),
	.file = fold_file, .report = report, .counts = add_counts,
	.nothing = "no frame has a count",
	.options = options,
};
