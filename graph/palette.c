/*
 * A theme mixes each channel as base + (int)(range * v), where v is one of
 * three shades between 0 and 1.  The numbers, and how a name gives its shades,
 * are those of flamegraph.pl, so that its pictures can be compared with ours.
 */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "../lib/input.h"
#include "../lib/output.h"
#include "../lib/text.h"
#include "../lib/utf8.h"
#include "palette.h"

struct mix {
	int base, range;
	int shade;		/* which of the three */
};

/* Red, green and blue of the themes that mix; others choose one of these. */
static const struct mix mixes[][3] = {
	[PALETTE_HOT] = { { 205, 50, 2 }, { 0, 230, 0 }, { 0, 55, 1 } },
	[PALETTE_MEM] = { { 0, 0, 0 }, { 190, 50, 1 }, { 0, 210, 0 } },
	[PALETTE_IO] = { { 80, 60, 0 }, { 80, 60, 0 }, { 190, 55, 1 } },
	[PALETTE_RED] = { { 200, 55, 0 }, { 50, 80, 0 }, { 50, 80, 0 } },
	[PALETTE_GREEN] = { { 50, 60, 0 }, { 200, 55, 0 }, { 50, 60, 0 } },
	[PALETTE_BLUE] = { { 80, 60, 0 }, { 80, 60, 0 }, { 205, 50, 0 } },
	[PALETTE_YELLOW] = { { 175, 55, 0 }, { 175, 55, 0 }, { 50, 20, 0 } },
	[PALETTE_PURPLE] = { { 190, 65, 0 }, { 80, 60, 0 }, { 190, 65, 0 } },
	[PALETTE_AQUA] = { { 50, 60, 0 }, { 165, 55, 0 }, { 165, 55, 0 } },
	[PALETTE_ORANGE] = { { 190, 65, 0 }, { 90, 65, 0 }, { 0, 0, 0 } },
	/* Blue to yellow, the lighter the yellower: told apart by everyone. */
	[PALETTE_COLORBLIND] = { { 110, 145, 0 }, { 160, 70, 0 },
	    { 230, -130, 0 } },
};

enum palette_theme
palette_find(struct str name)
{
	static const char *const names[PALETTE_NONE] = {
		[PALETTE_HOT] = "hot", [PALETTE_MEM] = "mem",
		[PALETTE_IO] = "io", [PALETTE_RED] = "red",
		[PALETTE_GREEN] = "green", [PALETTE_BLUE] = "blue",
		[PALETTE_YELLOW] = "yellow", [PALETTE_PURPLE] = "purple",
		[PALETTE_AQUA] = "aqua", [PALETTE_ORANGE] = "orange",
		[PALETTE_WAKEUP] = "wakeup", [PALETTE_CHAIN] = "chain",
		[PALETTE_JAVA] = "java", [PALETTE_JS] = "js",
		[PALETTE_PERL] = "perl", [PALETTE_RUST] = "rust",
		[PALETTE_PYTHON] = "python",
		[PALETTE_COLORBLIND] = "colorblind",
	};
	int theme;

	for (theme = 0; theme < PALETTE_NONE; theme++)
		if (str_equal(name, str_from(names[theme])))
			break;
	return (enum palette_theme)theme;
}

/* "java/util/HashMap", with or without an L before it */
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

static enum palette_theme
java_theme(struct str name)
{
	if (str_ends(name, STR("_[j]")))
		return PALETTE_GREEN;
	if (str_ends(name, STR("_[i]")))
		return PALETTE_AQUA;
	if (is_java_class(name) || str_contains(name, STR(":::")))
		return PALETTE_GREEN;
	if (str_contains(name, STR("::")))	/* C++ */
		return PALETTE_YELLOW;
	if (str_ends(name, STR("_[k]")))
		return PALETTE_ORANGE;
	return PALETTE_RED;
}

static enum palette_theme
js_theme(struct str name)
{
	size_t slash = str_find(name, '/');

	if (str_ends(name, STR("_[j]")))	/* with a path, or built in */
		return slash < name.len ? PALETTE_GREEN : PALETTE_AQUA;
	if (str_contains(name, STR("::")))	/* C++ */
		return PALETTE_YELLOW;
	if (str_contains(str_skip(name, slash), STR(".js")))
		return PALETTE_GREEN;
	if (str_find(name, ':') < name.len)	/* built in */
		return PALETTE_AQUA;
	if (str_equal(name, STR(" ")))		/* without a symbol */
		return PALETTE_GREEN;
	if (str_contains(name, STR("_[k]")))
		return PALETTE_ORANGE;
	return PALETTE_RED;
}

static enum palette_theme
perl_theme(struct str name)
{
	if (str_contains(name, STR("::")))	/* C++ */
		return PALETTE_YELLOW;
	if (str_contains(name, STR("Perl")) || str_contains(name, STR(".pl")))
		return PALETTE_GREEN;
	if (str_ends(name, STR("_[k]")))
		return PALETTE_ORANGE;
	return PALETTE_RED;
}

/*
 * "core::fmt::write" and "<alloc::vec::Vec<T> as core::ops::Drop>::drop" are
 * the standard library's, "<app::T as core::fmt::Debug>::fmt" is not.
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

static enum palette_theme
rust_theme(struct str name)
{
	if (str_ends(name, STR("_[k]")))
		return PALETTE_ORANGE;
	if (is_rust_library(name))
		return PALETTE_AQUA;
	if (str_contains(name, STR("::")))	/* any other crate */
		return PALETTE_GREEN;
	return PALETTE_RED;
}

/*
 * What profilers call a Python function:
 *
 *	py::parse:/app/main.py		perf, by the interpreter's map
 *	parse (app/main.py:12)		py-spy
 *	/app/main.py:parse:12		austin
 */
static bool
is_python(struct str name)
{
	return str_starts(name, STR("py::")) || str_contains(name, STR(".py:")) ||
	    str_contains(name, STR(".py)")) || str_ends(name, STR(".py")) ||
	    str_contains(name, STR("<frozen "));
}

static enum palette_theme
python_theme(struct str name)
{
	if (str_ends(name, STR("_[k]")))
		return PALETTE_ORANGE;
	if (!is_python(name))
		return PALETTE_RED;
	if (str_contains(name, STR("site-packages/")) ||
	    str_contains(name, STR("dist-packages/")))
		return PALETTE_YELLOW;
	if (str_contains(name, STR("<frozen ")) ||
	    str_contains(name, STR("lib/python")) ||
	    str_contains(name, STR("lib64/python")))
		return PALETTE_AQUA;
	return PALETTE_GREEN;
}

static enum palette_theme
plain_theme(enum palette_theme theme, struct str name)
{
	switch (theme) {
	case PALETTE_WAKEUP:
		return PALETTE_AQUA;
	case PALETTE_CHAIN:
		return str_contains(name, STR("_[w]")) ? PALETTE_AQUA :
		    PALETTE_BLUE;
	case PALETTE_JAVA:
		return java_theme(name);
	case PALETTE_JS:
		return js_theme(name);
	case PALETTE_PERL:
		return perl_theme(name);
	case PALETTE_RUST:
		return rust_theme(name);
	case PALETTE_PYTHON:
		return python_theme(name);
	default:
		return theme;
	}
}

/* drand48(3)'s step, without its state. */
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

/* The sum of the characters; of ASCII, eight a step. */
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

/* What drand48 gives first when it is seeded with the sum of the characters. */
static double
name_shade(struct str name)
{
	return fraction(next_random((uint64_t)sum_codes(name) << 16 | 0x330E));
}

/*
 * The first three characters count, the first one most.  A module before them,
 * "libc`malloc", does not.
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

/* The hash of the name, and that of its reverse twice. */
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

struct colour
palette_colour(struct palette *palette, struct str name)
{
	const struct mix *mix = mixes[plain_theme(palette->theme, name)];
	double shades[3];

	choose_shades(palette, name, shades);
	return (struct colour){ blend(&mix[0], shades),
	    blend(&mix[1], shades), blend(&mix[2], shades) };
}

/* White at 0, `full` at 1. */
static struct colour
tint(struct colour full, double part)
{
	return (struct colour){ 255 - (int)((255 - full.red) * part),
	    255 - (int)((255 - full.green) * part),
	    255 - (int)((255 - full.blue) * part) };
}

struct colour
palette_difference(enum palette_theme theme, double delta, double max)
{
	const struct colour more = { 235, 125, 25 }, less = { 70, 145, 225 };
	struct colour colour = { 255, 255, 255 };

	if (theme == PALETTE_COLORBLIND)
		return delta > 0 ? tint(more, delta / max) :
		    tint(less, 0 - delta / max);
	if (delta > 0)
		colour.green = colour.blue = (int)(210 * (max - delta) / max);
	else if (delta < 0)
		colour.red = colour.green = (int)(210 * (max + delta) / max);
	return colour;
}

static void
map_set(struct palette_map *map, struct str name, struct str colour)
{
	uint32_t number = table_add(&map->names, name);

	map->colours = mem_grow(map->colours, &map->room, number + 1,
	    sizeof(*map->colours));
	map->colours[number] = arena_copy(&map->arena, colour);
}

/*
 * "rgb(1,2,3)", "#abc", "hsl(120 50% 50%)" or "red"; not url(...), which would
 * be loaded with the picture, nor "rgb(250,", as a file that was cut off may
 * end.
 */
static bool
is_colour(struct str text)
{
	size_t i;

	for (i = 0; i < text.len; i++)
		if (str_starts_any_case(str_skip(text, i), STR("url")) ||
		    (!is_word(text.data[i]) && (text.data[i] == '\0' ||
		    strchr("#(),.% /-", text.data[i]) == NULL)))
			return false;
	return text.len > 0 &&
	    (str_find(text, '(') == text.len || str_ends(text, STR(")")));
}

/*
 * NAME->COLOUR, where a name such as "operator->" has arrows of its own; false
 * when it is none.
 */
static bool
read_entry(struct palette_map *map, struct str line)
{
	size_t end;
	struct str colour;

	line = utf8_clean(line, &map->arena);
	for (end = line.len; end > 1; end--)
		if (str_ends(str_take(line, end), STR("->")))
			break;
	colour = str_skip(line, end);
	if (end < 2 || !is_colour(colour))
		return line.len == 0;
	map_set(map, str_take(line, end - 2), colour);
	return true;
}

bool
palette_map_read(struct palette_map *map, const char *path)
{
	const char *operands[] = { path, NULL };
	struct input input;
	struct str line;
	size_t odd = 0, first = 0;

	*map = (struct palette_map){ .room = 0 };
	table_init(&map->names);
	if (access(path, F_OK) != 0 && errno == ENOENT)
		return true;
	input_init(&input, operands);
	while (input_line(&input, &line))
		if (!read_entry(map, line) && odd++ == 0)
			first = input.line;
	if (odd > 0)
		warnx("%s: lines without a name and a color, left out: %lu, "
		    "the first is line %lu", path, (unsigned long)odd,
		    (unsigned long)first);
	return !input.failed;
}

struct str
palette_map_colour(struct palette_map *map, struct palette *palette,
    struct str name)
{
	uint32_t number = table_find(&map->names, name);
	struct text text = { 0 };
	struct colour colour;

	if (number == TABLE_NONE) {
		colour = palette_colour(palette, name);
		text_add_format(&text, "rgb(%d,%d,%d)", colour.red,
		    colour.green, colour.blue);
		map_set(map, name, text_str(&text));
		free(text.data);
		number = map->names.count - 1;
	}
	return map->colours[number];
}

static void
add_entries(const struct palette_map *map, struct text *text)
{
	uint32_t *order = table_order(&map->names), i;

	for (i = 0; i < map->names.count; i++) {
		text_add(text, map->names.keys[order[i]]);
		text_add(text, STR("->"));
		text_add(text, map->colours[order[i]]);
		text_add_char(text, '\n');
	}
	free(order);
}

bool
palette_map_write(const struct palette_map *map, const char *path)
{
	struct text text = { 0 };
	bool written;

	add_entries(map, &text);
	written = output_replace(path, text_str(&text));
	free(text.data);
	return written;
}
