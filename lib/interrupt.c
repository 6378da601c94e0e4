#include <sys/stat.h>
#include <signal.h>
#include <stddef.h>

#include "interrupt.h"

static volatile sig_atomic_t outlived, outlives;

static void
note(int number)
{
	(void)number;
	outlived = 1;
}

static void
set(void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
}

void
interrupt_outlive(int fd)
{
	struct sigaction before;
	struct stat status;

	if (fstat(fd, &status) != 0 || !S_ISFIFO(status.st_mode) ||
	    sigaction(SIGINT, NULL, &before) != 0 ||
	    before.sa_handler != SIG_DFL)
		return;
	outlives = 1;
	set(note, SA_RESTART | (int)SA_RESETHAND);
}

void
interrupt_obey(void)
{
	if (outlives)
		set(SIG_DFL, 0);
	outlives = 0;
}

void
interrupt_catch_up(void)
{
	interrupt_obey();
	if (outlived)
		raise(SIGINT);
}
