#include "fold/folded.h"
#include "fold/foldedlines.h"
#include "lib/message.h"
#include "lib/output.h"
#include "lib/progress.h"
#include "lib/utf8.h"
#include "tracks.h"

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
		tracks->list = mem_grow(tracks->list, &tracks->room,
		    (size_t)number + 1, sizeof(*tracks->list));
		tracks->list[number] = (struct track){
		    .name = tracks->threads.keys[number] };
		tracks->count++;
	}
	return number;
}

static struct track_sample *
add_sample(struct track *track, uint32_t stack)
{
	track->samples = mem_grow(track->samples, &track->room,
	    track->count + 1, sizeof(*track->samples));
	track->samples[track->count] = (struct track_sample){ .stack = stack };
	return &track->samples[track->count++];
}

/* Returns the sample that counts a stack. */
static struct track_sample *
find_sample(struct tracks *tracks, uint32_t number, uint32_t stack)
{
	struct track *track = &tracks->list[number];
	uint32_t *known;

	if (tracks->in_order && track->count > 0 &&
	    track->samples[track->count - 1].stack == stack)
		return &track->samples[track->count - 1];
	if (tracks->in_order)
		return add_sample(track, stack);
	known = intmap_at(&tracks->known, intmap_pair(number, stack));
	if (*known != 0)
		return &track->samples[*known - 1];
	*known = (uint32_t)track->count + 1;
	return add_sample(track, stack);
}

/* Reads the counts of a line; one alone is both. */
static bool
read_counts(struct str tail, struct amount *counts)
{
	struct str first, second = STR("");
	bool fits;

	folded_cut_count(&tail, &second);
	fits = amount_add_digits(&counts[AFTER], second);
	if (!folded_cut_count(&tail, &first))
		first = second;
	return amount_add_digits(&counts[BEFORE], first) && fits;
}

static void
add_line(struct tracks *tracks, const struct folded_line *line)
{
	struct str stack = line->stack, thread = STR("");
	struct amount counts[2] = { { 0, 0 }, { 0, 0 } };
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
	    stack_table_add(&tracks->stacks, stack));
	fits = read_counts(line->tail, counts);
	for (i = BEFORE; i <= AFTER; i++) {
		fits &= amount_add(&sample->counts[i], counts[i]);
		fits &= amount_add(&tracks->list[number].sums[i], counts[i]);
	}
	tracks->have_two |= line->has_two;
	tracks->overflowed |= !fits;
}

/* Reads the operands; false if something could not be read. */
static bool
read_tracks(struct tracks *tracks, const char *const *operands)
{
	bool several = operands[0] != NULL && operands[1] != NULL;
	static struct folded_lines lines;	/* its unit is kept */
	struct folded_line line;

	stack_table_init(&tracks->stacks);
	table_init(&tracks->threads);
	intmap_init(&tracks->known);
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
		message_warn("a count is larger than 2^64 - 1, which is "
		    "written instead");
	return !lines.input.failed;
}

int
tracks_main(struct tracks *tracks, const struct usage *usage, char **argv,
    void (*write)(void))
{
	const char *const *operands = options_parse(usage, argv);
	bool good;

	if (!(tracks->factor > 0))
		options_reject("option --factor: %g is not above 0",
		    tracks->factor);
	options_refuse_terminal(operands);
	progress_start(options_program(argv), operands, "lines");
	good = read_tracks(tracks, operands);
	if (tracks->count > 0)
		write();
	return output_close(good && tracks->count > 0 ? 0 : 1);
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
