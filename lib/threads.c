#include <pthread.h>
#include <unistd.h>

#include "threads.h"

/*
 * A second thread has paid for itself with 8 MB.  Threads read one after the
 * other, which is a quarter of the work, so that more than four gain little.
 */
#define WORTH_THREADS	(8ULL * 1024 * 1024)	/* bytes */
#define WORTH_COUNT	4

/* POSIX has it since 2024; FreeBSD hides it from programs for an older one. */
#ifdef _SC_NPROCESSORS_ONLN
#define ONLINE_PROCESSORS	_SC_NPROCESSORS_ONLN
#elif defined(__FreeBSD__)
#define ONLINE_PROCESSORS	58
#endif

size_t
threads_processors(size_t most)
{
	long count = 1;

#ifdef ONLINE_PROCESSORS
	count = sysconf(ONLINE_PROCESSORS);
#endif
	if (count < 1)
		return 1;
	return (size_t)count < most ? (size_t)count : most;
}

size_t
threads_choose(long jobs, unsigned long long bytes)
{
	if (jobs > 0)
		return (size_t)jobs;
	return bytes < WORTH_THREADS ? 1 : threads_processors(WORTH_COUNT);
}

void
threads_run(void *(*work)(void *), void *parts, size_t size, size_t count)
{
	pthread_t threads[THREADS_MOST];
	size_t i, started = 1;

	while (started < count && pthread_create(&threads[started], NULL,
	    work, (char *)parts + started * size) == 0)
		started++;
	work(parts);
	for (i = 1; i < started; i++)
		pthread_join(threads[i], NULL);
}
