/*
 * A mapping lies in a longer one of zeros, so that a page of zeros follows its
 * end:
 *
 *	file ...  file, zeros  |  zeros
 *	page      last page    |  guard
 *
 * When bytes are missing, the zeros take the place of all from there on.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mapping.h"
#include "mem.h"

struct mapping {
	struct mapping *next;
	char *start;
	size_t size;		/* bytes with the guard */
	bool is_cut, is_told;
	char path[];
};

static struct sigaction before;	/* for faults that are not of mappings */
static size_t page_size;
static int zeros = -1;		/* /dev/zero... */
static int zeros_error;		/* ...or why that is not open */

static struct mapping *mappings;	/* the newest first */
static struct mapping *cut;	/* unmapped, and not reported yet */
static char *failed, *failed_why;	/* a file that could not be read */
static size_t failures;

static void *
map(void *at, size_t size, int fd, off_t offset)
{
	return mmap(at, size, PROT_READ,
	    at == NULL ? MAP_PRIVATE : MAP_PRIVATE | MAP_FIXED, fd, offset);
}

/* Maps zeros.  macOS can only by MAP_ANON, in POSIX since 2024. */
static void *
map_zeros(void *at, size_t size)
{
#ifdef MAP_ANON
	return mmap(at, size, PROT_READ, at == NULL ? MAP_PRIVATE | MAP_ANON :
	    MAP_PRIVATE | MAP_ANON | MAP_FIXED, -1, 0);
#else
	return map(at, size, zeros, 0);
#endif
}

/*
 * Handles SIGBUS.  It interrupts a read of mapped bytes: no function that a
 * handler must not interrupt is running, and mmap only calls the system.  A
 * signal that is not ours is raised again, for the handler before.
 */
static void
handle(int number, siginfo_t *info, void *context)
{
	struct mapping *mapping = mappings;
	uintptr_t address = (uintptr_t)info->si_addr;
	int error = errno;
	size_t offset = 0;

	(void)context;
	for (; mapping != NULL; mapping = mapping->next) {
		offset = address - (uintptr_t)mapping->start;
		if (offset < mapping->size)
			break;
	}
	/* zeros follow, from the page on */
	offset = offset / page_size * page_size;
	if (mapping != NULL)
		mapping->is_cut = true;
	if (mapping == NULL || map_zeros(mapping->start + offset,
	    mapping->size - offset) == MAP_FAILED) {
		sigaction(number, &before, NULL);
		raise(number);
	}
	errno = error;
}

static void
prepare(void)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_RESTART };

	page_size = (size_t)sysconf(_SC_PAGESIZE);
	zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	zeros_error = errno;
	if (zeros < 0)
		return;
	action.sa_sigaction = handle;
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, &before);
}

struct str
mapping_add(int fd, const char *path, unsigned long long offset,
    unsigned long long size)
{
	struct mapping *mapping;
	size_t len = strlen(path) + 1, guarded;
	void *start;
	int error;

	if (page_size == 0)
		prepare();
	errno = zeros < 0 ? zeros_error : EFBIG;
	if (size == 0 || size > SIZE_MAX / 2 || offset > INT64_MAX / 2 ||
	    zeros < 0)
		return STR("");
	guarded = ((size_t)size + 2 * page_size - 1) / page_size * page_size;
	start = map_zeros(NULL, guarded);
	if (start != MAP_FAILED && map(start, (size_t)size, fd,
	    (off_t)offset) == MAP_FAILED) {
		error = errno;
		munmap(start, guarded);
		errno = error;
		return STR("");
	}
	if (start == MAP_FAILED)
		return STR("");
	mapping = mem_array(1, sizeof(*mapping) + len);
	mapping->start = start;
	mapping->size = guarded;
	mapping->is_told = len == 1;
	memcpy(mapping->path, path, len);
	mapping->next = mappings;
	mappings = mapping;
	return (struct str){ start, (size_t)size };
}

void
mapping_remove(const void *start)
{
	struct mapping **at = &mappings, *mapping;

	while (*at != NULL && (*at)->start != start)
		at = &(*at)->next;
	mapping = *at;
	if (mapping == NULL)
		return;
	*at = mapping->next;
	munmap(mapping->start, mapping->size);
	if (mapping->is_cut && !mapping->is_told) {
		mapping->next = cut;	/* for mapping_tell_cut */
		cut = mapping;
	} else
		free(mapping);
}

void
mapping_note_failure(const char *path, const char *reason)
{
	if (failures++ == 0) {
		failed = strcpy(mem_array(strlen(path) + 1, 1), path);
		failed_why = strcpy(mem_array(strlen(reason) + 1, 1), reason);
	}
}

bool
mapping_tell_failures(void (*tell)(const char *path, const char *reason,
    size_t more))
{
	bool found = failures > 0;

	if (found) {
		tell(failed, failed_why, failures - 1);
		free(failed);
		free(failed_why);
	}
	failures = 0;
	return found;
}

void
mapping_tell_cut(void (*tell)(const char *path))
{
	struct mapping *mapping;

	for (mapping = mappings; mapping != NULL; mapping = mapping->next) {
		if (mapping->is_cut && !mapping->is_told)
			tell(mapping->path);
		mapping->is_told |= mapping->is_cut;
	}
	while ((mapping = cut) != NULL) {
		tell(mapping->path);
		cut = mapping->next;
		free(mapping);
	}
}
