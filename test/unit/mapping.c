/*
 * mapping: maps a file, changes its size, and prints how many of the bytes that
 * were mapped are not 0, and which files mapping reports as cut off.
 *
 *	mapping FILE SIZE
 *	mapping other FILE	what the same comes to without mapping
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/mapping.h"

static struct str bytes;

static size_t
count(void)
{
	const volatile char *data = bytes.data;
	size_t i, found = 0;

	for (i = 0; i < bytes.len; i++)
		found += data[i] != '\0';
	if (data[bytes.len] != '\0')
		errx(1, "no zero is after the file");
	return found;
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

	bytes = mapping_add(fd, path, 0, size);
	bytes = (struct str){ mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0),
	    size };
	if (truncate(path, 0) != 0)
		err(2, "%s", path);
	count();
}

int
mapping_main(int argc, char **argv)
{
	size_t size;
	int fd;

	if (argc == 3 && strcmp(argv[1], "other") == 0)
		map_alone(argv[2]);
	if (argc < 3)
		return 2;
	fd = open_file(argv[1], &size);
	bytes = mapping_add(fd, argv[1], 0, size);
	close(fd);
	if (truncate(argv[1], (off_t)strtoll(argv[2], NULL, 10)) != 0)
		err(2, "%s", argv[1]);
	printf("%lu\n", (unsigned long)count());
	mapping_remove(argv[1]);
	mapping_tell_cut(tell);
	mapping_tell_cut(tell);
	mapping_remove(bytes.data);
	mapping_tell_cut(tell);
	return 0;
}
