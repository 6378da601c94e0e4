#include <sys/stat.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "lib/mapping.h"
#include "mapfile.h"

#define PATH_SIZE_MAX	4096	/* no longer path can be opened on Linux */
#define READ_SIZE	((size_t)1 << 20)
#define TEXT_MAX	((size_t)256 << 20)	/* kallsyms has 10 MB */

/*
 * Opens a regular file, and notes one that the system cannot open.  It is
 * looked at before, since to open a device may have effects, and then again; a
 * FIFO must not make us wait.
 */
static int
open_regular(const char *path)
{
	struct stat status;
	int fd;

	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return -1;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 && (errno == EMFILE || errno == ENFILE ||
	    errno == ENOMEM || errno == EIO))
		mapping_note_failure(path, strerror(errno));
	if (fd >= 0 && (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Returns how many bytes of a file are on the disk: a sparse one has few. */
static uint64_t
stored_size(const struct stat *status)
{
	uint64_t stored = (uint64_t)status->st_blocks * 512;
	uint64_t size = (uint64_t)status->st_size;

	return stored < size ? stored : size;
}

bool
mapfile_open(struct str *bytes, struct account *account, const char *format,
    ...)
{
	char path[PATH_SIZE_MAX];
	struct stat status;
	va_list args;
	int len, fd;

	va_start(args, format);
	len = vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	fd = len >= 0 && (size_t)len < sizeof(path) ? open_regular(path) : -1;
	if (fd < 0)
		return false;
	*bytes = STR("");
	if (fstat(fd, &status) == 0 && status.st_size > 0) {
		*bytes = mapping_add(fd, path, 0,
		    (unsigned long long)status.st_size);
		if (bytes->len == 0)
			mapping_note_failure(path, strerror(errno));
		/* a file with a header has a block, where they are counted */
		account_credit(account, status.st_blocks == 0 ?
		    (uint64_t)status.st_size : stored_size(&status));
	}
	close(fd);
	return true;
}

void
mapfile_close(struct elf *elf)
{
	mapping_remove(elf->file.start);
	elf_close(elf);
}

/* Reads what is open, and closes it; false if that fails. */
static bool
read_all(int fd, struct account *account, struct text *text)
{
	ssize_t got;
	char *at;

	do {
		at = text_extend(text, READ_SIZE);
		got = read(fd, at, READ_SIZE);
		text->len -= READ_SIZE - (size_t)(got > 0 ? got : 0);
	} while ((got > 0 && text->len < TEXT_MAX && account_take(account,
	    LIMIT_MEMORY, (uint64_t)got, "names of functions")) ||
	    (got < 0 && errno == EINTR));
	close(fd);
	return got >= 0;
}

bool
mapfile_read(const char *path, struct text *text)
{
	int fd = open_regular(path);

	return fd >= 0 && read_all(fd, NULL, text);
}

bool
mapfile_read_of(const char *path, long pid, struct account *account,
    struct text *text, bool *foreign)
{
	int fd = open_regular(path);
	struct stat status, process;
	char folder[64];

	if (fd < 0)
		return false;
	snprintf(folder, sizeof(folder), "/proc/%ld", pid);
	*foreign = fstat(fd, &status) != 0 || (status.st_uid != 0 &&
	    status.st_uid != geteuid() && (stat(folder, &process) != 0 ||
	    process.st_uid != status.st_uid));
	if (*foreign) {
		close(fd);
		return false;
	}
	account_credit(account, stored_size(&status));
	return read_all(fd, account, text);
}
