/*
 * Folds a recording in so many bytes of memory for processes, files and names,
 * and prints how many samples counted:
 *
 *	whole BYTES FILE
 *	whole BYTES OFFSET FILE		the two bytes there become 0xff when the
 *					first sample is taken
 *
 * It is a program of its own, since it takes the place of input_wait.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "perf/data/recording.h"

#define FIRST_BYTES	104	/* that are read before */

static const char *path;
static unsigned long changed_at;	/* 0: nothing changes */

/* A filter calls it when it learns what counts. */
void
input_wait(const struct input *input)
{
	int fd = changed_at == 0 ? -1 : open(path, O_WRONLY);

	(void)input;
	if (fd >= 0 && pwrite(fd, "\xff\xff", 2, (off_t)changed_at) != 2)
		err(1, "%s", path);
	if (fd >= 0)
		close(fd);
}

static size_t
count_folded(unsigned long long memory)
{
	static const struct option_range jobs = { 1, 0, 1 };
	struct recording_options options = {
		.symfs = "nowhere", .kallsyms = "nothing", .jobs = &jobs,
		.memory = memory,
		.max_stack = { RECORDING_STACK, 0, 65535 },
	};
	struct input input = { 0 };
	struct filter_notes notes = { 0 };
	size_t counted = 0, others = 0, losses = 0;
	struct filter filter = { .input = &input, .notes = &notes,
	    .others = &others };
	struct namer namer;
	struct frames frames;
	struct stacks stacks;
	struct roots roots = { .pid = false };
	struct text advice = { 0 };
	bool failed = false;
	struct recording_target target = { .frames = &frames, .roots = &roots,
	    .filter = &filter, .stacks = &stacks, .samples = &counted,
	    .losses = &losses, .failed = &failed, .advice = &advice };
	char first[FIRST_BYTES];
	int fd = open(path, O_RDONLY);
	ssize_t got = fd < 0 ? -1 : read(fd, first, sizeof(first));

	if (got < 0)
		err(2, "%s", path);
	namer_init(&namer);
	frames_init(&frames, &namer);
	stacks_init(&stacks);
	recording_fold(&options, &target, path,
	    (struct str){ first, (size_t)got }, fd);
	return counted;
}

int
main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	path = argv[argc - 1];
	changed_at = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
	printf("samples: %lu\n",
	    (unsigned long)count_folded(strtoull(argv[1], NULL, 10)));
	return 0;
}
