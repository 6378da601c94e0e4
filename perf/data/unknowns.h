/*
 * unknowns: counts the addresses of samples, and those of them that have no
 * function, though they are in a module.
 */
#ifndef UNKNOWNS_H
#define UNKNOWNS_H

#include "modules.h"
#include "seen.h"

/* Addresses of a chain that have no function in a module. */
struct unknown {
	const struct seen_chain *chain;
	const struct module *module;
	unsigned long long count;
};

/* Begins as { 0 }. */
struct unknowns {
	struct unknown *list;	/* of chains that are not settled */
	size_t count, room;
	unsigned long long addresses;	/* of samples counted... */
	unsigned long long unknown;	/* ...with no function, though in... */
	unsigned long long *in;		/* ...modules, by their numbers */
	size_t modules, modules_room;
};

/* Notes an address of a chain that has no function in a module. */
void unknowns_note(struct unknowns *unknowns, const struct seen_chain *chain,
    const struct module *module);

/* Counts what was noted of chains, by their samples, and forgets them. */
void unknowns_settle(struct unknowns *unknowns);

/* Adds what others have counted. */
void unknowns_add(struct unknowns *unknowns, const struct unknowns *others);

void unknowns_free(struct unknowns *unknowns);

#endif
