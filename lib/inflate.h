/*
 * inflate: unpacks what zlib has packed (RFC 1950, RFC 1951), all at once, into
 * memory of just the size that it is to have; threads may do so at once.
 */
#ifndef INFLATE_H
#define INFLATE_H

#include "str.h"

/*
 * Unpacks a zlib stream into size bytes at `out`; bytes behind the stream do
 * not matter.  Returns false, and what is there then is of no use, if the
 * stream is damaged or does not make just so many bytes.
 */
bool inflate(struct str packed, unsigned char *out, size_t size);

#endif
