/*
 * mapfile: the bytes of files.  Of what is to be read for symbols only regular
 * files are opened, and they are opened here alone.
 */
#ifndef MAPFILE_H
#define MAPFILE_H

#include "limits.h"
#include "lib/text.h"

/*
 * Maps a file, to be removed by mapping_remove; false if it does not exist.  An
 * empty one has no bytes.  What the file has on the disk is the account's
 * credit.
 */
bool mapfile_open(const char *path, struct str *bytes,
    struct account *account);

/*
 * Reads a file into text, to its end, since those of /proc say that they are
 * empty, or up to 256 MB of it; false if that fails.
 */
bool mapfile_read(const char *path, struct text *text);

/*
 * Does the same for a file of symbols that anybody may write, as those of /tmp:
 * it must be root's, ours, or that of the user whose process this is; else
 * *foreign is set.  What does not fit into the account is left out.
 */
bool mapfile_read_of(const char *path, long pid, struct account *account,
    struct text *text, bool *foreign);

#endif
