#include <sys/stat.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "scriptline.h"
#include "times.h"

static void
note_time(struct str text, unsigned form, struct times *times)
{
	struct script_line line;
	uint64_t time;

	script_line_parse(text, LINE_OUTSIDE, form, &line);
	if (line.kind < LINE_HEAD || line.kind > LINE_ARGUMENTS)
		return;
	time = head_time(&line.head);
	if (time == HEAD_NO_TIME)
		return;
	if (times->first == 0 || time < times->first)
		times->first = time;
	if (time > times->last)
		times->last = time;
}

bool
times_find(const struct beginning *file, unsigned form, struct times *times)
{
	off_t read = lseek(file->fd, 0, SEEK_CUR);
	off_t start = read - (off_t)file->bytes.len;
	struct stat status;
	char *line = NULL;
	size_t room = 0;
	ssize_t len;
	FILE *stream;

	*times = (struct times){ 0, 0 };
	if (fstat(file->fd, &status) != 0 || !S_ISREG(status.st_mode) ||
	    start < 0 || lseek(file->fd, start, SEEK_SET) != start)
		return false;
	stream = fdopen(dup(file->fd), "r");
	if (stream == NULL)
		return false;
	while ((len = getline(&line, &room, stream)) > 0)
		if (line[0] != '\t')
			note_time(str_take((struct str){ line, (size_t)len },
			    (size_t)len - (line[len - 1] == '\n')), form,
			    times);
	free(line);
	fclose(stream);
	return lseek(file->fd, read, SEEK_SET) == read;
}
