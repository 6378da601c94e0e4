/*
 * native: names addresses of programs and libraries for which a profile has no
 * names, by the symbols and the debug information that are on this machine.
 */
#ifndef NATIVE_H
#define NATIVE_H

#include "lib/options.h"
#include "lib/table.h"
#include "symbols/dso.h"

struct native_file {
	struct dso *dso;
	struct str path;
	unsigned long long unknown;	/* addresses without a function */
};

/* It begins as { .symfs = "" }, and is kept until the program ends. */
struct native {
	const char *symfs;	/* the folder that is meant by "/", or "" */
	bool addresses;		/* shown where no function is known */
	bool not_inlined;	/* functions that were inlined are left out */
	bool lines;		/* names end with the file and the line */
	struct symbols *symbols;
	struct table keys;	/* paths with build ids */
	struct native_file *files;	/* by a key's number */
	size_t room;
	struct debug_functions functions;
	struct text key;
	unsigned long long known, unknown;	/* addresses */
};

/* The rows of a program's options that set the first four members. */
#define NATIVE_OPTIONS(native) \
	{ "no-inline", OPTION_FLAG, &(native).not_inlined, NULL, \
	    "leave out inlined functions" }, \
	{ "lines", OPTION_FLAG, &(native).lines, NULL, \
	    "add file and line to the functions" }, \
	{ "addrs", OPTION_FLAG, &(native).addresses, NULL, \
	    "show the address where the function is unknown" }, \
	{ "symfs", OPTION_TEXT, &(native).symfs, "DIR", \
	    "find programs and libraries in DIR instead of /" }

/* An address is an offset in a file, or counts from its first segment. */
enum native_place { NATIVE_OFFSET, NATIVE_RELATIVE };

/*
 * Returns the number of a file with a build id in hexadecimal, or "".  A
 * missing file has a number, too; its addresses have no function.
 */
uint32_t native_file(struct native *native, struct str path,
    struct str build_id);

/*
 * Adds the names of the functions at an address to `names`, outermost first,
 * separated by ';' and with _[i] after inlined ones; or else the file's name in
 * brackets.
 */
void native_names(struct native *native, uint32_t file,
    enum native_place place, uint64_t address, struct text *names);

/* Adds a name, "[unknown]" if it is empty, with ';' and line ends replaced. */
void native_add_name(struct text *names, struct str name);

/* Adds "[libc.so.6]" for a missing function; with --addrs the address, too. */
void native_add_unknown(const struct native *native, struct str path,
    uint64_t address, struct text *names);

/* Reports missing files if a third of all addresses have no function. */
void native_report(const struct native *native);

#endif
