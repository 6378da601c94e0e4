#include <sys/stat.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/sort.h"
#include "reader.h"

/* Bytes of a sample in front of its stack, mostly fewer. */
#define FRONT		((size_t)1024)

/* What is read at once where parts are left out. */
#define SMALL_READ	(FRONT + READER_KEPT)

#define ZSTD_SECONDS	60

/* Kinds of records to come, of the kernel and all, have lower numbers. */
#define KERNEL_MOST	32
#define TYPES_MOST	128

#define PRINTED_MOST	((size_t)1024 * 1024)	/* by zstd, and not read */
#define SMALL		((uint64_t)64 * 1024 * 1024)	/* of any ratio */

struct block *
blocks_take(struct blocks *blocks)
{
	struct block *block = blocks->free;

	if (block != NULL)
		blocks->free = block->next;
	else {
		block = mem_array(1, sizeof(*block) + BLOCK_BYTES);
		blocks->list = mem_grow(blocks->list, &blocks->room,
		    blocks->count + 1, sizeof(*blocks->list));
		block->number = (uint32_t)blocks->count;
		blocks->list[blocks->count++] = block;
	}
	blocks->used++;
	block->data = (char *)(block + 1);
	block->len = block->gaps_count = 0;
	block->held = 1;
	block->is_unpacked = false;
	block->fd = -1;
	return block;
}

static bool
is_up_to(const void *gap, const void *place)
{
	return ((const struct gap *)gap)->place <= *(const size_t *)place;
}

/* Returns the last gap up to a place in a block, or NULL. */
static const struct gap *
find_gap(const struct block *block, const char *data)
{
	size_t place = (size_t)(data - block->data);
	size_t count = lower_bound(&place, block->gaps, block->gaps_count,
	    sizeof(*block->gaps), is_up_to);

	return count > 0 ? &block->gaps[count - 1] : NULL;
}

uint64_t
block_offset(const struct block *block, const struct record *record)
{
	const struct gap *gap = find_gap(block, record->bytes.data);
	size_t place = (size_t)(record->bytes.data - block->data);

	if (block->is_unpacked)
		return block->at;
	return gap == NULL ? block->at + place : gap->end + place - gap->place;
}

void
block_find_stack(const struct block *block, struct sample_user *user)
{
	const struct gap *gap = find_gap(block,
	    user->stack.data + user->stack_size);

	if (gap == NULL || block->data + gap->place !=
	    user->stack.data + user->stack_size)
		return;
	user->stack_size += (size_t)(gap->end - gap->at);
	user->stack.len = (size_t)gap->filled;
	user->fd = block->fd;
	user->at = gap->at;
}

void
blocks_release(struct blocks *blocks, struct block *block)
{
	block->next = blocks->free;
	blocks->free = block;
	blocks->used--;
}

void
blocks_free(struct blocks *blocks)
{
	while (blocks->count > 0)
		free(blocks->list[--blocks->count]);
	free(blocks->list);
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
	struct block *old = stream->block, *block = blocks_take(reader->blocks);

	block->len = unread(stream);
	block->at = reader->given;
	block->is_unpacked = stream == &reader->decompressed;
	block->fd = reader->is_pipe || block->is_unpacked ? -1 : reader->fd;
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

	if (reader->ahead.len > 0) {
		if (room > reader->ahead.len)
			room = reader->ahead.len;
		memcpy(data, reader->ahead.data, room);
		reader->ahead = str_skip(reader->ahead, room);
		return (ssize_t)room;
	}
	do
		got = read(reader->fd, data, room);
	while (got < 0 && errno == EINTR);
	return got;
}

ssize_t
reader_pread(int fd, char *data, size_t len, uint64_t at)
{
	ssize_t got;

	do
		got = pread(fd, data, len, (off_t)at);
	while (got < 0 && errno == EINTR);
	return got;
}

/* Reads into the rest of the block; false if a file's records are read. */
static bool
read_more(struct reader *reader, struct stream *stream)
{
	struct block *block = stream->block;
	char *data = block->data + block->len;
	size_t room = BLOCK_BYTES - block->len;
	uint64_t left;
	struct text *printed = &reader->printed;
	ssize_t got = 0;

	if (stream == &reader->decompressed) {
		left = printed->len - reader->printed_start;
		room = room < left ? room : (size_t)left;
		if (room > 0)
			memcpy(data, printed->data + reader->printed_start,
			    room);
		reader->printed_start += room;
		if (reader->printed_start == printed->len)
			reader->printed_start = printed->len = 0;
		block->len += room;
		return room > 0;
	}
	if (reader->at_end)
		return false;
	left = reader->end - reader->at;
	if (reader->leaves_out && room > SMALL_READ)
		room = SMALL_READ;
	if (reader->is_pipe)
		got = reader_read_pipe(reader, data, room);
	else if (left > 0)
		got = reader_pread(reader->fd, data, left < room ?
		    (size_t)left : room, reader->at);
	reader->at += got > 0 ? (uint64_t)got : 0;
	if (got < 0)
		reader->failed = errno;
	if (got <= 0)
		reader->at_end = true;
	else
		block->len += (size_t)got;
	return got > 0;
}

/* True if `need` bytes, less than a block has, can be given out. */
static bool
has_bytes(struct reader *reader, struct stream *stream, size_t need)
{
	while (unread(stream) < need) {
		if (stream->block == NULL ||
		    BLOCK_BYTES - stream->next < need)
			renew_block(reader, stream);
		if (!read_more(reader, stream))
			return false;
	}
	return true;
}

/* Takes bytes that are no records, or skips them; false at the end. */
static bool
take_bytes(struct reader *reader, uint64_t len, struct text *text)
{
	struct stream *stream = &reader->stored;
	uint64_t step;

	while (len > 0 && has_bytes(reader, stream, 1)) {
		step = unread(stream) < len ? unread(stream) : len;
		if (text != NULL)
			text_add(text, (struct str){ stream->block->data +
			    stream->next, (size_t)step });
		stream->next += (size_t)step;
		reader->given += step;
		len -= step;
		if (text != NULL || len == 0 || reader->is_pipe)
			continue;
		step = len < reader->end - reader->at ? len :
		    reader->end - reader->at;
		reader->at += step;
		reader->given += step;
		break;
	}
	return len == 0;
}

/* Finds the part of a record that may be left out, from its first bytes. */
static bool
find_unneeded(const struct reader *reader, struct record record,
    size_t *start, size_t *end)
{
	const struct attr *attr;
	size_t size;

	if (record.type != RECORD_SAMPLE)
		return false;
	attr = attrs_of_sample(reader->attrs, record.bytes);
	if (attr == NULL ||
	    !record_find_stack(&record, attr, start, &size) ||
	    size <= READER_LARGE)
		return false;
	*end = *start + size;
	*start += READER_KEPT;
	return true;
}

/*
 * Cuts the next record, of *len bytes: drops the bytes from `start`, up to
 * which it is there, to `end`, and notes the gap.
 */
static void
cut_record(struct reader *reader, struct stream *stream, size_t *len,
    size_t start, size_t end)
{
	struct block *block;
	char *record;

	*len -= end - start;
	if (BLOCK_BYTES - stream->next < *len + SMALL_READ)
		renew_block(reader, stream);
	block = stream->block;
	reader->at -= unread(stream) - start;
	block->len = stream->next + start;
	block->gaps[block->gaps_count++] = (struct gap){ .place = block->len,
	    .at = reader->at, .end = reader->at + (end - start) };
	reader->at += end - start;
	record = block->data + stream->next;
	record_put_size(record, *len);
	attr_put_word(record + start - READER_KEPT - ATTR_WORD, READER_KEPT);
}

/*
 * Leaves out the part of the next record, of *len bytes, that need not be read;
 * false if it has none, or the file ends before.
 */
static bool
leave_out(struct reader *reader, struct stream *stream, size_t *len)
{
	struct record record;
	struct stat status;
	struct gap *gap;
	size_t start, end;
	char *filled;

	if (*len <= READER_LARGE || stream == &reader->decompressed ||
	    reader->is_pipe || !has_bytes(reader, stream, FRONT))
		return false;
	record = record_at(stream->block->data + stream->next);
	record.bytes.len = unread(stream) < *len ? unread(stream) : *len;
	if (!find_unneeded(reader, record, &start, &end) ||
	    end + ATTR_WORD > *len || !has_bytes(reader, stream, start))
		return false;
	if (unread(stream) >= end)
		return true;
	if (reader->size == 0 && fstat(reader->fd, &status) == 0 &&
	    S_ISREG(status.st_mode))
		reader->size = (uint64_t)status.st_size;
	if (reader->given + *len > reader->size ||
	    reader->given + *len > reader->end)
		return false;
	cut_record(reader, stream, len, start, end);
	reader->leaves_out = true;
	if (!has_bytes(reader, stream, *len))
		return true;
	reader->given += end - start;
	gap = &stream->block->gaps[stream->block->gaps_count - 1];
	filled = stream->block->data + gap->place;
	gap->filled = attr_word(filled);
	if (gap->filled > READER_KEPT &&
	    gap->filled <= READER_KEPT + (gap->end - gap->at))
		attr_put_word(filled, READER_KEPT);
	return true;
}

static bool
take_record(struct reader *reader, struct stream *stream,
    struct record *record, struct block **block)
{
	uint64_t start;
	size_t len;
	bool is_known;

	/* to fill what little room is left costs as much as to read more */
	if (reader->leaves_out && stream->block != NULL &&
	    BLOCK_BYTES - stream->block->len < SMALL_READ)
		renew_block(reader, stream);
	for (;;) {
		if (reader->damaged ||
		    !has_bytes(reader, stream, RECORD_HEADER))
			return false;
		*record = record_at(stream->block->data + stream->next);
		len = record->bytes.len;
		if (stream != &reader->stored || record->misc == 0 ||
		    record->type <= RECORD_SIMPLEPERF ||
		    record->type >= RECORD_SIMPLEPERF_END)
			break;
		/* no block can hold one of simpleperf's large records */
		start = reader->given;
		if (!take_bytes(reader, (uint64_t)record->misc << 16 | len,
		    NULL))
			reader->partial = reader->given - start;
	}
	reader->damaged = len < RECORD_HEADER;
	/*
	 * zstd need not notice that its input is damaged, but once it printed
	 * a record that the kernel or perf writes, all others are known, too.
	 */
	if (stream == &reader->decompressed && !reader->damaged) {
		is_known = len % sizeof(uint64_t) == 0 && record->type > 0 &&
		    record->type < TYPES_MOST && (record->type < KERNEL_MOST ||
		    record->type >= RECORD_OWN);
		reader->damaged = reader->made_known && !is_known;
		reader->made_known |= is_known;
	}
	if (reader->damaged)
		return false;
	reader->leaves_out = leave_out(reader, stream, &len);
	if (!has_bytes(reader, stream, len))
		return false;
	*record = record_at(stream->block->data + stream->next);
	*block = stream->block;
	stream->next += len;
	reader->given += stream == &reader->stored ? len : 0;
	return true;
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
	/* zstd may end before it has read everything; its status says why */
	if (got == 0 && child_finish(&reader->zstd))
		reader->zstd_runs = false;
	else
		reader->zstd_failed = true;
	reader->zstd_failed |= !reader->zstd_ends;
	if (reader->zstd_runs)
		child_stop(&reader->zstd);
	reader->zstd_runs = false;
	reader->packed.len = 0;
}

/*
 * Follows the headers of frames and blocks (RFC 8878) in what zstd is to read,
 * to know whether a frame is open at its end.
 */
static void
follow(struct zstd_frame *frame, struct str bytes)
{
	static const uint8_t dictionary[] = { 0, 1, 2, 4 };
	static const uint8_t content[] = { 0, 2, 4, 8 };
	uint32_t header;
	uint64_t step;

	for (; bytes.len > 0; bytes = str_skip(bytes, (size_t)step)) {
		step = frame->skip < bytes.len ? frame->skip : bytes.len;
		frame->skip -= step;
		if (step > 0)
			continue;
		step = 1;
		frame->header[frame->len++] = (uint8_t)bytes.data[0];
		if (!frame->is_open && frame->len == 5) {
			header = frame->header[4];
			frame->is_open = true;
			frame->ends_in = (header & 4) != 0 ? 4 : 0;
			frame->skip = (uint64_t)dictionary[header & 3] +
			    content[header >> 6] +
			    ((header & 32) == 0 || header >> 6 == 0);
		} else if (frame->is_open && frame->len == 3) {
			header = (uint32_t)(frame->header[0] |
			    frame->header[1] << 8 | frame->header[2] << 16);
			frame->is_open = (header & 1) == 0;
			frame->skip = ((header >> 1 & 3) == 1 ? 1 :
			    header >> 3) + (frame->is_open ? 0 :
			    frame->ends_in);
		} else
			continue;
		frame->len = 0;
	}
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
	follow(&reader->frame, reader->packed);
}

/*
 * Takes the rest of zstd's output.  perf leaves the last frame open, and zstd
 * would drop its last block, so an empty last block is added.
 */
static bool
finish_zstd(struct reader *reader)
{
	struct str nothing = STR("");

	if (!reader->zstd_runs)
		return false;
	if (!reader->zstd_ends) {
		reader->zstd_ends = true;
		reader->packed = (struct str){ "\1\0\0",
		    reader->frame.is_open ? 3 : 0 };
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
			while (reader->packed.len > 0 &&
			    reader->printed.len < PRINTED_MOST)
				exchange(reader, &reader->packed);
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

bool
reader_take_data(struct reader *reader, const struct record *record,
    uint64_t most, struct text *text)
{
	struct bytes bytes = bytes_from(record->bytes);
	uint64_t size;

	bytes_skip(&bytes, RECORD_HEADER);
	size = bytes_u32(&bytes);
	/* simpleperf stored them in the record */
	if (size <= bytes_left(&bytes)) {
		text_add(text, bytes_text(&bytes, size));
		return true;
	}
	size = (size + 7) / 8 * 8;
	if (size <= most)
		return take_bytes(reader, size, text);
	take_bytes(reader, size, NULL);
	return false;
}

bool
reader_lacks_unpacked(const struct reader *reader)
{
	return reader->zstd_failed || (reader->made_known &&
	    unread(&reader->decompressed) + reader->printed.len >
	    reader->printed_start);
}

uint64_t
reader_missing(const struct reader *reader)
{
	const struct stream *stream = &reader->stored;
	uint64_t missing = unread(stream) + reader->partial;

	/* perf record -o - > perf.data 2>&1 */
	if (unread(stream) > 0 && str_starts((struct str){
	    stream->block->data + stream->next, unread(stream) },
	    STR("[ perf record: ")))
		missing = 0;
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
