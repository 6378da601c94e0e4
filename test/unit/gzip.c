/*
 * Reads how long the pieces are and, after a ':', what they are of, in
 * hexadecimal; prints what it unpacks to, and what is wrong.
 *
 *	3: 1f 8b 08 00 00 00 00 00 00 03 4b ...	=> abc
 *
 * With a number on the command line it unpacks standard input instead, in
 * pieces of this many bytes.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/gzip.h"
#include "lib/mem.h"
#include "unit.h"

/* Gives a line's bytes, or those of standard input, in pieces. */
struct pieces {
	struct str bytes;
	char *block;		/* NULL: those of a line */
	size_t size;
};

static bool
read_piece(void *context, struct str *piece)
{
	struct pieces *pieces = context;
	size_t len = pieces->bytes.len;

	if (pieces->block != NULL) {
		*piece = (struct str){ pieces->block,
		    fread(pieces->block, 1, pieces->size, stdin) };
	} else {
		*piece = str_take(pieces->bytes, len < pieces->size ? len :
		    pieces->size);
		pieces->bytes = str_skip(pieces->bytes, piece->len);
	}
	return piece->len > 0;
}

static void
unpack(struct pieces *pieces)
{
	struct gzip *gzip = gzip_new(read_piece, pieces);
	struct str unpacked;

	while (gzip_next(gzip, &unpacked))
		fwrite(unpacked.data, 1, unpacked.len, stdout);
	if (gzip_trouble(gzip) != NULL)
		printf(" (%s)", gzip_trouble(gzip));
	if (gzip_free(gzip))
		printf(" (garbage)");
}

static void
unpack_line(struct str line)
{
	struct str bytes = unit_bytes(str_skip(line, str_find(line, ':') + 1));
	unsigned long long size = 1;

	str_number(line, &size);
	unpack(&(struct pieces){ bytes, NULL, (size_t)size });
	putchar('\n');
	free((char *)bytes.data);
}

static void
unpack_all(size_t size)
{
	struct pieces pieces = { STR(""), mem_array(size, 1), size };

	unpack(&pieces);
	free(pieces.block);
}

int
gzip_main(int argc, char **argv)
{
	struct str line;

	if (argc > 1)
		unpack_all(strtoul(argv[1], NULL, 10));
	else
		while (unit_line(&line))
			unpack_line(line);
	return 0;
}
