/*
 * encoding: the encoding that a picture says it is in.
 */
#ifndef ENCODING_H
#define ENCODING_H

#include <stdbool.h>

/*
 * Chooses how characters are written for an encoding of this name, "" for none
 * at all.  The file is UTF-8, which XML knows by no other name; in any other
 * encoding that begins with ASCII, all else is written as references, and then
 * the file is in that one, too.  Stores if so, and corrects the name; false if
 * the encoding does not begin with ASCII.
 */
bool encoding_choose(const char **name, bool *ascii);

#endif
