#include <sys/stat.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/mem.h"
#include "line.h"
#include "times.h"

#define CHUNK	((size_t)256 * 1024)	/* no sample has a longer line */

struct pass {
	unsigned form;
	enum line_place place;
	struct times *times;
};

static void
note_time(struct times *times, const struct event *event)
{
	uint64_t time = event_nanoseconds(event->time);

	if (time == EVENT_NO_TIME)
		return;
	if (times->first == 0 || time < times->first)
		times->first = time;
	if (time > times->last)
		times->last = time;
}

static void
pass_line(struct pass *pass, struct str text)
{
	struct line line;

	if (pass->place == LINE_INSIDE && str_starts(text, STR("\t")))
		return;
	line_parse(text, pass->place, pass->form, &line);
	switch (line.kind) {
	case LINE_BLANK:
		pass->place = LINE_OUTSIDE;
		break;
	case LINE_EVENT:
	case LINE_PADDED_EVENT:
	case LINE_LONE_FRAME:
	case LINE_ARGUMENTS:
		pass->place = line.kind == LINE_EVENT ? LINE_INSIDE :
		    LINE_BETWEEN;
		note_time(pass->times, &line.event);
		break;
	default:
		break;
	}
}

/* Reads complete lines, or all of a full chunk; returns the rest. */
static struct str
pass_lines(struct pass *pass, struct str text)
{
	size_t end;

	while ((end = str_find(text, '\n')) < text.len) {
		pass_line(pass, str_take(text, end -
		    (end > 0 && text.data[end - 1] == '\r')));
		text = str_skip(text, end + 1);
	}
	return text.len == CHUNK ? str_skip(text, text.len) : text;
}

bool
times_find(const struct beginning *file, unsigned form, struct times *times)
{
	struct pass pass = { form, LINE_OUTSIDE, times };
	off_t at = lseek(file->fd, 0, SEEK_CUR) - (off_t)file->bytes.len;
	struct str rest = { NULL, 0 };
	struct stat status;
	char *data;
	ssize_t got;

	*times = (struct times){ 0, 0 };
	if (fstat(file->fd, &status) != 0 || !S_ISREG(status.st_mode) ||
	    at < 0)
		return false;
	data = mem_array(CHUNK, 1);
	while ((got = pread(file->fd, data + rest.len, CHUNK - rest.len,
	    at)) > 0 || (got < 0 && errno == EINTR)) {
		if (got < 0)
			continue;
		at += got;
		rest = pass_lines(&pass, (struct str){ data,
		    rest.len + (size_t)got });
		memmove(data, rest.data, rest.len);
	}
	free(data);
	return true;
}
