/*
 * folder: finds the files of a recording in a folder, as made by perf record
 * --threads or --kcore:
 *
 *	perf.data/data			the header, and records
 *	perf.data/data.0, data.1	records, of one thread each
 *	perf.data/kcore_dir/kallsyms	names of the kernel's functions
 *
 * Only regular files are opened.
 */
#ifndef FOLDER_H
#define FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/mem.h"

struct folder_file {
	const char *name;	/* "perf.data/data.0" */
	int fd;
};

struct folder {
	struct folder_file *files;	/* the one with the header first */
	size_t count, room;
	const char *kallsyms;	/* the path of that file, or NULL */
	struct arena names;
};

/* True if an open file is a folder that may be a recording. */
bool folder_is_recording(int fd);

/* Opens the files; returns NULL, or what is wrong. */
const char *folder_open(struct folder *folder, const char *name, int fd);

void folder_close(struct folder *folder);

#endif
