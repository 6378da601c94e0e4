/*
 * digest: 128 bits that stand for words in a row, of any number.
 *
 * Two different rows have the same digest once in 10^38 or so, and nobody can
 * look for such rows without the secrets, which each run draws anew.  So a
 * table can hold digests instead of rows.
 */
#ifndef DIGEST_H
#define DIGEST_H

#include "product.h"
#include "table.h"

struct digest {
	uint64_t halves[2];
};

/*
 * Adds a word after those of a digest, which begins as { 0 }.  The first word
 * is not 0, which would leave it so.
 */
static inline void
digest_add(struct digest *digest, const struct table_secrets *secrets,
    uint64_t word)
{
	digest->halves[0] = product_fold(digest->halves[0] ^ word,
	    secrets->odd[0]);
	digest->halves[1] = product_fold(digest->halves[1] ^ word,
	    secrets->odd[1]);
}

#endif
