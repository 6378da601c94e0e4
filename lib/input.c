#include <sys/stat.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "input.h"
#include "mem.h"
#include "message.h"
#include "packed.h"
#include "progress.h"
#include "text.h"

#define BLOCK		((size_t)512 * 1024)
#define PIPE_ROOM	(256 * 1024)

void
input_init(struct input *input, const char *const *operands)
{
	static const char *const only_standard_input[] = { "-", NULL };

	*input = (struct input){ .fd = -1, .operands = operands[0] != NULL ?
	    operands : only_standard_input };
	input->data = mem_grow(NULL, &input->room, BLOCK, 1);
	input->data[0] = '\0';
}

void
input_tell_waiting(int fd)
{
	if (isatty(fd))
		message_warn("reading from the terminal; Ctrl-D ends the "
		    "input");
}

void
input_examine(struct input *input, input_examiner *examine, void *context)
{
	input->examine = examine;
	input->context = context;
}

ssize_t
input_read(int fd, char *data, size_t room)
{
	ssize_t got;

	do
		got = read(fd, data, room);
	while (got < 0 && errno == EINTR);
	if (got > 0)
		progress_add((unsigned long long)got, STR(""));
	return got;
}

static void
report(struct input *input, const char *reason)
{
	message_warn("%s: %s", input->name, reason);
	input->failed = true;
}

/* Reads more after the unread bytes, unless the file ends or fails. */
static void
fill(struct input *input)
{
	ssize_t got;

	if (input->start > 0) {
		input->end -= input->start;
		memmove(input->data, input->data + input->start, input->end);
		input->start = 0;
	}
	input->data = mem_grow(input->data, &input->room, input->end + 2, 1);
	got = input_read(input->fd, input->data + input->end,
	    input->room - 1 - input->end);
	input->at_end = got <= 0;
	if (got < 0) {
		report(input, strerror(errno));
		input->broken = true;
	}
	if (got > 0)
		input->end += (size_t)got;
	input->data[input->end] = '\0';
}

/* Steps over a byte order mark at the start of a file. */
static void
skip_mark(struct input *input)
{
	while (!input->at_end && input->end < 3)
		fill(input);
	input->start = input->end - str_without_mark(input_ahead(input)).len;
}

/* Reads the beginning of the file and lets it be examined. */
static bool
examine(struct input *input, struct beginning *file)
{
	struct stat status;

	file->fd = input->fd;
	file->is_folder = fstat(file->fd, &status) == 0 &&
	    S_ISDIR(status.st_mode);
	if (!file->is_folder)
		skip_mark(input);
	while (!file->is_folder && !input->at_end &&
	    input->end - input->start < input_beginning(input_ahead(input)))
		fill(input);
	if (input->start == input->end &&
	    (input->broken || file->is_unpacked))
		return true;
	file->bytes = input_ahead(input);
	return input->examine(input->context, file);
}

/* Closes the file; false if what was read to its end could not be unpacked. */
static bool
close_file(struct input *input)
{
	struct child *unpacker = &input->unpacker;
	bool whole = true;
	char more;

	if (unpacker->pid > 0 &&
	    (input->at_end || input_read(input->fd, &more, 1) == 0))
		whole = child_finish(unpacker);
	else if (unpacker->pid > 0)
		child_stop(unpacker);
	else if (input->fd != STDIN_FILENO)
		close(input->fd);
	input->fd = -1;
	return whole;
}

static void
end_file(struct input *input)
{
	if (!close_file(input))
		report(input, "its compressed data is damaged or cut off");
}

/* Goes on with what the file is compressed of; returns NULL, or the trouble. */
static const char *
unpack(struct input *input, struct str bytes)
{
	const char *trouble = packed_open(&input->unpacker, input->fd, bytes);

	input->start = input->end = 0;
	progress_forget_size();
	if (trouble == NULL) {
		if (input->fd != STDIN_FILENO)
			close(input->fd);
		input->fd = input->unpacker.from;
		input->at_end = false;
	}
	return trouble;
}

/* Lets the file be examined; false if it is not to be read as lines. */
static bool
begin_file(struct input *input)
{
	struct beginning file = { .name = input->name };
	bool has_lines = examine(input, &file);

	if (file.unpack) {
		file.unpack = false;
		file.is_unpacked = true;
		file.trouble = unpack(input, file.bytes);
		if (file.trouble == NULL)
			has_lines = examine(input, &file);
	}
	if (has_lines && file.is_folder) {
		has_lines = false;
		file.trouble = strerror(EISDIR);
	}
	if (file.trouble != NULL)
		report(input, file.trouble);
	if (!has_lines) {
		input->start = input->end = 0;
		input->data[0] = '\0';
		end_file(input);
		return false;
	}
	input->by_lines = file.by_lines;
	return true;
}

/*
 * Lets the writer of a pipe run ahead of us: with Linux's usual 64 KB the two
 * wait for each other, and 400 MB from cat take 0.4 s, not 0.2.  Where this is
 * refused, the pipe stays as it is.
 */
static void
widen_pipe(int fd)
{
#ifdef __linux__
	/* fcntl.h has these only for _GNU_SOURCE. */
	const int f_setpipe_sz = 1031, f_getpipe_sz = 1032;
	int room = fcntl(fd, f_getpipe_sz);

	if (room > 0 && room < PIPE_ROOM)
		fcntl(fd, f_setpipe_sz, PIPE_ROOM);
#else
	(void)fd;
#endif
}

/* Opens the next file whose lines are to be read; false if none is left. */
static bool
open_next(struct input *input)
{
	while (*input->operands != NULL) {
		input->name = *input->operands++;
		input->line = 0;
		input->broken = input->at_end = input->by_lines = false;
		input->form = 0;
		input->start = input->end = 0;
		input->unpacker.pid = 0;
		if (strcmp(input->name, "-") == 0) {
			input->name = "standard input";
			input->fd = STDIN_FILENO;
		} else
			input->fd = open(input->name, O_RDONLY | O_CLOEXEC);
		if (input->fd < 0) {
			report(input, strerror(errno));
			continue;
		}
		widen_pipe(input->fd);
		input_tell_waiting(input->fd);
		if (input->examine != NULL) {
			if (!begin_file(input))
				continue;
		} else
			skip_mark(input);
		return true;
	}
	return false;
}

bool
input_line(struct input *input, struct str *line)
{
	struct str unread;
	size_t searched = 0, len;

	for (;;) {
		if (input->fd < 0 && !open_next(input)) {
			input_stop(input);
			return false;
		}
		unread = str_between((struct str){ input->data, input->end },
		    input->start, input->end);
		len = searched + str_find(str_skip(unread, searched), '\n');
		if (len < unread.len || (input->at_end && len > 0))
			break;
		if (input->at_end)
			end_file(input);
		else {
			searched = len;
			fill(input);
		}
	}
	/* steps over the line and its LF */
	input->given = input->start;
	input->start += len;
	if (input->start < input->end)
		input->start++;
	input->line++;
	input->lines++;
	*line = str_take(unread, len);
	if (str_ends(*line, STR("\r")))
		line->len--;
	return true;
}

void
input_stop(struct input *input)
{
	if (input->fd >= 0)
		close_file(input);
	progress_clear();
	free(input->data);
	input->data = NULL;
}

static volatile sig_atomic_t outlived, outlives;

static void
note_interrupt(int number)
{
	(void)number;
	outlived = 1;
}

static void
handle_interrupt(void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
}

void
input_outlive_interrupt(int fd)
{
	struct sigaction before;
	struct stat status;

	if (fstat(fd, &status) != 0 || !S_ISFIFO(status.st_mode) ||
	    sigaction(SIGINT, NULL, &before) != 0 ||
	    before.sa_handler != SIG_DFL)
		return;
	outlives = 1;
	handle_interrupt(note_interrupt, SA_RESTART | (int)SA_RESETHAND);
}

void
input_obey_interrupt(void)
{
	if (outlives)
		handle_interrupt(SIG_DFL, 0);
	outlives = 0;
}

void
input_catch_up(void)
{
	input_obey_interrupt();
	if (outlived)
		raise(SIGINT);
}
