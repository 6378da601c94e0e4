#include "scheme.h"

static enum hue
chain_hue(struct str name)
{
	return str_contains(name, STR("_[w]")) ? HUE_AQUA : HUE_BLUE;
}

/* True for "java/util/HashMap", with or without an L before it. */
static bool
is_java_class(struct str name)
{
	static const char *const packages[] = {
		"java/", "javax/", "jdk/", "net/", "org/", "com/", "io/",
		"sun/",
	};
	size_t i;

	if (str_starts(name, STR("L")))
		name = str_skip(name, 1);
	for (i = 0; i < sizeof(packages) / sizeof(*packages); i++)
		if (str_starts(name, str_from(packages[i])))
			return true;
	return false;
}

static enum hue
java_hue(struct str name)
{
	if (str_ends(name, STR("_[j]")))
		return HUE_GREEN;
	if (str_ends(name, STR("_[i]")))
		return HUE_AQUA;
	if (is_java_class(name) || str_contains(name, STR(":::")))
		return HUE_GREEN;
	if (str_contains(name, STR("::")))	/* C++ */
		return HUE_YELLOW;
	if (str_ends(name, STR("_[k]")))
		return HUE_ORANGE;
	return HUE_RED;
}

static enum hue
js_hue(struct str name)
{
	size_t slash = str_find(name, '/');

	if (str_ends(name, STR("_[j]")))	/* with a path, or built in */
		return slash < name.len ? HUE_GREEN : HUE_AQUA;
	if (str_contains(name, STR("::")))	/* C++ */
		return HUE_YELLOW;
	if (str_contains(str_skip(name, slash), STR(".js")))
		return HUE_GREEN;
	if (str_find(name, ':') < name.len)	/* built in */
		return HUE_AQUA;
	if (str_equal(name, STR(" ")))		/* without a symbol */
		return HUE_GREEN;
	if (str_contains(name, STR("_[k]")))
		return HUE_ORANGE;
	return HUE_RED;
}

static enum hue
perl_hue(struct str name)
{
	if (str_contains(name, STR("::")))	/* C++ */
		return HUE_YELLOW;
	if (str_contains(name, STR("Perl")) || str_contains(name, STR(".pl")))
		return HUE_GREEN;
	if (str_ends(name, STR("_[k]")))
		return HUE_ORANGE;
	return HUE_RED;
}

/*
 * True for names of the standard library, "core::fmt::write" and
 * "<alloc::vec::Vec<T> as core::ops::Drop>::drop"; not for
 * "<app::T as core::fmt::Debug>::fmt".
 */
static bool
is_rust_library(struct str name)
{
	static const char *const crates[] = {
		"std::", "core::", "alloc::", "hashbrown::", "__rust_", "rust_",
	};
	size_t i;

	if (str_starts(name, STR("<")))
		name = str_skip(name, 1);
	for (i = 0; i < sizeof(crates) / sizeof(*crates); i++)
		if (str_starts(name, str_from(crates[i])))
			return true;
	return false;
}

static enum hue
rust_hue(struct str name)
{
	if (str_ends(name, STR("_[k]")))
		return HUE_ORANGE;
	if (is_rust_library(name))
		return HUE_AQUA;
	if (str_contains(name, STR("::")))	/* any other crate */
		return HUE_GREEN;
	return HUE_RED;
}

/*
 * True if a profiler calls a Python function like this:
 *
 *	py::parse:/app/main.py		perf, by the interpreter's map
 *	parse (app/main.py:12)		py-spy
 *	/app/main.py:parse:12		austin
 */
static bool
is_python(struct str name)
{
	return str_starts(name, STR("py::")) ||
	    str_contains(name, STR(".py:")) ||
	    str_contains(name, STR(".py)")) || str_ends(name, STR(".py")) ||
	    str_contains(name, STR("<frozen "));
}

static enum hue
python_hue(struct str name)
{
	if (str_ends(name, STR("_[k]")))
		return HUE_ORANGE;
	if (!is_python(name))
		return HUE_RED;
	if (str_contains(name, STR("site-packages/")) ||
	    str_contains(name, STR("dist-packages/")))
		return HUE_YELLOW;
	if (str_contains(name, STR("<frozen ")) ||
	    str_contains(name, STR("lib/python")) ||
	    str_contains(name, STR("lib64/python")))
		return HUE_AQUA;
	return HUE_GREEN;
}

static const struct scheme schemes[] = {
	{ "hot", HUE_HOT, NULL, "yellow", false,
	    "red to yellow (default)" },
	{ "mem", HUE_MEM, NULL, "green", false, "green to blue" },
	{ "io", HUE_IO, NULL, "blue", false, "blue to violet" },
	{ "wakeup", HUE_AQUA, NULL, "blue", false, "aqua" },
	{ "chain", HUE_BLUE, chain_hue, "blue", true,
	    "blue, and aqua for wakers, who are behind --" },
	{ "java", HUE_RED, java_hue, "yellow", false,
	    "Java, inlined Java, C++, kernel, other" },
	{ "js", HUE_RED, js_hue, "yellow", false,
	    "JavaScript, built-in, C++, kernel, other" },
	{ "perl", HUE_RED, perl_hue, "yellow", false,
	    "Perl, C++, kernel, other" },
	{ "red", HUE_RED, NULL, "grey", false, "" },
	{ "green", HUE_GREEN, NULL, "grey", false, "" },
	{ "blue", HUE_BLUE, NULL, "grey", false, "" },
	{ "aqua", HUE_AQUA, NULL, "grey", false, "" },
	{ "yellow", HUE_YELLOW, NULL, "grey", false, "" },
	{ "purple", HUE_PURPLE, NULL, "grey", false, "" },
	{ "orange", HUE_ORANGE, NULL, "grey", false, "" },
	{ "rust", HUE_RED, rust_hue, "yellow", false,
	    "one's own crates, library, kernel, other" },
	{ "python", HUE_RED, python_hue, "yellow", false,
	    "one's own code, library, packages, kernel, other" },
	{ "colorblind", HUE_COLORBLIND, NULL, "grey", false,
	    "blue to yellow, told apart by everyone" },
};

#define NAME_WIDTH	12	/* of the column of names */
#define COUNT	(sizeof(schemes) / sizeof(*schemes))

const struct scheme *
scheme_find(struct str name)
{
	size_t i;

	for (i = 0; i < COUNT; i++)
		if (str_equal(name, str_from(schemes[i].name)))
			return &schemes[i];
	return NULL;
}

void
scheme_list(struct text *list)
{
	const struct scheme *scheme;
	size_t len;

	for (scheme = schemes; scheme < schemes + COUNT; scheme++) {
		if (scheme > schemes)
			text_add_char(list, '\n');
		text_add(list, str_from(scheme->name));
		len = strlen(scheme->name);
		for (; scheme->help[0] != '\0' && len < NAME_WIDTH; len++)
			text_add_char(list, ' ');
		text_add(list, str_from(scheme->help));
	}
}
