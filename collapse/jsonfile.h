/*
 * jsonfile: reads a profile that is JSON, packed by gzip or not, and says why
 * it cannot be read.
 *
 *	reason = jsonfile_begin(&file, fold, beginning,
 *	    "a profile of V8", "{");
 *	if (reason == NULL) {
 *		read(&file.json, ...);
 *		reason = jsonfile_finish(&file);
 *	}
 *	if (reason == NULL)
 *		(it was read to its end)
 *	jsonfile_end(&file);
 */
#ifndef JSONFILE_H
#define JSONFILE_H

#include "fold/collapse.h"
#include "lib/content.h"
#include "lib/json.h"

/* It begins as { 0 }, and serves for one file after another. */
struct jsonfile {
	struct json json;
	struct content content;
	struct text trouble;	/* a reason, which lives until the next one */
};

/*
 * Begins with a file; returns NULL, or the reason why it is not a file of this
 * kind, whose first character is one of `starts`.  From here on memory that is
 * taken counts as what is made of the file.
 */
const char *jsonfile_begin(struct jsonfile *file, struct fold *fold,
    const struct beginning *beginning, const char *kind, const char *starts);

/* Returns NULL, or what was wrong with the JSON, of which all was read. */
const char *jsonfile_finish(struct jsonfile *file);

/* Frees what was read, and the texts of json. */
void jsonfile_end(struct jsonfile *file);

/* Keeps a message, as printf(3) makes it, and returns it. */
const char *jsonfile_reason(struct jsonfile *file, const char *format, ...);

#endif
