/*
 * datafile: reads a perf.data file, or the pipe that perf record writes to, one
 * record after another.
 *
 * Of the file, only the blocks are in memory that hold records which are still
 * held.  Compressed data (perf record -z) is one stream through all records
 * that carry a part of it; zstd(1) decompresses it, and its records come as it
 * prints them, between the others.
 */
#ifndef DATAFILE_H
#define DATAFILE_H

#include <stdio.h>

#include "../lib/child.h"
#include "header.h"

/* Memory with records, of which `held` are still needed. */
struct block {
	struct block *next;	/* of those that are free */
	size_t len, held;
	char data[];
};

/* Records in a row, as they are read. */
struct stream {
	struct block *block;	/* NULL at first */
	size_t next;		/* the first that was not given out */
};

struct datafile {
	int fd;
	FILE *copy;		/* of what came through a pipe, or NULL */
	struct header header;
	struct attrs attrs;
	struct str machine, release;	/* empty if not told */
	uint64_t section_bytes;	/* that may still be read of sections */
	uint64_t at, end;	/* of a file: its records not read yet */
	struct str ahead;	/* bytes of a pipe that were read before */
	struct stream stored;
	bool at_end;
	int failed;		/* errno of a read, or 0 */
	bool damaged;		/* a record is shorter than its header */
	uint64_t given;		/* the end of the stored records given out */

	bool is_compressed;
	int no_zstd;		/* errno, if it does not run, or 0 */
	bool zstd_runs, zstd_ends, zstd_failed;
	struct child zstd;
	struct text printed;	/* by zstd, unread from printed_start on */
	size_t printed_start;
	struct stream decompressed;

	struct block *free_blocks;
	size_t blocks;		/* that are not free */
	struct arena arena;
};

/*
 * Begins with a recording, open as fd, of which `ahead` was read before, and
 * notes the build ids that its header tells.  Returns NULL, or what is wrong.
 */
const char *datafile_open(struct datafile *file, int fd, struct str ahead,
    struct modules *modules);

/*
 * Takes the next record, and the block that it is in, where it stays until
 * another is taken and nothing holds the block.  False at the end.
 */
bool datafile_next(struct datafile *file, struct record *record,
    struct block **block);

/* Steps over the data behind a RECORD_AUXTRACE or RECORD_TRACING_DATA. */
void datafile_skip_data(struct datafile *file, const struct record *record);

/* Takes what a section tells, which in a pipe is in a record. */
void datafile_take_feature(struct datafile *file, uint64_t feature,
    struct str section, struct modules *modules);

/* Lets go of a record that was held in a block. */
void datafile_drop(struct datafile *file, struct block *block);

/* Returns how many bytes are missing at the end, or are no whole record. */
uint64_t datafile_missing(const struct datafile *file);

/* Frees all; no record is held any more. */
void datafile_close(struct datafile *file);

#endif
