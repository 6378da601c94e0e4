#include <stdlib.h>

#include "lib/message.h"
#include "lib/text.h"
#include "orphans.h"

#define COPY_MOST	65528	/* bytes of a stack that perf record copies */

/* A copy is shorter than what was asked for, as the record must hold it. */
#define COPY_NEARLY_MOST	(COPY_MOST - 4096)

static void
add_module(struct orphans *orphans, size_t module, unsigned long long count)
{
	orphans->in = mem_grow(orphans->in, &orphans->modules_room,
	    module + 1, sizeof(*orphans->in));
	while (orphans->modules <= module)
		orphans->in[orphans->modules++] = 0;
	orphans->in[module] += count;
}

void
orphans_note_module(struct orphans *orphans, const struct module *module)
{
	orphans->by[ORPHAN_TABLES]++;
	add_module(orphans, module->number, 1);
}

void
orphans_add(struct orphans *orphans, const struct orphans *others)
{
	size_t i;

	orphans->stacks += others->stacks;
	for (i = 0; i < ORPHAN_REASONS; i++)
		orphans->by[i] += others->by[i];
	orphans->joined += others->joined;
	orphans->doubled += others->doubled;
	if (others->copied > orphans->copied)
		orphans->copied = others->copied;
	for (i = 0; i < others->modules; i++)
		add_module(orphans, i, others->in[i]);
}

/* Adds the module without tables that most stacks end in. */
static void
add_worst(const struct orphans *orphans, const struct modules *modules,
    struct text *text)
{
	size_t i, worst = 0;

	for (i = 1; i < orphans->modules; i++)
		if (orphans->in[i] > orphans->in[worst])
			worst = i;
	if (orphans->modules > 0)
		text_add_format(text, ", most of them in %.*s",
		    (int)modules->list[worst]->name.len,
		    modules->list[worst]->name.data);
}

/* Adds the reasons, the one of most stacks first. */
static void
add_reasons(const struct orphans *orphans, const struct modules *modules,
    struct text *text)
{
	static const char *const reasons[ORPHAN_REASONS] = {
		"copy of the stack too short", "code without unwinding tables",
		"code that is not mapped", "tables that lead nowhere"
	};
	bool told[ORPHAN_REASONS] = { false };
	size_t i, next;

	for (;;) {
		next = ORPHAN_REASONS;
		for (i = 0; i < ORPHAN_REASONS; i++)
			if (!told[i] && orphans->by[i] > 0 &&
			    (next == ORPHAN_REASONS ||
			    orphans->by[i] > orphans->by[next]))
				next = i;
		if (next == ORPHAN_REASONS)
			return;
		told[next] = true;
		text_add_format(text, "; %s: %llu", reasons[next],
		    orphans->by[next]);
		if (next == ORPHAN_TABLES)
			add_worst(orphans, modules, text);
	}
}

/* Adds how much longer copies would be, if that may help. */
static void
add_advice(const struct orphans *orphans, bool stitched, struct text *text)
{
	unsigned long long cut = orphans->by[ORPHAN_COPY];
	size_t size = orphans->copied;

	if (cut == 0)
		return;
	size *= orphans->doubled > cut / 2 ? 2 : 4;
	if (size > COPY_MOST)
		size = COPY_MOST;
	if (orphans->copied < COPY_NEARLY_MOST)
		text_add_format(text, "; perf record --call-graph dwarf,%zu "
		    "copies more", size);
	if (!stitched)
		text_add_format(text, orphans->copied < COPY_NEARLY_MOST ?
		    ", and --stitch joins some" : "; --stitch joins some");
}

void
orphans_report(const struct orphans *orphans, const char *name,
    const struct modules *modules, bool stitched)
{
	unsigned long long early = 0;
	struct text text = { 0 };
	size_t i;

	for (i = 0; i < ORPHAN_REASONS; i++)
		early += orphans->by[i];
	if (early <= orphans->stacks / 100)
		return;
	add_reasons(orphans, modules, &text);
	if (stitched)
		text_add_format(&text, "; joined by --stitch: %llu",
		    orphans->joined);
	add_advice(orphans, stitched, &text);
	message_warn("%s: stacks that end before their thread's first "
	    "function: %llu of %llu%.*s", name, early, orphans->stacks,
	    (int)text.len, text.data);
	free(text.data);
}

void
orphans_free(struct orphans *orphans)
{
	free(orphans->in);
}
