#include <err.h>
#include <errno.h>
#include <stdio.h>

#include "output.h"

int
output_close(int status)
{
	int failed;

	errno = 0;
	failed = ferror(stdout);
	if (fclose(stdout) != 0 || failed) {
		if (errno != 0)
			warn("standard output");
		else
			warnx("standard output: write error");
		return 1;
	}
	return status;
}
