/*
 * stackcollapse-cprofile: folds what Python's cProfile saves, and profile.
 *
 * Such a file is a dictionary, as marshal writes it: a function's calls and its
 * times, and its callers', of which it was called when it spent them:
 *
 *	{("a.py", 9, "parse"): (5, 5, 0.2, 0.5,
 *	    {("a.py", 1, "main"): (5, 5, 0.2, 0.5)}), ...}
 *
 * There are no stacks in it.  They are inferred: what parse has spent is shared
 * among its callers in proportion to what each of them spent in it.
 *
 *	a.py:1(main);a.py:9(parse) 200000
 */
#include <stdlib.h>

#include "collapse/callgraph/callpaths.h"
#include "collapse/cprofile/pyname.h"
#include "collapse/cprofile/pystats.h"
#include "fold/collapse.h"
#include "lib/content.h"
#include "lib/message.h"

static bool calls;	/* are counted, instead of microseconds */
static bool paths;	/* of files are whole */

/* A profile's functions get their names here. */
struct naming {
	struct fold *fold;
	struct text text;
	struct budget budget;	/* for all of them */
};

static uint32_t
add_frame(void *context, struct str file, int64_t line, struct str name)
{
	struct naming *naming = context;

	naming->text.len = 0;
	if (budget_take(&naming->budget, file.len + name.len))
		pyname_add(&naming->text, file, line, name, paths);
	return fold_name(naming->fold, text_str(&naming->text));
}

/* Adds the profiles in a file, which has one unless it was joined. */
static const char *
add_profiles(struct pystats *stats, struct marshal *marshal,
    struct text *reason)
{
	const char *trouble = NULL;

	while (bytes_left(&marshal->bytes) > 0 && trouble == NULL &&
	    marshal->trouble == NULL)
		trouble = pystats_add(stats, marshal);
	if (marshal->trouble == NULL)
		return trouble;
	if (marshal->bytes.failed)
		return "it ends inside a profile";
	reason->len = 0;
	text_add_format(reason, "byte %lu %s", (unsigned long)marshal->at + 1,
	    marshal->trouble);
	text_add_char(reason, '\0');
	return reason->data;
}

/* Folds a file; returns NULL, or what is wrong with it. */
static const char *
fold_file(struct fold *fold, struct str bytes)
{
	static struct text reason;	/* the last one, which lives on */
	struct naming naming = { fold, { 0 }, content_budget(bytes.len) };
	struct pystats stats = {
		.counts_calls = calls, .frame = add_frame, .context = &naming,
	};
	struct marshal marshal;
	const char *trouble;

	marshal_init(&marshal, bytes);
	pystats_init(&stats);
	trouble = add_profiles(&stats, &marshal, &reason);
	if (naming.budget.made > naming.budget.most)
		trouble = "the names of its functions add up to more than "
		    "400 times its size";
	if (trouble == NULL && stats.graph.overflowed)
		trouble = "it adds up to more than 2^64 - 1";
	if (trouble == NULL) {
		fold->counts.samples += stats.graph.count;
		callpaths_add(&stats.graph, &fold->stacks);
		if (stats.has_negative)
			message_warn("%s: times below 0 are left out",
			    fold->input.name);
	}
	pystats_free(&stats);
	marshal_free(&marshal);
	free(naming.text.data);
	return trouble;
}

/* True for a dictionary whose first key is a tuple, or that is empty. */
static bool
is_profile(struct str bytes)
{
	return bytes.len > 1 && (bytes.data[0] & 0x7f) == '{' &&
	    memchr("()0", bytes.data[1] & 0x7f, 3) != NULL;
}

static const char *
examine(void *context, struct beginning *file)
{
	struct fold *fold = context;
	struct content content;
	const char *trouble;
	struct str all;

	if (!is_profile(file->bytes))
		return NULL;
	file->taken = true;
	fold->recognized = true;
	content_begin(&content, fold->input.name, file->bytes, file->fd);
	trouble = content_all(&content, &all, SIZE_MAX) ?
	    fold_file(fold, all) : content.trouble;
	content_end(&content);
	return trouble;
}

/* A file of lines is no profile. */
static void
note_line(struct fold *fold, struct str line)
{
	if (line.len > 0)
		fold_note_line(fold, line);
}

static void
report(const struct fold *fold)
{
	if (fold->counts.samples == 0 && !fold->input.failed)
		message_warn("no function was found");
}

static const struct format format = {
	.source = "cProfile", .sample = "function",
	.size = sizeof(struct fold),
	.line = note_line, .report = report, .examine = examine,
};

static const struct option options[] = {
	{ "calls", OPTION_FLAG, &calls, NULL,
	    "count calls (default: microseconds)" },
	{ "paths", OPTION_FLAG, &paths, NULL,
	    "name files with their whole paths" },
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
