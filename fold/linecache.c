#include "linecache.h"

void
recent_init(struct recent *recent, unsigned bits)
{
	const size_t places = (size_t)1 << bits;

	*recent = (struct recent){
		.lens = mem_array(places, sizeof(*recent->lens)),
		.numbers = mem_array(places, sizeof(*recent->numbers)),
		.shift = 64 - bits,
	};
}

static uint64_t
mix(uint64_t state, const char *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	state = (state ^ word) * UINT64_C(0x9E3779B97F4A7C15);
	return state ^ state >> 32;
}

/* Lines that are made to have one place are parsed each time, no worse. */
size_t
recent_line_place(const struct recent *recent, struct str line)
{
	const size_t word = sizeof(uint64_t);
	uint64_t state = line.len;
	size_t at;

	if (line.len < word)
		return 0;
	for (at = 0; at + word < line.len; at += word)
		state = mix(state, line.data + at);
	state = mix(state, line.data + line.len - word);
	return (size_t)(state * UINT64_C(0x9E3779B97F4A7C15) >> recent->shift);
}

void
recent_note(struct recent *recent, size_t place, struct str line,
    struct calls calls)
{
	struct recent_line *noted;

	if (line.len == 0 || line.len > RECENT_LINE)
		return;
	if (recent->lens[place] == 0) {
		recent->lines = mem_grow(recent->lines, &recent->room,
		    recent->count + 1, sizeof(*recent->lines));
		recent->numbers[place] = (uint16_t)recent->count++;
	}
	noted = &recent->lines[recent->numbers[place]];
	noted->frames = calls.frames;
	noted->count = (uint32_t)calls.count;
	memcpy(noted->text, line.data, line.len);
	recent->lens[place] = (unsigned char)line.len;
}
