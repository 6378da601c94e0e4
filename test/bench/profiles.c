/*
 * profiles: profiles in binary and in JSON to measure the programs with, the
 * same on each run.
 *
 *	profiles pprof|firefox SAMPLES
 *
 * The stacks are the paths to the nodes of a tree of 20,000, some 30 frames
 * deep, of 4,000 functions.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODES		20000	/* from 1 */
#define FUNCTIONS	4000
#define THREADS		4

/* A number that looks random, but is always the same for the same one. */
static uint64_t
mix(uint64_t x)
{
	x = x * UINT64_C(0x9E3779B97F4A7C15) + 1;
	x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
	return x ^ x >> 31;
}

static uint64_t
parent_of(uint64_t node)
{
	return node - 1 - mix(node) % (node / 2 + 1);
}

static uint64_t
function_of(uint64_t node)
{
	return mix(node) / 3 % FUNCTIONS;
}

static void
put_name(char name[64], uint64_t function)
{
	snprintf(name, 64, "company/module%d.(*Type%d).Method%d",
	    (int)(function % 40), (int)(function % 300), (int)function);
}

/* A message of Protocol Buffers while it is made. */
struct message {
	unsigned char bytes[2048];
	size_t len;
};

static void
add_varint(struct message *message, uint64_t number)
{
	for (; number > 0x7f; number >>= 7)
		message->bytes[message->len++] = (unsigned char)(number | 0x80);
	message->bytes[message->len++] = (unsigned char)number;
}

static void
add_number(struct message *message, unsigned field, uint64_t number)
{
	add_varint(message, field << 3);
	add_varint(message, number);
}

static void
add_bytes(struct message *message, unsigned field, const void *bytes,
    size_t len)
{
	add_varint(message, field << 3 | 2);
	add_varint(message, len);
	memcpy(message->bytes + message->len, bytes, len);
	message->len += len;
}

/* Prints a message as a field of the profile. */
static void
put_field(unsigned field, const struct message *message)
{
	struct message head = { .len = 0 };

	add_varint(&head, field << 3 | 2);
	add_varint(&head, message->len);
	fwrite(head.bytes, 1, head.len, stdout);
	fwrite(message->bytes, 1, message->len, stdout);
}

static void
put_pprof_sample(uint64_t i)
{
	struct message sample = { .len = 0 }, path = { .len = 0 };
	struct message values = { .len = 0 };
	uint64_t node;

	for (node = mix(i) % NODES + 1; node > 0; node = parent_of(node))
		add_varint(&path, node);
	add_varint(&values, 1 + i % 3);
	add_varint(&values, (1 + i % 3) * 10000000);
	add_bytes(&sample, 1, path.bytes, path.len);
	add_bytes(&sample, 2, values.bytes, values.len);
	put_field(2, &sample);
}

static void
put_pprof_tables(void)
{
	struct message message, line;
	uint64_t i;

	for (i = 1; i <= NODES; i++) {
		message.len = line.len = 0;
		add_number(&message, 1, i);
		add_number(&message, 3, 0x400000 + 16 * i);
		add_number(&line, 1, function_of(i) + 1);
		add_number(&line, 2, i % 300);
		add_bytes(&message, 4, line.bytes, line.len);
		put_field(4, &message);
	}
	for (i = 0; i < FUNCTIONS; i++) {
		message.len = 0;
		add_number(&message, 1, i + 1);
		add_number(&message, 2, i + 5);
		put_field(5, &message);
	}
}

static void
put_string(const char *s)
{
	struct message message = { .len = strlen(s) };

	memcpy(message.bytes, s, message.len);
	put_field(6, &message);
}

static void
put_pprof(uint64_t samples)
{
	static const char *const strings[] = {
		"", "samples", "count", "cpu", "nanoseconds"
	};
	struct message type;
	char name[64];
	uint64_t i;

	for (i = 1; i <= 3; i += 2) {
		type.len = 0;
		add_number(&type, 1, i);
		add_number(&type, 2, i + 1);
		put_field(1, &type);
	}
	for (i = 0; i < samples; i++)
		put_pprof_sample(i);
	put_pprof_tables();
	for (i = 0; i < sizeof(strings) / sizeof(*strings); i++)
		put_string(strings[i]);
	for (i = 0; i < FUNCTIONS; i++) {
		put_name(name, i);
		put_string(name);
	}
}

/* Prints "NAME":[...] with a number for each, "null" for those below 0. */
static void
put_column(const char *name, uint64_t count, int64_t (*number)(uint64_t))
{
	uint64_t i;

	printf("\"%s\":[", name);
	for (i = 0; i < count; i++)
		if (number(i) < 0)
			printf("%snull", i > 0 ? "," : "");
		else
			printf("%s%" PRId64, i > 0 ? "," : "", number(i));
	printf("],\"length\":%" PRIu64, count);
}

static int64_t
prefix_at(uint64_t i)
{
	return (int64_t)parent_of(i + 1) - 1;
}

static int64_t
same(uint64_t i)
{
	return (int64_t)i;
}

static int64_t
function_at(uint64_t i)
{
	return (int64_t)function_of(i + 1);
}

static int64_t
stack_at(uint64_t i)
{
	return (int64_t)(mix(i) % NODES);
}

static void
put_thread(uint64_t number, uint64_t samples)
{
	uint64_t i;

	printf("%s{\"name\":\"thread %d\",\"processName\":\"server\","
	    "\"pid\":\"1\",\"tid\":\"%d\",\"samples\":{",
	    number > 0 ? "," : "", (int)number, (int)number);
	put_column("stack", samples, stack_at);
	printf(",\"weight\":null,\"weightType\":\"samples\",\"timeDeltas\":[");
	for (i = 0; i < samples; i++)
		printf("%s1.%06d", i > 0 ? "," : "", (int)(mix(i) % 1000000));
	printf("]}}");
}

static void
put_firefox(uint64_t samples)
{
	char name[64];
	uint64_t i;

	printf("{\"meta\":{\"version\":24,\"preprocessedProfileVersion\":60},"
	    "\"libs\":[],\"shared\":{\"stackTable\":{");
	put_column("prefix", NODES, prefix_at);
	putchar(',');
	put_column("frame", NODES, same);
	printf("},\"frameTable\":{");
	put_column("func", NODES, function_at);
	printf("},\"funcTable\":{");
	put_column("name", FUNCTIONS, same);
	printf("},\"stringArray\":[");
	for (i = 0; i < FUNCTIONS; i++) {
		put_name(name, i);
		printf("%s\"%s\"", i > 0 ? "," : "", name);
	}
	printf("]},\"threads\":[");
	for (i = 0; i < THREADS; i++)
		put_thread(i, samples / THREADS);
	printf("]}\n");
}

int
main(int argc, char **argv)
{
	uint64_t samples = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;

	if (argc == 3 && strcmp(argv[1], "pprof") == 0)
		put_pprof(samples);
	else if (argc == 3 && strcmp(argv[1], "firefox") == 0)
		put_firefox(samples);
	else
		errx(2, "usage: see the top of profiles.c");
	if (fclose(stdout) != 0)
		err(1, "output");
	return 0;
}
