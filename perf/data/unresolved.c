#include <stdlib.h>

#include "lib/message.h"
#include "unresolved.h"

void
unresolved_note(struct unresolved *unresolved, const struct cached_chain *chain,
    const struct module *module)
{
	struct unknown *last;

	if (unresolved->count > 0) {
		last = &unresolved->list[unresolved->count - 1];
		if (last->chain == chain && last->module == module) {
			last->count++;
			return;
		}
	}
	unresolved->list = mem_grow(unresolved->list, &unresolved->room,
	    unresolved->count + 1, sizeof(*unresolved->list));
	unresolved->list[unresolved->count++] = (struct unknown){
	    chain, module, 1 };
}

static void
add(struct unresolved *unresolved, size_t module, unsigned long long unknown)
{
	unresolved->unknown += unknown;
	unresolved->in = mem_grow(unresolved->in, &unresolved->modules_room,
	    module + 1, sizeof(*unresolved->in));
	while (unresolved->modules <= module)
		unresolved->in[unresolved->modules++] = 0;
	unresolved->in[module] += unknown;
}

void
unresolved_settle(struct unresolved *unresolved)
{
	size_t i;

	for (i = 0; i < unresolved->count; i++)
		add(unresolved, unresolved->list[i].module->number,
		    unresolved->list[i].chain->samples *
		    unresolved->list[i].count);
	unresolved->count = 0;
}

void
unresolved_add(struct unresolved *unresolved, const struct unresolved *others)
{
	size_t i;

	unresolved->addresses += others->addresses;
	for (i = 0; i < others->modules; i++)
		add(unresolved, i, others->in[i]);
}

/* True for the names of what a compiler made while its process ran. */
static bool
is_perf_map(const struct module *module)
{
	return module->absolute && (str_starts(module->name,
	    STR("/tmp/perf-")) || str_starts(module->name, STR("/memfd:")));
}

/* Says why a module knows no functions, and what helps. */
static const char *
explain(const struct module *module)
{
	switch (module->dso == NULL ? DSO_NO_SYMBOLS :
	    dso_trouble(module->dso)) {
	case DSO_NO_FILE:
		if (is_perf_map(module))
			return "which compilers at run time write if asked: "
			    "node --perf-basic-prof, or --perf-prof and perf "
			    "record -k mono; python3 -X perf; "
			    "DOTNET_PerfMapEnabled=1; "
			    "java -XX:+DumpPerfMapAtExit";
		return "which is not there; --symfs tells where it is";
	case DSO_OTHER_USER:
		return "which belongs to neither root, you, nor the process's "
		    "user";
	case DSO_OTHER_BUILD_ID:
		return "which is another build now; perf archive keeps files";
	case DSO_HIDDEN:
		return "whose names are hidden; sysctl kernel.kptr_restrict=0 "
		    "or root shows them";
	case DSO_NO_KERNEL:
		return "which does not run here; --kallsyms tells its names";
	case DSO_OTHER_MACHINE:
		return "of another machine, without a build id";
	case DSO_NO_PROGRAM:
		return "which is compressed, and xz or zstd is missing";
	default:
		return "which has no symbols, or not all; a debug package "
		    "may have them";
	}
}

void
unresolved_report(const struct unresolved *unresolved, const char *name,
    const struct modules *modules)
{
	const struct module *module;
	size_t i, worst = 0;

	if (unresolved->unknown <= unresolved->addresses / 3)
		return;
	for (i = 1; i < unresolved->modules; i++)
		if (unresolved->in[i] > unresolved->in[worst])
			worst = i;
	module = modules->list[worst];
	message_warn("%s: addresses without a function's name: %llu of %llu, "
	    "most of them in %.*s, %s", name, unresolved->unknown,
	    unresolved->addresses, (int)module->name.len, module->name.data,
	    explain(module));
}

void
unresolved_free(struct unresolved *unresolved)
{
	free(unresolved->list);
	free(unresolved->in);
}
