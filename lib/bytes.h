/*
 * bytes: a bounded reader of binary data, little-endian.
 *
 * No read goes beyond the end.  A read that would do so fails, and nothing is
 * left after it: from then on every number is 0, every text is empty, and every
 * reader taken from this one has failed, too.  So a parser need not check each
 * field; it looks at `failed` before it uses what it has read.  A loop over the
 * bytes always ends, as bytes_left becomes 0.
 *
 *	struct bytes header = bytes_from(file);
 *	uint32_t type = bytes_u32(&header);
 *	uint64_t size = bytes_u64(&header);
 *	struct bytes body = bytes_take(&header, size);
 *	if (body.failed)
 *		return "the file ends inside its header";
 *
 * A reader does not own its bytes: they live as long as what it was made from.
 */
#ifndef BYTES_H
#define BYTES_H

#include <stdint.h>

#include "str.h"

struct bytes {
	const unsigned char *start;	/* offsets count from here */
	const unsigned char *next;	/* read next */
	const unsigned char *end;
	bool failed;
};

/* Returns a reader of s from its start. */
struct bytes bytes_from(struct str s);

/* Makes a reader fail, where the caller finds something wrong. */
void bytes_fail(struct bytes *bytes);

/* Returns how many bytes are still to be read. */
static inline size_t
bytes_left(const struct bytes *bytes)
{
	return (size_t)(bytes->end - bytes->next);
}

/* Returns how many bytes come before the next one. */
static inline size_t
bytes_offset(const struct bytes *bytes)
{
	return (size_t)(bytes->next - bytes->start);
}

/*
 * Steps over len bytes and returns them, for this header and bytes.c; NULL,
 * after bytes_fail, if fewer are left.
 */
static inline const unsigned char *
bytes_step(struct bytes *bytes, uint64_t len)
{
	const unsigned char *at = bytes->next;

	if (len > bytes_left(bytes)) {
		bytes_fail(bytes);
		return NULL;
	}
	bytes->next += len;
	return at;
}

/* Return the next 1, 2, 4 or 8 bytes as a number. */
static inline uint8_t
bytes_u8(struct bytes *bytes)
{
	const unsigned char *at = bytes_step(bytes, 1);

	return at != NULL ? *at : 0;
}

static inline uint16_t
bytes_u16(struct bytes *bytes)
{
	const unsigned char *at = bytes_step(bytes, 2);

	return at != NULL ? (uint16_t)(at[0] | at[1] << 8) : 0;
}

static inline uint32_t
bytes_u32(struct bytes *bytes)
{
	const unsigned char *at = bytes_step(bytes, 4);

	return at != NULL ? (uint32_t)at[0] | (uint32_t)at[1] << 8 |
	    (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24 : 0;
}

/* Returns eight bytes as a number, whose lowest is the first. */
static inline uint64_t
bytes_word(const unsigned char *at)
{
	return (uint64_t)at[0] | (uint64_t)at[1] << 8 |
	    (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
	    (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 |
	    (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

static inline uint64_t
bytes_u64(struct bytes *bytes)
{
	const unsigned char *at = bytes_step(bytes, 8);

	return at != NULL ? bytes_word(at) : 0;
}

/* Read a number with a sign. */
static inline int32_t
bytes_i32(struct bytes *bytes)
{
	return (int32_t)bytes_u32(bytes);
}

/*
 * Returns the next `size` bytes as a number, for formats that say how long
 * their addresses and offsets are; fails unless size is at most 8.
 */
uint64_t bytes_uint(struct bytes *bytes, size_t size);

/* Does the same with a number that has a sign. */
int64_t bytes_int(struct bytes *bytes, size_t size);

/*
 * Return the next number in LEB128: seven bits a byte, the lowest first, the
 * top bit set in all bytes but the last.  Fail if it needs more than 64 bits;
 * bytes that add nothing to it are allowed, as some compilers write them.
 */
uint64_t bytes_long_uleb(struct bytes *bytes);
int64_t bytes_sleb(struct bytes *bytes);

/* Most numbers have one byte. */
static inline uint64_t
bytes_uleb(struct bytes *bytes)
{
	return bytes->next < bytes->end && *bytes->next < 0x80 ?
	    *bytes->next++ : bytes_long_uleb(bytes);
}

/* Steps over len bytes. */
void bytes_skip(struct bytes *bytes, uint64_t len);

/* Steps to the next offset that is a multiple of `size`, not 0. */
void bytes_align(struct bytes *bytes, size_t size);

/* Moves to an offset, forward or back, up to the end. */
void bytes_seek(struct bytes *bytes, uint64_t offset);

/* Steps over len bytes, and returns a reader of these alone. */
struct bytes bytes_take(struct bytes *bytes, uint64_t len);

/*
 * Returns a reader of the len bytes at an offset, or of all from there on,
 * which has failed if they are not all there.  This reader stays as it is.
 */
struct bytes bytes_at(const struct bytes *bytes, uint64_t offset, uint64_t len);
struct bytes bytes_from_offset(const struct bytes *bytes, uint64_t offset);

/*
 * Stores one of the numbers of `size` bytes that lie one after another from an
 * offset on, counted from 0; false if it is not there.
 */
bool bytes_number(const struct bytes *bytes, uint64_t offset, uint64_t index,
    size_t size, uint64_t *number);

/* Returns the text at an offset up to a NUL, but at most `most` bytes. */
struct str bytes_text_at(const struct bytes *bytes, uint64_t offset,
    size_t most);

/* Steps over len bytes, and returns them as a slice. */
struct str bytes_text(struct bytes *bytes, uint64_t len);

/* Steps over a C string and its NUL, and returns it; fails without a NUL. */
struct str bytes_string(struct bytes *bytes);

#endif
