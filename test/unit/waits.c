/*
 * Waits in several ways, each in a function of its own, and prints how long, as
 * the clocks tell: the time that has passed without that on a processor.
 *
 *	by_sleep 150067512
 *
 * It needs a folder to write in.
 */
#include <sys/wait.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define WRITES	20

#ifdef __GNUC__
#define ALONE __attribute__((noinline))
#else
#define ALONE
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static int ends[2], file;
static pid_t child;

static long long
read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long long
time_waited(void)
{
	return read_clock(CLOCK_MONOTONIC) -
	    read_clock(CLOCK_THREAD_CPUTIME_ID);
}

static void
nap(long milliseconds)
{
	struct timespec time = { 0, milliseconds * 1000000 };

	nanosleep(&time, NULL);
}

static ALONE void
by_sleep(void)
{
	nap(60);
}

static ALONE void
by_pipe(void)
{
	char byte;

	if (read(ends[0], &byte, 1) != 1)
		exit(1);
}

static ALONE void
by_child(void)
{
	waitpid(child, NULL, 0);
}

static ALONE void
by_mutex(void)
{
	pthread_mutex_lock(&mutex);
}

static ALONE void
by_disk(void)
{
	int i;

	for (i = 0; i < WRITES; i++)
		if (write(file, "to the disk", 11) != 11 ||
		    fdatasync(file) != 0)
			exit(1);
}

static void *
hold(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_barrier_wait(&barrier);
	nap(60);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void
measure(const char *name, void (*wait_so)(void))
{
	long long before = time_waited();

	wait_so();
	printf("%s %lld\n", name, time_waited() - before);
}

int
main(void)
{
	pthread_t thread;

	measure("by_sleep", by_sleep);
	if (pipe(ends) != 0 || (child = fork()) < 0)
		return 1;
	if (child == 0) {
		nap(50);
		(void)!write(ends[1], "x", 1);
		nap(60);
		_exit(0);
	}
	measure("by_pipe", by_pipe);
	measure("by_child", by_child);
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, hold, NULL);
	pthread_barrier_wait(&barrier);
	measure("by_mutex", by_mutex);
	pthread_join(thread, NULL);
	file = open("disk", O_CREAT | O_WRONLY | O_TRUNC, 0600);
	measure("by_disk", by_disk);
	return fflush(stdout) != 0;
}
