/*
 * Functions: all frames of one name.  This makes the trees without some
 * functions or stacks, with the indices of printed frames, and sums over them.
 */

// Returns the tree in which frames give their counts and children to others
// (-1: to none), with parts of their own counts, from 0 to 1.
const makeTree = (from, as, parts) => {
	const made = newTree(), { up } = made, counted = ints(size);
	for (const [all, ...own] of kinds) {
		const total = made[all];
		as.forEach((to, i) => {
			for (const k of own) {
				const counts = from[k][i] * parts[i];
				// -1 is not an index of these arrays
				made[k][to] += counts;
				total[to] += counts;
			}
		});
		for (let i = size - 1; i > 0; i--) {
			up[i] = as[from.up[i]];
			if (as[i] === i)
				total[up[i]] += total[i];
			counted[i] = counted[i] || total[i] !== 0;
		}
	}
	link(made, as.map((to, i) => counted[i] ? to : -1));
	return made;
};

// Returns the tree with the changes, a letter by a name's number: h hides the
// frames, d drops them with all above, m merges recursion.
const changeTree = (edits, from) => {
	const as = ints(size);
	// by name the last frame to merge into; by depth the path
	const tops = ints(names.length), path = [];
	for (let i = 0; i < size; i++) {
		const n = nOf[i], edit = edits[n], outer = tops[n];
		let to = i && as[printed.up[i]];
		path[depthOf[i]] = i;
		if (edit === "d")
			to = -1;
		else if (to >= 0 && edit !== "h") {
			to = edit && outer && depthOf[outer] < depthOf[i] &&
			    path[depthOf[outer]] === outer ? outer : i;
			tops[n] = to;
		}
		as[i] = to;
	}
	return makeTree(from, as, as.map(() => 1));
};

// Returns sums over all stacks, by the name's number, and which frames count in
// them: if a stack has a name twice, the outer one.
const sumsOf = of => {
	if (of.sums)
		return of.sums;
	const isOuter = ints(size);
	const [open, places] = [0, 0].map(() => ints(names.length));
	const sums = of.sums = { isOuter, places };
	// frames to begin, and the complement of those to end
	const todo = ints(2 * size);
	for (let last = 0; last >= 0;) {
		const i = todo[last--], n = nOf[i < 0 ? ~i : i];
		if (i < 0) {
			open[n]--;
			continue;
		}
		places[n]++;
		isOuter[i] = open[n]++ === 0;
		todo[++last] = ~i;
		for (let j = of.first[i]; j; j = of.next[j])
			todo[++last] = j;
	}
	for (const [all, own] of kinds) {
		const total = sums[all] = floats(names.length);
		const self = sums[own] = floats(names.length);
		const counts = of[all], owns = of[own];
		nOf.forEach((n, i) => {
			self[n] += owns[i];
			if (isOuter[i])
				total[n] += counts[i];
		});
	}
	return sums;
};

// Returns a tree with the stacks alone that end in some frames, or, unless
// isExact, above them.
const treeOf = (from, is, isExact) => {
	const isIn = ints(size);
	for (let i = 0; i < size; i++)
		isIn[i] = is(i) || !isExact && isIn[from.up[i]];
	return makeTree(from, isIn.map((_, i) => i), isIn);
};

const isInThread = (i, thread) => !thread || names[nOf[threadOf[i]]] === thread;

const overlap = (i, [begin, end]) =>
	max(0, min(endOf[i], end) - max(startOf[i], begin));

// Cuts frames at the ends of the range, and leaves out other threads.  The own
// counts and narrow frames may be anywhere in a frame: they lose the same part.
const cutTree = (range, thread) => {
	const { up } = printed;
	// the time that the frames above leave, within the range and in all
	const free = floats(size), whole = floats(size), parts = floats(size);
	for (let i = size - 1; i > 0; i--) {
		const time = isInThread(i, thread) ? overlap(i, range) : 0;
		const all = endOf[i] - startOf[i];
		free[i] += time;
		free[up[i]] -= time;
		whole[i] += all;
		whole[up[i]] -= all;
		parts[i] = time === all ? 1 : !time || !whole[i] ? 0 :
		    max(0, free[i]) / whole[i];
	}
	return makeTree(printed, ints(size).map((_, i) => i), parts);
};

// the tree of the stacks in view, or of its time
let viewed;
const viewTree = () => {
	const from = viewed || added.cutView() || tree;
	if (viewed || zoom === root && (turned || !root.stems) || inLanes())
		return viewed = from;
	const ends = new Set(zoom.stems || zoom.parts);
	return viewed = treeOf(from, i => ends.has(i), turned);
};

const topsOf = n => [...nOf.keys()].filter(i => nOf[i] === n &&
    sumsOf(tree).isOuter[i]);
