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
 * These are the stacks, of samples that are in no call farther in:
 *
 *	Thread_8749954   DispatchQueue_1: main;dyld`start;app`idle 848
 *	Thread_8749954   DispatchQueue_1: main;dyld`start;app`work;...fread 4282
 *
 * Two characters a level come before a number of samples.  Threads that only
 * wait are left out: all samples in a few calls of the kernel.
 */
#include "../fold/collapse.h"
#include "../symbols/function.h"
#include "../symbols/rustname.h"

#define INDENT	4		/* blanks, in front of all lines of a graph */

static bool no_modules;

/* A call whose callees are being read. */
struct call {
	unsigned long long samples;	/* less those of its callees */
	bool waits;			/* they are left out */
};

struct sample {
	struct fold fold;
	bool in_graph;
	struct stack path;	/* the calls from a thread on, by their names */
	struct call *calls;	/* of the path */
	size_t room;
	struct text made;	/* a name being made */
};

/* Counts the samples of calls from the innermost on, and leaves them. */
static void
leave(struct sample *sample, size_t depth)
{
	struct call *call;

	for (; sample->path.depth > depth; sample->path.depth--) {
		call = &sample->calls[sample->path.depth - 1];
		if (call->samples > 0 && !call->waits)
			fold_count_path(&sample->fold, &sample->path,
			    call->samples);
	}
}

/* Calls the innermost, with so many samples that are not its caller's own. */
static void
enter(struct sample *sample, uint32_t name, unsigned long long samples,
    bool waits)
{
	size_t depth = sample->path.depth;
	struct call *caller;

	if (depth > 0) {
		caller = &sample->calls[depth - 1];
		caller->samples -= samples < caller->samples ? samples :
		    caller->samples;
	}
	stack_push(&sample->path, name);
	sample->calls = mem_grow(sample->calls, &sample->room, depth + 1,
	    sizeof(*sample->calls));
	sample->calls[depth] = (struct call){ samples, waits };
}

/* True for the calls in which threads wait for the kernel. */
static bool
is_waiting(struct str module, struct str function)
{
	static const char *const names[] = { "__psynch_cvwait", "__select",
		"__semwait_signal", "__ulock_wait", "__wait4",
		"__workq_kernreturn", "kevent", "mach_msg2_trap",
		"mach_msg_trap", "read", "semaphore_wait_trap" };
	size_t i;

	if (!str_equal(module, STR("libsystem_kernel")))
		return false;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (str_equal(function, str_from(names[i])))
			return true;
	return false;
}

/* Cuts the module, "  (in libc.dylib) + 66  [0x1]", off; empty without one. */
static struct str
cut_module(struct str *function)
{
	struct str mark = STR("  (in "), module = STR("");
	size_t at = str_search(*function, mark);

	if (at < function->len) {
		module = str_skip(*function, at + mark.len);
		module = str_take(module, str_find(module, ')'));
		*function = str_take(*function, at);
		if (str_ends(module, STR(".dylib")))
			module.len -= STR(".dylib").len;
	} else
		*function = str_take(*function,
		    str_search(*function, STR("  (")));
	return module;
}

/*
 * Adds a function's name without its arguments: "f(int)" is f, and "f::h01234
 * 56789abcdef (.llvm.788)" as well, but "-[Object(Category) call:]" is whole.
 */
static void
add_function(struct text *text, struct str function)
{
	struct function_parts parts = function_parts(function);
	struct str part, rust = function;

	rust = str_take(rust, str_search(rust, STR(" (.llvm.")));
	if (rustname_add_path(text, rust))
		return;
	if (str_starts(function, STR("-[")) || str_starts(function, STR("+[")))
		text_add(text, function);
	else
		while (function_next_part(&parts, &part))
			text_add(text, part);
}

/* Adds the call of "4282 work  (in app) + 66"; false if it is not one. */
static bool
add_call(struct sample *sample, struct str text)
{
	size_t digits = str_digits(text);
	unsigned long long samples;
	struct str function, module;

	if (digits == 0 || !str_starts(str_skip(text, digits), STR(" ")))
		return false;
	if (!str_number(text, &samples))
		sample->fold.stacks.overflowed = true;
	function = str_trim_end(str_skip(text, digits + 1));
	module = cut_module(&function);
	sample->made.len = 0;
	if (module.len > 0 && !no_modules) {
		text_add(&sample->made, module);
		text_add_char(&sample->made, '`');
	}
	add_function(&sample->made, function);
	enter(sample, fold_name(&sample->fold, text_str(&sample->made)),
	    samples, is_waiting(module, function));
	return true;
}

/* Adds a line of the graph; false if it is none. */
static bool
add_line(struct sample *sample, struct str line)
{
	size_t at = INDENT, depth;

	if (!str_starts(line, STR("    ")))
		return false;
	while (at < line.len && strchr(" +!:|", line.data[at]) != NULL &&
	    line.data[at] != '\0')
		at++;
	depth = (at - INDENT) / 2;
	if ((at - INDENT) % 2 != 0 || depth > sample->path.depth)
		return false;
	leave(sample, depth);
	return add_call(sample, str_skip(line, at));
}

static void
fold_line(struct fold *fold, struct str line)
{
	struct sample *sample = (struct sample *)fold;

	if (str_trim(line).len == 0)
		return;
	fold_note_line(fold, line);
	if (str_starts(line, STR("Call graph:"))) {
		leave(sample, 0);
		fold->recognized = sample->in_graph = true;
	} else if (sample->in_graph && str_starts(line, STR("Total number"))) {
		leave(sample, 0);
		sample->in_graph = false;
	} else if (sample->in_graph && !add_line(sample, line))
		fold_note_odd(fold);
}

static void
end(struct fold *fold)
{
	struct sample *sample = (struct sample *)fold;

	fold->cut_short |= sample->in_graph;
	sample->in_graph = false;
	sample->path.depth = 0;
}

static const struct format format = {
	.source = "sample",
	.sample = "call graph",
	.kind = &sniff_sample,
	.size = sizeof(struct sample),
	.line = fold_line,
	.end = end,
};

static const struct option options[] = {
	{ "no-modules", OPTION_FLAG, &no_modules, NULL,
	    "leave out the modules of functions" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[options] [file ...] > out.folded", NULL, options
};

int
main(int argc, char **argv)
{
	(void)argc;
	return collapse_main(&format, &usage, argv);
}
