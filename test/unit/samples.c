/*
 * Reads what happens in recordings, one on each line: commands, with ';' after
 * each; numbers are decimal, except the words of a sample.
 *
 *	event TYPE FIELDS READS NAME ID	FIELDS (sample_type) and READS
 *					(read_format) are hexadecimal
 *	threads				the events so far are inherited
 *	ask NAME			the event that counts
 *	comm PID TID NAME
 *	fork PID TID PARENT_PID PARENT_TID, exec likewise without maps
 *	end TID
 *	ends COUNT			COUNT other threads end
 *	many COUNT			threads 1000, 1001, ... get their numbers
 *					as names
 *	map PID TID START		a page of memory
 *	time TIME			when what follows happens, which is at 0
 *	sample MODE WORD ...		8 bytes each, from after the header
 *	counts PID TID			how many pages there are of the first 15
 *
 * Prints what counts of each sample, NAME COUNT and its chain, if it has one
 * and needed no order; then why the recording is refused, the virtual machines' samples and those
 * that make no sense.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "perf/data/samples.h"
#include "test/fuzz/fuzz.h"
#include "unit.h"

#define WORDS	60

/* The samples taken from the last record. */
static struct batch taken;

/* Takes the place of what folds. */
void
chains_fold(struct chains *chains, struct batch *batch)
{
	(void)chains;
	(void)batch;
}

static void
put(char *at, uint64_t number, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		at[i] = (char)(number >> 8 * i & 0xff);
}

static void
add_event(struct attrs *attrs, const char *text)
{
	unsigned long long type, fields, reads, id;
	char bytes[112] = { 0 }, name[32];
	struct bytes reader = bytes_from((struct str){ bytes, sizeof(bytes) });

	if (sscanf(text, "%llu %llx %llx %31s %llu", &type, &fields, &reads,
	    name, &id) != 5)
		return;
	put(bytes, type, 4);
	put(bytes + 4, sizeof(bytes), 4);
	put(bytes + 24, fields, 8);
	put(bytes + 32, reads, 8);
	put(bytes + 40, ATTR_MARKS_ALL, 8);
	attrs_add(attrs, attr_read(&reader));
	attrs_add_counter(attrs, id);
	attrs_name(attrs, attrs->count - 1, str_from(name));
}

/* All that a line of the input needs. */
struct scene {
	struct datafile file;
	struct history history;
	struct frames frames;
	struct namer namer;
	struct stacks stacks;
	struct chains chains;
	struct samples samples;
	uint64_t time, number;
};

static unsigned long long
count_of(const struct stacks *stacks, uint32_t number)
{
	return number < stacks->counted ? stacks->counts[number] : 0;
}

/* Gives a chain the stack of its root alone, and prints what it gains. */
static void
print_ordered(struct scene *scene, const struct chain *chain)
{
	unsigned long long before, after;
	size_t end = 1;
	uint32_t number;

	stacks_number(&scene->stacks, &chain->root, &end, 1, &number);
	scene->chains.kept[chain->kept] = number;
	before = count_of(&scene->stacks, number);
	samples_fold_ordered(&scene->samples, UINT64_MAX);
	after = count_of(&scene->stacks, number);
	if (after == before)
		return;
	unit_print(scene->namer.names.keys[chain->root], "");
	printf(" %llu, ", after - before);
}

static void
print_chains(struct scene *scene)
{
	const struct chain *chain = taken.chains;
	struct str words;

	for (; chain < taken.chains + taken.count; chain++) {
		if (chain->kept > 0) {
			print_ordered(scene, chain);
			continue;
		}
		unit_print(scene->namer.names.keys[chain->root], "");
		printf(" %" PRIu64, chain->count);
		if (chain->is_lone)
			printf(" at");
		for (words = chain_words(chain); words.len > 0;
		    words = str_skip(words, 8))
			printf(" %" PRIx64, attr_word(words.data));
		if (chain->mode != MODE_USER)
			printf(" mode %d", (int)chain->mode);
		fputs(", ", stdout);
	}
	taken.count = 0;
}

static void
take_sample(struct scene *scene, const char *text)
{
	char bytes[8 + 8 * WORDS] = { 0 }, *next;
	size_t len = 8;
	struct block block = { .held = 0 };
	struct slice slice = { .block = &block, .number = ++scene->number };
	struct slices slices = { &slice, 1, 1 };
	const char *at;

	put(bytes, RECORD_SAMPLE, 4);
	put(bytes + 4, strtoul(text, &next, 10), 2);
	for (at = next; len < sizeof(bytes); at = next) {
		put(bytes + len, strtoull(at, &next, 16), 8);
		if (next == at)
			break;
		len += 8;
	}
	put(bytes + 6, len, 2);
	slice.records = (struct str){ bytes, len };
	history_settle(&scene->history, UINT64_MAX,
	    (struct moment){ 0, scene->number });
	samples_choose_event(&scene->samples, &slices);
	samples_begin(&scene->samples);
	samples_take(&scene->samples, &slice);
	print_chains(scene);
}

/* Adds a record of 32-bit numbers, and a text after them. */
static void
add_record(struct scene *scene, enum record_type type, unsigned misc,
    const uint64_t *numbers, size_t size, const char *text)
{
	char bytes[120] = { 0 };
	size_t len = RECORD_HEADER, i;

	for (i = 0; i < size; i++, len += i < 2 || type != RECORD_MMAP ||
	    i == 2 ? 4 : 8)
		put(bytes + len, numbers[i],
		    type == RECORD_MMAP && i >= 2 ? 8 : 4);
	if (type == RECORD_MMAP)
		len = RECORD_HEADER + 8 + 24;
	strcpy(bytes + len, text);
	len += strlen(text) + 1;
	require(history_add(&scene->history, &(struct record){ type,
	    (uint16_t)misc, { bytes, len } },
	    (struct moment){ scene->time, ++scene->number }), "a good record");
}

static void
end_thread(struct scene *scene, uint64_t tid)
{
	uint64_t numbers[] = { tid, 1, tid, 1, 0, 0 };

	add_record(scene, RECORD_EXIT, 0, numbers, 6, "");
}

/* Threads, and their ends, of which no sample is. */
static void
add_many(struct scene *scene, bool ends, uint64_t count)
{
	uint64_t numbers[2], i;
	char name[16];

	for (i = 0; i < count; i++) {
		if (ends) {
			end_thread(scene, 1000000 + i);
			continue;
		}
		numbers[0] = numbers[1] = i + 1000;
		snprintf(name, sizeof(name), "%lu", (unsigned long)i + 1000);
		add_record(scene, RECORD_COMM, 0, numbers, 2, name);
	}
}

static void
print_maps(struct scene *scene, int32_t pid, int32_t tid)
{
	struct moment now = { scene->time, scene->number };
	struct history_thread thread;
	struct maps_range around;
	struct maps_view view;
	unsigned count = 0;
	uint64_t at;

	history_settle(&scene->history, UINT64_MAX, now);
	thread = history_find(&scene->history, pid, tid);
	view = history_maps(&thread, now);
	for (at = 1; at < 16; at++)
		count += maps_find(view, at * 4096, &around) != NULL;
	printf("%u maps, ", count);
}

static void
happen(struct scene *scene, const char *text)
{
	char command[8], name[32] = "";
	long a = 0, b = 0, c = 0, d = 0;
	uint64_t numbers[6];

	sscanf(text, "%7s %ld %ld %ld %ld", command, &a, &b, &c, &d);
	numbers[0] = (uint64_t)a;
	numbers[1] = (uint64_t)b;
	if (sscanf(text, "comm %*d %*d %31s", name) == 1)
		add_record(scene, RECORD_COMM, 0, numbers, 2, name);
	else if (strcmp(command, "fork") == 0 ||
	    strcmp(command, "exec") == 0) {
		memcpy(numbers, (uint64_t[]){ (uint64_t)a, (uint64_t)c,
		    (uint64_t)b, (uint64_t)d, 0, 0 }, sizeof(numbers));
		add_record(scene, RECORD_FORK, command[0] == 'f' ? 0 : 1 << 13,
		    numbers, 6, "");
	} else if (strcmp(command, "map") == 0) {
		memcpy(numbers + 2, (uint64_t[]){ (uint64_t)c, 4096, 0 },
		    3 * sizeof(*numbers));
		add_record(scene, RECORD_MMAP, MODE_USER, numbers, 5, "/x");
	} else if (strcmp(command, "end") == 0)
		end_thread(scene, (uint64_t)a);
	else if (strcmp(command, "ends") == 0 || strcmp(command, "many") == 0)
		add_many(scene, command[0] == 'e', (uint64_t)a);
	else if (strcmp(command, "time") == 0)
		scene->time = (uint64_t)a;
	else if (strcmp(command, "counts") == 0)
		print_maps(scene, (int32_t)a, (int32_t)b);
}

static void
obey(struct scene *scene, struct filter_notes *notes, const char *text)
{
	struct attrs *attrs = &scene->file.attrs;
	size_t i;

	if (strncmp(text, "event ", 6) == 0)
		add_event(attrs, text + 6);
	else if (strncmp(text, "sample ", 7) == 0)
		take_sample(scene, text + 7);
	else if (strncmp(text, "ask ", 4) == 0)
		filter_ask(notes, str_from(text + 4));
	else if (strcmp(text, "threads") == 0)
		for (i = 0; i < attrs->count; i++)
			attrs->list[i].flags |= 2;
	else
		happen(scene, text);
}

/* Obeys the commands of a line. */
static void
replay(char *line)
{
	static struct scene scene;
	struct filter_notes notes = { 0 };
	size_t others = 0, counted = 0;
	struct input input = { 0 };
	struct filter filter = { .input = &input, .notes = &notes,
	    .others = &others, .others_told = true };
	struct recording_target target = { .frames = &scene.frames,
	    .filter = &filter, .stacks = &scene.stacks, .samples = &counted };
	struct samples *samples = &scene.samples;
	char *command;

	memset(&scene, 0, sizeof(scene));
	*samples = (struct samples){ .target = &target,
	    .attrs = &scene.file.attrs, .history = &scene.history,
	    .roots = { .tid = true }, .namer = &scene.namer,
	    .chains = &scene.chains, .batch = &taken };
	scene.history.file = &scene.file;
	scene.history.symfs = "";
	namer_init(&scene.namer);
	frames_init(&scene.frames, &scene.namer);
	stacks_init(&scene.stacks);
	attrs_init(&scene.file.attrs);
	history_init(&scene.history);
	for (command = strtok(line, ";"); command != NULL;
	    command = strtok(NULL, ";"))
		obey(&scene, &notes, command + strspn(command, " "));
	printf("%s, %llu, %llu", samples->refused == NULL ? "-" :
	    samples->refused, samples->guests, samples->odd);
	filter_free(&filter);
	filter_free_notes(&notes);
}

int
samples_main(int argc, char **argv)
{
	struct str line;
	char text[2048];

	(void)argc;
	(void)argv;
	for (; unit_line(&line); putchar('\n')) {
		snprintf(text, sizeof(text), "%.*s", (int)line.len, line.data);
		replay(text);
	}
	return 0;
}
