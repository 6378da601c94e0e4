/*
 * files: prints the sizes of everything in directory trees as folded stacks.
 *
 *	/usr/lib/libc.so.6 has 1922136 bytes	usr;lib;libc.so.6 1922136
 *
 * Each entry, also a folder, has a line with its own size.  In names, all but
 * letters, digits, '.', '-' and UTF-8 becomes '_': a name is one frame.
 */
#include <sys/resource.h>
#include <sys/stat.h>

#include <fcntl.h>
#include <fnmatch.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/mem.h"
#include "lib/message.h"
#include "lib/options.h"
#include "lib/output.h"
#include "lib/progress.h"
#include "lib/table.h"
#include "lib/utf8.h"
#include "lib/walk.h"

static bool xdev;
static bool blocks;
static bool count;
static bool once;
static struct option_list exclude;
/*
 * A thread has up to 13 folders open, and all threads leave up to 36 open for
 * their listings, 8 levels deep: fewer than FILES_NEEDED.
 */
#define MOST_JOBS	8
#define SPLIT_LEVELS	8
#define FILES_NEEDED	256
#define STACK_BYTES	((size_t)1024 * 1024)

static struct option_range jobs = { 0, 1, MOST_JOBS };

/* Look at the clock after this many entries; that costs nothing. */
#define TELL_ENTRIES	16

/*
 * Text is printed when it is as long as DRAIN.  A listing holds back as much as
 * HELD_BY_ONE, and all that are done hold back about HELD.
 */
#define DRAIN	((size_t)32 * 1024)
#define HELD_BY_ONE	((size_t)256 * 1024)
#define HELD	((size_t)2 * 1024 * 1024)

/* The output of a listing. */
struct said {
	struct text out;	/* for standard output */
	struct text warnings;	/* for standard error, each with its NUL */
};

/*
 * An operand, or a folder below it, whose entries are listed.  A folder
 * SPLIT_LEVELS below the operand is listed with all that is in it.
 */
struct listing {
	struct listing *before, *next;	/* around it, not done yet */
	bool taken;		/* by a thread */
	struct said later;	/* by listings that follow it and are done */
	struct listing *parent;	/* NULL for an operand */
	unsigned level;		/* levels below its operand */
	dev_t device;		/* of its operand */
	int fd;			/* from which folders in it are opened, or -1 */
	size_t users;		/* it and listings in it that are not done */
	const char *name;	/* in the parent, or the operand */
	struct str path;
};

/* Listings one after another. */
struct listings {
	struct listing *first, *last;
	size_t count;
};

/*
 * Threads do the listings, while their output comes as if one thread had done
 * one after another.  A listing may add others, which follow it, before all
 * that followed it so far.  A thread takes the first one that no other has, so
 * that few are done long before they are printed; once those hold HELD bytes,
 * threads wait.
 */
struct files {
	pthread_mutex_t lock;	/* for all of this, and listings' users */
	pthread_cond_t added;	/* some to take, or all are done */
	pthread_cond_t moved;	/* another listing is the first */
	struct listings list;	/* those not done yet */
	size_t waiting;		/* listings that nobody has taken */
	size_t held;		/* bytes that wait to be printed */
	struct text out;	/* not written yet */
	bool warned;		/* a warning was printed */
	struct table linked;	/* files that have several names, for --once */
};

/* A thread has one of these for what it lists. */
struct files_worker {
	struct files *files;
	struct listing *listing;
	struct listings more;	/* found in the last one */
	struct walk walk;
	struct text folder;	/* the entry's, as frames with a ';' each */
	struct said said;
	size_t entries;
};

static void
append(struct listings *list, struct listing *listing)
{
	listing->before = list->last;
	if (list->last != NULL)
		list->last->next = listing;
	else
		list->first = listing;
	list->last = listing;
	list->count++;
}

/* Returns the next listing to do; NULL when all are done. */
static struct listing *
take(struct files *files)
{
	struct listing *listing = NULL;

	pthread_mutex_lock(&files->lock);
	while (listing == NULL && files->list.first != NULL) {
		if (files->waiting == 0)
			pthread_cond_wait(&files->added, &files->lock);
		else if (files->held > HELD && files->list.first->taken)
			pthread_cond_wait(&files->moved, &files->lock);
		else	/* threads have all before the first that waits */
			for (listing = files->list.first; listing->taken;)
				listing = listing->next;
	}
	if (listing != NULL) {
		listing->taken = true;
		files->waiting--;
	}
	pthread_mutex_unlock(&files->lock);
	return listing;
}

static size_t
length(const struct said *said)
{
	return said->out.len + said->warnings.len;
}

static void
move(struct text *from, struct text *to)
{
	text_add(to, text_str(from));
	from->len = 0;
}

/* Prints the output of a listing; all before it are done. */
static void
print(struct files *files, struct said *said)
{
	struct str warnings = text_str(&said->warnings);

	move(&said->out, &files->out);
	output_drain(&files->out, stdout);
	while (warnings.len > 0) {
		message_warn("%s", warnings.data);
		warnings = str_skip(warnings, strlen(warnings.data) + 1);
		files->warned = true;
	}
	said->warnings.len = 0;
}

/* Prints output, or leaves it to the listing before if that is not done. */
static void
pass_on(struct files *files, struct listing *before, struct said *said)
{
	if (before == NULL) {
		print(files, said);
		return;
	}
	files->held += length(said);
	move(&said->out, &before->later.out);
	move(&said->warnings, &before->later.warnings);
}

/* Prints the output of a long listing as soon as all before it are done. */
static void
drain(struct files_worker *worker)
{
	struct files *files = worker->files;
	struct said *said = &worker->said;

	if (length(said) < DRAIN)
		return;
	pthread_mutex_lock(&files->lock);
	while (length(said) > HELD_BY_ONE &&
	    files->list.first != worker->listing)
		pthread_cond_wait(&files->moved, &files->lock);
	if (files->list.first == worker->listing)
		print(files, said);
	pthread_mutex_unlock(&files->lock);
}

/* Puts the listings in `more`, if any, in the place of one. */
static void
replace(struct listings *list, const struct listing *listing,
    const struct listings *more)
{
	struct listing *before = listing->before, *next = listing->next;
	struct listing *first = more->first != NULL ? more->first : next;
	struct listing *last = more->last != NULL ? more->last : before;

	if (more->first != NULL) {
		more->first->before = before;
		more->last->next = next;
	}
	if (before != NULL)
		before->next = first;
	else
		list->first = first;
	if (next != NULL)
		next->before = last;
	else
		list->last = last;
}

/* Ends a worker's listing, and adds the ones that were found in it. */
static void
end(struct files_worker *worker)
{
	struct files *files = worker->files;
	struct listing *listing = worker->listing, *before, *parent;
	struct listings *more = &worker->more;

	pthread_mutex_lock(&files->lock);
	before = listing->before;
	pass_on(files, before, &worker->said);
	if (more->last != NULL)
		more->last->later = listing->later;
	else {
		files->held -= length(&listing->later);
		pass_on(files, before, &listing->later);
		free(listing->later.out.data);
		free(listing->later.warnings.data);
	}
	replace(&files->list, listing, more);
	files->waiting += more->count;
	*more = (struct listings){ 0 };
	/* This thread takes one itself. */
	if (files->waiting > 1 || files->list.first == NULL)
		pthread_cond_broadcast(&files->added);
	if (before == NULL)
		pthread_cond_broadcast(&files->moved);
	/* perhaps it was the last user of its parent */
	for (; listing != NULL && --listing->users == 0; listing = parent) {
		parent = listing->parent;
		if (listing->fd >= 0)
			close(listing->fd);
		free(listing);
	}
	pthread_mutex_unlock(&files->lock);
}

/* Returns how many bytes of a name are kept. */
static size_t
kept_length(struct str name)
{
	size_t at = 0, len = 1;
	uint32_t code;
	char c;

	for (; at < name.len && len > 0; at += len) {
		c = name.data[at];
		if ((c & 0x80) == 0)
			len = is_word(c) || c == '.' || c == '-';
		else {
			len = utf8_decode(str_skip(name, at), &code);
			if (len > 0 && !utf8_is_xml(code))
				len = 0;
		}
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

/* Adds "usr;lib" for "/usr/lib". */
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
is_excluded(struct walk *walk)
{
	const char *glob, *text;
	size_t i;

	for (i = 0; i < exclude.count; i++) {
		glob = exclude.values[i];
		text = strchr(glob, '/') != NULL ? walk_path(walk) :
		    walk->name;
		if (fnmatch(glob, text, 0) == 0)
			return true;
	}
	return false;
}

/* True if this is another name of a file that was counted. */
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

/* Returns a listing with room for a path of len bytes after it. */
static struct listing *
new_listing(struct listing *parent, size_t len)
{
	struct listing *listing = mem_array(1, sizeof(*listing) + len);

	listing->parent = parent;
	listing->fd = -1;
	listing->users = 1;
	return listing;
}

/* Makes the entry, a folder, a listing of its own. */
static void
add_listing(struct files_worker *worker)
{
	struct walk *walk = &worker->walk;
	struct listing *parent = worker->listing, *listing;
	size_t name_len = strlen(walk->name);
	char *path;

	listing = new_listing(parent, walk->path.len + name_len + 1);
	path = (char *)(listing + 1);
	memcpy(path, walk->path.data, walk->path.len);
	memcpy(path + walk->path.len, walk->name, name_len + 1);
	listing->level = parent->level + 1;
	listing->device = parent->device;
	listing->name = path + walk->path.len;
	listing->path = (struct str){ path, walk->path.len + name_len };
	parent->users++;
	append(&worker->more, listing);
}

static void
list_entry(struct files_worker *worker)
{
	struct listing *listing = worker->listing;
	struct walk *walk = &worker->walk;
	struct text *out = &worker->said.out;
	struct stat status;

	if (is_excluded(walk))
		return;
	if (fstatat(walk->folder, walk->name, &status,
	    AT_SYMLINK_NOFOLLOW) != 0) {
		walk_warn(walk, str_from(walk_path(walk)));
		return;
	}
	if ((xdev && status.st_dev != listing->device) ||
	    (once && is_repeated(worker->files, &status)))
		return;
	if (++worker->entries % TELL_ENTRIES == 0)
		progress_add(TELL_ENTRIES, walk->path);
	text_add(out, text_str(&worker->folder));
	add_frame(out, str_from(walk->name));
	add_size(out, &status);
	if (!S_ISDIR(status.st_mode))
		return;
	/*
	 * All folders in a listing become listings of their own, for which it
	 * stays open, or none, to keep the order.
	 */
	if (listing->level < SPLIT_LEVELS && listing->fd < 0) {
		listing->fd = fcntl(walk->folder, F_DUPFD_CLOEXEC, 0);
		if (listing->fd < 0)
			listing->level = SPLIT_LEVELS;
	}
	if (listing->fd >= 0)
		add_listing(worker);
	else
		walk_enter(walk);
}

static void
list_folder(struct files_worker *worker)
{
	struct listing *listing = worker->listing, *parent = listing->parent;
	struct walk *walk = &worker->walk;

	walk_start(walk, parent != NULL ? parent->fd : AT_FDCWD, listing->name,
	    listing->path);
	while (walk_next(walk)) {
		if (walk->is_first) {
			worker->folder.len = 0;
			add_path(&worker->folder, walk->path);
		}
		list_entry(worker);
		drain(worker);
	}
}

static void
list_operand(struct files_worker *worker)
{
	struct listing *listing = worker->listing;
	struct text *out = &worker->said.out;
	struct stat status;

	if (fstatat(AT_FDCWD, listing->name, &status,
	    AT_SYMLINK_NOFOLLOW) != 0) {
		walk_warn(&worker->walk, str_from(listing->name));
		return;
	}
	listing->device = status.st_dev;
	if (once && is_repeated(worker->files, &status))
		return;
	if (!S_ISDIR(status.st_mode) &&
	    str_find(listing->path, '/') == listing->path.len)
		text_add(out, STR(".;"));
	add_path(out, listing->path);
	add_size(out, &status);
	if (S_ISDIR(status.st_mode))
		list_folder(worker);
}

/* Does listings, in each thread, until all are done. */
static void *
work(void *argument)
{
	struct files_worker *worker = argument;

	while ((worker->listing = take(worker->files)) != NULL) {
		if (worker->listing->parent == NULL)
			list_operand(worker);
		else
			list_folder(worker);
		end(worker);
	}
	return NULL;
}

/* Lists all, in this thread and in others that can be started. */
static void
list_all(struct files *files, size_t most)
{
	static struct files_worker workers[MOST_JOBS];
	pthread_t threads[MOST_JOBS];
	pthread_attr_t attributes;
	size_t started = 1, i;

	for (i = 0; i < most; i++) {
		workers[i].files = files;
		workers[i].walk.warnings = &workers[i].said.warnings;
	}
	if (pthread_attr_init(&attributes) == 0) {
		/* musl's default is 128 KB */
		pthread_attr_setstacksize(&attributes, STACK_BYTES);
		while (started < most && pthread_create(&threads[started],
		    &attributes, work, &workers[started]) == 0)
			started++;
		pthread_attr_destroy(&attributes);
	}
	work(workers);
	for (i = 1; i < started; i++)
		pthread_join(threads[i], NULL);
	progress_clear();
	output_flush(&files->out, stdout);
}

static const struct option options[] = {
	{ "xdev", OPTION_FLAG, &xdev, NULL,
	    "leave out what is on other file systems" },
	{ "blocks", OPTION_FLAG, &blocks, NULL,
	    "count the blocks of 512 bytes that are used on disk" },
	{ "count", OPTION_FLAG, &count, NULL, "count entries, not bytes" },
	{ "once", OPTION_FLAG, &once, NULL,
	    "count a file that has several names once" },
	{ "exclude", OPTION_LIST, &exclude, "GLOB",
	    "leave out entries whose name GLOB matches, or whose\n"
	    "path it does if it holds a /; may be repeated" },
	{ "jobs", OPTION_RANGE, &jobs, "N",
	    "use N threads, from 1 to 8 (default: one a processor)" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[option ...] folder ... > out.folded",
	"files ~ | flamegraph --hash --countname=bytes > files.svg", options
};

/* POSIX has it since 2024; FreeBSD hides it from programs for an older one. */
#ifdef _SC_NPROCESSORS_ONLN
#define ONLINE_PROCESSORS	_SC_NPROCESSORS_ONLN
#elif defined(__FreeBSD__)
#define ONLINE_PROCESSORS	58
#endif

static size_t
choose_jobs(void)
{
	struct rlimit limit;
	long number = jobs.value;

	/* The order decides which name of a file is the first. */
	if (once || (getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
	    limit.rlim_cur < FILES_NEEDED))
		return 1;
#ifdef ONLINE_PROCESSORS
	if (number == 0)
		number = sysconf(ONLINE_PROCESSORS);
#endif
	return number < 1 ? 1 :
	    number < MOST_JOBS ? (size_t)number : MOST_JOBS;
}

int
main(int argc, char **argv)
{
	static struct files files = {
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.added = PTHREAD_COND_INITIALIZER,
		.moved = PTHREAD_COND_INITIALIZER
	};
	const char *const *operands = options_parse(&usage, argv);
	struct listing *listing;
	size_t threads;

	(void)argc;
	if (operands[0] == NULL)
		options_reject("a folder or a file is needed");
	if (blocks && count)
		options_reject("--blocks and --count are mutually exclusive");
	threads = choose_jobs();
	progress_start(options_program(argv), NULL, "entries");
	for (; *operands != NULL; operands++) {
		listing = new_listing(NULL, 0);
		listing->level = threads > 1 ? 0 : SPLIT_LEVELS;
		listing->name = *operands;
		listing->path = str_from(*operands);
		/* a '/' at the end only makes a symbolic link followed */
		if (listing->path.len > 1 &&
		    str_ends(listing->path, STR("/")))
			listing->path.len--;
		append(&files.list, listing);
	}
	files.waiting = files.list.count;
	list_all(&files, threads);
	return output_close(files.warned ? 1 : 0);
}
