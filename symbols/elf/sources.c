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
 * True for "/", "//" and "/../.", which are no other folder.  perf also takes
 * /proc/PID/root for one of these, as realpath(3) does.
 */
static bool
is_root(const char *folder)
{
	return folder[0] == '/' && strspn(folder, "/.") == strlen(folder) &&
	    strstr(folder, "...") == NULL;
}

struct symbol_sources
sources_copy(struct arena *arena, const struct symbol_sources *sources)
{
	const char *symfs = is_root(sources->symfs) ? "" : sources->symfs;

	return (struct symbol_sources){
		.symfs = copied(arena, symfs, symfs[0] != '\0' ? "/" : ""),
		.kallsyms = copied(arena, sources->kallsyms, ""),
		.home = copied(arena, sources->home, ""),
		.release = copied(arena, sources->release, "")
	};
}

const char *
sources_home(const struct symbol_sources *sources)
{
	return sources->symfs[0] != '\0' ? sources->symfs : sources->home;
}
