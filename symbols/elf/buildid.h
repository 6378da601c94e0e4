/*
 * buildid: the number by which a linker tells one build of a file from another.
 */
#ifndef BUILDID_H
#define BUILDID_H

#include <stdint.h>

#include "lib/str.h"

#define BUILD_ID_MAX	20

/* Begins as { 0 }, which is no build id. */
struct build_id {
	size_t len;
	unsigned char bytes[BUILD_ID_MAX];
};

/* Returns the build id of up to BUILD_ID_MAX bytes; of more, the first. */
struct build_id build_id_from(struct str bytes);

/*
 * True if a file's build id is the recorded one.  Older recordings fill that up
 * with zeros to 20 bytes.
 */
bool build_id_matches(const struct build_id *recorded,
    const struct build_id *of_file);

/* Writes a build id in hexadecimal digits, and returns them. */
const char *build_id_hex(const struct build_id *id,
    char hex[2 * BUILD_ID_MAX + 1]);

#endif
