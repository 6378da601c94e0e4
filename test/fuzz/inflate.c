/*
 * The input is a size, two bytes of it, and a stream to unpack to that many
 * bytes.  What makes these makes no other number of them, and the same bytes
 * each time, whole or in pieces.
 */
#include "fuzz.h"
#include "lib/deflate.h"
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

/* Returns what a stream becomes that comes a few bytes at a time. */
static struct text
unpack_pieces(struct str packed, size_t size, enum deflate_state *state)
{
	struct deflate *deflate = deflate_new();
	struct text made = { 0 };
	struct str piece, part;

	do {
		piece = str_take(packed, size < packed.len ? size :
		    packed.len);
		packed = str_skip(packed, piece.len);
		do {
			*state = deflate_next(deflate, &piece, &part);
			text_add(&made, part);
		} while (*state == DEFLATE_ROOM);
		require(*state != DEFLATE_INPUT || piece.len == 0,
		    "more is wanted when all was taken");
	} while (*state == DEFLATE_INPUT && packed.len > 0);
	return made;
}

static void
compare_pieces(struct str packed, size_t size)
{
	static unsigned char out[ROOM];
	enum deflate_state state;
	struct str rest = packed;
	struct text made;
	size_t len;

	made = unpack_pieces(packed, size, &state);
	if (deflate_all(&rest, out, sizeof(out), &len)) {
		require(state == DEFLATE_END, "pieces end as the whole does");
		require(str_equal(text_str(&made), (struct str){
		    (char *)out, len }), "pieces make what the whole makes");
	} else if (made.len <= sizeof(out))
		require(state != DEFLATE_END, "pieces fail as the whole does");
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
