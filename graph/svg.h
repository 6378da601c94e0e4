/*
 * svg: pieces of an SVG file, added to a text.
 *
 * Text to escape must be clean (utf8_clean).  With `ascii` other characters are
 * references, &#x2192;, which are right in any encoding the file may name.
 */
#ifndef SVG_H
#define SVG_H

#include "colour.h"
#include "lib/text.h"

/* Adds text as the content of an element. */
void svg_text(struct text *svg, struct str s, bool ascii);

/* Adds text as the value of an attribute, without the quotes. */
void svg_value(struct text *svg, struct str s, bool ascii);

void svg_attribute(struct text *svg, const char *name, struct str value,
    bool ascii);

/* The part of a name that is left out. */
enum label_cut {
	LABEL_END,	/* "org/apache/spa.." */
	LABEL_MIDDLE,	/* "org/ap..ute$1" */
	LABEL_FRONT	/* "..scheduler.run" */
};

/* By enum label_cut, and NULL. */
extern const char *const svg_cuts[];

/*
 * Adds a clean name, as svg_text does.  ".." replaces a part if it has more
 * than `room` characters; room is at least three.
 */
void svg_label(struct text *svg, struct str name, size_t room,
    enum label_cut cut, bool ascii);

/* Adds a number with up to two digits after the point: "12", "10.25". */
void svg_number(struct text *svg, double number);

void svg_number_attribute(struct text *svg, const char *name, double number);

/* Adds a number as printf("%.2f", number) does. */
void svg_percent(struct text *svg, double number);

/* Adds a number of hundredths: 150 is "1.5". */
void svg_hundredths(struct text *svg, long long hundredths);

/* Returns number times 10 or 100, rounded as printf("%.*f", decimals) does. */
long long svg_scale(double number, int decimals);

/* Adds "#a0b0c0", or "#abc" if that is the same. */
void svg_colour(struct text *svg, struct colour colour);

/*
 * Sets `*ascii` for an encoding other than UTF-8; "" is UTF-8.  XML knows UTF-8
 * by no other name, so the name is corrected.  Returns false if the encoding
 * does not begin with ASCII.
 */
bool svg_encoding(const char **name, bool *ascii);

#endif
