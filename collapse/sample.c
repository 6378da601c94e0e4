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
#include "fold/collapse.h"
#include "fold/function.h"
#include "symbols/demangle/rust.h"

#define INDENT	4		/* blanks, in front of all lines of a graph */

static bool no_modules;

/* A call whose callees are being read. */
struct call {
	unsigned long long samples;	/* less those of its callees */
	bool waits;			/* they are left out */
};

/* What is told of a function, "work  (in app)", and what it means. */
struct meaning {
	uint32_t name;
	bool waits;
};

struct sample {
	struct fold fold;
	bool in_graph;
	struct stack path;	/* the calls from a thread on, by their names */
	struct call *calls;	/* of the path */
	size_t room;
	struct table told;	/* functions with their modules */
	struct meaning *meanings;	/* by a number of that table */
	size_t meaning_room;
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

static const struct str in_module = { "  (in ", 6 };

/* Returns "f  (in libc.dylib" of "f  (in libc.dylib) + 66  [0x1]". */
static struct str
without_place(struct str text)
{
	size_t at = str_search(text, in_module);

	if (at == text.len)
		return str_take(text, str_search(text, STR("  (")));
	return str_take(text, at + str_find(str_skip(text, at), ')'));
}

/* Cuts the module, "  (in libc.dylib", off; empty without one. */
static struct str
cut_module(struct str *function)
{
	size_t at = str_search(*function, in_module);
	struct str module;

	if (at == function->len)
		return STR("");
	module = str_skip(*function, at + in_module.len);
	*function = str_take(*function, at);
	if (str_ends(module, STR(".dylib")))
		module.len -= STR(".dylib").len;
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
	if (rust_add_path(text, rust))
		return;
	if (str_starts(function, STR("-[")) || str_starts(function, STR("+[")))
		text_add(text, function);
	else
		while (function_next_part(&parts, &part))
			text_add(text, part);
}

/* Makes a frame of a function that is told for the first time. */
static struct meaning
find_meaning(struct sample *sample, struct str function)
{
	struct str module = cut_module(&function);

	sample->made.len = 0;
	if (module.len > 0 && !no_modules) {
		text_add(&sample->made, module);
		text_add_char(&sample->made, '`');
	}
	add_function(&sample->made, function);
	return (struct meaning){
		fold_name(&sample->fold, text_str(&sample->made)),
		is_waiting(module, function)
	};
}

/* Adds the call of "4282 work  (in app) + 66"; false if it is not one. */
static bool
add_call(struct sample *sample, struct str text)
{
	size_t digits = str_digits(text);
	uint32_t known = sample->told.count, number;
	unsigned long long samples;

	if (digits == 0 || !str_starts(str_skip(text, digits), STR(" ")))
		return false;
	if (!str_number(text, &samples))
		sample->fold.stacks.overflowed = true;
	text = without_place(str_trim_end(str_skip(text, digits + 1)));
	number = table_add(&sample->told, text);
	if (number == known) {
		sample->meanings = mem_grow(sample->meanings,
		    &sample->meaning_room, (size_t)number + 1,
		    sizeof(*sample->meanings));
		sample->meanings[number] = find_meaning(sample, text);
	}
	enter(sample, sample->meanings[number].name, samples,
	    sample->meanings[number].waits);
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
begin(struct fold *fold)
{
	table_init(&((struct sample *)fold)->told);
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
	.begin = begin,
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
