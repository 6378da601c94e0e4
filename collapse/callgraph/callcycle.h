/*
 * callcycle: makes nodes of the functions of a cycle, which call each other.
 *
 * Each has a node for each function by which the cycle is entered.  The calls
 * between these nodes lead from the entrance to what is called by it most, and
 * on from there (callorder_rank), and not back, so that no stack has a function
 * twice.  What was spent in the cycle after it was entered somewhere is not
 * known, but for its sum: each entrance has its part of each cost.
 */
#ifndef CALLCYCLE_H
#define CALLCYCLE_H

#include "callshares.h"

/* A function of a cycle. */
struct cycle_member {
	uint64_t incoming;	/* what enters the cycle there... */
	uint32_t stand_in;	/* ...or at this function instead */
	uint32_t node;		/* where it is entered there... */
	uint64_t self_left;	/* ...and what this node spent itself */
	uint64_t self, rest;	/* of its node for the entrance at hand */
};

struct callcycle {
	struct callshares *shares;
	struct cycle_member *members;	/* by function */
	uint64_t least;			/* what an entrance takes in */
	uint32_t most_entrances;
	uint64_t left;			/* of what was spent in the cycle */
	uint32_t *ranked, *rank;	/* see callorder_rank */
};

/* Prepares for the cycles of a graph; the shares must outlive it. */
void callcycle_init(struct callcycle *cycle, struct callshares *shares);

void callcycle_free(struct callcycle *cycle);

/* Makes nodes of the cycle of that number, which the shares have collected. */
void callcycle_add(struct callcycle *cycle, uint32_t number);

#endif
