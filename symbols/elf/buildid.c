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

const char *
build_id_hex(const struct build_id *id, char hex[2 * BUILD_ID_MAX + 1])
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < id->len; i++) {
		hex[2 * i] = digits[id->bytes[i] >> 4];
		hex[2 * i + 1] = digits[id->bytes[i] & 15];
	}
	hex[2 * i] = '\0';
	return hex;
}
