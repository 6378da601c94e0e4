/*
 * A scheme finds the hue of a function by its name.  A hue mixes each channel
 * as base + (int)(range * v), where v is one of three shades between 0 and 1.
 * The numbers, and how a name gives its shades, are those of flamegraph.pl, so
 * that its pictures can be compared with ours.
 */
#include <math.h>

#include "lib/mem.h"
#include "lib/utf8.h"
#include "palette.h"
#include "svg.h"

static enum hue
chain_hue(struct str name)
{
	return str_contains(name, STR("_[w]")) ? HUE_AQUA : HUE_BLUE;
}

static bool
starts_with_any(struct str name, const char *const *starts)
{
	while (*starts != NULL && !str_starts(name, str_from(*starts)))
		starts++;
	return *starts != NULL;
}

/* True for "java/util/HashMap", with or without an L before it. */
static bool
is_java_class(struct str name)
{
	static const char *const packages[] = {
		"java/", "javax/", "jdk/", "net/", "org/", "com/", "io/",
		"sun/", NULL
	};

	if (str_starts(name, STR("L")))
		name = str_skip(name, 1);
	return starts_with_any(name, packages);
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
		NULL
	};

	if (str_starts(name, STR("<")))
		name = str_skip(name, 1);
	return starts_with_any(name, crates);
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

#define NAME_WIDTH	12	/* the width of the column of names */
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
	const struct scheme_kind *kind = scheme->kinds;
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

struct mix {
	int base, range;
	int shade;		/* one of the three */
};

/* The red, green and blue of each hue. */
static const struct mix mixes[][3] = {
	[HUE_HOT] = { { 205, 50, 2 }, { 0, 230, 0 }, { 0, 55, 1 } },
	[HUE_MEM] = { { 0, 0, 0 }, { 190, 50, 1 }, { 0, 210, 0 } },
	[HUE_IO] = { { 80, 60, 0 }, { 80, 60, 0 }, { 190, 55, 1 } },
	[HUE_RED] = { { 200, 55, 0 }, { 50, 80, 0 }, { 50, 80, 0 } },
	[HUE_GREEN] = { { 50, 60, 0 }, { 200, 55, 0 }, { 50, 60, 0 } },
	[HUE_BLUE] = { { 80, 60, 0 }, { 80, 60, 0 }, { 205, 50, 0 } },
	[HUE_YELLOW] = { { 175, 55, 0 }, { 175, 55, 0 }, { 50, 20, 0 } },
	[HUE_PURPLE] = { { 190, 65, 0 }, { 80, 60, 0 }, { 190, 65, 0 } },
	[HUE_AQUA] = { { 50, 60, 0 }, { 165, 55, 0 }, { 165, 55, 0 } },
	[HUE_ORANGE] = { { 190, 65, 0 }, { 90, 65, 0 }, { 0, 0, 0 } },
	/* From blue to a lighter yellow, which everyone tells apart. */
	[HUE_COLORBLIND] = { { 110, 145, 0 }, { 160, 70, 0 },
	    { 230, -130, 0 } },
};

/* Steps as drand48(3) does, without its state. */
static uint64_t
next_random(uint64_t state)
{
	return (state * UINT64_C(0x5DEECE66D) + 0xB) &
	    UINT64_C(0xFFFFFFFFFFFF);
}

static double
fraction(uint64_t random)
{
	return (double)random / 281474976710656.0;	/* 2^48 */
}

/* Adds up the characters, eight at a time if they are ASCII. */
static uint32_t
sum_codes(struct str name)
{
	const uint64_t ones = UINT64_C(0x0001000100010001), low = ones * 0xFF;
	uint64_t word;
	uint32_t sum = 0;

	while (name.len >= sizeof(word)) {
		memcpy(&word, name.data, sizeof(word));
		if ((word & (ones * 0x8080)) != 0)
			break;
		/* Four pairs of bytes; a product adds them in its top. */
		sum += (uint32_t)(((word & low) + (word >> 8 & low)) *
		    ones >> 48);
		name = str_skip(name, sizeof(word));
	}
	while (name.len > 0)
		if ((name.data[0] & 0x80) == 0) {
			sum += (unsigned char)name.data[0];
			name = str_skip(name, 1);
		} else
			sum += utf8_next(&name);
	return sum;
}

/* Returns drand48's first number if the sum of the characters is its seed. */
static double
name_shade(struct str name)
{
	return fraction(next_random((uint64_t)sum_codes(name) << 16 | 0x330E));
}

/*
 * Hashes the first three characters, of which the first one has the most
 * weight.  A module before them, "libc`malloc", has no weight.
 */
static double
hash_codes(const uint32_t *codes, size_t count)
{
	double value = 0, weight = 1, max = 1;
	size_t i, from = 0;

	for (i = 1; i < count && from == 0; i++)
		if (codes[i] == '`')
			from = i + 1;
	for (i = 0; i < 3 && from + i < count; i++) {
		value += weight * (double)(codes[from + i] % (10 + i)) /
		    (9 + (double)i);
		max += weight;
		weight *= 0.7;
	}
	return 1 - value / max;
}

/* Stores the hash of the name, and twice that of its reverse. */
static void
hash_shades(struct palette *palette, struct str name, double shades[3])
{
	uint32_t *codes, swap;
	size_t count = 0, i;

	palette->codes = codes = mem_grow(palette->codes, &palette->room,
	    name.len, sizeof(*codes));
	while (name.len > 0)
		codes[count++] = utf8_next(&name);
	shades[0] = hash_codes(codes, count);
	for (i = 0; i < count / 2; i++) {
		swap = codes[i];
		codes[i] = codes[count - 1 - i];
		codes[count - 1 - i] = swap;
	}
	shades[1] = shades[2] = hash_codes(codes, count);
}

static void
choose_shades(struct palette *palette, struct str name, double shades[3])
{
	int i;

	switch (palette->shade) {
	case SHADE_NAME:
		shades[0] = shades[1] = shades[2] = name_shade(name);
		break;
	case SHADE_HASH:
		hash_shades(palette, name, shades);
		break;
	case SHADE_RANDOM:
		for (i = 0; i < 3; i++) {
			palette->random = next_random(palette->random);
			shades[i] = fraction(palette->random);
		}
		break;
	}
}

static int
blend(const struct mix *mix, const double shades[3])
{
	return mix->base + (int)(mix->range * shades[mix->shade]);
}

static struct colour
blend_all(const struct mix mix[3], const double shades[3])
{
	return (struct colour){ blend(&mix[0], shades),
	    blend(&mix[1], shades), blend(&mix[2], shades) };
}

/* True for what stackcollapse-perf --wall ends the stacks of waits in. */
static bool
is_wait(struct str name)
{
	return str_equal(name, STR("[blocked]")) ||
	    str_equal(name, STR("[uninterruptible]")) ||
	    str_equal(name, STR("[preempted]"));
}

struct colour
palette_colour(struct palette *palette, struct str name)
{
	const struct scheme *scheme = palette->scheme;
	enum hue hue = is_wait(name) ? HUE_BLUE : scheme->hue_of == NULL ?
	    scheme->hue : scheme->hue_of(name);
	double shades[3];

	palette->used |= 1U << hue;
	choose_shades(palette, name, shades);
	return blend_all(mixes[hue], shades);
}

struct colour
palette_sample(enum hue hue)
{
	return blend_all(mixes[hue], (const double[]){ 0.5, 0.5, 0.5 });
}

/* Returns white at 0, `full` at 1, and mixtures in between. */
static struct colour
tint(struct colour full, double part)
{
	return (struct colour){ 255 - (int)((255 - full.red) * part),
	    255 - (int)((255 - full.green) * part),
	    255 - (int)((255 - full.blue) * part) };
}

/* Darkens a tint so far that black labels still have enough contrast. */
static struct colour
darken(struct colour colour)
{
	int white = colour.red, less;

	if (colour.green < white)
		white = colour.green;
	if (colour.blue < white)
		white = colour.blue;
	less = white > 95 && white < 255 ? (white - 95) * 75 / 160 : 0;
	return (struct colour){ colour.red - less, colour.green - less,
	    colour.blue - less };
}

void
palette_add_dark(const struct palette *palette, struct colour colour,
    struct text *svg)
{
	struct colour dark = darken(colour);

	if (!palette->perhaps_dark || dark.green == colour.green)
		return;
	text_add(svg, STR("\" style=\"--dark: "));
	svg_colour(svg, dark);
}

struct colour
palette_difference(const struct palette *palette, double delta, double max)
{
	const struct colour more = { 235, 125, 25 }, less = { 70, 145, 225 };
	struct colour colour = { 255, 255, 255 };

	delta = fmax(0 - max, fmin(delta, max));
	if (palette->scheme->hue == HUE_COLORBLIND)
		colour = delta > 0 ? tint(more, delta / max) :
		    tint(less, 0 - delta / max);
	else if (delta > 0)
		colour.green = colour.blue = (int)(210 * (max - delta) / max);
	else if (delta < 0)
		colour.red = colour.green = (int)(210 * (max + delta) / max);
	return palette->dark ? darken(colour) : colour;
}

struct colour
palette_chance(const struct palette *palette, double delta)
{
	const struct colour grey = { 205, 205, 205 };

	if (delta == 0)
		return palette_difference(palette, 0, 1);
	return palette->dark ? darken(grey) : grey;
}

struct colour
palette_one_side(const struct palette *palette, bool more)
{
	const struct colour orange = { 245, 160, 0 }, violet = { 140, 80, 210 };
	const struct colour yellow = { 250, 220, 50 }, navy = { 30, 70, 140 };

	if (palette->scheme->hue == HUE_COLORBLIND)
		return more ? yellow : navy;
	return more ? orange : violet;
}
