/*
 * stackcollapse: looks at the beginning of its files, and becomes the program
 * that folds them:
 *
 *	stackcollapse --no-offsets out.bpftrace
 *	stackcollapse-bpftrace --no-offsets -- out.bpftrace
 *
 * Words that begin with a dash are that program's options.  It reads a pipe
 * through another one, which this process fills while a child of it becomes the
 * program.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "fold/kind.h"
#include "lib/input.h"
#include "lib/mem.h"
#include "lib/message.h"
#include "lib/options.h"
#include "lib/output.h"
#include "lib/text.h"

#define PIECE	4096		/* bytes read at once */

static char standard_input[] = "-", options_end[] = "--";

struct head {
	struct text bytes;
	const struct kind *kind;
};

struct words {
	char **list;
	size_t count, room;
};

/* What is known of the files so far. */
struct guess {
	struct words options, operands;
	const struct kind *kind;	/* of the first file that has one */
	const char *name;		/* of that file */
	bool unknown;			/* a file was refused, with a message */
	const char *input;		/* the operand that is standard input */
};

static void
add_word(struct words *words, char *word)
{
	*LIST_ADD(words->list, words->count, words->room) = word;
}

/* Reads a file until its kind is known; false, with errno, if it fails. */
static bool
read_head(int fd, struct head *file)
{
	struct stat status;
	bool is_all;
	ssize_t len;

	if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode)) {
		errno = EISDIR;
		return false;
	}
	do {
		len = read(fd, text_extend(&file->bytes, PIECE), PIECE);
		file->bytes.len -= PIECE - (size_t)(len > 0 ? len : 0);
		if (len < 0 && errno != EINTR)
			return false;
		is_all = len == 0 || file->bytes.len >= KIND_ENOUGH;
		file->kind = kind_find(text_str(&file->bytes), is_all);
	} while (file->kind == NULL && !is_all);
	return true;
}

static bool
write_all(int fd, const char *data, size_t len)
{
	ssize_t written;

	for (; len > 0; data += written, len -= (size_t)written) {
		written = write(fd, data, len);
		if (written < 0 && errno != EINTR)
			return false;
		if (written < 0)
			written = 0;
	}
	return true;
}

/* Copies the beginning and the rest of `from`; false if that fails. */
static bool
feed(const char *name, int from, int to, struct str bytes)
{
	static char block[65536];
	ssize_t len;

	if (!write_all(to, bytes.data, bytes.len))
		return true;
	do {
		len = read(from, block, sizeof(block));
		if (len > 0 && !write_all(to, block, (size_t)len))
			return true;
	} while (len > 0 || (len < 0 && errno == EINTR));
	if (len < 0)
		message_errno("%s", name);
	return len == 0;
}

/*
 * Returns a file with the bytes that were read of this one, and the rest: this
 * one if it can be read again, else, in a child, a pipe that the parent fills.
 * Returns -1, with errno, if that fails.
 */
static int
put_back(const char *name, int fd, struct str bytes)
{
	int ends[2], other, status;
	pid_t pid;
	bool fed;

	if (lseek(fd, -(off_t)bytes.len, SEEK_CUR) >= 0)
		return fd;
	if (pipe(ends) < 0)
		return -1;
	pid = fork();
	if (pid <= 0) {
		close(ends[1]);
		close(pid == 0 ? fd : ends[0]);
		return pid == 0 ? ends[0] : -1;
	}
	/* nobody shall wait for the end of the others */
	for (other = 0; other < fd || other < ends[1]; other++)
		if (other != fd && other != ends[1] && other != STDERR_FILENO)
			close(other);
	signal(SIGINT, SIG_IGN);	/* the end of its input ends it */
	signal(SIGPIPE, SIG_IGN);
	fed = feed(name, fd, ends[1], bytes);
	close(ends[1]);
	/* end as the child, which has become the program, or has failed */
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			_exit(1);
	if (WIFSIGNALED(status))
		_exit(128 + WTERMSIG(status));
	_exit(WEXITSTATUS(status) == 0 && !fed ? 1 : WEXITSTATUS(status));
}

/* Notes the kind of a file; one program folds perf's and folded text. */
static void
note_kind(struct guess *guess, const char *name, const struct head *file)
{
	struct str bytes = text_str(&file->bytes);
	const char *reason;

	if (file->kind == NULL && bytes.len > 0) {
		reason = kind_refusal(bytes);
		if (reason != NULL)
			message_warn("%s: %s", name, reason);
		else
			message_warn("%s is of an unknown kind; it looks like "
			    "%s", name, kind_looks(str_trim_start(bytes)));
		guess->unknown = true;
	} else if (file->kind != NULL && guess->kind == NULL) {
		guess->kind = file->kind;
		guess->name = name;
	} else if (file->kind != NULL &&
	    strcmp(file->kind->program, guess->kind->program) != 0) {
		message_warn("%s is %s, and %s is %s; fold each kind by itself",
		    guess->name, guess->kind->files, name, file->kind->files);
		guess->unknown = true;
	}
}

/* Refuses a second pipe on a system without /dev/fd. */
static void
refuse_second(struct guess *guess, const char *name)
{
	message_warn("%s: cannot read a second pipe beside %s, as there is no "
	    "/dev/fd", name, guess->input);
	guess->unknown = true;
}

static void
look_at_input(struct guess *guess)
{
	struct head file = { .kind = NULL };
	int fd = -1;

	add_word(&guess->operands, standard_input);
	if (guess->input != NULL && strcmp(guess->input, "-") != 0)
		refuse_second(guess, "-");
	if (guess->input != NULL)
		return;
	guess->input = "-";
	input_tell_waiting(STDIN_FILENO);
	if (read_head(STDIN_FILENO, &file)) {
		note_kind(guess, "standard input", &file);
		fd = put_back("standard input", STDIN_FILENO,
		    text_str(&file.bytes));
	}
	if (fd < 0) {
		message_errno("standard input");
		guess->unknown = true;
	} else if (fd != STDIN_FILENO) {
		dup2(fd, STDIN_FILENO);
		close(fd);
	}
	free(file.bytes.data);
}

/*
 * Looks at a file.  The program will report an unreadable one; it also gets
 * folders.  Without /dev/fd, as on FreeBSD by default, one file that cannot be
 * read again can be standard input.
 */
static void
look_at(struct guess *guess, char *name)
{
	struct head file = { .kind = NULL };
	struct text path = { 0 };
	struct stat status;
	int fd = open(name, O_RDONLY);
	bool known = fd >= 0 && read_head(fd, &file);

	if (known)
		note_kind(guess, name, &file);
	if (!known || (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))) {
		add_word(&guess->operands, name);
		if (fd >= 0)
			close(fd);
		free(file.bytes.data);
		return;
	}
	fd = put_back(name, fd, text_str(&file.bytes));
	if (fd < 0) {
		message_errno("%s", name);
		guess->unknown = true;
	}
	free(file.bytes.data);
	if (fd < 0)
		return;
	text_add_format(&path, "/dev/fd/%d%c", fd, '\0');
	if (access(path.data, R_OK) == 0)
		add_word(&guess->operands, path.data);
	else if (guess->input == NULL) {
		dup2(fd, STDIN_FILENO);
		close(fd);
		guess->input = name;
		add_word(&guess->operands, standard_input);
	} else
		refuse_second(guess, name);
}

/* Becomes the program that folds the files: beside this one, or in PATH. */
static int
fold_all(struct guess *guess, const char *self)
{
	char *path = strchr(self, '/') != NULL ? realpath(self, NULL) : NULL;
	struct text named = { 0 };
	static struct words argv;	/* kept until the program ends */
	char *slash;
	size_t i;

	if (guess->unknown)
		return 1;
	kind_add_program(&named, path != NULL ? path : self,
	    guess->kind != NULL ? guess->kind->program : "stackcollapse-perf");
	text_add_char(&named, '\0');
	slash = strrchr(named.data, '/');
	add_word(&argv, slash != NULL ? slash + 1 : named.data);
	for (i = 0; i < guess->options.count; i++)
		add_word(&argv, guess->options.list[i]);
	add_word(&argv, options_end);
	for (i = 0; i < guess->operands.count; i++)
		add_word(&argv, guess->operands.list[i]);
	add_word(&argv, NULL);
	if (path != NULL)
		execv(named.data, argv.list);
	execvp(argv.list[0], argv.list);
	message_errno("%s", argv.list[0]);
	return 1;
}

static const struct option options[] = {
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = {
	"[option ...] [file ...] > out.folded",
	"Other options are those of the program that folds the files; a value "
	"is joined\nto its option by =, as in --map=bytes.\n", options
};

int
main(int argc, char **argv)
{
	static struct guess guess;	/* kept until the program ends */
	char none[] = "--quiet", *bare[] = { argv[0], none, NULL }, *word;
	bool ended = false;
	int i;

	options_parse(&usage, bare);	/* prepares streams and messages */
	for (i = 1; i < argc; i++) {
		word = argv[i];
		if (!ended && strcmp(word, "--") == 0)
			ended = true;
		else if (strcmp(word, "-") == 0)
			look_at_input(&guess);
		else if (ended || word[0] != '-')
			look_at(&guess, word);
		else {
			/* these end this program */
			bare[1] = word;
			if (strcmp(word, "--help") == 0 ||
			    strcmp(word, "--version") == 0 ||
			    strcmp(word, "-h") == 0 || strcmp(word, "-V") == 0)
				options_parse(&usage, bare);
			add_word(&guess.options, word);
		}
	}
	if (guess.operands.count == 0)
		look_at_input(&guess);
	return output_close(fold_all(&guess, argv[0]));
}
