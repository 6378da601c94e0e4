#include <sys/stat.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "input.h"
#include "mem.h"
#include "message.h"
#include "text.h"

#define BLOCK	((size_t)512 * 1024)

void
input_init(struct input *input, const char *const *operands)
{
	*input = (struct input){ 0 };
	source_init(&input->source, operands);
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

void
input_show(struct input *input, const size_t *samples, const uint32_t *stacks)
{
	input->shown = true;
	input->counted = samples != NULL ? samples : &input->lines;
	input->stacks = stacks;
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
	got = source_read(&input->source, input->data + input->end,
	    input->room - 1 - input->end);
	if (got < 0) {
		report(input, strerror(errno));
		input->broken = true;
	}
	if (got > 0)
		input->end += (size_t)got;
	input->data[input->end] = '\0';
	if (input->shown && got > 0)
		progress_read(&input->told, (size_t)got, input->counted,
		    input->stacks);
}

/* True if enough of a file was read to tell what it is. */
static bool
has_beginning(const struct input *input)
{
	struct str bytes = input_ahead(input);

	return input->source.at_end || bytes.len >= input_beginning(bytes);
}

static bool
is_folder(int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Steps over a byte order mark at the start of a file. */
static void
skip_mark(struct input *input)
{
	while (!input->source.at_end && input->end < 3)
		fill(input);
	input->start = input->end - str_without_mark(input_ahead(input)).len;
}

/* Reads the beginning of the file and lets it be examined. */
static bool
examine(struct input *input, struct beginning *file)
{
	file->fd = input->source.fd;
	file->is_folder = is_folder(file->fd);
	if (!file->is_folder)
		skip_mark(input);
	while (!file->is_folder && !has_beginning(input))
		fill(input);
	if (input->start == input->end &&
	    (input->broken || file->is_unpacked))
		return true;
	file->bytes = input_ahead(input);
	return input->examine(input->context, file);
}

/* Closes the file; reports one that could not be decompressed to its end. */
static void
close_file(struct input *input)
{
	if (!source_close(&input->source))
		report(input, "its compressed data is damaged or cut off");
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
		file.trouble = source_unpack(&input->source, file.bytes);
		input->start = input->end = 0;
		progress_forget_size();
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
		close_file(input);
		return false;
	}
	input->source.by_lines = file.by_lines;
	return true;
}

/* Opens the next file whose lines are to be read; false if none is left. */
static bool
open_next(struct input *input)
{
	int error;

	while (source_next(&input->source)) {
		error = errno;
		input->name = input->source.name;
		input->line = 0;
		input->broken = false;
		input->start = input->end = 0;
		input_tell_waiting(input->source.fd);
		if (input->source.fd < 0)
			report(input, strerror(error));
		else if (input->examine == NULL) {
			skip_mark(input);
			return true;
		} else if (begin_file(input))
			return true;
	}
	return false;
}

/* Gives out the len bytes that are next, and steps over them and the LF. */
static struct str
give_out(struct input *input, size_t len)
{
	struct str line = { input->data + input->start, len };

	input->given = input->start;
	input->start += len;
	if (input->start < input->end)
		input->start++;
	input->line++;
	input->lines++;
	if (len > 0 && line.data[len - 1] == '\r')
		line.len--;
	return line;
}

bool
input_line(struct input *input, struct str *line)
{
	struct str unread;
	size_t searched = 0, len;

	for (;;) {
		if (input->source.fd < 0 && !open_next(input)) {
			input_stop(input);
			return false;
		}
		unread = str_between((struct str){ input->data, input->end },
		    input->start, input->end);
		len = searched + str_find(str_skip(unread, searched), '\n');
		if (len < unread.len || (input->source.at_end && len > 0)) {
			*line = give_out(input, len);
			return true;
		}
		if (input->source.at_end)
			close_file(input);
		else {
			searched = len;
			fill(input);
		}
	}
}

void
input_stop(struct input *input)
{
	if (input->source.fd >= 0)
		source_close(&input->source);
	if (input->shown)
		progress_read(&input->told, 0, input->counted, input->stacks);
	progress_clear();
	free(input->data);
	input->data = NULL;
}
