#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "packed.h"
#include "progress.h"
#include "source.h"

#define PIPE_ROOM	(256 * 1024)

void
source_init(struct source *source, const char *const *operands)
{
	static const char *const only_standard_input[] = { "-", NULL };

	*source = (struct source){
		.operands = operands[0] != NULL ? operands :
		    only_standard_input,
		.fd = -1,
	};
}

/*
 * Lets the writer of a pipe run ahead of us: with Linux's usual 64 KB the two
 * wait for each other, and 400 MB from cat take 0.4 s, not 0.2.  If the system
 * refuses, the pipe is unchanged.
 */
static void
widen_pipe(int fd)
{
#ifdef __linux__
	/* fcntl.h has these only for _GNU_SOURCE. */
	const int f_setpipe_sz = 1031, f_getpipe_sz = 1032;
	int room = fcntl(fd, f_getpipe_sz);

	if (room > 0 && room < PIPE_ROOM)
		fcntl(fd, f_setpipe_sz, PIPE_ROOM);
#else
	(void)fd;
#endif
}

bool
source_next(struct source *source)
{
	const char *operand = *source->operands;

	if (operand == NULL)
		return false;
	source->operands++;
	source->at_end = source->by_lines = false;
	source->form = 0;
	source->unpacker.pid = 0;
	if (strcmp(operand, "-") == 0) {
		source->name = "standard input";
		source->fd = STDIN_FILENO;
	} else {
		source->name = operand;
		source->fd = open(operand, O_RDONLY | O_CLOEXEC);
	}
	if (source->fd >= 0)
		widen_pipe(source->fd);
	return true;
}

ssize_t
source_read(struct source *source, char *data, size_t room)
{
	ssize_t got;

	do
		got = read(source->fd, data, room);
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		source->at_end = true;
	else
		progress_add((unsigned long long)got, STR(""));
	return got;
}

const char *
source_unpack(struct source *source, struct str bytes)
{
	const char *trouble = packed_open(&source->unpacker, source->fd, bytes);

	if (trouble == NULL) {
		if (source->fd != STDIN_FILENO)
			close(source->fd);
		source->fd = source->unpacker.from;
		source->at_end = false;
	}
	return trouble;
}

bool
source_close(struct source *source)
{
	struct child *unpacker = &source->unpacker;
	bool whole = true;
	char more;

	if (unpacker->pid > 0 && (source->at_end ||
	    source_read(source, &more, 1) == 0))
		whole = child_finish(unpacker);
	else if (unpacker->pid > 0)
		child_stop(unpacker);
	else if (source->fd != STDIN_FILENO)
		close(source->fd);
	source->fd = -1;
	return whole;
}
