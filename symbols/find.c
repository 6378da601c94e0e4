#include <sys/mman.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "find.h"

#define READ_SIZE	((size_t)1 << 20)

struct search {
	const struct symbol_sources *sources;
	struct text path;		/* the one that is tried */
	struct build_id id;		/* that files must have, or none */
	struct found *found;
	bool has_symbols, has_runtime;
	enum dso_trouble trouble;	/* with the files tried so far */
};

/*
 * Opens a regular file.  It is looked at before, since to open a device may
 * have effects, and then again; a FIFO must not make us wait.
 */
static int
open_regular(const char *path)
{
	struct stat status;
	int fd;

	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return -1;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

static bool
map_file(const char *path, struct str *contents)
{
	int fd = open_regular(path);
	struct stat status;
	void *data = MAP_FAILED;

	if (fd < 0)
		return false;
	if (fstat(fd, &status) == 0 && status.st_size > 0 &&
	    (unsigned long long)status.st_size <= SIZE_MAX)
		data = mmap(NULL, (size_t)status.st_size, PROT_READ,
		    MAP_PRIVATE, fd, 0);
	close(fd);
	*contents = data == MAP_FAILED ? STR("") :
	    (struct str){ data, (size_t)status.st_size };
	return true;
}

static void
unmap(struct str contents)
{
	if (contents.len > 0)
		munmap((void *)(uintptr_t)contents.data, contents.len);
}

bool
find_text(const char *path, struct text *text)
{
	int fd = open_regular(path);
	ssize_t got = -1;
	char *at;

	if (fd < 0)
		return false;
	text->len = 0;
	do {
		at = text_extend(text, READ_SIZE);
		got = read(fd, at, READ_SIZE);
		text->len -= READ_SIZE - (size_t)(got > 0 ? got : 0);
	} while (got > 0);
	close(fd);
	text_add_char(text, '\0');
	return got == 0;
}

static bool
has_table(const struct elf *elf, struct str name, uint32_t type)
{
	const struct elf_section *section = elf_section_named(elf, name);

	return section != NULL && section->type == type;
}

static bool
is_complete(const struct search *search)
{
	return search->has_symbols && search->has_runtime;
}

/* Takes from a file what is still missing; false if it has nothing of that. */
static bool
take_parts(struct search *search, const struct elf *elf)
{
	bool symbols = !search->has_symbols &&
	    has_table(elf, STR(".symtab"), ELF_SYMTAB);
	bool runtime = !search->has_runtime &&
	    has_table(elf, STR(".dynsym"), ELF_DYNSYM);

	if (symbols)
		search->found->symbols = *elf;
	if (runtime)
		search->found->runtime = *elf;
	search->has_symbols |= symbols;
	search->has_runtime |= runtime;
	return symbols || runtime;
}

/* Takes from a file's bytes what is missing; false if they are not needed. */
static bool
take_bytes(struct search *search, struct str bytes)
{
	struct build_id id;
	struct elf elf;
	bool fits, taken;

	if (search->trouble == DSO_NO_FILE)
		search->trouble = DSO_NO_SYMBOLS;
	if (!elf_open(&elf, bytes))
		return false;
	id = elf_build_id(&elf);
	fits = search->id.len == 0 ||
	    (id.len > 0 && build_id_matches(&search->id, &id));
	if (!fits)
		search->trouble = DSO_OTHER_BUILD_ID;
	taken = fits && take_parts(search, &elf);
	if (!taken)
		elf_close(&elf);
	return taken;
}

/* Makes a path of up to four parts. */
static void
set_path(struct search *search, struct str a, struct str b, struct str c,
    struct str d)
{
	search->path.len = 0;
	text_add(&search->path, a);
	text_add(&search->path, b);
	text_add(&search->path, c);
	text_add(&search->path, d);
	text_add_char(&search->path, '\0');
}

/* Tries the file at the path that was made; true if there is one. */
static bool
try_path(struct search *search)
{
	struct str bytes;

	if (is_complete(search) || !map_file(search->path.data, &bytes))
		return false;
	if (!take_bytes(search, bytes))
		unmap(bytes);
	return true;
}

/* Returns the part of a path up to its last '/', which is not part of it. */
static struct str
folder_of(struct str path)
{
	size_t slash = str_find_last(path, '/');

	return str_take(path, slash < path.len ? slash : 0);
}

/* Finds what a file itself tells of its build id and its debug file. */
static void
read_file(struct search *search, struct str *link, struct text *name)
{
	struct str bytes;
	struct elf elf;

	if (!map_file(search->path.data, &bytes))
		return;
	if (elf_open(&elf, bytes)) {
		if (search->id.len == 0)
			search->id = elf_build_id(&elf);
		text_add(name, elf_debug_link(&elf));
		*link = text_str(name);
		elf_close(&elf);
	}
	unmap(bytes);
}

/* Tries the four places of a debug file that a file names; one has it. */
static void
try_debug_link(struct search *search, struct str folder, struct str link)
{
	const struct str none = STR("");

	if (link.len == 0)
		return;
	set_path(search, link, none, none, none);
	if (try_path(search))
		return;
	set_path(search, folder, STR("/"), link, none);
	if (try_path(search))
		return;
	set_path(search, folder, STR("/.debug/"), link, none);
	if (try_path(search))
		return;
	set_path(search, STR("/usr/lib/debug"), folder, STR("/"), link);
	try_path(search);
}

/*
 * Tries a file of perf's own collection, ~/.debug: older versions have a file
 * named after the build id, others a folder of that name.
 */
static void
try_collection(struct search *search, struct str file)
{
	const struct symbol_sources *sources = search->sources;
	const char *root = sources->symfs[0] != '\0' ? sources->symfs :
	    sources->home;
	struct text hex = { 0 };

	if (search->id.len == 0 || root == NULL)
		return;
	build_id_add(&hex, &search->id);
	set_path(search, str_from(root), STR("/.debug/.build-id/"),
	    str_take(text_str(&hex), 2), STR("/"));
	search->path.len--;
	text_add(&search->path, str_skip(text_str(&hex), 2));
	text_add_char(&search->path, '\0');
	if (!try_path(search)) {
		search->path.len--;
		text_add_char(&search->path, '/');
		text_add(&search->path, file);
		text_add_char(&search->path, '\0');
		try_path(search);
	}
	free(hex.data);
}

static void
try_debug_build_id(struct search *search, struct str symfs)
{
	struct text hex = { 0 };

	if (search->id.len == 0)
		return;
	build_id_add(&hex, &search->id);
	text_add(&hex, STR(".debug"));
	set_path(search, symfs, STR("/usr/lib/debug/.build-id/"),
	    str_take(text_str(&hex), 2), STR("/"));
	search->path.len--;
	text_add(&search->path, str_skip(text_str(&hex), 2));
	text_add_char(&search->path, '\0');
	try_path(search);
	free(hex.data);
}

static enum dso_trouble
end_search(struct search *search)
{
	free(search->path.data);
	if (!search->has_symbols && !search->has_runtime)
		return search->trouble;
	if (!search->has_symbols)
		search->found->symbols = search->found->runtime;
	if (!search->has_runtime)
		search->found->runtime = search->found->symbols;
	return DSO_FINE;
}

enum dso_trouble
find_program(const struct symbol_sources *sources, struct str path,
    struct build_id id, struct found *found)
{
	struct str symfs = str_from(sources->symfs), folder = folder_of(path);
	struct search search = {
		.sources = sources, .id = id, .found = found,
		.trouble = DSO_NO_FILE
	};
	const struct str none = STR(""), debug = STR("/usr/lib/debug");
	struct text name = { 0 }, symfs_folder = { 0 };
	struct str link = none;

	text_add(&symfs_folder, symfs);
	text_add(&symfs_folder, folder);
	set_path(&search, symfs, path, none, none);
	read_file(&search, &link, &name);
	try_debug_link(&search, text_str(&symfs_folder), link);
	try_collection(&search, STR("elf"));
	try_collection(&search, STR("debug"));
	set_path(&search, symfs, debug, path, STR(".debug"));
	try_path(&search);
	set_path(&search, symfs, debug, path, none);
	try_path(&search);
	try_debug_build_id(&search, symfs);
	set_path(&search, symfs, path, none, none);
	try_path(&search);
	set_path(&search, text_str(&symfs_folder), STR("/.debug"),
	    str_skip(path, folder.len), none);
	try_path(&search);
	if (str_starts(path, STR("/usr/lib/"))) {
		set_path(&search, symfs, debug, str_skip(path, 4), none);
		try_path(&search);
	}
	free(name.data);
	free(symfs_folder.data);
	return end_search(&search);
}
