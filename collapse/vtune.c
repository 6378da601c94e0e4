/*
 * stackcollapse-vtune: folds the call trees that Intel's VTune reports as CSV,
 * of hotspots and of memory consumption.
 *
 *	Function Stack,CPU Time:Self,Module
 *	Total,0.0,[Unknown]
 *	 main,0.0,app.exe
 *	  "sort<int, char>",0.121,app.exe
 *
 * A blank for each level comes before a function.  These are the stacks that
 * have time of their own, in milliseconds:
 *
 *	[Unknown]`Total;app.exe`main;app.exe`sort<int, char> 121
 */
#include "fold/collapse.h"

static bool no_modules, size;

enum vtune_column {
	FUNCTION, MODULE, TIME, ALLOCATIONS, SIZE, OTHER, COLUMNS = OTHER
};

#define WIDEST	64	/* columns that are read */

struct vtune {
	struct fold fold;
	char delimiter;		/* '\0': no header was read */
	enum vtune_column columns[WIDEST];	/* from the left */
	size_t width;			/* up to the last known column */
	bool has[COLUMNS];
	enum vtune_column counted;
	struct stack path;	/* names of the functions around this one */
};

/* Cuts a cell off the line; stores the number of blanks before it. */
static struct str
cut_cell(struct str *line, char delimiter, size_t *blanks)
{
	struct str text;
	size_t end = 1, lead = 0;

	while (lead < line->len && line->data[lead] == ' ')
		lead++;
	text = str_skip(*line, lead);
	if (delimiter == '\t' || !str_starts(text, STR("\"")))
		end = str_find(text, delimiter);
	else {
		/* two quotation marks in it mean one */
		do
			end += 1 + str_find(str_skip(text, end), '"');
		while (end < text.len && text.data[end] != delimiter);
		if (end > text.len)
			end = text.len;
	}
	*line = str_skip(text, end + (end < text.len));
	text = str_trim_end(str_take(text, end));
	if (str_starts(text, STR("\""))) {
		text = str_skip(text, 1);
		text.len -= str_ends(text, STR("\""));
		lead += str_blanks(text);
		text = str_trim_start(text);
	}
	*blanks = lead;
	return text;
}

/* Finds the columns, and the character between them. */
static void
read_header(struct vtune *vtune, struct str line)
{
	static const char *const titles[COLUMNS] = { "Function Stack",
		"Module", "CPU Time:Self", "Allocations:Self",
		"Allocation Size:Self" };
	bool quoted = str_starts(line, STR("\""));
	struct str rest = line, title;
	size_t at = STR("Function Stack").len + 2 * quoted, blanks, i;
	enum vtune_column column;

	memset(vtune->has, 0, sizeof(vtune->has));
	vtune->width = 0;
	vtune->path.depth = 0;
	vtune->delimiter = at < line.len ? line.data[at] : ',';
	for (i = 0; i < WIDEST && rest.len > 0; i++) {
		title = cut_cell(&rest, vtune->delimiter, &blanks);
		for (column = 0; column != OTHER &&
		    !str_equal(title, str_from(titles[column])); column++)
			continue;
		/* "CPU Time:Effective Time:Self" */
		if (column == OTHER && str_starts(title, STR("CPU Time")) &&
		    str_ends(title, STR(":Self")))
			column = TIME;
		if (column != OTHER && vtune->has[column])
			column = OTHER;
		if (column != OTHER) {
			vtune->has[column] = true;
			vtune->width = i + 1;
		}
		vtune->columns[i] = column;
	}
	vtune->counted = vtune->has[TIME] ? TIME : vtune->has[SIZE] &&
	    (size || !vtune->has[ALLOCATIONS]) ? SIZE : ALLOCATIONS;
	vtune->fold.recognized |= vtune->has[TIME] || vtune->has[SIZE] ||
	    vtune->has[ALLOCATIONS];
}

/* Stores the count of a row, 0 if it is empty; false if it is not a number. */
static bool
read_count(struct vtune *vtune, struct str cell, unsigned long long *count)
{
	int64_t milliseconds;

	*count = 0;
	if (cell.len == 0)
		return true;
	if (vtune->counted == TIME) {
		if (!str_fixed(cell, 3, &milliseconds) || milliseconds < 0)
			return false;
		*count = (unsigned long long)milliseconds;
		return true;
	}
	if (!str_is_number(cell))
		return false;
	if (!str_number(cell, count))
		vtune->fold.stacks.overflowed = true;
	return true;
}

/* Adds a row; false if it is damaged. */
static bool
add_row(struct vtune *vtune, struct str line)
{
	bool has_module = vtune->has[MODULE] && !no_modules;
	struct text *name = &vtune->fold.name;
	struct str cells[COLUMNS + 1] = { { NULL, 0 } };
	size_t depth = 0, blanks, i;
	unsigned long long count;

	for (i = 0; i < vtune->width && line.len > 0; i++) {
		cells[vtune->columns[i]] = cut_cell(&line, vtune->delimiter,
		    &blanks);
		if (vtune->columns[i] == FUNCTION)
			depth = blanks;
	}
	if (cells[FUNCTION].len == 0 || depth > vtune->path.depth ||
	    !read_count(vtune, cells[vtune->counted], &count))
		return false;
	/* "app.exe`main", or for memory "main(app.exe)" */
	name->len = 0;
	if (has_module && vtune->has[TIME] && cells[MODULE].len > 0) {
		text_add(name, cells[MODULE]);
		text_add_char(name, '`');
	}
	text_add(name, cells[FUNCTION]);
	if (has_module && !vtune->has[TIME]) {
		text_add_char(name, '(');
		text_add(name, cells[MODULE]);
		text_add_char(name, ')');
	}
	vtune->path.depth = depth;
	stack_push(&vtune->path, fold_name(&vtune->fold, text_str(name)));
	vtune->fold.passed_over |= count == 0;
	if (count > 0)
		fold_count_path(&vtune->fold, &vtune->path, count);
	return true;
}

static void
fold_line(struct fold *fold, struct str line)
{
	struct vtune *vtune = (struct vtune *)fold;
	struct str text = str_trim_start(line);

	if (text.len == 0)
		return;
	fold_note_line(fold, line);
	if (str_starts(text, STR("Function Stack")) ||
	    str_starts(text, STR("\"Function Stack\"")))
		read_header(vtune, str_trim_end(text));
	else if (vtune->delimiter != '\0' && fold->recognized &&
	    (input_line_is_cut(&fold->input) || !add_row(vtune, line)))
		fold_note_odd(fold);
}

static const struct option options[] = {
	{ "no-modules", OPTION_FLAG, &no_modules, NULL,
	    "leave out the modules of functions" },
	{ "size", OPTION_FLAG, &size, NULL,
	    "count bytes that are allocated, not allocations" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

const struct format collapser = {
	.kind = &kinds[KIND_VTUNE], .size = sizeof(struct vtune),
	.line = fold_line,
	.nothing = "no stack with a count was found",
	.options = options,
};
