#include <libxml/parser.h>
#include <math.h>
#include <stdlib.h>

#include "picture.h"

/* Tenths of a pixel, by which a frame's edges may be off. */
#define ROUNDING	1.01

/* A frame, with places in tenths of a pixel. */
struct frame {
	double left, width, level;
	double count, self;		/* self: -1 where it is not told */
	double right_child;		/* the end of its last child so far */
	double child_counts;
	uint32_t parent;
	bool is_drawn;
};

struct frames {
	struct frame *list;
	size_t count, room;
	bool in_lanes;
	double lane;			/* the upper edge of its first frame */
	double axis;			/* the count of the full width, or 0 */
	struct str falls;		/* digits of the frames to come */
	double level;			/* of the last frame, by these */
	struct str narrow;		/* the table, from the next frame on */
	double drawn;			/* frames that come before that */
};

/* Copies text of libxml2 to memory that is freed when the target returns. */
static struct str
take_text(xmlChar *text)
{
	struct text copy = { 0 };

	if (text == NULL)
		return (struct str){ NULL, 0 };
	text_add(&copy, str_from((char *)text));
	text_add_char(&copy, '\0');
	copy.len--;
	xmlFree(text);
	return text_str(&copy);
}

/* Returns an attribute; its data is NULL where the element lacks it. */
static struct str
attribute(const xmlNode *element, const char *name)
{
	return take_text(xmlGetProp(element, BAD_CAST name));
}

static bool
is_called(const xmlNode *element, const char *name)
{
	return element != NULL && strcmp((const char *)element->name, name) == 0;
}

/* A number of these characters, after which a unit may come. */
static double
read_number(struct str s, const char *others, const char *unit)
{
	char digits[64] = "", *end;
	double value;

	require(s.data != NULL && s.len > 0 && s.len < sizeof(digits),
	    "a number");
	memcpy(digits, s.data, s.len);
	require(is_digit(digits[digits[0] == '-']) &&
	    strspn(digits + 1, others) == s.len - 1, "no other number");
	value = strtod(digits, &end);
	require(*end == '\0' || strcmp(end, unit) == 0, "a whole number");
	return value;
}

/* In tenths; "%" is in a picture that fills the window. */
static double
number(struct str s)
{
	double value = read_number(s, "0123456789.%", "%");

	return value * (str_ends(s, STR("%")) ? 100 : 10);
}

/* "name (1,234 samples, 12.34%)" */
static double
title_count(struct str title)
{
	struct str part = str_skip(title, str_find_last(title, '('));
	double count = 0;

	require(part.len > 0, "a title with counts");
	for (part = str_skip(part, 1); part.len > 0 &&
	    (is_digit(part.data[0]) || part.data[0] == ',');
	    part = str_skip(part, 1))
		if (part.data[0] != ',')
			count = count * 10 + (part.data[0] - '0');
	require(str_starts(part, STR(" ")), "a title with a count");
	return count;
}

/* No attribute's name or link may run anything. */
static void
check_attributes(xmlNode *element)
{
	struct str name, value;
	char scheme[sizeof("javascript:")];
	xmlAttr *at;
	size_t i, len;

	for (at = element->properties; at != NULL; at = at->next) {
		name = str_from((const char *)at->name);
		require(name.len <= 2 || !str_starts_any_case(name, STR("on")),
		    "no handler of events");
		if (!str_equal(name, STR("href")))
			continue;
		value = attribute(element, "href");
		for (i = len = 0; i < value.len && len < sizeof(scheme) - 1; i++)
			if (!is_blank(value.data[i]))
				scheme[len++] = lower(value.data[i]);
		scheme[len] = '\0';
		require(strcmp(scheme, "javascript:") != 0 &&
		    strncmp(scheme, "vbscript:", 9) != 0 &&
		    strncmp(scheme, "data:", 5) != 0, "no script in a link");
	}
}

/* Checks an element and what it contains; returns how many are scripts. */
static int
check_elements(xmlNode *element)
{
	int scripts = is_called(element, "script");
	xmlNode *child = xmlFirstElementChild(element);

	check_attributes(element);
	for (; child != NULL; child = xmlNextElementSibling(child))
		scripts += check_elements(child);
	return scripts;
}

static void
check_place(struct frames *frames, struct frame *frame)
{
	struct frame *parent = &frames->list[frame->parent];
	double right = frame->left + frame->width;

	parent->child_counts += frame->count;
	if (!frame->is_drawn || !parent->is_drawn)
		return;
	require(frame->left >= parent->left - ROUNDING &&
	    right <= parent->left + parent->width + ROUNDING,
	    "no frame outside its parent");
	require(frame->left >= parent->right_child - ROUNDING ||
	    (frames->in_lanes && frame->level == 1),
	    "no frame over its neighbour");
	parent->right_child = right;
}

static void
check_counts(const struct frames *frames)
{
	const struct frame *root = &frames->list[0], *frame;
	double axis = frames->in_lanes ? frames->axis : root->count, width;
	size_t i;

	for (i = 0; i < frames->count; i++) {
		frame = &frames->list[i];
		require(frame->child_counts + (frame->self > 0 ? frame->self :
		    0) <= frame->count, "counts add up");
		/* The axis is not told without a viewer, nor as wide as all. */
		if (axis <= 0 || !frame->is_drawn ||
		    (frames->in_lanes && i == 0))
			continue;
		width = frame->count / axis * root->width - frame->width;
		require(width <= ROUNDING && (width >= -ROUNDING ||
		    (frames->in_lanes && frame->level < 2)),
		    "as wide as its counts");
	}
}

/* Returns the frame that is drawn right below this one. */
static uint32_t
find_parent(const struct frames *frames, const struct frame *frame)
{
	const struct frame *last = &frames->list[frames->count - 1];

	require(frame->level > 0, "one root");
	while (last->level >= frame->level)
		last = &frames->list[last->parent];
	require(last->level == frame->level - 1,
	    "a frame is on another");
	return (uint32_t)(last - frames->list);
}

static void
list_frame(struct frames *frames, struct frame frame)
{
	if (frames->count > 0) {
		frame.parent = find_parent(frames, &frame);
		check_place(frames, &frame);
	}
	frames->list = mem_grow(frames->list, &frames->room,
	    frames->count + 1, sizeof(*frames->list));
	frames->list[frames->count++] = frame;
}

/* "0012": a digit in base 36 a frame: 0 is a child of the frame before it. */
static double
next_level(struct frames *frames)
{
	int digit;

	frames->level++;
	do {
		require(frames->falls.len > 0, "a digit for each frame");
		digit = is_digit(frames->falls.data[0]) ?
		    frames->falls.data[0] - '0' :
		    frames->falls.data[0] - 'a' + 10;
		frames->level -= digit;
		frames->falls = str_skip(frames->falls, 1);
	} while (digit == 35);
	return frames->level;
}

/* "2 7 0:3": adds frames of the table up to the next one that is drawn. */
static void
add_narrow(struct frames *frames)
{
	struct str *rest = &frames->narrow, item;
	struct frame frame = { .self = -1 };
	bool is_first;
	size_t len;

	while (frames->drawn == 0 && rest->len > 0) {
		is_first = rest->data[0] == '\n';
		item = *rest = str_skip(*rest, 1);
		for (len = 0; len < item.len && item.data[len] != ' ' &&
		    item.data[len] != '\n'; len++)
			continue;
		item = str_take(item, len);
		*rest = str_skip(*rest, len);
		if (is_first) {
			frames->drawn = read_number(item, "0123456789", "");
			continue;
		}
		len = str_find(item, ':');
		frame.count = read_number(len < item.len ?
		    str_skip(item, len + 1) : item, "0123456789.e+", "");
		frame.level = next_level(frames);
		list_frame(frames, frame);
	}
}

static void
add_frame(struct frames *frames, xmlNode *group, double *base,
    const struct look *look)
{
	xmlNode *title = group->children, *rect;
	struct frame frame = { .self = -1, .is_drawn = true };
	double y;

	require(is_called(title, "title") && is_called(title->next, "rect"),
	    "a frame's elements");
	rect = title->next;
	y = number(attribute(rect, "y"));
	add_narrow(frames);
	frames->drawn -= frames->drawn > 0;
	require(attribute(rect, "fill").data != NULL, "a colour");
	frame.left = number(attribute(rect, "x"));
	frame.width = number(attribute(rect, "width"));
	if (frames->count == 0)
		*base = y;
	frame.level = rint(fabs(y - *base) / (look->height * 10));
	if (look->lanes && frames->count > 0) {
		if (attribute(group, "data-lane").data != NULL)
			frames->lane = y;
		frame.level = 1 + rint(fabs(y - frames->lane) /
		    (look->height * 10));
	}
	if (look->counts)
		frame.count = title_count(take_text(xmlNodeGetContent(title)));
	if (frames->falls.data != NULL)
		require(next_level(frames) == frame.level, "a frame's level");
	list_frame(frames, frame);
}

/* "7 12:3": own counts, of the first frame and of the twelfth after it */
static void
read_selves(struct frames *frames, struct str list)
{
	struct str item, value;
	size_t at = 0, colon;

	while (list.len > 0) {
		item = str_take(list, str_find(list, ' '));
		list = str_skip(list, item.len + (item.len < list.len));
		colon = str_find(item, ':');
		value = colon < item.len ? str_skip(item, colon + 1) : item;
		at += colon == item.len ? 1 :
		    (size_t)number(str_take(item, colon)) / 10;
		require(at >= 1 && at <= frames->count, "a frame's count");
		frames->list[at - 1].self = number(value) / 10;
	}
}

static void
check_lists(const xmlNode *script, struct frames *frames, bool counts)
{
	struct str selves = attribute(script, "data-self");
	struct str spans = attribute(script, "data-span");

	/* the first one is that of the root, unless it is its count */
	spans = str_take(spans, str_find(spans, ' '));
	if (frames->count > 0)
		frames->axis = spans.len == 0 || str_contains(spans, STR(":")) ?
		    frames->list[0].count : read_number(spans, "0123456789.e+", "");
	if (counts && selves.data != NULL)
		read_selves(frames, selves);
}

/*
 * Finds the levels of frames and the table of those that are not drawn.
 * Returns the group of the others, or NULL.
 */
static xmlNode *
find_frames(xmlNode *svg, struct frames *frames)
{
	xmlNode *element = xmlFirstElementChild(svg), *group = NULL;
	struct str value, table;

	frames->level = -1;
	for (; element != NULL; element = xmlNextElementSibling(element)) {
		value = attribute(element, "data-falls");
		if (value.data != NULL)
			frames->falls = value;
		if (str_equal(attribute(element, "id"), STR("frames")))
			group = element;
		if (!is_called(element, "metadata"))
			continue;
		table = take_text(xmlNodeGetContent(element));
		frames->narrow = str_skip(table,
		    str_search(table, STR("\n\n")) + 1);
	}
	return group;
}

/* Other encodings, which the parser may not know, are declared of ASCII. */
static xmlDoc *
read_xml(struct str svg)
{
	xmlParserCtxt *context = xmlNewParserCtxt();
	xmlDoc *document = xmlCtxtReadMemory(context, svg.data, (int)svg.len,
	    NULL, "UTF-8", XML_PARSE_NONET | XML_PARSE_NOERROR |
	    XML_PARSE_NOWARNING | XML_PARSE_NOCDATA | XML_PARSE_IGNORE_ENC);

	require(document != NULL && context->wellFormed &&
	    context->nsWellFormed && context->errNo == 0, "well-formed XML");
	require(document->intSubset == NULL, "no document type");
	xmlFreeParserCtxt(context);
	return document;
}

double
picture_check(struct str svg, const struct look *look)
{
	struct frames frames = { .in_lanes = look->lanes };
	xmlDoc *document = read_xml(svg);
	xmlNode *root = xmlDocGetRootElement(document), *group, *last;
	double base = 0;

	require(is_called(root, "svg"), "an SVG picture");
	require(check_elements(root) <= 1, "one script");
	group = find_frames(root, &frames);
	group = group == NULL ? NULL : xmlFirstElementChild(group);
	for (; group != NULL; group = xmlNextElementSibling(group))
		add_frame(&frames, group, &base, look);
	add_narrow(&frames);
	require(frames.drawn == 0 && frames.narrow.len == 0 &&
	    frames.falls.len == 0, "no other frame");
	last = xmlLastElementChild(root);
	if (is_called(last, "script"))
		check_lists(last, &frames, look->counts);
	xmlFreeDoc(document);
	if (!look->counts || frames.count == 0)
		return 0;
	check_counts(&frames);
	return frames.list[0].count;
}
