/*
 * ehpointer: reads an encoding and the bytes of a pointer in hexadecimal;
 * prints the pointer, and how many bytes are after it.  The bytes are at 1003,
 * .text is at 20000, .got at 300000 and the function at 4000000.
 *
 *	1b f0 ff ff ff 00	=> ff3 1
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "symbols/unwind/frametables.h"
#include "unit.h"

int
ehpointer_main(int argc, char **argv)
{
	static const struct ehpointer_bases bases = { 0x1002, 0x20000,
		0x300000, 0x4000000, 8 };
	struct str line, digits;
	struct bytes bytes;
	uint64_t pointer;
	uint8_t encoding;

	(void)argc;
	(void)argv;
	while (unit_line(&line)) {
		digits = unit_bytes(line);
		bytes = bytes_from(digits);
		encoding = bytes_u8(&bytes);
		pointer = ehpointer_read(&bytes, encoding, &bases);
		if (bytes.failed)
			puts("none");
		else
			printf("%" PRIx64 " %zu\n", pointer,
			    bytes_left(&bytes));
		free((char *)digits.data);
	}
	return 0;
}
