/*
 * The input is a line of letters that choose options, a pattern for --exclude,
 * which may be empty, and a path a line: a folder's ends with '/'.  All of them
 * are listed once, and three threads print the same as one.
 */
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fold/folded.h"
#include "fuzz.h"
#include "lib/utf8.h"

#define MOST_ENTRIES	64

static const char *const options[] = {
	"--count", "--once", "--xdev", "--blocks", NULL
};

/* The number of entries that were made. */
static double entries;

static int
remove_entry(const char *path, const struct stat *status, int type,
    struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

/* Makes a path's folders and, unless it ends with '/', a file. */
static void
make(int folder, struct str path)
{
	char name[NAME_MAX + 1];
	struct str rest = path, part = fuzz_cut(&rest, STR("/"));
	int fd;

	if (part.len == 0 || part.len > NAME_MAX ||
	    str_find(part, '\0') < part.len || str_equal(part, STR(".")) ||
	    str_equal(part, STR("..")))
		return;
	memcpy(name, part.data, part.len);
	name[part.len] = '\0';
	if (part.len == path.len) {
		fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
		entries += fd >= 0;
		close(fd);
		return;
	}
	entries += mkdirat(folder, name, 0700) == 0;
	fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	if (fd >= 0) {
		make(fd, rest);
		close(fd);
	}
}

/* Requires lines of text that flamegraph keeps as it is; how many there are. */
static double
check_lines(struct str out)
{
	struct arena arena = { 0 };
	struct str line, stack, count;
	double lines = 0;

	require(utf8_clean(out, &arena).data == out.data, "clean text");
	for (; out.len > 0; lines++) {
		stack = line = fuzz_line(&out);
		require(folded_cut_count(&stack, &count),
		    "a stack and a count");
		require(str_find(stack, ' ') == stack.len,
		    "no blank in a name");
		require(str_starts(stack, STR("tree")), "all is in the tree");
	}
	return lines;
}

void
fuzz_files(struct str input)
{
	struct words chosen = { 0 };
	struct result one, three;
	struct str pattern;
	int tree, i;

	words_add_chosen(&chosen, &input, options);
	pattern = fuzz_line(&input);
	if (pattern.len > 0)
		words_add_value(&chosen, "--exclude=", pattern);
	nftw("tree", remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	mkdir("tree", 0700);
	entries = 1;
	tree = open("tree", O_RDONLY | O_DIRECTORY);
	for (i = 0; i < MOST_ENTRIES && input.len > 0; i++)
		make(tree, fuzz_line(&input));
	close(tree);
	one = fuzz_run_on(files_main, &chosen, "--jobs=1", "tree");
	if (words_have(&chosen, "--count") && words_have(&chosen, "--blocks")) {
		require(one.status == 2, "one size at a time");
		return;
	}
	require(check_lines(one.out) == entries || pattern.len > 0,
	    "each entry is printed once");
	three = fuzz_run_on(files_main, &chosen, "--jobs=3", "tree");
	require(fuzz_same(&three, &one), "three threads print what one does");
}
