/*
 * pyname: makes names of frames of what Python's profilers know of functions: a
 * file, a line, and a name.
 *
 *	/usr/lib/python3/json/decoder.py 343 raw_decode
 *					decoder.py:343(raw_decode)
 *	/usr/lib/python3/json/__init__.py 299 loads
 *					json/__init__.py:299(loads)
 *	~ 0 <built-in method time.sleep>
 *					<built-in method time.sleep>
 */
#ifndef PYNAME_H
#define PYNAME_H

#include <stdint.h>

#include "lib/text.h"

/* Adds a name to text, with the whole path of its file if that is asked for. */
void pyname_add(struct text *text, struct str path, int64_t line,
    struct str name, bool whole_path);

#endif
