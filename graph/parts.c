#include "fold/sniff.h"
#include "lib/message.h"
#include "parts.h"

/* Begins a file, unless it is refused. */
static const char *
examine(void *context, struct beginning *file)
{
	struct parts *parts = context;
	const char *reason;

	parts_end(parts);
	if (file->is_folder)
		return NULL;
	reason = sniff_folded_refusal(file->bytes);
	if (reason != NULL)
		return reason;
	parts->read_before = *parts->read;
	parts->ignored_before = *parts->ignored;
	parts->looks = sniff_kind(file->bytes);
	parts->name = parts->input->name;
	return NULL;
}

void
parts_init(struct parts *parts, struct input *input,
    const char *const *operands, const size_t *read, const size_t *ignored)
{
	*parts = (struct parts){ .input = input, .read = read,
	    .ignored = ignored };
	parts->are_named = operands[0] != NULL;
	parts->several = parts->are_named && operands[1] != NULL;
	input_examine(input, examine, parts);
}

void
parts_cut(const struct parts *parts, bool is_counted)
{
	const struct input *input = parts->input;

	if (!is_counted) {
		message_warn("%s: line %lu is cut off, as the file ends in it, "
		    "and is left out", input->name, (unsigned long)input->line);
		parts->input->failed |= parts->several;
	} else if (parts->several)
		message_warn("%s: line %lu has no end; if it is cut off, its "
		    "count is wrong", input->name, (unsigned long)input->line);
}

void
parts_end(struct parts *parts)
{
	size_t read = *parts->read - parts->read_before;
	size_t ignored = *parts->ignored - parts->ignored_before;

	if (parts->name == NULL)
		return;
	if (parts->are_named && ignored == read) {
		if (read == 0)
			message_warn("%s: it is empty", parts->name);
		else
			message_warn("%s: no line is a stack and a count; it "
			    "looks like %s", parts->name, parts->looks);
		parts->input->failed = true;
	}
	parts->name = NULL;
}
