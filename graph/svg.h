/*
 * svg: pieces of an SVG file, added to a text.
 *
 * Whatever is escaped here must be clean text (utf8_clean).  With `ascii` set,
 * other characters are written as references, &#x2192;, which is right in any
 * encoding that the file may claim.
 */
#ifndef SVG_H
#define SVG_H

#include "../lib/text.h"
#include "palette.h"

/* Text as content of an element. */
void svg_text(struct text *svg, struct str s, bool ascii);

/* Text as the value of an attribute, without the quotes. */
void svg_value(struct text *svg, struct str s, bool ascii);

/* " NAME=\"VALUE\"" */
void svg_attribute(struct text *svg, const char *name, struct str value,
    bool ascii);

/* A number with at most two digits behind the point: "12", "0.5", "10.25". */
void svg_number(struct text *svg, double number);

/* A number with two digits behind the point, as printf("%.2f", number). */
void svg_percent(struct text *svg, double number);

/* A number as printf("%.0f", number), and with commas: "12345", "12,345". */
void svg_whole(struct text *svg, double number);
void svg_thousands(struct text *svg, double number);

/* A number of hundredths: 150 is "1.5". */
void svg_hundredths(struct text *svg, long long hundredths);

/* A number of tenths: 15 is "1.5". */
void svg_tenths(struct text *svg, long long tenths);

/* How many tenths printf("%.1f", number) prints. */
long long svg_to_tenths(double number);

/* "#a0b0c0", or "#abc" where that is the same. */
void svg_colour(struct text *svg, struct colour colour);

#endif
