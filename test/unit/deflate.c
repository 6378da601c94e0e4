/*
 * Unpacks DEFLATE from standard input, as many bytes at a time as the operand
 * says, and prints it; what is after the stream goes to standard error.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/deflate.h"
#include "lib/mem.h"
#include "lib/text.h"

/* Unpacks a piece, which has memory of just its size. */
static enum deflate_state
unpack(struct deflate *deflate, struct str piece)
{
	char *exact = mem_array(piece.len, 1);
	struct str packed = { exact, piece.len }, made;
	enum deflate_state state;

	memcpy(exact, piece.data, piece.len);
	do {
		state = deflate_next(deflate, &packed, &made);
		fwrite(made.data, 1, made.len, stdout);
	} while (state == DEFLATE_ROOM);
	if (state == DEFLATE_END)
		fwrite(packed.data, 1, packed.len, stderr);
	free(exact);
	return state;
}

int
deflate_main(int argc, char **argv)
{
	size_t size = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, len;
	struct deflate *deflate = deflate_new();
	enum deflate_state state = DEFLATE_INPUT;
	char *piece = mem_array(size, 1);

	while (state == DEFLATE_INPUT &&
	    (len = fread(piece, 1, size, stdin)) > 0)
		state = unpack(deflate, (struct str){ piece, len });
	while ((len = fread(piece, 1, size, stdin)) > 0)
		fwrite(piece, 1, len, stderr);
	if (state != DEFLATE_END)
		puts(state == DEFLATE_INPUT ? "cut off" : "damaged");
	free(piece);
	free(deflate);
	return state != DEFLATE_END;
}
