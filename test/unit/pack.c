/*
 * Packs standard input as gzip does, as many bytes at a time as the operand
 * says.
 */
#include <stdlib.h>

#include "lib/mem.h"
#include "lib/pack.h"

int
pack_main(int argc, char **argv)
{
	size_t size = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, len;
	struct pack *pack = pack_new(stdout);
	char *piece = mem_array(size, 1);

	while ((len = fread(piece, 1, size, stdin)) > 0)
		pack_add(pack, (struct str){ piece, len });
	pack_end(pack);
	return fflush(stdout) != 0;
}
