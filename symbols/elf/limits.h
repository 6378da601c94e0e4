/*
 * limits: how much memory and work the files of a recording may take together.
 *
 * A file may be made to take a lot of both: 13 KB unpack to gigabytes, and a
 * few bytes are read again for each address.  What the limits do not allow is
 * left out, and noted in the account of the file that asked for it.
 */
#ifndef LIMITS_H
#define LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum limit {
	LIMIT_MEMORY,		/* bytes */
	LIMIT_WORK		/* steps, each of about a byte that is read */
};

struct limits {
	uint64_t left[LIMIT_WORK + 1];
	uint64_t credit;	/* bytes of files that may still add to them */
};

/* Of a file.  Where one is passed, NULL means that there are no limits. */
struct account {
	struct limits *limits;
	uint64_t steps;		/* that are not taken yet */
	const char *lost;	/* what was left out, or NULL: nothing */
};

void limits_init(struct limits *limits);

/* Allows more, for a file of this size on the disk. */
void account_credit(struct account *account, uint64_t size);

/* Takes bytes or steps; false, and notes what is lost, if fewer are left. */
bool account_take(struct account *account, enum limit limit, uint64_t amount,
    const char *lost);

/* Returns how many bytes may still be read and kept. */
uint64_t account_left(const struct account *account);

/* Gives back bytes that were taken and are freed. */
void account_give_back(struct account *account, uint64_t bytes);

/* Takes what mem_grow will for one more than `count` elements of that size. */
static inline bool
account_grow(struct account *account, size_t count, size_t room, size_t size,
    const char *lost)
{
	return count < room || account_take(account, LIMIT_MEMORY,
	    (uint64_t)(room < 16 ? 16 : room) * size, lost);
}

/* Counts steps, and takes them by the thousands; false if that fails. */
static inline bool
account_work(struct account *account, uint64_t steps, const char *lost)
{
	if (account == NULL || (account->steps += steps) < 65536)
		return true;
	if (!account_take(account, LIMIT_WORK, account->steps, lost))
		return false;
	account->steps = 0;
	return true;
}

#endif
