#include <sys/stat.h>
#include <errno.h>
#include <unistd.h>

#include "lib/message.h"
#include "lib/sort.h"
#include "reader.h"

#define LARGE		((size_t)16 * 1024)	/* a stack copy is, above it */
#define FRONT		((size_t)1024)	/* in front of it, mostly fewer */
#define SMALL_READ	(FRONT + READER_KEPT)	/* where parts are left out */

#define ZSTD_SECONDS	60

/*
 * The largest ratio of unpacked to packed bytes.  A recording compresses less:
 * each sample has less than 64 KB, and a time of its own.
 */
#define RATIO_MOST	10000

/* Kinds of records to come, of the kernel and all, have lower numbers. */
#define KERNEL_MOST	32
#define TYPES_MOST	128

#define SMALL		((uint64_t)64 * 1024 * 1024)	/* of any ratio */

/* Returns the last gap up to a place in a block. */
static const struct gap *
find_gap(const struct block *block, size_t place)
{
	return &block->gaps[sort_up_to(place, block->gaps, block->gaps_count,
	    sizeof(*block->gaps)) - 1];
}

uint64_t
block_offset(const struct block *block, const struct record *record)
{
	size_t place = (size_t)(record->bytes.data - block->data);
	const struct gap *gap = find_gap(block, place);

	return gap->end + (block->is_unpacked ? 0 : place - gap->place);
}

void
block_find_stack(const struct block *block, struct sample_user *user)
{
	size_t place = (size_t)(user->stack.data - block->data) +
	    user->stack_size;
	const struct gap *gap = find_gap(block, place);

	if (gap->place != place)
		return;
	user->stack_size += (size_t)(gap->end - gap->at);
	user->stack.len = (size_t)gap->filled;
	user->fd = block->fd;
	user->at = gap->at;
}

uint64_t
reader_given(const struct reader *reader)
{
	return reader->at - reader->stored.rest.len;
}

/* Returns how many bytes the block has from the rest of its records on. */
static size_t
room_of(const struct stream *stream)
{
	return stream->block == NULL ? 0 : (size_t)(stream->block->data +
	    BLOCK_BYTES - stream->rest.data);
}

/* Goes on in a free block, with what was not given out yet. */
static void
renew_block(struct reader *reader, struct stream *stream)
{
	struct blocks *blocks = reader->blocks;
	struct block *old = stream->block, *block;
	size_t i = 0;

	while (i < blocks->count && blocks->list[i]->held > 0)
		i++;
	if (i == blocks->count)
		*LIST_ADD(blocks->list, blocks->count, blocks->room) =
		    mem_array(1, sizeof(*block));
	block = blocks->list[i];
	block->held = 1;
	blocks->used++;
	block->gaps[0] = (struct gap){ .end = reader_given(reader) };
	block->gaps_count = 1;
	block->is_unpacked = stream == &reader->decompressed;
	block->fd = reader->fd;
	if (stream->rest.len > 0)
		memcpy(block->data, stream->rest.data, stream->rest.len);
	stream->block = block;
	stream->rest.data = block->data;
	if (old != NULL)
		blocks_drop(blocks, old);
}

ssize_t
reader_pread(int fd, char *data, size_t len, uint64_t at)
{
	size_t done = 0;
	ssize_t got;

	do {
		got = pread(fd, data + done, len - done, (off_t)(at + done));
		done += got > 0 ? (size_t)got : 0;
	} while ((got > 0 && done < len) || (got < 0 && errno == EINTR));
	return done > 0 ? (ssize_t)done : got;
}

/* Reads into the rest of the block; false if a file's records are read. */
static bool
read_more(struct reader *reader, struct stream *stream)
{
	size_t room = room_of(stream) - stream->rest.len;
	char *data = stream->block->data + BLOCK_BYTES - room;
	uint64_t left = reader->end - reader->at;
	ssize_t got = 0;

	if (stream->ahead.len > 0) {
		got = (ssize_t)(room < stream->ahead.len ? room :
		    stream->ahead.len);
		memcpy(data, stream->ahead.data, (size_t)got);
		stream->ahead = str_skip(stream->ahead, (size_t)got);
	} else if (stream == &reader->decompressed)
		return false;
	else if (reader->is_pipe)
		do
			got = read(reader->fd, data, room);
		while (got < 0 && errno == EINTR);
	else if (left > 0) {
		if (reader->leaves_out && room > SMALL_READ)
			room = SMALL_READ;
		got = reader_pread(reader->fd, data, left < room ?
		    (size_t)left : room, reader->at);
	}
	if (got < 0)
		reader->failed = errno;
	if (got <= 0)
		return false;
	stream->rest.len += (size_t)got;
	if (stream == &reader->stored)
		reader->at += (uint64_t)got;
	return true;
}

/* True if `need` bytes, less than a block has, can be given out. */
static bool
has_bytes(struct reader *reader, struct stream *stream, size_t need)
{
	while (stream->rest.len < need) {
		if (room_of(stream) < need)
			renew_block(reader, stream);
		if (!read_more(reader, stream))
			return false;
	}
	return true;
}

bool
reader_take_bytes(struct reader *reader, uint64_t len, struct text *text)
{
	struct str *rest = &reader->stored.rest, bytes;

	while (len > 0 && has_bytes(reader, &reader->stored, 1)) {
		bytes = str_take(*rest, rest->len < len ? rest->len :
		    (size_t)len);
		if (text != NULL)
			text_add(text, bytes);
		*rest = str_skip(*rest, bytes.len);
		len -= bytes.len;
	}
	return len == 0;
}

/*
 * Cuts the next record, of *len bytes: drops the bytes from `start`, up to
 * which it is there, to `end`, notes the gap, and reads what follows.
 */
static void
cut_record(struct reader *reader, size_t *len, size_t start, size_t end)
{
	struct stream *stream = &reader->stored;
	struct block *block;
	struct gap *gap;
	char *record, *filled;

	*len -= end - start;
	if (room_of(stream) < *len + SMALL_READ)
		renew_block(reader, stream);
	block = stream->block;
	record = block->data + BLOCK_BYTES - room_of(stream);
	filled = record + start;
	reader->at -= stream->rest.len - start;
	stream->rest.len = start;
	gap = &block->gaps[block->gaps_count++];
	*gap = (struct gap){ .place = (size_t)(filled - block->data),
	    .at = reader->at, .end = reader->at + (end - start) };
	reader->at = gap->end;
	record[6] = (char)*len;
	record[7] = (char)(*len >> 8);
	attr_put_word(filled - READER_KEPT - ATTR_WORD, READER_KEPT);
	reader->leaves_out = true;
	if (!has_bytes(reader, stream, *len))
		return;
	gap->filled = attr_word(filled);
	if (gap->filled > READER_KEPT &&
	    gap->filled <= READER_KEPT + (end - start))
		attr_put_word(filled, READER_KEPT);
}

/*
 * Leaves out the part of the next record, of *len bytes, that need not be read;
 * false if it has none, or the file ends before.
 */
static bool
leave_out(struct reader *reader, size_t *len)
{
	struct stream *stream = &reader->stored;
	const struct attr *attr;
	struct record_sample sample;
	struct record record;
	struct bytes bytes;
	struct stat status;
	size_t start, end;

	if (*len <= LARGE || reader->is_pipe ||
	    !has_bytes(reader, stream, FRONT))
		return false;
	record = record_at(stream->rest.data);
	if (record.type != RECORD_SAMPLE)
		return false;
	if (record.bytes.len > stream->rest.len)
		record.bytes.len = stream->rest.len;
	attr = attrs_of_sample(reader->attrs, record.bytes);
	if (attr == NULL ||
	    !record_sample_front(&record, attr, &sample, &bytes) ||
	    sample.user.stack_size <= LARGE)
		return false;
	start = record.bytes.len - bytes_left(&bytes);
	end = start + sample.user.stack_size;
	start += READER_KEPT;
	if (end + ATTR_WORD > *len || !has_bytes(reader, stream, start))
		return false;
	if (stream->rest.len >= end)
		return true;
	if (reader->size == 0 && fstat(reader->fd, &status) == 0 &&
	    S_ISREG(status.st_mode))
		reader->size = (uint64_t)status.st_size;
	if (reader_given(reader) + *len > reader->size ||
	    reader_given(reader) + *len > reader->end)
		return false;
	cut_record(reader, len, start, end);
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
		*record = record_at(stream->rest.data);
		len = record->bytes.len;
		if (stream != &reader->stored || record->misc == 0 ||
		    record->type <= RECORD_SIMPLEPERF ||
		    record->type >= RECORD_SIMPLEPERF_END)
			break;
		/* no block can hold one of simpleperf's large records */
		start = reader_given(reader);
		if (!reader_take_bytes(reader,
		    (uint64_t)record->misc << 16 | len, NULL))
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
	reader->leaves_out = stream == &reader->stored &&
	    leave_out(reader, &len);
	if (!has_bytes(reader, stream, len))
		return false;
	*record = record_at(stream->rest.data);
	*block = stream->block;
	stream->rest = str_skip(stream->rest, len);
	return true;
}

/* Lets zstd take some input, or print some of what it has. */
static void
exchange(struct reader *reader)
{
	struct str *input = &reader->packed;
	size_t len = input->len;
	ssize_t got;

	reader->printed.len = 0;
	got = child_exchange(&reader->zstd, input, &reader->printed,
	    ZSTD_SECONDS);
	reader->decompressed.ahead = text_str(&reader->printed);
	reader->taken += len - input->len;
	reader->made += reader->printed.len;
	reader->is_bomb = reader->made > SMALL &&
	    reader->made / RATIO_MOST > reader->taken;
	if (got > 0 && !reader->is_bomb)
		return;
	/* zstd may end before it has read everything; its status says why */
	reader->zstd_failed |= got != 0 || reader->zstd.to >= 0 ||
	    !child_finish(&reader->zstd);
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
	uint64_t header, step;

	for (; bytes.len > 0; bytes = str_skip(bytes, (size_t)step)) {
		step = frame->skip < bytes.len ? frame->skip : bytes.len;
		frame->skip -= step;
		if (step > 0)
			continue;
		step = 1;
		frame->header |= (uint64_t)(uint8_t)*bytes.data <<
		    8 * frame->len++;
		if (!frame->is_open && frame->len == 5) {
			header = frame->header >> 32;
			frame->is_open = true;
			frame->ends_in = (header & 4) != 0 ? 4 : 0;
			frame->skip = (uint64_t)dictionary[header & 3] +
			    content[header >> 6] +
			    ((header & 32) == 0 || header >> 6 == 0);
		} else if (frame->is_open && frame->len == 3) {
			header = frame->header;
			frame->is_open = (header & 1) == 0;
			frame->skip = ((header >> 1 & 3) == 1 ? 1 :
			    header >> 3) + (frame->is_open ? 0 :
			    frame->ends_in);
		} else
			continue;
		frame->header = frame->len = 0;
	}
}

/* Begins to decompress what a record holds. */
static void
read_compressed(struct reader *reader, const struct record *record)
{
	char zstd[] = "zstd", options[] = "-dcq";
	char *const argv[] = { zstd, options, NULL };
	struct bytes bytes = bytes_from(str_skip(record->bytes, RECORD_HEADER));
	uint64_t size = record->type == RECORD_COMPRESSED ?
	    bytes_left(&bytes) : bytes_u64(&bytes);

	if (!reader->is_compressed) {
		reader->is_compressed = true;
		if (!child_start(&reader->zstd, argv, CHILD_PIPE))
			reader->no_zstd = errno;
	}
	if (reader->zstd.pid > 0)
		reader->packed = bytes_text(&bytes, size);
	follow(&reader->frame, reader->packed);
}

bool
reader_find_next(struct reader *reader, struct record *record,
    struct block **block)
{
	while (!reader->damaged) {
		if (reader->is_compressed && take_record(reader,
		    &reader->decompressed, record, block))
			return true;
		if (reader->packed.len > 0)
			exchange(reader);
		else if (take_record(reader, &reader->stored, record, block)) {
			if (record->type != RECORD_COMPRESSED &&
			    record->type != RECORD_COMPRESSED2)
				return true;
			read_compressed(reader, record);
		} else if (reader->damaged || reader->zstd.pid == 0)
			return false;
		else if (reader->frame.is_open) {
			/* as perf leaves it; zstd would drop its last block */
			reader->frame.is_open = false;
			reader->packed = STR("\1\0\0");	/* an empty one */
		} else {
			child_end_input(&reader->zstd);
			exchange(reader);
		}
	}
	return false;
}

bool
reader_report(const struct reader *reader, bool was_killed)
{
	struct str rest = reader->stored.rest;
	unsigned long long missing = rest.len + reader->partial;
	unsigned long long given = reader_given(reader);
	const char *name = reader->name;
	/* what zstd printed may end inside a record */
	bool lacks_unpacked = reader->zstd_failed || (reader->made_known &&
	    reader->decompressed.rest.len > 0);

	/* perf record -o - > perf.data 2>&1 */
	if (str_starts(rest, STR("[ perf record: ")))
		missing = 0;
	if (reader->end != READER_NO_END)
		missing += reader->end - reader->at;
	if (reader->failed != 0)
		message_warn("%s: %s", name, strerror(reader->failed));
	if (reader->no_zstd != 0)
		message_warn("%s: it is compressed, and zstd cannot be run: %s",
		    name, strerror(reader->no_zstd));
	else if (reader->is_bomb)
		message_warn("%s: the compressed data before byte %llu expands "
		    "more than %d times; the rest is left out", name, given,
		    RATIO_MOST);
	else if (!reader->damaged && lacks_unpacked)
		message_warn("%s: zstd cannot decompress all of it", name);
	if (reader->damaged)
		message_warn("%s is damaged at byte %llu; bytes that follow "
		    "and are left out: %llu", name, given, missing);
	else if (was_killed)
		message_warn("%s: perf record was killed; bytes at the end "
		    "that are not a complete record: %llu", name, missing);
	else if (missing > 0 && reader->end == READER_NO_END)
		message_warn("%s is cut off; bytes at its end that are not a "
		    "complete record: %llu", name, missing);
	else if (missing > 0)
		message_warn("%s is cut off; bytes that are missing at its "
		    "end: %llu", name, missing);
	return reader->failed != 0 || reader->no_zstd != 0 || lacks_unpacked ||
	    reader->damaged || missing > 0;
}
