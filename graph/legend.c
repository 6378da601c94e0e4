#include <stdlib.h>

#include "legend.h"

/* U+25A0, a square that is as wide as the reader's font has it. */
#define SQUARE	STR("\xE2\x96\xA0")
#define GAP	6	/* pixels before a square */

static void
open_line(struct picture *picture)
{
	struct text *svg = &picture->svg;

	text_add_format(svg, "<text id=\"legend\" x=\"%d\" y=\"",
	    PICTURE_SIDE - GAP);
	svg_number(svg, picture->full_height - picture->font_size / 4);
	text_add(svg, STR("\" font-size=\""));
	svg_number(svg, picture->font_size * 5 / 6);
	text_add(svg, STR("\">"));
}

/* Adds a square of this colour, and what it means. */
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
	text_add(svg, meaning);
	text_add_char(svg, '\n');
}

/*
 * Adds as many halves of the change that has the full colour: the words for
 * one, the change as tooltips tell it, in per cent, for two.
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

/* Adds the frames of one profile alone, and what is no more than chance. */
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
		add_entry(picture, palette_difference(palette, 0, 1),
		    str_from(chance));
	}
}

/* True if there is a function of that kind. */
static bool
is_used(const struct picture *picture, const struct kind *kind)
{
	return kind->name != NULL &&
	    (picture->palette.used >> kind->hue & 1) != 0;
}

static void
add_kinds(struct picture *picture)
{
	const struct kind *kinds = picture->palette.scheme->kinds;
	size_t i;

	for (i = 0; i < SCHEME_KINDS; i++)
		if (is_used(picture, &kinds[i]))
			add_entry(picture, palette_sample(kinds[i].hue),
			    str_from(kinds[i].name));
}

bool
legend_is_there(const struct picture *picture)
{
	return picture->legend && (picture->tree->changes != NULL ||
	    (picture->map == NULL &&
	    picture->palette.scheme->kinds[0].name != NULL));
}

void
legend_draw(struct picture *picture)
{
	bool differential = picture->tree->changes != NULL;
	int halves;

	if (!legend_is_there(picture))
		return;
	open_line(picture);
	for (halves = -2; differential && halves <= 2; halves++)
		add_change(picture, halves);
	if (differential)
		add_sides(picture);
	else
		add_kinds(picture);
	text_add(&picture->svg, STR("</text>\n"));
}
