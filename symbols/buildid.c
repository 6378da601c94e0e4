#include "buildid.h"

struct build_id
build_id_from(struct str bytes)
{
	struct build_id id = { 0 };

	id.len = bytes.len < BUILD_ID_MAX ? bytes.len : BUILD_ID_MAX;
	if (id.len > 0)
		memcpy(id.bytes, bytes.data, id.len);
	return id;
}

bool
build_id_matches(const struct build_id *recorded,
    const struct build_id *of_file)
{
	size_t i;

	if (recorded->len < of_file->len || (recorded->len > of_file->len &&
	    recorded->len != BUILD_ID_MAX))
		return false;
	for (i = of_file->len; i < recorded->len; i++)
		if (recorded->bytes[i] != 0)
			return false;
	return memcmp(recorded->bytes, of_file->bytes, of_file->len) == 0;
}

void
build_id_add(struct text *text, const struct build_id *id)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < id->len; i++) {
		text_add_char(text, digits[id->bytes[i] >> 4]);
		text_add_char(text, digits[id->bytes[i] & 15]);
	}
}
