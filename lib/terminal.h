/* terminal: tells how large a terminal is. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stddef.h>

/* Returns how many columns it has; 0 if fd is none, or does not tell. */
size_t terminal_columns(int fd);

#endif
