/*
 * forms: reads a version, the sizes of addresses and offsets, a form, and
 * bytes, all in hexadecimal; prints the kind of value that they are, the value,
 * how many bytes are after it, and whether all of the form have one size:
 *
 *	5 8 4 0b 2a ff	=> number 2a 1 fixed
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "symbols/dwarf/units.h"
#include "unit.h"

static const char *const kinds[] = {
	[FORM_OTHER] = "other", [FORM_NUMBER] = "number",
	[FORM_ADDRESS] = "address", [FORM_ADDRESS_INDEX] = "address-index",
	[FORM_TEXT] = "text", [FORM_STR] = "str",
	[FORM_LINE_STR] = "line-str", [FORM_ALT_STR] = "alt-str",
	[FORM_STR_INDEX] = "str-index", [FORM_UNIT_REF] = "unit-ref",
	[FORM_INFO_REF] = "info-ref", [FORM_ALT_REF] = "alt-ref",
	[FORM_OFFSET] = "offset", [FORM_LIST_INDEX] = "list-index"
};

static void
print_size(uint64_t form, const struct dwarf_sizes *sizes, size_t used)
{
	size_t size;

	if (!form_size(form, sizes, &size))
		return;
	fputs(" fixed", stdout);
	if (size != used)
		printf(" (size: %zu)", size);
}

static void
print_value(struct bytes bytes, uint64_t form, const struct dwarf_sizes *sizes)
{
	struct form_value value = form_read(&bytes, form, sizes);

	if (bytes.failed)
		fputs("none", stdout);
	else {
		printf("%s ", kinds[value.kind]);
		if (value.kind == FORM_TEXT)
			unit_print(value.text, "");
		else
			printf("%" PRIx64, value.number);
		printf(" %zu", bytes_left(&bytes));
		print_size(form, sizes, bytes_offset(&bytes));
	}
	putchar('\n');
}

int
forms_main(int argc, char **argv)
{
	struct dwarf_sizes sizes;
	struct str line, digits;
	struct bytes bytes;
	uint64_t form;

	(void)argc;
	(void)argv;
	while (unit_line(&line)) {
		digits = unit_bytes(line);
		bytes = bytes_from(digits);
		sizes.version = bytes_u8(&bytes);
		sizes.address = bytes_u8(&bytes);
		sizes.offset = bytes_u8(&bytes);
		form = bytes_uleb(&bytes);
		bytes = bytes_from((struct str){ (const char *)bytes.next,
		    bytes_left(&bytes) });
		print_value(bytes, form, &sizes);
		free((char *)digits.data);
	}
	return 0;
}
