#include <sys/stat.h>
#include <stdlib.h>

#include "lib/text.h"
#include "sources.h"

/* Returns a copy of s, with `suffix` after it; NULL of NULL. */
static const char *
copied(struct arena *arena, const char *s, const char *suffix)
{
	struct text text = { 0 };
	const char *copy;

	if (s == NULL)
		return NULL;
	text_add_format(&text, "%s%s", s, suffix);
	text_add_char(&text, '\0');
	copy = arena_copy(arena, text_str(&text)).data;
	free(text.data);
	return copy;
}

/*
 * True for "/", "//" and "/../.": all the same folder.  perf also takes
 * /proc/PID/root for one of these, as realpath(3) does.
 */
static bool
is_root(const char *folder)
{
	return folder[0] == '/' && strspn(folder, "/.") == strlen(folder) &&
	    strstr(folder, "...") == NULL;
}

void
processes_add(struct processes *processes, int32_t pid)
{
	const uint32_t ring = PROCESSES_MOST - PROCESSES_FIRST;
	uint32_t i, known = processes_known(processes);

	for (i = 0; i < known; i++)
		if (processes->pids[i] == pid)
			return;
	i = processes->count++;
	if (processes->count == UINT32_MAX)
		processes->count = PROCESSES_MOST;
	processes->pids[i < PROCESSES_MOST ? i :
	    PROCESSES_FIRST + i % ring] = pid;
}

/* Returns the value of a variable, or NULL if it is empty, too. */
static const char *
variable(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && value[0] != '\0' ? value : NULL;
}

/* Finds the cache by the rules of debuginfod-find(1). */
static const char *
find_cache(struct arena *arena)
{
	const char *told = variable("DEBUGINFOD_CACHE_PATH");
	const char *home = getenv("HOME"), *cache = variable("XDG_CACHE_HOME");
	struct stat status;

	if (told != NULL)
		return copied(arena, told, "");
	if (home == NULL)
		home = "/";
	told = copied(arena, home, "/.debuginfod_client_cache");
	if (stat(told, &status) == 0)
		return told;
	return cache != NULL ? copied(arena, cache, "/debuginfod_client") :
	    copied(arena, home, "/.cache/debuginfod_client");
}

struct symbol_sources
sources_copy(struct arena *arena, const struct symbol_sources *sources)
{
	const char *symfs = is_root(sources->symfs) ? "" : sources->symfs;

	return (struct symbol_sources){
		.symfs = copied(arena, symfs, symfs[0] != '\0' ? "/" : ""),
		.kallsyms = copied(arena, sources->kallsyms, ""),
		.buildid_dir = copied(arena, sources->buildid_dir, ""),
		.collection = sources->buildid_dir != NULL ?
		    copied(arena, sources->buildid_dir, "") :
		    copied(arena, symfs[0] != '\0' ? symfs : sources->home,
		    "/.debug"),
		.release = copied(arena, sources->release, ""),
		.machine = sources->machine,
		.is_foreign = sources->is_foreign && symfs[0] == '\0',
		.cache = find_cache(arena)
	};
}
