#include "limits.h"

/*
 * What compilers write needs less: debug information unpacks to 5 times its
 * size, each byte is read a few times, and what is kept is as large again.
 * Sparse files add nothing, and CREDIT_MOST bounds what large ones add.
 */
#define MEMORY_START	((uint64_t)64 << 20)
#define MEMORY_RATIO	16
#define WORK_START	((uint64_t)512 << 20)
#define WORK_RATIO	64
#define CREDIT_MOST	((uint64_t)1 << 30)

void
limits_init(struct limits *limits)
{
	*limits = (struct limits){ .left = { MEMORY_START, WORK_START },
	    .credit = CREDIT_MOST };
}

void
account_credit(struct account *account, uint64_t size)
{
	struct limits *limits;

	if (account == NULL)
		return;
	limits = account->limits;
	if (size > limits->credit)
		size = limits->credit;
	limits->credit -= size;
	limits->left[LIMIT_MEMORY] += MEMORY_RATIO * size;
	limits->left[LIMIT_WORK] += WORK_RATIO * size;
}

bool
account_take(struct account *account, enum limit limit, uint64_t amount,
    const char *lost)
{
	struct limits *limits;
	bool allowed;

	if (account == NULL)
		return true;
	limits = account->limits;
	allowed = amount <= limits->left[limit];
	if (allowed)
		limits->left[limit] -= amount;
	else if (account->lost == NULL)
		account->lost = lost;
	return allowed;
}

uint64_t
account_left(const struct account *account)
{
	const uint64_t *left;

	if (account == NULL)
		return UINT64_MAX;
	left = account->limits->left;
	return left[LIMIT_MEMORY] < left[LIMIT_WORK] ? left[LIMIT_MEMORY] :
	    left[LIMIT_WORK];
}

void
account_give_back(struct account *account, uint64_t bytes)
{
	if (account != NULL)
		account->limits->left[LIMIT_MEMORY] += bytes;
}
