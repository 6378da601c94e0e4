/* graph/viewer/axis.js does the same for the view of a zoom. */
#include <math.h>
#include <stdlib.h>

#include "axis.h"

#define TICK		4	/* pixels */
#define LABEL		6	/* sizes of the font, from one to the next */

static const struct {
	const char *name;
	double seconds;
} units[] = { { "s", 1 }, { "ms", 1e-3 }, { "us", 1e-6 }, { "ns", 1e-9 } };

#define UNITS	(sizeof(units) / sizeof(*units))

bool
axis_unit(const char *name, double *seconds)
{
	size_t i;

	for (i = 0; i < UNITS; i++)
		if (strcmp(name, units[i].name) == 0) {
			*seconds = units[i].seconds;
			return true;
		}
	return false;
}

/* Returns 1, 2, 5 or 10 times a power of ten, the least that is not less. */
static double
find_step(double least)
{
	double power = pow(10, floor(log10(least)));

	return power * (least <= power ? 1 : least <= 2 * power ? 2 :
	    least <= 5 * power ? 5 : 10);
}

/* Returns how wide the frames are, in pixels. */
static double
inner_width(const struct picture *picture)
{
	return (double)picture->width - 2 * PICTURE_SIDE;
}

/* Returns how wide a label is, in pixels. */
static double
label_width(const struct picture *picture, const char *label)
{
	return (double)strlen(label) * picture->font_size * 5 / 6 *
	    picture->font_width;
}

/*
 * Adds a tick at a part of the width, with its time in the middle below, or
 * where that would not be in the picture to its left.
 */
static void
add_tick(struct picture *picture, double part, const char *label)
{
	double x = PICTURE_SIDE + part * inner_width(picture);
	bool fits = x + label_width(picture, label) / 2 <=
	    (double)picture->width;
	struct text *svg = &picture->svg;
	struct text place = { 0 };

	svg_number(&place, picture->fluid ? x * 100 / PICTURE_FLUID : x);
	if (picture->fluid)
		text_add_char(&place, '%');
	text_add_format(svg, "<line x1=\"%.*s\" x2=\"%.*s\" y1=\"",
	    (int)place.len, place.data, (int)place.len, place.data);
	svg_number(svg, picture->axis_top);
	text_add(svg, STR("\" y2=\""));
	svg_number(svg, picture->axis_top + TICK);
	text_add_format(svg, "\"/><text x=\"%.*s\" y=\"", (int)place.len,
	    place.data);
	svg_number(svg, picture->axis_top + TICK + picture->font_size * 5 / 6);
	text_add_format(svg, "\"%s>%s</text>\n",
	    fits ? "" : " class=\"end\"", label);
	free(place.data);
}

void
axis_draw(struct picture *picture)
{
	double length = picture->time * picture->factor * picture->axis, step;
	struct text *svg = &picture->svg;
	char label[400];
	size_t unit = 0;
	int decimals, i;

	if (picture->axis <= 0)
		return;
	step = find_step(length * picture->font_size * LABEL /
	    inner_width(picture));
	while (unit < UNITS - 1 && length < units[unit].seconds)
		unit++;
	decimals = (int)fmax(0, -floor(log10(step / units[unit].seconds *
	    (1 + 1e-9))));
	text_add_format(svg, "<g id=\"axis\" data-unit=\"%g\" font-size=\"",
	    picture->axis);
	svg_number(svg, picture->font_size * 5 / 6);
	text_add(svg, STR("\">\n"));
	for (i = 0; i * step <= length * (1 + 1e-9); i++) {
		snprintf(label, sizeof(label), "%.*f %s", decimals,
		    i * step / units[unit].seconds, units[unit].name);
		add_tick(picture, i * step / length, i > 0 ? label : "0");
	}
	text_add(svg, STR("</g>\n"));
}
