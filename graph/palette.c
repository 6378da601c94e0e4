/*
 * A hue mixes each channel as base + (int)(range * v), where v is one of three
 * shades between 0 and 1.  The numbers, and how a name gives its shades, come
 * from flamegraph.pl, so that its pictures can be compared with ours.
 */
#include <math.h>
#include <stdio.h>

#include "lib/mem.h"
#include "lib/utf8.h"
#include "palette.h"
#include "svg.h"

/* '*' in a pattern is any text.  The first pattern that matches counts. */
struct hue_rule {
	const char *pattern;
	enum hue hue;
};

static const struct hue_rule chain_rules[] = {
	{ "*_[w]*", HUE_AQUA }, { NULL, HUE_BLUE }
};

static const struct hue_rule java_rules[] = {
	{ "*_[j]", HUE_GREEN }, { "*_[i]", HUE_AQUA },
	{ "java/*", HUE_GREEN }, { "Ljava/*", HUE_GREEN },
	{ "javax/*", HUE_GREEN }, { "Ljavax/*", HUE_GREEN },
	{ "jdk/*", HUE_GREEN }, { "Ljdk/*", HUE_GREEN },
	{ "net/*", HUE_GREEN }, { "Lnet/*", HUE_GREEN },
	{ "org/*", HUE_GREEN }, { "Lorg/*", HUE_GREEN },
	{ "com/*", HUE_GREEN }, { "Lcom/*", HUE_GREEN },
	{ "io/*", HUE_GREEN }, { "Lio/*", HUE_GREEN },
	{ "sun/*", HUE_GREEN }, { "Lsun/*", HUE_GREEN },
	{ "*:::*", HUE_GREEN }, { "*::*", HUE_YELLOW },	/* C++ */
	{ "*_[k]", HUE_ORANGE }, { NULL, HUE_RED }
};

static const struct hue_rule js_rules[] = {
	{ "*/*_[j]", HUE_GREEN }, { "*_[j]", HUE_AQUA },	/* built in */
	{ "*::*", HUE_YELLOW },			/* C++ */
	{ "*/*.js*", HUE_GREEN }, { "*:*", HUE_AQUA },
	{ " ", HUE_GREEN },			/* without a symbol */
	{ "*_[k]*", HUE_ORANGE }, { NULL, HUE_RED }
};

static const struct hue_rule perl_rules[] = {
	{ "*::*", HUE_YELLOW },			/* C++ */
	{ "*Perl*", HUE_GREEN }, { "*.pl*", HUE_GREEN },
	{ "*_[k]", HUE_ORANGE }, { NULL, HUE_RED }
};

/*
 * The standard library is "core::fmt::write" and "<alloc::vec::Vec<T> as
 * core::ops::Drop>::drop", but not "<app::T as core::fmt::Debug>::fmt".
 */
static const struct hue_rule rust_rules[] = {
	{ "*_[k]", HUE_ORANGE },
	{ "std::*", HUE_AQUA }, { "<std::*", HUE_AQUA },
	{ "core::*", HUE_AQUA }, { "<core::*", HUE_AQUA },
	{ "alloc::*", HUE_AQUA }, { "<alloc::*", HUE_AQUA },
	{ "hashbrown::*", HUE_AQUA }, { "<hashbrown::*", HUE_AQUA },
	{ "__rust_*", HUE_AQUA }, { "<__rust_*", HUE_AQUA },
	{ "rust_*", HUE_AQUA }, { "<rust_*", HUE_AQUA },
	{ "*::*", HUE_GREEN },			/* any other crate */
	{ NULL, HUE_RED }
};

/*
 * A profiler calls a Python function like this:
 *
 *	py::parse:/app/main.py		perf, by the interpreter's map
 *	parse (app/main.py:12)		py-spy
 *	/app/main.py:parse:12		austin
 */
static const struct hue_rule python_rules[] = {
	{ "*_[k]", HUE_ORANGE },
	{ "py::*", HUE_BY_PLACE }, { "*.py:*", HUE_BY_PLACE },
	{ "*.py)*", HUE_BY_PLACE }, { "*.py", HUE_BY_PLACE },
	{ "*<frozen *", HUE_BY_PLACE }, { NULL, HUE_RED }
};

static const struct hue_rule python_places[] = {
	{ "*site-packages/*", HUE_YELLOW }, { "*dist-packages/*", HUE_YELLOW },
	{ "*<frozen *", HUE_AQUA }, { "*lib/python*", HUE_AQUA },
	{ "*lib64/python*", HUE_AQUA }, { NULL, HUE_GREEN }
};

static bool
matches(struct str name, const char *pattern)
{
	struct str rest = str_from(pattern);
	size_t star = str_find(rest, '*'), at;

	if (star == rest.len)
		return str_equal(name, rest);
	if (!str_starts(name, str_take(rest, star)))
		return false;
	name = str_skip(name, star);
	for (;;) {
		rest = str_skip(rest, star + 1);
		star = str_find(rest, '*');
		if (star == rest.len)
			return str_ends(name, rest);
		at = str_search(name, str_take(rest, star));
		if (at + star > name.len)
			return false;
		name = str_skip(name, at + star);
	}
}

static enum hue
hue_by_rules(const struct hue_rule *rules, struct str name)
{
	while (rules->pattern != NULL && !matches(name, rules->pattern))
		rules++;
	return rules->hue != HUE_BY_PLACE ? rules->hue :
	    hue_by_rules(python_places, name);
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
	{ "chain", HUE_BLUE, chain_rules, "blue", true,
	    "blue, and aqua for wakers, which follow --",
	    { { HUE_BLUE, "off-CPU" }, { HUE_AQUA, "waker" } } },
	{ "java", HUE_RED, java_rules, "yellow", false,
	    "Java, inlined Java, C++, kernel, other",
	    { { HUE_GREEN, "Java" }, { HUE_AQUA, "inlined Java" },
	    { HUE_YELLOW, "C++" }, { HUE_ORANGE, "kernel" },
	    { HUE_RED, "other" } } },
	{ "js", HUE_RED, js_rules, "yellow", false,
	    "JavaScript, built-in, C++, kernel, other",
	    { { HUE_GREEN, "JavaScript" }, { HUE_AQUA, "built-in" },
	    { HUE_YELLOW, "C++" }, { HUE_ORANGE, "kernel" },
	    { HUE_RED, "other" } } },
	{ "perl", HUE_RED, perl_rules, "yellow", false,
	    "Perl, C++, kernel, other",
	    { { HUE_GREEN, "Perl" }, { HUE_YELLOW, "C++" },
	    { HUE_ORANGE, "kernel" }, { HUE_RED, "other" } } },
	{ "red", HUE_RED, NULL, "grey", false, "", { { 0 } } },
	{ "green", HUE_GREEN, NULL, "grey", false, "", { { 0 } } },
	{ "blue", HUE_BLUE, NULL, "grey", false, "", { { 0 } } },
	{ "aqua", HUE_AQUA, NULL, "grey", false, "", { { 0 } } },
	{ "yellow", HUE_YELLOW, NULL, "grey", false, "", { { 0 } } },
	{ "purple", HUE_PURPLE, NULL, "grey", false, "", { { 0 } } },
	{ "orange", HUE_ORANGE, NULL, "grey", false, "", { { 0 } } },
	{ "rust", HUE_RED, rust_rules, "yellow", false,
	    "one's own crates, library, kernel, other",
	    { { HUE_GREEN, "one's own crates" }, { HUE_AQUA, "library" },
	    { HUE_ORANGE, "kernel" }, { HUE_RED, "other" } } },
	{ "python", HUE_RED, python_rules, "yellow", false,
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

void
scheme_list(char *list, size_t size)
{
	const struct scheme *scheme;
	size_t at = 0;

	for (scheme = schemes; scheme < schemes + COUNT && at < size; scheme++)
		at += (size_t)snprintf(list + at, size - at, "%s%-*s%s",
		    at > 0 ? "\n" : "", scheme->help[0] != '\0' ?
		    NAME_WIDTH : 0, scheme->name, scheme->help);
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
	/* Everyone can distinguish blue from a lighter yellow. */
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

/*
 * Hashes the first three characters, or the last ones; the first has the most
 * weight.  A module before them, "libc`malloc", has no weight.
 */
static double
hash_codes(const uint32_t *codes, size_t count, bool backwards)
{
	double value = 0, weight = 1, max = 1;
	size_t i, from = 0, at;

	for (i = 1; i < count && from == 0; i++)
		if (codes[backwards ? count - 1 - i : i] == '`')
			from = i + 1;
	for (i = 0; i < 3 && from + i < count; i++) {
		at = backwards ? count - 1 - from - i : from + i;
		value += weight * (double)(codes[at] % (10 + i)) /
		    (9 + (double)i);
		max += weight;
		weight *= 0.7;
	}
	return 1 - value / max;
}

static void
choose_shades(struct palette *palette, struct str name, double shades[3])
{
	uint32_t *codes;
	size_t count = 0;
	int i;

	switch (palette->shade) {
	case SHADE_NAME:
		/* drand48's first number, seeded by the sum of characters */
		shades[0] = shades[1] = shades[2] = fraction(next_random(
		    (uint64_t)sum_codes(name) << 16 | 0x330E));
		break;
	case SHADE_HASH:
		palette->codes = codes = mem_grow(palette->codes,
		    &palette->room, name.len, sizeof(*codes));
		while (name.len > 0)
			codes[count++] = utf8_next(&name);
		shades[0] = hash_codes(codes, count, false);
		shades[1] = shades[2] = hash_codes(codes, count, true);
		break;
	case SHADE_RANDOM:
		for (i = 0; i < 3; i++) {
			palette->random = next_random(palette->random);
			shades[i] = fraction(palette->random);
		}
		break;
	}
}

static struct colour
blend(const struct mix mix[3], const double shades[3])
{
	int channels[3], i;

	for (i = 0; i < 3; i++)
		channels[i] = mix[i].base +
		    (int)(mix[i].range * shades[mix[i].shade]);
	return (struct colour){ channels[0], channels[1], channels[2] };
}

struct colour
palette_colour(struct palette *palette, struct str name)
{
	const struct scheme *scheme = palette->scheme;
	enum hue hue = scheme->rules == NULL ? scheme->hue :
	    hue_by_rules(scheme->rules, name);
	double shades[3];

	/* stackcollapse-perf --wall ends the stacks of waits in them */
	if (str_equal(name, STR("[blocked]")) ||
	    str_equal(name, STR("[uninterruptible]")) ||
	    str_equal(name, STR("[preempted]")))
		hue = HUE_BLUE;
	palette->used |= 1U << hue;
	choose_shades(palette, name, shades);
	return blend(mixes[hue], shades);
}

struct colour
palette_sample(enum hue hue)
{
	return blend(mixes[hue], (const double[]){ 0.5, 0.5, 0.5 });
}

/* Mixes white, at 0, and `full`, at 1. */
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
	int white = (int)fmin(colour.red, fmin(colour.green, colour.blue));
	int less;

	less = white > 95 && white < 255 ? (white - 95) * 75 / 160 : 0;
	return (struct colour){ colour.red - less, colour.green - less,
	    colour.blue - less };
}

bool
palette_darken(const struct palette *palette, struct colour *colour)
{
	struct colour dark = darken(*colour);

	if (!palette->perhaps_dark || dark.green == colour->green)
		return false;
	*colour = dark;
	return true;
}

void
palette_add_dark(const struct palette *palette, struct colour colour,
    struct text *svg)
{
	if (!palette_darken(palette, &colour))
		return;
	text_add(svg, STR("\" style=\"--dark: "));
	svg_colour(svg, colour);
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
palette_one_side(const struct palette *palette, bool is_second)
{
	const struct colour orange = { 245, 160, 0 }, violet = { 140, 80, 210 };
	const struct colour yellow = { 250, 220, 50 }, navy = { 30, 70, 140 };

	if (palette->scheme->hue == HUE_COLORBLIND)
		return is_second ? yellow : navy;
	return is_second ? orange : violet;
}
