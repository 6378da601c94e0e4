/*
 * The folders entered and not left yet make a stack of levels.  Only the
 * innermost ones are open.  One further out is closed, and opened again by the
 * ".." of the folder that is being left; if that was moved meanwhile and leads
 * to another folder, by opening one level after another from the first.
 */
#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "mem.h"
#include "message.h"
#include "walk.h"

/* These and the standard streams are fewer than the 20 that POSIX promises. */
#define OPEN_LEVELS	12

struct walk_level {
	DIR *stream;		/* NULL while it is closed */
	dev_t device;		/* these tell the folder while it is closed */
	ino_t inode;
	size_t entries;		/* given out so far */
	bool is_read;		/* no more are to come */
	size_t path_len;	/* of its path, with a '/' at its end */
	/* offsets in the walk's names */
	size_t name;		/* its own name */
	size_t names;		/* the first folder in it */
	size_t next;		/* the folder that is entered next */
};

/* Reports why the folder whose path is built last cannot be read. */
static void
report(struct walk *walk)
{
	struct str path = text_str(&walk->folder_path);

	walk_warn(walk, str_take(path, path.len > 1 ? path.len - 1 : path.len));
}

static DIR *
open_folder(int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
	    O_CLOEXEC | O_NONBLOCK);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && stream == NULL)
		close(fd);
	return stream;
}

static void
close_folder(DIR *stream)
{
	if (stream != NULL)
		closedir(stream);
}

static bool
is_level(const struct walk_level *level, DIR *stream)
{
	struct stat status;

	return stream != NULL && fstat(dirfd(stream), &status) == 0 &&
	    status.st_dev == level->device && status.st_ino == level->inode;
}

/* Opens the innermost level by way of all those around it. */
static DIR *
open_from_start(const struct walk *walk)
{
	const struct walk_level *level = walk->levels;
	const struct walk_level *end = level + walk->depth;
	DIR *stream = open_folder(walk->parent, walk->names.data), *inner;

	while (++level < end && stream != NULL) {
		inner = open_folder(dirfd(stream),
		    walk->names.data + level->name);
		closedir(stream);
		stream = inner;
	}
	return stream;
}

/* Opens the innermost level again, from a folder in it, or from NULL. */
static void
reopen(struct walk *walk, DIR *inner)
{
	struct walk_level *level = &walk->levels[walk->depth - 1];
	DIR *stream = inner == NULL ? NULL : open_folder(dirfd(inner), "..");

	if (!is_level(level, stream)) {
		close_folder(stream);
		stream = open_from_start(walk);
	}
	if (is_level(level, stream)) {
		level->stream = stream;
		return;
	}
	if (stream != NULL) {
		closedir(stream);
		errno = ENOENT;
	}
	if (level->next < walk->names.len)
		report(walk);
	level->next = walk->names.len;
}

/* Enters the folder whose name begins at `name` in walk's names. */
static void
enter(struct walk *walk, int parent, size_t name)
{
	DIR *stream = open_folder(parent, walk->names.data + name);
	struct walk_level *level = NULL;
	struct stat status;

	if (stream == NULL) {
		report(walk);
		return;
	}
	if (walk->depth >= OPEN_LEVELS)
		level = &walk->levels[walk->depth - OPEN_LEVELS];
	/* closes the outermost one, noting how to recognize it */
	if (level != NULL && level->stream != NULL &&
	    fstat(dirfd(level->stream), &status) == 0) {
		level->device = status.st_dev;
		level->inode = status.st_ino;
		closedir(level->stream);
		level->stream = NULL;
	}
	*LIST_ADD(walk->levels, walk->depth, walk->room) = (struct walk_level){
		.stream = stream,
		.path_len = walk->folder_path.len,
		.name = name,
		.names = walk->names.len,
		.next = walk->names.len,
	};
}

/* Steps to the next entry of the innermost level; false at the end. */
static bool
read_entry(struct walk *walk)
{
	struct walk_level *level = &walk->levels[walk->depth - 1];
	struct dirent *entry;

	if (level->is_read)
		return false;
	do {
		errno = 0;
		entry = readdir(level->stream);
	} while (entry != NULL && (strcmp(entry->d_name, ".") == 0 ||
	    strcmp(entry->d_name, "..") == 0));
	if (entry == NULL) {
		if (errno != 0)
			report(walk);
		level->is_read = true;
		return false;
	}
	walk->folder = dirfd(level->stream);
	walk->path = text_str(&walk->folder_path);
	walk->name = entry->d_name;
	walk->is_first = level->entries++ == 0;
	return true;
}

static void
add_name(struct walk *walk, const char *name)
{
	text_add(&walk->names, (struct str){ name, strlen(name) + 1 });
}

void
walk_start(struct walk *walk, int parent, const char *name, struct str path)
{
	walk->parent = parent;
	walk->names.len = 0;
	add_name(walk, name);
	walk->folder_path.len = 0;
	text_add(&walk->folder_path, path);
	if (!str_equal(path, STR("/")))
		text_add_char(&walk->folder_path, '/');
	enter(walk, parent, 0);
}

bool
walk_next(struct walk *walk)
{
	struct walk_level *level, *outer;
	struct str name;
	size_t at;

	while (walk->depth > 0) {
		if (read_entry(walk))
			return true;
		level = &walk->levels[walk->depth - 1];
		at = level->next;
		if (at == walk->names.len) {
			walk->names.len = level->names;
			if (--walk->depth > 0) {
				outer = level - 1;
				walk->folder_path.len = outer->path_len;
				if (outer->stream == NULL)
					reopen(walk, level->stream);
			}
			close_folder(level->stream);
			continue;
		}
		name = str_from(walk->names.data + at);
		level->next += name.len + 1;
		walk->folder_path.len = level->path_len;
		text_add(&walk->folder_path, name);
		text_add_char(&walk->folder_path, '/');
		enter(walk, dirfd(level->stream), at);
	}
	return false;
}

void
walk_enter(struct walk *walk)
{
	add_name(walk, walk->name);
}

const char *
walk_path(struct walk *walk)
{
	walk->entry_path.len = 0;
	text_add(&walk->entry_path, walk->path);
	text_add(&walk->entry_path, str_from(walk->name));
	text_add_char(&walk->entry_path, '\0');
	return walk->entry_path.data;
}

void
walk_warn(struct walk *walk, struct str path)
{
	char reason[256];
	int error = errno;

	/* By POSIX this call alone is safe in threads. */
	if (strerror_r(error, reason, sizeof(reason)) != 0)
		snprintf(reason, sizeof(reason), "error %d", error);
	message_add_shown(walk->warnings, path);
	text_add(walk->warnings, STR(": "));
	text_add(walk->warnings,
	    (struct str){ reason, strlen(reason) + 1 });
}
