/*
 * mapfile: the bytes of files.  Of what is to be read for symbols only regular
 * files are opened, and they are opened here alone.
 */
#ifndef MAPFILE_H
#define MAPFILE_H

#include "lib/text.h"

/*
 * Maps a file, to be removed by mapping_remove; false if it does not exist.  An
 * empty one has no bytes.
 */
bool mapfile_open(const char *path, struct str *bytes);

/*
 * Reads a file into text, to its end, since those of /proc say that they are
 * empty, or up to 256 MB of it; false if that fails.
 */
bool mapfile_read(const char *path, struct text *text);

enum mapfile_unpacked {
	MAPFILE_UNPACKED,
	MAPFILE_DAMAGED,	/* or too large, or not a file */
	MAPFILE_NO_PROGRAM	/* that unpacks it is installed */
};

/* Reads what zstd, or else xz, unpacks from a file. */
enum mapfile_unpacked mapfile_unpack(const char *path, bool zstd,
    struct text *text);

#endif
