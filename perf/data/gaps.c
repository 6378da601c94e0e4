#include <string.h>

#include "gaps.h"
#include "lib/message.h"

/* Says how much of a file is missing, and why; false if nothing is. */
static bool
report_end(const struct reader *reader, bool was_killed)
{
	unsigned long long missing = reader_missing(reader);
	const char *name = reader->name;
	bool unread = reader->failed != 0 || reader->no_zstd != 0 ||
	    reader->zstd_failed || reader->is_bomb;

	if (reader->failed != 0)
		message_warn("%s: %s", name, strerror(reader->failed));
	if (reader->no_zstd != 0)
		message_warn("%s: it is compressed, and zstd cannot be run: %s",
		    name, strerror(reader->no_zstd));
	else if (reader->is_bomb)
		message_warn("%s: compressed data in front of byte %llu become "
		    "%d times larger, which those of no recording do; what "
		    "follows of them is left out", name,
		    (unsigned long long)reader->given, READER_RATIO);
	else if (reader->zstd_failed)
		message_warn("%s: zstd cannot decompress all of it", name);
	if (reader->damaged)
		message_warn("%s is damaged at byte %llu; bytes that follow "
		    "and are left out: %llu", name,
		    (unsigned long long)reader->given, missing);
	else if (was_killed)
		message_warn("%s: perf record was ended before it had written "
		    "all; bytes at the end that are no whole record: %llu",
		    name, missing);
	else if (missing > 0 && reader->end == READER_NO_END)
		message_warn("%s is cut off; bytes at its end that are no "
		    "whole record: %llu", name, missing);
	else if (missing > 0)
		message_warn("%s is cut off; bytes that are missing at its "
		    "end: %llu", name, missing);
	return unread || reader->damaged || was_killed || missing > 0;
}

bool
gaps_report_bytes(const struct datafile *file)
{
	bool was_killed = !file->header.is_pipe && file->header.data.size == 0;
	bool found = false;
	size_t i;

	for (i = 0; i < file->count; i++)
		found |= report_end(&file->parts[i].reader,
		    was_killed && i == 0);
	if (file->lacks_sections && !found)
		message_warn("%s: parts of its header are cut off, or larger "
		    "than they can be, and are left out",
		    file->parts->reader.name);
	return found || file->lacks_sections;
}

bool
gaps_unread(const struct datafile *file)
{
	size_t i;

	for (i = 0; i < file->count; i++)
		if (file->parts[i].reader.failed != 0 ||
		    file->parts[i].reader.no_zstd != 0)
			return true;
	return false;
}

void
gaps_report_records(const char *name, const struct turns *turns)
{
	const struct samples *samples = crew_samples(turns->crew);
	const struct effects *effects = turns->effects;

	if (effects->lost > 0)
		message_warn("%s: records that were lost while it was "
		    "recorded: %llu", name, effects->lost);
	if (effects->deferred > 0)
		message_warn("%s: call chains that came late (--call-graph "
		    "fp,defer), and are left out: %llu; perf script of the "
		    "same version joins them to their samples", name,
		    effects->deferred);
	if (samples->guests > 0)
		message_warn("%s: samples of virtual machines, which are left "
		    "out: %llu", name, samples->guests);
	if (samples->odd > 0)
		message_warn("%s: records that make no sense and are left "
		    "out: %llu, the first at byte %llu", name, samples->odd,
		    (unsigned long long)samples->odd_at);
	if (turns->is_full)
		message_warn("%s: left out from byte %llu on, as processes, "
		    "maps and names need more than %llu MB of memory", name,
		    (unsigned long long)turns->full_at, turns->memory >> 20);
}

/* Says why a module knows no functions, and what helps. */
static const char *
explain(const struct module *module)
{
	switch (module->dso == NULL ? DSO_NO_SYMBOLS :
	    dso_trouble(module->dso)) {
	case DSO_NO_FILE:
		return "which is not there; --symfs tells where it is";
	case DSO_OTHER_BUILD_ID:
		return "which is another build now; perf archive keeps files";
	case DSO_HIDDEN:
		return "whose names are hidden; sysctl kernel.kptr_restrict=0 "
		    "or root shows them";
	case DSO_NO_KERNEL:
		return "which does not run here; --kallsyms tells its names";
	case DSO_NO_PROGRAM:
		return "which is compressed, and xz or zstd is missing";
	case DSO_32_BIT:
		return "which is of 32 bits; only perf script tells its names";
	default:
		return "which has no symbols, or not all; a debug package "
		    "may have them";
	}
}

void
gaps_report_functions(const char *name, const struct modules *modules,
    const struct unknowns *unknowns)
{
	const struct module *module;
	size_t i, worst = 0;

	if (unknowns->unknown <= unknowns->addresses / 3)
		return;
	for (i = 1; i < unknowns->modules; i++)
		if (unknowns->in[i] > unknowns->in[worst])
			worst = i;
	module = modules->list[worst];
	message_warn("%s: addresses without a function's name: %llu of %llu, "
	    "most of them in %.*s, %s", name, unknowns->unknown,
	    unknowns->addresses, (int)module->name.len, module->name.data,
	    explain(module));
}
