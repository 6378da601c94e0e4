#include "recent.h"

/* The bytes that tell a line's place. */
#define SHORTEST	17

void
recent_init(struct recent *recent)
{
	*recent = (struct recent){ .lines = NULL };
	recent->lines = mem_array((size_t)1 << RECENT_BITS,
	    sizeof(*recent->lines));
}

void
recent_note(struct recent *recent, struct str line, struct calls calls)
{
	struct recent_line *noted;
	size_t place;

	if (line.len < SHORTEST || line.len > RECENT_LINE ||
	    line.data[line.len - 1] != '\n')
		return;
	place = recent_place(line.data);
	noted = &recent->lines[place];
	noted->frames = calls.frames;
	noted->count = (uint32_t)calls.count;
	memcpy(noted->text, line.data, line.len);
	recent->lens[place] = (unsigned char)line.len;
}
