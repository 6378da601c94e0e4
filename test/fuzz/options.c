/*
 * The input is a line of values, parted by blanks, for options of flamegraph
 * that are checked, and lines that are words of a command line.  Operands are
 * words in their order, and values are words or ends of them.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "lib/options.h"
#include "picture.h"

static bool flag, other_flag;
static const char *value;
static long integer;
static double decimal;
static struct option_list list;

static const struct option table[] = {
	{ "flag", OPTION_FLAG, &flag, NULL, "a flag" },
	{ "flat", OPTION_FLAG, &other_flag, NULL, "another\nin two lines" },
	{ "text", OPTION_TEXT, &value, "TEXT", "a text" },
	{ "integer", OPTION_INTEGER, &integer, "N", "a number" },
	{ NULL, OPTION_ADDED, NULL, NULL, NULL },
	{ "decimal", OPTION_DECIMAL, &decimal, "N", "a number" },
	{ "inner", OPTION_LIST, &list, "ITEM", "one of several" },
	{ NULL, OPTION_END, NULL, NULL, NULL }
};

static const struct usage usage = { "[option ...]", "example", table };

/* True if text is a word, or the end of one after a '='. */
static bool
is_from(const struct words *words, const char *text)
{
	const char *word;
	size_t i;

	for (i = 0; i < words->count; i++) {
		word = words->list[i];
		if (text == word || (text > word &&
		    text <= word + strlen(word) && text[-1] == '='))
			return true;
	}
	return false;
}

static int
parse(void *argument)
{
	const struct words *words = argument;
	struct words given = { 0 };
	const char *const *operand;
	size_t i, at = 0;

	/* the other list keeps what the parser moves in this one */
	words_add(&given, "program");
	for (i = 0; i < words->count; i++)
		words_add(&given, "");
	for (i = 0; i < words->count; i++)
		given.list[i + 1] = words->list[i];
	for (operand = options_parse(&usage, given.list); *operand != NULL;
	    operand++, at++) {
		while (at < words->count && words->list[at] != *operand)
			at++;
		require(at < words->count, "operands are words, in order");
	}
	require(value == NULL || is_from(words, value), "a word's text");
	for (i = 0; i < list.count; i++)
		require(is_from(words, list.values[i]), "a word's item");
	return 0;
}

/* Gives each of the options the next of the values. */
static void
draw(struct str values)
{
	const char *const names[] = {
		"--width=", "--height=", "--minwidth=", "--fontsize=",
		"--fontwidth=", "--total=", "--factor=", "--colors=",
		"--bgcolors=", "--theme=", "--encoding=",
	};
	struct look look = { .height = 16 };
	struct words words = { 0 };
	struct result result;
	struct str word;
	struct xml xml;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		word = fuzz_cut(&values, STR(" "));
		if (word.len == 0 || word.data[0] == '\0')
			continue;
		words_add_value(&words, names[i], word);
		if (strcmp(names[i], "--height=") == 0)
			look.height = strtod(words.list[words.count - 1] +
			    strlen("--height="), NULL);
	}
	fuzz_write("in", STR("a;b;c 4\na;c 3\nx;\xC3\xA9 9\n"));
	words_add(&words, "in");
	result = fuzz_run(flamegraph_main, &words);
	if (result.out.len > 0)
		picture_check(&xml, result.out, &look);
	else
		require(result.err.len > 0, "a message or a picture");
}

void
fuzz_options(struct str input)
{
	struct words words = { 0 };

	draw(fuzz_line(&input));
	while (input.len > 0)
		words_add_value(&words, "", fuzz_line(&input));
	fuzz_call(parse, &words);
	flag = other_flag = false;
	value = NULL;
	list = (struct option_list){ 0 };
}
