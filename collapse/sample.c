/*
 * stackcollapse-sample: folds the call graph that sample(1) of macOS prints.
 *
 *	Call graph:
 *	    5130 Thread_8749954   DispatchQueue_1: main  (serial)
 *	    + 5130 start  (in dyld) + 1903  [0x18d373e50]
 *	    +   4282 work  (in app) + 66  [0x104d91f30]
 *	    +   ! 4282 fread  (in libsystem_c.dylib) + 64  [0x18d3df0f1]
 *	    +   848 idle  (in app) + 12  [0x104d91f40]
 *	Total number in stack (recursive counted multiple, when >=5):
 *
 * These are the stacks with samples of their own:
 *
 *	Thread_8749954   DispatchQueue_1: main;dyld`start;app`idle 848
 *	Thread_8749954   DispatchQueue_1: main;dyld`start;app`work;...fread 4282
 *
 * Two characters a level come before a number of samples.  Threads that only
 * wait are left out: all samples in a few calls of the kernel.
 */
#include "collapse/symbol.h"
#include "fold/collapse.h"

#define INDENT	4		/* blanks, in front of all lines of a graph */

static bool no_modules;

/* A call whose callees are being read. */
struct open_call {
	unsigned long long samples;	/* without those of its callees */
	bool waits;			/* its samples are left out */
};

/* The frame for a function, "work  (in app)". */
struct known_function {
	uint32_t name;
	bool waits;
};

struct sample_graph {
	struct fold fold;
	bool in_graph;
	struct stack path;	/* the calls from a thread on, by their names */
	struct open_call *calls;	/* of the path */
	size_t room;
	struct table known;	/* functions with their modules */
	struct known_function *functions;	/* by a number of that table */
	size_t function_room;
};

/* Leaves the innermost calls down to a depth, and counts their samples. */
static void
leave(struct sample_graph *graph, size_t depth)
{
	struct open_call *call;

	for (; graph->path.depth > depth; graph->path.depth--) {
		call = &graph->calls[graph->path.depth - 1];
		if (call->samples > 0 && !call->waits)
			fold_count_path(&graph->fold, &graph->path,
			    call->samples);
	}
}

static bool
is_waiting(struct str module, struct str function)
{
	static const char *const names[] = { "__psynch_cvwait", "__select",
		"__semwait_signal", "__ulock_wait", "__wait4",
		"__workq_kernreturn", "kevent", "mach_msg2_trap",
		"mach_msg_trap", "read", "semaphore_wait_trap", NULL };

	return str_equal(module, STR("libsystem_kernel")) &&
	    str_any(str_equal, function, names);
}

static const struct str in_module = { "  (in ", 6 };

/* Makes the frame of "f  (in libc.dylib". */
static struct known_function
name_function(struct fold *fold, struct str function)
{
	size_t at = str_search(function, in_module);
	struct str module = str_skip(function, at + in_module.len *
	    (at < function.len));

	function = str_take(function, at);
	if (str_ends(module, STR(".dylib")))
		module.len -= STR(".dylib").len;
	fold->name.len = 0;
	if (module.len > 0 && !no_modules) {
		text_add(&fold->name, module);
		text_add_char(&fold->name, '`');
	}
	symbol_add_name(&fold->name, function);
	return (struct known_function){
		fold_name(fold, text_str(&fold->name)),
		is_waiting(module, function)
	};
}

/* Adds the call of "4282 work  (in app) + 66"; false for other text. */
static bool
add_call(struct sample_graph *graph, struct str text)
{
	size_t digits = str_digits(text), depth = graph->path.depth, at;
	uint32_t known = graph->known.count, number;
	unsigned long long samples;
	struct open_call *caller;

	if (digits == 0 || !str_starts(str_skip(text, digits), STR(" ")))
		return false;
	if (!str_number(text, &samples))
		graph->fold.stacks.overflowed = true;
	graph->fold.passed_over = true;
	text = str_trim_end(str_skip(text, digits + 1));
	/* "f  (in libc.dylib) + 66  [0x1]", or "...: main  (serial)" */
	at = str_search(text, in_module);
	text = str_take(text, at < text.len ?
	    at + str_find(str_skip(text, at), ')') :
	    str_search(text, STR("  (")));
	number = table_add(&graph->known, text);
	if (number == known)
		*LIST_AT(graph->functions, number, graph->function_room) =
		    name_function(&graph->fold, text);
	/* they are not the caller's own */
	if (depth > 0) {
		caller = &graph->calls[depth - 1];
		caller->samples -= samples < caller->samples ? samples :
		    caller->samples;
	}
	stack_push(&graph->path, graph->functions[number].name);
	*LIST_AT(graph->calls, depth, graph->room) =
	    (struct open_call){ samples, graph->functions[number].waits };
	return true;
}

static bool
add_line(struct sample_graph *graph, struct str line)
{
	size_t at = INDENT, depth;

	if (!str_starts(line, STR("    ")))
		return false;
	while (at < line.len && strchr(" +!:|", line.data[at]) != NULL &&
	    line.data[at] != '\0')
		at++;
	depth = (at - INDENT) / 2;
	if ((at - INDENT) % 2 != 0 || depth > graph->path.depth)
		return false;
	leave(graph, depth);
	return add_call(graph, str_skip(line, at));
}

static void
fold_line(struct fold *fold, struct str line)
{
	struct sample_graph *graph = (struct sample_graph *)fold;

	if (str_trim(line).len == 0)
		return;
	fold_note_line(fold, line);
	if (str_starts(line, STR("Call graph:"))) {
		leave(graph, 0);
		fold->recognized = graph->in_graph = true;
	} else if (graph->in_graph && str_starts(line, STR("Total number"))) {
		leave(graph, 0);
		graph->in_graph = false;
	} else if (graph->in_graph && !add_line(graph, line))
		fold_note_odd(fold);
}

static void
end(struct fold *fold)
{
	struct sample_graph *graph = (struct sample_graph *)fold;

	if (graph->in_graph)
		fold_cut(fold);
	graph->in_graph = false;
	graph->path.depth = 0;
}

static const struct option options[] = {
	{ "no-modules", OPTION_FLAG, &no_modules, NULL,
	    "leave out the modules of functions" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

const struct format collapser = {
	.kind = &kinds[KIND_SAMPLE], .size = sizeof(struct sample_graph),
	.line = fold_line, .end = end,
	.nothing = "no call graph was found",
	.options = options,
};
