/*
 * header: reads the start of perf.data, and the sections about a recording; see
 * tools/perf/Documentation/perf.data-file-format.txt in Linux.
 *
 *	"PERFILE2"  header size  event size  events  data  types  features
 *
 * where events and data are an offset and a size each, and features is a bit
 * for each section, whose place follows the data.  A header of 16 bytes begins
 * what was written to a pipe, where all of this comes as records.
 *
 * All functions here are pure, and take any bytes.
 */
#ifndef HEADER_H
#define HEADER_H

#include "attr.h"
#include "modules.h"

#define HEADER_PIPE	16	/* bytes of a pipe's header */
#define HEADER_MOST	104	/* bytes of a file's */
#define HEADER_FEATURES	256	/* bits of a file's */

struct header_section {
	uint64_t offset, size;
};

struct header {
	bool is_pipe;
	uint64_t size;		/* bytes */
	uint64_t event_size;
	struct header_section events, data;
	uint64_t features[HEADER_FEATURES / 64];	/* a bit each */
};

/* The sections that matter here, by their bits. */
enum feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_IDS = 2,
	FEATURE_RELEASE = 4,
	FEATURE_MACHINE = 6,
	FEATURE_EVENTS = 12,
	FEATURE_AUXTRACE = 18,
	FEATURE_STAT = 19,
	FEATURE_TIMES = 21,
	FEATURE_DIRECTORY = 24,
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

/*
 * Reads a header.  Returns NULL, or what is wrong with the recording.  All of
 * HEADER_MOST bytes should be there if the file has as many.
 */
const char *header_read(struct str bytes, struct header *header);

/*
 * Reads an event from the file's list, and returns where its counters' numbers
 * are in the file.
 */
struct header_section header_read_event(struct str bytes, struct attr *attr);

/* Reads a record with an event, from a pipe. */
void header_read_attr(struct attrs *attrs, struct str record);

/* Adds counters, 8 bytes each, to the event added last. */
void header_add_counters(struct attrs *attrs, struct str ids);

/* Names the events from a section. */
void header_name_events(struct attrs *attrs, struct str section);

/* The same of simpleperf's section. */
void header_name_simpleperf_events(struct attrs *attrs, struct str section);

/* Names an event from a record in a pipe. */
void header_update_event(struct attrs *attrs, struct str record);

/* Notes the build ids in a section. */
void header_note_ids(struct modules *modules, struct str section);

/* Returns a section's text, for example the name of the machine. */
struct str header_text(struct str section);

#endif
