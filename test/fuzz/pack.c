/*
 * The input is a size of pieces, a byte, and what is to be packed in them.  What
 * was packed is unpacked to the same; the pieces make no difference.
 */
#include <stdio.h>

#include "fuzz.h"
#include "lib/gzip.h"
#include "lib/pack.h"

/* Packs pieces, each as often as it is told, so that there are several blocks. */
static struct str
pack_pieces(const char *path, struct str bytes, size_t size, size_t times,
    struct text *all)
{
	FILE *out = fopen(path, "w");
	struct pack *pack;
	struct str piece;
	size_t i;

	require(out != NULL, "the file can be written");
	pack = pack_new(out);
	for (; bytes.len > 0; bytes = str_skip(bytes, piece.len)) {
		piece = str_take(bytes, size < bytes.len ? size : bytes.len);
		for (i = 0; i < times; i++) {
			pack_add(pack, piece);
			text_add(all, piece);
		}
	}
	pack_end(pack);
	fclose(out);
	return fuzz_read(path);
}

static void
require_unpacked(struct str packed, struct str expected)
{
	struct gzip *gzip = gzip_new();
	struct text made = { 0 };
	struct str part;

	while (gzip_next(gzip, &packed, &part))
		text_add(&made, part);
	require(gzip_trouble(gzip) == NULL && packed.len == 0,
	    "what was packed is whole");
	require(str_equal(text_str(&made), expected), "it is unpacked");
}

void
fuzz_pack(struct str input)
{
	struct text all = { 0 }, same = { 0 };
	struct str packed;
	size_t size;

	if (input.len == 0)
		return;
	size = 1 + (unsigned char)input.data[0];
	input = str_skip(input, 1);
	packed = pack_pieces("out", input, size, 1 + size % 60, &all);
	require_unpacked(packed, text_str(&all));
	require(str_equal(packed, pack_pieces("again", text_str(&all), 1000,
	    1, &same)), "pieces make no difference");
}
