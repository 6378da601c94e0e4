/*
 * gzip: unpacks what gzip and zlib have packed, both by DEFLATE.
 *
 * Files of gzip (RFC 1952) come a piece at a time, in memory of a fixed size.
 *
 *	struct gzip *gzip = gzip_new(read_more, context);
 *	struct str unpacked;
 *
 *	while (gzip_next(gzip, &unpacked))
 *		use(unpacked);
 *	if (gzip_trouble(gzip) != NULL)
 *		(what is wrong)
 *	gzip_free(gzip);
 *
 * A file may have several members, whose contents follow one another.
 */
#ifndef GZIP_H
#define GZIP_H

#include "deflate.h"

struct gzip;

struct gzip *gzip_new(deflate_reader *read, void *context);
void gzip_free(struct gzip *gzip);

/* True if a file that begins so is gzip's. */
bool gzip_begins(struct str bytes);

/*
 * Unpacks the next bytes, one or more; they live until the next call.  False at
 * the end, and if there is trouble.
 */
bool gzip_next(struct gzip *gzip, struct str *unpacked);

/* Returns what is wrong with the file, after what was unpacked, or NULL. */
const char *gzip_trouble(const struct gzip *gzip);

/*
 * True if bytes that are not gzip's follow the last member.  Zeros, with which
 * tapes are filled up, do not count.
 */
bool gzip_has_garbage(const struct gzip *gzip);

/*
 * Unpacks a stream of zlib (RFC 1950), all at once, into size bytes at `out`;
 * bytes after the stream do not matter.  Returns false, and `out` holds nothing
 * of use, if the stream is damaged or does not make exactly that many bytes.
 */
bool zlib_unpack(struct str packed, unsigned char *out, size_t size);

#endif
