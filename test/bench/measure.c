/*
 * measure: runs a command, and appends a line about it to file 3.
 *
 *	measure LABEL COMMAND [ARGUMENT ...]	LABEL 0.104 9216
 *
 * That is how many seconds it took and how many KB of memory it held at most;
 * 0 where the system does not tell (then compile with -DNO_MAXRSS).  A
 * command that fails has -1 seconds; status 1 is no failure, since it means
 * that a folder could not be read, too.
 */
#include <sys/resource.h>
#include <sys/wait.h>

#include <err.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static long
peak_memory(void)
{
	struct rusage usage = { 0 };

	getrusage(RUSAGE_CHILDREN, &usage);
#if defined(NO_MAXRSS)
	return 0;
#elif defined(__APPLE__)
	return usage.ru_maxrss / 1024;
#else
	return usage.ru_maxrss;
#endif
}

int
main(int argc, char **argv)
{
	double start, seconds;
	int status = 0;
	pid_t child;

	if (argc < 3)
		errx(2, "usage: measure label command [argument ...] 3>> file");
	start = now();
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (child == 0) {
		close(3);
		execvp(argv[2], argv + 2);
		err(127, "%s", argv[2]);
	}
	waitpid(child, &status, 0);
	seconds = WIFEXITED(status) && WEXITSTATUS(status) <= 1 ?
	    now() - start : -1;
	if (dprintf(3, "%s %f %ld\n", argv[1], seconds, peak_memory()) < 0)
		err(1, "file 3");
	return 0;
}
