#include <stdlib.h>

#include "lib/message.h"
#include "lib/text.h"
#include "stats.h"

/* How files of another machine, or of an earlier time, are found. */
#define BOTH_WAYS	"--symfs tells where it is, or --buildid-dir where " \
	"perf archive was unpacked"

#define WORST		3	/* modules that are named */

#define COPY_MOST	65528	/* bytes of a stack that perf record copies */

/* A copy is shorter than what was asked for, as the record must hold it. */
#define COPY_NEARLY_MOST	(COPY_MOST - 4096)

/* Returns the module with the largest count, of at least one. */
static struct module *
find_worst(const struct modules *modules, enum module_count count)
{
	struct module **list = modules->list, *worst = list[0];
	uint32_t i;

	for (i = 1; i < modules->keys.count; i++)
		if (list[i]->counts[count] > worst->counts[count])
			worst = list[i];
	return worst;
}

static const char *
explain(const struct module *module)
{
	static const char *const reasons[] = {
		[DSO_NO_FILE] = "which is not there; " BOTH_WAYS,
		[DSO_OTHER_USER] = "which belongs to neither root, you, nor "
		    "the process's user",
		[DSO_OTHER_BUILD_ID] = "which is another build now; " BOTH_WAYS,
		[DSO_HIDDEN] = "whose names are hidden; sysctl "
		    "kernel.kptr_restrict=0 or root shows them",
		[DSO_NO_KERNEL] = "which does not run here; --kallsyms tells "
		    "its names",
		[DSO_OTHER_MACHINE] = "of another machine, without a build "
		    "id; " BOTH_WAYS,
		[DSO_NO_PROGRAM] = "which is compressed, and xz or zstd is "
		    "missing",
	};
	enum dso_trouble trouble = module->dso == NULL ? DSO_NO_SYMBOLS :
	    dso_trouble(module->dso);

	/* what a compiler made while its process ran */
	if (trouble == DSO_NO_FILE && module->absolute &&
	    (str_starts(module->name, STR("/tmp/perf-")) ||
	    str_starts(module->name, STR("/memfd:"))))
		return "which compilers at run time write if asked: "
		    "node --perf-basic-prof, or --perf-prof and perf "
		    "record -k mono; python3 -X perf; "
		    "DOTNET_PerfMapEnabled=1; java -XX:+DumpPerfMapAtExit";
	if (trouble < sizeof(reasons) / sizeof(*reasons) &&
	    reasons[trouble] != NULL)
		return reasons[trouble];
	return "which has no symbols, or not all; a debug package may have "
	    "them";
}

static void
report_unknown(const struct stats *stats, const char *name,
    const struct modules *modules)
{
	struct module *module;
	unsigned long long count;
	struct text text = { 0 };
	int i;

	if (stats->unknown <= stats->addresses / 3)
		return;
	for (i = 0; i < WORST; i++) {
		module = find_worst(modules, MODULE_UNKNOWN);
		count = module->counts[MODULE_UNKNOWN];
		module->counts[MODULE_UNKNOWN] = 0;
		if (i == 0)
			text_add_format(&text, "%.*s, %s",
			    (int)module->name.len, module->name.data,
			    explain(module));
		else if (count > 0)
			text_add_format(&text, "%s %.*s: %llu",
			    i == 1 ? "; next:" : ",", (int)module->name.len,
			    module->name.data, count);
	}
	message_warn("%s: addresses without a function's name: %llu of %llu, "
	    "most of them in %.*s", name, stats->unknown, stats->addresses,
	    (int)text.len, text.data);
	free(text.data);
}

/* Adds the reasons, the one of most stacks first. */
static void
add_reasons(const struct stats *stats, const struct modules *modules,
    struct text *text)
{
	static const char *const reasons[END_REASONS] = {
		"copy of the stack too short", "code without unwinding tables",
		"code that is not mapped", "tables that lead nowhere"
	};
	unsigned long long left[END_REASONS];
	const struct module *worst;
	size_t i, next;

	memcpy(left, stats->ends, sizeof(left));
	for (;;) {
		next = 0;
		for (i = 1; i < END_REASONS; i++)
			if (left[i] > left[next])
				next = i;
		if (left[next] == 0)
			return;
		left[next] = 0;
		text_add_format(text, "; %s: %llu", reasons[next],
		    stats->ends[next]);
		if (next != END_TABLES)
			continue;
		worst = find_worst(modules, MODULE_UNTABLED);
		text_add_format(text, ", most of them in %.*s",
		    (int)worst->name.len, worst->name.data);
	}
}

void
stats_report(const struct stats *stats, const char *name,
    const struct modules *modules, bool stitched)
{
	unsigned long long early = 0, cut = stats->ends[END_COPY];
	size_t i, longer = stats->copied * (stats->doubled > cut / 2 ? 2 : 4);
	bool may_be_longer = stats->copied < COPY_NEARLY_MOST;
	struct text text = { 0 };

	report_unknown(stats, name, modules);
	for (i = 0; i < END_REASONS; i++)
		early += stats->ends[i];
	if (early <= stats->stacks / 100)
		return;
	add_reasons(stats, modules, &text);
	if (stitched)
		text_add_format(&text, "; joined by --stitch: %llu",
		    stats->joined);
	if (cut > 0 && may_be_longer)
		text_add_format(&text, "; perf record --call-graph dwarf,%zu "
		    "copies more", longer < COPY_MOST ? longer : COPY_MOST);
	if (cut > 0 && !stitched)
		text_add_format(&text, may_be_longer ?
		    ", and --stitch joins some" : "; --stitch joins some");
	message_warn("%s: stacks that end before their thread's first "
	    "function: %llu of %llu%.*s", name, early, stats->stacks,
	    (int)text.len, text.data);
	free(text.data);
}
