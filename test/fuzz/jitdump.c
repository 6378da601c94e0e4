/*
 * The input is a letter and a dump of a compiler at run time; the letter says
 * how much of it is there when it is read for the first time.  Read on, it is
 * what it is when read at once.  Functions follow each other in places; and
 * what is certain without times is at no address of another function.
 */
#include "fuzz.h"
#include "symbols/elf/jitdump.h"
#include "symbols/unwind/frametables.h"

#define LOOKED_AT	200	/* of functions, or loads */
#define PARTS		16

struct read {
	struct jitdump dump;
	const char *trouble;
};

/* Requires a function to be found by its place, and its tables to be read. */
static void
check_function(const struct read *read, size_t i)
{
	const struct jitdump *dump = &read->dump;
	const struct jitdump_function *function = &dump->functions[i];
	uint64_t place = function->place + function->size / 2;
	struct jitdump_frames frames;
	struct frametables tables;
	struct cfi_row row;
	struct str file;
	uint32_t line;

	require(function->size > 0, "a function has code");
	require(i == 0 ? function->place == 0 : function->place ==
	    function[-1].place + function[-1].size, "places are in a row");
	require(jitdump_function(dump, place) == function &&
	    jitdump_function(dump, function->place) == function,
	    "a place is in its function");
	if (jitdump_line(dump, function, place, NULL, &file, &line))
		require(file.len > 0, "a line has a file");
	if (!jitdump_frames(dump, function, &frames))
		return;
	frametables_open_code(&tables, &frames, NULL);
	frametables_row(&tables, function->size / 2, &row);
	frametables_close(&tables);
}

static void
check_loads(const struct jitdump *dump)
{
	const struct jitdump_load *load = dump->loads;
	const struct jitdump_function *function;
	size_t i;

	for (i = 0; i < dump->loads_count; i++, load++) {
		require(load->function < dump->functions_count, "one is there");
		function = &dump->functions[load->function];
		require(load->size > 0 && load->place >= function->place &&
		    load->place + load->size <=
		    function->place + function->size, "code of a function");
		require(load->address + load->size >= load->address,
		    "addresses end");
	}
}

/* Requires nothing of what is certain to be where another function was. */
static void
check_certain(struct read *read)
{
	struct jitdump *dump = &read->dump;
	struct jitdump_load *all = mem_array(dump->loads_count + 1,
	    sizeof(*all)), *load;
	const struct symbol *symbols = dump->symtab.symbols;
	size_t count = dump->loads_count, i, j;

	for (i = 0; i < count; i++)
		all[i] = dump->loads[i];
	jitdump_keep_certain(dump);
	check_loads(dump);
	for (i = 0; i < dump->loads_count && i < LOOKED_AT; i++)
		for (j = 0; j < count && j < LOOKED_AT; j++) {
			load = &dump->loads[i];
			require(all[j].pid != load->pid ||
			    all[j].address >= load->address + load->size ||
			    load->address >= all[j].address + all[j].size ||
			    strcmp(symbols[all[j].function].name,
			    symbols[load->function].name) == 0,
			    "no other function was there");
		}
}

void
fuzz_jitdump(struct str input)
{
	struct read once = { .trouble = NULL }, twice = { .trouble = NULL };
	struct text text = { 0 }, part = { 0 };
	struct str file;
	size_t i;

	if (input.len == 0)
		return;
	file = str_skip(input, 1);
	text_add(&part, str_take(file, file.len *
	    ((unsigned char)input.data[0] % PARTS) / PARTS));
	text_add(&text, file);
	text_add_char(&text, '\0');
	text_add_char(&part, '\0');
	file = str_take(text_str(&text), file.len);
	once.trouble = jitdump_read(&once.dump, file, 0);
	jitdump_read(&twice.dump,
	    str_take(text_str(&part), part.len - 1), 0);
	twice.trouble = jitdump_read(&twice.dump, file, 0);
	require((once.trouble == NULL) == (twice.trouble == NULL) &&
	    once.dump.functions_count == twice.dump.functions_count &&
	    once.dump.loads_count == twice.dump.loads_count &&
	    once.dump.odd == twice.dump.odd &&
	    once.dump.end == twice.dump.end &&
	    once.dump.is_cut == twice.dump.is_cut, "the same in two parts");
	for (i = 0; i < once.dump.functions_count && i < LOOKED_AT; i++)
		check_function(&once, i);
	check_loads(&once.dump);
	for (i = 1; i < once.dump.loads_count; i++)
		require(once.dump.loads[i - 1].time <=
		    once.dump.loads[i].time, "loads are in order");
	check_certain(&once);
	jitdump_free(&once.dump);
	jitdump_free(&twice.dump);
}
