/*
 * mapping: maps a file, changes its size, and prints how many of the bytes that
 * were mapped are not 0, as each of some threads counts them, and of which
 * files mapping tells that they were cut off.
 *
 *	mapping FILE SIZE [THREADS]
 *	mapping other FILE	what the same comes to without mapping
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/mapping.h"

#define MOST	16

static struct str bytes;

static void *
count(void *counted)
{
	const volatile char *data = bytes.data;
	size_t i, *found = counted;

	for (i = 0; i < bytes.len; i++)
		*found += data[i] != '\0';
	if (data[bytes.len] != '\0')
		errx(1, "no zero is after the file");
	return counted;
}

static void
tell(const char *path)
{
	printf("cut: %s\n", path);
}

static int
open_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) != 0)
		err(2, "%s", path);
	*size = (size_t)status.st_size;
	return fd;
}

static void
map_alone(const char *path)
{
	size_t size;
	int fd = open_file(path, &size);

	bytes = mapping_add(fd, path, size);
	bytes = (struct str){ mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0),
	    size };
	if (truncate(path, 0) != 0)
		err(2, "%s", path);
	count(&size);
}

int
mapping_main(int argc, char **argv)
{
	size_t found[MOST] = { 0 }, size, threads, i;
	pthread_t thread[MOST];
	int fd;

	if (argc == 3 && strcmp(argv[1], "other") == 0)
		map_alone(argv[2]);
	if (argc < 3)
		return 2;
	threads = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
	fd = open_file(argv[1], &size);
	bytes = mapping_add(fd, argv[1], size);
	close(fd);
	if (truncate(argv[1], (off_t)strtoll(argv[2], NULL, 10)) != 0)
		err(2, "%s", argv[1]);
	for (i = 0; i < threads && i < MOST; i++)
		pthread_create(&thread[i], NULL, count, &found[i]);
	for (i = 0; i < threads && i < MOST; i++) {
		pthread_join(thread[i], NULL);
		printf("%lu\n", (unsigned long)found[i]);
	}
	mapping_remove(argv[1]);
	mapping_tell_cut(tell);
	mapping_tell_cut(tell);
	mapping_remove(bytes.data);
	mapping_tell_cut(tell);
	return 0;
}
