#include <stddef.h>
#include <string.h>

#include "background.h"
#include "colour.h"
#include "lib/str.h"

/* A background has two more colours for those who prefer a dark one. */
struct gradient {
	const char *name;
	struct background colours;
};

static const struct gradient gradients[] = {
	{ "yellow", { "#eeeeee", "#eeeeb0", "#1e1e1e", "#2a2a1a" } },
	{ "blue", { "#eeeeee", "#e0e0ff", "#1e1e1e", "#1e1e30" } },
	{ "green", { "#eef2ee", "#e0ffe0", "#1c1e1c", "#1a2a1a" } },
	{ "grey", { "#f8f8f8", "#e8e8e8", "#1a1a1a", "#282828" } },
};

/* True if the name is #rrggbb. */
static bool
is_rgb(const char *name)
{
	size_t i;

	for (i = 1; name[0] == '#' && is_hex(name[i]); i++)
		continue;
	return i == 7 && name[i] == '\0';
}

static bool
find_colours(struct background *colours, const char *name, bool is_auto)
{
	size_t i;

	for (i = 0; i < sizeof(gradients) / sizeof(*gradients); i++)
		if (strcmp(name, gradients[i].name) == 0) {
			*colours = gradients[i].colours;
			return true;
		}
	/* With "auto" it is for readers whose theme is light. */
	*colours = (struct background){ name, name,
	    is_auto ? "#1a1a1a" : name, is_auto ? "#282828" : name };
	return is_rgb(name);
}

bool
background_choose(struct background *background, const char *name,
    const char *theme)
{
	bool is_auto = strcmp(theme, "auto") == 0;

	if (!find_colours(background, name, is_auto))
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
