#include "ehpointer.h"

#define WORD	8
#define RELATIVE	0x70

enum format {
	FORMAT_WORD = 0, FORMAT_ULEB = 1, FORMAT_U16 = 2, FORMAT_U32 = 3,
	FORMAT_U64 = 4, FORMAT_SIGNED = 8, FORMAT_SLEB = 9, FORMAT_I16 = 10,
	FORMAT_I32 = 11, FORMAT_I64 = 12
};

enum relative {
	TO_NOTHING = 0x00, TO_ITSELF = 0x10, TO_TEXT = 0x20, TO_DATA = 0x30,
	TO_FUNCTION = 0x40, ALIGNED = 0x50
};

static uint64_t
read_format(struct bytes *bytes, unsigned format)
{
	switch (format) {
	case FORMAT_WORD:
	case FORMAT_U64:
	case FORMAT_SIGNED:
	case FORMAT_I64:
		return bytes_u64(bytes);
	case FORMAT_ULEB:
		return bytes_uleb(bytes);
	case FORMAT_SLEB:
		return (uint64_t)bytes_sleb(bytes);
	case FORMAT_U16:
		return bytes_u16(bytes);
	case FORMAT_I16:
		return (uint64_t)bytes_i16(bytes);
	case FORMAT_U32:
		return bytes_u32(bytes);
	case FORMAT_I32:
		return (uint64_t)bytes_i32(bytes);
	default:
		bytes_fail(bytes);
		return 0;
	}
}

/* Steps to where the next word of memory begins. */
static uint64_t
read_aligned(struct bytes *bytes, const struct ehpointer_bases *bases)
{
	uint64_t address = bases->start + bytes_offset(bytes);

	bytes_skip(bytes, -address % WORD);
	return bytes_u64(bytes);
}

uint64_t
ehpointer_read(struct bytes *bytes, uint8_t encoding,
    const struct ehpointer_bases *bases)
{
	uint64_t address = bases->start + bytes_offset(bytes), value;

	if (encoding == EHPOINTER_NONE)
		return 0;
	if (encoding == ALIGNED)
		return read_aligned(bytes, bases);
	value = read_format(bytes, encoding & EHPOINTER_FORMAT);
	if (value == 0)
		return 0;	/* relative to nothing, whatever it says */
	switch (encoding & RELATIVE) {
	case TO_NOTHING:
		return value;
	case TO_ITSELF:
		return value + address;
	case TO_TEXT:
		return value + bases->text;
	case TO_DATA:
		return value + bases->data;
	case TO_FUNCTION:
		return value + bases->function;
	default:
		bytes_fail(bytes);
		return 0;
	}
}
