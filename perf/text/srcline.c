#include "fold/folded.h"
#include "srcline.h"

/* Adds names up to the next one that a line belongs to. */
static void
add_names(struct srcline *srcline, const struct namer *namer)
{
	const struct calls *calls = &srcline->calls;
	struct str name;

	srcline->waiting = false;
	while (srcline->next < calls->count && !srcline->waiting) {
		name = namer->names.keys[calls->frames[srcline->next]];
		if (srcline->next++ > 0)
			text_add_char(&srcline->name, ';');
		text_add(&srcline->name, name);
		if (str_starts(name, STR("[unknown")))
			srcline->lines_end |= !srcline->module_known;
		srcline->waiting = !srcline->lines_end;
	}
}

void
srcline_begin(struct srcline *srcline, struct namer *namer, struct calls calls,
    bool module_known)
{
	srcline->calls = calls;
	srcline->next = 0;
	srcline->name.len = 0;
	srcline->module_known = module_known;
	srcline->lines_end = false;
	add_names(srcline, namer);
	if (calls.count == 0)		/* a frame that is left out */
		srcline->waiting = module_known;
}

/* Adds "libc.so.6[27b25]" without what is in brackets. */
static void
add_unbracketed(struct text *text, struct str line)
{
	size_t open, close;

	while (line.len > 0) {
		open = str_find(line, '[');
		close = open + str_find(str_skip(line, open), ']');
		if (close == line.len)
			open = close;
		else
			close++;
		text_add(text, str_take(line, open));
		line = str_skip(line, close);
	}
}

void
srcline_add(struct srcline *srcline, struct namer *namer, struct str line)
{
	struct str trimmed;

	if (line.len == 0)
		srcline->merged++;
	srcline->line.len = 0;
	add_unbracketed(&srcline->line, line);
	trimmed = str_trim(text_str(&srcline->line));
	if (trimmed.len > 0 && srcline->calls.count > 0) {
		text_add_char(&srcline->name, ':');
		folded_add_name(&srcline->name, trimmed);
	}
	add_names(srcline, namer);
}

struct calls
srcline_calls(struct srcline *srcline, struct namer *namer)
{
	srcline->waiting = false;
	return srcline->calls.count == 0 ? srcline->calls :
	    namer_calls(namer, text_str(&srcline->name));
}
