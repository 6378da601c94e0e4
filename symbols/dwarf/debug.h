/*
 * debug: finds the functions at an address of a program or library in its debug
 * information, wherever that is: in the file itself, in a file beside it, or in
 * the file that dwz made of what several files have in common.
 */
#ifndef DEBUG_H
#define DEBUG_H

#include "lib/text.h"
#include "symbols/elf/find.h"

struct debug;

/*
 * Finds the debug information of a file, or of the kernel; returns NULL without
 * any.  Sources and binary must outlive it.
 */
struct debug *debug_open(const struct symbol_sources *sources,
    const struct binary *binary, bool is_kernel);

/* Frees it; debug may be NULL. */
void debug_close(struct debug *debug);

struct debug_function {
	struct str name;	/* demangled, or "" */
	bool inlined;		/* into the next one */
	struct str file;	/* without its folder; "": not known... */
	uint32_t line;		/* ...or not asked for */
};

/* The functions at an address, the innermost first.  It begins as { 0 }. */
struct debug_functions {
	struct debug_function *list;	/* to be freed */
	size_t count, room;
	uint64_t first, last;		/* they are the same from here to
					   there, at least */
};

/* What else is wanted of functions: flags. */
enum {
	DEBUG_LINES = 1,	/* their source lines */
	DEBUG_PARAMETERS = 2,	/* parameters in the names of C++: in all
				   calls or in none */
	DEBUG_INLINED = 4	/* for dso.h: the functions that are inlined */
};

/*
 * Finds the functions at a linked address.  The list lives until the next call;
 * names and files live as long as debug.  If a line is known and no function,
 * the list has one without a name.  False if nothing is known.
 */
bool debug_find(struct debug *debug, uint64_t address, unsigned wanted,
    struct debug_functions *functions);

/* Adds a function that is outside the others. */
struct debug_function *debug_functions_add(struct debug_functions *functions,
    struct str name);

/*
 * Returns why it could be read in part only, and stores the path of its file;
 * NULL if nothing is wrong, or debug is NULL.
 */
const char *debug_trouble(const struct debug *debug, const char **path);

#endif
