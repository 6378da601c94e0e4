/*
 * prefixcode: makes the codes in which DEFLATE (RFC 1951) writes symbols: the
 * more often one comes, the fewer bits it takes, and none begins another.
 */
#ifndef PREFIXCODE_H
#define PREFIXCODE_H

#include <stddef.h>
#include <stdint.h>

#define PREFIX_SYMBOLS	286	/* at most */
#define PREFIX_LONGEST	15	/* bits of a code */

struct prefix_code {
	uint8_t lengths[PREFIX_SYMBOLS];	/* in bits; 0: no code */
	uint16_t codes[PREFIX_SYMBOLS];	/* the first bit is the lowest */
};

/*
 * Makes codes of at most `longest` bits for as many symbols, of which at least
 * two get one, also if fewer are counted.
 */
void prefix_code_make(struct prefix_code *code, const uint32_t *counts,
    size_t symbols, unsigned longest);

#endif
