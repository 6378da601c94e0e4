/*
 * generate: text to measure the programs with, the same on each run.
 *
 *	generate perf SAMPLES
 *	generate dtrace STACKS
 *
 * print what a whole machine at work might give: a few commands and twelve
 * thousand functions; most samples in a small part of the stacks, most stacks
 * shallow, some 127 frames deep; about one stack in 14 samples a new one.
 *
 *	generate shape perf|dtrace|folded SAMPLES STACKS DEPTH LENGTH
 *
 * prints regular text: SAMPLES / STACKS times the same STACKS stacks of DEPTH
 * frames, whose names have LENGTH bytes or a few more.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum form { PERF, DTRACE, FOLDED };

/* A number that looks random, but is always the same for the same ones. */
static uint64_t
mix(uint64_t a, uint64_t b)
{
	uint64_t x = a * UINT64_C(0x9E3779B97F4A7C15) + b;

	x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
	return x ^ x >> 31;
}

/*
 * Functions.  Each has a number, from which its module, its name and its
 * address follow.
 */

struct module {
	const char *perf, *dtrace;
	uint64_t base;
	unsigned functions;
	enum { C, CPP, SCRIPT, NONE } names;
};

static const struct module modules[] = {
	{ "[kernel.kallsyms]", "unix", UINT64_C(0xffffffff81000000), 2600, C },
	{ "/usr/lib/x86_64-linux-gnu/libc.so.6", "libc.so.1", 0x27000, 700, C },
	{ "/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus", "cc1plus", 0x900000,
	    4600, CPP },
	{ "/usr/bin/node", "node", 0x870000, 3300, CPP },
	{ "/tmp/perf-6846.map", "node", UINT64_C(0x7f3d80004000), 600, SCRIPT },
	{ "/usr/bin/perl", "perl", 0x55000, 400, C },
	{ "/usr/bin/python3.11", "python3.11", 0x41f000, 500, C },
	{ "/usr/bin/gzip", "gzip", 0x3000, 8, NONE },
	{ "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", "ld.so.1", 0x1000,
	    60, C },
};
enum { KERNEL, LIBC, COMPILER, NODE, JIT, PERL, PYTHON, GZIP };

static const char *const words[] = {
	"alloc", "page", "lock", "tree", "hash", "read", "write", "inode",
	"sched", "entry", "node", "list", "table", "copy", "find", "cache",
	"queue", "stat", "sync", "walk", "mark", "sweep", "parse", "expr",
	"type", "decl", "insn", "reg", "block", "edge", "string", "symbol",
};

static const char *
word(uint64_t hash, int at)
{
	return words[hash >> 5 * at & 31];
}

/* Prints a function's name to `out`, which has room for it; its end. */
static char *
put_name(char *out, const struct module *module, unsigned function)
{
	uint64_t hash = mix(function, module->base);
	const char *a = word(hash, 0), *b = word(hash, 1), *c = word(hash, 2);
	unsigned kind = hash >> 60 & 7;

	if (module->names == NONE || (kind == 0 && module->base < 1 << 24))
		return out + sprintf(out, "[unknown]");
	if (module->names == SCRIPT)
		return out + sprintf(out, "LazyCompile:*%s_%s_%u "
		    "/usr/lib/node_modules/npm/lib/%s.js:%u:%u", a, b,
		    function, c, function % 900, kind * 7 + 2);
	if (module->names == C || kind < 3)
		return out + sprintf(out, kind < 5 ? "%s_%s_%u" :
		    "__%s_%s_%u", a, b, function);
	if (kind < 6)
		return out + sprintf(out, "%s::%s_%u", a, b, function);
	return out + sprintf(out, "std::_%s<%s, std::pair<%s const, "
	    "%s*> >::_M_%s_%u", a, b, c, word(hash, 3), word(hash, 4),
	    function);
}

/*
 * Stacks of a machine at work.  Each has a number too; what is popular among
 * a kind's stacks has a low one.
 */

struct kind {
	unsigned percent;	/* of all samples */
	unsigned stacks;	/* different ones in 10,000 samples */
	unsigned least, most;	/* frames; deeper ones are rarer */
	unsigned commands[4];	/* indexes of `commands` */
};

static const struct command {
	const char *name;
	unsigned module;
} commands[] = {
	{ "swapper", KERNEL }, { "gzip", GZIP }, { "cc1plus", COMPILER },
	{ "node", NODE }, { "npm", JIT }, { "perl", PERL }, { "tar", LIBC },
	{ "python3", PYTHON }, { "kworker/1:1-ev", KERNEL }, { "bash", LIBC },
};

static const struct kind kinds[] = {
	{ 26, 1, 12, 12, { 0, 0, 0, 0 } },
	{ 54, 400, 1, 5, { 1, 1, 2, 2 } },
	{ 14, 700, 5, 17, { 2, 5, 6, 9 } },
	{ 5, 300, 17, 40, { 2, 3, 7, 8 } },
	{ 1, 60, 40, 127, { 3, 4, 4, 7 } },
};

struct frame {
	const struct module *module;
	unsigned function, offset;
};

struct stack {
	const char *command;
	unsigned pid, depth;
	struct frame frames[127];	/* root first */
};

/* Returns one of the four functions that a function calls, mostly the first. */
static unsigned
callee(unsigned function, uint64_t choice)
{
	unsigned which = (choice & 15) < 9 ? 0 : choice >> 4 & 3;

	return (unsigned)(mix(function, which) & 0xffff);
}

static void
make_stack(struct stack *stack, const struct kind *kind, uint64_t number)
{
	uint64_t seed = mix(number, kind->most), choice = seed;
	const struct command *command =
	    &commands[kind->commands[seed >> 20 & 3]];
	unsigned spread = kind->most - kind->least + 1, kernel, i;
	unsigned function = command->module;

	stack->command = command->name;
	stack->pid = command->module == KERNEL ? 0 :
	    5000 + (unsigned)(seed >> 8 & 63);
	stack->depth = kind->least + (unsigned)(seed >> 32) % spread;
	kernel = command->module == KERNEL ? stack->depth :
	    (seed >> 24 & 3) == 0 ? stack->depth / 2 : 0;
	for (i = 0; i < stack->depth; i++) {
		struct frame *frame = &stack->frames[i];

		choice = mix(choice, i);
		frame->module = &modules[i + kernel >= stack->depth ? KERNEL :
		    (choice >> 40 & 7) == 0 ? LIBC : command->module];
		function = callee(function, choice);
		frame->function = function % frame->module->functions;
		/* The calls that lead on; what is sampled is anywhere. */
		frame->offset = 5 + 23 * (unsigned)(choice >> 50 & 7);
	}
}

static void
put_perf_frames(const struct stack *stack, FILE *out)
{
	char name[256];
	const struct frame *frame = stack->frames + stack->depth;

	while (frame-- > stack->frames) {
		*put_name(name, frame->module, frame->function) = '\0';
		fprintf(out, "\t%16" PRIx64 " %s",
		    frame->module->base + frame->function * 0x340 +
		    frame->offset, name);
		if (strcmp(name, "[unknown]") != 0)
			fprintf(out, "+0x%x", frame->offset);
		fprintf(out, " (%s)\n", frame->module->perf);
	}
	putc('\n', out);
}

static void
put_dtrace_frames(const struct stack *stack, FILE *out)
{
	char name[256];
	const struct frame *frame = stack->frames + stack->depth;

	while (frame-- > stack->frames) {
		put_name(name, frame->module, frame->function)[0] = '\0';
		fprintf(out, "              %s`%s+0x%x\n",
		    frame->module->dtrace, name, frame->offset);
	}
}

static const struct kind *
pick_kind(uint64_t hash)
{
	const struct kind *kind = kinds;
	unsigned percent = (unsigned)(hash % 100);

	for (; percent >= kind->percent; kind++)
		percent -= kind->percent;
	return kind;
}

/* A number below `count`, low ones far more often. */
static uint64_t
pick(uint64_t hash, uint64_t count)
{
	double at = (double)(hash >> 11) / (double)(UINT64_C(1) << 53);

	return (uint64_t)(at * at * at * (double)count);
}

/* The stack of a sample: those around it are of the same kind, and alike. */
static void
make_sample(struct stack *stack, uint64_t sample, uint64_t samples)
{
	uint64_t span = mix(sample / 64, samples), own = mix(sample, samples);
	const struct kind *kind = pick_kind(span);
	uint64_t stacks = 1 + samples * kind->stacks / 10000;

	make_stack(stack, kind, (pick(mix(span, 1), stacks) +
	    pick(mix(own, 1), 150)) % stacks);
	/* An idle processor is always at the same instruction. */
	if (kind != kinds)
		stack->frames[stack->depth - 1].offset =
		    (unsigned)pick(mix(own, 2), 100) * 3 + 1;
}

static void
put_machine(enum form form, uint64_t samples, FILE *out)
{
	static struct stack stack;
	uint64_t i, micros;

	if (form == DTRACE)
		fprintf(out, "CPU     ID                    FUNCTION:NAME\n"
		    "  0  64091                        :tick-60s \n\n\n");
	for (i = 0; i < samples; i++) {
		make_sample(&stack, i, samples);
		if (form == DTRACE) {
			put_dtrace_frames(&stack, out);
			fprintf(out, "%17" PRIu64 "\n\n", 1 + i % 40);
			continue;
		}
		micros = i * 142 + mix(i, 3) % 50;
		fprintf(out, "%s %5u [%03u] %5" PRIu64 ".%06" PRIu64
		    ":     142857 cpu-clock: \n", stack.command, stack.pid,
		    stack.pid & 1, 502 + micros / 1000000,
		    micros % 1000000);
		put_perf_frames(&stack, out);
	}
}

/*
 * Regular stacks: under a root, six levels count the stacks in digits, and
 * those below are the same in all.
 */

#define DIGITS	6

struct shape {
	uint64_t stacks, depth, length;
};

static void
put_shape_name(const struct shape *shape, uint64_t stack, uint64_t level,
    FILE *out)
{
	uint64_t digits = shape->depth - 1 < DIGITS ? shape->depth - 1 : DIGITS;
	uint64_t place = level, len;

	if (level > 0 && level <= digits) {
		for (; place < digits; place++)
			stack /= 10;
		len = (uint64_t)fprintf(out, "f%" PRIu64 "_%" PRIu64, level,
		    level == 1 ? stack : stack % 10);
	} else
		len = (uint64_t)fprintf(out, "f%" PRIu64, level);
	for (; len < shape->length; len++)
		putc('x', out);
}

static void
put_shape_stack(const struct shape *shape, enum form form, uint64_t stack,
    FILE *out)
{
	uint64_t level, i;

	if (form == PERF)
		fprintf(out, "program  4711 [001]   502.%06" PRIu64
		    ":          1 cycles: \n", stack % 1000000);
	for (i = 0; i < shape->depth; i++) {
		level = form == FOLDED ? i : shape->depth - 1 - i;
		if (form == PERF)
			fprintf(out, "\t%16" PRIx64 " ", 0x401000 + level * 64 +
			    (level == 0 ? 0 : stack % 10));
		else if (form == DTRACE)
			fputs("              program`", out);
		put_shape_name(shape, stack, level, out);
		if (form == PERF)
			fputs("+0x1f (/usr/bin/program)\n", out);
		else if (form == DTRACE)
			fputs("+0x1f\n", out);
		else
			putc(i + 1 < shape->depth ? ';' : ' ', out);
	}
	fputs(form == PERF ? "\n" : form == DTRACE ?
	    "                1\n\n" : "1\n", out);
}

/* Makes the text of all stacks once, and prints it as often as needed. */
static void
repeat_shape(const struct shape *shape, enum form form, uint64_t samples)
{
	FILE *once = tmpfile();
	uint64_t i;
	char *text;
	long size;

	if (once == NULL)
		err(1, "tmpfile");
	for (i = 0; i < shape->stacks; i++)
		put_shape_stack(shape, form, i, once);
	size = ftell(once);
	rewind(once);
	text = malloc((size_t)size + 1);
	if (text == NULL || fread(text, 1, (size_t)size, once) != (size_t)size)
		err(1, "stacks");
	for (i = 0; i < samples; i += shape->stacks)
		fwrite(text, 1, (size_t)size, stdout);
	fclose(once);
	free(text);
}

static void
put_shape(const struct shape *shape, enum form form, uint64_t samples)
{
	uint64_t i;

	if (form == DTRACE)
		puts("CPU ID FUNCTION:NAME\n 0 1 :tick-60s\n");
	if (samples > shape->stacks)
		repeat_shape(shape, form, samples);
	else
		for (i = 0; i < samples; i++)
			put_shape_stack(shape, form, i, stdout);
}

static uint64_t
number(const char *text)
{
	uint64_t number = strtoull(text, NULL, 10);

	if (number == 0)
		errx(2, "\"%s\" is not a number above 0", text);
	return number;
}

static enum form
form_of(const char *name)
{
	return strcmp(name, "perf") == 0 ? PERF :
	    strcmp(name, "dtrace") == 0 ? DTRACE : FOLDED;
}

int
main(int argc, char **argv)
{
	struct shape shape;

	if (argc == 7) {
		shape = (struct shape){ number(argv[4]), number(argv[5]),
		    number(argv[6]) };
		put_shape(&shape, form_of(argv[2]), number(argv[3]));
	} else if (argc == 3)
		put_machine(form_of(argv[1]), number(argv[2]), stdout);
	else
		errx(2, "usage: see the top of generate.c");
	if (fclose(stdout) != 0)
		err(1, "output");
	return 0;
}
