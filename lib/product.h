/*
 * product: makes one word of two, which depends on every bit of both, for
 * hashes.
 */
#ifndef PRODUCT_H
#define PRODUCT_H

#include <stdint.h>

/* Returns the two halves of the 128-bit product of a and b, folded into one. */
static inline uint64_t
product_fold(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 uint128;
	uint128 product = (uint128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
	uint64_t a0 = a & UINT32_MAX, a1 = a >> 32;
	uint64_t b0 = b & UINT32_MAX, b1 = b >> 32;
	uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
	uint64_t other = a0 * b1 + (middle & UINT32_MAX);

	return (a * b) ^ (a1 * b1 + (middle >> 32) + (other >> 32));
#endif
}

#endif
