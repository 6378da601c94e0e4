#include <stdlib.h>

#include "collapse.h"
#include "folded.h"
#include "lib/gzip.h"
#include "lib/message.h"
#include "lib/output.h"
#include "lib/packed.h"
#include "lib/progress.h"

#define LINES_ENOUGH	1024	/* bytes of lines, for kind_looks */

void
fold_note_first(struct fold *fold, struct str line)
{
	struct text *lines = &fold->first_lines;

	fold->has_lines = lines->len + line.len >= LINES_ENOUGH;
	if (lines->len == 0)
		fold->first_name = fold->input.name;
	if (fold->first_name != fold->input.name)
		return;
	text_add(lines, str_take(line, line.len < LINES_ENOUGH ? line.len :
	    LINES_ENOUGH));
	text_add_char(lines, '\n');
}

void
fold_note_odd(struct fold *fold)
{
	if (fold->odd++ > 0)
		return;
	fold->odd_name = fold->input.name;
	fold->odd_line = fold->input.line;
}

void
fold_report_lost(struct fold *fold, const char *what,
    unsigned long long count)
{
	fold->lost |= count > 0;
	message_count(what, count);
}

const char *
fold_reason(struct fold *fold, const char *format, ...)
{
	va_list args;

	fold->reason.len = 0;
	va_start(args, format);
	text_add_list(&fold->reason, format, args);
	va_end(args);
	text_add_char(&fold->reason, '\0');
	return fold->reason.data;
}

/* Only a new name is searched: none in the table has what ends a frame. */
uint32_t
fold_name(struct fold *fold, struct str name)
{
	uint32_t number = table_find(&fold->namer.names, name);

	if (number != TABLE_NONE)
		return number;
	if (str_find(name, ';') < name.len ||
	    str_find(name, '\n') < name.len) {
		fold->name.len = 0;
		folded_add_name(&fold->name, name);
		name = text_str(&fold->name);
	}
	return table_add(&fold->namer.names, name);
}

void
fold_frame(struct fold *fold, struct str name)
{
	stack_push(&fold->stack, fold_name(fold, name));
}

void
fold_count(struct fold *fold, unsigned long long count)
{
	if (fold->stack.depth == 0)
		fold_frame(fold, STR(""));
	stacks_add(&fold->stacks, &fold->stack, count);
	fold->stack.depth = 0;
	fold->counts.samples++;
}

uint32_t
fold_number(struct fold *fold)
{
	uint32_t number;

	stacks_number(&fold->stacks, fold->stack.frames, &fold->stack.depth, 1,
	    &number);
	return number;
}

void
fold_count_number(struct fold *fold, uint32_t number, unsigned long long count)
{
	stacks_count(&fold->stacks, number, count);
	fold->counts.samples++;
}

void
fold_count_digits(struct fold *fold, struct str digits)
{
	unsigned long long count;

	if (!str_number(digits, &count))
		fold->stacks.overflowed = true;
	fold_count(fold, count);
}

void
fold_count_path(struct fold *fold, const struct stack *path,
    unsigned long long count)
{
	size_t i;

	fold->stack.depth = 0;
	for (i = path->depth; i > 0; i--)
		stack_push(&fold->stack, path->frames[i - 1]);
	fold_count(fold, count);
}

void
fold_count_weight(struct fold *fold, double weight, const struct stack *roots)
{
	size_t i;

	for (i = 0; roots != NULL && i < roots->depth; i++)
		stack_push(&fold->stack, roots->frames[i]);
	stacks_add(&fold->stacks, &fold->stack,
	    stacks_round(&fold->stacks, weight));
	fold->stack.depth = 0;
}

static void
end(struct fold *fold)
{
	if (fold->format->end != NULL)
		fold->format->end(fold);
}

void
fold_cut(struct fold *fold)
{
	fold->cut_short = true;
	fold->counts.cut++;
	fold->stack.depth = 0;
}

/* Ends a file.  It is odd if none of its lines was recognized. */
static void
end_file(struct fold *fold)
{
	if (fold->is_lines && !fold->recognized &&
	    !fold->format->in_parts)
		fold->counts.odd++;
	fold->is_lines = false;
}

/* Begins a file.  It may continue the last sample of the one before. */
static void
begin_file(struct fold *fold, const struct beginning *file)
{
	const struct format *format = fold->format;
	struct str first = str_take(file->bytes, str_find(file->bytes, '\n'));

	if (str_ends(first, STR("\r")))
		first.len--;
	if (file->by_lines || format->goes_on == NULL ||
	    !format->goes_on(fold, first))
		end(fold);
	end_file(fold);
	fold->known |= fold->recognized;
	fold->recognized = false;
	per_file_begin(&fold->files, fold->input.name);
}

/* Folds a file as a whole; returns NULL, or what is wrong with it. */
static const char *
fold_file(struct fold *fold, const struct beginning *file)
{
	struct content content;
	const char *reason;

	content_begin(&content, file->name, file->bytes, file->fd);
	content.lost = &fold->lost;
	reason = fold->format->file(fold, &content);
	content_end(&content);
	fold->refused |= reason != NULL;
	return reason;
}

/* Classifies a file before its lines are folded; may fold it as a whole. */
static bool
examine(void *context, struct beginning *file)
{
	struct fold *fold = context;
	const struct format *format = fold->format;
	size_t most = input_beginning(file->bytes);
	bool empty = file->bytes.len == 0 && !file->is_folder;
	bool whole = format->file != NULL && (format->is_file != NULL ?
	    format->is_file(file) : !file->is_folder), lines;

	/* Formats of whole files unpack gzip's themselves. */
	file->unpack = !file->is_unpacked && packed_by(file->bytes) != NULL &&
	    !(gzip_begins(file->bytes) && whole);
	if (file->unpack)
		return false;
	file->by_lines = format->adds_folded && kind_is_folded(file->bytes);
	whole &= !empty && !file->by_lines;
	if (format->form != NULL && !file->by_lines && !whole)
		/* as many bytes as are there however the file is read */
		fold->input.form = format->form(str_take(file->bytes,
		    file->bytes.len < most ? file->bytes.len : most));
	begin_file(fold, file);
	fold->has_folded |= file->by_lines;
	fold->recognized |= file->by_lines || whole;
	if (empty)
		file->trouble = fold->several ? "it is empty" : NULL;
	else if (whole)
		file->trouble = fold_file(fold, file);
	else if (file->by_lines)
		file->trouble = format->no_folded;
	else if (!file->is_folder) {
		file->trouble = kind_refusal(file->bytes);
		if (file->trouble == NULL && format->begin_lines != NULL)
			file->trouble = format->begin_lines(fold, file);
		fold->is_lines = file->trouble == NULL;
	}
	lines = !empty && !whole && file->trouble == NULL;
	fold->counts.reported += file->trouble != NULL ||
	    (lines && file->is_folder);
	return lines;
}

void
fold_follow(struct fold *fold, struct str stack)
{
	struct trail *trail = &fold->trail;
	struct str names = trail_follow(trail, stack), name;

	while (trail->depth == 0 ||
	    trail->steps[trail->depth - 1].end < stack.len) {
		name = str_cut(&names, ';');
		trail_push(trail, table_add(&fold->namer.names, name), name);
	}
}

static void
add_stack(struct fold *fold, struct str stack, unsigned long long count)
{
	const struct trail *trail = &fold->trail;
	size_t i;

	fold_follow(fold, stack);
	fold->stack.depth = 0;
	for (i = trail->depth; i > 0; i--)
		stack_push(&fold->stack, trail->steps[i - 1].number);
	if (fold->timeline != NULL)
		timeline_add_stack(fold->timeline, &fold->stack, count,
		    TIMELINE_NO_TIME);
	else
		stacks_add(&fold->stacks, &fold->stack, count);
	fold->stack.depth = 0;
}

/* Leaves out the line that was read last; reports the first one of a file. */
static void
leave_out(struct fold *fold, const char *reason)
{
	struct input *input = &fold->input;

	fold->left_out++;
	input->failed = true;
	if (fold->reported == input->name)
		return;
	fold->reported = input->name;
	message_warn("%s: line %zu %s, and is left out", input->name,
	    input->line, reason);
}

/*
 * Adds a line of folded text; true for a stack, false for a comment.  Lines
 * mostly come in byte order, so neighbours share most frames: only names after
 * the shared ones are looked up.
 */
static bool
add_folded(struct fold *fold, struct str line)
{
	struct str stack, digits, first;
	unsigned long long count;

	/* Hadoop Streaming puts a tab after a line that has none. */
	if (str_ends(line, STR("\t")))
		line.len--;
	stack = line;
	if (str_starts(line, STR("# ")))
		folded_note_unit(&fold->unit, line);
	if (line.len == 0 || str_starts(line, STR("# ")))
		return false;
	if (input_line_is_cut(&fold->input)) {
		fold->reported = NULL;	/* it is reported in any case */
		leave_out(fold, "is cut off at the end of the file");
	} else if (!folded_cut_count(&stack, &digits))
		leave_out(fold, "is not a stack and a count");
	else if (folded_cut_count(&stack, &first))
		leave_out(fold, "has two counts");
	else if (str_find(digits, '.') < digits.len)
		leave_out(fold, "has a count that is not whole");
	else {
		if (!str_number(digits, &count))
			fold->stacks.overflowed = true;
		add_stack(fold, stack, count);
		return true;
	}
	return false;
}

static void
fold_input(struct fold *fold)
{
	struct str line;

	input_examine(&fold->input, examine, fold);
	while (input_line(&fold->input, &line)) {
		if (fold->input.name != fold->files.name)
			per_file_begin(&fold->files, fold->input.name);
		if (fold->input.by_lines)
			fold->counts.samples += add_folded(fold, line);
		else if (fold->format->line != NULL)
			fold->format->line(fold, line);
		else if (line.len > 0)	/* kept for messages */
			fold_note_line(fold, line);
	}
	end_file(fold);
	fold->recognized |= fold->known;
	end(fold);
	stacks_settle(&fold->stacks);
	per_file_begin(&fold->files, NULL);
}

/*
 * Gives frames the names of a list, by number.  Stacks that become equal are
 * added up; all get other numbers.
 */
static void
rename_frames(struct fold *fold, const struct str *list)
{
	struct table *names = &fold->namer.names;
	const struct paths *paths = &fold->stacks.paths;
	uint32_t count = names->count, *numbers, node;
	struct stack stack = { 0 };
	struct stacks stacks;
	size_t i;

	numbers = mem_array(count, sizeof(*numbers));
	for (i = 0; i < count; i++)
		numbers[i] = table_add(names, list[i]);
	stacks_init(&stacks);
	for (node = 0; node < paths->count; node++) {
		if (!path_ends(paths, node))
			continue;
		stack.depth = 0;
		stacks_get(&fold->stacks, node, &stack);
		for (i = 0; i < stack.depth; i++)
			stack.frames[i] = numbers[stack.frames[i]];
		stacks_add(&stacks, &stack, fold->stacks.counts[node]);
	}
	stacks_settle(&stacks);
	stacks.overflowed |= fold->stacks.overflowed;
	stacks_free(&fold->stacks);
	fold->stacks = stacks;
	free(stack.frames);
	free(numbers);
}

/*
 * Returns a name that may end a stack: in "Frame 12", whose number would be a
 * count, the blank becomes '_'.  The arena holds a name that is made.
 */
static struct str
end_name(struct str name, struct arena *arena)
{
	struct str rest = name, count;
	char *made;

	if (!folded_cut_count(&rest, &count))
		return name;
	made = arena_take(arena, name.len);
	memcpy(made, name.data, name.len);
	do
		made[rest.len] = '_';
	while (folded_cut_count(&rest, &count));
	return (struct str){ made, name.len };
}

/* Makes sure that no name ends a stack in a count. */
static void
end_names(struct fold *fold)
{
	struct table *names = &fold->namer.names;
	const struct paths *paths = &fold->stacks.paths;
	struct str *list = mem_array(names->count, sizeof(*list)), *name, ended;
	bool stay = true;
	uint32_t node;

	stacks_settle(&fold->stacks);
	if (names->count > 0)
		memcpy(list, names->keys, names->count * sizeof(*list));
	for (node = 1; node < paths->count; node++) {
		if (!path_ends(paths, node))
			continue;
		name = &list[path_frame_at(paths, node,
		    paths->nodes[node].more)];
		ended = end_name(*name, &names->arena);
		stay &= ended.data == name->data;
		*name = ended;
	}
	if (!stay && (fold->timeline != NULL || fold->format->counts != NULL))
		memcpy(names->keys, list, names->count * sizeof(*list));
	else if (!stay)
		rename_frames(fold, list);
	free(list);
}

/* Reports what was wrong with the input; false if nothing in it was right. */
static bool
report(struct fold *fold, bool all_read)
{
	const struct format *format = fold->format;
	struct str first = text_str(&fold->first_lines);
	const struct kind *kind = kind_of_lines(first);
	const struct kind *own = format->kind;
	const char *sample = own->sample;

	if (first.len == 0 && !fold->recognized) {
		if (all_read)
			message_warn("the input is empty");
		return true;
	}
	if (!fold->recognized || (fold->cut_short && kind != NULL &&
	    fold->counts.samples == 0 && kind != own)) {
		if (kind == own)
			message_warn("%s: it has no %s as the man page shows "
			    "it; it looks like %s", fold->first_name, sample,
			    own->files);
		else
			message_warn("%s is not what %s prints; it looks like "
			    "%s", fold->first_name, own->source,
			    kind_looks(first));
		return false;
	}
	if (format->report != NULL)
		format->report(fold);
	message_count("stacks of more than 4,096 frames, cut off at their root",
	    fold->deep);
	if (format->nothing != NULL && fold->counts.samples == 0 &&
	    !fold->cut_short && !fold->input.failed)
		message_warn("%s", format->nothing);
	/* perf's last sample need not end, and filters may leave none */
	fold->lost |= fold->odd > 0 || (own != &kinds[KIND_PERF] &&
	    (fold->cut_short || (fold->counts.samples == 0 &&
	    !fold->passed_over)));
	if (fold->cut_short && !(fold->several && fold->counts.cut > 0))
		message_warn("the input ends inside a %s, which is left out",
		    sample);
	if (fold->odd > 0)
		message_warn("damaged lines, left out: %zu; the first is line "
		    "%zu of %s", fold->odd, fold->odd_line, fold->odd_name);
	if (fold->left_out > 1)
		message_warn("lines of folded text, left out: %zu",
		    fold->left_out);
	return true;
}

static const char *const *
read_options(const struct format *format, char **argv)
{
	static const struct option none[] = {
		{ NULL, OPTION_END, NULL, NULL, NULL }
	};
	struct usage usage = { format->synopsis, format->notes,
	    format->options };
	const char *const *operands;

	if (usage.options == NULL) {
		usage.synopsis = "[file ...] > out.folded";
		usage.options = none;
	} else if (usage.synopsis == NULL)
		usage.synopsis = "[option ...] [file ...] > out.folded";
	operands = options_parse(&usage, argv);
	if (format->check != NULL)
		format->check(operands);
	return operands;
}

int
collapse(const struct format *format, char **argv)
{
	static struct fold *fold;	/* kept until the program ends */
	static struct timeline timeline;
	const char *const *operands = read_options(format, argv);
	bool all_read, good;

	fold = mem_array(1, format->size);
	fold->format = format;
	fold->several = operands[0] != NULL && operands[1] != NULL;
	input_init(&fold->input, operands);
	fold->trail.is_raw = true;
	stacks_init(&fold->stacks);
	fold->files.all = &fold->counts;
	progress_start(options_program(argv), operands, "samples");
	progress_watch(&fold->counts.samples, &fold->stacks.paths.ends);
	if (format->in_order != NULL && *format->in_order) {
		timeline_init(&timeline, &fold->stacks, 0);
		fold->timeline = &timeline;
	}
	if (format->begin != NULL)
		format->begin(fold);
	fold_input(fold);
	all_read = !fold->input.failed;
	good = report(fold, all_read);
	if (fold->several && fold->counts.samples + fold->counts.cut > 0)
		all_read &= !per_file_report(&fold->files,
		    format->kind->sample) &&
		    !fold->cut_short;
	all_read &= !fold->lost;
	if (good && format->finish != NULL)
		good = format->finish(fold);
	if (good)
		end_names(fold);
	if (good && fold->stacks.overflowed)
		message_warn("a count is larger than 2^64 - 1, and is printed "
		    "as that");
	if (good && fold->counts.samples > 0 &&
	    folded_unit_name(&fold->unit) != NULL)
		printf("# unit: %s\n", fold->unit.name);
	if (good && fold->timeline != NULL)
		timeline_print(fold->timeline, &fold->namer.names, stdout);
	else if (good)
		listing_print(&fold->stacks, &fold->namer.names,
		    format->counts, fold, stdout);
	return output_close(good && all_read ? 0 : 1);
}

