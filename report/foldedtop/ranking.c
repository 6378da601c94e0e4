#include <math.h>
#include <stdlib.h>

#include "lib/mem.h"
#include "ranking.h"

/* A row with what it is sorted by. */
struct sorting {
	double first, second;	/* the larger comes first */
	const struct str *name;
	struct rank_row row;
};

static const char *const fates[] = {
	[FATE_SAME] = "same", [FATE_MOVED] = "moved",
	[FATE_CHANGED] = "changed", [FATE_NEW] = "new", [FATE_GONE] = "gone",
};

static const char *const keys[] = {
	[RANK_SELF] = "self", [RANK_TOTAL] = "total",
	[RANK_STACKS] = "stacks", [RANK_NAME] = "name",
};

const char *
rank_fate_name(unsigned fate)
{
	return fates[fate];
}

bool
rank_key_find(const char *name, enum rank_key *key)
{
	size_t i, count = sizeof(keys) / sizeof(*keys);

	for (i = 0; i < count && strcmp(name, keys[i]) != 0; i++)
		continue;
	if (i < count)
		*key = (enum rank_key)i;
	return i < count;
}

const struct counts_pair *
ranking_counts(const struct ranking *ranking, const struct function *function)
{
	return ranking->key == RANK_TOTAL ? &function->total : &function->self;
}

const char *
ranking_measure(const struct ranking *ranking)
{
	return keys[ranking->key == RANK_TOTAL ? RANK_TOTAL : RANK_SELF];
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

/* Sets what a function is sorted by. */
static void
rank(const struct ranking *ranking, const struct function *function,
    struct sorting *sorting)
{
	const struct counts_pair *counts = ranking_counts(ranking, function);

	if (ranking->functions->have_two) {
		sorting->row.fate = find_fate(ranking, function);
		sorting->row.is_beyond = ranking->key <= RANK_TOTAL &&
		    ranking->unknown == NULL &&
		    counts->of[0] != counts->of[1] &&
		    ranking_pair_sigmas(ranking, counts) >= ranking->noise;
		sorting->first = fabs(counts->of[1] - counts->of[0]);
		sorting->second = fmax(function->total.of[0],
		    function->total.of[1]);
	} else {
		sorting->first = counts->of[1];
		sorting->second = function->total.of[1];
	}
	if (ranking->key == RANK_STACKS)
		sorting->first = (double)function->stacks;
	if (ranking->key == RANK_NAME)
		sorting->first = sorting->second = 0;
}

static int
compare(const void *a, const void *b)
{
	const struct sorting *one = a, *other = b;

	if (one->row.is_beyond != other->row.is_beyond)
		return one->row.is_beyond ? -1 : 1;
	if (one->first != other->first)
		return one->first > other->first ? -1 : 1;
	if (one->second != other->second)
		return one->second > other->second ? -1 : 1;
	return str_compare(*one->name, *other->name);
}

void
ranking_make(struct ranking *ranking)
{
	struct functions *functions = ranking->functions;
	struct sorting *sorting;
	uint32_t i;
	size_t count = 0;

	if (functions->have_two)
		ranking->unknown = chance_prepare(&functions->chance,
		    ranking->factor, functions->all.of);
	if (functions->names.count == 0)
		return;
	sorting = mem_array(functions->names.count, sizeof(*sorting));
	for (i = 0; i < functions->names.count; i++) {
		if (functions->list[i].stacks == 0 || (ranking->match != NULL &&
		    !pattern_finds(ranking->match,
		    function_name(functions, i))))
			continue;
		sorting[count].row.function = i;
		sorting[count].name = &functions->names.keys[i];
		rank(ranking, &functions->list[i], &sorting[count]);
		count++;
	}
	qsort(sorting, count, sizeof(*sorting), compare);
	ranking->rows = mem_array(count > 0 ? count : 1,
	    sizeof(*ranking->rows));
	for (; ranking->count < count; ranking->count++) {
		ranking->rows[ranking->count] = sorting[ranking->count].row;
		ranking->beyond += sorting[ranking->count].row.is_beyond;
		ranking->moved +=
		    sorting[ranking->count].row.fate == FATE_MOVED;
	}
	free(sorting);
}
