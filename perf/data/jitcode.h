/*
 * jitcode: functions that processes compile at run time and dump into files,
 * with the times when each was loaded or moved.
 *
 * A process maps its dump, jit-PID.dump, so a recording has its path.  Each
 * load becomes a map at its time, as with perf inject --jit:
 *
 *	map of process 7	/srv/jit-7.dump
 *	loaded at 5	foo	7f00 to 7f3f	places 0 to 3f of that dump
 *	loaded at 9	bar	7f00 to 7f1f	places 40 to 5f
 *
 * A dump has the time of CLOCK_MONOTONIC, or of the processor.  If that of the
 * recording is another, only code whose addresses no other had is known.
 */
#ifndef JITCODE_H
#define JITCODE_H

#include "modules.h"
#include "symbols/elf/jitdump.h"

struct jitcode_dump {
	int32_t pid;			/* of the process that mapped it */
	struct module *module;
	struct jitdump *jitdump;	/* NULL: not read, or not used */
	size_t next;			/* of what was loaded */
	const char *trouble;		/* why it cannot be read, or NULL */
	bool lacks_clock;
};

/* Begins with the first two set, and all else zero. */
struct jitcode {
	const struct attrs *attrs;	/* of the recording */
	bool grows;			/* a pipe: dumps may grow */
	struct table paths;
	struct jitcode_dump *list;	/* by their numbers */
	size_t room;
	uint32_t turn;			/* which of these has the next load */
	uint64_t soonest, later;	/* when the next load of all is, or
					   before; of those before the turn */
	unsigned long long late;	/* loads that were read after what was
					   recorded then */
	struct record_ticks ticks;	/* of the recording */
};

void jitcode_free(struct jitcode *jit);

/* Reads the dump that a process maps; false if it is none, or not used. */
bool jitcode_add(struct jitcode *jit, struct modules *modules,
    const struct record_fields *map);

/* Reads what was added to dumps since, if they grow. */
void jitcode_read_on(struct jitcode *jit);

/* A function from its time on, in a process. */
struct jitcode_load {
	struct map map;
	int32_t pid;
	uint64_t time;
};

/* Stores the next load up to a time not before `soonest`; false at the end. */
bool jitcode_next(struct jitcode *jit, uint64_t time,
    struct jitcode_load *load);

/* Says, of the recording `name`, what is missing of its dumps, and why. */
void jitcode_report(const struct jitcode *jit, const char *name);

#endif
