/*
 * dumps: the files in which processes dump the functions that they compile
 * while they run, and when each was loaded, or moved.
 *
 * A process maps its dump, jit-PID.dump, so a recording tells where that is.
 * Each load is a map of the process from its moment on, as perf inject --jit
 * adds them:
 *
 *	map of process 7	/srv/jit-7.dump
 *	loaded at 5	foo	7f00 to 7f3f	places 0 to 3f of that dump
 *	loaded at 9	bar	7f00 to 7f1f	places 40 to 5f
 *
 * A dump has the time of CLOCK_MONOTONIC, or of the processor.  If that of the
 * recording is another, only code whose addresses no other had is known.
 */
#ifndef DUMPS_H
#define DUMPS_H

#include "modules.h"
#include "symbols/elf/jitdump.h"

struct dump {
	struct str path;
	int32_t pid;			/* of the process that mapped it */
	struct module *module;
	struct moment from;		/* when it was mapped */
	struct jitdump *told;		/* NULL: it is not read, or not used */
	size_t next;			/* of what was loaded */
	const char *trouble;		/* why it cannot be read, or NULL */
	bool lacks_clock;
};

/* Begins with dumps_init(). */
struct dumps {
	struct table paths;
	struct dump *list;		/* by their numbers */
	size_t room;
	size_t read;			/* how many were asked for */
	uint32_t *used;			/* the numbers of those with loads */
	size_t used_count, used_room;
	size_t turn;			/* which of these has the next load */
	uint64_t soonest, later;	/* when the next load of all is, or
					   before; of those before the turn */
	unsigned long long late;	/* loads that were read after what was
					   recorded then */
	struct record_ticks ticks;	/* of the recording */
};

void dumps_init(struct dumps *dumps);
void dumps_free(struct dumps *dumps);

/*
 * Notes a map of a process; false if it is not of its dump.  Else *number is
 * the dump's, by which dumps_has tells.
 */
bool dumps_add(struct dumps *dumps, struct modules *modules,
    const struct record_map *map, struct moment moment, uint64_t *number);

/*
 * Reads the dumps that were not read, of a recording of these events; of one
 * that is going on, what was added to the others, too.
 */
void dumps_read(struct dumps *dumps, const struct attrs *attrs,
    bool goes_on);

/* True if a dump was read, and is used. */
bool dumps_has(const struct dumps *dumps, uint64_t number);

/*
 * Makes a map of the next load of any dump that is before a moment; false if
 * there is no more.
 */
bool dumps_next(struct dumps *dumps, struct moment moment, struct map *map,
    int32_t *pid);

/* Says, of the recording `name`, what is missing of its dumps, and why. */
void dumps_report(const struct dumps *dumps, const char *name);

#endif
