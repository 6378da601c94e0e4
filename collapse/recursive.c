/*
 * stackcollapse-recursive: makes one frame of those that repeat, in stacks that
 * are folded already.
 *
 *	main;walk;walk;walk;read 12	main;walk;read 12
 *	main;walk;read 1
 *
 * becomes, since equal stacks are added up,
 *
 *	main;walk;read 13
 *
 * With --all, a function occurs once in a stack: all between its first and its
 * last frame is left out.  Each frame is still called by the one before it:
 *
 *	main;eval;call;eval;read 12	main;eval;read 12
 */
#include "fold/collapse.h"
#include "fold/foldedlines.h"

static bool all;

/* The counts of a stack; a single count is in both. */
struct counts {
	struct amount before, after;
};

struct recursive {
	struct fold fold;
	struct counts *counts;		/* by the number of a stack */
	size_t room;
	bool differential;		/* a line had two counts */
	struct stack path;		/* those that are left */
	uint32_t *places;		/* by name: its depth in path, from 1 */
	size_t places_room;
};

static struct counts *
counts_of(struct recursive *recursive, uint32_t stack)
{
	recursive->counts = mem_grow_zero(recursive->counts, &recursive->room,
	    (size_t)stack + 1, sizeof(*recursive->counts));
	return &recursive->counts[stack];
}

/* Adds "12", or "12.5". */
static void
add_amount(struct fold *fold, struct amount *sum, struct str digits)
{
	struct amount amount;
	bool fits = amount_read(digits, &amount);

	if (!amount_add(sum, amount) || !fits)
		fold->stacks.overflowed = true;
}

/* Returns where the depth of a name in the path is kept. */
static uint32_t *
place_of(struct recursive *recursive, uint32_t name)
{
	recursive->places = mem_grow_zero(recursive->places,
	    &recursive->places_room, (size_t)name + 1,
	    sizeof(*recursive->places));
	return &recursive->places[name];
}

static void
cut_path(struct recursive *recursive, size_t depth)
{
	struct stack *path = &recursive->path;

	if (!all)
		path->depth = depth;
	while (path->depth > depth)
		*place_of(recursive, path->frames[--path->depth]) = 0;
}

/* Makes the path of the line's frames that are left. */
static void
make_path(struct recursive *recursive)
{
	const struct trail *line = &recursive->fold.trail;
	struct stack *path = &recursive->path;
	uint32_t name;
	size_t i;

	cut_path(recursive, 0);
	for (i = 0; i < line->depth; i++) {
		name = line->steps[i].number;
		if (all && *place_of(recursive, name) > 0)
			cut_path(recursive, *place_of(recursive, name));
		else if (i == 0 || name != line->steps[i - 1].number) {
			stack_push(path, name);
			if (all)
				*place_of(recursive, name) =
				    (uint32_t)path->depth;
		}
	}
}

static void
fold_line(struct fold *fold, struct str line)
{
	struct recursive *recursive = (struct recursive *)fold;
	struct str before, after;
	struct counts *counts;
	size_t i;

	/* Hadoop Streaming puts a tab after a line that has none. */
	if (str_ends(line, STR("\t")))
		line.len--;
	if (str_starts(line, STR("# ")))
		folded_note_unit(&fold->unit, line);
	if (line.len == 0 || str_starts(line, STR("# ")))
		return;
	fold_note_line(fold, line);
	if (!folded_cut_count(&line, &after)) {
		fold_note_odd(fold);
		return;
	}
	before = after;
	recursive->differential |= folded_cut_count(&line, &before);
	fold_follow(fold, line);
	make_path(recursive);
	fold->stack.depth = 0;
	for (i = recursive->path.depth; i > 0; i--)
		stack_push(&fold->stack, recursive->path.frames[i - 1]);
	counts = counts_of(recursive, fold_number(fold));
	add_amount(fold, &counts->before, before);
	add_amount(fold, &counts->after, after);
	fold->counts.samples++;
	fold->recognized = true;
	if (fold->several && input_line_is_cut(&fold->input))
		folded_tell_cut(&fold->input, true);
}

static void
print_amount(struct text *line, struct amount amount)
{
	if (amount.part > 0)
		folded_add_value(line, amount_value(amount));
	else
		text_add_number(line, amount.whole);
}

static void
add_counts(void *fold, uint32_t number, struct text *line)
{
	struct recursive *recursive = fold;
	struct counts *counts = counts_of(recursive, number);

	if (recursive->differential) {
		print_amount(line, counts->before);
		text_add_char(line, ' ');
	}
	print_amount(line, counts->after);
}

static const struct option options[] = {
	{ "all", OPTION_FLAG, &all, NULL,
	    "leave out all between two frames of one function" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

const struct format collapser = {
	.kind = &kinds[KIND_FOLDED], .size = sizeof(struct recursive),
	.line = fold_line, .counts = add_counts,
	.nothing = "no stack was found",
	.options = options,
};
