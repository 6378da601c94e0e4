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

static void
unpack_piece(struct gzip *gzip, struct str piece)
{
	struct str unpacked;

	while (gzip_next(gzip, &piece, &unpacked))
		fwrite(unpacked.data, 1, unpacked.len, stdout);
}

static void
print_trouble(const struct gzip *gzip)
{
	if (gzip_trouble(gzip) != NULL)
		printf(" (%s)", gzip_trouble(gzip));
	if (gzip_has_garbage(gzip))
		printf(" (garbage)");
}

static void
unpack_line(struct str line)
{
	size_t colon = str_find(line, ':'), at;
	struct str bytes = unit_bytes(str_skip(line, colon + 1)), piece;
	struct gzip *gzip = gzip_new();
	unsigned long long size = 1;

	str_number(line, &size);
	for (at = 0; at < bytes.len; at += piece.len) {
		piece = str_skip(bytes, at);
		if (piece.len > size)
			piece.len = (size_t)size;
		unpack_piece(gzip, piece);
	}
	print_trouble(gzip);
	putchar('\n');
	gzip_free(gzip);
	free((char *)bytes.data);
}

static void
unpack_all(size_t size)
{
	struct gzip *gzip = gzip_new();
	char *piece = mem_array(size, 1);
	size_t got;

	while ((got = fread(piece, 1, size, stdin)) > 0)
		unpack_piece(gzip, (struct str){ piece, got });
	print_trouble(gzip);
	gzip_free(gzip);
	free(piece);
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
