#include "encoding.h"
#include "lib/str.h"

/* True if the name is that of the encoding, in any letter case. */
static bool
is_name_of(struct str name, const char *encoding)
{
	struct str whole = str_from(encoding);

	return name.len == whole.len && str_starts_any_case(name, whole);
}

bool
encoding_choose(const char **encoding, bool *ascii)
{
	static const char *const known[] = {
		"ascii", "us-ascii", "iso-8859-", "latin", "windows-", "koi8-",
		"gb2312", "gbk", "gb18030", "big5", "euc-", "shift_jis",
		"cp125",
	};
	struct str name = str_from(*encoding);
	size_t i, len;

	if (is_name_of(name, "utf8"))
		name = str_from(*encoding = "UTF-8");
	*ascii = name.len > 0 && !is_name_of(name, "utf-8");
	if (!*ascii)
		return true;
	for (len = 0; len < name.len; len++)
		if (!is_word(name.data[len]) && name.data[len] != '-')
			break;
	for (i = 0; len == name.len &&
	    i < sizeof(known) / sizeof(*known); i++)
		if (str_starts_any_case(name, str_from(known[i])))
			return true;
	return false;
}
