/*
 * A question is two lines: the address, and 0, whose answer marks the end of
 * the first one's:
 *
 *	401136		-> 0x0000000000401136
 *			   square
 *			   prog.c:3
 *			   main
 *			   prog.c:9
 *	0		-> 0x0000000000000000
 *			   ??
 *			   ??:0
 *
 * The rest of the mark's answer is skipped when the next one is read.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "addr2line.h"
#include "../lib/child.h"
#include "../lib/mem.h"
#include "../lib/message.h"
#include "../lib/table.h"

/*
 * A process that says nothing for so long, or too much, is given up.  In a
 * program with some GB of debug information the first answer takes a minute.
 */
#ifndef ANSWER_SECONDS
#define ANSWER_SECONDS	300
#endif
#define ANSWER_LINES	10000
#define LINE_BYTES	((size_t)1024 * 1024)
#define ADDRESS_DIGITS	16
#define READ_BYTES	4096

struct process {
	struct child child;
	struct text read;	/* the bytes that it has printed, */
	size_t given;		/* of which so many bytes are dealt with */
};

struct module {
	char *path;
	struct process process;
	unsigned long used;	/* the time when it was asked last */
	bool failed;		/* not to be asked again */
	bool asked, answered;
	bool has_symbols;	/* the table below is filled */
	struct table symbols;
	uint64_t *values;	/* by a symbol's number */
	size_t room;
};

struct addr2line {
	bool context;
	bool missing;		/* addr2line cannot be started */
	struct table paths;
	struct module *modules;	/* by a path's number */
	size_t room;
	unsigned long questions;
	size_t running;
};

struct addr2line *
addr2line_new(bool context)
{
	struct addr2line *inliner = mem_array(1, sizeof(*inliner));

	inliner->context = context;
	table_init(&inliner->paths);
	return inliner;
}

static void
stop(struct process *process)
{
	child_stop(&process->child);
}

static bool
start(struct process *process, char *const argv[], int input)
{
	process->read.len = process->given = 0;
	return child_start(&process->child, argv, input);
}

/* Reads more; false at the end, or when nothing comes for too long. */
static bool
fill(struct process *process)
{
	struct text *read_text = &process->read;
	ssize_t got;

	read_text->len -= process->given;
	if (read_text->len > 0)
		memmove(read_text->data, read_text->data + process->given,
		    read_text->len);
	process->given = 0;
	if (read_text->len > LINE_BYTES)
		return false;
	text_grow(read_text, READ_BYTES);
	got = child_read(&process->child, read_text->data + read_text->len,
	    READ_BYTES, ANSWER_SECONDS);
	if (got > 0)
		read_text->len += (size_t)got;
	return got > 0;
}

/* Reads the next line without its line end; false at the end. */
static bool
read_line(struct process *process, struct str *line)
{
	struct str unread;
	size_t len;

	for (;;) {
		unread = str_skip(text_str(&process->read), process->given);
		len = str_find(unread, '\n');
		if (len < unread.len)
			break;
		if (!fill(process))
			return false;
	}
	*line = str_take(unread, len);
	process->given += len + 1;
	return true;
}

/* Returns the number whose hexadecimal digits s begins with. */
static uint64_t
hex_number(struct str s)
{
	uint64_t number = 0;
	size_t i;

	for (i = 0; i < s.len && is_hex(s.data[i]); i++)
		number = number * 16 + (uint64_t)(is_digit(s.data[i]) ?
		    s.data[i] - '0' : (s.data[i] | 0x20) - 'a' + 10);
	return number;
}

/* Takes note of a line of nm(1), DIGITS TYPE NAME. */
static void
add_symbol(struct module *module, struct str line)
{
	size_t digits = str_find(line, ' ');
	uint32_t before = module->symbols.count, number;

	if (digits == 0 || digits + 3 >= line.len)
		return;
	number = table_add(&module->symbols, str_skip(line, digits + 3));
	if (number < before)
		return;
	module->values = mem_grow(module->values, &module->room, number + 1,
	    sizeof(*module->values));
	module->values[number] = hex_number(line);
}

/*
 * Reads a module's symbols with nm(1), first as the file has them and then
 * demangled, since perf prints the names of C++ and Rust so.
 */
static void
read_symbols(struct module *module)
{
	char nm[] = "nm", demangled[] = "-C", end[] = "--";
	char *const argv[2][5] = {
		{ nm, end, module->path, NULL },
		{ nm, demangled, end, module->path, NULL },
	};
	struct process process = { 0 };
	struct str line;
	int i;

	module->has_symbols = true;
	table_init(&module->symbols);
	for (i = 0; i < 2; i++) {
		if (!start(&process, argv[i], CHILD_NOTHING))
			break;
		while (read_line(&process, &line))
			add_symbol(module, line);
		stop(&process);
	}
	free(process.read.data);
}

static void
stop_module(struct addr2line *inliner, struct module *module)
{
	stop(&module->process);
	inliner->running--;
}

static void
stop_oldest(struct addr2line *inliner)
{
	struct module *module, *oldest = NULL;
	uint32_t i;

	for (i = 0; i < inliner->paths.count; i++) {
		module = &inliner->modules[i];
		if (module->process.child.pid > 0 &&
		    (oldest == NULL || module->used < oldest->used))
			oldest = module;
	}
	stop_module(inliner, oldest);
}

static void
warn_of(const struct module *module, const char *reason)
{
	message_warn("--inline: %s: %s", module->path, reason);
}

static void
fail(struct module *module, const char *reason)
{
	module->failed = true;
	warn_of(module, reason);
}

/* Starts addr2line for a module that is not served yet. */
static bool
serve(struct addr2line *inliner, struct module *module)
{
	char program[] = "addr2line", addresses[] = "-a", inlined[] = "-i";
	char functions[] = "-f", base_names[] = "-s", demangled[] = "-C";
	char executable[] = "-e";
	char *const argv[] = {
		program, addresses, inlined, functions, base_names, demangled,
		executable, module->path, NULL
	};
	struct stat status;
	bool started;

	if (module->process.child.pid > 0)
		return true;
	if (stat(module->path, &status) != 0)
		fail(module, strerror(errno));
	else if (!S_ISREG(status.st_mode))
		fail(module, "not a regular file");
	if (module->failed)
		return false;
	if (inliner->running == ADDR2LINE_PROCESSES)
		stop_oldest(inliner);
	while (!(started = start(&module->process, argv, CHILD_PIPE)) &&
	    inliner->running > 0)
		stop_oldest(inliner);	/* it has what is short */
	if (!started) {
		message_errno("--inline: addr2line");
		inliner->missing = true;
		return false;
	}
	inliner->running++;
	return true;
}

/* True if an answer begins here: 0x and the address, in 16 digits or fewer. */
static bool
is_header(struct str line, uint64_t address)
{
	size_t i;

	if (line.len < 3 || line.len > 2 + ADDRESS_DIGITS ||
	    !str_starts(line, STR("0x")))
		return false;
	for (i = 2; i < line.len; i++)
		if (!is_hex(line.data[i]))
			return false;
	return hex_number(str_skip(line, 2)) == address;
}

/* Asks a question; a process that is gone is noticed when we read on. */
static void
ask(struct module *module, struct str address)
{
	struct text question = { 0 };

	text_add(&question, address);
	text_add(&question, STR("\n0\n"));
	child_write(&module->process.child, text_str(&question),
	    ANSWER_SECONDS);
	free(question.data);
}

static struct str
without_discriminator(struct str line)
{
	return str_take(line, str_search(line, STR(" (discriminator ")));
}

/* Adds a call before those that begin at `start`, which it has called. */
static void
add_outer(struct text *calls, size_t start, struct str outer)
{
	size_t more = outer.len + (calls->len > start);
	size_t inner = calls->len - start;

	text_add(calls, outer);
	if (inner == 0)
		return;
	text_add_char(calls, '\n');
	memmove(calls->data + start + more, calls->data + start, inner);
	memcpy(calls->data + start, outer.data, outer.len);
	calls->data[start + outer.len] = '\n';
}

/* Reads the next line of an answer; false at the end, or past too many. */
static bool
read_answer_line(struct module *module, size_t *lines, struct str *line)
{
	return ++*lines <= ANSWER_LINES && read_line(&module->process, line);
}

/*
 * Adds the calls in the answer to a question about an address: pairs of lines,
 * the innermost call first.  Sets *unknown if the module says nothing about the
 * address; returns false if no answer comes.
 */
static bool
read_answer(struct addr2line *inliner, struct module *module,
    uint64_t address, struct text *calls, bool *unknown)
{
	struct text call = { 0 };
	struct str line;
	size_t before = calls->len, lines = 0;
	bool in_call = false, alive;

	*unknown = false;
	do
		alive = read_answer_line(module, &lines, &line);
	while (alive && !is_header(line, address));
	while (alive && (alive = read_answer_line(module, &lines, &line)) &&
	    !is_header(line, 0)) {
		line = without_discriminator(line);
		if (!in_call) {
			call.len = 0;
			text_add(&call, line);
		} else {
			if (str_equal(text_str(&call), STR("??")) &&
			    str_starts(line, STR("??:0")))
				*unknown = true;
			if (inliner->context) {
				text_add_char(&call, ':');
				text_add(&call, line);
			}
			add_outer(calls, before, text_str(&call));
		}
		in_call = !in_call;
	}
	free(call.data);
	return alive;
}

/* Adds the calls at an address in the module's file. */
static bool
look_up(struct addr2line *inliner, struct module *module, struct str address,
    struct text *calls)
{
	size_t before = calls->len;
	bool unknown;

	if (inliner->missing || module->failed || !serve(inliner, module))
		return false;
	module->used = ++inliner->questions;
	module->asked = true;
	ask(module, address);
	if (!read_answer(inliner, module, hex_number(address), calls,
	    &unknown)) {
		stop_module(inliner, module);
		fail(module, "addr2line gives no answer");
		unknown = true;
	}
	if (unknown || calls->len == before) {
		calls->len = before;
		return false;
	}
	module->answered = true;
	return true;
}

/* Finds the address of "function+0x1f" in the symbol table, as a text. */
static bool
address_of(struct module *module, struct str symbol, char address[32])
{
	const struct str sign = STR("+0x");
	size_t plus = str_find_last(symbol, '+');
	uint32_t number;

	if (!str_starts(str_skip(symbol, plus), sign))
		return false;
	if (!module->has_symbols)
		read_symbols(module);
	number = table_find(&module->symbols, str_take(symbol, plus));
	if (number == TABLE_NONE)
		return false;
	snprintf(address, 32, "%llx",
	    (unsigned long long)(module->values[number] +
	    hex_number(str_skip(symbol, plus + sign.len))));
	return true;
}

/*
 * Returns the path as an argument: binutils read more arguments from a file "x"
 * where they are given "@x", but not where they are given "./@x".
 */
static char *
make_argument(struct str path)
{
	struct str folder = str_starts(path, STR("@")) ? STR("./") : STR("");
	char *argument = mem_array(folder.len + path.len + 1, 1);

	memcpy(argument, folder.data, folder.len);
	memcpy(argument + folder.len, path.data, path.len);
	return argument;
}

static struct module *
find_module(struct addr2line *inliner, struct str path)
{
	uint32_t before = inliner->paths.count, number;
	struct module *module;

	number = table_add(&inliner->paths, path);
	inliner->modules = mem_grow(inliner->modules, &inliner->room,
	    number + 1, sizeof(*inliner->modules));
	module = &inliner->modules[number];
	if (number == before) {
		*module = (struct module){ .path = make_argument(path) };
		if (str_find(path, '\0') < path.len)
			fail(module, "what follows is no part of a file's name");
	}
	return module;
}

bool
addr2line_calls(struct addr2line *inliner, struct str path, struct str address,
    struct str symbol, struct text *calls)
{
	struct module *module = find_module(inliner, path);
	char found[32];
	size_t i;

	for (i = 0; i < address.len; i++)
		if (!is_hex(address.data[i]) || i == ADDRESS_DIGITS)
			return false;
	if (look_up(inliner, module, address, calls))
		return true;
	return !inliner->missing && !module->failed &&
	    address_of(module, symbol, found) &&
	    look_up(inliner, module, str_from(found), calls);
}

void
addr2line_end(struct addr2line *inliner)
{
	struct module *module;
	uint32_t i;

	for (i = 0; i < inliner->paths.count; i++) {
		module = &inliner->modules[i];
		if (module->process.child.pid > 0)
			stop_module(inliner, module);
		if (module->asked && !module->answered && !module->failed)
			warn_of(module, "no debug information");
	}
}
