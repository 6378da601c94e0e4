/*
 * Writes perf.data, or what perf record writes to a pipe.  The input is lines
 * of words; numbers are as C's, times are optional and 0 if left out:
 *
 *	pipe | unfinished		for a pipe, or cut off as perf record
 *					leaves it when it is killed
 *	part				records alone: perf.data/data.0
 *	machine x86_64			the machine's name
 *	times FIRST LAST		those of samples, in the header
 *	event cycles 0 0 ip,tid 7,8	name, type, config, fields of samples
 *					(see fields), the counters' numbers
 *	id FILE HEX			a build id
 *	formats FILE			the tracing data that are in a file
 *	kernel START LEN OFFSET NAME	the kernel, or a module of it
 *	map PID TID START LEN OFFSET FILE [TIME]
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
 *					raw:HEX and #CPU are what else is in it
 *	record TYPE MISC HEX		any other
 *	bytes HEX			in between
 *	compressed			all that follows is, by zstd
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata.h"

#define MOST_WORDS	300
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

static void
put_record(struct buffer *buffer, uint64_t type, uint64_t misc,
    const struct buffer *body)
{
	put_number(buffer, type, 4);
	put_number(buffer, misc, 2);
	put_number(buffer, body->len + 8, 2);
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

static uint64_t
number(const char *word)
{
	return strtoull(word == NULL ? "0" : word, NULL, 0);
}

/* Puts the end of records that are no samples. */
static void
put_end(struct buffer *body, const char *pid, const char *tid,
    const char *time)
{
	static const int zeros[] = { ID, STREAM, CPU, IDENTIFIER };
	const struct event *event = &recording.events[0];
	size_t i;

	if (recording.events_count == 0 || !event->marks_all)
		return;
	if (has(event, TID)) {
		put_number(body, number(pid), 4);
		put_number(body, number(tid), 4);
	}
	if (has(event, TIME))
		put_number(body, number(time), 8);
	for (i = 0; i < sizeof(zeros) / sizeof(*zeros); i++)
		if (has(event, zeros[i]))
			put_number(body, 0, 8);
}

static uint64_t
field_bits(char *names, struct event *event)
{
	uint64_t bits = 0, link = 0;
	size_t i;
	char *name;

	for (name = strtok(names, ","); name != NULL;
	    name = strtok(NULL, ",")) {
		for (i = 0; i < sizeof(fields) / sizeof(*fields); i++)
			if (strcmp(name, fields[i]) == 0)
				bits |= UINT64_C(1) << i;
		event->marks_all |= strcmp(name, "all") == 0;
		event->inherits |= strcmp(name, "inherit") == 0;
		event->is_monotonic |= strcmp(name, "mono") == 0;
		event->defers |= strcmp(name, "defer") == 0;
		event->is_frequent |= strcmp(name, "frequency") == 0;
		if (strcmp(name, "group") == 0)
			event->read_fields |= 1 << 3;
		if (strcmp(name, "times") == 0)
			event->read_fields |= 1 << 0 | 1 << 1;
		if (strcmp(name, "unknown") == 0)
			event->read_fields |= 1 << 5;
		if (strcmp(name, "callstack") == 0)
			event->branches |= 1 << 11;
		if (strcmp(name, "index") == 0)
			event->branches |= 1 << 17;
		if (strcmp(name, "newer") == 0)
			bits |= NEWER;
		if (strcmp(name, "link") == 0)
			link = 1 << 30;
	}
	event->registers = link > 0 ? link :
	    strcmp(recording.machine, "aarch64") == 0 ?
	    UINT64_C(0x1ffffffff) : 0xff0fff;
	return link > 0 ? bits | 1 << REGISTERS : bits;
}

/* An event, which in a pipe is two records at once. */
static void
add_event(char **words)
{
	struct event *event = &recording.events[recording.events_count];
	struct buffer body = { NULL, 0 };
	char *id;
	size_t i;

	if (recording.events_count++ == MOST_EVENTS)
		fail("too many events", words[1]);
	event->name = strdup(words[1]);
	if (event->name == NULL)
		fail("no memory", "");
	event->type = number(words[2]);
	event->config = number(words[3]);
	event->read_fields = 1 << 2;
	event->fields = field_bits(words[4], event);
	for (id = strtok(words[5], ","); id != NULL &&
	    event->ids_count < MOST_IDS; id = strtok(NULL, ","))
		event->ids[event->ids_count++] = number(id);
	if (!recording.is_pipe)
		return;
	put_attr(&body, event);
	for (i = 0; i < event->ids_count; i++)
		put_number(&body, event->ids[i], 8);
	add_record(64, 0, &body);
	put_number(&body, 2, 8);
	put_number(&body, event->ids[0], 8);
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
	    67, 1 << 15 | (words[1][0] == '[' ? 1 : 2), &body);
	free(body.data);
}

static void
add_map(const char *pid, const char *tid, char **words, uint64_t mode)
{
	struct buffer body = { NULL, 0 };
	size_t i;

	put_number(&body, number(pid), 4);
	put_number(&body, number(tid), 4);
	for (i = 0; i < 3; i++)
		put_number(&body, number(words[i]), 8);
	put(&body, (unsigned char[24]){ 0 }, 24);
	put_number(&body, 5, 4);	/* readable and executable */
	put_number(&body, 2, 4);
	put_text(&body, words[3]);
	put_end(&body, pid, tid, words[4]);
	add_record(10, mode, &body);
}

static void
add_comm(char **words)
{
	struct buffer body = { NULL, 0 };

	put_number(&body, number(words[1]), 4);
	put_number(&body, number(words[2]), 4);
	put_text(&body, strcmp(words[3], "''") == 0 ? "" : words[3]);
	put_end(&body, words[1], words[2], words[4]);
	add_record(3, 0, &body);
}

static void
add_task(char **words)
{
	struct buffer body = { NULL, 0 };

	put_number(&body, number(words[1]), 4);
	put_number(&body, number(words[3]), 4);
	put_number(&body, number(words[2]), 4);
	put_number(&body, number(words[4]), 4);
	put_number(&body, number(words[5]), 8);
	put_end(&body, words[1], words[2], words[5]);
	add_record(words[0][0] == 'f' ? 7 : 4, 0, &body);
}

static void
add_ksymbol(char **words)
{
	struct buffer body = { NULL, 0 };

	put_number(&body, number(words[1]), 8);
	put_number(&body, number(words[2]), 4);
	put_number(&body, 1, 2);
	put_number(&body, words[0][0] == 'u', 2);
	put_text(&body, words[3]);
	put_end(&body, "0", "0", words[4]);
	add_record(17, 0, &body);
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

/* Puts what comes after the addresses; registers are of a program's kind. */
static void
put_user(struct buffer *body, const struct event *event, uint64_t kind,
    const struct buffer *registers, const struct buffer *stack,
    const char *raw)
{
	if (has(event, RAW)) {
		put_number(body, raw == NULL ? 12 : strlen(raw) / 2, 4);
		if (raw == NULL)
			put(body, "twelve bytes", 12);
		else
			put_hex(body, raw);
	}
	if (has(event, BRANCHES)) {
		put_number(body, 2, 8);
		if ((event->branches & 1 << 17) != 0)
			put_number(body, 0, 8);
		put(body, (unsigned char[48]){ 1 }, 48);
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
	uint64_t context = strcmp(word, "h:") == 0 ? 32 :
	    strcmp(word, "k:") == 0 ? 128 :
	    strcmp(word, "u:") == 0 ? 512 :
	    strcmp(word, "d:") == 0 ? 640 :
	    strcmp(word, "x:") == 0 ? 777 : 0;

	return context > 0 ? -context : number(word);
}

/* deferred COOKIE PID TID TIME ADDRESS ... */
static void
add_deferred(char **words)
{
	struct buffer body = { NULL, 0 };
	size_t i, count = 0;

	while (words[5 + count] != NULL)
		count++;
	put_number(&body, number(words[1]), 8);
	put_number(&body, count, 8);
	for (i = 0; i < count; i++)
		put_number(&body, chain_word(words[5 + i]), 8);
	put_end(&body, words[2], words[3], words[4]);
	add_record(22, 2, &body);
}

/* Puts the rest of a sample: reads, addresses and contexts. */
static void
put_sample_end(struct buffer *body, const struct event *event, char **words)
{
	struct buffer reads = { NULL, 0 }, chain = { NULL, 0 };
	struct buffer registers = { NULL, 0 }, stack = { NULL, 0 };
	uint64_t kind = 2, cgroup = 0;
	char *value, *raw = NULL;

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
		if (**words == '%')
			cgroup = number(*words + 1);
		if (strchr("@rs%#", **words) != NULL)
			continue;	/* they are in no chain */
		if (value != NULL) {
			put_number(&reads, number(value + 1), 8);
			put_number(&reads, number(*words), 8);
		} else
			put_number(&chain, chain_word(*words), 8);
	}
	if (has(event, READ)) {
		if ((event->read_fields & 1 << 3) != 0)
			put_number(body, reads.len / 16, 8);
		else
			put(body, reads.data, 8);
		if ((event->read_fields & 1) != 0)
			put(body, "time on.running.", 16);
		if ((event->read_fields & 1 << 3) != 0)
			put(body, reads.data, reads.len);
		else
			put(body, reads.data + 8, 8);
	}
	if (has(event, CHAIN)) {
		put_number(body, chain.len / 8, 8);
		put(body, chain.data, chain.len);
	}
	put_user(body, event, kind, &registers, &stack, raw);
	if (has(event, CGROUP))
		put_number(body, cgroup, 8);
	if (has(event, DATA_PAGE))
		put_number(body, 4096, 8);
	if (has(event, CODE_PAGE))
		put_number(body, 8192, 8);
	if ((event->fields & NEWER) != 0)
		put(body, "three numbers of 8 bytes", 24);
	free(reads.data);
	free(chain.data);
	free(registers.data);
	free(stack.data);
}

/* sample COUNTER PID TID TIME PERIOD MODE ADDRESS ... */
static void
add_sample(char **words)
{
	const struct event *event = find_event(number(words[1]));
	uint64_t ip = 0, mode = 2, cpu = 3;
	struct buffer body = { NULL, 0 };
	size_t i;

	for (i = 7; words[i] != NULL; i++)
		if (words[i][0] == '@')
			ip = number(words[i] + 1);
		else if (words[i][0] == '#')
			cpu = number(words[i] + 1);
		else if (ip == 0 && strpbrk(words[i], ":=%") == NULL)
			ip = number(words[i]);
	if (strchr("kuhg", words[6][0]) != NULL)
		mode = words[6][0] == 'k' ? 1 : words[6][0] == 'u' ? 2 :
		    words[6][0] == 'h' ? 3 : 4;
	if (has(event, IDENTIFIER))
		put_number(&body, number(words[1]), 8);
	if (has(event, IP))
		put_number(&body, ip, 8);
	if (has(event, TID)) {
		put_number(&body, number(words[2]), 4);
		put_number(&body, number(words[3]), 4);
	}
	if (has(event, TIME))
		put_number(&body, number(words[4]), 8);
	if (has(event, ADDRESS))
		put_number(&body, 4711, 8);
	if (has(event, ID))
		put_number(&body, number(words[1]), 8);
	if (has(event, STREAM))
		put_number(&body, 4711, 8);
	if (has(event, CPU))
		put_number(&body, cpu, 8);
	if (has(event, PERIOD))
		put_number(&body, number(words[5]), 8);
	put_sample_end(&body, event, words + 7);
	add_record(9, mode, &body);
}

static void
add_other(char **words)
{
	struct buffer body = { NULL, 0 };

	if (strcmp(words[0], "cgroup") == 0) {
		put_number(&body, number(words[1]), 8);
		put_text(&body, words[2]);
		put_end(&body, "0", "0", words[3]);
		add_record(19, 0, &body);
	} else if (strcmp(words[0], "lost") == 0) {
		put_number(&body, 0, 8);
		put_number(&body, number(words[1]), 8);
		put_end(&body, "0", "0", words[2]);
		add_record(2, 0, &body);
	} else if (strcmp(words[0], "switch") == 0) {
		put_end(&body, words[2], words[3], words[4]);
		add_record(14, words[1][0] == 'o' ? 1 << 13 : 0, &body);
	} else if (strcmp(words[0], "round") == 0)
		add_record(68, 0, &body);
	else if (strcmp(words[0], "record") == 0) {
		put_hex(&body, words[3] == NULL ? "" : words[3]);
		add_record(number(words[1]), number(words[2]), &body);
	} else if (strcmp(words[0], "bytes") == 0)
		put_hex(&recording.data, words[1]);
	else
		fail("unknown", words[0]);
}

/* Adds tracing data, which in a pipe follow their record. */
static void
add_formats(const char *path)
{
	struct buffer body = { NULL, 0 };

	put_contents(&recording.formats, path);
	if (!recording.is_pipe)
		return;
	put_number(&body, (recording.formats.len + 7) / 8 * 8, 4);
	put_number(&body, 0, 4);
	add_record(66, 0, &body);
	put(&recording.data, recording.formats.data, recording.formats.len);
	put(&recording.data, "\0\0\0\0\0\0", -recording.formats.len % 8);
}

static void
add(char **words)
{
	const char *command = words[0];

	if (strcmp(command, "pipe") == 0)
		recording.is_pipe = 1;
	else if (strcmp(command, "unfinished") == 0)
		recording.is_unfinished = 1;
	else if (strcmp(command, "part") == 0)
		recording.is_part = 1;
	else if (strcmp(command, "compressed") == 0)
		is_compressed = 1;
	else if (strcmp(command, "machine") == 0)
		snprintf(recording.machine, sizeof(recording.machine), "%s",
		    words[1]);
	else if (strcmp(command, "times") == 0) {
		recording.first = number(words[1]);
		recording.last = number(words[2]);
	} else if (strcmp(command, "event") == 0)
		add_event(words);
	else if (strcmp(command, "id") == 0)
		add_build_id(words);
	else if (strcmp(command, "formats") == 0)
		add_formats(words[1]);
	else if (strcmp(command, "kernel") == 0)
		add_map("0xffffffff", "0", words + 1, 1);
	else if (strcmp(command, "map") == 0)
		add_map(words[1], words[2], words + 3, 2);
	else if (strcmp(command, "comm") == 0)
		add_comm(words);
	else if (strcmp(command, "fork") == 0 || strcmp(command, "exit") == 0)
		add_task(words);
	else if (strstr(command, "ksymbol") != NULL)
		add_ksymbol(words);
	else if (strcmp(command, "sample") == 0)
		add_sample(words);
	else if (strcmp(command, "deferred") == 0)
		add_deferred(words);
	else
		add_other(words);
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
	static char line[1 << 23], *words[MOST_WORDS + 8];
	struct buffer file = { NULL, 0 };
	size_t count;
	char *word;

	(void)argc;
	(void)argv;
	while (fgets(line, sizeof(line), stdin) != NULL) {
		for (count = 0, word = strtok(line, " \t\n");
		    word != NULL && count < MOST_WORDS;
		    word = strtok(NULL, " \t\n"))
			words[count++] = word;
		memset(&words[count], 0, 8 * sizeof(*words));
		if (count > 0 && words[0][0] != '#')
			add(words);
	}
	if (is_compressed)
		compress();
	put_recording(&file, &recording);
	if (fwrite(file.data, 1, file.len, stdout) != file.len ||
	    fflush(stdout) != 0)
		fail("cannot write", "standard output");
	free(file.data);
	return 0;
}
