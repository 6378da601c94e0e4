/*
 * stackcollapse-jstack: folds the stacks that jstack prints, of the threads of
 * Java that run when a dump is made.
 *
 *	"worker-7" #12 prio=5 os_prio=0 tid=0x00007f3c nid=0xe3c runnable
 *	   java.lang.Thread.State: RUNNABLE
 *		at App.work(App.java:17)
 *		- locked <0x000000068746b3f8> (a java.lang.Object)
 *		at java.lang.Thread.run(java.base@17.0.15/Thread.java:840)
 *
 * It becomes a stack that counts all threads with it:
 *
 *	worker;java.lang.Thread.run;App.work 1
 *
 * An empty line ends a thread.  For Java, threads that wait in a system call
 * are runnable, too; they are known by their methods.  A thread that carries a
 * virtual one has no state, and the other's stack, which counts, after its own:
 *
 *	"ForkJoinPool-1-worker-1" #33 daemon prio=5 tid=0x00007f3c nid=0xe3c
 *	   Carrying virtual thread #32
 *		at java.lang.VirtualThread.run(VirtualThread.java:309)
 *	   Mounted virtual thread #32
 *		at App.work(App.java:17)
 */
#include "fold/collapse.h"

static bool include_name, omit_name, include_id, omit_id, shortened, whole;

struct jstack {
	struct fold fold;
	struct text name;	/* of the thread; empty outside of one */
	bool in_thread;
	bool has_state;
	bool runs;		/* that is RUNNABLE, or the stack is that of
				   a virtual thread */
	bool waits;		/* but it waits, or is one of Java's own */
};

/* True for methods in which a thread waits, of Java 7 to 21. */
static bool
is_waiting(struct str method)
{
	static const char *const parts[] = { "epollWait", "EPoll.wait", NULL };
	static const char *const ends[] = { "socketAccept", "socketRead0",
		".KQueue.poll", ".Net.poll", ".Net.accept",
		".SocketDispatcher.read0", ".DatagramDispatcher.read0",
		".DatagramChannelImpl.receive0", ".waitForProcessExit0",
		".waitForReferencePendingList", ".Unsafe.park",
		".Object.wait0", ".Thread.sleep0", ".Thread.sleepNanos0",
		".ForkJoinPool.awaitWork", NULL };
	size_t socket = str_search(method, STR("Socket"));

	return str_any(str_contains, method, parts) ||
	    str_any(str_ends, method, ends) ||
	    (socket < method.len &&
	    str_ends(str_skip(method, socket), STR("accept0")));
}

static void
drop(struct jstack *jstack)
{
	jstack->fold.stack.depth = 0;
	jstack->in_thread = jstack->has_state = jstack->runs = false;
	jstack->waits = false;
}

static void
end_thread(struct jstack *jstack)
{
	if (jstack->in_thread && jstack->runs && !jstack->waits &&
	    jstack->fold.stack.depth > 0) {
		if (!omit_name)
			fold_frame(&jstack->fold, text_str(&jstack->name));
		fold_count(&jstack->fold, 1);
	}
	drop(jstack);
}

/* Begins the thread of 'worker-7" #12 prio=5 ...'. */
static void
begin_thread(struct jstack *jstack, struct str text)
{
	/* Java's own threads */
	static const char *const background[] = { "Signal Dispatcher",
		"Service Thread", "Attach Listener",
		"VirtualThread-unblocker", NULL };
	struct str name = str_take(text, str_find_last(text, '"'));
	size_t digits = str_digits_start(name);
	size_t compiler = str_search(name, STR(" CompilerThread"));

	end_thread(jstack);
	jstack->in_thread = true;
	jstack->waits = str_any(str_contains, name, background) ||
	    (compiler >= 2 && compiler < name.len &&
	    name.data[compiler - 2] == 'C');
	if ((!include_id || omit_id) && digits > 0 && digits < name.len &&
	    name.data[digits - 1] == '-')
		name = str_take(name, digits - 1);
	jstack->name.len = 0;
	text_add(&jstack->name, name);
}

/* Returns a method's name with short packages, "j.n.Socket.read". */
static struct str
shorten_packages(struct fold *fold, struct str method)
{
	size_t dot = str_find_last(method, '.');
	struct str packages = str_take(method, dot);
	bool in_word = false;
	size_t i;

	packages = str_take(packages, str_find_last(packages, '.'));
	if (dot == method.len || packages.len == dot)
		return method;
	fold->name.len = 0;
	for (i = 0; i < packages.len; i++) {
		if (!in_word || !is_word(packages.data[i]))
			text_add_char(&fold->name, packages.data[i]);
		in_word = is_word(packages.data[i]);
	}
	text_add(&fold->name, str_skip(method, packages.len));
	return text_str(&fold->name);
}

static void
fold_line(struct fold *fold, struct str line)
{
	struct jstack *jstack = (struct jstack *)fold;
	struct str text = str_trim_start(line), state = STR("Thread.State: ");
	size_t at;

	if (line.len == 0) {
		end_thread(jstack);
		return;
	}
	fold_note_line(fold, line);
	if (line.data[0] == '"')
		begin_thread(jstack, str_skip(line, 1));
	else if (!jstack->in_thread)
		fold->recognized |= str_starts(line, STR("Full thread dump"));
	/* "at App.work(App.java:17)" */
	else if (str_starts(text, STR("at "))) {
		text = str_take(str_skip(text, 3), str_find(text, '(') - 3);
		jstack->waits |= is_waiting(text);
		fold_frame(fold, shortened && !whole ?
		    shorten_packages(fold, text) : text);
	} else if (str_starts(text, STR("Mounted virtual thread "))) {
		fold->stack.depth = 0;
		jstack->has_state = jstack->runs = true;
		fold->recognized = true;
	} else if ((at = str_search(text, state)) < text.len) {
		jstack->has_state = true;
		jstack->runs = str_equal(str_skip(text, at + state.len),
		    STR("RUNNABLE"));
		fold->recognized = fold->passed_over = true;
	}
}

static void
end(struct fold *fold)
{
	struct jstack *jstack = (struct jstack *)fold;

	/* an empty line follows a thread, but one that waits is known to */
	if (jstack->in_thread && !jstack->waits &&
	    (jstack->runs || !jstack->has_state))
		fold_cut(fold);
	drop(jstack);
}

static const struct option options[] = {
	{ "include-tname", OPTION_FLAG, &include_name, NULL,
	    "begin stacks with the thread's name (default)" },
	{ "no-include-tname", OPTION_FLAG, &omit_name, NULL, "do not" },
	{ "include-tid", OPTION_FLAG, &include_id, NULL,
	    "keep the number that ends a name, as in worker-7" },
	{ "no-include-tid", OPTION_FLAG, &omit_id, NULL, "do not (default)" },
	{ "shorten-pkgs", OPTION_FLAG, &shortened, NULL,
	    "shorten packages to their first letters, j.n.Socket.read" },
	{ "no-shorten-pkgs", OPTION_FLAG, &whole, NULL, "do not (default)" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

const struct format collapser = {
	.kind = &kinds[KIND_JSTACK], .size = sizeof(struct jstack),
	.line = fold_line, .end = end,
	.nothing = "no thread was found",
	.options = options,
};
