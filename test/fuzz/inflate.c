/*
 * The input is a size, two bytes of it, and a stream to unpack to that many
 * bytes.  What makes these makes no other number of them, and the same bytes
 * each time, whole or in pieces.
 */
#include "fuzz.h"
#include "lib/gzip.h"

#define ROOM	(UINT16_MAX + 2)

static bool
unpack(struct str packed, unsigned char *out, size_t size)
{
	/* a byte that nobody may change comes after */
	bool fine;

	out[size] = 0xa5;
	fine = zlib_unpack(packed, out, size);
	require(out[size] == 0xa5, "nothing is written after the end");
	return fine;
}

struct pieces {
	struct str packed;
	size_t size;
};

static bool
read_piece(void *context, struct str *piece)
{
	struct pieces *pieces = context;
	size_t len = pieces->packed.len;

	*piece = str_take(pieces->packed, len < pieces->size ? len :
	    pieces->size);
	pieces->packed = str_skip(pieces->packed, piece->len);
	return piece->len > 0;
}

/*
 * Unpacks a stream that comes a few bytes at a time, or all at once.  What it
 * needs is freed after each input.
 */
static enum deflate_state
unpack_pieces(struct str packed, size_t size, struct text *made)
{
	struct pieces pieces = { packed, size };
	struct deflate *deflate = deflate_new(read_piece, &pieces);
	enum deflate_state state;
	struct str part;

	do {
		state = deflate_next(deflate, &part);
		text_add(made, part);
	} while (state == DEFLATE_MORE && made->len <= ROOM);
	return state;
}

static void
compare_pieces(struct str packed, size_t size)
{
	struct text made = { 0 }, whole = { 0 };

	require(unpack_pieces(packed, size, &made) ==
	    unpack_pieces(packed, packed.len + 1, &whole),
	    "pieces end as the whole does");
	require(str_equal(text_str(&made), text_str(&whole)),
	    "pieces make what the whole makes");
}

void
fuzz_inflate(struct str input)
{
	static unsigned char out[ROOM], again[ROOM];
	struct str packed;
	size_t size;

	if (input.len < 2)
		return;
	size = (size_t)(unsigned char)input.data[0] << 8 |
	    (unsigned char)input.data[1];
	packed = str_skip(input, 2);
	compare_pieces(packed, 1 + size % 40);
	memset(again, 0xff, size);
	if (unpack(packed, out, size)) {
		require(unpack(packed, again, size), "it is unpacked twice");
		require(memcmp(out, again, size) == 0, "the same comes out");
		require(!unpack(packed, out, size + 1), "not one byte more");
		require(size == 0 || !unpack(packed, out, size - 1),
		    "not one byte less");
	}
}
