/*
 * whole FILE: folds every beginning of a recording of one event, and the whole
 * with each byte changed, in three ways.  All samples that are whole count, and
 * those in front of a change; "samples: 12 of 12" says how many there are, and
 * how many count.
 *
 *	whole packed FILE	the same, where more of a file must not mean
 *				fewer samples
 *	whole BYTES FILE	folds it in so much memory for what it tells
 *	whole BYTES OFFSET FILE	the same, but the two bytes there become 0xff as
 *				the first sample is taken
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "perf/data/recording.h"
#include "test/fuzz/fuzz.h"

#define PIPE_HEADER	16
#define DATA_AT		40	/* in a file's header: where its records are */
#define SAMPLE		9
#define FIRST_BYTES	104	/* that are read before */

static struct str file;
static unsigned long long memory = RECORDING_MEMORY;
static size_t changed_at;	/* the offset of these; 0: nothing changes */

/* Takes the place of what a filter calls when it learns what counts. */
void
input_wait(const struct input *input)
{
	int fd = changed_at == 0 ? -1 : open("part", O_WRONLY);

	(void)input;
	if (fd >= 0 && pwrite(fd, "\xff\xff", 2, (off_t)changed_at) != 2)
		err(1, "part");
	if (fd >= 0)
		close(fd);
}

/* Returns how many samples end at or before an offset. */
static size_t
count_whole(size_t end)
{
	const unsigned char *data = (const unsigned char *)file.data;
	size_t at = data[8] == PIPE_HEADER ? PIPE_HEADER :
	    (size_t)data[DATA_AT] + ((size_t)data[DATA_AT + 1] << 8);
	size_t count = 0, size;

	for (; at + 8 <= end; at += size) {
		size = data[at + 6] + ((size_t)data[at + 7] << 8);
		if (size < 8 || at + size > end)
			break;
		count += data[at] == SAMPLE;
	}
	return count;
}

/* Writes the first bytes of the recording, and folds them. */
static size_t
count_folded(size_t len)
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
	struct str first = str_take(file, len < FIRST_BYTES ? len :
	    FIRST_BYTES);
	int fd = open("part", O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, file.data, len) != (ssize_t)len)
		err(1, "part");
	lseek(fd, (off_t)first.len, SEEK_SET);
	namer_init(&namer);
	frames_init(&frames, &namer);
	stacks_init(&stacks);
	recording_fold(&options, &target, "part", first, fd);
	close(fd);
	free(advice.data);
	stacks_free(&stacks);
	frames_free(&frames);
	namer_free(&namer);
	return counted;
}

static void
require_samples(size_t counted, size_t expected, bool exactly, size_t at)
{
	if (exactly ? counted == expected : counted >= expected)
		return;
	printf("at byte %lu: %lu samples, not %lu\n", (unsigned long)at,
	    (unsigned long)counted, (unsigned long)expected);
	exit(1);
}

int
main(int argc, char **argv)
{
	static const char changes[] = { 1, '\x80', '\xff' };
	bool limited = argc > 2 && argv[1][0] != 'p', packed = argc == 3;
	size_t at, change, start, end, most = 0, counted;
	struct text text = { 0 };
	FILE *stream = argc > 1 ? fopen(argv[argc - 1], "r") : NULL;
	int c;

	if (stream == NULL ||
	    (!limited && freopen("/dev/null", "w", stderr) == NULL))
		return 2;
	while ((c = getc(stream)) != EOF)
		text_add_char(&text, (char)c);
	file = text_str(&text);
	if (limited) {
		memory = strtoull(argv[1], NULL, 10);
		changed_at = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
		printf("samples: %lu\n", (unsigned long)count_folded(file.len));
		return 0;
	}
	for (start = 0; count_whole(start) == 0 && start < file.len;)
		start++;
	for (end = file.len; count_whole(end - 1) == count_whole(file.len);)
		end--;
	for (at = 0; at <= file.len; at++) {
		counted = count_folded(at);
		require_samples(counted, packed ? most : count_whole(at),
		    !packed, at);
		most = counted;
	}
	printf("samples: %lu of %lu\n", (unsigned long)most,
	    (unsigned long)count_whole(file.len));
	for (at = 0; at < file.len; at++) {
		for (change = 0; change < sizeof(changes); change++) {
			text.data[at] ^= changes[change];
			counted = count_folded(file.len);
			text.data[at] ^= changes[change];
			/* nor is it known what sections after them say */
			require_samples(counted, packed || at < start ||
			    at >= end ? 0 : count_whole(at), false, at);
		}
	}
	return 0;
}
