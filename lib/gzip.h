/*
 * gzip: unpacks what gzip and zlib have packed, both by DEFLATE (RFC 1951).
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

#include "str.h"

/* DEFLATE's data, in memory that deflate_new() takes and free(3) frees. */
struct deflate;

/* Gives more input, until the next call; false at its end. */
typedef bool deflate_reader(void *context, struct str *input);

enum deflate_state {
	DEFLATE_MORE,
	DEFLATE_END,		/* the stream has ended */
	DEFLATE_CUT,		/* the input ends inside it */
	DEFLATE_DAMAGED		/* it makes no sense from here on */
};

struct deflate *deflate_new(deflate_reader *read, void *context);

/* Begins a stream with the next byte. */
void deflate_begin(struct deflate *deflate);

/*
 * Unpacks the next bytes of the stream, up to 64 KB, or none; they live until
 * the next call.  They are right whatever the state is.
 */
enum deflate_state deflate_next(struct deflate *deflate, struct str *unpacked);

/* Takes the next byte before or after a stream; -1 at the end of the input. */
int deflate_byte(struct deflate *deflate);

struct gzip;

struct gzip *gzip_new(deflate_reader *read, void *context);

/* Frees it; true if bytes follow the last member; zeros do not count. */
bool gzip_free(struct gzip *gzip);

/* True if a file that begins so is gzip's. */
bool gzip_begins(struct str bytes);

/* Unpacks bytes, valid until the next call; false at the end or on trouble. */
bool gzip_next(struct gzip *gzip, struct str *unpacked);

/* Returns what is wrong with the file, after what was unpacked, or NULL. */
const char *gzip_trouble(const struct gzip *gzip);

/*
 * Unpacks a stream of zlib (RFC 1950), all at once, into size bytes at `out`;
 * bytes after the stream do not matter.  Returns false, and `out` holds nothing
 * of use, if the stream is damaged or does not make exactly that many bytes.
 */
bool zlib_unpack(struct str packed, unsigned char *out, size_t size);

#endif
