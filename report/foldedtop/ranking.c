#include <math.h>
#include <stdlib.h>

#include "lib/mem.h"
#include "ranking.h"

const struct counts_pair *
ranking_counts(const struct ranking *ranking, const struct function *function)
{
	return ranking->key == RANK_TOTAL ? &function->total : &function->self;
}

double
ranking_pair_sigmas(const struct ranking *ranking,
    const struct counts_pair *counts)
{
	if (ranking->unknown != NULL)
		return 0;
	return chance_sigmas(&ranking->functions->chance, counts->of[0],
	    counts->of[1]);
}

double
ranking_share(double count, double whole)
{
	return whole > 0 ? 100 * count / whole : 0;
}

struct count_change
ranking_change(const struct ranking *ranking, const struct counts_pair *counts,
    const struct counts_pair *all)
{
	double before = counts->of[0], after = counts->of[1];

	return (struct count_change){
		.points = ranking_share(after, all->of[1]) -
		    ranking_share(before, all->of[0]),
		.percent = before > 0 ? 100 * (after / before - 1) :
		    after > 0 ? INFINITY : 0,
		.sigmas = ranking->unknown != NULL ? NAN :
		    ranking_pair_sigmas(ranking, counts),
	};
}

static enum rank_fate
find_fate(const struct ranking *ranking, const struct function *function)
{
	const struct call_node *calls = ranking->functions->calls.nodes;
	bool is_more = false, is_less = false;
	const double *of;
	uint32_t i;

	if (function->total.of[0] <= 0)
		return FATE_NEW;
	if (function->total.of[1] <= 0)
		return FATE_GONE;
	if (ranking->unknown != NULL)
		return FATE_SAME;
	if (ranking_pair_sigmas(ranking, &function->total) >= ranking->noise)
		return FATE_CHANGED;
	/* it moved if some functions call it more, and others less */
	i = function->calls == 0 ? 0 : calls[function->calls].first_child;
	for (; i != 0; i = calls[i].next) {
		of = calls[i].self.of;
		if (ranking_pair_sigmas(ranking, &calls[i].self) <
		    ranking->noise)
			continue;
		is_more |= of[1] > of[0];
		is_less |= of[1] < of[0];
	}
	return is_more && is_less ? FATE_MOVED : FATE_SAME;
}

/* Sets a row's fate, and what it is sorted by. */
static void
rank(const struct ranking *ranking, struct rank_row *row)
{
	const struct function *function = row->function;
	const struct counts_pair *counts = ranking_counts(ranking, function);

	row->first = counts->of[1];
	row->second = function->total.of[1];
	if (ranking->functions->have_two) {
		row->fate = find_fate(ranking, function);
		row->is_beyond = ranking->key <= RANK_TOTAL &&
		    ranking->unknown == NULL &&
		    counts->of[0] != counts->of[1] &&
		    ranking_pair_sigmas(ranking, counts) >= ranking->noise;
		row->first = fabs(counts->of[1] - counts->of[0]);
		row->second = fmax(function->total.of[0],
		    function->total.of[1]);
	}
	if (ranking->key == RANK_STACKS)
		row->first = (double)function->stacks;
	if (ranking->key == RANK_NAME)
		row->first = row->second = 0;
}

static int
compare(const void *a, const void *b)
{
	const struct rank_row *one = a, *other = b;

	if (one->is_beyond != other->is_beyond)
		return one->is_beyond ? -1 : 1;
	if (one->first != other->first)
		return one->first > other->first ? -1 : 1;
	if (one->second != other->second)
		return one->second > other->second ? -1 : 1;
	return str_compare(one->name, other->name);
}

void
ranking_make(struct ranking *ranking)
{
	struct functions *functions = ranking->functions;
	struct rank_row *row;
	struct str name;
	uint32_t i;

	if (functions->have_two)
		ranking->unknown = chance_prepare(&functions->chance,
		    ranking->factor, functions->all.of);
	if (functions->names.count == 0)
		return;
	ranking->rows = mem_array(functions->names.count,
	    sizeof(*ranking->rows));
	for (i = 0; i < functions->names.count; i++) {
		name = function_name(functions, i);
		if (functions->list[i].stacks == 0 || (ranking->match != NULL &&
		    !pattern_finds(ranking->match, name)))
			continue;
		row = &ranking->rows[ranking->count++];
		row->function = &functions->list[i];
		row->name = name;
		rank(ranking, row);
		ranking->beyond += row->is_beyond;
		ranking->moved += row->fate == FATE_MOVED;
	}
	qsort(ranking->rows, ranking->count, sizeof(*ranking->rows), compare);
}
