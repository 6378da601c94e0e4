/*
 * axis: time below a flame chart, whose counts are time:
 *
 *	|        |        |        |        |        |
 *	0      0.5 s     1 s     1.5 s     2 s     2.5 s
 */
#ifndef AXIS_H
#define AXIS_H

#include "measure.h"

/* Stores how many seconds one ns, us, ms or s is; false for another name. */
bool axis_unit(const char *name, double *seconds);

/* Draws the axis of a picture that has one; the viewer redraws it in a zoom. */
void axis_draw(struct picture *picture);

#endif
