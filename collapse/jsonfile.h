/* jsonfile: reads a profile that is JSON, perhaps in gzip; reports failures. */
#ifndef JSONFILE_H
#define JSONFILE_H

#include "fold/collapse.h"
#include "lib/json.h"

/*
 * Reads a file of this kind, an object.  If there is a row without a name, an
 * array is read, too, whose values the row is for.  Returns NULL, or the reason
 * why it is not a file of this kind, or is damaged.
 *
 * The struct begins as { 0 }, and serves for one file after another; its texts
 * live until the next one.  Memory taken while it is read counts against the
 * file's limit.
 */
const char *jsonfile_read(struct json *json, struct fold *fold,
    struct content *content, const char *kind, const struct json_row *rows,
    void *at);

#endif
