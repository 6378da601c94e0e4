#include <math.h>
#include <stdio.h>

#include "colour.h"

/* Both contrasts are the same at (0.05 * 1.05)^(1/2) - 0.05. */
#define MIDDLE	0.179

static bool
parse_hex(struct str digits, struct colour *colour)
{
	int channels[3], i;
	size_t each = digits.len / 3;
	char high, low;

	if (digits.len != 3 && digits.len != 6)
		return false;
	for (i = 0; i < 3; i++) {
		high = digits.data[each * (size_t)i];
		low = digits.data[each * (size_t)i + each - 1];
		if (!is_hex(high) || !is_hex(low))
			return false;
		channels[i] = (int)(hex_value(high) << 4 | hex_value(low));
	}
	*colour = (struct colour){ channels[0], channels[1], channels[2] };
	return true;
}

bool
colour_parse(struct str text, struct colour *colour)
{
	char copy[sizeof("rgb(255, 255, 255)")], end;
	struct colour own;

	if (str_starts(text, STR("#")))
		return parse_hex(str_skip(text, 1), colour);
	if (text.len >= sizeof(copy))
		return false;
	memcpy(copy, text.data, text.len);
	copy[text.len] = '\0';
	if (sscanf(copy, "rgb(%3d,%3d,%3d%c", &own.red, &own.green,
	    &own.blue, &end) != 4 || end != ')' ||
	    ((own.red | own.green | own.blue) & ~255) != 0)
		return false;
	*colour = own;
	return true;
}

/* Returns a channel's light.  It grows faster than the channel's number. */
static double
light(int channel)
{
	double part = channel / 255.0;

	return part <= 0.04045 ? part / 12.92 :
	    pow((part + 0.055) / 1.055, 2.4);
}

bool
colour_is_dark(struct colour colour)
{
	return 0.2126 * light(colour.red) + 0.7152 * light(colour.green) +
	    0.0722 * light(colour.blue) < MIDDLE;
}

static const struct {
	const char *name;
	struct background colours;
} gradients[] = {
	{ "yellow", { "#eeeeee", "#eeeeb0", "#1e1e1e", "#2a2a1a" } },
	{ "blue", { "#eeeeee", "#e0e0ff", "#1e1e1e", "#1e1e30" } },
	{ "green", { "#eef2ee", "#e0ffe0", "#1c1e1c", "#1a2a1a" } },
	{ "grey", { "#f8f8f8", "#e8e8e8", "#1a1a1a", "#282828" } },
};

bool
background_choose(struct background *background, const char *name,
    const char *theme)
{
	bool is_auto = strcmp(theme, "auto") == 0;
	struct colour own;
	size_t i = 0;

	while (i < sizeof(gradients) / sizeof(*gradients) &&
	    strcmp(name, gradients[i].name) != 0)
		i++;
	if (i < sizeof(gradients) / sizeof(*gradients))
		*background = gradients[i].colours;
	else if (strlen(name) == strlen("#rrggbb") && name[0] == '#' &&
	    colour_parse(str_from(name), &own))
		/* With "auto" these are for readers whose theme is light. */
		*background = (struct background){ name, name,
		    is_auto ? "#1a1a1a" : name, is_auto ? "#282828" : name };
	else	/* #rgb and rgb(1,2,3) make no id of a gradient */
		return false;
	if (strcmp(theme, "dark") == 0) {
		background->top = background->dark_top;
		background->bottom = background->dark_bottom;
	}
	if (!is_auto)
		background->dark_top = background->dark_bottom = NULL;
	return true;
}

bool
background_is_dark(const struct background *background)
{
	struct colour colour;

	return colour_parse(str_from(background->top), &colour) &&
	    colour_is_dark(colour);
}
