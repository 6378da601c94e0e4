/*
 * stackcollapse-cpuprofile: folds profiles of Node.js and of Chrome's
 * DevTools, whose names end in .cpuprofile, or, of memory, in .heapprofile.
 *
 *	{"nodes":[{"id":1,"callFrame":{"functionName":"(root)",...},
 *	"children":[2]},{"id":2,"callFrame":{"functionName":"total",...}}],
 *	"startTime":0,"endTime":3000,"samples":[2],"timeDeltas":[1000]}
 *
 * Each function in its stack counts its own microseconds, or bytes:
 *
 *	total 2000
 */
#include "collapse/v8.h"
#include "fold/collapse.h"

static bool in_order, lines, hits;

#define KIND	"a profile of Node.js or Chrome"

struct cpuprofile {
	struct fold fold;
	struct json json;
	bool has_kind;			/* a profile was folded */
	bool has_sizes;			/* that one was of memory */
	unsigned long long lost;	/* see v8.h */
	unsigned long long timeless;
};

static const char *
fold_profile(struct cpuprofile *cpuprofile, struct v8_profile *profile)
{
	struct fold *fold = profile->fold;
	struct lane lane = {
		fold->timeline, fold_name(fold, STR("(root)")), 0
	};
	const char *reason;

	if (profile->count == 0)
		return "it is not " KIND ", but other JSON";
	if (cpuprofile->has_kind && profile->has_sizes != cpuprofile->has_sizes)
		return profile->has_sizes ?
		    "it counts bytes, but the files before it count time" :
		    "it counts time, not bytes as those before";
	if (in_order && !v8_has_order(profile))
		return "its samples have no times, which --in-order needs";
	reason = v8_weigh(profile, hits);
	if (reason != NULL)
		return reason;
	if (in_order)
		v8_order(profile, &lane, v8_begin(profile));
	else
		v8_count(profile, NULL);
	cpuprofile->has_kind = true;
	cpuprofile->has_sizes = profile->has_sizes;
	cpuprofile->lost += profile->lost;
	cpuprofile->timeless += profile->timeless;
	return NULL;
}

static const char *
fold_file(struct fold *fold, struct content *content)
{
	struct cpuprofile *cpuprofile = (struct cpuprofile *)fold;
	struct v8_profile profile = { .fold = fold, .lines = lines };
	const char *reason = jsonfile_read(&cpuprofile->json, fold, content,
	    KIND, v8_rows, &profile);

	if (reason == NULL)
		reason = fold_profile(cpuprofile, &profile);
	v8_free(&profile);
	return reason;
}

static void
report(struct fold *fold)
{
	const struct cpuprofile *cpuprofile = (const struct cpuprofile *)fold;

	fold_report_lost(fold, "samples that refer to a missing node, left out",
	    cpuprofile->lost);
	fold_report_lost(fold, "samples without a time, left out",
	    cpuprofile->timeless);
}

static const struct option options[] = {
	COLLAPSE_IN_ORDER(&in_order),
	{ "lines", OPTION_FLAG, &lines, NULL,
	    "add the file and the line where a function begins" },
	{ "samples", OPTION_FLAG, &hits, NULL,
	    "count samples, not microseconds" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static void
check(const char *const *operands)
{
	(void)operands;
	if (in_order && hits)
		options_reject("--samples cannot be combined with --in-order");
}

const struct format collapser = {
	.kind = &kinds[KIND_CPUPROFILE], .size = sizeof(struct cpuprofile),
	.file = fold_file, .report = report,
	.nothing = "the profile has no samples",
	.options = options, .check = check, .in_order = &in_order,
	.adds_folded = true,
};
