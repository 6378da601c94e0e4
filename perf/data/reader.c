#include <sys/stat.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/mapping.h"
#include "reader.h"

#define BLOCK		((size_t)256 * 1024)

/*
 * The size of a part of a file that is mapped, the number that divides its
 * offset, and the blocks that it counts as: half of its size, since the
 * system may take the memory back.
 */
#define WINDOW		((size_t)2 * 1024 * 1024)
#define WINDOW_ALIGN	((uint64_t)64 * 1024)
#define WINDOW_COUNTS	4
#define ZSTD_SECONDS	60

#define PRINTED_MOST	((size_t)1024 * 1024)	/* by zstd, and not read */
#define SMALL		((uint64_t)64 * 1024 * 1024)	/* of any ratio */

/* Of blocks that are free, or a new one, which is held. */
static struct block *
take_block(struct blocks *blocks)
{
	struct block *block = blocks->free;

	if (block != NULL)
		blocks->free = block->next;
	else
		block = mem_array(1, sizeof(*block) + BLOCK);
	blocks->used++;
	block->data = (char *)(block + 1);
	block->len = 0;
	block->held = 1;
	return block;
}

uint64_t
block_offset(const struct block *block, const struct record *record)
{
	return block->is_unpacked ? block->at :
	    block->at + (uint64_t)(record->bytes.data - block->data);
}

void
blocks_release(struct blocks *blocks, struct block *block)
{
	if (block->mapped != NULL) {
		blocks->was_cut |= mapping_remove(block->mapped);
		blocks->used -= WINDOW_COUNTS;
		free(block);
		return;
	}
	block->next = blocks->free;
	blocks->free = block;
	blocks->used--;
}

void
blocks_free(struct blocks *blocks)
{
	struct block *block = blocks->free, *next;

	for (; block != NULL; block = next) {
		next = block->next;
		free(block);
	}
}

static size_t
unread(const struct stream *stream)
{
	return stream->block == NULL ? 0 : stream->block->len - stream->next;
}

/* Goes on in another block, with what was not given out yet. */
static void
renew_block(struct reader *reader, struct stream *stream)
{
	struct block *old = stream->block, *block = take_block(reader->blocks);

	block->len = unread(stream);
	block->at = reader->given;
	block->is_unpacked = stream == &reader->decompressed;
	if (block->len > 0)
		memcpy(block->data, old->data + stream->next, block->len);
	stream->block = block;
	stream->next = 0;
	if (old != NULL)
		blocks_drop(reader->blocks, old, 1);
}

ssize_t
reader_read_pipe(struct reader *reader, char *data, size_t room)
{
	ssize_t got;

	if (reader->ahead.len == 0) {
		do
			got = read(reader->fd, data, room);
		while (got < 0 && errno == EINTR);
		return got;
	}
	if (room > reader->ahead.len)
		room = reader->ahead.len;
	memcpy(data, reader->ahead.data, room);
	reader->ahead = str_skip(reader->ahead, room);
	return (ssize_t)room;
}

/* Reads from the pipe, or the file, at most up to where its records end. */
static ssize_t
read_stored(struct reader *reader, char *data, size_t room)
{
	ssize_t got;

	if (reader->is_pipe)
		return reader_read_pipe(reader, data, room);
	if (room > reader->end - reader->at)
		room = (size_t)(reader->end - reader->at);
	if (room == 0)
		return 0;
	do
		got = pread(reader->fd, data, room, (off_t)reader->at);
	while (got < 0 && errno == EINTR);
	reader->at += got > 0 ? (uint64_t)got : 0;
	return got;
}

/* Takes what zstd has printed. */
static size_t
read_printed(struct reader *reader, char *data, size_t room)
{
	struct text *printed = &reader->printed;
	size_t left = printed->len - reader->printed_start;

	if (room > left)
		room = left;
	if (room > 0)
		memcpy(data, printed->data + reader->printed_start, room);
	reader->printed_start += room;
	if (reader->printed_start == printed->len)
		reader->printed_start = printed->len = 0;
	return room;
}

/* Reads more, into the rest of the block; false if there is nothing. */
static bool
read_more(struct reader *reader, struct stream *stream)
{
	struct block *block = stream->block;
	char *data = block->data + block->len;
	size_t room = BLOCK - block->len;
	ssize_t got;

	if (stream == &reader->decompressed) {
		got = (ssize_t)read_printed(reader, data, room);
		block->len += (size_t)got;
		return got > 0;
	}
	if (reader->at_end)
		return false;
	got = read_stored(reader, data, room);
	if (got < 0)
		reader->failed = errno;
	if (got <= 0)
		reader->at_end = true;
	else
		block->len += (size_t)got;
	return got > 0;
}

/*
 * Goes on in a part of the file that is mapped, from what was not given out
 * yet; false if it cannot be mapped.
 */
static bool
map_block(struct reader *reader, struct stream *stream)
{
	uint64_t from = reader->at - unread(stream), end = reader->end;
	uint64_t start = from / WINDOW_ALIGN * WINDOW_ALIGN;
	struct block *block;
	struct stat status;
	struct str bytes;

	if (fstat(reader->fd, &status) != 0 || !S_ISREG(status.st_mode))
		return false;
	if (end > (uint64_t)status.st_size)
		end = (uint64_t)status.st_size;
	if (end <= reader->at)
		return false;
	bytes = mapping_add_part(reader->fd, start,
	    end - start < WINDOW ? (size_t)(end - start) : WINDOW);
	if (bytes.len == 0)
		return false;
	block = mem_array(1, sizeof(*block));
	*block = (struct block){ .data = (char *)(uintptr_t)bytes.data,
	    .len = bytes.len, .held = 1, .at = start, .mapped = bytes.data };
	reader->blocks->used += WINDOW_COUNTS;
	if (stream->block != NULL)
		blocks_drop(reader->blocks, stream->block, 1);
	stream->block = block;
	stream->next = (size_t)(from - start);
	reader->at = start + bytes.len;
	return true;
}

/* True if the stored records are read in parts of the file. */
static bool
can_map(struct reader *reader, const struct stream *stream)
{
	return stream == &reader->stored && !reader->is_pipe &&
	    !reader->cannot_map;
}

/* True if `need` bytes, less than a block has, can be given out. */
static bool
has_bytes(struct reader *reader, struct stream *stream, size_t need)
{
	while (unread(stream) < need) {
		if (can_map(reader, stream)) {
			reader->cannot_map = !map_block(reader, stream);
			continue;
		}
		if (stream->block == NULL || stream->block->mapped != NULL ||
		    BLOCK - stream->next < need)
			renew_block(reader, stream);
		if (!read_more(reader, stream))
			return false;
	}
	return true;
}

/* Steps over bytes that are no records. */
static void
skip_bytes(struct reader *reader, uint64_t len)
{
	struct stream *stream = &reader->stored;
	uint64_t step;

	while (len > 0 && has_bytes(reader, stream, 1)) {
		step = unread(stream) < len ? unread(stream) : len;
		stream->next += (size_t)step;
		reader->given += step;
		len -= step;
		if (len > 0 && !reader->is_pipe) {
			step = len < reader->end - reader->at ? len :
			    reader->end - reader->at;
			reader->at += step;
			reader->given += step;
			len = 0;
		}
	}
}

/* Takes the next record of a stream, if all of it is there. */
static bool
take_record(struct reader *reader, struct stream *stream,
    struct record *record, struct block **block)
{
	size_t len;

	if (reader->damaged || !has_bytes(reader, stream, RECORD_HEADER))
		return false;
	len = record_at(stream->block->data + stream->next).bytes.len;
	reader->damaged = len < RECORD_HEADER;
	if (reader->damaged || !has_bytes(reader, stream, len))
		return false;
	*record = record_at(stream->block->data + stream->next);
	*block = stream->block;
	stream->next += len;
	reader->given += stream == &reader->stored ? len : 0;
	return true;
}

/* Ends zstd, if it runs. */
static void
stop_zstd(struct reader *reader)
{
	if (reader->zstd_runs)
		child_stop(&reader->zstd);
	reader->zstd_runs = false;
	reader->packed.len = 0;
}

/* Lets zstd take some input, or print some of what it has. */
static void
exchange(struct reader *reader, struct str *input)
{
	size_t before = reader->printed.len, len = input->len;
	ssize_t got = child_exchange(&reader->zstd, input, &reader->printed,
	    ZSTD_SECONDS);

	reader->taken += len - input->len;
	reader->made += reader->printed.len - before;
	reader->is_bomb = reader->made > SMALL &&
	    reader->made / READER_RATIO > reader->taken;
	if (got > 0 && !reader->is_bomb)
		return;
	reader->zstd_failed |= got < 0 || (got == 0 && !reader->zstd_ends);
	stop_zstd(reader);
}

/* Lets zstd work on what a record holds, as long as that is read. */
static void
decompress(struct reader *reader)
{
	while (reader->packed.len > 0 && reader->printed.len < PRINTED_MOST)
		exchange(reader, &reader->packed);
}

/* Begins to decompress what a record holds. */
static void
read_compressed(struct reader *reader, const struct record *record)
{
	char zstd[] = "zstd", options[] = "-dcq";
	char *const argv[] = { zstd, options, NULL };
	struct bytes bytes = bytes_from(record->bytes);
	uint64_t size;

	bytes_skip(&bytes, RECORD_HEADER);
	size = record->type == RECORD_COMPRESSED ? bytes_left(&bytes) :
	    bytes_u64(&bytes);
	if (!reader->is_compressed) {
		reader->is_compressed = true;
		reader->zstd_runs = child_start(&reader->zstd, argv,
		    CHILD_PIPE);
		reader->no_zstd = reader->zstd_runs ? 0 : errno;
	}
	if (reader->zstd_runs)
		reader->packed = bytes_text(&bytes, size);
}

/*
 * Takes the rest of zstd's output.  perf leaves the end of the stream open,
 * where zstd would leave out the last block: so it gets an empty one that says
 * it is the last.
 */
static bool
finish_zstd(struct reader *reader)
{
	struct str nothing = STR("");

	if (!reader->zstd_runs)
		return false;
	if (!reader->zstd_ends) {
		reader->zstd_ends = true;
		reader->packed = (struct str){ "\1\0\0", 3 };
		return true;
	}
	child_end_input(&reader->zstd);
	exchange(reader, &nothing);
	return reader->zstd_runs || reader->printed.len > 0;
}

bool
reader_find_next(struct reader *reader, struct record *record,
    struct block **block)
{
	while (!reader->damaged) {
		if (reader->is_compressed && take_record(reader,
		    &reader->decompressed, record, block))
			return true;
		if (reader->packed.len > 0) {
			decompress(reader);
			continue;
		}
		if (!take_record(reader, &reader->stored, record, block)) {
			if (finish_zstd(reader))
				continue;
			return false;
		}
		if (record->type == RECORD_COMPRESSED ||
		    record->type == RECORD_COMPRESSED2)
			read_compressed(reader, record);
		else
			return true;
	}
	return false;
}

void
reader_skip_data(struct reader *reader, const struct record *record)
{
	struct bytes bytes = bytes_from(record->bytes);
	uint64_t size;

	bytes_skip(&bytes, RECORD_HEADER);
	size = ((uint64_t)bytes_u32(&bytes) + 7) / 8 * 8;
	skip_bytes(reader, size);
}

uint64_t
reader_missing(const struct reader *reader)
{
	uint64_t missing = unread(&reader->stored);

	if (!reader->is_pipe && reader->end != READER_NO_END)
		missing += reader->end - reader->at;
	return missing;
}

void
reader_close(struct reader *reader)
{
	if (reader->zstd_runs)
		child_stop(&reader->zstd);
	free(reader->printed.data);
	if (reader->stored.block != NULL)
		blocks_drop(reader->blocks, reader->stored.block, 1);
	if (reader->decompressed.block != NULL)
		blocks_drop(reader->blocks, reader->decompressed.block, 1);
}
