#include <sys/stat.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/message.h"
#include "lib/sort.h"
#include "reader.h"

#define LARGE		((size_t)16 * 1024)	/* a stack copy is, above it */
#define FRONT		((size_t)1024)	/* in front of it, mostly fewer */
#define SMALL_READ	(FRONT + READER_KEPT)	/* where parts are left out */

#define ZSTD_SECONDS	60

/*
 * Data that become so many times larger are no recording: a sample has less
 * than 64 KB, and a time of its own.
 */
#define RATIO_MOST	10000

/* Kinds of records to come, of the kernel and all, have lower numbers. */
#define KERNEL_MOST	32
#define TYPES_MOST	128

#define PRINTED_MOST	((size_t)1024 * 1024)	/* by zstd, and not read */
#define SMALL		((uint64_t)64 * 1024 * 1024)	/* of any ratio */

/* Returns an empty block, held once. */
static struct block *
take_block(struct blocks *blocks)
{
	struct block *block;
	size_t i = 0;

	while (i < blocks->count && blocks->list[i]->held > 0)
		i++;
	if (i == blocks->count) {
		block = mem_array(1, sizeof(*block));
		block->number = (uint32_t)i;
		*LIST_ADD(blocks->list, blocks->count, blocks->room) = block;
	}
	block = blocks->list[i];
	block->len = block->gaps_count = 0;
	block->held = 1;
	blocks->used++;
	return block;
}

/* Returns the last gap up to a place in a block, or NULL. */
static const struct gap *
find_gap(const struct block *block, size_t place)
{
	size_t count = sort_up_to(place, block->gaps, block->gaps_count,
	    sizeof(*block->gaps));

	return count > 0 ? &block->gaps[count - 1] : NULL;
}

uint64_t
block_offset(const struct block *block, const struct record *record)
{
	size_t place = (size_t)(record->bytes.data - block->data);
	const struct gap *gap = find_gap(block, place);

	if (block->is_unpacked)
		return block->at;
	return gap == NULL ? block->at + place : gap->end + place - gap->place;
}

void
block_find_stack(const struct block *block, struct sample_user *user)
{
	size_t place = (size_t)(user->stack.data - block->data) +
	    user->stack_size;
	const struct gap *gap = find_gap(block, place);

	if (gap == NULL || gap->place != place)
		return;
	user->stack_size += (size_t)(gap->end - gap->at);
	user->stack.len = (size_t)gap->filled;
	user->fd = block->fd;
	user->at = gap->at;
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

uint64_t
reader_given(const struct reader *reader)
{
	return reader->at - unread(&reader->stored);
}

/* Goes on in another block, with what was not given out yet. */
static void
renew_block(struct reader *reader, struct stream *stream)
{
	struct block *old = stream->block, *block = take_block(reader->blocks);

	block->len = unread(stream);
	block->at = reader_given(reader);
	block->is_unpacked = stream == &reader->decompressed;
	block->fd = reader->fd;
	if (block->len > 0)
		memcpy(block->data, old->data + stream->next, block->len);
	stream->block = block;
	stream->next = 0;
	if (old != NULL)
		blocks_drop(reader->blocks, old);
}

static ssize_t
read_pipe(struct reader *reader, char *data, size_t room)
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
		got = read_pipe(reader, data, room);
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
		len -= step;
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
	    size <= LARGE)
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
	record[6] = (char)*len;
	record[7] = (char)(*len >> 8);
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

	if (*len <= LARGE || stream == &reader->decompressed ||
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
	if (reader_given(reader) + *len > reader->size ||
	    reader_given(reader) + *len > reader->end)
		return false;
	cut_record(reader, stream, len, start, end);
	reader->leaves_out = true;
	if (!has_bytes(reader, stream, *len))
		return true;
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
		start = reader_given(reader);
		if (!take_bytes(reader, (uint64_t)record->misc << 16 | len,
		    NULL))
			reader->partial = reader_given(reader) - start;
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
	return true;
}

/* Lets zstd take some input, or print some of what it has. */
static void
exchange(struct reader *reader)
{
	struct str *input = &reader->packed;
	size_t before = reader->printed.len, len = input->len;
	ssize_t got = child_exchange(&reader->zstd, input, &reader->printed,
	    ZSTD_SECONDS);

	reader->taken += len - input->len;
	reader->made += reader->printed.len - before;
	reader->is_bomb = reader->made > SMALL &&
	    reader->made / RATIO_MOST > reader->taken;
	if (got > 0 && !reader->is_bomb)
		return;
	/* zstd may end before it has read everything; its status says why */
	reader->zstd_failed |= got != 0 || !child_finish(&reader->zstd) ||
	    !reader->zstd_ends;
	child_stop(&reader->zstd);
	input->len = 0;
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
		if (!child_start(&reader->zstd, argv, CHILD_PIPE))
			reader->no_zstd = errno;
	}
	if (reader->zstd.pid > 0)
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
	if (reader->zstd.pid == 0)
		return false;
	if (!reader->zstd_ends) {
		reader->zstd_ends = true;
		reader->packed = (struct str){ "\1\0\0",
		    reader->frame.is_open ? 3 : 0 };
		return true;
	}
	child_end_input(&reader->zstd);
	exchange(reader);
	return reader->zstd.pid > 0 || reader->printed.len > 0;
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
				exchange(reader);
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

/* True if zstd failed, or its output so far ends inside a record. */
static bool
lacks_unpacked(const struct reader *reader)
{
	return reader->zstd_failed || (reader->made_known &&
	    unread(&reader->decompressed) + reader->printed.len >
	    reader->printed_start);
}

/* Counts bytes at the end that are missing, or are not a record. */
static uint64_t
count_missing(const struct reader *reader)
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

bool
reader_report(const struct reader *reader, bool was_killed)
{
	unsigned long long missing = count_missing(reader);
	const char *name = reader->name;
	bool unread = reader->failed != 0 || reader->no_zstd != 0 ||
	    lacks_unpacked(reader);

	if (reader->failed != 0)
		message_warn("%s: %s", name, strerror(reader->failed));
	if (reader->no_zstd != 0)
		message_warn("%s: it is compressed, and zstd cannot be run: %s",
		    name, strerror(reader->no_zstd));
	else if (reader->is_bomb)
		message_warn("%s: the compressed data before byte %llu expands "
		    "more than %d times; the rest is left out", name,
		    (unsigned long long)reader_given(reader), RATIO_MOST);
	else if (!reader->damaged && lacks_unpacked(reader))
		message_warn("%s: zstd cannot decompress all of it", name);
	if (reader->damaged)
		message_warn("%s is damaged at byte %llu; bytes that follow "
		    "and are left out: %llu", name,
		    (unsigned long long)reader_given(reader), missing);
	else if (was_killed)
		message_warn("%s: perf record was killed; bytes at the end "
		    "that are not a complete record: %llu",
		    name, missing);
	else if (missing > 0 && reader->end == READER_NO_END)
		message_warn("%s is cut off; bytes at its end that are not a "
		    "complete record: %llu", name, missing);
	else if (missing > 0)
		message_warn("%s is cut off; bytes that are missing at its "
		    "end: %llu", name, missing);
	return unread || reader->damaged || missing > 0;
}

void
reader_close(struct reader *reader)
{
	child_stop(&reader->zstd);
	free(reader->printed.data);
	if (reader->stored.block != NULL)
		blocks_drop(reader->blocks, reader->stored.block);
	if (reader->decompressed.block != NULL)
		blocks_drop(reader->blocks, reader->decompressed.block);
}
