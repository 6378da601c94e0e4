#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata.h"

#define EVENT_SIZE	(ATTR_SIZE + 16)
#define HEADER_SIZE	104
#define PIPE_HEADER	16
#define TRACEPOINT	2	/* a type of event, all of which are samples */

void
fail(const char *why, const char *what)
{
	fprintf(stderr, "perfdata: %s: %s\n", why, what);
	exit(1);
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
		bytes[i] = (unsigned char)(number >> 8 * i);
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
put_attr(struct buffer *buffer, const struct event *event)
{
	put_number(buffer, event->type, 4);
	put_number(buffer, ATTR_SIZE, 4);
	put_number(buffer, event->config, 8);
	put_number(buffer, event->type == TRACEPOINT ? 1 : 1000, 8);
	put_number(buffer, event->fields, 8);
	put_number(buffer, event->read_fields, 8);
	put_number(buffer, event->inherits << 1 | event->marks_all << 18 |
	    1 << 20 | event->is_monotonic << 25 |
	    event->is_frequent << 10 | event->defers << 38 | event->defers << 39, 8);
	put_number(buffer, 0, 8);
	put_number(buffer, 0, 8);
	put_number(buffer, 0, 8);
	put_number(buffer, event->branches, 8);
	put_number(buffer, event->registers, 8);
	put_number(buffer, 0, 4);
	put_number(buffer, event->is_monotonic, 4);
	put(buffer, (unsigned char[ATTR_SIZE - 96]){ 0 }, ATTR_SIZE - 96);
}

/*
 * Puts the sections after the records: tracepoints' formats, if they are told,
 * build ids, machine, events' names, and times, if they are.
 */
static void
put_features(struct buffer *file, const struct recording *recording)
{
	int has_formats = recording->formats.len > 0;
	int has_times = recording->last > 0;
	uint64_t at = file->len + (uint64_t)(3 + has_formats + has_times) * 16;
	struct buffer names = { NULL, 0 }, name = { NULL, 0 };
	size_t i, j;

	put_number(&names, recording->events_count, 4);
	put_number(&names, ATTR_SIZE, 4);
	for (i = 0; i < recording->events_count; i++) {
		put_attr(&names, &recording->events[i]);
		put_number(&names, recording->events[i].ids_count, 4);
		put_number(&names,
		    strlen(recording->events[i].name) / 8 * 8 + 8, 4);
		put_text(&names, recording->events[i].name);
		for (j = 0; j < recording->events[i].ids_count; j++)
			put_number(&names, recording->events[i].ids[j], 8);
	}
	put_number(&name, strlen(recording->machine) / 8 * 8 + 8, 4);
	put_text(&name, recording->machine);
	if (has_formats) {
		put_number(file, at, 8);
		put_number(file, recording->formats.len, 8);
		at += recording->formats.len;
	}
	put_number(file, at, 8);
	put_number(file, recording->build_ids.len, 8);
	put_number(file, at + recording->build_ids.len, 8);
	put_number(file, name.len, 8);
	put_number(file, at + recording->build_ids.len + name.len, 8);
	put_number(file, names.len, 8);
	if (has_times) {
		put_number(file, at + recording->build_ids.len + name.len +
		    names.len, 8);
		put_number(file, 16, 8);
	}
	put(file, recording->formats.data, recording->formats.len);
	put(file, recording->build_ids.data, recording->build_ids.len);
	put(file, name.data, name.len);
	put(file, names.data, names.len);
	if (has_times) {
		put_number(file, recording->first, 8);
		put_number(file, recording->last, 8);
	}
	free(names.data);
	free(name.data);
}

/* Events and the places of their counters' numbers, and these. */
static void
put_events(struct buffer *file, const struct recording *recording)
{
	uint64_t at = HEADER_SIZE + recording->events_count * EVENT_SIZE;
	size_t i, j;

	for (i = 0; i < recording->events_count; i++) {
		put_attr(file, &recording->events[i]);
		put_number(file, at, 8);
		put_number(file, recording->events[i].ids_count * 8, 8);
		at += recording->events[i].ids_count * 8;
	}
	for (i = 0; i < recording->events_count; i++)
		for (j = 0; j < recording->events[i].ids_count; j++)
			put_number(file, recording->events[i].ids[j], 8);
}

static void
put_file(struct buffer *file, const struct recording *recording)
{
	struct buffer list = { NULL, 0 };

	put_events(&list, recording);
	put(file, "PERFILE2", 8);
	put_number(file, HEADER_SIZE, 8);
	put_number(file, EVENT_SIZE, 8);
	put_number(file, HEADER_SIZE, 8);
	put_number(file, recording->events_count * EVENT_SIZE, 8);
	put_number(file, HEADER_SIZE + list.len, 8);
	put_number(file, recording->is_unfinished ? 0 : recording->data.len, 8);
	put_number(file, 0, 8);
	put_number(file, 0, 8);
	put_number(file, recording->is_unfinished ? 0 : 1 << 2 | 1 << 6 |
	    1 << 12 | (uint64_t)(recording->last > 0) << 21 |
	    (uint64_t)(recording->formats.len > 0) << 1, 8);
	put_number(file, 0, 8);
	put_number(file, 0, 8);
	put_number(file, 0, 8);
	put(file, list.data, list.len);
	put(file, recording->data.data, recording->data.len);
	if (!recording->is_unfinished)
		put_features(file, recording);
	free(list.data);
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
		put_number(file, PIPE_HEADER, 8);
	}
	put(file, recording->data.data, recording->data.len);
}
