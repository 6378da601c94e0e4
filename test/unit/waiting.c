/*
 * Reads what happens to chains that wait, a letter each: "+" maps are changed,
 * which are counted from 1 on; "a" a chain of these maps waits, "k" all keep
 * their maps, which others drop then; "e" their wait ends.  At "?" it prints
 * what each has of its maps, and how many snapshots are kept; in the end, how
 * many bytes of maps are left.
 */
#include <stdio.h>

#include "perf/data/waiting.h"
#include "unit.h"

#define HELD_MOST	32

struct phase {
	const struct maps *held[HELD_MOST];
	size_t count;
};

static void
add(struct waiting *waiting, struct maps *maps, struct phase *phase)
{
	const struct maps *held = maps_hold(maps);
	struct waiting_chain chain = { .kernel = held };

	phase->held[phase->count++ % HELD_MOST] = held;
	chain.chain.maps = held;
	chain.chain.words = "12345678";
	chain.chain.len = 8;
	waiting_add(waiting, chain);
}

static void
print(const struct waiting *waiting)
{
	size_t i;

	for (i = 0; i < waiting->count; i++)
		printf("%zu ", waiting->list[i].chain.maps->count);
	printf("kept %zu, ", waiting->kept_count);
}

static void
happen(char what, struct waiting *waiting, struct maps *maps,
    struct phase *phase)
{
	uint64_t start = (maps->count + 1) * 0x1000;

	switch (what) {
	case '+':
		maps_add(maps, (struct map){ start, start + 1, 0, NULL });
		break;
	case 'a':
		add(waiting, maps, phase);
		break;
	case 'k':
		waiting_keep_maps(waiting);
		while (phase->count > 0)
			maps_drop(phase->held[--phase->count]);
		break;
	case 'e':
		waiting_end(waiting);
		break;
	case '?':
		print(waiting);
		break;
	default:
		break;
	}
}

int
main(void)
{
	struct waiting waiting;
	struct all_maps all;
	struct phase phase;
	struct maps *maps;
	struct str line;
	size_t i;

	for (; unit_line(&line); putchar('\n')) {
		waiting = (struct waiting){ 0 };
		all = (struct all_maps){ 0 };
		phase.count = 0;
		maps = maps_new(&all);
		for (i = 0; i < line.len; i++)
			happen(line.data[i], &waiting, maps, &phase);
		happen('k', &waiting, maps, &phase);
		waiting_free(&waiting);
		maps_free(maps);
		printf("left %llu", all.bytes);
		all_maps_free(&all);
	}
	return 0;
}
