/*
 * stackcollapse-firefox: folds profiles of the Firefox profiler, in JSON,
 * packed by gzip or not: as Firefox writes them, as profiler.firefox.com saves
 * them, and as samply and others write them.
 *
 * A profile is the threads of some processes, whose samples are stacks, by
 * number.  A stack with its weight becomes, added to others that are the same,
 * behind the names of the process and the thread:
 *
 *	Web Content;GeckoMain;(root);XREMain::XRE_main;nsThread::Run 12
 */
#include <stdlib.h>

#include "collapse/firefox/threadstacks.h"
#include "fold/collapse.h"
#include "fold/sniff.h"
#include "lib/content.h"
#include "lib/message.h"
#include "lib/options.h"

static bool pid, tid;
static struct native native = { .symfs = "" };

struct firefox {
	struct fold fold;
	bool refused;			/* a profile was */
	bool has_weight;		/* of a sample that counts... */
	enum thread_weight weight;	/* ...the first one */
	unsigned long long idle;	/* samples without a stack */
	unsigned long long negative;	/* samples, which are left out */
	unsigned long long others;	/* samples with other weights */
	unsigned long long cut;		/* stacks, at their root */
	struct text trouble;
};

static void
begin(struct fold *fold)
{
	(void)fold;
	native_init(&native);
}

/* Adds a root to a stack, with a number if it is wanted: "java-4711". */
static void
push_root(struct fold *fold, const struct text *name, const struct text *id,
    bool numbered, struct stack *stack)
{
	struct text *root = &fold->name;

	root->len = 0;
	native_add_name(root, text_str(name));
	if (numbered && id->len > 0) {
		text_add_char(root, '-');
		native_add_name(root, text_str(id));
	}
	calls_push(stack, namer_calls(&fold->namer, text_str(root)));
}

/* Makes the roots that all stacks of a thread have, the inner one first. */
static void
make_roots(struct fold *fold, const struct thread *thread,
    const struct thread_process *process, struct stack *roots)
{
	push_root(fold, &thread->name, &thread->tid, tid, roots);
	push_root(fold, thread->process.len > 0 ? &thread->process :
	    &process->product, &thread->pid, pid, roots);
}

/* Folds the stacks of a thread; false if its tables make no sense. */
static bool
fold_thread(struct firefox *firefox, struct thread_stacks *stacks,
    struct thread *thread)
{
	const struct thread_process *process =
	    &stacks->threads->processes[thread->of];
	struct fold *fold = &firefox->fold;
	struct stack roots = { 0 };
	bool good = true;
	uint32_t i;
	size_t j;

	make_roots(fold, thread, process, &roots);
	thread_stacks_begin(stacks, thread);
	for (i = 0; good && i < thread->stacks.count; i++) {
		fold->stack.depth = 0;
		good = thread_stacks_push(stacks, thread->counts[i].stack,
		    &fold->stack);
		for (j = 0; j < roots.depth; j++)
			stack_push(&fold->stack, roots.frames[j]);
		if (good)
			stacks_add(&fold->stacks, &fold->stack,
			    thread->counts[i].count);
	}
	free(roots.frames);
	fold->counts.samples += good ? thread->samples : 0;
	return good;
}

/* True if what samples weigh is what those before do. */
static bool
weighs_alike(struct firefox *firefox, const struct thread *thread)
{
	if (!firefox->has_weight) {
		firefox->has_weight = true;
		firefox->weight = thread->weight;
	}
	return thread->weight == firefox->weight;
}

/* Folds all threads; returns NULL, or what is wrong. */
static const char *
fold_threads(struct firefox *firefox, const struct threads *threads,
    unsigned long long size)
{
	struct thread_stacks stacks = {
		.threads = threads, .namer = &firefox->fold.namer,
		.native = &native, .names_budget = content_budget(size)
	};
	struct thread *thread;
	bool good = true;
	size_t i;

	for (i = 0; good && i < threads->count; i++) {
		thread = &threads->list[i];
		if (thread->samples > 0 && !weighs_alike(firefox, thread))
			firefox->others += thread->samples;
		else if (thread->samples > 0)
			good = fold_thread(firefox, &stacks, thread);
	}
	firefox->idle += threads->idle;
	firefox->negative += threads->negative;
	firefox->cut += stacks.cut;
	thread_stacks_free(&stacks);
	if (stacks.names_budget.made > stacks.names_budget.most)
		return "the names of its frames add up to more than 400 times "
		    "its size";
	return good ? NULL : "it is damaged: a stack has a frame, or a caller, "
	    "that is not there";
}

static bool
next_piece(void *context, struct str *piece)
{
	return content_next(context, piece);
}

/* Says where the JSON is damaged. */
static const char *
explain(struct firefox *firefox, const struct json *json)
{
	struct text *trouble = &firefox->trouble;

	trouble->len = 0;
	text_add_format(trouble, "it is damaged at byte %llu: %s",
	    json_offset(json), json->trouble);
	text_add_char(trouble, '\0');
	return trouble->data;
}

/* Says what a file looks like that is no profile. */
static const char *
refuse(struct firefox *firefox, struct str bytes)
{
	struct text *trouble = &firefox->trouble;

	trouble->len = 0;
	text_add_format(trouble, "it is no profile of the Firefox profiler; it "
	    "looks like %s", sniff_kind(bytes));
	text_add_char(trouble, '\0');
	return trouble->data;
}

/* Folds what the content is; returns NULL, or what is wrong. */
static const char *
fold_content(struct firefox *firefox, struct content *content)
{
	struct threads threads = { .count = 0 };
	const char *reason;
	struct json json;
	struct str first;

	if (content_peek(content, &first) &&
	    !str_starts(str_trim_start(first), STR("{")))
		return refuse(firefox, first);
	json_begin(&json, next_piece, content);
	content->made = &json.made;
	threads_read(&json, &threads);
	json_end(&json);
	content->made = NULL;
	if (content->trouble != NULL)
		reason = content->trouble;
	else if (json.trouble != NULL)
		reason = explain(firefox, &json);
	else if (!threads.is_profile)
		reason = "it is no profile of the Firefox profiler, but other "
		    "JSON";
	else
		reason = fold_threads(firefox, &threads, content->packed);
	threads_free(&threads);
	return reason;
}

static const char *
fold_file(struct fold *fold, const struct beginning *file)
{
	struct firefox *firefox = (struct firefox *)fold;
	struct content content;
	const char *reason;

	content_begin(&content, file->name, file->bytes, file->fd);
	content.samples = &fold->counts.samples;
	content.stacks = &fold->stacks.paths.ends;
	reason = fold_content(firefox, &content);
	content_end(&content);
	firefox->refused |= reason != NULL;
	return reason;
}

/* Says how many of something there are, if there are any. */
static void
tell(const char *what, unsigned long long count)
{
	if (count > 0)
		message_warn("%s: %llu", what, count);
}

static void
report(const struct fold *fold)
{
	const struct firefox *firefox = (const struct firefox *)fold;

	tell("samples with a negative weight, left out", firefox->negative);
	tell("samples that weigh other things than the first one, left out",
	    firefox->others);
	tell("stacks of more than 4,096 frames, cut off at their root",
	    firefox->cut);
	if (fold->counts.samples == 0 && !firefox->refused)
		message_warn("no sample has a stack");
	native_report(&native);
}

static const struct format format = {
	.source = "the Firefox profiler",
	.sample = "sample",
	.size = sizeof(struct firefox),
	.begin = begin,
	.file = fold_file,
	.report = report,
	.adds_folded = true,
};

static const struct option options[] = {
	{ "pid", OPTION_FLAG, &pid, NULL,
	    "add the process's number to its name" },
	{ "tid", OPTION_FLAG, &tid, NULL,
	    "add the thread's number to its name" },
	NATIVE_OPTIONS(native),
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[option ...] [file ...] > out.folded", NULL, options
};

int
main(int argc, char **argv)
{
	(void)argc;
	return collapse_main(&format, &usage, argv);
}
