/*
 * The input is a size, two bytes of it, and what is to be unpacked to so many
 * bytes.  What makes these makes no other number of them, and the same bytes
 * each time.
 */
#include "fuzz.h"
#include "../../lib/inflate.h"

#define ROOM	(UINT16_MAX + 2)

static bool
unpack(struct str packed, unsigned char *out, size_t size)
{
	/* a byte that nobody may change is behind */
	bool fine;

	out[size] = 0xa5;
	fine = inflate(packed, out, size);
	require(out[size] == 0xa5, "nothing is written behind the end");
	return fine;
}

void
fuzz_input(struct str input)
{
	static unsigned char out[ROOM], again[ROOM];
	struct str packed;
	size_t size;

	if (input.len < 2)
		return;
	size = (size_t)(unsigned char)input.data[0] << 8 |
	    (unsigned char)input.data[1];
	packed = str_skip(input, 2);
	memset(again, 0xff, size);
	if (unpack(packed, out, size)) {
		require(unpack(packed, again, size), "it is unpacked twice");
		require(memcmp(out, again, size) == 0, "the same comes out");
		require(!unpack(packed, out, size + 1), "not one byte more");
		require(size == 0 || !unpack(packed, out, size - 1),
		    "not one byte less");
	}
}
