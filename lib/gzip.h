/*
 * gzip: unpacks what gzip and zlib have packed, which both do by DEFLATE.
 *
 * Files of gzip (RFC 1952) come a piece at a time, in memory of a fixed size.
 *
 *	struct gzip *gzip = gzip_new();
 *	struct str packed, unpacked;
 *
 *	while (read_more(&packed))
 *		while (gzip_next(gzip, &packed, &unpacked))
 *			use(unpacked);
 *	if (gzip_trouble(gzip) != NULL)
 *		(what is wrong, now that there is no more)
 *	gzip_free(gzip);
 *
 * A file may have several members, whose contents follow one another.
 */
#ifndef GZIP_H
#define GZIP_H

#include "str.h"

struct gzip;

struct gzip *gzip_new(void);
void gzip_free(struct gzip *gzip);

/* True if a file that begins so is gzip's. */
bool gzip_begins(struct str bytes);

/*
 * Unpacks the next bytes, which it takes off `packed`; false when none are left
 * or no more are wanted.  `*unpacked` lives until the next call, and may be
 * empty.
 */
bool gzip_next(struct gzip *gzip, struct str *packed, struct str *unpacked);

/* False if it will take no more bytes. */
bool gzip_wants(const struct gzip *gzip);

/*
 * Returns what is wrong with all that was given, if nothing follows, or NULL.
 * What was unpacked before is right, or at least is all there is.
 */
const char *gzip_trouble(const struct gzip *gzip);

/*
 * True if bytes that are not gzip's follow the last member; they are not taken.
 * Zeros, with which tapes are filled up, do not count.
 */
bool gzip_has_garbage(const struct gzip *gzip);

/*
 * Unpacks a stream of zlib (RFC 1950), all at once, into size bytes at `out`;
 * bytes after the stream do not matter.  Returns false, and `out` holds nothing
 * of use, if the stream is damaged or does not make exactly that many bytes.
 */
bool zlib_unpack(struct str packed, unsigned char *out, size_t size);

#endif
