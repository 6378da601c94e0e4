/*
 * jsonfile: reads a profile that is JSON, packed by gzip or not, and says why
 * it cannot be read.
 *
 *	reason = jsonfile_begin(&json, fold, content, "a profile of V8", "{");
 *	if (reason == NULL) {
 *		json_object(&json, rows, &profile);
 *		reason = jsonfile_end(&json, fold, content);
 *	}
 */
#ifndef JSONFILE_H
#define JSONFILE_H

#include "fold/collapse.h"
#include "lib/json.h"

/*
 * Begins with a file; returns NULL, or the reason why it is not a file of this
 * kind, whose first character is one of `starts`.  The struct begins as { 0 },
 * and serves for one file after another; its texts live until the next one.
 * Memory taken after this call counts against the file's limit.
 */
const char *jsonfile_begin(struct json *json, struct fold *fold,
    struct content *content, const char *kind, const char *starts);

/* Ends the file.  Returns NULL, or why the JSON is damaged. */
const char *jsonfile_end(struct json *json, struct fold *fold,
    const struct content *content);

#endif
