/*
 * Writes perf.data, or what perf record writes to a pipe.  The input is lines
 * of words; numbers are as C's, times are optional and 0 if left out:
 *
 *	pipe | unfinished		for a pipe, or cut off as perf record
 *					leaves it when it is killed
 *	part				records alone: perf.data/data.0
 *	machine x86_64			the machine's name
 *	release 6.1			the kernel's release
 *	times FIRST LAST		those of samples, in the header
 *	event cycles 0 0 ip,tid 7,8	name, type, config, fields of samples
 *					(see fields), the counters' numbers
 *	id FILE HEX			a build id
 *	meta KEY=VALUE ...		what simpleperf tells
 *	file KIND ADDRESS OFFSET PATH START SIZE NAME ...
 *	file2 ...			functions that simpleperf stores; "-" is
 *					no offset
 *	formats FILE			the tracing data that are in a file
 *	kernel START LEN OFFSET NAME	the kernel, or a module of it
 *	map PID TID START LEN OFFSET FILE [TIME]
 *	jit PID TID START LEN OFFSET FILE [TIME]
 *					a map, or simpleperf's of compiled code
 *	comm PID TID NAME [TIME]
 *	fork PID TID PARENT_PID PARENT_TID [TIME]
 *	exit PID TID PARENT_PID PARENT_TID [TIME]
 *	ksymbol START LEN NAME [TIME], unksymbol START LEN NAME [TIME]
 *	deferred COOKIE PID TID TIME u: ADDRESS ...
 *					a chain that samples wait for, which end
 *					in "d:" and the cookie
 *	cgroup ID PATH [TIME]		a cgroup, of which samples tell "%ID"
 *	lost COUNT [TIME]		on processor 0
 *	switch in|out PID TID TIME	a thread comes or leaves
 *	round				ends a round
 *	sample COUNTER PID TID TIME PERIOD k|u|h|g ADDRESS ...
 *					of the event of a counter; "k:", "u:",
 *					"h:", "d:" and "x:" between addresses are
 *					contexts, COUNTER=VALUE is a read, "-"
 *					after them an end to the ip alone;
 *					@ADDRESS is an ip that is in no chain,
 *					#CPU is a processor, or it is the 3rd,
 *					registers:FILE, or registers32:FILE of
 *					a program of 32 bits, stack:FILE,
 *					raw:HEX, branches:FROM/TO,... and #CPU
 *					are what else is in it
 *	record TYPE MISC HEX		any other
 *	bytes HEX			in between
 *	compressed			all that follows is, by zstd
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata.h"

#define NEWER		(UINT64_C(7) << 26)	/* what perf may know one day */
#define PART		50000	/* bytes of a compressed record */

static struct recording recording = { .machine = "x86_64" };
static struct buffer compressed;
static int is_compressed;

/* Of a sample, by bit of sample_type, and more by name. */
static const char *const fields[] = { "ip", "tid", "time", "address", "read",
	"chain", "id", "cpu", "period", "stream", "raw", "branches",
	"registers", "stack", "", "", "identifier", "", "", "", "", "cgroup",
	"data-page", "code-page" };
enum { IP, TID, TIME, ADDRESS, READ, CHAIN, ID, CPU, PERIOD, STREAM, RAW,
	BRANCHES, REGISTERS, STACK, IDENTIFIER = 16, CGROUP = 21, DATA_PAGE,
	CODE_PAGE };

/* Bits of an event by other names. */
static const struct {
	const char *name;
	size_t of;			/* a number of the event */
	uint64_t bits;
} more[] = {
#define OF(member)	offsetof(struct event, member)
	{ "all", OF(flags), MARKS_ALL }, { "inherit", OF(flags), 1 << 1 },
	{ "user", OF(flags), 1 << 5 }, { "mono", OF(flags), MONOTONIC },
	{ "frequency", OF(flags), 1 << 10 },
	{ "defer", OF(flags), UINT64_C(3) << 38 },
	{ "group", OF(read_fields), 1 << 3 }, { "times", OF(read_fields), 3 },
	{ "unknown", OF(read_fields), 1 << 5 },
	{ "callstack", OF(branches), 1 << 11 },
	{ "index", OF(branches), 1 << 17 },
	{ "newer", OF(fields), NEWER },
	{ "link", OF(fields), 1 << REGISTERS },
	{ "link", OF(registers), 1 << 30 },
};

/* Records whose bytes are words of the line; see put_layout. */
static const struct {
	const char *command;
	uint64_t type, misc;
	const char *body;
	int pid, tid, time;		/* words, for the end */
} records[] = {
	{ "kernel", 10, 1, "-4 04 18 28 38 08 08 08 =5 =2 4t", 0, 0, 5 },
	{ "map", 10, 2, "14 24 38 48 58 08 08 08 =5 =2 6t", 1, 2, 7 },
	{ "jit", 10, 2, "14 24 38 48 58 08 08 08 =16389 =2 6t", 1, 2, 7 },
	{ "comm", 3, 0, "14 24 3t", 1, 2, 4 },
	{ "fork", 7, 0, "14 34 24 44 58", 1, 2, 5 },
	{ "exit", 4, 0, "14 34 24 44 58", 1, 2, 5 },
	{ "ksymbol", 17, 0, "18 24 =1 3t", 0, 0, 4 },
	{ "unksymbol", 17, 0, "18 24 =65537 3t", 0, 0, 4 },
	{ "cgroup", 19, 0, "18 2t", 0, 0, 3 },
	{ "lost", 2, 0, "08 18", 0, 0, 2 },
	{ "switch in", 14, 0, "", 2, 3, 4 },
	{ "switch out", 14, 1 << 13, "", 2, 3, 4 },
};

static void
put_record(struct buffer *buffer, uint64_t type, uint64_t misc,
    const struct buffer *body)
{
	put_number(buffer, type | misc << 32 | (body->len + 8) << 48, 8);
	put(buffer, body->data, body->len);
}

/* A record of the recording, where the last command has it. */
static void
add_record(uint64_t type, uint64_t misc, struct buffer *body)
{
	put_record(is_compressed ? &compressed : &recording.data, type, misc,
	    body);
	free(body->data);
	*body = (struct buffer){ NULL, 0 };
}

static int
has(const struct event *event, int field)
{
	return (event->fields >> field & 1) != 0;
}

/* A process and a thread, as one number. */
static uint64_t
threads(const char *pid, const char *tid)
{
	return (uint32_t)number(pid) | number(tid) << 32;
}

/* Puts the end of records that are no samples. */
static void
put_end(struct buffer *body, const char *pid, const char *tid,
    const char *time)
{
	static const int zeros[] = { ID, STREAM, CPU, IDENTIFIER };
	const struct event *event = &recording.events[0];
	size_t i;

	if (recording.events_count == 0 || (event->flags & MARKS_ALL) == 0)
		return;
	if (has(event, TID))
		put_number(body, threads(pid, tid), 8);
	if (has(event, TIME))
		put_number(body, number(time), 8);
	for (i = 0; i < sizeof(zeros) / sizeof(*zeros); i++)
		if (has(event, zeros[i]))
			put_number(body, 0, 8);
}

static void
add_field(struct event *event, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (strcmp(name, fields[i]) == 0)
			event->fields |= UINT64_C(1) << i;
	for (i = 0; i < sizeof(more) / sizeof(*more); i++)
		if (strcmp(name, more[i].name) == 0)
			*(uint64_t *)((char *)event + more[i].of) |=
			    more[i].bits;
}

/* An event, which in a pipe is two records at once. */
static void
add_event(char **words)
{
	struct event *event = &recording.events[recording.events_count];
	struct buffer body = { NULL, 0 };
	char *word;
	size_t i;

	if (recording.events_count++ == MOST_EVENTS)
		fail("too many events", words[1]);
	event->name = strdup(words[1]);
	if (event->name == NULL)
		fail("no memory", "");
	event->type = number(words[2]);
	event->config = number(words[3]);
	event->read_fields = 1 << 2;
	for (word = strtok(words[4], ","); word != NULL;
	    word = strtok(NULL, ","))
		add_field(event, word);
	if (event->registers == 0)
		event->registers = strcmp(recording.machine, "aarch64") == 0 ?
		    UINT64_C(0x1ffffffff) : 0xff0fff;
	for (word = strtok(words[5], ","); word != NULL &&
	    event->ids_count < MOST_IDS; word = strtok(NULL, ","))
		event->ids[event->ids_count++] = number(word);
	if (!recording.is_pipe)
		return;
	put_attr(&body, event);
	for (i = 0; i < event->ids_count; i++)
		put_number(&body, event->ids[i], 8);
	add_record(64, 0, &body);
	PUT(&body, 2, event->ids[0]);
	put_text(&body, event->name);
	add_record(78, 0, &body);
}

static void
add_build_id(char **words)
{
	struct buffer body = { NULL, 0 };
	size_t len = strlen(words[2]) / 2;

	put_number(&body, UINT32_MAX, 4);
	put_hex(&body, words[2]);
	put(&body, (unsigned char[24]){ 0 }, 20 - len);
	put_number(&body, len, 4);
	put_text(&body, words[1]);
	put_record(recording.is_pipe ? &recording.data : &recording.build_ids,
	    67, 1 << 15 | (words[1][0] == '[' ||
	    strstr(words[1], ".ko") != NULL ? 1 : 2), &body);
	free(body.data);
}

/* Adds a number of a message, as Protocol Buffers have it. */
static void
put_field(struct buffer *message, unsigned field, uint64_t number)
{
	put_number(message, field << 3, 1);
	for (; number >= 0x80; number >>= 7)
		put_number(message, number | 0x80, 1);
	put_number(message, number, 1);
}

/* Adds a text or a message of at most 127 bytes. */
static void
put_part(struct buffer *message, unsigned field, const void *data, size_t len)
{
	put_number(message, field << 3 | 2, 1);
	put_number(message, len, 1);
	put(message, data, len);
}

/* file KIND ADDRESS OFFSET PATH START SIZE NAME ... */
static void
add_file(char **words)
{
	struct buffer body = { NULL, 0 };
	size_t i, count = 0;

	while (words[5 + count] != NULL)
		count++;
	put(&body, words[4], strlen(words[4]) + 1);
	put_number(&body, number(words[1]), 4);
	put_number(&body, number(words[2]), 8);
	put_number(&body, count / 3, 4);
	for (i = 5; i < 5 + count; i += 3) {
		put_number(&body, number(words[i]), 8);
		put_number(&body, number(words[i + 1]), 4);
		put(&body, words[i + 2], strlen(words[i + 2]) + 1);
	}
	if (words[3][0] != '-')
		put_number(&body, number(words[3]), 8);
	put_number(&recording.files, body.len, 4);
	put(&recording.files, body.data, body.len);
	free(body.data);
}

static void
add_file2(char **words)
{
	struct buffer body = { NULL, 0 }, part = { NULL, 0 };
	size_t i;

	put_part(&body, 1, words[4], strlen(words[4]));
	put_field(&body, 2, number(words[1]));
	put_field(&body, 3, number(words[2]));
	for (i = 5; words[i] != NULL; i += 3) {
		part.len = 0;
		put_field(&part, 1, number(words[i]));
		put_field(&part, 2, number(words[i + 1]));
		put_part(&part, 3, words[i + 2], strlen(words[i + 2]));
		put_part(&body, 4, part.data, part.len);
	}
	part.len = 0;
	put_field(&part, 1, number(words[3]));
	if (words[3][0] != '-')
		put_part(&body, number(words[1]) == 1 ? 7 : 6, part.data,
		    part.len);
	put_number(&recording.files2, body.len, 4);
	put(&recording.files2, body.data, body.len);
	free(body.data);
	free(part.data);
}

/* meta KEY=VALUE ...; in a value, "/" is the end of a line */
static void
add_meta(char **words)
{
	char *at;

	for (words++; *words != NULL; words++) {
		for (at = *words; *at != '\0'; at++)
			if (*at == '/')
				*at = '\n';
		*strchr(*words, '=') = '\0';
		put(&recording.meta, *words, (size_t)(at - *words) + 1);
	}
}

static const struct event *
find_event(uint64_t id)
{
	size_t i, j;

	for (i = 0; i < recording.events_count; i++)
		for (j = 0; j < recording.events[i].ids_count; j++)
			if (recording.events[i].ids[j] == id)
				return &recording.events[i];
	return &recording.events[0];
}

/* Puts FROM/TO,FROM/TO,...: branches, without flags. */
static void
put_branches(struct buffer *body, const struct event *event, char *list)
{
	struct buffer branches = { NULL, 0 };
	char *word;

	for (word = strtok(list, ","); word != NULL; word = strtok(NULL, ","))
		PUT(&branches, number(word), number(strchr(word, '/') + 1), 0);
	put_number(body, branches.len / 24, 8);
	if ((event->branches & 1 << 17) != 0)
		put_number(body, 0, 8);
	put(body, branches.data, branches.len);
	free(branches.data);
}

/* Puts what comes after the addresses; registers are of a program's kind. */
static void
put_user(struct buffer *body, const struct event *event, uint64_t kind,
    const struct buffer *registers, const struct buffer *stack,
    const char *raw, char *branches)
{
	if (has(event, RAW)) {
		put_number(body, raw == NULL ? 12 : strlen(raw) / 2, 4);
		if (raw == NULL)
			put(body, "twelve bytes", 12);
		else
			put_hex(body, raw);
	}
	if (has(event, BRANCHES)) {
		char two[] = "1/0,0/0";

		put_branches(body, event, branches == NULL ? two : branches);
	}
	if (has(event, REGISTERS)) {
		put_number(body, registers->len > 0 ? kind : 0, 8);
		put(body, registers->data, registers->len);
	}
	if (has(event, STACK)) {
		put_number(body, stack->len, 8);
		put(body, stack->data, stack->len);
		if (stack->len > 0)
			put_number(body, stack->len, 8);
	}
}

/* Returns a word of a chain: a context or an address. */
static uint64_t
chain_word(const char *word)
{
	static const uint64_t contexts[] = { 32, 128, 512, 640, 777 };
	const char *letters = "hkudx", *at = strchr(letters, word[0]);

	return at != NULL && word[1] == ':' ? -contexts[at - letters] :
	    number(word);
}

/* deferred COOKIE PID TID TIME ADDRESS ... */
static void
add_deferred(char **words)
{
	struct buffer body = { NULL, 0 };
	size_t i, count = 0;

	while (words[5 + count] != NULL)
		count++;
	PUT(&body, number(words[1]), count);
	for (i = 0; i < count; i++)
		put_number(&body, chain_word(words[5 + i]), 8);
	put_end(&body, words[2], words[3], words[4]);
	add_record(22, 2, &body);
}

static void
put_reads(struct buffer *body, const struct event *event,
    const struct buffer *reads)
{
	int is_group = (event->read_fields & 1 << 3) != 0;

	if (is_group)
		put_number(body, reads->len / 16, 8);
	else
		put(body, reads->data, 8);
	if ((event->read_fields & 1) != 0)
		put(body, "time on.running.", 16);
	if (is_group)
		put(body, reads->data, reads->len);
	else
		put(body, reads->data + 8, 8);
}

/* Puts the rest of a sample: reads, addresses and contexts. */
static void
put_sample_end(struct buffer *body, const struct event *event, char **words)
{
	struct buffer reads = { NULL, 0 }, chain = { NULL, 0 };
	struct buffer registers = { NULL, 0 }, stack = { NULL, 0 };
	uint64_t kind = 2, cgroup = 0;
	char *value, *raw = NULL, *branches = NULL;

	for (; *words != NULL; words++) {
		value = strchr(*words, '=');
		if (strncmp(*words, "registers:", 10) == 0)
			put_contents(&registers, *words + 10);
		else if (strncmp(*words, "registers32:", 12) == 0) {
			put_contents(&registers, *words + 12);
			kind = 1;
		} else if (strncmp(*words, "stack:", 6) == 0)
			put_contents(&stack, *words + 6);
		else if (strncmp(*words, "raw:", 4) == 0)
			raw = *words + 4;
		else if (strncmp(*words, "branches:", 9) == 0)
			branches = *words + 9;
		if (**words == '%')
			cgroup = number(*words + 1);
		if (strchr("@rsb%#", **words) != NULL)
			continue;	/* they are in no chain */
		if (value != NULL) {
			put_number(&reads, number(value + 1), 8);
			put_number(&reads, number(*words), 8);
		} else
			put_number(&chain, chain_word(*words), 8);
	}
	if (has(event, READ))
		put_reads(body, event, &reads);
	if (has(event, CHAIN)) {
		put_number(body, chain.len / 8, 8);
		put(body, chain.data, chain.len);
	}
	put_user(body, event, kind, &registers, &stack, raw, branches);
	if (has(event, CGROUP))
		put_number(body, cgroup, 8);
	if (has(event, DATA_PAGE))
		put_number(body, 4096, 8);
	if (has(event, CODE_PAGE))
		put_number(body, 8192, 8);
	if ((event->fields & NEWER) != 0)
		put(body, "three numbers of 8 bytes", 24);
}

/* sample COUNTER PID TID TIME PERIOD MODE ADDRESS ... */
static void
add_sample(char **words)
{
	static const char modes[] = "kuhg";
	const struct event *event = find_event(number(words[1]));
	const char *mode = strchr(modes, words[6][0]);
	uint64_t ip = 0, cpu = 3;
	struct buffer body = { NULL, 0 };
	size_t i;

	for (i = 7; words[i] != NULL; i++)
		if (words[i][0] == '@')
			ip = number(words[i] + 1);
		else if (words[i][0] == '#')
			cpu = number(words[i] + 1);
		else if (ip == 0 && strpbrk(words[i], ":=%") == NULL)
			ip = number(words[i]);
	const struct {
		int field;
		uint64_t value;
	} first[] = {
		{ IDENTIFIER, number(words[1]) }, { IP, ip },
		{ TID, threads(words[2], words[3]) },
		{ TIME, number(words[4]) }, { ADDRESS, 4711 },
		{ ID, number(words[1]) }, { STREAM, 4711 }, { CPU, cpu },
		{ PERIOD, number(words[5]) },
	};
	for (i = 0; i < sizeof(first) / sizeof(*first); i++)
		if (has(event, first[i].field))
			put_number(&body, first[i].value, 8);
	put_sample_end(&body, event, words + 7);
	add_record(9, mode != NULL ? (uint64_t)(mode - modes) + 1 : 2, &body);
}

/* Adds tracing data, which in a pipe follow their record. */
static void
add_formats(char **words)
{
	struct buffer body = { NULL, 0 };

	put_contents(&recording.formats, words[1]);
	if (!recording.is_pipe)
		return;
	PUT(&body, (recording.formats.len + 7) / 8 * 8);
	add_record(66, 0, &body);
	put(&recording.data, recording.formats.data, recording.formats.len);
	put(&recording.data, "\0\0\0\0\0\0", -recording.formats.len % 8);
}

/* Adds a record whose layout is in the table; returns false for others. */
static int
add_known(char **words)
{
	struct buffer body = { NULL, 0 };
	const char *name;
	size_t i, len = strlen(words[0]);

	for (i = 0; i < sizeof(records) / sizeof(*records); i++) {
		name = records[i].command;
		if (strncmp(name, words[0], len) != 0 || (name[len] != '\0' &&
		    (name[len] != ' ' || strcmp(name + len + 1, words[1]) != 0)))
			continue;
		put_layout(&body, records[i].body, words);
		put_end(&body, words[records[i].pid], words[records[i].tid],
		    words[records[i].time]);
		add_record(records[i].type, records[i].misc, &body);
		return 1;
	}
	return 0;
}

static void
add(char **words)
{
	static const struct {
		const char *name;
		void (*add)(char **words);
	} commands[] = {
		{ "event", add_event }, { "id", add_build_id },
		{ "formats", add_formats }, { "sample", add_sample },
		{ "deferred", add_deferred }, { "file", add_file },
		{ "file2", add_file2 }, { "meta", add_meta },
	};
	static const struct {
		const char *name;
		int *flag;
	} flags[] = {
		{ "pipe", &recording.is_pipe }, { "part", &recording.is_part },
		{ "unfinished", &recording.is_unfinished },
		{ "compressed", &is_compressed },
	};
	struct buffer body = { NULL, 0 };
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (strcmp(words[0], commands[i].name) == 0) {
			commands[i].add(words);
			return;
		}
	for (i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (strcmp(words[0], flags[i].name) == 0) {
			*flags[i].flag = 1;
			return;
		}
	if (strcmp(words[0], "machine") == 0)
		snprintf(recording.machine, sizeof(recording.machine), "%s",
		    words[1]);
	else if (strcmp(words[0], "release") == 0)
		snprintf(recording.release, sizeof(recording.release), "%s",
		    words[1]);
	else if (strcmp(words[0], "times") == 0) {
		recording.first = number(words[1]);
		recording.last = number(words[2]);
	} else if (strcmp(words[0], "round") == 0)
		add_record(68, 0, &body);
	else if (strcmp(words[0], "bytes") == 0)
		put_hex(&recording.data, words[1]);
	else if (strcmp(words[0], "record") == 0) {
		put_hex(&body, words[3] == NULL ? "" : words[3]);
		add_record(number(words[1]), number(words[2]), &body);
	} else if (!add_known(words))
		fail("unknown", words[0]);
}

/* Compresses records by zstd, and adds them in parts. */
static void
compress(void)
{
	struct buffer body = { NULL, 0 };
	FILE *in = fopen("perfdata.tmp", "wb"), *out;
	size_t got;
	char part[PART];

	if (in == NULL || fwrite(compressed.data, 1, compressed.len, in) !=
	    compressed.len || fclose(in) != 0)
		fail("cannot write", "perfdata.tmp");
	out = popen("zstd -qc perfdata.tmp", "r");
	if (out == NULL)
		fail("cannot run", "zstd");
	is_compressed = 0;
	while ((got = fread(part, 1, sizeof(part), out)) > 0) {
		put(&body, part, got);
		add_record(81, 0, &body);
	}
	if (pclose(out) != 0)
		fail("failed", "zstd");
	remove("perfdata.tmp");
}

int
perfdata_main(int argc, char **argv)
{
	struct buffer file = { NULL, 0 };

	(void)argc;
	(void)argv;
	each_line(add);
	if (is_compressed)
		compress();
	put_recording(&file, &recording);
	print_all(&file);
	return 0;
}
