#include <fcntl.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz.h"
#include "lib/json.h"
#include "program.h"

/* None of this is the programs'. */
#pragma clang section bss = "" data = ""
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef fclose
#undef exit
#undef read

#define FILES	64	/* that are open at most */

/* The programs' allocations, in the order in which they were made. */
static void **owned;
static size_t count, room;

/* The programs' variables, and what they held before any program ran. */
#define EDGE	extern char __attribute__((weak))
EDGE __start_program_data[], __stop_program_data[];
EDGE __start_program_bss[], __stop_program_bss[];
static char *data_before, *bss_before;

int fuzz_most_status = 2;
size_t fuzz_short_reads, fuzz_queue_bytes;
static jmp_buf at_exit;

/* TARGETS(X) is X(NAME) for each of the targets. */
#define DECLARE(name)	void fuzz_##name(struct str input);
#define ROW(name)	{ #name, fuzz_##name },

TARGETS(DECLARE)

static const struct target {
	const char *name;
	void (*input)(struct str input);
} targets[] = { TARGETS(ROW) };

static const struct target *target;

static void *
own(void *memory)
{
	if (count == room) {
		room = room * 2 + 64;
		owned = realloc(owned, room * sizeof(*owned));
	}
	owned[count++] = memory;
	return memory;
}

/* Memory that libc gave to the program is not ours. */
static void
disown(const void *memory)
{
	size_t i;

	for (i = count; i > 0; i--)
		if (owned[i - 1] == memory) {
			owned[i - 1] = owned[--count];
			break;
		}
}

void *
program_malloc(size_t size)
{
	return own(malloc(size));
}

void *
program_calloc(size_t elements, size_t size)
{
	return own(calloc(elements, size));
}

void *
program_realloc(void *old, size_t size)
{
	disown(old);
	return own(realloc(old, size));
}

void
program_free(void *memory)
{
	disown(memory);
	free(memory);
}

int
program_fclose(FILE *stream)
{
	return stream == stdout ? fflush(stream) : fclose(stream);
}

void
program_exit(int status)
{
	longjmp(at_exit, status + 1);
}

ssize_t
program_read(int fd, void *to, size_t size)
{
	return read(fd, to, fuzz_short_reads > 0 && size > fuzz_short_reads ?
	    fuzz_short_reads : size);
}

size_t
program_queue(size_t usual)
{
	return fuzz_queue_bytes > 0 ? fuzz_queue_bytes : usual;
}

/* Sanitizers' zones between variables are copied, too; memcpy would object. */
__attribute__((no_sanitize("address", "undefined"), no_builtin)) static void
copy(char *to, const char *from, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		to[i] = from[i];
}

static char *
save(const char *start, const char *stop)
{
	char *saved = malloc((size_t)(stop - start));

	copy(saved, start, (size_t)(stop - start));
	return saved;
}

static void
restore_variables(void)
{
	copy(__start_program_data, data_before,
	    (size_t)(__stop_program_data - __start_program_data));
	copy(__start_program_bss, bss_before,
	    (size_t)(__stop_program_bss - __start_program_bss));
	optind = 0;		/* glibc's getopt starts anew */
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = getenv("FUZZ_TARGET");
	size_t i;

	(void)argc;
	(void)argv;
	for (i = 0; i < sizeof(targets) / sizeof(*targets); i++)
		if (name != NULL && strcmp(targets[i].name, name) == 0)
			target = &targets[i];
	require(target != NULL, "FUZZ_TARGET is a target");
	data_before = save(__start_program_data, __stop_program_data);
	bss_before = save(__start_program_bss, __stop_program_bss);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	target->input((struct str){ (const char *)data, size });
	while (count > 0)
		free(owned[--count]);
	return 0;
}

/* Returns the bytes of a stream in memory, which libc allocated. */
static struct str
take(char *data, size_t len)
{
	own(data);
	return (struct str){ data, len };
}

struct result
fuzz_call(int (*function)(void *), void *argument)
{
	FILE *out_before = stdout, *err_before = stderr;
	char *out, *err;
	size_t out_len, err_len;
	struct result result;
	bool was_open[FILES];
	int status, i;

	for (i = 0; i < FILES; i++)
		was_open[i] = fcntl(i, F_GETFD) != -1;
	/* glibc's are variables */
	stdout = open_memstream(&out, &out_len);
	stderr = open_memstream(&err, &err_len);
	status = setjmp(at_exit);
	if (status == 0)
		status = function(argument) + 1;
	fclose(stdout);
	fclose(stderr);
	stdout = out_before;
	stderr = err_before;
	restore_variables();
	/* what a program leaves open */
	for (i = 0; i < FILES; i++)
		if (!was_open[i])
			close(i);
	result.status = status - 1;
	result.out = take(out, out_len);
	result.err = take(err, err_len);
	require(result.status >= 0 && result.status <= fuzz_most_status,
	    "a known status");
	return result;
}

struct call {
	int (*program)(int, char **);
	struct words words;
};

static int
call(void *argument)
{
	struct call *call = argument;

	return call->program((int)call->words.count, call->words.list);
}

struct result
fuzz_run_on(int (*program)(int, char **), const struct words *words,
    const char *first, const char *second)
{
	struct call run = { .program = program };
	size_t i;

	/* a copy, which the program may change, with its name */
	words_add(&run.words, "program");
	for (i = 0; i < words->count; i++)
		words_add(&run.words, words->list[i]);
	if (first != NULL)
		words_add(&run.words, first);
	if (second != NULL)
		words_add(&run.words, second);
	return fuzz_call(call, &run);
}

struct result
fuzz_run(int (*program)(int, char **), const struct words *words)
{
	return fuzz_run_on(program, words, NULL, NULL);
}

bool
fuzz_same(const struct result *a, const struct result *b)
{
	return a->status == b->status && str_equal(a->out, b->out) &&
	    str_equal(a->err, b->err);
}

void
words_add(struct words *words, const char *word)
{
	words_add_value(words, word, STR(""));
}

void
words_add_value(struct words *words, const char *name, struct str text)
{
	struct text word = { 0 };

	text_add(&word, str_from(name));
	text_add(&word, str_take(text, str_find(text, '\0')));
	text_add_char(&word, '\0');
	words->list = mem_grow(words->list, &words->room, words->count + 2,
	    sizeof(*words->list));
	words->list[words->count++] = word.data;
	words->list[words->count] = NULL;
}

void
words_add_chosen(struct words *words, struct str *input,
    const char *const *table)
{
	struct str letters = fuzz_line(input);
	size_t i;

	for (i = 0; table[i] != NULL; i++)
		if (str_find(letters, (char)('a' + i)) < letters.len)
			words_add(words, table[i]);
}

bool
words_have(const struct words *words, const char *word)
{
	size_t i;

	for (i = 0; i < words->count; i++)
		if (strcmp(words->list[i], word) == 0)
			return true;
	return false;
}

void
fuzz_write(const char *path, struct str content)
{
	FILE *file = fopen(path, "w");

	require(file != NULL && fwrite(content.data, 1, content.len, file) ==
	    content.len && fclose(file) == 0, "a file can be written");
}

struct str
fuzz_read(const char *path)
{
	FILE *file = fopen(path, "r");
	struct text content = { 0 };
	size_t got;

	require(file != NULL, "a file can be read");
	do {
		text_grow(&content, BUFSIZ);
		got = fread(content.data + content.len, 1, BUFSIZ, file);
		content.len += got;
	} while (got > 0);
	fclose(file);
	return text_str(&content);
}

struct str
fuzz_backwards(struct str lines)
{
	struct text text = { 0 };
	size_t at;

	if (str_ends(lines, STR("\n")))
		lines.len--;
	while ((at = str_find_last(lines, '\n')) < lines.len) {
		text_add(&text, str_skip(lines, at + 1));
		text_add_char(&text, '\n');
		lines = str_take(lines, at);
	}
	text_add(&text, lines);
	text_add_char(&text, '\n');
	return text_str(&text);
}

static bool
give_once(void *context, struct str *piece)
{
	struct str *left = context;

	*piece = *left;
	left->len = 0;
	return piece->len > 0;
}

void
fuzz_json(struct str text)
{
	struct json json;

	json_begin(&json, give_once, &text);
	json_skip(&json);
	json_end(&json);
	require(json.trouble == NULL, "it is JSON");
}
