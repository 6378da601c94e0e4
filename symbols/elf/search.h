/*
 * search: the search for a file with symbols, one path after another, until all
 * parts that are needed are found in files with the right build id.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include "buildid.h"
#include "elf.h"
#include "sources.h"

#define SEARCH_PATH	4096	/* no longer path can be opened on Linux */

/* Two parts of one program, which may be the same file. */
struct found {
	struct elf symbols;
	struct elf runtime;	/* as processes mapped it */
	char *path;		/* of a file with debug information */
};

struct search {
	const struct symbol_sources *sources;
	struct build_id id;		/* that files must have, or { 0 } */
	bool wants_symbols, wants_runtime;
	bool takes_any;			/* as the runtime file */
	bool wants_debug;		/* symbols are debug information */
	struct found found;
	enum dso_trouble trouble;	/* with the files tried so far */
};

/* Begins a search for both parts, or for the symbols alone. */
struct search search_begin(const struct symbol_sources *sources,
    struct build_id id, bool wants_runtime);

/*
 * Tries the file at a path, a format as in printf(3); false if there is none,
 * and if nothing is needed any more.
 */
bool search_try(struct search *search, const char *format, ...);

/*
 * Tries the bytes of a file; false, and they may go, if there is nothing in
 * them that is needed.
 */
bool search_take(struct search *search, struct str bytes);

/*
 * Tries `file` in perf's own collection, ~/.debug, by build id; versions of
 * long ago kept a file there, not a folder of files.
 */
void search_collection(struct search *search, const char *file);

/*
 * Ends a search: DSO_FINE if a part was found, which then is what was not found
 * as well.
 */
enum dso_trouble search_end(struct search *search, struct found *found);

/* Closes and unmaps what was found; nothing if found is { 0 } or closed. */
void search_close(struct found *found);

#endif
