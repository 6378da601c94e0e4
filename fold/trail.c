#include "lib/utf8.h"
#include "trail.h"

/* True if a frame ends at this index of a stack. */
static bool
ends_frame(struct str stack, size_t at)
{
	return at == stack.len || stack.data[at] == ';';
}

struct str
trail_follow(struct trail *trail, struct str stack)
{
	struct str last = text_str(&trail->last), rest;
	size_t common = str_common(last, stack);
	size_t kept = common, next;
	bool whole;		/* they differ after a frame */

	while (kept > 0 && stack.data[kept - 1] != ';')
		kept--;
	if (trail->scratch.chunks != NULL) {
		arena_free(&trail->scratch);
		trail->scratch = (struct arena){ 0 };
	}
	/* The bytes in common with the last stack are clean. */
	rest = str_skip(stack, kept);
	if (!trail->is_raw)
		rest = utf8_clean(rest, &trail->scratch);
	if (rest.data != stack.data + kept)
		common = kept + str_common(str_skip(last, kept), rest);
	whole = stack.len > 0 && ends_frame(last, common) &&
	    ends_frame(rest, common - kept);
	while (trail->depth > 0 &&
	    trail->steps[trail->depth - 1].end + !whole > common)
		trail->depth--;
	trail->last.len = common;
	text_add(&trail->last, str_skip(rest, common - kept));
	next = trail->depth > 0 ? trail->steps[trail->depth - 1].end + 1 : 0;
	return next < kept + rest.len ? str_skip(rest, next - kept) : STR("");
}
