#include <sys/stat.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "lib/text.h"

#define HEADER		"data"
#define KALLSYMS	"kcore_dir/kallsyms"

static bool
is_regular(int folder, const char *name)
{
	struct stat status;

	return fstatat(folder, name, &status, 0) == 0 &&
	    S_ISREG(status.st_mode);
}

bool
folder_is_recording(int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && S_ISDIR(status.st_mode) &&
	    is_regular(fd, HEADER);
}

/* Returns the path of a file in the folder. */
static const char *
path_of(struct folder *folder, const char *name, const char *file)
{
	struct text path = { 0 };
	struct str kept;

	text_add_format(&path, "%s/%s", name, file);
	text_add_char(&path, '\0');
	kept = arena_copy(&folder->names, text_str(&path));
	free(path.data);
	return kept.data;
}

/* Opens a file; false, with errno, if that fails. */
static bool
open_file(struct folder *folder, const char *name, int fd, const char *file)
{
	int opened = openat(fd, file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (opened < 0)
		return false;
	folder->files = mem_grow(folder->files, &folder->room,
	    folder->count + 1, sizeof(*folder->files));
	folder->files[folder->count++] = (struct folder_file){
	    path_of(folder, name, file), opened };
	return true;
}

/* By number: data.2 before data.10. */
static int
compare(const void *left, const void *right)
{
	const char *a = ((const struct folder_file *)left)->name;
	const char *b = ((const struct folder_file *)right)->name;
	size_t len = strlen(a), other = strlen(b);

	return len != other ? (len < other ? -1 : 1) : strcmp(a, b);
}

/* Opens the files next to the header's. */
static bool
open_others(struct folder *folder, const char *name, int fd, DIR *names)
{
	const struct dirent *entry;
	bool good = true;

	while (good && (entry = readdir(names)) != NULL)
		if (strncmp(entry->d_name, HEADER ".", 5) == 0 &&
		    is_regular(fd, entry->d_name))
			good = open_file(folder, name, fd, entry->d_name);
	return good;
}

/* Opens all of its files. */
static bool
open_files(struct folder *folder, const char *name, int fd)
{
	int copy = openat(fd, ".", O_RDONLY | O_CLOEXEC);
	DIR *names = copy < 0 ? NULL : fdopendir(copy);
	bool good;

	if (names == NULL) {
		if (copy >= 0)
			close(copy);
		return false;
	}
	good = open_file(folder, name, fd, HEADER) &&
	    open_others(folder, name, fd, names);
	closedir(names);
	return good;
}

const char *
folder_open(struct folder *folder, const char *name, int fd)
{
	if (!is_regular(fd, HEADER))
		return strerror(EISDIR);
	if (!open_files(folder, name, fd))
		return "not all of its files can be opened";
	qsort(folder->files, folder->count, sizeof(*folder->files), compare);
	if (is_regular(fd, KALLSYMS))
		folder->kallsyms = path_of(folder, name, KALLSYMS);
	return NULL;
}

void
folder_close(struct folder *folder)
{
	size_t i;

	for (i = 0; i < folder->count; i++)
		close(folder->files[i].fd);
	free(folder->files);
	arena_free(&folder->names);
}
