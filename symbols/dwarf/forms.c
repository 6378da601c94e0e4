#include "units.h"

/* How the bytes of a form are laid out. */
enum layout {
	UNKNOWN, FIXED, ADDRESS, OFFSET, INFO_OFFSET, ULEB, SLEB, STRING,
	BLOCK, INDIRECT
};

struct form {
	uint8_t layout;
	uint8_t size;		/* of a fixed one, or of a block's length */
	uint8_t kind;
};

/* Forms by their numbers, from DW_FORM_addr, 1, to DW_FORM_addrx4. */
static const struct form forms[] = {
	[0x01] = { ADDRESS, 0, FORM_ADDRESS },
	[0x03] = { BLOCK, 2, FORM_OTHER },
	[0x04] = { BLOCK, 4, FORM_OTHER },
	[0x05] = { FIXED, 2, FORM_NUMBER },
	[0x06] = { FIXED, 4, FORM_NUMBER },
	[0x07] = { FIXED, 8, FORM_NUMBER },
	[0x08] = { STRING, 0, FORM_TEXT },
	[0x09] = { BLOCK, 0, FORM_OTHER },
	[0x0a] = { BLOCK, 1, FORM_OTHER },
	[0x0b] = { FIXED, 1, FORM_NUMBER },
	[0x0c] = { FIXED, 1, FORM_NUMBER },	/* flag */
	[0x0d] = { SLEB, 0, FORM_NUMBER },
	[0x0e] = { OFFSET, 0, FORM_STR },
	[0x0f] = { ULEB, 0, FORM_NUMBER },
	[0x10] = { INFO_OFFSET, 0, FORM_INFO_REF },
	[0x11] = { FIXED, 1, FORM_UNIT_REF },
	[0x12] = { FIXED, 2, FORM_UNIT_REF },
	[0x13] = { FIXED, 4, FORM_UNIT_REF },
	[0x14] = { FIXED, 8, FORM_UNIT_REF },
	[0x15] = { ULEB, 0, FORM_UNIT_REF },
	[0x16] = { INDIRECT, 0, FORM_OTHER },
	[0x17] = { OFFSET, 0, FORM_OFFSET },
	[0x18] = { BLOCK, 0, FORM_OTHER },	/* exprloc */
	[0x19] = { FIXED, 0, FORM_NUMBER },	/* flag_present */
	[0x1a] = { ULEB, 0, FORM_STR_INDEX },
	[0x1b] = { ULEB, 0, FORM_ADDRESS_INDEX },
	[0x1c] = { FIXED, 4, FORM_ALT_REF },
	[0x1d] = { OFFSET, 0, FORM_ALT_STR },
	[0x1e] = { FIXED, 16, FORM_OTHER },	/* data16 */
	[0x1f] = { OFFSET, 0, FORM_LINE_STR },
	[0x20] = { FIXED, 8, FORM_OTHER },	/* ref_sig8: a type */
	[FORM_IMPLICIT] = { FIXED, 0, FORM_NUMBER },
	[0x22] = { ULEB, 0, FORM_LIST_INDEX },
	[0x23] = { ULEB, 0, FORM_LIST_INDEX },
	[0x24] = { FIXED, 8, FORM_ALT_REF },
	[0x25] = { FIXED, 1, FORM_STR_INDEX },
	[0x26] = { FIXED, 2, FORM_STR_INDEX },
	[0x27] = { FIXED, 3, FORM_STR_INDEX },
	[0x28] = { FIXED, 4, FORM_STR_INDEX },
	[0x29] = { FIXED, 1, FORM_ADDRESS_INDEX },
	[0x2a] = { FIXED, 2, FORM_ADDRESS_INDEX },
	[0x2b] = { FIXED, 3, FORM_ADDRESS_INDEX },
	[0x2c] = { FIXED, 4, FORM_ADDRESS_INDEX },
};

static struct form
find_form(uint64_t number)
{
	if (number < sizeof(forms) / sizeof(forms[0]))
		return forms[number];
	switch (number) {
	case 0x1f01:		/* GCC's and dwz's, of before version 5 */
		return forms[0x1b];
	case 0x1f02:
		return forms[0x1a];
	case 0x1f20:
		return (struct form){ OFFSET, 0, FORM_ALT_REF };
	case 0x1f21:
		return forms[0x1d];
	}
	return forms[0];
}

/* Stores how many bytes a form always has; false if that varies. */
static bool
fixed_size(struct form form, const struct dwarf_sizes *sizes, size_t *size)
{
	switch ((enum layout)form.layout) {
	case FIXED:
		*size = form.size;
		return true;
	case ADDRESS:
		*size = sizes->address;
		return true;
	case OFFSET:
		*size = sizes->offset;
		return true;
	case INFO_OFFSET:
		*size = sizes->version == 2 ? sizes->address : sizes->offset;
		return true;
	default:
		return false;
	}
}

struct form_value
form_read(struct bytes *bytes, uint64_t number,
    const struct dwarf_sizes *sizes)
{
	struct form form = find_form(number);
	struct form_value value = { 0 };
	size_t size;

	if (form.layout == INDIRECT) {		/* once is enough */
		number = bytes_uleb(bytes);
		form = number == FORM_IMPLICIT ? forms[0] : find_form(number);
	}
	value.kind = (enum form_kind)form.kind;
	if (fixed_size(form, sizes, &size)) {
		if (size <= sizeof(value.number))
			value.number = bytes_uint(bytes, size);
		else
			bytes_skip(bytes, size);
		return value;
	}
	switch ((enum layout)form.layout) {
	case ULEB:
		value.number = bytes_uleb(bytes);
		break;
	case SLEB:
		value.number = (uint64_t)bytes_sleb(bytes);
		break;
	case STRING:
		value.text = bytes_string(bytes);
		break;
	case BLOCK:
		bytes_skip(bytes, form.size == 0 ? bytes_uleb(bytes) :
		    bytes_uint(bytes, form.size));
		break;
	default:
		bytes_fail(bytes);
		break;
	}
	return value;
}

bool
form_size(uint64_t number, const struct dwarf_sizes *sizes, size_t *size)
{
	return fixed_size(find_form(number), sizes, size);
}
