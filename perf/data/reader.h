/*
 * reader: reads the records of a file, or of a pipe from perf record.
 *
 * Only blocks with records in use are in memory.  Of large stack copies, only
 * the first bytes are read, since few samples need more.  The block stores the
 * sample as if its stack copy were that short; a gap records where the rest
 * lies in the file:
 *
 *	file	| sample, registers, stack ...      end | sample, registers, ...
 *		|-------- read -------|  left out  |------- read -------|
 *	block	| sample, registers, stack  end | sample, registers, ...
 *	                               gap
 *
 * Compressed data (perf record -z) is one stream through all records that carry
 * a part of it; zstd(1) decompresses it, and its records come as it prints
 * them, between the others.  Data that become READER_RATIO times larger are no
 * recording: a sample has less than 64 KB, and its time is like no other's.
 */
#ifndef READER_H
#define READER_H

#include "lib/child.h"
#include "lib/mem.h"
#include "record.h"

#define READER_RATIO	10000

/* Blocks of a reader: the first and last of a turn, and what zstd printed. */
#define READER_BLOCKS	3

/*
 * Of larger copies of stacks the first bytes are read.  They are enough for 95
 * of 100 samples of a small program, and nearly half of those of g++.
 */
#define READER_LARGE	((size_t)16 * 1024)
#define READER_KEPT	((size_t)2048)

#define BLOCK_BYTES	((size_t)256 * 1024)

/* The rest of a stack copy, left in the file. */
struct gap {
	size_t place;		/* in the block, where it was left out */
	uint64_t at;		/* in the file, where it begins... */
	uint64_t end;		/* ...and ends */
	uint64_t filled;	/* bytes of the full copy that are in use */
};

/* Memory with records. */
struct block {
	struct block *next;	/* in the free list */
	uint32_t number;	/* its place in the list of all */
	char *data;
	size_t len;
	struct gap gaps[BLOCK_BYTES / READER_KEPT];
	size_t gaps_count;
	size_t held;		/* how often, by the queue and the reader */
	uint64_t at;		/* in the file, where its data begin... */
	bool is_unpacked;	/* ...or what they were unpacked from ends */
	int fd;			/* the file; -1: all that it has is here */
};

/* The blocks of all readers of a recording; begins as { 0 }. */
struct blocks {
	struct block **list;	/* of all */
	size_t count, room;
	struct block *free;
	size_t used;		/* blocks that are not free */
};

/* Returns an empty block of BLOCK_BYTES, held once. */
struct block *blocks_take(struct blocks *blocks);

/* Returns where a record in a block is in its file, or the packed one is. */
uint64_t block_offset(const struct block *block, const struct record *record);

/* Finds the full size of a stack copy in a block, and where the rest is. */
void block_find_stack(const struct block *block, struct sample_user *user);

/* Frees a block that nothing holds. */
void blocks_release(struct blocks *blocks, struct block *block);

/* Lets go of a block that was held `count` times. */
static inline void
blocks_drop(struct blocks *blocks, struct block *block, size_t count)
{
	block->held -= count;
	if (block->held == 0)
		blocks_release(blocks, block);
}

void blocks_free(struct blocks *blocks);

/* A sequence of records. */
struct stream {
	struct block *block;	/* NULL at first */
	size_t next;		/* the first that was not given out */
};

/* Where in a frame of zstd the bytes end that it was given. */
struct zstd_frame {
	bool is_open;		/* more blocks follow */
	uint8_t header[5];	/* of the frame, or the next block */
	size_t len;		/* bytes of the header so far */
	uint64_t skip;		/* bytes before the next header */
	uint32_t ends_in;	/* bytes after the last block */
};

struct reader {
	struct blocks *blocks;
	struct attrs *attrs;	/* which tell where a stack is in a sample */
	const char *name;	/* of the file, for messages */
	int fd;
	bool is_pipe;
	bool leaves_out;	/* a part of the last record */
	uint64_t size;		/* of a regular file, once it is needed */
	uint64_t at, end;	/* of a file: its records not read yet */
#define READER_NO_END	((uint64_t)INT64_MAX)	/* they end with the file */
	struct str ahead;	/* bytes of a pipe that were read before */
	struct stream stored;
	bool at_end;
	uint64_t time;		/* of the last record that has one, or 0; for
				   datafile */
	bool is_done;		/* all was read; the same */
	int failed;		/* errno of a read, or 0 */
	bool damaged;		/* a record is shorter than its header */
	uint64_t given;		/* the end of the stored records given out */
	uint64_t partial;	/* bytes of a large record that is cut off */

	bool is_compressed;
	int no_zstd;		/* errno, if it does not run, or 0 */
	bool zstd_runs, zstd_ends, zstd_failed;
	struct child zstd;
	struct zstd_frame frame;
	struct str packed;	/* of a stored record, what zstd did not take */
	uint64_t taken, made;	/* bytes that it did, and that it printed */
	bool made_known;	/* it printed records that we know */
	bool is_bomb;		/* they are more than a recording's */
	struct text printed;	/* by zstd, unread from printed_start on */
	size_t printed_start;
	struct stream decompressed;
};

#define READER_AHEAD	1024	/* bytes that are read in 300 ns or so */

/* Does the work of reader_next, where that is more than to give it out. */
bool reader_find_next(struct reader *reader, struct record *record,
    struct block **block);

/*
 * Takes the next record, and the block that it is in, where it stays until
 * another is taken and nothing holds the block.  False at the end.
 */
static inline bool
reader_next(struct reader *reader, struct record *record,
    struct block **block)
{
	struct stream *stream = &reader->stored;
	size_t left;

	if (reader->is_compressed || stream->block == NULL)
		return reader_find_next(reader, record, block);
	left = stream->block->len - stream->next;
	if (left < RECORD_HEADER)
		return reader_find_next(reader, record, block);
	/* mostly it is in the block */
	prefetch(stream->block->data + stream->next + READER_AHEAD);
	*record = record_at(stream->block->data + stream->next);
	if (record->bytes.len < RECORD_HEADER || record->bytes.len > left ||
	    record->type >= RECORD_COMPRESSED)
		return reader_find_next(reader, record, block);
	*block = stream->block;
	stream->next += record->bytes.len;
	reader->given += record->bytes.len;
	return true;
}

/* Do read(2) and pread(2), again if a signal interrupts them. */
ssize_t reader_read_pipe(struct reader *reader, char *data, size_t room);
ssize_t reader_pread(int fd, char *data, size_t len, uint64_t at);

/*
 * Adds the data in or after a RECORD_TRACING_DATA to the text.  Steps over more
 * than `most` bytes instead.  False if they are not all there, or too many.
 */
bool reader_take_data(struct reader *reader, const struct record *record,
    uint64_t most, struct text *text);

/* True if zstd failed, or its output so far ends inside a record. */
bool reader_lacks_unpacked(const struct reader *reader);

/* Returns how many bytes are missing, or not a record, at the end. */
uint64_t reader_missing(const struct reader *reader);

/* Frees all; no record is held any more. */
void reader_close(struct reader *reader);

#endif
