/*
 * stackcollapse-bpftrace: folds the stacks in the maps that bpftrace prints,
 * @[kstack, ustack, comm] = count() and the like.
 *
 * An entry of a map is its keys, separated by commas, and its value.  A stack
 * among the keys has its frames on lines of their own, innermost first; a stack
 * without frames leaves nothing between two commas:
 *
 *	@[
 *	    vfs_read+142
 *	    ksys_read+85
 *	, , bash]: 3
 *
 * It becomes a stack that counts all entries with it:
 *
 *	bash;ksys_read+85;vfs_read+142 3
 *
 * Old versions do not indent frames.  A map without a stack among its keys has
 * neither line ends nor empty keys.
 */
#include "fold/collapse.h"
#include "lib/message.h"

static const char *map;		/* the map that counts; NULL: the first */
static bool no_offsets;

struct bpftrace {
	struct fold fold;
	bool in_entry;
	struct text name;	/* of its map, "@" or "@name" */
	struct stack keys;	/* its keys that are texts */
	struct text counted;	/* the name of the map that counts, or empty */
	struct text other;	/* the first map that does not count */
	size_t others;		/* entries of maps that do not count */
	size_t uncounted;	/* entries whose value is not a count */
};

/* Adds the texts among the keys, ", bash, 123", as one frame. */
static void
add_keys(struct bpftrace *bpftrace, struct str keys)
{
	keys = str_trim(keys);
	while (str_starts(keys, STR(",")))
		keys = str_trim_start(str_skip(keys, 1));
	while (str_ends(keys, STR(",")))
		keys = str_trim_end(str_take(keys, keys.len - 1));
	if (keys.len > 0)
		stack_push(&bpftrace->keys, fold_name(&bpftrace->fold, keys));
}

static void
drop(struct bpftrace *bpftrace)
{
	bpftrace->in_entry = false;
	bpftrace->keys.depth = 0;
	bpftrace->fold.stack.depth = 0;
}

/* True if entries of this map count; by default it is the first. */
static bool
is_counted(struct bpftrace *bpftrace, struct str name)
{
	struct text *counted = &bpftrace->counted;

	if (counted->len == 0)
		text_add(counted, map == NULL ? name :
		    str_from(map + (map[0] == '@')));
	return str_equal(name, text_str(counted)) ||
	    str_equal(str_skip(name, 1), text_str(counted));
}

static void
end_entry(struct bpftrace *bpftrace, struct str value)
{
	struct str name = text_str(&bpftrace->name);
	struct fold *fold = &bpftrace->fold;

	value = str_trim(value);
	if (input_line_is_cut(&fold->input))
		fold_cut(fold);
	else if (!str_is_number(value))
		bpftrace->uncounted++;
	else if (!is_counted(bpftrace, name)) {
		fold->passed_over = true;
		if (bpftrace->others++ == 0)
			text_add(&bpftrace->other, name);
	} else {
		while (bpftrace->keys.depth > 0)
			stack_push(&fold->stack,
			    bpftrace->keys.frames[--bpftrace->keys.depth]);
		fold_count_digits(fold, value);
	}
	drop(bpftrace);
}

/* Stores the texts before and after the last "]:"; false if it has none. */
static bool
cut_value(struct str text, struct str *keys, struct str *value)
{
	size_t end = str_find_last(text, ']');

	if (!str_starts(str_skip(text, end), STR("]:")))
		return false;
	*keys = str_take(text, end);
	*value = str_skip(text, end + 2);
	return true;
}

/* Begins an entry with its first line, "@name[bash, ", or its only one. */
static void
begin_entry(struct bpftrace *bpftrace, struct str line)
{
	size_t bracket = 1;
	struct str rest, keys, value;

	drop(bpftrace);
	/* "@[", "@name[", but not "@media screen[g" of a style sheet */
	while (bracket < line.len && is_word(line.data[bracket]))
		bracket++;
	if (bracket == line.len || line.data[bracket] != '[')
		return;
	bpftrace->fold.recognized = true;
	rest = str_skip(line, bracket + 1);
	keys = str_trim_end(rest);
	if (keys.len == 0 || str_ends(keys, STR(","))) {
		bpftrace->in_entry = true;
		value = STR("");
	/* only an empty key in it may be a stack, one without frames */
	} else if (!cut_value(rest, &keys, &value) || (keys.len > 0 &&
	    !str_starts(keys, STR(", ")) && !str_ends(keys, STR(", ")) &&
	    !str_contains(keys, STR(", , "))))
		return;
	bpftrace->name.len = 0;
	text_add(&bpftrace->name, str_take(line, bracket));
	add_keys(bpftrace, keys);
	if (!bpftrace->in_entry)
		end_entry(bpftrace, value);
}

/* Returns work+10 for "55e79dd4264a work+10 (/usr/bin/app)" of ustack(perf). */
static struct str
without_place(struct str frame)
{
	size_t digits = 0, depth = 0, at = frame.len;

	while (digits < frame.len && is_hex(frame.data[digits]))
		digits++;
	if (digits < 6 || !str_starts(str_skip(frame, digits), STR(" ")) ||
	    !str_ends(frame, STR(")")))
		return frame;
	do {
		at--;
		depth += frame.data[at] == ')';
		depth -= frame.data[at] == '(';
	} while (at > digits + 1 && depth > 0);
	return at == digits + 1 ? str_skip(frame, at) :
	    str_trim_end(str_between(frame, digits + 1, at));
}

static void
fold_line(struct fold *fold, struct str line)
{
	struct bpftrace *bpftrace = (struct bpftrace *)fold;
	char first = line.len > 0 ? line.data[0] : '\n';
	struct str keys = line, value, frame;
	size_t digits;
	bool ends;

	if (first == '\n')
		return;
	fold_note_line(fold, line);
	if (first == '@') {
		bpftrace->uncounted += bpftrace->in_entry;
		begin_entry(bpftrace, line);
	} else if (!bpftrace->in_entry)
		fold->recognized |= str_starts(line, STR("Attaching "));
	/* after a stack: ", ", ", bash, " or ", bash]: 3" */
	else if (first == ',' || first == ']') {
		ends = cut_value(line, &keys, &value);
		add_keys(bpftrace, keys);
		if (ends)
			end_entry(bpftrace, value);
	} else {
		/* "    vfs_read+142" */
		frame = without_place(str_trim_start(line));
		digits = no_offsets ? str_digits_start(frame) : 0;
		if (digits > 1 && digits < frame.len &&
		    frame.data[digits - 1] == '+')
			frame = str_take(frame, digits - 1);
		fold_frame(fold, frame);
	}
}

static void
end(struct fold *fold)
{
	struct bpftrace *bpftrace = (struct bpftrace *)fold;

	if (bpftrace->in_entry)
		fold_cut(fold);
	drop(bpftrace);
}

static void
report(struct fold *fold)
{
	const struct bpftrace *bpftrace = (const struct bpftrace *)fold;

	fold_report_lost(fold, "stacks whose value is not a count, left out",
	    bpftrace->uncounted);
	if (bpftrace->others > 0)
		message_warn("stacks of other maps, left out: %lu; "
		    "--map %.*s counts those of one",
		    (unsigned long)bpftrace->others, (int)bpftrace->other.len,
		    bpftrace->other.data);
}

static const struct option options[] = {
	{ "map", OPTION_TEXT, &map, "NAME",
	    "count this map (default: the first that counts)" },
	{ "no-offsets", OPTION_FLAG, &no_offsets, NULL,
	    "leave out the offsets in functions, +142" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

const struct format collapser = {
	.kind = &kinds[KIND_BPFTRACE], .size = sizeof(struct bpftrace),
	.line = fold_line, .end = end, .report = report,
	.nothing = "no stack was found",
	.options = options,
};
