/*
 * interrupt: lets a program outlive Ctrl-C while it waits for another's output.
 *
 * Ctrl-C reaches all programs of a pipeline.  One that records ends then, and
 * sends the rest to the programs after it.  A second Ctrl-C ends these, too.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

/* Lets the program outlive one Ctrl-C, if fd is a pipe. */
void interrupt_outlive(int fd);

/* From now on Ctrl-C ends the program again. */
void interrupt_obey(void);

/* Ends the program as Ctrl-C does, if the program has outlived one. */
void interrupt_catch_up(void);

#endif
