/*
 * Reads questions about the events and samples of recordings:
 *
 *	name TYPE CONFIG FLAGS		how perf calls an event
 *	breakpoint TYPE ADDRESS		the same of a breakpoint
 *	FIELDS READS PERIOD: HEX	what a sample with these bytes after
 *					its header tells, whose event has these
 *					sample_type, read_format and period,
 *					and branch_sample_type, unless it is 0
 *
 * Numbers are hexadecimal.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "perf/data/record.h"
#include "unit.h"

#define SAMPLE_RECORD	9
#define ATTR_BYTES	112
#define WORDS		9	/* of it */

static void
put(char *at, uint64_t number, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		at[i] = (char)(number >> 8 * i & 0xff);
}

/* Returns an event as perf_event_open(2) takes it. */
static struct attr
make(const uint64_t words[WORDS])
{
	static const size_t places[] = { 0, 8, 16, 24, 32, 40, 52, 56,
	    72 };
	static const size_t sizes[] = { 4, 8, 8, 8, 8, 8, 4, 8, 8 };
	char bytes[ATTR_BYTES] = { 0 };
	struct bytes reader = bytes_from((struct str){ bytes, ATTR_BYTES });
	size_t i;

	for (i = 0; i < WORDS; i++)
		put(bytes + places[i], words[i], sizes[i]);
	put(bytes + 4, ATTR_BYTES, 4);
	return attr_read(&reader);
}

static void
print_name(const uint64_t words[WORDS])
{
	struct attr attr = make(words);
	struct text name = { 0 };

	attr_add_name(&attr, &name);
	unit_print(text_str(&name), "");
	free(name.data);
}

static void
print_word(const char *what, uint64_t word)
{
	printf(" %s %" PRIx64, what, word);
}

/* Prints all that a sample tells. */
static void
print_sample(struct sample *sample, uint64_t id)
{
	struct sample_read read;
	struct str words;

	printf("ip %" PRIx64 " of %ld/%ld", attr_word(sample->ip),
	    (long)sample->pid, (long)sample->tid);
	print_word("id", id);
	print_word("period", sample->period);
	for (words = sample->chain; words.len > 0; words = str_skip(words, 8))
		print_word("-", attr_word(words.data));
	if (sample->has_reads)
		fputs(" reads", stdout);
	while (sample_next_read(sample, &read)) {
		print_word("id", read.id);
		print_word("value", read.value);
	}
	if (!sample->has_user)
		return;
	print_word("abi", sample->user.abi);
	print_word("registers", sample->user.registers.len / 8);
	print_word("stack", sample->user.stack.len);
}

/* Reads a sample of an event with these fields. */
static void
read_sample(const uint64_t words[WORDS], struct str hex)
{
	struct attr attr = make(words);
	struct str body = unit_bytes(hex);
	char *data = malloc(RECORD_HEADER + body.len);
	struct record record = { SAMPLE_RECORD, 2,
	    { data, RECORD_HEADER + body.len } };
	struct sample sample;

	attr.user_registers = 7;
	put(data, SAMPLE_RECORD, 4);
	put(data + 4, 2, 2);
	put(data + 6, record.bytes.len, 2);
	memcpy(data + RECORD_HEADER, body.data, body.len);
	if (attr_has_unknown_reads(&attr))
		fputs("unknown", stdout);
	else if (record_sample(&record, &attr, &sample))
		print_sample(&sample, record_word(&record, attr.at.id,
		    UINT64_MAX));
	else
		fputs("short", stdout);
	if (record_time(&record, &attr) != RECORD_NO_TIME)
		print_word("at", record_time(&record, &attr));
	free((char *)body.data);
	free(data);
}

int
sample_main(int argc, char **argv)
{
	struct str line;
	uint64_t words[WORDS], numbers[4];
	char text[512], *next;
	size_t colon, i;

	(void)argc;
	(void)argv;
	for (; unit_line(&line); putchar('\n')) {
		colon = str_find(line, ':');
		snprintf(text, sizeof(text), "%.*s", (int)colon, line.data);
		memset(words, 0, sizeof(words));
		next = text + strcspn(text, "0123456789");
		for (i = 0; i < 4; i++)
			numbers[i] = strtoull(next, &next, 16);
		if (str_starts(line, STR("name"))) {
			words[0] = numbers[0];
			words[1] = numbers[1];
			words[5] = numbers[2];
			print_name(words);
		} else if (str_starts(line, STR("breakpoint"))) {
			words[0] = ATTR_BREAKPOINT;
			words[5] = 1 << 20;
			words[6] = numbers[0];
			words[7] = numbers[1];
			print_name(words);
		} else {
			words[3] = numbers[0];
			words[4] = numbers[1];
			words[2] = numbers[2];
			words[8] = numbers[3];
			read_sample(words, str_skip(line, colon + 1));
		}
	}
	return 0;
}
