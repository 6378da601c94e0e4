/*
 * stackcollapse-ghcprof: folds the profiles of time and allocation that Haskell
 * programs of GHC write: text, by +RTS -p or -P, or JSON, by +RTS -pj.
 *
 *	total time  =        0.10 secs   (100 ticks @ 1000 us, 1 processor)
 *	total alloc =       1,200 bytes  (excludes profiling overheads)
 *
 *	COST CENTRE MODULE SRC               no. entries %time ... ticks bytes
 *
 *	MAIN        MAIN   <built-in>        150       0   0.0 ...     0   200
 *	 main       Main   Shop.hs:(5,1)-(9) 300       1  12.0 ...    12     0
 *	  price     Main   Shop.hs:12:1-30   302      40  88.0 ...    88  1000
 *
 * A blank for each level comes before a cost centre.  These are the stacks that
 * have ticks of their own:
 *
 *	MAIN.MAIN;Main.main 12
 *	MAIN.MAIN;Main.main;Main.price 88
 *
 * The text of -p lacks the last two columns: shares are taken of the totals.
 */
#include <stdlib.h>

#include "collapse/jsonfile.h"
#include "fold/collapse.h"
#include "lib/intmap.h"
#include "lib/message.h"

static bool alloc, lines;

#define KIND	"a profile of GHC"

/* A row ends in four shares, and perhaps two counts. */
#define SHARES	4
#define MOST	6

/* The table of stacks of a profile in text. */
struct table_text {
	const char *name;	/* of the file with the profile; NULL: none */
	bool in_table;		/* or in the text before it */
	size_t numbers;		/* at the end of a row */
	unsigned long long total;	/* ticks or bytes, whichever count */
	unsigned long long counted, rows;
	struct stack path;	/* names of the cost centres around a row */
};

/* A stack in JSON: { "id": 302, "ticks": 88, "children": [...] }. */
struct centre_stack {
	struct ghcprof_file *file;
	uint32_t number, caller;	/* from 1; 0: none */
	int64_t id, count;	/* of the cost centre; below 0: missing */
};

/* The content of a file in JSON. */
struct ghcprof_file {
	struct ghcprof *ghcprof;
	struct intmap names;	/* by the id of a cost centre, and 1 */
	struct centre_stack *stacks;
	size_t count, room;
	int64_t ticks, bytes;	/* in total */
	struct centre_stack around;	/* the first one; its number is 0 */
};

struct ghcprof {
	struct fold fold;
	struct json json;
	struct table_text text;
};

/*
 * Returns the number of a cost centre's name, "Main.price".  Its place in the
 * source is "src/Shop.hs:12:1-30" or "src/Shop.hs:(12,1)-(14,2)".
 */
static uint32_t
name_centre(struct ghcprof *ghcprof, struct str label, struct str module,
    struct str source)
{
	size_t at = str_search(source, STR(":("));
	struct text *name = &ghcprof->fold.name;
	unsigned long long line = 0;
	struct str place;

	name->len = 0;
	text_add(name, module);
	text_add_char(name, '.');
	text_add(name, label);
	if (at == source.len)
		at = str_find(source, ':');
	if (lines && at < source.len) {
		place = str_skip(source, at + 1);
		str_number(str_skip(place, str_starts(place, STR("("))),
		    &line);
		folded_add_line(name, str_base(str_take(source, at)), line);
	}
	return fold_name(&ghcprof->fold, text_str(name));
}

/*
 * Warns if stacks add up to less than the total, since some are missing then;
 * rounded shares may lack a 2,000th each.
 */
static void
check_total(struct fold *fold, const char *name, unsigned long long counted,
    unsigned long long total, double rounded)
{
	if ((double)counted >= (double)total * (1 - rounded / 2000))
		return;
	message_warn("%s: the stacks have only %llu of %llu %s; part of the "
	    "profile is missing", name, counted, total,
	    alloc ? "bytes" : "ticks");
	fold->input.failed = true;
}

/*
 * Text.
 */

/* Ends a profile. */
static void
end(struct fold *fold)
{
	struct table_text *text = &((struct ghcprof *)fold)->text;

	if (text->name != NULL && text->in_table)
		check_total(fold, text->name, text->counted, text->total,
		    text->numbers > SHARES ? 0 : (double)text->rows);
	else if (text->name != NULL) {
		message_warn("%s: it ends before the table of stacks",
		    text->name);
		fold->input.failed = true;
	}
	*text = (struct table_text){
		.path = { text->path.frames, 0, text->path.room }
	};
}

/* Reads "total alloc =   1,200 bytes  (excludes profiling overheads)". */
static unsigned long long
read_bytes(struct str line)
{
	unsigned long long bytes = 0;
	size_t i;

	for (i = str_find(line, '='); i < line.len &&
	    (is_blank(line.data[i]) || strchr("=,0123456789",
	    line.data[i]) != NULL); i++)
		if (is_digit(line.data[i]) && bytes < UINT64_MAX / 20)
			bytes = bytes * 10 + (unsigned)(line.data[i] - '0');
	return bytes;
}

/* Stores what a row counts, of the numbers at its end; false if odd. */
static bool
read_count(struct ghcprof *ghcprof, const struct str *numbers,
    unsigned long long *count)
{
	const struct table_text *text = &ghcprof->text;
	bool counted = text->numbers == MOST;
	struct str number = numbers[counted ? SHARES + alloc : alloc];
	size_t point = str_digits(number);
	int64_t tenths;

	if (counted) {
		if (str_is_number(number) && !str_number(number, count))
			ghcprof->fold.stacks.overflowed = true;
		return str_is_number(number);
	}
	/* "12.3" per cent of the total */
	if (point == 0 || point + 2 != number.len ||
	    number.data[point] != '.' || !str_fixed(number, 1, &tenths) ||
	    tenths > 1000)
		return false;
	*count = text->total / 1000 * (unsigned)tenths +
	    (text->total % 1000 * (unsigned)tenths + 500) / 1000;
	return true;
}

/*
 * Adds "  price  Main  Shop.hs:12:1-30  302  40  88.0  83.3  88.0  83.3";
 * false if it is damaged.  Only the place in the source may have blanks in it.
 */
static bool
add_row(struct ghcprof *ghcprof, struct str line)
{
	struct table_text *text = &ghcprof->text;
	size_t depth = str_blanks(line), i, at;
	struct str numbers[MOST], label, module;
	unsigned long long count;

	for (i = text->numbers; i > 0; i--) {
		line = str_trim_end(line);
		for (at = line.len; at > 0 && !is_blank(line.data[at - 1]);)
			at--;
		numbers[i - 1] = str_skip(line, at);
		line = str_take(line, at);
	}
	label = str_cut_word(&line);
	module = str_cut_word(&line);
	if (depth > text->path.depth || module.len == 0 ||
	    !read_count(ghcprof, numbers, &count))
		return false;
	text->path.depth = depth;
	stack_push(&text->path, name_centre(ghcprof, label, module,
	    str_trim_start(line)));
	text->rows++;
	text->counted += count;
	if (count > 0)
		fold_count_path(&ghcprof->fold, &text->path, count);
	return true;
}

static void
fold_line(struct fold *fold, struct str line)
{
	struct ghcprof *ghcprof = (struct ghcprof *)fold;
	struct table_text *text = &ghcprof->text;
	struct str words = str_trim(line);
	size_t at = str_find(words, '(');

	if (words.len == 0)
		return;
	fold_note_line(fold, line);
	if (str_contains(line, STR("Time and Allocation Profiling Report"))) {
		end(fold);
		text->name = fold->input.name;
		fold->recognized = true;
	} else if (text->in_table) {
		if (input_line_is_cut(&fold->input) ||
		    !add_row(ghcprof, line))
			fold_note_odd(fold);
		else
			fold->passed_over = true;
	} else if (str_starts(words, STR("COST CENTRE "))) {
		/* another table has no numbers of stacks */
		text->in_table = str_contains(words, STR(" no. "));
		text->numbers = str_ends(words, STR("bytes")) ? MOST : SHARES;
	} else if (!alloc && str_starts(words, STR("total time "))) {
		/* "total time  =  0.10 secs   (100 ticks @ 1000 us, ..." */
		text->total = 0;
		if (at < words.len)
			str_number(str_skip(words, at + 1), &text->total);
	} else if (alloc && str_starts(words, STR("total alloc ")))
		text->total = read_bytes(words);
}

/*
 * JSON.
 */

/* Reads an integer into an int64_t; any other value leaves it unchanged. */
static void
read_number(struct json *json, void *number)
{
	json_fixed(json, 0, number);
}

/* A cost centre that is being read, { "id": 302, "label": "price", ... }. */
struct centre {
	int64_t id;
	struct str label, module, source;
};

#define CENTRE(member)	offsetof(struct centre, member)

static const struct json_row centre_rows[] = {
	{ "id", read_number, CENTRE(id), NULL },
	{ "label", json_to_str, CENTRE(label), NULL },
	{ "module", json_to_str, CENTRE(module), NULL },
	{ "src_loc", json_to_str, CENTRE(source), NULL },
	{ NULL, NULL, 0, NULL }
};

static void
read_centre(struct json *json, void *at)
{
	struct ghcprof_file *file = at;
	struct arena before = json->texts;
	struct centre centre = { .id = -1 };

	json_object(json, centre_rows, &centre);
	if (centre.id >= 0)
		*intmap_at(&file->names, (uint64_t)centre.id) = 1 +
		    name_centre(file->ghcprof, centre.label, centre.module,
		    centre.source);
	arena_free_since(&json->texts, before);
}

static json_reader read_stack;

#define STACK(member)	offsetof(struct centre_stack, member)

/* What is not counted is not read: that takes a tenth of the time. */
#define STACK_ROWS(name) \
	{ "id", read_number, STACK(id), NULL }, \
	{ name, read_number, STACK(count), NULL }, \
	{ "children", read_stack, 0, JSON_EACH }, \
	{ NULL, NULL, 0, NULL }

static const struct json_row tick_rows[] = { STACK_ROWS("ticks") };
static const struct json_row byte_rows[] = { STACK_ROWS("alloc") };

/* Reads a stack, whose caller is `at`. */
static void
read_stack(struct json *json, void *at)
{
	const struct centre_stack *caller = at;
	struct ghcprof_file *file = caller->file;
	struct centre_stack stack = {
		.file = file, .caller = caller->number, .id = -1
	};

	if (!json_enters(json, JSON_OBJECT))
		return;
	if (file->count >= UINT32_MAX - 1) {
		json->trouble = "it has more than 2^32 stacks";
		return;
	}
	file->stacks = mem_grow(file->stacks, &file->room, file->count + 1,
	    sizeof(*file->stacks));
	stack.number = (uint32_t)++file->count;
	json_members(json, alloc ? byte_rows : tick_rows, &stack);
	file->stacks[stack.number - 1] = stack;
}

#define PROFILE(member)	offsetof(struct ghcprof_file, member)

static const struct json_row file_rows[] = {
	{ "total_ticks", read_number, PROFILE(ticks), NULL },
	{ "total_alloc", read_number, PROFILE(bytes), NULL },
	{ "cost_centres", read_centre, 0, JSON_EACH },
	{ "profile", read_stack, PROFILE(around), NULL },
	{ NULL, NULL, 0, NULL }
};

/* Counts the stacks that were read; returns NULL, or the reason why not. */
static const char *
fold_stacks(struct fold *fold, const struct ghcprof_file *file)
{
	int64_t total = alloc ? file->bytes : file->ticks;
	unsigned long long sum = 0;
	uint32_t at;
	size_t i;

	if (file->count == 0)
		return "it is not " KIND ", but other JSON";
	for (i = 0; i < file->count; i++)
		if (intmap_find(&file->names,
		    (uint64_t)file->stacks[i].id) == 0)
			return "it is damaged: a stack refers to a missing "
			    "cost centre";
	for (i = 0; i < file->count; i++) {
		if (file->stacks[i].count <= 0)
			continue;
		for (at = (uint32_t)i + 1; at != 0;
		    at = file->stacks[at - 1].caller)
			stack_push(&fold->stack, intmap_find(&file->names,
			    (uint64_t)file->stacks[at - 1].id) - 1);
		fold_count(fold, (unsigned long long)file->stacks[i].count);
		sum += (unsigned long long)file->stacks[i].count;
	}
	check_total(fold, fold->input.name, sum,
	    total < 0 ? 0 : (unsigned long long)total, 0);
	return NULL;
}

static const char *
fold_file(struct fold *fold, struct content *content)
{
	struct ghcprof *ghcprof = (struct ghcprof *)fold;
	struct ghcprof_file file = {
		.ghcprof = ghcprof, .around = { .file = &file }
	};
	const char *reason = jsonfile_read(&ghcprof->json, fold, content, KIND,
	    file_rows, &file);

	if (reason == NULL)
		reason = fold_stacks(fold, &file);
	free(file.stacks);
	intmap_free(&file.names);
	return reason;
}

static bool
is_json(const struct beginning *file)
{
	return !file->is_folder &&
	    str_starts(str_trim_start(file->bytes), STR("{"));
}

static void
report(struct fold *fold)
{
	if (fold->counts.samples == 0 && !fold->input.failed)
		message_warn("no cost centre has %s", alloc ? "bytes" :
		    "ticks");
}

static const struct option options[] = {
	{ "alloc", OPTION_FLAG, &alloc, NULL,
	    "count bytes that were allocated, not ticks" },
	{ "lines", OPTION_FLAG, &lines, NULL,
	    "add file and line to the cost centres" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

const struct format collapser = {
	.kind = &kinds[KIND_GHCPROF], .size = sizeof(struct ghcprof),
	.line = fold_line, .file = fold_file, .is_file = is_json, .end = end,
	.report = report,
	.options = options, .adds_folded = true,
};
