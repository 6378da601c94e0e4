/*
 * crc: the check sum of gzip and zip, CRC-32.
 *
 *	struct crc crc;
 *	uint32_t sum = 0;
 *
 *	crc_init(&crc);
 *	sum = crc_add(&crc, sum, STR("first bytes"));
 *	sum = crc_add(&crc, sum, STR(" and more"));
 */
#ifndef CRC_H
#define CRC_H

#include <stdint.h>

#include "str.h"

/* The sum of eight bytes is that of each one, moved on by those after it. */
#define CRC_SLICES	8

struct crc {
	uint32_t table[CRC_SLICES][256];
};

void crc_init(struct crc *crc);

/* Returns the sum of the bytes that it is of and of more after them. */
uint32_t crc_add(const struct crc *crc, uint32_t sum, struct str bytes);

#endif
