/*
 * stackcollapse-xctrace: folds the samples of Instruments' Time Profiler that
 * xctrace exports as XML, one in a row:
 *
 *	<row><backtrace id="10">
 *	    <frame id="11" name="read" addr="0x18d"><binary ref="2"/></frame>
 *	    <frame id="13" name="main" addr="0x104"/>
 *	</backtrace></row>
 *	<row><backtrace id="15"><frame ref="13"/></backtrace></row>
 *	<row><backtrace ref="10"/></row>
 *
 * These are two stacks:
 *
 *	main 1
 *	main;read 2
 *
 * An element with an id comes whole once, and later by a reference to the id.
 * A <tagged-backtrace> is around a backtrace or, since Xcode 27, around frames.
 */
#include <string.h>

#include "collapse/xml.h"
#include "fold/collapse.h"
#include "lib/message.h"
#include "symbols/demangle/demangle.h"

/* The meanings of ids: numbers of names, or of backtraces. */
struct meanings {
	struct table ids;
	uint32_t *list;		/* by an id's number */
	size_t room;
};

/* The tags that matter; all but the last have ids. */
enum tag { FRAME, BACKTRACE, TAGGED, ROW, EXPORT, TAGS };

/* The elements of a type; later ones may refer to one with an id. */
struct element {
	struct meanings known;
	struct text id;		/* of the one being read, or empty; unused of
				   frames */
};

/* Frames among those of all backtraces. */
struct frame_range {
	size_t start, count;
	uint32_t stack;		/* their number, once a row has them */
};

#define NO_STACK	UINT32_MAX

#define MOST_LINES	16	/* of a tag; xctrace writes one */

struct xctrace {
	struct fold fold;
	struct text tag;	/* that began in an earlier line, or empty */
	size_t tag_lines;
	const char *export;	/* the file of an export that has not ended */
	struct element elements[EXPORT];
	struct stack all;	/* frames of all backtraces, leaves first */
	struct frame_range *list;	/* the backtraces */
	uint32_t count;
	size_t room;
	uint32_t current;	/* of the row */
	bool in_row;
	bool in_backtrace;	/* the current one; it gets frames */
	bool has_backtrace;	/* `current` is right */
	struct text name, made;
	size_t unknown;		/* references to ids that never came */
};

static void
add_meaning(struct meanings *meanings, struct str id, uint32_t meaning)
{
	uint32_t number = table_add(&meanings->ids, id);

	*LIST_AT(meanings->list, number, meanings->room) = meaning;
}

/* Finds the meaning of an id; false, and it counts, if it is unknown. */
static bool
find_meaning(struct xctrace *xctrace, const struct meanings *meanings,
    struct str id, uint32_t *meaning)
{
	uint32_t number = table_find(&meanings->ids, id);

	if (number == TABLE_NONE) {
		xctrace->unknown++;
		return false;
	}
	*meaning = meanings->list[number];
	return true;
}

/* Returns the number of a name, on one line, and demangled if it is Rust's. */
static uint32_t
read_name(struct xctrace *xctrace, struct str value)
{
	struct str name = value;
	size_t i;

	if (str_find(value, '&') < value.len ||
	    str_find(value, '\n') < value.len) {
		xctrace->name.len = 0;
		xml_add_text(&xctrace->name, value);
		for (i = 0; i < xctrace->name.len; i++)
			if (xctrace->name.data[i] == '\n')
				xctrace->name.data[i] = ' ';
		name = text_str(&xctrace->name);
	}
	xctrace->made.len = 0;
	if (rust_add_path(&xctrace->made, name))
		name = text_str(&xctrace->made);
	return fold_name(&xctrace->fold, name);
}

static void
add_backtrace(struct xctrace *xctrace)
{
	xctrace->current = xctrace->count;
	*LIST_ADD(xctrace->list, xctrace->count, xctrace->room) =
	    (struct frame_range){ xctrace->all.depth, 0, NO_STACK };
	xctrace->has_backtrace = xctrace->in_backtrace = true;
}

static void
read_frame(struct xctrace *xctrace, struct str tag)
{
	struct meanings *frames = &xctrace->elements[FRAME].known;
	struct str id, name;
	uint32_t frame;

	if (!xctrace->in_backtrace && !xctrace->in_row &&
	    xctrace->elements[TAGGED].id.len == 0)
		return;
	if (xml_attribute(tag, STR("ref"), &id)) {
		if (!find_meaning(xctrace, frames, id, &frame))
			return;
	} else if (xml_attribute(tag, STR("name"), &name)) {
		frame = read_name(xctrace, name);
		if (xml_attribute(tag, STR("id"), &id))
			add_meaning(frames, id, frame);
	} else {
		fold_note_odd(&xctrace->fold);
		return;
	}
	if (!xctrace->in_backtrace)
		add_backtrace(xctrace);
	stack_push(&xctrace->all, frame);
	xctrace->list[xctrace->current].count++;
}

/*
 * Ends an element.  Rows that have the same backtrace share its number, so that
 * a row takes no more time than its text.
 */
static void
end_element(struct xctrace *xctrace, enum tag type)
{
	struct element *element = &xctrace->elements[type];
	struct stacks *stacks = &xctrace->fold.stacks;
	struct frame_range *range;
	uint32_t unnamed;

	if (type == ROW && xctrace->in_row && xctrace->has_backtrace) {
		range = &xctrace->list[xctrace->current];
		if (range->stack == NO_STACK && range->count == 0) {
			unnamed = fold_name(&xctrace->fold, STR(""));
			stacks_number(stacks, &unnamed, &(size_t){ 1 }, 1,
			    &range->stack);
		} else if (range->stack == NO_STACK)
			stacks_number(stacks, xctrace->all.frames +
			    range->start, &range->count, 1, &range->stack);
		fold_count_number(&xctrace->fold, range->stack, 1);
	}
	if (xctrace->has_backtrace && element->id.len > 0)
		add_meaning(&element->known, text_str(&element->id),
		    xctrace->current);
	element->id.len = 0;
	xctrace->in_backtrace = false;
	if (type == ROW)
		xctrace->in_row = false;
}

/* Begins an element; a reference has the backtrace that it refers to. */
static void
begin_element(struct xctrace *xctrace, enum tag type, struct str tag)
{
	struct element *element = &xctrace->elements[type];
	struct str value;
	bool refers = xml_attribute(tag, STR("ref"), &value);

	if (type == ROW)
		xctrace->in_row = xctrace->in_backtrace = false;
	if (!xctrace->in_row)
		xctrace->has_backtrace = false;
	element->id.len = 0;
	if (refers)
		xctrace->has_backtrace |= find_meaning(xctrace,
		    &element->known, value, &xctrace->current);
	else if (xml_attribute(tag, STR("id"), &value))
		text_add(&element->id, value);
	if (type == BACKTRACE && !refers)
		add_backtrace(xctrace);
	if (type == ROW)
		xctrace->in_row = true;
	if (str_ends(tag, STR("/")) &&
	    (type == ROW || (type == BACKTRACE && !refers)))
		end_element(xctrace, type);
}

static void
begin_export(struct xctrace *xctrace)
{
	int i;

	/* each export has its own ids */
	for (i = 0; i < EXPORT; i++)
		table_free(&xctrace->elements[i].known.ids);
	xctrace->export = xctrace->fold.input.name;
	xctrace->all.depth = 0;
	xctrace->count = 0;
	xctrace->in_row = xctrace->in_backtrace = false;
	xctrace->elements[TAGGED].id.len = 0;
	xctrace->fold.recognized = true;
}

/* Returns the tag of this name, "row" or "/row"; TAGS if it does not matter. */
static enum tag
find_tag(struct str name, bool ends)
{
	static const struct str names[] = { { "frame", 5 },
		{ "backtrace", 9 }, { "tagged-backtrace", 16 },
		{ "row", 3 }, { "trace-query-result", 18 } };
	enum tag tag = ends ? BACKTRACE : FRAME;  /* "/frame" does nothing */

	name = str_skip(name, ends);
	while (tag != TAGS && !str_equal(name, names[tag]))
		tag++;
	return tag;
}

/* Reads the tags of a text; returns an incomplete one, from its '<'. */
static struct str
read_tags(struct xctrace *xctrace, struct str text)
{
	struct str attributes, name;
	enum tag tag;
	size_t end;
	bool ends;

	for (;;) {
		text = str_skip(text, str_find(text, '<'));
		if (text.len == 0)
			return text;
		attributes = str_skip(text, 1);
		name = xml_cut_name(&attributes);
		ends = str_starts(name, STR("/"));
		tag = find_tag(name, ends);
		if (tag != TAGS)
			end = xml_tag_end(text);
		else {
			/* most do not matter; no value has a '<' */
			end = str_find(str_skip(text, 1), '<');
			if (end + 1 >= text.len &&
			    str_find(text, '>') == text.len)
				end = text.len;
		}
		if (end == text.len)
			return text;
		attributes.len -= tag == TAGS ? 0 : text.len - end;
		if (tag == FRAME)
			read_frame(xctrace, attributes);
		else if (tag == EXPORT && ends)
			xctrace->export = NULL;
		else if (tag == EXPORT)
			begin_export(xctrace);
		else if (tag < EXPORT && ends)
			end_element(xctrace, tag);
		else if (tag < EXPORT)
			begin_element(xctrace, tag, attributes);
		text = str_skip(text, end + 1);
	}
}

static void
fold_line(struct fold *fold, struct str line)
{
	struct xctrace *xctrace = (struct xctrace *)fold;
	struct text *tag = &xctrace->tag;
	struct str rest;

	if (line.len > 0)
		fold_note_line(fold, line);
	if (tag->len > 0 && ++xctrace->tag_lines == MOST_LINES) {
		fold_note_odd(fold);
		tag->len = 0;
	}
	if (tag->len == 0) {
		rest = read_tags(xctrace, line);
		text_add(tag, rest);
		xctrace->tag_lines = 0;
	} else {
		text_add_char(tag, '\n');
		text_add(tag, line);
		if (str_find(line, '>') == line.len)
			return;
		rest = read_tags(xctrace, text_str(tag));
		if (rest.len > 0)
			memmove(tag->data, rest.data, rest.len);
		if (rest.len < tag->len)
			xctrace->tag_lines = 0;
		tag->len = rest.len;
	}
}

/* Begins anew at the start of an export. */
static bool
goes_on(struct fold *fold, struct str line)
{
	(void)fold;
	return !str_starts(line, STR("<?xml"));
}

static void
end(struct fold *fold)
{
	struct xctrace *xctrace = (struct xctrace *)fold;

	if (fold->recognized && (xctrace->in_row || xctrace->tag.len > 0))
		fold_cut(fold);
	else if (xctrace->export != NULL) {
		message_warn("%s: it is cut off: it has no "
		    "</trace-query-result>", xctrace->export);
		fold->lost = true;
	}
	xctrace->export = NULL;
	xctrace->in_row = false;
	xctrace->tag.len = 0;
}

static void
report(struct fold *fold)
{
	const struct xctrace *xctrace = (const struct xctrace *)fold;

	fold_report_lost(fold, "references to unknown frames and stacks, left "
	    "out", xctrace->unknown);
}

const struct format collapser = {
	.kind = &kinds[KIND_XCTRACE], .size = sizeof(struct xctrace),
	.line = fold_line, .goes_on = goes_on, .end = end,
	.report = report,
	.nothing = "no row with a stack was found",
};
