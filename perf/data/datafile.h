/*
 * datafile: reads a recording of perf: a perf.data file, the pipe that perf
 * record writes to, or a folder, as made by perf record --threads or --kcore:
 *
 *	perf.data/data			the header, and records
 *	perf.data/data.0, data.1	records, of one thread each
 *	perf.data/kcore_dir/kallsyms	names of the kernel's functions
 *
 * Each file of a folder is in the order of time, so the one is read whose last
 * record is the oldest.  Only regular files are opened.
 *
 * A file begins with a header; see tools/perf/Documentation in Linux:
 *
 *	"PERFILE2"  header size  event size  events  data  types  features
 *
 * Events and data are an offset and a size each.  Features is a bit for each
 * section, whose place follows the data.  What was written to a pipe begins
 * with a header of 16 bytes, and all of this comes as records.
 */
#ifndef DATAFILE_H
#define DATAFILE_H

#include <stdio.h>

#include "formats.h"
#include "modules.h"
#include "reader.h"

#define HEADER_FEATURES	256	/* bits */

struct header {
	bool is_pipe;
	uint64_t event_size;	/* bytes */
	struct header_section {
		uint64_t offset, size;
	} events, data;
	uint64_t features[HEADER_FEATURES / 64];
};

/* Bits of sections. */
enum feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_IDS = 2,
	FEATURE_RELEASE = 4,
	FEATURE_MACHINE = 6,
	FEATURE_EVENTS = 12,
	FEATURE_AUXTRACE = 18,
	FEATURE_STAT = 19,
	FEATURE_TIMES = 21,
	FEATURE_SIMPLEPERF_FILE = 128,
	FEATURE_SIMPLEPERF_META = 129,
	FEATURE_SIMPLEPERF_FILE_2 = 132
};

static inline bool
header_has(const struct header *header, unsigned feature)
{
	return (header->features[feature / 64] >> feature % 64 & 1) != 0;
}

/* So ends the reason why a recording is refused that perf itself can read. */
#define ONLY_PERF	", which only perf script reads"

struct datafile {
	FILE *copy;		/* of what came through a pipe, or NULL */
	bool is_folder;
	const char *kallsyms;	/* the path of a folder's, or NULL */
	struct modules *modules;	/* which get what the header knows */
	struct header header;
	struct attrs attrs;
	struct str machine, release;	/* empty: unknown */
	struct formats formats;
	uint64_t first, last;	/* times of samples; 0: unknown */
	uint64_t section_bytes;	/* that may still be read of sections */
	bool lacks_sections;	/* some are not in the file, or too large */

	struct reader *parts;	/* the first has the header */
	size_t count, room;
	struct reader *part;	/* that is read */
	unsigned turn;		/* how many of its records were read */
	struct blocks blocks;
	struct arena arena;	/* of sections, and of names */
};

/* True if an open file is a folder that may be a recording. */
bool datafile_is_folder(int fd);

/*
 * Begins with a recording, open as fd, after its first bytes `ahead` were read,
 * and notes the build IDs in its header.  Returns NULL, or what is wrong.
 */
const char *datafile_open(struct datafile *file, const char *name, int fd,
    struct str ahead, struct modules *modules);

/* Does the work of datafile_next where the next part may be another. */
bool datafile_find_next(struct datafile *file, struct record *record,
    struct block **block);

/* Takes the next record, as reader_next does. */
static inline bool
datafile_next(struct datafile *file, struct record *record,
    struct block **block)
{
	return (file->count == 1 &&
	    reader_next(file->parts, record, block)) ||
	    datafile_find_next(file, record, block);
}

/* Takes a record that is part of a header.  True if events may change. */
bool datafile_take(struct datafile *file, const struct record *record);

/*
 * True if the recorded kernel release or architecture is not this machine's;
 * stores the ELF number of the architecture, or 0 if unknown.
 */
bool datafile_is_foreign(const struct datafile *file, uint16_t *machine);

/* Returns how many bytes of all files were read. */
uint64_t datafile_given(const struct datafile *file);

/* Reports for each file how much is missing, and why; true if any is. */
bool datafile_report_gaps(const struct datafile *file);

void datafile_close(struct datafile *file);

#endif
