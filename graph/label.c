#include "label.h"
#include "lib/utf8.h"
#include "svg.h"

static const char *const cuts[] = {
	[LABEL_END] = "end", [LABEL_MIDDLE] = "middle", [LABEL_FRONT] = "front",
};

int
label_cut_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(cuts) / sizeof(*cuts); i++)
		if (strcmp(name, cuts[i]) == 0)
			return (int)i;
	return -1;
}

const char *
label_cut_name(enum label_cut cut)
{
	return cuts[cut];
}

void
label_add(struct text *svg, struct str name, size_t room, enum label_cut cut,
    bool ascii)
{
	size_t length, left = room - 2;		/* of the front */

	if (name.len <= room || (length = utf8_length(name)) <= room) {
		svg_text(svg, name, ascii);
		return;
	}
	if (cut == LABEL_FRONT)
		left = 0;
	else if (cut == LABEL_MIDDLE)
		left = (left + 1) / 2;
	svg_text(svg, utf8_take(name, left), ascii);
	text_add(svg, STR(".."));
	svg_text(svg, str_skip(name, utf8_take(name, length -
	    (room - 2 - left)).len), ascii);
}
