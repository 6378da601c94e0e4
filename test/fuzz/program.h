/*
 * program: comes before every source of the programs when they are built to be
 * fuzzed, so that one process can run a program's main many times.
 *
 * Memory that they take is noted, since they do not free all of it.  exit()
 * returns to the caller of a program.  Variables are in two sections, whose
 * content can be put back.  Standard output is flushed, not closed.  Reads may
 * be short, as from a slow pipe.  The reorder queue is small, and few chains are
 * remembered.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *program_malloc(size_t size);
void *program_calloc(size_t count, size_t size);
void *program_realloc(void *old, size_t size);
void program_free(void *memory);
int program_fclose(FILE *stream);
void program_exit(int status) __attribute__((noreturn));
ssize_t program_read(int fd, void *to, size_t size);
size_t program_queue(size_t usual);

#define malloc(size)		program_malloc(size)
#define calloc(count, size)	program_calloc(count, size)
#define realloc(old, size)	program_realloc(old, size)
#define free(memory)		program_free(memory)
#define fclose(stream)		program_fclose(stream)
#define exit(status)		program_exit(status)
#define errx(status, ...)	(warnx(__VA_ARGS__), program_exit(status))
#define read(fd, to, size)	program_read(fd, to, size)

#define QUEUE_BYTES		program_queue((size_t)1024)
#define CHAINS			((size_t)128)

#pragma clang section bss = "program_bss" data = "program_data"
