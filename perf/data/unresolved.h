/*
 * unresolved: counts the addresses of samples, and those of them that have no
 * function, though they are in a module.
 */
#ifndef UNRESOLVED_H
#define UNRESOLVED_H

#include "chaincache.h"
#include "modules.h"

/* Addresses of a chain that have no function in a module. */
struct unknown {
	const struct cached_chain *chain;
	const struct module *module;
	unsigned long long count;
};

/* Begins as { 0 }. */
struct unresolved {
	struct unknown *list;	/* of chains that are not settled */
	size_t count, room;
	unsigned long long addresses;	/* of samples counted... */
	unsigned long long unknown;	/* ...with no function, though in... */
	unsigned long long *in;		/* ...modules, by their numbers */
	size_t modules, modules_room;
};

/* Notes an address of a chain that has no function in a module. */
void unresolved_note(struct unresolved *unresolved,
    const struct cached_chain *chain, const struct module *module);

/* Counts what was noted of chains, by their samples, and forgets them. */
void unresolved_settle(struct unresolved *unresolved);

/* Adds what others have counted. */
void unresolved_add(struct unresolved *unresolved,
    const struct unresolved *others);

/*
 * Says, of the recording `name`, what is missing where a third of all addresses
 * have no function.
 */
void unresolved_report(const struct unresolved *unresolved, const char *name,
    const struct modules *modules);

void unresolved_free(struct unresolved *unresolved);

#endif
