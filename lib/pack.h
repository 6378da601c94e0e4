/*
 * pack: packs bytes as gzip does (RFC 1952), by DEFLATE (RFC 1951), in memory
 * of a fixed size.
 *
 *	struct pack *pack = pack_new(stdout);
 *
 *	pack_add(pack, STR("some"));
 *	pack_add(pack, STR(" more"));
 *	pack_end(pack);
 *
 * The same bytes become the same file: it holds no name and no time.
 */
#ifndef PACK_H
#define PACK_H

#include <stdio.h>

#include "str.h"
#include "text.h"

struct pack;

/* Begins a file of gzip's. */
struct pack *pack_new(FILE *out);

/* Packs more bytes. */
void pack_add(struct pack *pack, struct str bytes);

/* Packs what text holds and empties it, once it is long enough to be worth it. */
void pack_drain(struct pack *pack, struct text *text);

/* Ends the file, and frees what was needed for it. */
void pack_end(struct pack *pack);

#endif
