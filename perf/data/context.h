/*
 * context: numbers beyond all addresses, which say in a chain whose the
 * addresses are that follow.
 */
#ifndef CONTEXT_H
#define CONTEXT_H

#include "record.h"

/* The kernel's, as negative numbers; the first is the lowest there may be. */
#define CONTEXT_FIRST		(UINT64_MAX - 4094)
#define CONTEXT_USER		(UINT64_MAX - 511)
#define CONTEXT_USER_DEFERRED	(UINT64_MAX - 639)	/* see deferred.h */
#define CONTEXT_KERNEL		(UINT64_MAX - 127)
#define CONTEXT_HYPERVISOR	(UINT64_MAX - 31)

/* One of ours: the user's addresses follow, of any size, to the end. */
#define CONTEXT_UNWOUND		CONTEXT_FIRST

/* Returns the mode that a context begins, or MODE_UNKNOWN. */
static inline enum record_mode
context_mode(uint64_t context)
{
	switch (context) {
	case CONTEXT_USER:
	case CONTEXT_USER_DEFERRED:
	case CONTEXT_UNWOUND:
		return MODE_USER;
	case CONTEXT_KERNEL:
		return MODE_KERNEL;
	case CONTEXT_HYPERVISOR:
		return MODE_HYPERVISOR;
	default:
		return MODE_UNKNOWN;
	}
}

#endif
