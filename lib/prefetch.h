/*
 * prefetch: brings memory near before it is needed, where the compiler knows
 * how.  It reads nothing, so any address will do.
 */
#ifndef PREFETCH_H
#define PREFETCH_H

#define PREFETCH_LINE	64	/* bytes that are mostly brought at once */

static inline void
prefetch(const void *address)
{
#ifdef __GNUC__
	__builtin_prefetch(address);
#else
	(void)address;
#endif
}

#endif
