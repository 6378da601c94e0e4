/*
 * interrupt: lets a program outlive Ctrl-C while it waits for what another one
 * sends.
 *
 * Ctrl-C reaches all programs of a pipeline.  One that records ends then, and
 * sends the rest, which the programs after it are to work on.  A second Ctrl-C
 * ends these, too.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

/*
 * From now on one Ctrl-C is outlived, if fd is a pipe and the program would be
 * ended by it.
 */
void interrupt_outlive(int fd);

/* From now on none is. */
void interrupt_obey(void);

/* Ends the program as Ctrl-C does, if one was outlived. */
void interrupt_catch_up(void);

#endif
