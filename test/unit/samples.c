/*
 * Reads what happens in recordings, one on each line: commands, with ';' behind
 * each; numbers are decimal, but for the words of a sample.
 *
 *	event TYPE FIELDS READS NAME ID	FIELDS (sample_type) and READS
 *					(read_format) are hexadecimal
 *	threads				the events so far are inherited
 *	ask NAME			the event that counts
 *	comm PID TID NAME
 *	fork PID TID PARENT_PID PARENT_TID, exec likewise without maps
 *	end TID
 *	ends COUNT			so many other threads end
 *	many COUNT			threads 1000, 1001, ... get their numbers
 *					as names
 *	map PID TID START		a page of memory
 *	sample MODE WORD ...		8 bytes each, from behind the header
 *	counts PID TID			how many maps there are
 *
 * Prints what counts of each sample, NAME COUNT and its chain, if it has one;
 * then why the recording is refused, the virtual machines' samples and those
 * that make no sense.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "perf/data/samples.h"
#include "unit.h"

#define WORDS	60

/* What was taken, of the last record. */
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

static void
print_chains(void)
{
	struct chain *chain;
	struct str words;

	for (chain = taken.chains; chain < taken.chains + taken.count;
	    chain++) {
		unit_print(chain->root->name, "");
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
take_sample(struct samples *samples, const char *text)
{
	char bytes[8 + 8 * WORDS], *next;
	struct record record = { 9, (uint16_t)strtoul(text, &next, 10),
	    { bytes, 8 } };
	struct block block = { .held = 0 };
	const char *at;

	for (at = next; record.bytes.len < sizeof(bytes); at = next) {
		put(bytes + record.bytes.len, strtoull(at, &next, 16), 8);
		if (next == at)
			break;
		record.bytes.len += 8;
	}
	samples_take(samples, &record, &block);
	print_chains();
}

/* Threads, and their ends, of which no sample is. */
static void
add_many(struct tasks *tasks, const char *command, int32_t count)
{
	struct record_comm comm;
	struct record_task task = { 0 };
	char name[16];
	int32_t i;

	for (i = 0; i < count; i++) {
		if (strncmp(command, "ends", 4) == 0) {
			task.tid = 1000000 + i;
			tasks_end(tasks, &task);
			continue;
		}
		snprintf(name, sizeof(name), "%ld", (long)i + 1000);
		comm = (struct record_comm){ i + 1000, i + 1000,
		    str_from(name) };
		tasks_rename(tasks, &comm);
	}
}

static void
change_tasks(struct tasks *tasks, const char *text)
{
	struct record_task task = { 0 };
	struct record_comm comm;
	char command[8], name[32] = "";
	long a = 0, b = 0, c = 0, d = 0;
	struct maps *maps;

	sscanf(text, "%7s %ld %ld %ld %ld", command, &a, &b, &c, &d);
	if (sscanf(text, "comm %*d %*d %31s", name) == 1) {
		comm = (struct record_comm){ (int32_t)a, (int32_t)b,
		    str_from(name) };
		tasks_rename(tasks, &comm);
	} else if (strcmp(command, "fork") == 0 ||
	    strcmp(command, "exec") == 0) {
		task = (struct record_task){ .pid = (int32_t)a,
		    .tid = (int32_t)b, .parent_pid = (int32_t)c,
		    .parent_tid = (int32_t)d,
		    .copies_maps = command[0] == 'f' };
		tasks_fork(tasks, &task);
	} else if (strcmp(command, "end") == 0) {
		task.tid = (int32_t)a;
		tasks_end(tasks, &task);
	} else if (strcmp(command, "ends") == 0 ||
	    strcmp(command, "many") == 0)
		add_many(tasks, command, (int32_t)a);
	else if (strcmp(command, "map") == 0 ||
	    strcmp(command, "counts") == 0) {
		maps = tasks_get(tasks, (int32_t)a, (int32_t)b)->maps;
		if (command[0] == 'm')
			maps_add(maps, (struct map){ (uint64_t)c,
			    (uint64_t)c + 4096, 0, NULL });
		else
			printf("%zu maps, ", maps->count);
	}
}

static void
obey(struct samples *samples, struct filter_notes *notes, const char *text)
{
	size_t i;

	if (strncmp(text, "event ", 6) == 0)
		add_event(samples->attrs, text + 6);
	else if (strncmp(text, "sample ", 7) == 0)
		take_sample(samples, text + 7);
	else if (strncmp(text, "ask ", 4) == 0)
		filter_ask(notes, str_from(text + 4));
	else if (strcmp(text, "threads") == 0)
		for (i = 0; i < samples->attrs->count; i++)
			samples->attrs->list[i].flags |= 2;
	else
		change_tasks(samples->tasks, text);
}

/* Obeys the commands of a line. */
static void
replay(char *line)
{
	struct filter_notes notes = { 0 };
	size_t others = 0, counted = 0;
	struct input input = { 0 };
	struct filter filter = { .input = &input, .notes = &notes,
	    .others = &others,
	    .others_told = true };
	struct roots roots = { .tid = true };
	struct namer namer;
	struct frames frames;
	struct attrs attrs;
	struct tasks tasks;
	struct module *module = NULL;
	struct recording_target target = { .frames = &frames, .roots = &roots,
	    .filter = &filter, .samples = &counted };
	struct taskroots taskroots = { .roots = &roots, .namer = &namer };
	struct maps kernel = { .version = 1 };
	struct samples samples = { .target = &target, .attrs = &attrs,
	    .tasks = &tasks, .roots = &taskroots, .kernel = &kernel,
	    .kernel_module = &module, .batch = &taken };
	char *command;

	namer_init(&namer);
	frames_init(&frames, &namer);
	attrs_init(&attrs);
	tasks_init(&tasks);
	for (command = strtok(line, ";"); command != NULL;
	    command = strtok(NULL, ";"))
		obey(&samples, &notes, command + strspn(command, " "));
	printf("%s, %llu, %llu", samples.refused == NULL ? "-" :
	    samples.refused, samples.guests, samples.odd);
	free(samples.others);
	taskroots_free(&taskroots);
	tasks_free(&tasks);
	attrs_free(&attrs);
	frames_free(&frames);
	namer_free(&namer);
	free(roots.name.data);
	filter_free(&filter);
	filter_free_notes(&notes);
}

int
main(void)
{
	struct str line;
	char text[2048];

	for (; unit_line(&line); putchar('\n')) {
		snprintf(text, sizeof(text), "%.*s", (int)line.len, line.data);
		replay(text);
	}
	return 0;
}
