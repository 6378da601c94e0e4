#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata.h"

#define EVENT_SIZE	(ATTR_SIZE + 16)
#define HEADER_SIZE	104
#define PIPE_HEADER	16
#define TRACEPOINT	2	/* a type of event, all of which are samples */
#define MOST_WORDS	300

int is_big;

void
fail(const char *why, const char *what)
{
	fprintf(stderr, "perfdata: %s: %s\n", why, what);
	exit(1);
}

void
each_line(void (*add)(char **words))
{
	static char line[1 << 23], *words[MOST_WORDS + 8];
	size_t count;
	char *word;

	while (fgets(line, sizeof(line), stdin) != NULL) {
		for (count = 0, word = strtok(line, " \t\n");
		    word != NULL && count < MOST_WORDS;
		    word = strtok(NULL, " \t\n"))
			words[count++] = word;
		memset(&words[count], 0, 8 * sizeof(*words));
		if (count > 0 && words[0][0] != '#')
			add(words);
	}
}

uint64_t
number(const char *word)
{
	return strtoull(word == NULL ? "0" : word, NULL, 0);
}

/* Returns the room for a text of this length, which doubles now and then. */
static size_t
room_of(size_t len)
{
	size_t room = 64;

	while (room < len)
		room *= 2;
	return room;
}

void
put(struct buffer *buffer, const void *bytes, size_t len)
{
	size_t room = room_of(buffer->len + len);

	if (buffer->data == NULL || room > room_of(buffer->len))
		buffer->data = realloc(buffer->data, room);
	if (buffer->data == NULL)
		fail("no memory", "");
	if (len > 0)
		memcpy(buffer->data + buffer->len, bytes, len);
	buffer->len += len;
}

void
put_number(struct buffer *buffer, uint64_t number, size_t size)
{
	unsigned char bytes[8];
	size_t i;

	for (i = 0; i < size; i++)
		bytes[is_big ? size - 1 - i : i] =
		    (unsigned char)(number >> 8 * i);
	put(buffer, bytes, size);
}

void
put_text(struct buffer *buffer, const char *text)
{
	size_t len = strlen(text);

	put(buffer, text, len);
	put(buffer, "\0\0\0\0\0\0\0\0", 8 - len % 8);
}

void
put_hex(struct buffer *buffer, const char *hex)
{
	char digits[3] = "";

	for (; hex[0] != '\0' && hex[1] != '\0'; hex += 2) {
		memcpy(digits, hex, 2);
		put_number(buffer, strtoul(digits, NULL, 16), 1);
	}
}

void
put_contents(struct buffer *buffer, const char *path)
{
	FILE *file = fopen(path, "rb");
	char part[4096];
	size_t got;

	if (file == NULL)
		fail("cannot open", path);
	while ((got = fread(part, 1, sizeof(part), file)) > 0)
		put(buffer, part, got);
	fclose(file);
}

void
put_numbers(struct buffer *buffer, const uint64_t *numbers, size_t count)
{
	for (; count > 0; count--)
		put_number(buffer, *numbers++, 8);
}

void
put_layout(struct buffer *buffer, const char *layout, char **words)
{
	const char *word;
	char *end;

	for (; *layout != '\0'; layout += strspn(layout, " ")) {
		if (*layout == '=') {
			put_number(buffer, strtoul(layout + 1, &end, 10), 4);
			layout = end;
			continue;
		}
		word = *layout == '-' ? "-1" : words[*layout - '0'];
		if (layout[1] != 't')
			put_number(buffer, number(word),
			    (size_t)(layout[1] - '0'));
		else
			put_text(buffer, strcmp(word, "''") == 0 ? "" : word);
		layout += 2;
	}
}

void
print_all(const struct buffer *buffer)
{
	if (fwrite(buffer->data, 1, buffer->len, stdout) != buffer->len ||
	    fflush(stdout) != 0)
		fail("cannot write", "standard output");
}

void
put_attr(struct buffer *buffer, const struct event *event)
{
	PUT(buffer, event->type | (uint64_t)ATTR_SIZE << 32, event->config,
	    event->type == TRACEPOINT ? 1 : 1000, event->fields,
	    event->read_fields, event->flags | 1 << 20, 0, 0, 0,
	    event->branches, event->registers,
	    (uint64_t)((event->flags & MONOTONIC) != 0) << 32, 0, 0, 0, 0);
}

/* Puts a text after its length, which is in 4 bytes. */
static void
put_string(struct buffer *buffer, const char *text)
{
	put_number(buffer, strlen(text) / 8 * 8 + 8, 4);
	put_text(buffer, text);
}

/*
 * Puts the sections after the records: tracepoints' formats, if they are told,
 * build ids, release, if it is told, machine, events' names, times, if they
 * are, and what simpleperf adds.
 */
static void
put_features(struct buffer *file, const struct recording *recording)
{
	struct buffer names = { NULL, 0 }, name = { NULL, 0 };
	struct buffer times = { NULL, 0 }, release = { NULL, 0 };
	const struct buffer *list[] = { &recording->formats,
		&recording->build_ids, &release, &name, &names, &times,
		&recording->files, &recording->meta, &recording->files2 };
	const struct event *event = recording->events;
	size_t i, count = sizeof(list) / sizeof(*list);
	int is_there[] = { recording->formats.len > 0, 1,
		recording->release[0] != '\0', 1, recording->meta.len == 0,
		recording->last > 0, recording->files.len > 0,
		recording->meta.len > 0, recording->files2.len > 0 };
	uint64_t at = file->len;

	for (i = 0; i < count; i++)
		at += is_there[i] ? 16 : 0;

	put_number(&names, recording->events_count, 4);
	put_number(&names, ATTR_SIZE, 4);
	for (; event < recording->events + recording->events_count; event++) {
		put_attr(&names, event);
		put_number(&names, event->ids_count, 4);
		put_string(&names, event->name);
		put_numbers(&names, event->ids, event->ids_count);
	}
	put_string(&name, recording->machine);
	if (is_there[2])
		put_string(&release, recording->release);
	if (is_there[5])
		PUT(&times, recording->first, recording->last);
	for (i = 0; i < count; i++)
		if (is_there[i]) {
			PUT(file, at, list[i]->len);
			at += list[i]->len;
		}
	for (i = 0; i < count; i++)
		if (is_there[i])
			put(file, list[i]->data, list[i]->len);
}

static void
put_file(struct buffer *file, const struct recording *recording)
{
	struct buffer list = { NULL, 0 }, ids = { NULL, 0 };
	size_t events = recording->events_count * EVENT_SIZE;
	const struct event *event = recording->events;
	int whole = !recording->is_unfinished;

	/* events and the places of their counters' numbers, and these */
	for (; event < recording->events + recording->events_count; event++) {
		put_attr(&list, event);
		PUT(&list, HEADER_SIZE + events + ids.len,
		    event->ids_count * 8);
		put_numbers(&ids, event->ids, event->ids_count);
	}
	put(&list, ids.data, ids.len);
	put(file, "PERFILE2", 8);
	PUT(file, HEADER_SIZE, EVENT_SIZE, HEADER_SIZE, events,
	    HEADER_SIZE + list.len, whole ? recording->data.len : 0, 0, 0,
	    whole ? 1 << 2 | 1 << 6 |
	    (uint64_t)(recording->meta.len == 0) << 12 |
	    (uint64_t)(recording->release[0] != '\0') << 4 |
	    (uint64_t)(recording->last > 0) << 21 |
	    (uint64_t)(recording->formats.len > 0) << 1 : 0, 0,
	    (uint64_t)(recording->files.len > 0) |
	    (uint64_t)(recording->meta.len > 0) << 1 |
	    (uint64_t)(recording->files2.len > 0) << 4, 0);
	put(file, list.data, list.len);
	put(file, recording->data.data, recording->data.len);
	if (whole)
		put_features(file, recording);
}

void
put_recording(struct buffer *file, const struct recording *recording)
{
	if (!recording->is_pipe && !recording->is_part) {
		put_file(file, recording);
		return;
	}
	if (recording->is_pipe) {
		put(file, "PERFILE2", 8);
		PUT(file, PIPE_HEADER);
	}
	put(file, recording->data.data, recording->data.len);
}
