/*
 * profilesample: reads what a pprof profile tells of a sample: which locations
 * it has, and its values, one for each type.
 */
#ifndef PROFILESAMPLE_H
#define PROFILESAMPLE_H

#include "lib/protobuf.h"

/* Its fields. */
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABEL = 3 };

struct profile_sample {
	struct str message;	/* the whole */
	struct str ids;		/* of its locations, packed; "" if they are not
				   in one field */
	int64_t value;		/* that counts; 0 if there is none */
};

/*
 * Reads a sample, of whose values the one at a place counts, from 0; the slices
 * live as long as the message.  False if it is damaged; locations are not read.
 */
bool profile_sample_read(struct str message, size_t place,
    struct profile_sample *sample);

#endif
