/*
 * addresses: names the addresses of a process by the map of its memory, which
 * its profile ends with, or by symbols that the profile begins with:
 *
 *	--- symbol
 *	binary=/usr/bin/shop
 *	0x0000561747001182 cart
 *	---
 *	...
 *	MAPPED_LIBRARIES:
 *	561747001000-561747002000 r-xp 00001000 fe:00 1101   /usr/bin/shop
 */
#ifndef ADDRESSES_H
#define ADDRESSES_H

#include "collapse/native.h"
#include "fold/calls.h"
#include "lib/intmap.h"

/* A part of the memory that a file was in. */
struct mapped {
	uint64_t start;		/* first, for sort_by_number */
	uint64_t end, offset;
	struct str path;
	uint32_t file;		/* of native, from 1; 0: not opened so far */
};

/* The functions at an address. */
struct address_calls {
	struct calls calls;
	bool is_allocator;	/* they allocate memory for others */
};

/* It begins with its first two members set. */
struct addresses {
	struct native *native;
	struct namer *namer;
	struct mapped *maps;
	size_t map_count, map_room;
	struct intmap symbols;	/* names by address, from 1 */
	struct str *names;
	size_t name_count, name_room;
	struct intmap known;	/* calls by address, from 1 */
	struct address_calls *calls;
	size_t count, room;
	struct arena arena;
	struct text name;
};

void addresses_free(struct addresses *addresses);

/* Reads the lines of a map; they must outlive the addresses. */
void addresses_read_map(struct addresses *addresses, struct str lines);

/*
 * Reads symbols at the start of a profile, if there are any, and returns the
 * rest of the text.
 */
struct str addresses_read_symbols(struct addresses *addresses,
    struct str profile);

/*
 * Returns the functions at an address; one that a call returns to is one more
 * than an address in the call.  They live until another address is asked for.
 */
const struct address_calls *addresses_find(struct addresses *addresses,
    uint64_t address);

/* Reads "0x7f5c", or "7f5c", and cuts it off; false if the text is other. */
bool addresses_cut(struct str *text, uint64_t *address);

#endif
