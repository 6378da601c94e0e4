#include <sys/stat.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fetch.h"
#include "find.h"
#include "lib/mapping.h"

#define PATH_SIZE_MAX	4096	/* no longer path can be opened on Linux */
#define READ_SIZE	((size_t)1 << 20)
#define TEXT_MAX	((size_t)256 << 20)	/* kallsyms has 10 MB */

/* Files. */

/*
 * Opens a regular file, and notes one that the system cannot open.  Looks at it
 * before, since opening a device may have effects, and at what it has opened.
 */
static int
open_regular(const char *path, struct stat *status)
{
	int fd;

	if (stat(path, status) != 0 || !S_ISREG(status->st_mode))
		return -1;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 && (errno == EMFILE || errno == ENFILE ||
	    errno == ENOMEM || errno == EIO))
		mapping_note_failure(path, strerror(errno));
	if (fd >= 0 && (fstat(fd, status) != 0 || !S_ISREG(status->st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Returns how many bytes of a file are on the disk: a sparse one has few. */
static uint64_t
stored_size(const struct stat *status)
{
	uint64_t stored = (uint64_t)status->st_blocks * 512;
	uint64_t size = (uint64_t)status->st_size;

	return stored < size ? stored : size;
}

bool
find_map(struct str *bytes, struct account *account, const char *format, ...)
{
	char path[PATH_SIZE_MAX];
	struct stat status;
	va_list args;
	int len, fd;

	va_start(args, format);
	len = vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	if (len < 0 || (size_t)len >= sizeof(path) ||
	    (fd = open_regular(path, &status)) < 0)
		return false;
	*bytes = STR("");
	if (status.st_size > 0) {
		*bytes = mapping_add(fd, path, 0,
		    (unsigned long long)status.st_size);
		if (bytes->len == 0)
			mapping_note_failure(path, strerror(errno));
		/* a file with a header has a block, where they are counted */
		account_credit(account, status.st_blocks == 0 ?
		    (uint64_t)status.st_size : stored_size(&status));
	}
	close(fd);
	return true;
}

void
find_unmap(struct elf *elf)
{
	mapping_remove(elf->file.start);
	elf_close(elf);
}

/* Reads what is open, and closes it; false if that fails. */
static bool
read_all(int fd, struct account *account, struct text *text)
{
	ssize_t got;
	char *at;

	do {
		at = text_extend(text, READ_SIZE);
		got = read(fd, at, READ_SIZE);
		text->len -= READ_SIZE - (size_t)(got > 0 ? got : 0);
	} while ((got > 0 && text->len < TEXT_MAX && account_take(account,
	    LIMIT_MEMORY, (uint64_t)got, "names of functions")) ||
	    (got < 0 && errno == EINTR));
	close(fd);
	return got >= 0;
}

bool
find_read(const char *path, struct text *text)
{
	struct stat status;
	int fd = open_regular(path, &status);

	return fd >= 0 && read_all(fd, NULL, text);
}

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
		return path;
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
	/* "//" and "/../." are "/"; perf also takes /proc/PID/root for that */
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
binary_add_process(struct binary *binary, int32_t pid)
{
	const unsigned ring = PROCESSES_MOST - PROCESSES_FIRST;
	uint64_t i;

	for (i = 0; i < binary->pid_count && i < PROCESSES_MOST; i++)
		if (binary->pids[i] == pid)
			return;
	i = binary->pid_count++;
	binary->pids[i < PROCESSES_MOST ? i :
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
	const struct symbol_sources *sources = search->sources;
	struct build_id id;
	struct elf elf;

	if (search->trouble == DSO_NO_FILE)
		search->trouble = DSO_NO_SYMBOLS;
	if (!elf_open(&elf, bytes))
		return false;
	elf.account = sources->account;
	id = elf_build_id(&elf);
	if (sources->is_foreign && search->binary->id.len == 0 &&
	    elf.machine != sources->machine)
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

/* Tries the file at a path; false if it is missing, or nothing is needed. */
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
	    !find_map(&bytes, search->sources->account, "%s", path))
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
 * Tries the places of the debug file that .gnu_debuglink names.  If no build id
 * was recorded, debug files must have that of the file at the path.
 */
static void
try_debug_link(struct search *search)
{
	const char *symfs = search->sources->symfs;
	const char *path = search->binary->path;
	const char *link;
	int len = folder_len(path);
	struct bytes contents;
	struct str bytes;
	struct elf elf;

	if (!find_map(&bytes, NULL, "%s%s", symfs, path))
		return;
	if (elf_open(&elf, bytes)) {
		if (search->id.len == 0)
			set_id(search, elf_build_id(&elf));
		contents = elf_contents(&elf,
		    elf_section_named(&elf, STR(".gnu_debuglink")));
		link = bytes_string(&contents).data;
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
 * Tries the places in the containers of processes, if the file at the path is
 * another.  A process may have the number of one that has ended, and any files:
 * so a build id is needed.
 */
static void
try_containers(struct search *search, void (*try)(struct search *))
{
	const struct symbol_sources *sources = search->sources;
	const struct binary *binary = search->binary;
	const char *path = binary->path;
	struct symbol_sources inside = *sources;
	char root[64], own[PATH_SIZE_MAX];
	unsigned i;
	int len;

	if (search->id.len == 0 || path[0] != '/' || sources->symfs[0] != '\0')
		return;
	for (i = 0; i < binary->pid_count && i < PROCESSES_MOST &&
	    !search->has_own && search->wants != 0; i++) {
		snprintf(root, sizeof(root), "/proc/%ld/root",
		    (long)binary->pids[i]);
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

/* Takes .gnu_debugdata's symbols if no file has .symtab, as perf 7.2 does. */
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

/* Tries debuginfod's cache, and its servers; true if the file is taken. */
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
static unsigned long long
inner_pid(long pid)
{
	unsigned long long inner = 0;
	struct text text = { 0 };
	struct str line, rest;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%ld/status", pid);
	find_read(path, &text);
	for (rest = text_str(&text); rest.len > 0;) {
		line = str_cut(&rest, '\n');
		if (str_starts(line, STR("NSpid:")))
			str_number(str_skip(line, str_digits_start(line)),
			    &inner);
	}
	free(text.data);
	return inner;
}

/*
 * Reads a file that anybody may have written.  It must belong to root, to us or
 * to the user of that process; otherwise *foreign is set.
 */
static bool
read_of(const char *path, long pid, struct account *account,
    struct text *text, bool *foreign)
{
	struct stat status, process;
	char folder[64];
	int fd = open_regular(path, &status);

	if (fd < 0)
		return false;
	snprintf(folder, sizeof(folder), "/proc/%ld", pid);
	*foreign = status.st_uid != 0 && status.st_uid != geteuid() &&
	    (stat(folder, &process) != 0 || process.st_uid != status.st_uid);
	if (*foreign) {
		close(fd);
		return false;
	}
	account_credit(account, stored_size(&status));
	return read_all(fd, account, text);
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
	snprintf(path, sizeof(path), "/proc/%ld/root/tmp/perf-%llu.map", pid,
	    inner_pid(pid));
	return lstat(path, &status) == 0 && S_ISREG(status.st_mode) &&
	    read_of(path, pid, account, text, foreign);
}

enum dso_trouble
find_perf_map(const struct symbol_sources *sources, const char *path,
    struct text *text)
{
	struct account *account = sources->account;
	const char *start = "/tmp/perf-";
	long pid = strncmp(path, start, strlen(start)) == 0 ?
	    strtol(path + strlen(start), NULL, 10) : 0;
	bool foreign = false;

	if ((pid > 0 && sources->symfs[0] == '\0' &&
	    read_inner_map(pid, account, text, &foreign)) ||
	    read_of(path, pid, account, text, &foreign))
		return sources->is_foreign ? DSO_OTHER_MACHINE : DSO_FINE;
	return foreign ? DSO_OTHER_USER : DSO_NO_FILE;
}

/* Tries the collection, and the kernel's own in this process or in a file. */
static void
try_vdso(struct search *search)
{
	const struct symbol_sources *sources = search->sources;
	struct str line, rest, vdso = STR("");
	struct text maps = { 0 };

	try_collection(search, "vdso");
	if (strcmp(search->binary->path, "[vdso32]") == 0) {
		if (sources->release != NULL)
			try_path(search, "%s/lib/modules/%s/vdso/vdso32.so",
			    sources->symfs, sources->release);
		return;
	}
	if (sources->symfs[0] != '\0')
		return;
	find_read("/proc/self/maps", &maps);
	for (rest = text_str(&maps); rest.len > 0;) {
		line = str_cut(&rest, '\n');
		if (!str_ends(line, STR(" [vdso]")))
			continue;
		vdso.data = (const char *)(uintptr_t)str_hex(&line);
		line = str_skip(line, 1);
		vdso.len = (uintptr_t)str_hex(&line) - (uintptr_t)vdso.data;
	}
	free(maps.data);
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

/* Tries the file of a module; it may be compressed. */
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
	if (!find_map(&packed, account, "%s", file))
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
 * Tries the places of a program, also in containers, and debuginfod for what is
 * missing.  A debug file does not tell how a program is mapped, so the program
 * is needed, too, if only one without .dynsym.
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

bool
find_missing(const struct symbol_sources *sources, const struct binary *binary,
    bool debug)
{
	enum find_what what, last = debug ? FIND_IMAGE : FIND_PROGRAM;
	struct fetches *fetches = sources->fetches;
	struct search search;
	bool is_found = true;

	fetches->notes = true;
	fetches->noted = false;
	for (what = FIND_PROGRAM; what <= last && is_found; what++) {
		search = look_for(sources, what, binary);
		/* debug information knows the addresses of the file itself */
		is_found = what != FIND_DEBUG || search.found.path != NULL;
		find_close(&search.found);
	}
	return fetches->noted;
}

void
find_close(struct found *found)
{
	bool same = found->runtime.file.start == found->symbols.file.start;

	find_unmap(&found->symbols);
	if (!same)
		find_unmap(&found->runtime);
	section_free(&found->unpacked);
	free(found->path);
	*found = (struct found){ 0 };
}
