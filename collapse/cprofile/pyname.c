#include "pyname.h"

/* Returns where the last part of a path begins, or `before` it; 0 at most. */
static size_t
part_start(struct str path, size_t before)
{
	while (before > 0 && path.data[before - 1] != '/' &&
	    path.data[before - 1] != '\\')
		before--;
	return before;
}

/* Returns the name of a file, with its folder's if many have the name. */
static struct str
short_path(struct str path)
{
	size_t start = part_start(path, path.len);
	struct str name = str_skip(path, start);

	if (start > 1 && (str_equal(name, STR("__init__.py")) ||
	    str_equal(name, STR("__main__.py"))))
		start = part_start(path, start - 1);
	return str_skip(path, start);
}

/* Adds s on one line, with a '?' for what is not for terminals. */
static void
add_line(struct text *text, struct str s)
{
	size_t i;

	for (i = 0; i < s.len; i++)
		text_add_char(text, is_control(s.data[i]) ? '?' : s.data[i]);
}

void
pyname_add(struct text *text, struct str path, int64_t line, struct str name,
    bool whole_path)
{
	if (str_equal(path, STR("~")) && line == 0) {
		add_line(text, name);
		return;
	}
	add_line(text, whole_path || str_starts(path, STR("<")) ? path :
	    short_path(path));
	text_add(text, line < 0 ? STR(":-") : STR(":"));
	text_add_number(text, line < 0 ? 0 - (unsigned long long)line :
	    (unsigned long long)line);
	text_add_char(text, '(');
	add_line(text, name);
	text_add_char(text, ')');
}
