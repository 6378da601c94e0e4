#include <math.h>
#include <stdlib.h>

#include "collapse/xml.h"
#include "drawing.h"
#include "fold/folded.h"

#define MOST	((uint32_t)1 << 24)	/* frames, of two bytes each */

/* The table while it is read. */
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
	if (reader->count == MOST)
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
	    .parent = DRAWING_NONE };
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
	frame.totals[SVG_BEFORE] = frame.totals[SVG_AFTER] = frame.count;
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
		drawing->frames[i].level = level > DRAWING_DEEPEST ?
		    DRAWING_NONE : (uint32_t)level;
	}
	return falls.len == 0;
}

const char *
narrow_read(struct drawing *drawing, struct fold *fold)
{
	struct reader reader = { .count = 0 };
	struct str table = drawing->narrow;
	uint32_t root = drawing->root;
	size_t len;
	bool good;

	/* comments keep texts short for readers of XML */
	while (table.len > 0) {
		len = str_search(table, STR("<!--"));
		text_add(&reader.table, str_take(table, len));
		table = str_skip(table, len);
		len = str_search(table, STR("-->"));
		table = str_skip(table, len + (len < table.len ? 3 : 0));
	}
	reader.rest = text_str(&reader.table);
	read_looks(&reader, fold);
	good = read_frames(&reader, drawing);
	free(reader.table.data);
	free(reader.names);
	if (!good) {
		drawing->root = root;
		free(reader.frames);
		return reader.count == MOST ? "it has too many frames" :
		    "its table of narrow frames is damaged";
	}
	free(drawing->frames);
	drawing->frames = reader.frames;
	drawing->count = reader.count;
	drawing->has_levels = true;
	return read_levels(drawing) ? NULL :
	    "its table of narrow frames is damaged";
}
