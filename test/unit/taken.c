/*
 * Takes memory in all ways, in several threads at once, and gives it back:
 * prints how many bytes were counted of an array, of one that grew, and of what
 * tables and arenas have freed; each thread finds the same.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/intmap.h"
#include "lib/table.h"

#define THREADS	4

struct counts {
	long long array, grown, freed;
};

static void
fill(struct table *table, struct intmap *map)
{
	char key[32];
	uint32_t i;

	for (i = 0; i < 5000; i++) {
		table_add(table, (struct str){ key,
		    (size_t)snprintf(key, sizeof(key), "%lu",
		    (unsigned long)i) });
		*intmap_at(map, i) = i + 1;
	}
}

static void *
count(void *argument)
{
	struct counts *counts = argument;
	struct arena arena = { 0 };
	struct table table;
	struct intmap map;
	size_t room = 0;
	long long before = mem_taken();
	void *array = mem_array(1000, 3), *grown;

	counts->array = mem_taken() - before;
	before = mem_taken();
	grown = mem_grow(NULL, &room, 10, 8);
	grown = mem_grow(grown, &room, 100, 8);
	counts->grown = mem_taken() - before;
	before = mem_taken();
	table_init(&table);
	intmap_init(&map);
	fill(&table, &map);
	arena_take(&arena, 1000000);
	if (mem_taken() - before < 1000000)
		puts("too few");
	table_free(&table);
	intmap_free(&map);
	arena_free(&arena);
	counts->freed = mem_taken() - before;
	free(array);
	free(grown);
	return NULL;
}

int
taken_main(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	pthread_t threads[THREADS];
	struct counts counts[THREADS];
	int i;

	for (i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, count, &counts[i]) != 0)
			return 1;
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		printf("array %lld grown %lld freed %lld\n", counts[i].array,
		    counts[i].grown, counts[i].freed);
	}
	return 0;
}
