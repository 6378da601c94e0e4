#include "wakers.h"

#define MARK	STR("_[w]")

/* Adds the frames of a waker's stack. */
static void
add_marked(struct text *marked, struct str stack)
{
	size_t i;

	for (i = 0; i < stack.len; i++) {
		if (stack.data[i] == ';')
			text_add(marked, MARK);
		text_add_char(marked, stack.data[i]);
	}
	text_add(marked, MARK);
}

struct str
wakers_mark(struct text *marked, struct str stack)
{
	const struct str border = STR(";--;");
	struct str rest = stack;
	size_t part = str_search(stack, border), end;

	marked->len = 0;
	text_add(marked, str_take(stack, part));
	text_add(marked, border);
	end = part + str_find_last(border, ';');
	while (part < rest.len) {
		rest = str_skip(rest, part + border.len);
		part = str_search(rest, border);
		add_marked(marked, str_take(rest, part));
		if (part > 0)	/* empty parts at the end do not count */
			end = marked->len;
		text_add(marked, border);
	}
	/* Only a stack without wakers ends in a border of ours. */
	if (rest.data != stack.data && str_ends(stack, STR(";"))) {
		marked->len = end;
		text_add_char(marked, ';');
		end++;
	}
	return str_take(text_str(marked), end);
}

struct str
wakers_unmark(struct str name)
{
	return str_ends(name, MARK) ? str_take(name, name.len - MARK.len) :
	    name;
}
