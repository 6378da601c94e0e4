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
	    "red to yellow (default)", { { 0 } } },
	{ "mem", HUE_MEM, NULL, "green", false, "green to blue",
	    { { HUE_MEM, "memory" } } },
	{ "io", HUE_IO, NULL, "blue", false, "blue to violet",
	    { { HUE_IO, "I/O" } } },
	{ "wakeup", HUE_AQUA, NULL, "blue", false, "aqua",
	    { { HUE_AQUA, "waker" } } },
	{ "chain", HUE_BLUE, chain_hue, "blue", true,
	    "blue, and aqua for wakers, which follow --",
	    { { HUE_BLUE, "off-CPU" }, { HUE_AQUA, "waker" } } },
	{ "java", HUE_RED, java_hue, "yellow", false, NULL,
	    { { HUE_GREEN, "Java" }, { HUE_AQUA, "inlined Java" },
	    { HUE_YELLOW, "C++" }, { HUE_ORANGE, "kernel" },
	    { HUE_RED, "other" } } },
	{ "js", HUE_RED, js_hue, "yellow", false, NULL,
	    { { HUE_GREEN, "JavaScript" }, { HUE_AQUA, "built-in" },
	    { HUE_YELLOW, "C++" }, { HUE_ORANGE, "kernel" },
	    { HUE_RED, "other" } } },
	{ "perl", HUE_RED, perl_hue, "yellow", false, NULL,
	    { { HUE_GREEN, "Perl" }, { HUE_YELLOW, "C++" },
	    { HUE_ORANGE, "kernel" }, { HUE_RED, "other" } } },
	{ "red", HUE_RED, NULL, "grey", false, "", { { 0 } } },
	{ "green", HUE_GREEN, NULL, "grey", false, "", { { 0 } } },
	{ "blue", HUE_BLUE, NULL, "grey", false, "", { { 0 } } },
	{ "aqua", HUE_AQUA, NULL, "grey", false, "", { { 0 } } },
	{ "yellow", HUE_YELLOW, NULL, "grey", false, "", { { 0 } } },
	{ "purple", HUE_PURPLE, NULL, "grey", false, "", { { 0 } } },
	{ "orange", HUE_ORANGE, NULL, "grey", false, "", { { 0 } } },
	{ "rust", HUE_RED, rust_hue, "yellow", false, NULL,
	    { { HUE_GREEN, "one's own crates" }, { HUE_AQUA, "library" },
	    { HUE_ORANGE, "kernel" }, { HUE_RED, "other" } } },
	{ "python", HUE_RED, python_hue, "yellow", false,
	    "own code, library, packages, kernel, other",
	    { { HUE_GREEN, "one's own code" }, { HUE_AQUA, "library" },
	    { HUE_YELLOW, "packages" }, { HUE_ORANGE, "kernel" },
	    { HUE_RED, "other" } } },
	{ "colorblind", HUE_COLORBLIND, NULL, "grey", false,
	    "blue to yellow, told apart by everyone", { { 0 } } },
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

static void
add_help(struct text *list, const struct scheme *scheme)
{
	const struct kind *kind = scheme->kinds;
	size_t i;

	if (scheme->help != NULL)
		text_add(list, str_from(scheme->help));
	for (i = 0; scheme->help == NULL && i < SCHEME_KINDS &&
	    kind[i].name != NULL; i++) {
		if (i > 0)
			text_add(list, STR(", "));
		text_add(list, str_from(kind[i].name));
	}
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
		for (; (scheme->help == NULL || scheme->help[0] != '\0') &&
		    len < NAME_WIDTH; len++)
			text_add_char(list, ' ');
		add_help(list, scheme);
	}
}
