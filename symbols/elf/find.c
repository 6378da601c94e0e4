#include <sys/stat.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "fetch.h"
#include "find.h"
#include "lib/mapping.h"
#include "mapfile.h"

#define PATH_SIZE_MAX	4096	/* no longer path can be opened on Linux */

/* Sources. */

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
	const char *path = variable("DEBUGINFOD_CACHE_PATH");
	const char *home = getenv("HOME"), *cache = variable("XDG_CACHE_HOME");
	struct stat status;

	if (path != NULL)
		return copied(arena, path, "");
	if (home == NULL)
		home = "/";
	path = copied(arena, home, "/.debuginfod_client_cache");
	if (stat(path, &status) == 0)
		return path;
	return cache != NULL ? copied(arena, cache, "/debuginfod_client") :
	    copied(arena, home, "/.cache/debuginfod_client");
}

struct symbol_sources
sources_complete(struct arena *arena, const struct symbol_sources *sources)
{
	struct symbol_sources complete = *sources;
	const char *symfs = sources->symfs;
	/*
	 * "/", "//" and "/../." are the same folder.  perf also takes
	 * /proc/PID/root for one of these, as realpath(3) does.
	 */
	bool has_symfs = symfs[0] != '\0' && (symfs[0] != '/' ||
	    strspn(symfs, "/.") < strlen(symfs) ||
	    strstr(symfs, "...") != NULL);

	complete.symfs = has_symfs ? copied(arena, symfs, "/") : "";
	complete.release = copied(arena, sources->release, "");
	complete.collection = sources->buildid_dir != NULL ?
	    sources->buildid_dir : copied(arena, has_symfs ? symfs :
	    sources->home, "/.debug");
	complete.is_foreign = sources->is_foreign && !has_symfs;
	complete.cache = find_cache(arena);
	return complete;
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

/* Searches. */

enum { SYMBOLS = 1, RUNTIME = 2 };	/* the parts of a program */

/*
 * A search tries one path after another, until all parts that are needed are
 * found in files with the right build id.
 */
struct search {
	const struct symbol_sources *sources;
	const struct binary *binary;
	struct build_id id;		/* that files must have, or { 0 } */
	char hex[2 * BUILD_ID_MAX + 1];
	bool takes_none;		/* since it must be known, and is not */
	unsigned wants;			/* parts that are needed: flags */
	bool takes_any;			/* as the runtime file */
	bool wants_debug;		/* symbols are debug information */
	struct found found;
	unsigned matches;		/* files with the right build id */
	bool has_own;			/* the file at the path is right */
	enum dso_trouble trouble;	/* with the files tried so far */
};

static void
set_id(struct search *search, struct build_id id)
{
	search->id = id;
	build_id_hex(&id, search->hex);
}

/* Takes from a file what is still needed; false if it has nothing of that. */
static bool
take_parts(struct search *search, const struct elf *elf)
{
	const struct elf_section *section =
	    elf_table(elf, STR(".symtab"), ELF_SYMTAB);
	unsigned parts = 0;

	if (search->wants_debug) {
		section = elf_section_named(elf, STR(".debug_info"));
		if (section == NULL || section->type == ELF_NOBITS)
			section = elf_section_named(elf, STR(".zdebug_info"));
	}
	if (section != NULL && section->type != ELF_NOBITS)
		parts |= SYMBOLS;
	if (search->takes_any ||
	    elf_table(elf, STR(".dynsym"), ELF_DYNSYM) != NULL ||
	    elf_section_named(elf, STR(".gnu_debugdata")) != NULL)
		parts |= RUNTIME;
	parts &= search->wants;
	if ((parts & SYMBOLS) != 0)
		search->found.symbols = *elf;
	if ((parts & RUNTIME) != 0)
		search->found.runtime = *elf;
	search->wants &= ~parts;
	return parts != 0;
}

/* Tries the bytes of a file; false if nothing in them is needed. */
static bool
take(struct search *search, struct str bytes)
{
	struct build_id id;
	struct elf elf;

	if (search->trouble == DSO_NO_FILE)
		search->trouble = DSO_NO_SYMBOLS;
	if (!elf_open(&elf, bytes))
		return false;
	elf.account = search->sources->account;
	id = elf_build_id(&elf);
	if (search->takes_none && elf.machine != search->sources->machine)
		search->trouble = DSO_OTHER_MACHINE;
	else if (search->id.len > 0 && (id.len == 0 ||
	    !build_id_matches(&search->id, &id)))
		search->trouble = DSO_OTHER_BUILD_ID;
	else {
		search->matches++;
		if (take_parts(search, &elf))
			return true;
	}
	elf_close(&elf);
	return false;
}

/*
 * Tries the file at a path, a format as in printf(3); false if it is missing,
 * and if nothing is needed any more.
 */
static bool
try_path(struct search *search, const char *format, ...)
{
	char path[PATH_SIZE_MAX];
	struct str bytes;
	va_list args;
	int len;

	if (search->wants == 0)
		return false;
	va_start(args, format);
	len = vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	if (len < 0 || (size_t)len >= sizeof(path) ||
	    !mapfile_open(&bytes, search->sources->account, "%s", path))
		return false;
	if (!take(search, bytes))
		mapping_remove(bytes.data);
	else if (search->wants_debug) {
		search->found.path = mem_array((size_t)len + 1, 1);
		memcpy(search->found.path, path, (size_t)len);
	}
	return true;
}

/*
 * Tries `file` in perf's own collection by build id; versions of long ago kept
 * a file there, not a folder of files.
 */
static void
try_collection(struct search *search, const char *file)
{
	const char *folder = search->sources->collection, *hex = search->hex;

	if (search->id.len == 0 || folder == NULL)
		return;
	if (!try_path(search, "%s/.build-id/%.2s/%s", folder, hex, hex + 2))
		try_path(search, "%s/.build-id/%.2s/%s/%s", folder, hex,
		    hex + 2, file);
}

/* Returns how long a path is up to its last '/'. */
static int
folder_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? 0 : (int)(slash - path);
}

/*
 * Tries the places of the debug file that .gnu_debuglink names.  Takes the
 * file's own build id where none was recorded.
 */
static void
try_debug_link(struct search *search)
{
	const char *symfs = search->sources->symfs;
	const char *path = search->binary->path;
	const char *link;
	int len = folder_len(path);
	struct str bytes;
	struct elf elf;

	if (!mapfile_open(&bytes, NULL, "%s%s", symfs, path))
		return;
	if (elf_open(&elf, bytes)) {
		if (search->id.len == 0)
			set_id(search, elf_build_id(&elf));
		link = elf_debug_link(&elf).data;
		if (*link != '\0' && !try_path(search, "%s", link) &&
		    !try_path(search, "%s%.*s/%s", symfs, len, path, link) &&
		    !try_path(search, "%s%.*s/.debug/%s", symfs, len, path,
		    link))
			try_path(search, "/usr/lib/debug%s%.*s/%s", symfs,
			    len, path, link);
		elf_close(&elf);
	}
	mapping_remove(bytes.data);
}

static void
try_own(struct search *search)
{
	unsigned matches = search->matches;

	try_path(search, "%s%s", search->sources->symfs, search->binary->path);
	search->has_own = search->matches > matches;
}

/* Tries the places of a program, of a library and of what belongs to them. */
static void
try_program(struct search *search)
{
	const char *symfs = search->sources->symfs;
	const char *path = search->binary->path;
	int len = folder_len(path);

	try_debug_link(search);
	try_collection(search, "elf");
	try_collection(search, "debug");
	try_path(search, "%s/usr/lib/debug%s.debug", symfs, path);
	try_path(search, "%s/usr/lib/debug%s", symfs, path);
	if (search->id.len > 0)
		try_path(search, "%s/usr/lib/debug/.build-id/%.2s/%s.debug",
		    symfs, search->hex, search->hex + 2);
	try_own(search);
	try_path(search, "%s%.*s/.debug%s", symfs, len, path, path + len);
	if (strncmp(path, "/usr/lib/", 9) == 0)
		try_path(search, "%s/usr/lib/debug%s", symfs, path + 4);
}

/* True if there is a file at `inner`, and another one or none at `path`. */
static bool
has_other(const char *inner, const char *path)
{
	struct stat other, status;

	return stat(inner, &other) == 0 && (stat(path, &status) != 0 ||
	    status.st_dev != other.st_dev || status.st_ino != other.st_ino);
}

/*
 * Tries the places in the containers of processes that still run, if the file
 * at the path is another.  A process with the number of one that has ended may
 * have any files: so a build id is needed.
 */
static void
try_containers(struct search *search, void (*try)(struct search *))
{
	const struct symbol_sources *sources = search->sources;
	const struct processes *processes = &search->binary->processes;
	const char *path = search->binary->path;
	struct symbol_sources inside = *sources;
	char root[64], own[PATH_SIZE_MAX];
	uint32_t i;
	int len;

	if (search->id.len == 0 || path[0] != '/' || sources->symfs[0] != '\0')
		return;
	for (i = 0; i < processes_known(processes) && !search->has_own &&
	    search->wants != 0; i++) {
		len = snprintf(root, sizeof(root), "/proc/%ld/root",
		    (long)processes->pids[i]);
		len = snprintf(own, sizeof(own), "%s%s", root, path);
		if (len < 0 || (size_t)len >= sizeof(own) ||
		    !has_other(own, path))
			continue;
		inside.symfs = root;
		search->sources = &inside;
		try(search);
		search->sources = sources;
	}
}

/*
 * Takes the symbols from .gnu_debugdata of the runtime file, where no file has
 * .symtab.  perf 7.2 does that, too.
 */
static void
take_inner(struct search *search)
{
	struct section *inner = &search->found.unpacked;
	struct build_id id, outer_id;
	struct elf elf;

	if (search->wants != SYMBOLS)
		return;
	*inner = section_read(&search->found.runtime, STR(".gnu_debugdata"));
	if (inner->state != SECTION_READ)
		return;
	if (elf_open(&elf, bytes_text(&inner->bytes,
	    bytes_left(&inner->bytes)))) {
		elf.account = search->sources->account;
		id = elf_build_id(&elf);
		outer_id = elf_build_id(&search->found.runtime);
		if ((id.len == 0 || build_id_matches(&outer_id, &id)) &&
		    take_parts(search, &elf))
			return;
		elf_close(&elf);
	}
	section_free(inner);
	inner->state = SECTION_DAMAGED;
}

/*
 * Tries the file of a kind in debuginfod's cache, and its servers if that is
 * wanted; true if it is taken.
 */
static bool
try_debuginfod(struct search *search, const char *kind)
{
	const struct symbol_sources *sources = search->sources;
	unsigned wants = search->wants;

	if (search->id.len == 0 || wants == 0)
		return false;
	try_path(search, "%s/%s/%s", sources->cache, search->hex, kind);
	if (search->wants == wants && sources->fetches != NULL &&
	    fetch_file(sources->fetches, kind, &search->id))
		try_path(search, "%s/%s/%s", sources->cache, search->hex, kind);
	return search->wants != wants;
}

/*
 * Returns the number of a process in the innermost of its containers, or 0:
 *
 *	NSpid:	4711	12
 */
static long
inner_pid(long pid)
{
	struct text text = { 0 };
	char path[64];
	struct str line;
	size_t at;
	long inner = 0;

	snprintf(path, sizeof(path), "/proc/%ld/status", pid);
	if (!mapfile_read(path, &text))
		return 0;
	at = str_search(text_str(&text), STR("\nNSpid:"));
	if (at < text.len) {
		line = str_skip(text_str(&text), at + 1);
		line = str_take(line, str_find(line, '\n'));
		line = str_skip(line, str_find_last(line, '\t'));
		snprintf(path, sizeof(path), "%.*s", (int)line.len, line.data);
		inner = strtol(path, NULL, 10);
	}
	free(text.data);
	return inner;
}

/*
 * Reads the map in a container: where a process sees other files than we do.  A
 * link in there might lead outside, so the folder and the file must not be
 * links.
 */
static bool
read_inner_map(long pid, struct account *account, struct text *text,
    bool *foreign)
{
	char path[64];
	struct stat status;

	snprintf(path, sizeof(path), "/proc/%ld/ns/mnt", pid);
	if (!has_other(path, "/proc/self/ns/mnt"))
		return false;
	snprintf(path, sizeof(path), "/proc/%ld/root/tmp", pid);
	if (lstat(path, &status) != 0 || !S_ISDIR(status.st_mode))
		return false;
	snprintf(path, sizeof(path), "/proc/%ld/root/tmp/perf-%ld.map", pid,
	    inner_pid(pid));
	return lstat(path, &status) == 0 && S_ISREG(status.st_mode) &&
	    mapfile_read_of(path, pid, account, text, foreign);
}

enum dso_trouble
find_perf_map(const struct symbol_sources *sources, const char *path,
    struct text *text)
{
	struct account *account = sources->account;
	const char *number = path + strlen("/tmp/perf-");
	long pid = strncmp(path, "/tmp/perf-", strlen("/tmp/perf-")) == 0 ?
	    strtol(number, NULL, 10) : 0;
	bool foreign = false;

	if ((pid > 0 && sources->symfs[0] == '\0' &&
	    read_inner_map(pid, account, text, &foreign)) ||
	    mapfile_read_of(path, pid, account, text, &foreign))
		return DSO_FINE;
	return foreign ? DSO_OTHER_USER : DSO_NO_FILE;
}

/* Tries the collection, and the kernel's own in this process or in a file. */
static void
try_vdso(struct search *search)
{
	const struct symbol_sources *sources = search->sources;
	unsigned long long start = 0, end = 0;
	struct str vdso = STR("");
	char line[512];
	FILE *maps;

	try_collection(search, "vdso");
	if (strcmp(search->binary->path, "[vdso32]") == 0) {
		if (sources->release != NULL)
			try_path(search, "%s/lib/modules/%s/vdso/vdso32.so",
			    sources->symfs, sources->release);
		return;
	}
	if (sources->symfs[0] != '\0')
		return;
	maps = fopen("/proc/self/maps", "r");
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
	take(search, vdso);
}

static void
try_kernel(struct search *search)
{
	static const char *const paths[] = {
		"/boot/vmlinux-%s",
		"/usr/lib/debug/boot/vmlinux-%s",
		"/lib/modules/%s/build/vmlinux",
		"/usr/lib/debug/lib/modules/%s/vmlinux",
		"/usr/lib/debug/boot/vmlinux-%s.debug",
	};
	const struct symbol_sources *sources = search->sources;
	size_t i;

	try_collection(search, "elf");
	try_path(search, "%svmlinux", sources->symfs);
	try_path(search, "/boot/vmlinux");
	for (i = 0; i < sizeof(paths) / sizeof(paths[0]) &&
	    sources->release != NULL && sources->symfs[0] == '\0'; i++)
		try_path(search, paths[i], sources->release);
}

/* Tries the file of a module.  It is often compressed. */
static void
try_module(struct search *search)
{
	struct account *account = search->sources->account;
	struct section *unpacked = &search->found.unpacked;
	const char *path = search->binary->path;
	const char *program = str_ends(str_from(path), STR(".zst")) ? "zstd" :
	    str_ends(str_from(path), STR(".xz")) ? "xz" : NULL;
	char file[PATH_SIZE_MAX];
	struct bytes bytes;
	struct str packed;

	try_collection(search, "elf");
	try_collection(search, "debug");
	if (path[0] != '/' || search->wants == 0)
		return;
	if (program == NULL) {
		try_path(search, "%s%s", search->sources->symfs, path);
		return;
	}
	snprintf(file, sizeof(file), "%s%s", search->sources->symfs, path);
	if (!mapfile_open(&packed, account, "%s", file))
		return;
	*unpacked = section_unpack(program, packed, account,
	    "names of functions");
	bytes = unpacked->bytes;
	if (unpacked->state == SECTION_NO_XZ ||
	    unpacked->state == SECTION_NO_ZSTD)
		search->trouble = DSO_NO_PROGRAM;
	else if (unpacked->state == SECTION_DAMAGED)
		mapping_note_failure(file, "it is damaged");
	else if (unpacked->state == SECTION_READ && !take(search,
	    bytes_text(&bytes, bytes_left(&bytes))))
		section_free(unpacked);
	mapping_remove(packed.data);
}

/*
 * Tries the places of a program, also in containers, and what debuginfod has
 * where other files lack something.  A debug file does not tell how a program
 * is mapped, so the program is needed, too, if only one without .dynsym.
 */
static void
try_everywhere(struct search *search)
{
	bool fetched;

	try_program(search);
	try_containers(search, try_program);
	fetched = (search->wants & SYMBOLS) != 0 &&
	    try_debuginfod(search, "debuginfo");
	if (fetched && (search->wants & RUNTIME) != 0) {
		search->takes_any = true;
		try_path(search, "%s%s", search->sources->symfs,
		    search->binary->path);
	}
	if ((search->wants & RUNTIME) != 0 && (fetched ||
	    ((search->wants & SYMBOLS) != 0 && !search->has_own)))
		try_debuginfod(search, "executable");
}

static void
try_image(struct search *search)
{
	try_collection(search, "elf");
	try_own(search);
	try_containers(search, try_own);
	try_debuginfod(search, "executable");
}

/* What each kind of search wants, and where it looks. */
static const struct {
	unsigned wants;
	bool any, debug;
	void (*try)(struct search *search);
} searches[] = {
	[FIND_PROGRAM] = { SYMBOLS | RUNTIME, false, false, try_everywhere },
	[FIND_DEBUG] = { SYMBOLS, false, true, try_everywhere },
	[FIND_IMAGE] = { RUNTIME, true, false, try_image },
	[FIND_VDSO] = { SYMBOLS | RUNTIME, false, false, try_vdso },
	[FIND_KERNEL] = { SYMBOLS, false, false, try_kernel },
	[FIND_KERNEL_DEBUG] = { SYMBOLS, false, true, try_kernel },
	[FIND_MODULE] = { SYMBOLS, false, false, try_module },
};

static struct search
look_for(const struct symbol_sources *sources, enum find_what what,
    const struct binary *binary)
{
	struct search search = {
		.sources = sources, .binary = binary,
		.takes_none = sources->is_foreign && binary->id.len == 0,
		.wants = searches[what].wants,
		.takes_any = searches[what].any,
		.wants_debug = searches[what].debug,
		.trouble = DSO_NO_FILE
	};

	set_id(&search, binary->id);
	searches[what].try(&search);
	return search;
}

enum dso_trouble
find_binary(const struct symbol_sources *sources, enum find_what what,
    const struct binary *binary, struct found *found)
{
	struct search search = look_for(sources, what, binary);
	const struct elf *symbols = &search.found.symbols;
	const struct elf *runtime = &search.found.runtime;

	if (what == FIND_PROGRAM)
		take_inner(&search);
	if (symbols->file.start == NULL && runtime->file.start == NULL)
		return search.trouble;
	/* a part that was found serves as the other one, too */
	*found = search.found;
	if (symbols->file.start == NULL)
		found->symbols = *runtime;
	if (runtime->file.start == NULL)
		found->runtime = *symbols;
	return DSO_FINE;
}

void
find_missing(const struct symbol_sources *sources, const struct binary *binary,
    bool debug)
{
	struct search search = look_for(sources, FIND_PROGRAM, binary);
	bool found;

	find_close(&search.found);
	if (!debug)
		return;
	search = look_for(sources, FIND_DEBUG, binary);
	found = search.found.path != NULL;
	find_close(&search.found);
	if (found) {	/* by addresses, from the file itself */
		search = look_for(sources, FIND_IMAGE, binary);
		find_close(&search.found);
	}
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

bool
find_kept_kallsyms(const struct symbol_sources *sources, struct build_id id,
    struct str *names)
{
	const char *folder = sources->collection;
	char hex[2 * BUILD_ID_MAX + 1];

	if (sources->kallsyms != NULL || folder == NULL || id.len == 0 ||
	    (sources->symfs[0] != '\0' && sources->buildid_dir == NULL))
		return false;
	build_id_hex(&id, hex);
	return mapfile_open(names, NULL, "%s/[kernel.kallsyms]/%s/kallsyms",
	    folder, hex) ||
	    mapfile_open(names, NULL, "%s/[kernel.kallsyms]/%s", folder, hex);
}

enum dso_trouble
find_kallsyms(const struct symbol_sources *sources, struct build_id id,
    struct str *names, struct text *text)
{
	const char *path = sources->kallsyms;

	if (path == NULL && sources->is_foreign && id.len == 0)
		return DSO_OTHER_MACHINE;
	if (path == NULL && sources->symfs[0] == '\0' &&
	    (id.len == 0 || is_running(&id)))
		path = "/proc/kallsyms";
	if (path == NULL)
		return find_kept_kallsyms(sources, id, names) ? DSO_FINE :
		    DSO_NO_KERNEL;
	if (!mapfile_open(names, NULL, "%s", path))
		return DSO_NO_FILE;
	if (names->len == 0) {		/* as files in /proc say they have */
		if (!mapfile_read(path, text))
			return DSO_NO_FILE;
		*names = text_str(text);
	}
	return DSO_FINE;
}

void
find_close(struct found *found)
{
	bool same = found->runtime.file.start == found->symbols.file.start;

	mapfile_close(&found->symbols);
	if (!same)
		mapfile_close(&found->runtime);
	section_free(&found->unpacked);
	free(found->path);
	*found = (struct found){ 0 };
}
