/*
 * ehpointer: pointers as .eh_frame and .eh_frame_hdr have them: an encoding of
 * one byte tells how many bytes a pointer takes, and what it is relative to.
 *
 *	 7  6 5 4  3 2 1 0
 *	 |  |      format: 0 word, 1 uleb128, 2 to 4 of 2, 4, 8 bytes;
 *	 |  |      and 8 more: with a sign
 *	 |  relative to: 0 nothing, 1 its own address, 2 the code, 3 the data,
 *	 |               4 the function; 5: a word at an aligned address
 *	 indirect: the pointer is in memory, at this address
 *
 * See DWARF Exception Header Encoding in the Linux Standard Base, Core 5.0,
 * chapter 10.5.
 */
#ifndef EHPOINTER_H
#define EHPOINTER_H

#include "lib/bytes.h"

#define EHPOINTER_NONE	0xff	/* the encoding of no pointer: no bytes */
#define EHPOINTER_FORMAT	0x0f
#define EHPOINTER_INDIRECT	0x80

/* The addresses that pointers are relative to. */
struct ehpointer_bases {
	uint64_t start;		/* of what is read, at offset 0 */
	uint64_t text, data;	/* of the sections .text and .got */
	uint64_t function;
};

/*
 * Returns the next pointer, or 0 for none; fails where the encoding is unknown.
 * Of an indirect one, the address of the pointer is returned.
 */
uint64_t ehpointer_read(struct bytes *bytes, uint8_t encoding,
    const struct ehpointer_bases *bases);

#endif
