/*
 * Folded text is mostly in byte order, where neighbours share most of their
 * frames: only names behind those that the last line had are looked up.
 */
#include "adder.h"
#include "folded.h"
#include "lib/message.h"

/* True if the frame that ends here in the last stack is in this one, too. */
static bool
is_shared(struct str stack, size_t common, size_t end)
{
	return end < common || (end == common &&
	    (end == stack.len || stack.data[end] == ';'));
}

/* Makes the path that of this stack; what it has in common is kept. */
static void
follow(struct adder *adder, struct str stack)
{
	size_t common = str_common(text_str(&adder->last), stack);
	size_t start = 0, end;

	while (adder->depth > 0 && !is_shared(stack, common,
	    adder->path[adder->depth - 1].end))
		adder->depth--;
	if (adder->depth > 0)
		start = adder->path[adder->depth - 1].end + 1;
	for (; start <= stack.len; start = end + 1) {
		end = start + str_find(str_skip(stack, start), ';');
		adder->path = mem_grow(adder->path, &adder->room,
		    adder->depth + 1, sizeof(*adder->path));
		adder->path[adder->depth++] = (struct adder_step){
		    table_add(&adder->namer->names,
		    str_between(stack, start, end)), end };
	}
	adder->last.len = common;
	text_add(&adder->last, str_skip(stack, common));
}

static void
add(struct adder *adder, struct str stack, unsigned long long count)
{
	size_t i;

	follow(adder, stack);
	adder->stack.depth = 0;
	for (i = adder->depth; i > 0; i--)
		stack_push(&adder->stack, adder->path[i - 1].name);
	if (*adder->timeline != NULL)
		timeline_add_stack(*adder->timeline, &adder->stack, count,
		    TIMELINE_NO_TIME);
	else
		stacks_add(adder->stacks, &adder->stack, count);
}

static void
tell(const struct adder *adder, const char *reason)
{
	message_warn("%s: line %lu %s, and is left out", adder->input->name,
	    (unsigned long)input_number(adder->input), reason);
}

/* Leaves out the line that was read last. */
static void
leave_out(struct adder *adder, const char *reason)
{
	struct input *input = adder->input;

	adder->left_out++;
	input->failed = true;
	if (adder->told == input->name)
		return;
	adder->told = input->name;
	input_wait(input);
	if (adder->notes->told != input->name)
		tell(adder, reason);
	adder->notes->told = input->name;
}

/* Leaves out a line of which some may be missing. */
static void
leave_out_last(struct adder *adder)
{
	adder->left_out++;
	adder->input->failed = true;
	input_wait(adder->input);
	tell(adder, "is cut off, as the file ends in it");
}

bool
adder_line(struct adder *adder, struct str line)
{
	struct str stack, digits, first;
	unsigned long long count;

	/* Hadoop Streaming puts a tab behind a line that has none. */
	if (str_ends(line, STR("\t")))
		line.len--;
	stack = line;
	if (line.len == 0 || str_starts(line, STR("# ")))
		return false;
	if (!str_ends(input_whole_line(adder->input), STR("\n")))
		leave_out_last(adder);
	else if (!folded_cut_count(&stack, &digits))
		leave_out(adder, "is no stack and count");
	else if (folded_cut_count(&stack, &first))
		leave_out(adder, "has two counts");
	else if (str_find(digits, '.') < digits.len)
		leave_out(adder, "has a count that is not whole");
	else {
		if (!str_number(digits, &count))
			adder->stacks->overflowed = true;
		add(adder, stack, count);
		return true;
	}
	return false;
}
