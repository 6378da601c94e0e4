#include <sys/stat.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "input.h"
#include "mem.h"
#include "message.h"
#include "text.h"
#include "threads.h"

/* With 128 KB two threads take 15 % longer; 1 MB is no faster. */
#define BLOCK	((size_t)512 * 1024)

/* The lines of one file that a thread goes through between two turns. */
struct turn_block {
	size_t file;
	size_t lines;
	bool done;
};

/* The source that threads read in turns. */
struct shared {
	input_cutter *find_cut;
	pthread_mutex_t turn;
	struct source source;	/* at the end of the last block */
	struct text rest;	/* of it, which begins the next block */
	size_t file;		/* the number of files opened */

	pthread_mutex_t lock;	/* for the blocks */
	pthread_cond_t done;
	struct turn_block *blocks;
	size_t count, room;
	size_t oldest;		/* the first block that is not done */
};

static void
shared_init(struct shared *shared, const char *const *operands,
    input_cutter *find_cut)
{
	*shared = (struct shared){ .find_cut = find_cut };
	source_init(&shared->source, operands);
	pthread_mutex_init(&shared->turn, NULL);
	pthread_mutex_init(&shared->lock, NULL);
	pthread_cond_init(&shared->done, NULL);
}

static void
shared_free(struct shared *shared)
{
	pthread_mutex_destroy(&shared->turn);
	pthread_mutex_destroy(&shared->lock);
	pthread_cond_destroy(&shared->done);
	free(shared->rest.data);
	free(shared->blocks);
}

static void
begin_block(struct turn *turn)
{
	struct shared *shared = turn->shared;

	pthread_mutex_lock(&shared->lock);
	shared->blocks = mem_grow(shared->blocks, &shared->room,
	    shared->count + 1, sizeof(*shared->blocks));
	shared->blocks[shared->count] = (struct turn_block){
	    .file = shared->file };
	turn->block = shared->count++;
	turn->in_block = true;
	pthread_mutex_unlock(&shared->lock);
}

static void
end_block(struct turn *turn, size_t lines)
{
	struct shared *shared = turn->shared;

	if (!turn->in_block)
		return;
	turn->in_block = false;
	pthread_mutex_lock(&shared->lock);
	shared->blocks[turn->block].lines = lines;
	shared->blocks[turn->block].done = true;
	while (shared->oldest < shared->count &&
	    shared->blocks[shared->oldest].done)
		shared->oldest++;
	pthread_cond_broadcast(&shared->done);
	pthread_mutex_unlock(&shared->lock);
}

/*
 * Waits for a turn, when the thread is done with its block, which had `lines`
 * lines.  Stores where reading goes on, and returns what was read of the new
 * block, which lives until the turn is passed on.
 */
static struct str
shared_take(struct turn *turn, size_t lines, struct source *source)
{
	struct shared *shared = turn->shared;
	struct str rest;

	end_block(turn, lines);
	pthread_mutex_lock(&shared->turn);
	turn->is_mine = true;
	*source = shared->source;
	rest = text_str(&shared->rest);
	shared->rest.len = 0;
	begin_block(turn);
	return rest;
}

static void
pass_turn(struct turn *turn, const struct source *source)
{
	struct shared *shared = turn->shared;

	shared->source = *source;
	turn->is_mine = false;
	pthread_mutex_unlock(&shared->turn);
}

/* Returns the end of the last line in `text`, at `from` or later, or 0. */
static size_t
find_line_end(struct str text, size_t from)
{
	size_t end = str_find_last(str_skip(text, from), '\n') + from;

	return end < text.len ? end + 1 : 0;
}

/*
 * Passes the turn on if the bytes of the block that are ahead, of which those
 * from `from` are new, can be cut.  Returns how many of them stay in the block:
 * all, if they cannot.
 */
static size_t
shared_cut(struct turn *turn, const struct source *source, struct str ahead,
    size_t from)
{
	size_t cut = source->by_lines ? find_line_end(ahead, from) :
	    turn->shared->find_cut(ahead, from);

	if (cut == 0)
		return ahead.len;
	text_add(&turn->shared->rest, str_skip(ahead, cut));
	pass_turn(turn, source);
	return cut;
}

/* Begins a new block with a new file, after one of `lines` lines. */
static void
shared_next_file(struct turn *turn, size_t lines)
{
	end_block(turn, lines);
	turn->shared->file++;
	begin_block(turn);
}

/* Ends the block, of `lines` lines, and passes the turn on, at the end. */
static void
shared_leave(struct turn *turn, size_t lines, const struct source *source)
{
	end_block(turn, lines);
	pass_turn(turn, source);
}

/* Waits until all threads are done with what comes before this block. */
static void
shared_wait(const struct turn *turn)
{
	struct shared *shared = turn->shared;

	pthread_mutex_lock(&shared->lock);
	while (shared->oldest < turn->block)
		pthread_cond_wait(&shared->done, &shared->lock);
	pthread_mutex_unlock(&shared->lock);
}

/* Returns the number in its file of a line of the block; after shared_wait. */
static size_t
shared_number(const struct turn *turn, size_t line)
{
	struct shared *shared = turn->shared;
	size_t i = turn->block, file;

	pthread_mutex_lock(&shared->lock);
	file = shared->blocks[i].file;
	while (i > 0 && shared->blocks[i - 1].file == file)
		line += shared->blocks[--i].lines;
	pthread_mutex_unlock(&shared->lock);
	return line;
}

void
input_init(struct input *input, const char *const *operands)
{
	*input = (struct input){ 0 };
	source_init(&input->source, operands);
	input->data = mem_grow(NULL, &input->room, BLOCK, 1);
	input->data[0] = '\0';
}

size_t
input_threads(long jobs, const char *const *operands)
{
	unsigned long long size;

	source_size(operands, &size);
	return threads_choose(jobs, size);
}

bool
input_run(const char *const *operands, input_cutter *find_cut,
    void *(*work)(void *), void *parts, size_t size, size_t count)
{
	struct shared shared;
	struct input *input;
	bool failed = false;
	size_t i;

	shared_init(&shared, operands, find_cut);
	for (i = 0; i < count; i++) {
		input = (void *)((char *)parts + i * size);
		input_init(input, operands);
		if (count > 1)
			input->turn.shared = &shared;
	}
	threads_run(work, parts, size, count);
	for (i = 0; i < count; i++) {
		input = (void *)((char *)parts + i * size);
		failed |= input->failed;
		input->turn.shared = NULL;
	}
	shared_free(&shared);
	return !failed;
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
tell(struct input *input, size_t got)
{
	struct tally tally = {
		.bytes = input->told.bytes + got,
		.counted = *input->counted,
		.stacks = input->stacks != NULL ? *input->stacks : 0,
		.in_part = input->turn.shared != NULL,
	};

	progress_tell(&input->told, tally, STR(""));
}

static void
report(struct input *input, const char *reason)
{
	input_wait(input);
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
		tell(input, (size_t)got);
}

/* Leaves what can be cut off the block, whose bytes from `from` are new. */
static void
cut(struct input *input, size_t from)
{
	struct str ahead = input_ahead(input);

	input->end = input->start +
	    shared_cut(&input->turn, &input->source, ahead, from);
	input->data[input->end] = '\0';
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
	if (input->turn.shared != NULL)
		cut(input, 0);
	return true;
}

/* Opens the next file whose lines are to be read; false if none is left. */
static bool
open_next(struct input *input)
{
	int error;

	while (source_next(&input->source)) {
		error = errno;
		if (input->turn.shared != NULL)
			shared_next_file(&input->turn, input->line);
		input->name = input->source.name;
		input->line = 0;
		input->file_begins = true;
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

/* Goes on with the next block. */
static void
take_turn(struct input *input)
{
	struct str rest = shared_take(&input->turn, input->line,
	    &input->source);

	input->name = input->source.name;
	input->file_begins = false;
	input->line = 0;
	input->data = mem_grow(input->data, &input->room, rest.len + 1, 1);
	memcpy(input->data, rest.data, rest.len);
	input->start = 0;
	input->end = rest.len;
	input->data[input->end] = '\0';
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
		if (input->turn.shared != NULL && !input->turn.is_mine &&
		    input->start == input->end)
			take_turn(input);
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
			if (input->turn.shared != NULL)
				cut(input, searched);
		}
	}
}

void
input_wait(const struct input *input)
{
	if (input->turn.shared != NULL)
		shared_wait(&input->turn);
}

size_t
input_number(const struct input *input)
{
	return input->turn.shared != NULL ?
	    shared_number(&input->turn, input->line) : input->line;
}

void
input_stop(struct input *input)
{
	if (input->turn.shared != NULL)
		shared_leave(&input->turn, input->line, &input->source);
	else if (input->source.fd >= 0)
		source_close(&input->source);
	if (input->shown)
		tell(input, 0);
	progress_clear();
	free(input->data);
	input->data = NULL;
}
