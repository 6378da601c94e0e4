/*
 * frames: names the frames of a folded stack.  A frame may be several calls: a
 * chain of inlined Java methods "a->b", or a function with those inlined in it.
 */
#ifndef FRAMES_H
#define FRAMES_H

#include "fold/calls.h"
#include "symbols/dwarf/debug.h"

/* Begins with its namer and the first three options. */
struct frames {
	struct namer *namer;
	bool kernel;			/* mark the kernel's with _[k] */
	bool jit;			/* mark jitted ones with _[j] */
	bool addresses;			/* name unknown ones [module <addr>] */
	struct inliner *inliner;	/* asked about lines of text, or NULL */
	struct memo known;
	struct text key, symbol, name;
	struct text list;		/* of numbers of names */
};

struct frame {
	struct str address;	/* in hexadecimal, if it is of interest */
	struct str symbol;	/* "main", "[unknown]"; empty: unknown */
	struct str module;	/* "/usr/bin/java", "[vdso]"; empty: unknown */
	bool in_kernel;		/* the module is a part of the kernel */
};

/*
 * Begins to look up functions inlined at addresses of text, in modules' debug
 * information; with `context`, a call is named "function:file.c:12".
 */
void frames_begin_inlining(struct frames *frames, bool context);

/* Reports modules without debug information. */
void frames_report(const struct frames *frames);

/*
 * Returns the calls of a frame of a recording or, if `is_line`, of one that
 * perf script has printed; `java` if the command begins with java.  They live
 * as long as frames.  "(process name)" is no function and gives no calls.
 */
struct calls frames_calls(struct frames *frames, const struct frame *frame,
    bool is_line, bool java);

/* The source lines that names get. */
enum frame_lines {
	LINES_NONE,
	LINES_CONTEXT,		/* "main:work.c:12" */
	LINES_PERF		/* as perf script -F +srcline prints them: of
				   what was inlined, "f:work.c:12 (inlined)" */
};

/*
 * Adds source lines and, if `inlined`, inlined functions to a frame's calls, as
 * far as debug information has them.  The result lives as long as frames.
 */
struct calls frames_add_debug(struct frames *frames, struct calls calls,
    const struct debug_functions *functions, bool inlined,
    enum frame_lines lines);

#endif
