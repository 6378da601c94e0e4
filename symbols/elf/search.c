#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/mapping.h"
#include "mapfile.h"
#include "search.h"

struct search
search_begin(const struct symbol_sources *sources, struct build_id id,
    bool wants_runtime)
{
	return (struct search){
		.sources = sources, .id = id, .wants_symbols = true,
		.wants_runtime = wants_runtime, .trouble = DSO_NO_FILE
	};
}

static bool
has_table(const struct elf *elf, struct str name, uint32_t type)
{
	const struct elf_section *section = elf_section_named(elf, name);

	return section != NULL && section->type == type;
}

static bool
has_debug(const struct elf *elf)
{
	static const struct str names[] = {
		{ ".debug_info", 11 }, { ".zdebug_info", 12 }
	};
	const struct elf_section *section;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		section = elf_section_named(elf, names[i]);
		if (section != NULL && section->type != ELF_NOBITS)
			return true;
	}
	return false;
}

/* Takes from a file what is still needed; false if it has nothing of that. */
static bool
take_parts(struct search *search, const struct elf *elf)
{
	bool symbols = search->wants_symbols && (search->wants_debug ?
	    has_debug(elf) : has_table(elf, STR(".symtab"), ELF_SYMTAB));
	bool runtime = search->wants_runtime && (search->takes_any ||
	    has_table(elf, STR(".dynsym"), ELF_DYNSYM));

	if (symbols)
		search->found.symbols = *elf;
	if (runtime)
		search->found.runtime = *elf;
	search->wants_symbols &= !symbols;
	search->wants_runtime &= !runtime;
	return symbols || runtime;
}

static bool
has_right_id(const struct search *search, const struct elf *elf)
{
	struct build_id id = elf_build_id(elf);

	return search->id.len == 0 ||
	    (id.len > 0 && build_id_matches(&search->id, &id));
}

bool
search_take(struct search *search, struct str bytes)
{
	struct elf elf;

	if (search->trouble == DSO_NO_FILE)
		search->trouble = DSO_NO_SYMBOLS;
	if (str_starts(bytes, STR("\177ELF\1")))
		search->trouble = DSO_32_BIT;
	if (!elf_open(&elf, bytes))
		return false;
	if (!has_right_id(search, &elf))
		search->trouble = DSO_OTHER_BUILD_ID;
	else if (take_parts(search, &elf))
		return true;
	elf_close(&elf);
	return false;
}

bool
search_try(struct search *search, const char *format, ...)
{
	char path[SEARCH_PATH];
	struct str bytes;
	va_list args;
	int len;

	if (!search->wants_symbols && !search->wants_runtime)
		return false;
	va_start(args, format);
	len = vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	if (len < 0 || (size_t)len >= sizeof(path) ||
	    !mapfile_open(path, &bytes))
		return false;
	if (!search_take(search, bytes))
		mapping_remove(bytes.data);
	else if (search->wants_debug) {
		search->found.path = mem_array((size_t)len + 1, 1);
		memcpy(search->found.path, path, (size_t)len);
	}
	return true;
}

void
search_collection(struct search *search, const char *file)
{
	const char *home = sources_home(search->sources);
	char hex[2 * BUILD_ID_MAX + 1];

	if (search->id.len == 0 || home == NULL)
		return;
	build_id_hex(&search->id, hex);
	if (!search_try(search, "%s/.debug/.build-id/%.2s/%s", home, hex,
	    hex + 2))
		search_try(search, "%s/.debug/.build-id/%.2s/%s/%s", home, hex,
		    hex + 2, file);
}

enum dso_trouble
search_end(struct search *search, struct found *found)
{
	const struct elf *symbols = &search->found.symbols;
	const struct elf *runtime = &search->found.runtime;

	if (symbols->file.start == NULL && runtime->file.start == NULL)
		return search->trouble;
	found->symbols = symbols->file.start != NULL ? *symbols : *runtime;
	found->runtime = runtime->file.start != NULL ? *runtime : *symbols;
	found->path = search->found.path;
	return DSO_FINE;
}

static void
close_file(struct elf *elf)
{
	mapping_remove(elf->file.start);
	elf_close(elf);
}

void
search_close(struct found *found)
{
	bool same = found->runtime.file.start == found->symbols.file.start;

	close_file(&found->symbols);
	if (!same)
		close_file(&found->runtime);
	free(found->path);
	*found = (struct found){ 0 };
}
