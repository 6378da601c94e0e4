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
start(struct child *child, const char *program, int input)
{
	char name[8], options[] = "-dcq";
	char *const argv[] = { name, options, NULL };

	snprintf(name, sizeof(name), "%s", program);
	return child_start(child, argv, input);
}

FILE *
packed_copy(int fd, struct str bytes)
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
		copy = packed_copy(fd, bytes);
		if (copy == NULL)
			return "it is compressed, and cannot be copied to a "
			    "temporary file";
	}
	if (!start(child, packed_by(bytes), copy != NULL ? fileno(copy) : fd))
		text_add_format(&trouble, "it is compressed, and %s cannot be "
		    "started: %s%c", packed_by(bytes), strerror(errno), '\0');
	if (copy != NULL)
		fclose(copy);
	return trouble.data;
}

enum packed_state
packed_unpack(const char *program, struct str bytes, struct text *text,
    size_t most)
{
	struct child child;
	ssize_t got;

	if (!start(&child, program, CHILD_PIPE))
		return PACKED_NO_PROGRAM;
	do {
		got = child_exchange(&child, &bytes, text, SECONDS);
		if (bytes.len == 0)
			child_end_input(&child);
	} while (got > 0 && text->len <= most);
	if (got == 0)
		return child_finish(&child) ? PACKED_READ : PACKED_DAMAGED;
	child_stop(&child);
	return got > 0 ? PACKED_TOO_LARGE : PACKED_DAMAGED;
}
