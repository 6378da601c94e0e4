/*
 * input: reads the lines of a program's operands, one file after another; "-"
 * and no operand at all are standard input.
 *
 * A file that cannot be opened or read is reported on standard error, and
 * reading goes on with the next one.  A program may look at the beginning of a
 * file, and refuse it, and that is reported, too, or read it in its own way.
 */
#ifndef INPUT_H
#define INPUT_H

#include <sys/types.h>

#include <stdint.h>

#include "child.h"
#include "str.h"

/* A file that was opened, before any of its lines is given out. */
struct beginning {
	const char *name;	/* of the file, for messages */
	struct str bytes;	/* read so far: input_beginning() of them or
				   more, or all of a file that has fewer; a
				   byte order mark is left out */
	bool is_folder;		/* which has no lines to give out */
	int fd;			/* from which what follows them can be read */
	bool is_unpacked;	/* these are the bytes of a compressed file */
	/* An examiner sets these: */
	const char *trouble;	/* what is wrong with the file, or NULL */
	bool unpack;		/* refused until it is decompressed */
	bool by_lines;		/* each line is a stack by itself */
};

#define INPUT_BEGINNING	65536	/* bytes */
#define INPUT_BINARY	4096	/* bytes, if one is a NUL */

/* Returns how many bytes a file that begins so is known by. */
static inline size_t
input_beginning(struct str bytes)
{
	return bytes.len >= INPUT_BINARY &&
	    str_contains(str_take(bytes, INPUT_BINARY), STR("\0")) ?
	    INPUT_BINARY : INPUT_BEGINNING;
}

/*
 * Looks at a file.  Returns true if its lines are to be given out; false if it
 * is refused, or was read to its end.  Any trouble is reported.
 */
typedef bool input_examiner(void *context, struct beginning *file);

struct input {
	const char *name;	/* of the file that is read, for messages */
	size_t line;		/* number of the last line, in its file */
	size_t lines;		/* those given out, of all files */
	bool failed;		/* something could not be read */
	bool broken;		/* this file could not be read */

	bool by_lines;		/* the examiner said so of this file */
	unsigned form;		/* what its lines are like, if the examiner has
				   set it; else 0 */

	const char *const *operands;	/* those still to be read, up to NULL */
	int fd;			/* -1 between files */
	bool at_end;		/* of the file */
	struct child unpacker;	/* of a compressed file; pid 0 without one */
	char *data;		/* the block, with unread bytes from start */
	size_t start, end, room;
	size_t given;		/* the start of the last line */

	input_examiner *examine;	/* or NULL */
	void *context;
};

/* Begins before the first of the operands, a list that ends with NULL. */
void input_init(struct input *input, const char *const *operands);

/*
 * Reads up to `room` bytes of any file, and adds them to the progress.  Returns
 * how many; 0 at its end, or -1, with errno, on a failure.
 */
ssize_t input_read(int fd, char *data, size_t room);

/* Says that a program waits for input if fd is a terminal. */
void input_tell_waiting(int fd);

/* Calls examine(context, ...) for each file that is opened. */
void input_examine(struct input *input, input_examiner *examine, void *context);

/*
 * Stores the next line without its line end, LF or CRLF; false at the end.  The
 * slice lives until the next call.
 */
bool input_line(struct input *input, struct str *line);

/*
 * Returns what was read beyond the last line, so that the caller can recognize
 * lines there without taking them one by one.  It may be empty and may end
 * within a line; a NUL follows it.  It lives until the next call of input_line.
 */
static inline struct str
input_ahead(const struct input *input)
{
	return (struct str){ input->data + input->start,
	    input->end - input->start };
}

/* Returns the last line with its line end, if it has one. */
static inline struct str
input_whole_line(const struct input *input)
{
	return (struct str){ input->data + input->given,
	    input->start - input->given };
}

/* True if the last line has no line end: its file may be cut off inside it. */
static inline bool
input_line_is_cut(const struct input *input)
{
	return !str_ends(input_whole_line(input), STR("\n"));
}

/* Steps over the next `len` bytes there, `lines` complete lines. */
static inline void
input_skip(struct input *input, size_t len, size_t lines)
{
	input->start += len;
	input->line += lines;
	input->lines += lines;
}

/* Ends reading before the end. */
void input_stop(struct input *input);

/*
 * Ctrl-C reaches all programs of a pipeline.  One that records ends then, and
 * sends the rest, so the programs after it still have work to do.  From now on
 * the program outlives one Ctrl-C, if fd is a pipe and Ctrl-C would end it.
 */
void input_outlive_interrupt(int fd);

/* From now on Ctrl-C ends the program again. */
void input_obey_interrupt(void);

/* Ends the program as Ctrl-C does, if the program has outlived one. */
void input_catch_up(void);

#endif
