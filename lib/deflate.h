/*
 * deflate: unpacks DEFLATE (RFC 1951), the data in files of zlib, gzip and zip,
 * a piece at a time, in memory of a fixed size.
 *
 *	struct deflate *deflate = deflate_new(read_more, context);
 *	struct str unpacked;
 *	enum deflate_state state;
 *
 *	do {
 *		state = deflate_next(deflate, &unpacked);
 *		use(unpacked);
 *	} while (state == DEFLATE_MORE);
 *	(DEFLATE_END: deflate_byte gives what follows the stream)
 *	free(deflate);
 */
#ifndef DEFLATE_H
#define DEFLATE_H

#include "str.h"

struct deflate;

/*
 * Gives more input, one byte or more; it lives until the next call.  False at
 * its end.
 */
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

#endif
