/*
 * deflate: unpacks DEFLATE (RFC 1951), which is in files of zlib, gzip and zip,
 * a piece at a time, in memory of a fixed size.
 *
 *	struct deflate *deflate = deflate_new();
 *	struct str packed, unpacked;
 *	enum deflate_state state = DEFLATE_INPUT;
 *
 *	while (state == DEFLATE_INPUT && read_more(&packed))
 *		do {
 *			state = deflate_next(deflate, &packed, &unpacked);
 *			use(unpacked);
 *		} while (state == DEFLATE_ROOM);
 *	(DEFLATE_END: packed begins with what follows the stream)
 *	free(deflate);
 *
 * Streams may be unpacked at once by threads, each with a struct of its own.
 */
#ifndef DEFLATE_H
#define DEFLATE_H

#include "str.h"

struct deflate;

enum deflate_state {
	DEFLATE_INPUT,		/* all was taken, and more has to follow */
	DEFLATE_ROOM,		/* there is more to make of what was given */
	DEFLATE_END,		/* the stream has ended */
	DEFLATE_DAMAGED		/* it makes no sense from here on */
};

/* Returns a new one, for a stream that is read from its first byte on. */
struct deflate *deflate_new(void);

/* Begins another stream, as gzip's members are. */
void deflate_begin(struct deflate *deflate);

/*
 * Unpacks the next bytes of a stream, which it takes off `packed`; it takes
 * none that come after the stream.  `*unpacked`, up to 64 KB, lives until the
 * next call; it may be empty, and is right also where the state is
 * DEFLATE_DAMAGED, which remains.
 */
enum deflate_state deflate_next(struct deflate *deflate, struct str *packed,
    struct str *unpacked);

/*
 * Unpacks a whole stream, which is not to be more than size bytes, into memory;
 * `*made` is how many it made.  Returns false, and the memory holds nothing of
 * use, if the stream is damaged, cut off or larger.
 */
bool deflate_all(struct str *packed, unsigned char *out, size_t size,
    size_t *made);

#endif
