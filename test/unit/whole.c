/*
 * Folds a recording in so many bytes of memory for processes, files and names,
 * and prints how many samples counted:
 *
 *	whole BYTES FILE
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "perf/data/recording.h"

#define FIRST_BYTES	104	/* that are read before */

static size_t
count_folded(const char *path, unsigned long long memory)
{
	struct recording_options options = {
		.sources = { .symfs = "nowhere", .kallsyms = "nothing" },
		.memory = memory,
		.max_stack = { RECORDING_STACK, 0, 65535 },
	};
	static struct profile_options profiled;
	static struct profile profile;
	static struct fold fold;
	char first[FIRST_BYTES];
	int fd = open(path, O_RDONLY);
	ssize_t got = fd < 0 ? -1 : read(fd, first, sizeof(first));

	if (got < 0)
		err(2, "%s", path);
	stacks_init(&fold.stacks);
	profile_init(&profile, &fold, &profiled);
	recording_fold(&options, &profile, &(struct content){ .name = path,
	    .ahead = { first, (size_t)got }, .fd = fd });
	return fold.counts.samples;
}

int
whole_main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	printf("samples: %lu\n", (unsigned long)count_folded(argv[2],
	    strtoull(argv[1], NULL, 10)));
	return 0;
}
