#include "bytes.h"

struct bytes
bytes_from(struct str s)
{
	/* No pointer may be NULL, since nothing may be added to that. */
	const unsigned char *start = s.data != NULL ?
	    (const unsigned char *)s.data : (const unsigned char *)"";

	return (struct bytes){ start, start, start + s.len, false };
}

void
bytes_fail(struct bytes *bytes)
{
	bytes->next = bytes->end;
	bytes->failed = true;
}

uint64_t
bytes_uint(struct bytes *bytes, size_t size)
{
	const unsigned char *at;
	uint64_t number = 0;
	size_t i;

	if (size > sizeof(number)) {
		bytes_fail(bytes);
		return 0;
	}
	at = bytes_step(bytes, size);
	for (i = 0; at != NULL && i < size; i++)
		number |= (uint64_t)at[i] << 8 * i;
	return number;
}

int64_t
bytes_int(struct bytes *bytes, size_t size)
{
	uint64_t number = bytes_uint(bytes, size);

	if (size > 0 && size < sizeof(number) && number >> (8 * size - 1) != 0)
		number |= UINT64_MAX << 8 * size;
	return (int64_t)number;
}

uint64_t
bytes_long_uleb(struct bytes *bytes)
{
	const unsigned char *at = bytes->next;
	uint64_t number = 0, bits, shift;

	for (shift = 0; at < bytes->end; shift += 7) {
		bits = *at & 0x7f;
		if (shift < 63)
			number |= bits << shift;
		else if (bits > (shift == 63))
			break;
		else
			number |= bits << 63;
		if (*at++ < 0x80) {
			bytes->next = at;
			return number;
		}
	}
	bytes_fail(bytes);
	return 0;
}

/*
 * The tenth byte has bit 63, the sign, and six bits that repeat it.  All bits
 * of further bytes repeat it, too.
 */
int64_t
bytes_sleb(struct bytes *bytes)
{
	const unsigned char *at = bytes->next;
	uint64_t number = 0, bits, shift;

	for (shift = 0; at < bytes->end; shift += 7) {
		bits = *at & 0x7f;
		if (shift <= 63)
			number |= bits << shift;
		if (shift >= 63 && bits != (number >> 63 != 0 ? 0x7f : 0))
			break;
		if (*at++ < 0x80) {
			if (shift < 63 && (bits & 0x40) != 0)
				number |= UINT64_MAX << (shift + 7);
			bytes->next = at;
			return (int64_t)number;
		}
	}
	bytes_fail(bytes);
	return 0;
}

void
bytes_skip(struct bytes *bytes, uint64_t len)
{
	bytes_step(bytes, len);
}

void
bytes_align(struct bytes *bytes, size_t size)
{
	size_t over = bytes_offset(bytes) % size;

	if (over > 0)
		bytes_step(bytes, size - over);
}

void
bytes_seek(struct bytes *bytes, uint64_t offset)
{
	if (bytes->failed || offset > (size_t)(bytes->end - bytes->start))
		bytes_fail(bytes);
	else
		bytes->next = bytes->start + offset;
}

struct bytes
bytes_take(struct bytes *bytes, uint64_t len)
{
	struct bytes taken = { bytes->next, bytes->next, bytes->next, false };

	if (bytes_step(bytes, len) == NULL || bytes->failed)
		bytes_fail(&taken);
	else
		taken.end += len;
	return taken;
}

struct bytes
bytes_from_offset(const struct bytes *bytes, uint64_t offset)
{
	struct bytes from = *bytes;

	bytes_seek(&from, offset);
	from.start = from.next;
	return from;
}

struct bytes
bytes_at(const struct bytes *bytes, uint64_t offset, uint64_t len)
{
	struct bytes from = bytes_from_offset(bytes, offset);

	return bytes_take(&from, len);
}

bool
bytes_number(const struct bytes *bytes, uint64_t offset, uint64_t index,
    size_t size, uint64_t *number)
{
	struct bytes list = bytes_from_offset(bytes, offset);

	if (index > bytes_left(&list) / size)
		return false;
	bytes_seek(&list, index * size);
	*number = bytes_uint(&list, size);
	return !list.failed;
}

struct str
bytes_text_at(const struct bytes *bytes, uint64_t offset, size_t most)
{
	struct bytes rest = bytes_from_offset(bytes, offset);
	size_t left = bytes_left(&rest);
	struct str text = bytes_text(&rest, left < most ? left : most);

	return str_take(text, str_find(text, '\0'));
}

struct str
bytes_text(struct bytes *bytes, uint64_t len)
{
	const unsigned char *at = bytes_step(bytes, len);

	return at != NULL ? (struct str){ (const char *)at, (size_t)len } :
	    STR("");
}

struct str
bytes_string(struct bytes *bytes)
{
	struct str rest = {
		(const char *)bytes->next, bytes_left(bytes)
	};
	size_t len = str_find(rest, '\0');

	bytes_step(bytes, (uint64_t)len + 1);
	return bytes->failed ? STR("") : str_take(rest, len);
}
