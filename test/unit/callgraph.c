/*
 * Reads a call graph a line, and prints the stacks that are inferred of it:
 *
 *	main=20 parse=100 main>parse=100 => main 20 / main;parse 100
 *
 * A word is a function and its own cost, or a call and its cost; ",5" after
 * that of a call is the part of it that was the callee's own, and ?main=7,5 a
 * function that spent 7 without a caller, 5 of it itself.
 */
#include <stdlib.h>

#include "collapse/callgraph/callgraph.h"
#include "unit.h"

static struct table names;
static struct callgraph graph;

static uint32_t
function(struct str name)
{
	uint32_t number = table_add(&names, name);

	return number < graph.count ? number : callgraph_add(&graph, number);
}

/* Cuts ",NUMBER" off the end of a word. */
static unsigned long long
cut_number(struct str *word, char mark)
{
	unsigned long long number = 0;
	size_t at = str_find_last(*word, mark);

	if (at < word->len) {
		str_number(str_skip(*word, at + 1), &number);
		word->len = at;
	}
	return number;
}

static void
add_word(struct str word)
{
	bool has_self = str_find(word, ',') < word.len;
	unsigned long long self = cut_number(&word, ',');
	unsigned long long cost = cut_number(&word, '=');
	size_t arrow = str_find(word, '>');
	struct graph_call *call;
	uint32_t from;

	graph.is_detailed |= has_self;
	if (word.data[0] == '?') {
		from = function(str_skip(word, 1));
		graph.functions[from].root = cost;
		graph.functions[from].root_self = self;
	} else if (arrow == word.len)
		callgraph_spend(&graph, function(word), cost);
	else {
		from = function(str_take(word, arrow));
		call = callgraph_call(&graph, from,
		    function(str_skip(word, arrow + 1)));
		call->cost += cost;
		call->self += self;
	}
}

/* Prints the stacks on one line. */
static void
print(struct stacks *stacks)
{
	FILE *file = tmpfile();
	int c, before = EOF;

	if (file == NULL)
		exit(1);
	listing_print(stacks, &names, NULL, NULL, file);
	rewind(file);
	for (; (c = getc(file)) != EOF; before = c)
		if (before == '\n')
			printf(" / %c", c);
		else if (c != '\n')
			putchar(c);
	putchar('\n');
	fclose(file);
}

int
callgraph_main(int argc, char **argv)
{
	struct stacks stacks;
	struct str line;
	size_t len;

	(void)argc;
	(void)argv;
	while (unit_line(&line)) {
		stacks_init(&stacks);
		while (line.len > 0) {
			len = str_find(line, ' ');
			add_word(str_take(line, len));
			line = str_trim_start(str_skip(line, len));
		}
		callpaths_add(&graph, &stacks);
		if (graph.overflowed)
			printf("too much: ");
		print(&stacks);
		stacks_free(&stacks);
		callgraph_free(&graph);
		table_free(&names);
	}
	return 0;
}
