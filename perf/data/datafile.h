/*
 * datafile: reads a recording of perf: a perf.data file, the pipe that perf
 * record writes to, or a folder with several files.
 *
 * In a folder, each file holds records in the order of time, so the one is read
 * whose last record is the oldest.
 */
#ifndef DATAFILE_H
#define DATAFILE_H

#include <stdio.h>

#include "folder.h"
#include "formats.h"
#include "header.h"
#include "reader.h"

/* A file with records. */
struct part {
	struct reader reader;
	uint64_t time;		/* of the last record that has one, or 0 */
	bool is_done;
};

struct datafile {
	FILE *copy;		/* of what came through a pipe, or NULL */
	struct folder folder;
	struct header header;
	struct attrs attrs;
	struct str machine, release;	/* empty: unknown */
	struct formats formats;		/* of tracepoints... */
	const char *formats_trouble;	/* ...what is wrong with them, or NULL;
					   completes "the formats of its
					   tracepoints: ..." */
	uint64_t first, last;	/* times of samples; 0: unknown */
	uint64_t section_bytes;	/* that may still be read of sections */
	bool lacks_sections;	/* some are not in the file, or too large */

	struct part *parts;	/* the first has the header */
	size_t count;
	struct part *part;	/* that is read */
	unsigned turn;		/* how many of its records were read */
	struct blocks blocks;
	struct arena arena;
};

/*
 * Begins with a recording, open as fd, after its first bytes `ahead` were read,
 * and notes the build IDs in its header.  Returns NULL, or what is wrong.
 */
const char *datafile_open(struct datafile *file, const char *name, int fd,
    struct str ahead, struct modules *modules);

/* Does the work of datafile_next where the next part may be another. */
bool datafile_find_next(struct datafile *file, struct record *record,
    struct block **block);

/*
 * Takes the next record, and the block that it is in, where it stays until
 * another is taken and nothing holds the block.  False at the end.
 */
static inline bool
datafile_next(struct datafile *file, struct record *record,
    struct block **block)
{
	return (file->count == 1 &&
	    reader_next(&file->parts->reader, record, block)) ||
	    datafile_find_next(file, record, block);
}

/* True if a RECORD_FINISHED_ROUND says that older records have come. */
bool datafile_has_rounds(const struct datafile *file);

/* Takes the formats that follow a RECORD_TRACING_DATA. */
void datafile_take_formats(struct datafile *file, const struct record *record);

/* Takes the contents of a header section, or of its record in a pipe. */
void datafile_take_feature(struct datafile *file, uint64_t feature,
    struct str section, struct modules *modules);

/*
 * True if the recorded kernel release or architecture is not this machine's;
 * stores the ELF number of the architecture, or 0 if unknown.
 */
bool datafile_is_foreign(const struct datafile *file, uint16_t *machine);

/* Returns how many bytes of all files were read. */
uint64_t datafile_given(const struct datafile *file);

/* Reports for each file how much is missing, and why; true if any is. */
bool datafile_report_gaps(const struct datafile *file);

/* Frees all; no record is held any more. */
void datafile_close(struct datafile *file);

#endif
