/* terminal: the size of a terminal. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stddef.h>

/* Returns how many columns a terminal has; 0 if that is unknown. */
size_t terminal_columns(int fd);

#endif
