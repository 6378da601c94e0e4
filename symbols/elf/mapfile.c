#include <sys/stat.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "lib/child.h"
#include "lib/mapping.h"
#include "mapfile.h"

#define READ_SIZE	((size_t)1 << 20)
#define TEXT_MAX	((size_t)256 << 20)	/* kallsyms has 10 MB */
#define PATIENCE	60			/* seconds */

/* True if a file may be there, and the system lacks what opening it takes. */
static bool
is_lack(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM ||
	    error == EIO;
}

/*
 * Opens a regular file, and notes one that the system cannot open.  It is looked at before, since to open a device may
 * have effects, and then again; a FIFO must not make us wait.
 */
static int
open_regular(const char *path)
{
	struct stat status;
	int fd;

	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return -1;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 && is_lack(errno))
		mapping_note_failure(path, strerror(errno));
	if (fd >= 0 && (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

bool
mapfile_open(const char *path, struct str *bytes)
{
	int fd = open_regular(path);
	struct stat status;

	if (fd < 0)
		return false;
	*bytes = STR("");
	if (fstat(fd, &status) == 0 && status.st_size > 0) {
		*bytes = mapping_add(fd, path,
		    (unsigned long long)status.st_size);
		if (bytes->len == 0)
			mapping_note_failure(path, strerror(errno));
	}
	close(fd);
	return true;
}

bool
mapfile_read(const char *path, struct text *text)
{
	int fd = open_regular(path);
	ssize_t got;
	char *at;

	if (fd < 0)
		return false;
	do {
		at = text_extend(text, READ_SIZE);
		got = read(fd, at, READ_SIZE);
		text->len -= READ_SIZE - (size_t)(got > 0 ? got : 0);
	} while ((got > 0 && text->len < TEXT_MAX) ||
	    (got < 0 && errno == EINTR));
	close(fd);
	return got >= 0;
}

/* Reads all that a child prints; false if that fails or is too much. */
static bool
read_child(struct child *child, struct text *text)
{
	ssize_t got;
	char *at;

	do {
		at = text_extend(text, READ_SIZE);
		got = child_read(child, at, READ_SIZE, PATIENCE);
		text->len -= READ_SIZE - (size_t)(got > 0 ? got : 0);
	} while (got > 0 && text->len <= TEXT_MAX);
	return got == 0;
}

enum mapfile_unpacked
mapfile_unpack(const char *path, bool zstd, struct text *text)
{
	char xz_program[] = "xz", zstd_program[] = "zstd", options[] = "-dc";
	char *const argv[] = {
		zstd ? zstd_program : xz_program, options, NULL
	};
	struct child child;
	bool started, read;
	int fd;

	fd = open_regular(path);
	if (fd < 0)
		return MAPFILE_DAMAGED;
	started = child_start(&child, argv, fd);
	close(fd);
	if (!started)
		return MAPFILE_NO_PROGRAM;
	read = read_child(&child, text);
	if (!read)
		child_stop(&child);
	else
		read = child_finish(&child);
	if (!read)
		mapping_note_failure(path, zstd ? "zstd cannot unpack it" :
		    "xz cannot unpack it");
	return read ? MAPFILE_UNPACKED : MAPFILE_DAMAGED;
}
