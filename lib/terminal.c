#include <sys/ioctl.h>
#include <termios.h>	/* TIOCGWINSZ on illumos */

#include "terminal.h"

/* POSIX has had a call for it since 2024 only. */
size_t
terminal_columns(int fd)
{
#ifdef TIOCGWINSZ
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) == 0)
		return size.ws_col;
#else
	(void)fd;
#endif
	return 0;
}
