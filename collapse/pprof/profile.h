/*
 * profile: reads a profile in pprof's format, a message of Protocol Buffers:
 *
 *	1 sample_type	{ 1 type, 2 unit }, one for each value of a sample
 *	2 sample	{ 1 location ids, 2 values, 3 label }
 *	3 mapping	{ 1 id, 2 start, 3 limit, 4 offset, 5 file, 6 build id }
 *	4 location	{ 1 id, 2 mapping id, 3 address, 4 line }
 *	5 function	{ 1 id, 2 name, 3 system name, 4 file }
 *	6 string	to which all others refer, by its number
 *	14 default_sample_type
 *
 * Samples come first, and the tables that they refer to after them.  So the
 * message is in memory as a whole, and is read twice.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include "lib/content.h"
#include "lib/intmap.h"
#include "lib/mem.h"
#include "lib/protobuf.h"

enum {			/* fields of the whole */
	PROFILE_TYPE = 1, PROFILE_SAMPLE = 2, PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4, PROFILE_FUNCTION = 5, PROFILE_STRING = 6,
	PROFILE_DEFAULT_TYPE = 14
};

/* The meaning of a sample's first value, or second: "cpu", "nanoseconds". */
struct profile_type {
	uint64_t name, unit;	/* numbers of strings, as below */
};

struct profile_mapping {
	uint64_t start, offset;
	uint64_t file, build_id;
};

struct profile_function {
	uint64_t name, system_name, file;
};

struct profile {
	struct str message;	/* the whole profile */
	size_t size;		/* its size in the file, perhaps packed */
	struct str *strings;
	size_t string_count, string_room;
	struct profile_type *types;
	size_t type_count, type_room;
	uint64_t default_type;		/* a string; 0: none */
	/* The ids of tables, with the numbers of their entries from 1. */
	struct intmap mapping_ids, location_ids, function_ids;
	struct profile_mapping *mappings;
	struct str *locations;		/* messages */
	struct profile_function *functions;
	size_t mapping_room, location_room, function_room;
	size_t samples;
};

/*
 * Reads the tables of a message, which must outlive them and is `size` bytes of
 * a file.  Returns NULL, or the reason for a failure; the caller frees the
 * tables in any case.
 */
const char *profile_open(struct profile *profile, struct str message,
    size_t size);

void profile_free(struct profile *profile);

/*
 * Returns the string of that number, "" if there is none; it lives as long as
 * the message.
 */
static inline struct str
profile_string(const struct profile *profile, uint64_t number)
{
	return number < profile->string_count ? profile->strings[number] :
	    STR("");
}

enum {			/* fields of a sample */
	SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABEL = 3
};

struct profile_sample {
	struct str message;	/* the whole sample */
	struct str ids;		/* of its locations, if in one packed field */
	int64_t value;		/* the one that counts, or 0 */
};

/*
 * Reads a sample and its value at `place`, counted from 0, but no locations.
 * The slices live as long as the message.  Returns false if the sample is
 * damaged.
 */
bool profile_sample_read(struct str message, size_t place,
    struct profile_sample *sample);

#endif
