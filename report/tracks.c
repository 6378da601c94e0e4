#include <stdint.h>

#include "fold/foldedlines.h"
#include "lib/json.h"
#include "lib/message.h"
#include "lib/output.h"
#include "lib/progress.h"
#include "lib/utf8.h"
#include "tracks.h"

#define MOST	(UINT32_MAX - 1)	/* rows of stacks */

void
amount_write(struct text *json, struct amount amount, double factor)
{
	if (factor == 1 && amount.part == 0)
		text_add_number(json, amount.whole);
	else
		json_add_number(json, amount_value(amount) * factor);
}

void
marks_init(struct marks *marks, const struct table *names)
{
	const struct str mark = STR("_[i]");
	struct str name;
	uint32_t i;

	marks->function_of = mem_array(names->count,
	    sizeof(*marks->function_of));
	marks->is_inlined = mem_array(names->count,
	    sizeof(*marks->is_inlined));
	for (i = 0; i < names->count; i++) {
		name = names->keys[i];
		marks->is_inlined[i] = name.len > mark.len &&
		    str_ends(name, mark);
		if (marks->is_inlined[i])
			name.len -= mark.len;
		marks->function_of[i] = table_add(&marks->functions, name);
	}
}

static uint32_t
add_row(struct stack_table *stacks, uint32_t caller, uint32_t name)
{
	if (stacks->count == MOST)
		message_fail("more than %lu different stacks",
		    (unsigned long)MOST);
	*LIST_AT(stacks->rows, stacks->count, stacks->room) =
	    (struct stack_row){ caller, name, 0 };
	return stacks->count++;
}

/* Returns the row of a stack; empty names at its end are ignored. */
static uint32_t
find_stack(struct stack_table *stacks, struct str stack)
{
	struct trail *trail = &stacks->trail;
	uint32_t row, caller, number, *found;
	struct str names, name;

	while (str_ends(stack, STR(";")))
		stack.len--;
	names = trail_follow(trail, stack);
	row = trail->depth == 0 ? 0 : trail->steps[trail->depth - 1].number;
	while (names.len > 0) {
		name = str_cut(&names, ';');
		number = table_add(&stacks->names, name);
		caller = row;
		row = stacks->rows[caller].callee;
		if (row == 0) {
			row = add_row(stacks, caller, number);
			stacks->rows[caller].callee = row;
		} else if (stacks->rows[row].name != number) {
			found = intmap_at(&stacks->known,
			    intmap_pair(caller, number));
			if (*found == 0)
				*found = add_row(stacks, caller, number);
			row = *found;
		}
		trail_push(trail, row, name);
	}
	return row;
}

/* Returns the track of the thread with this name. */
static uint32_t
find_track(struct tracks *tracks, struct str name)
{
	uint32_t known = tracks->threads.count, number;
	struct arena scratch = { 0 };

	name = utf8_clean(name, &scratch);
	number = table_add(&tracks->threads, name);
	arena_free(&scratch);
	if (number == known) {
		*LIST_AT(tracks->list, number, tracks->room) = (struct track){
		    .name = tracks->threads.keys[number] };
		tracks->count++;
	}
	return number;
}

/* Returns the sample that counts a stack. */
static struct track_sample *
find_sample(struct tracks *tracks, uint32_t number, uint32_t stack)
{
	struct track *track = &tracks->list[number];
	uint32_t last = (uint32_t)track->count, *known = &last;

	if (!tracks->in_order)
		known = intmap_at(&tracks->known, intmap_pair(number, stack));
	else if (last > 0 && track->samples[last - 1].stack != stack)
		last = 0;
	if (*known == 0) {
		*LIST_ADD(track->samples, track->count, track->room) =
		    (struct track_sample){ .stack = stack };
		*known = (uint32_t)track->count;
	}
	return &track->samples[*known - 1];
}

static void
add_line(struct tracks *tracks, const struct folded_line *line)
{
	struct str stack = line->stack, thread = STR("");
	struct str tail = line->tail, first, second = STR("");
	struct amount counts[2];
	struct track_sample *sample;
	uint32_t number;
	bool fits;
	int i;

	if (tracks->by_thread) {
		thread = str_take(stack, str_find(stack, ';'));
		stack = str_skip(stack, thread.len +
		    (thread.len < stack.len));
	}
	/* Time without a stack is a gap; a count is not. */
	if (stack.len == 0 && !tracks->in_order)
		stack = STR("[unknown]");
	number = find_track(tracks, thread);
	sample = find_sample(tracks, number,
	    find_stack(&tracks->stacks, stack));
	folded_cut_count(&tail, &second);
	if (!folded_cut_count(&tail, &first))	/* one alone is both */
		first = second;
	fits = amount_read(second, &counts[AFTER]);
	fits &= amount_read(first, &counts[BEFORE]);
	for (i = BEFORE; i <= AFTER; i++) {
		fits &= amount_add(&sample->counts[i], counts[i]);
		fits &= amount_add(&tracks->list[number].sums[i], counts[i]);
	}
	tracks->have_two |= line->has_two;
	tracks->overflowed |= !fits;
}

int
tracks_main(struct tracks *tracks, const struct usage *usage, char **argv,
    void (*write)(void))
{
	const char *const *operands = options_parse(usage, argv);
	bool several = operands[0] != NULL && operands[1] != NULL;
	static struct folded_lines lines;	/* its unit is kept */
	struct folded_line line;

	if (!(tracks->factor > 0))
		options_reject("option --factor: %g is not above 0",
		    tracks->factor);
	options_refuse_terminal(operands);
	progress_start(options_program(argv), operands, "lines");
	add_row(&tracks->stacks, 0, 0);		/* row 0 */
	folded_lines_init(&lines, operands);
	while (folded_lines_next(&lines, &line)) {
		add_line(tracks, &line);
		/* Of several files that is told already. */
		if (!several && input_line_is_cut(&lines.input))
			folded_tell_cut(&lines.input, true);
	}
	if (tracks->count_name == NULL)
		tracks->count_name = folded_unit_name(&lines.unit);
	if (tracks->count_name == NULL)
		tracks->count_name = "samples";
	folded_lines_report_odd(&lines);
	folded_lines_report_none(&lines);
	if (tracks->overflowed)
		message_warn("a count is larger than 2^64 - 1, and is written "
		    "as that");
	if (tracks->count > 0)
		write();
	return output_close(!lines.input.failed && tracks->count > 0 ? 0 : 1);
}

const struct track_unit *
tracks_unit(const struct tracks *tracks)
{
	static const struct track_unit units[] = {
		{ "ns", "nanoseconds", 1e6 }, { "us", "microseconds", 1e3 },
		{ "ms", "milliseconds", 1 }, { "s", "seconds", 1e-3 },
		{ "bytes", "bytes", 0 },
	};
	struct str name = str_from(tracks->count_name);
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (str_equal(name, str_from(units[i].name)) ||
		    str_equal(name, str_from(units[i].whole_name)))
			return &units[i];
	return NULL;
}
