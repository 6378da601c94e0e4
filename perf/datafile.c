#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "datafile.h"

#define BLOCK		((size_t)256 * 1024)
#define SECTIONS_MOST	((uint64_t)64 * 1024 * 1024)	/* in all */
#define ZSTD_SECONDS	60

/* Of blocks that are free, or a new one. */
static struct block *
take_block(struct datafile *file)
{
	struct block *block = file->free_blocks;

	if (block != NULL)
		file->free_blocks = block->next;
	else
		block = mem_array(1, sizeof(*block) + BLOCK);
	file->blocks++;
	block->len = block->held = 0;
	return block;
}

static void
free_block(struct datafile *file, struct block *block)
{
	block->next = file->free_blocks;
	file->free_blocks = block;
	file->blocks--;
}

void
datafile_drop(struct datafile *file, struct block *block)
{
	if (--block->held == 0 && block != file->stored.block &&
	    block != file->decompressed.block)
		free_block(file, block);
}

static size_t
unread(const struct stream *stream)
{
	return stream->block == NULL ? 0 : stream->block->len - stream->next;
}

/* Goes on in another block, with what was not given out yet. */
static void
renew_block(struct datafile *file, struct stream *stream)
{
	struct block *old = stream->block, *block = take_block(file);

	block->len = unread(stream);
	if (block->len > 0)
		memcpy(block->data, old->data + stream->next, block->len);
	stream->block = block;
	stream->next = 0;
	if (old != NULL && old->held == 0)
		free_block(file, old);
}

/* Reads from a pipe, whose first bytes were read before. */
static ssize_t
read_pipe(struct datafile *file, char *data, size_t room)
{
	ssize_t got;

	if (file->ahead.len == 0) {
		do
			got = read(file->fd, data, room);
		while (got < 0 && errno == EINTR);
		return got;
	}
	if (room > file->ahead.len)
		room = file->ahead.len;
	memcpy(data, file->ahead.data, room);
	file->ahead = str_skip(file->ahead, room);
	return (ssize_t)room;
}

/* Reads from the file, or at most up to where its records end. */
static ssize_t
read_stored(struct datafile *file, char *data, size_t room)
{
	ssize_t got;

	if (file->header.is_pipe)
		return read_pipe(file, data, room);
	if (room > file->end - file->at)
		room = (size_t)(file->end - file->at);
	if (room == 0)
		return 0;
	do
		got = pread(file->fd, data, room, (off_t)file->at);
	while (got < 0 && errno == EINTR);
	file->at += got > 0 ? (uint64_t)got : 0;
	return got;
}

/* Takes what zstd has printed. */
static size_t
read_printed(struct datafile *file, char *data, size_t room)
{
	struct text *printed = &file->printed;
	size_t left = printed->len - file->printed_start;

	if (room > left)
		room = left;
	if (room > 0)
		memcpy(data, printed->data + file->printed_start, room);
	file->printed_start += room;
	if (file->printed_start == printed->len)
		file->printed_start = printed->len = 0;
	return room;
}

/* Reads more, into the rest of the block; false if there is nothing. */
static bool
read_more(struct datafile *file, struct stream *stream)
{
	struct block *block = stream->block;
	char *data = block->data + block->len;
	size_t room = BLOCK - block->len;
	ssize_t got;

	if (stream == &file->decompressed) {
		got = (ssize_t)read_printed(file, data, room);
		block->len += (size_t)got;
		return got > 0;
	}
	if (file->at_end)
		return false;
	got = read_stored(file, data, room);
	if (got < 0)
		file->failed = errno;
	if (got <= 0)
		file->at_end = true;
	else
		block->len += (size_t)got;
	return got > 0;
}

/* True if `need` bytes, less than a block has, can be given out. */
static bool
has_bytes(struct datafile *file, struct stream *stream, size_t need)
{
	while (unread(stream) < need) {
		if (stream->block == NULL || BLOCK - stream->next < need)
			renew_block(file, stream);
		if (!read_more(file, stream))
			return false;
	}
	return true;
}

/* Steps over bytes that are no records. */
static void
skip_bytes(struct datafile *file, uint64_t len)
{
	struct stream *stream = &file->stored;
	uint64_t step;

	while (len > 0 && has_bytes(file, stream, 1)) {
		step = unread(stream) < len ? unread(stream) : len;
		stream->next += (size_t)step;
		file->given += step;
		len -= step;
		if (len > 0 && !file->header.is_pipe) {
			step = len < file->end - file->at ? len :
			    file->end - file->at;
			file->at += step;
			file->given += step;
			len = 0;
		}
	}
}

/* Takes the next record of a stream, if all of it is there. */
static bool
take_record(struct datafile *file, struct stream *stream,
    struct record *record, struct block **block)
{
	size_t len = 0;

	if (unread(stream) >= RECORD_HEADER)
		len = record_at(stream->block->data + stream->next).bytes.len;
	if (len < RECORD_HEADER || unread(stream) < len) {
		/* mostly it is in the block */
		if (file->damaged || !has_bytes(file, stream, RECORD_HEADER))
			return false;
		len = record_at(stream->block->data + stream->next).bytes.len;
		file->damaged = len < RECORD_HEADER;
		if (file->damaged || !has_bytes(file, stream, len))
			return false;
	}
	*record = record_at(stream->block->data + stream->next);
	*block = stream->block;
	stream->next += len;
	file->given += stream == &file->stored ? len : 0;
	return true;
}

/* Lets zstd work on input, or print what it still has if that is empty. */
static void
decompress(struct datafile *file, struct str input)
{
	ssize_t got;

	do {
		got = child_exchange(&file->zstd, &input, &file->printed,
		    ZSTD_SECONDS);
		if (got <= 0) {
			file->zstd_failed |= got < 0 || !file->zstd_ends;
			file->zstd_runs = false;
			child_stop(&file->zstd);
			return;
		}
	} while (input.len > 0);
}

/* Decompresses what a record holds. */
static void
read_compressed(struct datafile *file, const struct record *record)
{
	char zstd[] = "zstd", options[] = "-dcq";
	char *const argv[] = { zstd, options, NULL };
	struct bytes bytes = bytes_from(record->bytes);
	uint64_t size;

	bytes_skip(&bytes, RECORD_HEADER);
	size = record->type == RECORD_COMPRESSED ? bytes_left(&bytes) :
	    bytes_u64(&bytes);
	if (!file->is_compressed) {
		file->is_compressed = true;
		file->zstd_runs = child_start(&file->zstd, argv, CHILD_PIPE);
		file->no_zstd = file->zstd_runs ? 0 : errno;
	}
	if (file->zstd_runs && size > 0)
		decompress(file, bytes_text(&bytes, size));
}

/*
 * Takes the rest of zstd's output.  perf leaves the end of the stream open,
 * where zstd would leave out the last block: so it gets an empty one that says
 * it is the last.
 */
static bool
finish_zstd(struct datafile *file)
{
	if (!file->zstd_runs)
		return false;
	if (!file->zstd_ends) {
		file->zstd_ends = true;
		decompress(file, (struct str){ "\1\0\0", 3 });
		if (file->zstd_runs)
			child_end_input(&file->zstd);
	} else
		decompress(file, STR(""));
	return file->zstd_runs || file->printed.len > 0;
}

bool
datafile_next(struct datafile *file, struct record *record,
    struct block **block)
{
	for (;;) {
		if (file->is_compressed && take_record(file,
		    &file->decompressed, record, block))
			return true;
		if (!take_record(file, &file->stored, record, block)) {
			if (finish_zstd(file))
				continue;
			return false;
		}
		if (record->type == RECORD_COMPRESSED ||
		    record->type == RECORD_COMPRESSED2)
			read_compressed(file, record);
		else
			return true;
	}
}

void
datafile_skip_data(struct datafile *file, const struct record *record)
{
	struct bytes bytes = bytes_from(record->bytes);
	uint64_t size;

	bytes_skip(&bytes, RECORD_HEADER);
	size = record->type == RECORD_AUXTRACE ? bytes_u64(&bytes) :
	    ((uint64_t)bytes_u32(&bytes) + 7) / 8 * 8;
	skip_bytes(file, size);
}

uint64_t
datafile_missing(const struct datafile *file)
{
	uint64_t missing = unread(&file->stored);

	if (!file->header.is_pipe && file->header.data.size > 0)
		missing += file->end - file->at;
	return missing;
}

/* Reads what there is of `len` bytes at an offset. */
static struct str
read_at(struct datafile *file, struct section place, struct text *text)
{
	uint64_t done = 0;
	ssize_t got = 1;
	char *data;

	text->len = 0;
	if (place.size == 0 || place.size > file->section_bytes ||
	    place.offset > INT64_MAX - place.size)
		return STR("");
	file->section_bytes -= place.size;
	data = text_extend(text, (size_t)place.size);
	while (done < place.size && (got > 0 || (got < 0 && errno == EINTR))) {
		got = pread(file->fd, data + done, (size_t)(place.size - done),
		    (off_t)(place.offset + done));
		done += got > 0 ? (uint64_t)got : 0;
	}
	return (struct str){ data, (size_t)done };
}

static void
read_events(struct datafile *file)
{
	const struct header *header = &file->header;
	struct text list_text = { 0 }, ids_text = { 0 };
	struct str list = read_at(file, header->events, &list_text);
	struct section ids;
	struct attr attr;

	while (header->event_size <= list.len) {
		ids = header_read_event(str_take(list,
		    (size_t)header->event_size), &attr);
		attrs_add(&file->attrs, attr);
		header_add_counters(&file->attrs,
		    read_at(file, ids, &ids_text));
		list = str_skip(list, (size_t)header->event_size);
	}
	free(list_text.data);
	free(ids_text.data);
}

void
datafile_take_feature(struct datafile *file, uint64_t feature,
    struct str section, struct modules *modules)
{
	switch (feature) {
	case FEATURE_BUILD_IDS:
		header_note_ids(modules, section);
		break;
	case FEATURE_RELEASE:
		file->release = arena_copy(&file->arena, header_text(section));
		break;
	case FEATURE_MACHINE:
		file->machine = arena_copy(&file->arena, header_text(section));
		break;
	case FEATURE_EVENTS:
		header_name_events(&file->attrs, section);
		break;
	default:
		break;
	}
}

/* The places of the sections are behind the records, in the order of bits. */
static void
read_features(struct datafile *file, struct modules *modules)
{
	uint64_t bits = file->header.features, feature;
	uint64_t wanted = UINT64_C(1) << FEATURE_BUILD_IDS |
	    UINT64_C(1) << FEATURE_RELEASE | UINT64_C(1) << FEATURE_MACHINE |
	    UINT64_C(1) << FEATURE_EVENTS;
	struct section place = { file->end, 64 * sizeof(place) };
	struct text places = { 0 }, section = { 0 };
	struct bytes bytes = bytes_from(read_at(file, place, &places));

	for (feature = 0; feature < 64; feature++) {
		if ((bits >> feature & 1) == 0)
			continue;
		place.offset = bytes_u64(&bytes);
		place.size = bytes_u64(&bytes);
		if (!bytes.failed && (wanted >> feature & 1) != 0)
			datafile_take_feature(file, feature,
			    read_at(file, place, &section), modules);
	}
	free(places.data);
	free(section.data);
}

/*
 * Copies what comes through a pipe but is no recording made for one, as its
 * header tells places, to a file that goes away by itself.
 */
static bool
spool(struct datafile *file)
{
	char data[16 * 1024];
	FILE *copy = tmpfile();
	ssize_t got;

	if (copy == NULL)
		return false;
	while ((got = read_pipe(file, data, sizeof(data))) > 0)
		if (fwrite(data, 1, (size_t)got, copy) != (size_t)got)
			break;
	if (got != 0 || fflush(copy) != 0) {
		fclose(copy);
		return false;
	}
	file->copy = copy;
	file->fd = fileno(copy);
	return true;
}

const char *
datafile_open(struct datafile *file, int fd, struct str ahead,
    struct modules *modules)
{
	const struct header *header = &file->header;
	const char *trouble;

	*file = (struct datafile){ .fd = fd, .ahead = ahead,
	    .section_bytes = SECTIONS_MOST };
	attrs_init(&file->attrs);
	trouble = header_read(ahead, &file->header);
	if (trouble != NULL)
		return trouble;
	if (header->is_pipe) {
		file->ahead = str_skip(ahead, HEADER_PIPE);
		file->given = HEADER_PIPE;
		return NULL;
	}
	if (lseek(fd, 0, SEEK_CUR) < 0 && !spool(file))
		return "the recording cannot be copied to a temporary file";
	if (header->data.offset > INT64_MAX ||
	    header->data.size > INT64_MAX - header->data.offset)
		return "the recording has a header with impossible sizes";
	file->at = file->given = header->data.offset;
	file->end = header->data.size == 0 ? INT64_MAX :
	    header->data.offset + header->data.size;
	read_events(file);
	if (header->data.size > 0)
		read_features(file, modules);
	return NULL;
}

static void
free_blocks(struct block *block)
{
	struct block *next;

	for (; block != NULL; block = next) {
		next = block->next;
		free(block);
	}
}

void
datafile_close(struct datafile *file)
{
	if (file->zstd_runs)
		child_stop(&file->zstd);
	if (file->copy != NULL)
		fclose(file->copy);
	attrs_free(&file->attrs);
	free(file->printed.data);
	free(file->stored.block);
	free(file->decompressed.block);
	free_blocks(file->free_blocks);
	arena_free(&file->arena);
}
