#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "gzip.h"
#include "packed.h"

#define SECONDS	60	/* in which a program prints something */
#define PIECE	65536

const char *
packed_by(struct str bytes)
{
	if (gzip_begins(bytes))
		return "gzip";
	if (str_starts(bytes, STR("\3757zXZ")))
		return "xz";
	return str_starts(bytes, STR("\050\265/\375")) ? "zstd" : NULL;
}

static bool
start(struct child *child, struct str bytes, int input)
{
	char program[8], options[] = "-dcq";
	char *const argv[] = { program, options, NULL };

	snprintf(program, sizeof(program), "%s", packed_by(bytes));
	return child_start(child, argv, input);
}

/* Copies bytes, and those that follow them in a pipe, to a temporary file. */
static FILE *
copy_pipe(int fd, struct str bytes)
{
	char data[PIECE];
	FILE *copy = tmpfile();
	ssize_t got;
	bool copied;

	if (copy == NULL)
		return NULL;
	copied = fwrite(bytes.data, 1, bytes.len, copy) == bytes.len;
	while (copied && (got = read(fd, data, sizeof(data))) != 0)
		copied = got < 0 ? errno == EINTR :
		    fwrite(data, 1, (size_t)got, copy) == (size_t)got;
	if (copied && fseek(copy, 0, SEEK_SET) == 0)
		return copy;
	fclose(copy);
	return NULL;
}

const char *
packed_open(struct child *child, int fd, struct str bytes)
{
	struct text trouble = { 0 };
	FILE *copy = NULL;

	if (lseek(fd, -(off_t)bytes.len, SEEK_CUR) < 0) {
		copy = copy_pipe(fd, bytes);
		if (copy == NULL)
			return "it is compressed, and cannot be copied to a "
			    "temporary file";
	}
	if (!start(child, bytes, copy != NULL ? fileno(copy) : fd))
		text_add_format(&trouble, "it is compressed, and %s cannot be "
		    "started: %s%c", packed_by(bytes), strerror(errno), '\0');
	if (copy != NULL)
		fclose(copy);
	return trouble.data;
}

void
packed_peek(struct str bytes, struct text *text, size_t most)
{
	struct child child;
	ssize_t got;

	if (!start(&child, bytes, CHILD_PIPE))
		return;
	do {
		got = child_exchange(&child, &bytes, text, SECONDS);
		if (bytes.len == 0)
			child_end_input(&child);
	} while (got > 0 && text->len < most);
	child_stop(&child);
}
