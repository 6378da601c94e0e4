/*
 * files: prints the sizes of everything in directory trees as folded stacks.
 *
 *	/usr/lib/libc.so.6 has 1922136 bytes	usr;lib;libc.so.6 1922136
 *
 * Each entry has a line with its own size, folders too.  In a name all but
 * letters, digits, '.', '-' and UTF-8 becomes '_', so that a name is one
 * frame.
 */
#include <sys/stat.h>

#include <err.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>

#include "lib/options.h"
#include "lib/output.h"
#include "lib/table.h"
#include "lib/utf8.h"
#include "lib/walk.h"

static bool xdev;
static bool blocks;
static bool count;
static bool once;
static struct option_list exclude;

struct files {
	struct walk walk;
	dev_t device;		/* of the operand */
	struct table linked;	/* files that have several names, if once */
	struct text folder;	/* the entry's, as frames with a ';' each */
	struct text out;	/* what is not printed yet */
	bool failed;
};

static void
report(struct files *files, const char *path)
{
	warn("%s", path);
	files->failed = true;
}

/* How much of a name stays as it is. */
static size_t
kept_length(struct str name)
{
	size_t at = 0, len = 1;
	uint32_t code;
	char c;

	for (; at < name.len && len > 0; at += len) {
		c = name.data[at];
		if ((c & 0x80) != 0)
			len = utf8_decode(str_skip(name, at), &code);
		else
			len = is_word(c) || c == '.' || c == '-';
	}
	return at;
}

static void
add_frame(struct text *text, struct str name)
{
	size_t kept;

	while ((kept = kept_length(name)) < name.len) {
		text_add(text, str_take(name, kept));
		text_add_char(text, '_');
		name = str_skip(name, kept + 1);
	}
	text_add(text, name);
}

/* "/usr/lib" is "usr;lib" */
static void
add_path(struct text *text, struct str path)
{
	size_t len;

	if (str_starts(path, STR("/")))
		path = str_skip(path, 1);
	for (; (len = str_find(path, '/')) < path.len;
	    path = str_skip(path, len + 1)) {
		add_frame(text, str_take(path, len));
		text_add_char(text, ';');
	}
	add_frame(text, path);
}

static void
add_size(struct text *text, const struct stat *status)
{
	off_t size = blocks ? status->st_blocks : status->st_size;

	text_add_char(text, ' ');
	text_add_number(text, count ? 1 : (unsigned long long)size);
	text_add_char(text, '\n');
}

static bool
is_excluded(struct files *files)
{
	const char *glob, *text;
	size_t i;

	for (i = 0; i < exclude.count; i++) {
		glob = exclude.values[i];
		text = strchr(glob, '/') != NULL ? walk_path(&files->walk) :
		    files->walk.name;
		if (fnmatch(glob, text, 0) == 0)
			return true;
	}
	return false;
}

/* Whether this is another name of a file that was counted. */
static bool
is_repeated(struct files *files, const struct stat *status)
{
	char key[sizeof(status->st_dev) + sizeof(status->st_ino)];
	uint32_t before = files->linked.count;

	if (S_ISDIR(status->st_mode) || status->st_nlink < 2)
		return false;
	memcpy(key, &status->st_dev, sizeof(status->st_dev));
	memcpy(key + sizeof(status->st_dev), &status->st_ino,
	    sizeof(status->st_ino));
	return table_add(&files->linked, (struct str){ key, sizeof(key) }) <
	    before;
}

static void
list_entry(struct files *files)
{
	struct walk *walk = &files->walk;
	struct stat status;

	if (is_excluded(files))
		return;
	if (fstatat(walk->folder, walk->name, &status,
	    AT_SYMLINK_NOFOLLOW) != 0) {
		report(files, walk_path(walk));
		return;
	}
	if ((xdev && status.st_dev != files->device) ||
	    (once && is_repeated(files, &status)))
		return;
	text_add(&files->out, text_str(&files->folder));
	add_frame(&files->out, str_from(walk->name));
	add_size(&files->out, &status);
	text_drain(&files->out, stdout);
	if (S_ISDIR(status.st_mode))
		walk_enter(walk);
}

static void
list_tree(struct files *files, const char *operand, struct str path)
{
	struct walk *walk = &files->walk;

	walk_start(walk, operand, path);
	while (walk_next(walk)) {
		if (walk->is_first) {
			files->folder.len = 0;
			add_path(&files->folder, walk->path);
		}
		list_entry(files);
	}
}

/*
 * The operand as it begins the paths.  A '/' at its end says that a symbolic
 * link is to be followed, and is left out.
 */
static struct str
operand_path(const char *operand)
{
	struct str path = str_from(operand);

	return path.len > 1 && str_ends(path, STR("/")) ?
	    str_take(path, path.len - 1) : path;
}

static void
list_operand(struct files *files, const char *operand)
{
	struct str path = operand_path(operand);
	struct stat status;

	if (fstatat(AT_FDCWD, operand, &status, AT_SYMLINK_NOFOLLOW) != 0) {
		report(files, operand);
		return;
	}
	files->device = status.st_dev;
	if (once && is_repeated(files, &status))
		return;
	if (!S_ISDIR(status.st_mode) && str_find(path, '/') == path.len)
		text_add(&files->out, STR(".;"));
	add_path(&files->out, path);
	add_size(&files->out, &status);
	if (S_ISDIR(status.st_mode))
		list_tree(files, operand, path);
}

static const struct option options[] = {
	{ "xdev", OPTION_FLAG, &xdev, NULL,
	    "leave out what is on another file system" },
	{ "blocks", OPTION_FLAG, &blocks, NULL,
	    "count the blocks of 512 bytes that are used on disk" },
	{ "count", OPTION_FLAG, &count, NULL, "count entries, not bytes" },
	{ "once", OPTION_FLAG, &once, NULL,
	    "count a file that has several names once" },
	{ "exclude", OPTION_LIST, &exclude, "GLOB",
	    "leave out what has such a name, or such a path\n"
	    "if there is a / in GLOB; may be repeated" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[option ...] folder ... > out.folded",
	"files ~ | flamegraph --hash --countname=bytes > files.svg", options
};

int
main(int argc, char **argv)
{
	static struct files files;
	const char *const *operands = options_parse(&usage, argv);

	(void)argc;
	if (operands[0] == NULL)
		options_reject(&usage, "which folder?");
	if (blocks && count)
		options_reject(&usage, "--blocks and --count exclude each "
		    "other");
	table_init(&files.linked);
	for (; *operands != NULL; operands++)
		list_operand(&files, *operands);
	text_flush(&files.out, stdout);
	return output_close(files.failed || files.walk.failed ? 1 : 0);
}
