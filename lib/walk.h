/*
 * walk: goes through the names in a directory tree, folder by folder: all of
 * its entries, then those of the folders that the caller wants to enter.
 *
 * Depth is limited by memory alone, not by the length of paths or the number of
 * open files.  Memory holds the names of folders still to be entered.  The walk
 * goes on, with a warning, after a folder that is unreadable or moved away.
 */
#ifndef WALK_H
#define WALK_H

#include "text.h"

struct walk {
	/* the entry */
	int folder;		/* the open folder that it is in */
	struct str path;	/* of that folder, with a '/' at its end */
	const char *name;	/* in it */
	bool is_first;		/* of its folder's entries */
	/* the walk */
	int parent;		/* the open folder that the first one is in */
	struct text *warnings;	/* set by the caller; each with its NUL */
	struct walk_level *levels;	/* the folders around the entry */
	size_t depth, room;
	struct text names;	/* of folders to enter, each with its NUL */
	struct text folder_path;
	struct text entry_path;
};

/*
 * Starts at a folder that is in `parent`, an open folder that must stay open,
 * or AT_FDCWD.  The paths of its entries begin with `path`.
 */
void walk_start(struct walk *walk, int parent, const char *name,
    struct str path);

/* Steps to the next entry; false at the end.  It lives until the next call. */
bool walk_next(struct walk *walk);

/* Makes the walk go through the entry, a folder, too. */
void walk_enter(struct walk *walk);

/* Returns the path of the entry; it lives until the next call. */
const char *walk_path(struct walk *walk);

/* Adds "path: REASON", as errno has it, to the warnings. */
void walk_warn(struct walk *walk, struct str path);

#endif
