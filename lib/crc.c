#include "crc.h"

/* The bits of the polynomial are in the opposite order. */
void
crc_init(struct crc *crc)
{
	const uint32_t polynomial = 0xedb88320;
	uint32_t sum, i, bit, slice;

	for (i = 0; i < 256; i++) {
		sum = i;
		for (bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ ((sum & 1) != 0 ? polynomial : 0);
		crc->table[0][i] = sum;
	}
	for (slice = 1; slice < CRC_SLICES; slice++)
		for (i = 0; i < 256; i++) {
			sum = crc->table[slice - 1][i];
			crc->table[slice][i] =
			    sum >> 8 ^ crc->table[0][sum & 0xff];
		}
}

uint32_t
crc_add(const struct crc *crc, uint32_t sum, struct str bytes)
{
	const uint32_t (*table)[256] = crc->table;
	const unsigned char *at = (const unsigned char *)bytes.data;
	size_t left = bytes.len;

	sum = ~sum;
	for (; left >= CRC_SLICES; left -= CRC_SLICES, at += CRC_SLICES) {
		sum ^= (uint32_t)at[0] | (uint32_t)at[1] << 8 |
		    (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
		sum = table[7][sum & 0xff] ^ table[6][sum >> 8 & 0xff] ^
		    table[5][sum >> 16 & 0xff] ^ table[4][sum >> 24] ^
		    table[3][at[4]] ^ table[2][at[5]] ^ table[1][at[6]] ^
		    table[0][at[7]];
	}
	for (; left > 0; left--)
		sum = sum >> 8 ^ table[0][(sum ^ *at++) & 0xff];
	return ~sum;
}
