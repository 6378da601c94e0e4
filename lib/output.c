#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "output.h"

#define WORTH_A_WRITE	((size_t)32 * 1024)

/* A stream opened for the other direction fails as a closed one does. */
void
output_begin(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null",
		    fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			exit(1);
	signal(SIGXFSZ, SIG_IGN);
}

void
output_flush(struct text *text, FILE *out)
{
	if (text->len > 0 && !ferror(out) &&
	    fwrite(text->data, 1, text->len, out) < text->len)
		message_errno("output");
	text->len = 0;
}

void
output_drain(struct text *text, FILE *out)
{
	if (text->len >= WORTH_A_WRITE)
		output_flush(text, out);
}

int
output_close(int status)
{
	bool failed_before = ferror(stdout);

	if (fclose(stdout) != 0 && !failed_before) {
		message_errno("output");
		return 1;
	}
	return failed_before ? 1 : status;
}

/* Removes a file that was not completed, for a reason that errno keeps. */
static void
discard(const char *path)
{
	int error = errno;

	unlink(path);
	errno = error;
}

/* Writes a new file, named by a template, with the old one's permissions. */
static bool
write_file(char *template, const char *replaced, struct str content)
{
	int fd = mkstemp(template);
	struct stat status;
	mode_t mask;
	ssize_t written = 0;

	if (fd < 0)
		return false;
	umask(mask = umask(0));
	fchmod(fd, stat(replaced, &status) == 0 ? status.st_mode & 07777 :
	    0666 & ~mask);
	while (content.len > 0 && (written >= 0 || errno == EINTR)) {
		written = write(fd, content.data, content.len);
		content = str_skip(content, written > 0 ? (size_t)written : 0);
	}
	if (close(fd) == 0 && content.len == 0)
		return true;
	discard(template);
	return false;
}

/*
 * Returns the path to which a link leads, to be freed; NULL, with errno, if it
 * leads to none, or if another user made it, who might mean any file of ours.
 * A file that a link points to is made if it is missing, since realpath(3)
 * finds only what is there.  What is no link now, but in a moment, is replaced.
 */
static char *
find_target(const char *path)
{
	struct stat status;
	char *target;
	int fd;

	if (lstat(path, &status) != 0 || !S_ISLNK(status.st_mode))
		return strdup(path);
	if (status.st_uid != geteuid() && status.st_uid != 0) {
		errno = EPERM;
		return NULL;
	}
	target = realpath(path, NULL);
	if (target != NULL || errno != ENOENT)
		return target;
	fd = open(path, O_WRONLY | O_CREAT, 0666);
	if (fd < 0)
		return NULL;
	close(fd);
	return realpath(path, NULL);
}

bool
output_replace(const char *path, struct str content)
{
	char *target = find_target(path);
	struct text name = { 0 };
	bool replaced;

	if (target == NULL) {
		if (errno == EPERM)
			message_warn("%s: not followed, since another user "
			    "made this link", path);
		else
			message_errno("%s", path);
		return false;
	}
	text_add_format(&name, "%s.~XXXXXX", target);
	text_add_char(&name, '\0');
	replaced = write_file(name.data, target, content);
	if (replaced && rename(name.data, target) != 0) {
		discard(name.data);
		replaced = false;
	}
	if (!replaced)
		message_errno("%s", path);
	free(target);
	free(name.data);
	return replaced;
}
