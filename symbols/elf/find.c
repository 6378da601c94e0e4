#include <stdio.h>
#include <stdlib.h>

#include "find.h"
#include "lib/mapping.h"
#include "mapfile.h"

/* Returns how long a path is up to its last '/'. */
static int
folder_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? 0 : (int)(slash - path);
}

/*
 * Tries the places of the debug file that a file names, of which one has it,
 * and takes the file's build id where none was recorded.
 */
static void
try_debug_link(struct search *search, const char *path)
{
	const char *symfs = search->sources->symfs;
	int len = folder_len(path);
	struct str bytes, link;
	struct text file = { 0 }, name = { 0 };
	struct elf elf;

	text_add_format(&file, "%s%s", symfs, path);
	text_add_char(&file, '\0');
	if (!mapfile_open(file.data, &bytes))
		bytes = STR("");
	if (elf_open(&elf, bytes)) {
		if (search->id.len == 0)
			search->id = elf_build_id(&elf);
		link = elf_debug_link(&elf);
		text_add(&name, link.len < SEARCH_PATH ? link : STR(""));
		text_add_char(&name, '\0');
		if (name.len > 1 && !search_try(search, "%s", name.data) &&
		    !search_try(search, "%s%.*s/%s", symfs, len, path,
		    name.data) &&
		    !search_try(search, "%s%.*s/.debug/%s", symfs, len, path,
		    name.data))
			search_try(search, "/usr/lib/debug%s%.*s/%s", symfs,
			    len, path, name.data);
		elf_close(&elf);
	}
	mapping_remove(bytes.data);
	free(name.data);
	free(file.data);
}

/* Tries the places of a program, of a library and of what belongs to them. */
static void
try_program(struct search *search, const char *path)
{
	const char *symfs = search->sources->symfs;
	int len = folder_len(path);
	char hex[2 * BUILD_ID_MAX + 1];

	try_debug_link(search, path);
	search_collection(search, "elf");
	search_collection(search, "debug");
	search_try(search, "%s/usr/lib/debug%s.debug", symfs, path);
	search_try(search, "%s/usr/lib/debug%s", symfs, path);
	build_id_hex(&search->id, hex);
	if (search->id.len > 0)
		search_try(search, "%s/usr/lib/debug/.build-id/%.2s/%s.debug",
		    symfs, hex, hex + 2);
	search_try(search, "%s%s", symfs, path);
	search_try(search, "%s%.*s/.debug%s", symfs, len, path, path + len);
	if (strncmp(path, "/usr/lib/", 9) == 0)
		search_try(search, "%s/usr/lib/debug%s", symfs, path + 4);
}

enum dso_trouble
find_program(const struct symbol_sources *sources, const char *path,
    struct build_id id, struct found *found)
{
	struct search search = search_begin(sources, id, true);

	try_program(&search, path);
	return search_end(&search, found);
}

enum dso_trouble
find_debug(const struct symbol_sources *sources, const char *path,
    struct build_id id, struct found *found)
{
	struct search search = search_begin(sources, id, false);

	search.wants_debug = true;
	try_program(&search, path);
	return search_end(&search, found);
}

enum dso_trouble
find_image(const struct symbol_sources *sources, const char *path,
    struct build_id id, struct found *found)
{
	struct search search = search_begin(sources, id, true);

	search.wants_symbols = false;
	search.takes_any = true;
	search_collection(&search, "elf");
	search_try(&search, "%s%s", sources->symfs, path);
	return search_end(&search, found);
}

/* Returns the bytes of the [vdso] in this process, or no bytes. */
static struct str
own_vdso(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long long start = 0, end = 0;
	struct str vdso = STR("");
	char line[512];

	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL) {
		if (strstr(line, " [vdso]\n") == NULL ||
		    sscanf(line, "%llx-%llx r", &start, &end) != 2)
			continue;
		vdso = (struct str){
			(const char *)(uintptr_t)start, (size_t)(end - start)
		};
	}
	if (maps != NULL)
		fclose(maps);
	return vdso;
}

enum dso_trouble
find_vdso(const struct symbol_sources *sources, struct build_id id,
    struct found *found)
{
	struct search search = search_begin(sources, id, true);

	search_collection(&search, "vdso");
	if (sources->symfs[0] == '\0')
		search_take(&search, own_vdso());
	return search_end(&search, found);
}

enum dso_trouble
find_vmlinux(const struct symbol_sources *sources, struct build_id id,
    struct found *found)
{
	static const char *const paths[] = {
		"/boot/vmlinux-%s",
		"/usr/lib/debug/boot/vmlinux-%s",
		"/lib/modules/%s/build/vmlinux",
		"/usr/lib/debug/lib/modules/%s/vmlinux",
		"/usr/lib/debug/boot/vmlinux-%s.debug",
	};
	struct search search = search_begin(sources, id, false);
	size_t i;

	search_collection(&search, "elf");
	search_try(&search, "%svmlinux", sources->symfs);
	search_try(&search, "/boot/vmlinux");
	for (i = 0; i < sizeof(paths) / sizeof(paths[0]) &&
	    sources->release != NULL && sources->symfs[0] == '\0'; i++)
		search_try(&search, paths[i], sources->release);
	return search_end(&search, found);
}

static bool
ends_in(const char *path, const char *end)
{
	return str_ends(str_from(path), str_from(end));
}

/* Tries the file of a module, which is often compressed. */
static void
try_module(struct search *search, const char *path, struct text *unpacked)
{
	bool zstd = ends_in(path, ".zst");
	struct text file = { 0 };

	if (!zstd && !ends_in(path, ".xz")) {
		search_try(search, "%s%s", search->sources->symfs, path);
		return;
	}
	if (!search->wants_symbols)
		return;
	text_add_format(&file, "%s%s", search->sources->symfs, path);
	text_add_char(&file, '\0');
	switch (mapfile_unpack(file.data, zstd, unpacked)) {
	case MAPFILE_UNPACKED:
		search_take(search, text_str(unpacked));
		break;
	case MAPFILE_NO_PROGRAM:
		search->trouble = DSO_NO_PROGRAM;
		break;
	case MAPFILE_DAMAGED:
		break;
	}
	free(file.data);
}

enum dso_trouble
find_module(const struct symbol_sources *sources, const char *path,
    struct build_id id, struct found *found, struct text *unpacked)
{
	struct search search = search_begin(sources, id, false);

	search_collection(&search, "elf");
	search_collection(&search, "debug");
	if (path[0] == '/')
		try_module(&search, path, unpacked);
	return search_end(&search, found);
}

/* True if the running kernel has that build id. */
static bool
is_running(const struct build_id *id)
{
	struct text notes = { 0 };
	struct build_id running = { 0 };

	if (mapfile_read("/sys/kernel/notes", &notes))
		running = elf_notes_build_id(bytes_from(text_str(&notes)));
	free(notes.data);
	return running.len > 0 && build_id_matches(id, &running);
}

/* Reads a copy that perf has kept of a kernel's names. */
static bool
read_kept_kallsyms(const struct symbol_sources *sources,
    const struct build_id *id, struct text *text)
{
	const char *home = sources_home(sources);
	char hex[2 * BUILD_ID_MAX + 1];
	struct text path = { 0 };
	bool done;

	if (home == NULL)
		return false;
	build_id_hex(id, hex);
	text_add_format(&path, "%s/.debug/[kernel.kallsyms]/%s", home, hex);
	text_add(&path, STR("/kallsyms\0"));
	done = mapfile_read(path.data, text);
	if (!done) {
		path.data[path.len - sizeof("/kallsyms")] = '\0';
		done = mapfile_read(path.data, text);
	}
	free(path.data);
	return done;
}

enum dso_trouble
find_kallsyms(const struct symbol_sources *sources, struct build_id id,
    struct text *text)
{
	if (sources->kallsyms != NULL)
		return mapfile_read(sources->kallsyms, text) ? DSO_FINE :
		    DSO_NO_FILE;
	if (sources->symfs[0] != '\0')
		return DSO_NO_KERNEL;
	if (id.len == 0 || is_running(&id))
		return mapfile_read("/proc/kallsyms", text) ? DSO_FINE :
		    DSO_NO_FILE;
	return read_kept_kallsyms(sources, &id, text) ? DSO_FINE :
	    DSO_NO_KERNEL;
}
