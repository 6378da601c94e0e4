/*
 * reader: reads the records of a file, or of a pipe from perf record.
 *
 * Records are in blocks of memory.  Of large stack copies, only the first bytes
 * are read: they are enough for 95 of 100 samples of a small program, and
 * nearly half of those of g++.  The block stores the sample as if its stack
 * copy were that short; a gap records where the rest lies in the file:
 *
 *	file	| sample, registers, stack ...      end | sample, registers, ...
 *		|-------- read -------|  left out  |------- read -------|
 *	block	| sample, registers, stack  end | sample, registers, ...
 *	                               gap
 *
 * Compressed data (perf record -z) is one stream through all records that carry
 * a part of it; zstd(1) decompresses it, and its records come as it prints
 * them, between the others.
 */
#ifndef READER_H
#define READER_H

#include "lib/child.h"
#include "lib/mem.h"
#include "record.h"

/* Blocks of a reader: the first and last of a turn, and what zstd printed. */
#define READER_BLOCKS	3

#define READER_KEPT	((size_t)2048)	/* bytes of a large stack copy */
#define BLOCK_BYTES	((size_t)256 * 1024)

/* The rest of a stack copy, left in the file. */
struct gap {
	uint64_t place;		/* in the block, where it was left out */
	uint64_t at;		/* in the file, where it begins... */
	uint64_t end;		/* ...and ends */
	uint64_t filled;	/* bytes of the full copy that are in use */
};

/* Memory with records. */
struct block {
	/* The first one has no bytes, and ends in the file where the data of
	   the block begin, or where their packed record ends. */
	struct gap gaps[1 + BLOCK_BYTES / READER_KEPT];
	size_t gaps_count;
	size_t held;		/* by so many; 0: it is free */
	bool is_unpacked;
	int fd;			/* the file with what gaps left out */
	char data[BLOCK_BYTES];
};

/* The blocks of all readers of a recording; begins as { 0 }. */
struct blocks {
	struct block **list;
	size_t count, room;
	size_t used;		/* blocks that are not free */
};

/* Returns where a record in a block is in its file, or the packed one is. */
uint64_t block_offset(const struct block *block, const struct record *record);

/* Finds the full size of a stack copy in a block, and where the rest is. */
void block_find_stack(const struct block *block, struct sample_user *user);

/* Lets go of a block; one that nothing holds may be used anew. */
static inline void
blocks_drop(struct blocks *blocks, struct block *block)
{
	blocks->used -= --block->held == 0;
}

/* A sequence of records. */
struct stream {
	struct block *block;	/* NULL at first */
	struct str rest;	/* what was not given out of it */
	struct str ahead;	/* bytes that were read for the next block */
};

/* Where in a frame zstd's input ends. */
struct zstd_frame {
	bool is_open;		/* more blocks follow */
	uint64_t header;	/* of the frame, or the next block... */
	size_t len;		/* ...which has so many bytes so far */
	uint64_t skip;		/* bytes before the next header */
	uint32_t ends_in;	/* bytes after the last block */
};

struct reader {
	struct blocks *blocks;
	struct attrs *attrs;
	const char *name;	/* of the file, for messages */
	int fd;
	bool is_pipe;
	bool leaves_out;	/* a part of the last record */
	uint64_t size;		/* of a regular file, once it is needed */
	uint64_t at, end;	/* of the records not read yet */
#define READER_NO_END	((uint64_t)INT64_MAX)	/* they end with the file */
	struct stream stored;
	uint64_t time;		/* for datafile: of the last record, or 0 */
#define READER_DONE	UINT64_MAX	/* all was read */
	int failed;		/* errno of a read, or 0 */
	bool damaged;		/* a record is shorter than its header */
	uint64_t partial;	/* bytes of a large record that is cut off */

	bool is_compressed;
	int no_zstd;		/* errno, if it does not run, or 0 */
	bool zstd_failed;
	struct child zstd;	/* pid 0 while it does not run */
	struct zstd_frame frame;
	struct str packed;	/* of a stored record, what zstd did not take */
	uint64_t taken, made;	/* bytes that zstd took, and printed */
	bool made_known;	/* it printed records that we know */
	bool is_bomb;		/* it printed too much */
	struct text printed;	/* by zstd, the last time */
	struct stream decompressed;
};

#define READER_AHEAD	1024	/* bytes that are read in 300 ns or so */

/* Does the work of reader_next if the record is not simply the next bytes. */
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

	if (reader->is_compressed || stream->rest.len < RECORD_HEADER)
		return reader_find_next(reader, record, block);
	/* mostly it is in the block */
	prefetch(stream->rest.data + READER_AHEAD);
	*record = record_at(stream->rest.data);
	if (record->bytes.len < RECORD_HEADER ||
	    record->bytes.len > stream->rest.len ||
	    record->type >= RECORD_COMPRESSED)
		return reader_find_next(reader, record, block);
	*block = stream->block;
	stream->rest = str_skip(stream->rest, record->bytes.len);
	return true;
}

/* Returns where in the file the records end that were given out. */
uint64_t reader_given(const struct reader *reader);

/* Does pread(2) until all is read, or the file ends. */
ssize_t reader_pread(int fd, char *data, size_t len, uint64_t at);

/* Adds bytes that are no records to a text, or skips them; false at the end. */
bool reader_take_bytes(struct reader *reader, uint64_t len, struct text *text);

/*
 * Reports how much of a file is missing, and why.  False if nothing is, for
 * example if perf record was killed after a complete record.
 */
bool reader_report(const struct reader *reader, bool was_killed);

#endif
