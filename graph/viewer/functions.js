/*
 * Functions: all frames of one name.  This makes the tree that is shown when
 * functions are left out, and the sums over all of its stacks.
 *
 * Frames of that tree have the indices of the printed ones.  A frame that is
 * left out gives its counts and its children to another one, which it is shown
 * as.
 */

// Returns the tree with the changes, a letter by a name's number: h hides the
// frames, d drops them with all above, m merges recursion.  Counts may be
// those of another tree than the printed one, whose empty frames are left out.
const changeTree = (edits, from) => {
	const made = newTree(), { up } = made;
	const as = ints(size);
	// by name the last frame to merge into; by depth the path
	const tops = ints(names.length), path = [];
	for (let i = 0; i < size; i++) {
		const n = nOf[i], edit = edits[n], outer = tops[n];
		let to = i && as[printed.up[i]];
		up[i] = to;
		path[depthOf[i]] = i;
		if (edit === "d" || from && !from.total[i])
			to = -1;
		else if (to >= 0 && edit !== "h") {
			to = edit && outer && depthOf[outer] < depthOf[i] &&
			    path[depthOf[outer]] === outer ? outer : i;
			tops[n] = to;
		}
		as[i] = to;
	}
	for (const [all, ...own] of kinds) {
		const total = made[all];
		for (const k of own) {
			const self = made[k], counts = (from || printed)[k];
			as.forEach((to, i) => {
				// -1 is not an index of these arrays
				self[to] += counts[i];
				total[to] += counts[i];
			});
		}
		for (let i = size - 1; i > 0; i--)
			if (as[i] === i)
				total[up[i]] += total[i];
	}
	link(made, as);
	return made;
};

// Returns sums over all stacks, by the name's number.  If a stack has a name
// twice, the outer frame counts.  Lists the frames that count: the first one of
// a name, and by frame the next one, or -1; 0 if it does not count.
const sumsOf = of => {
	if (of.sums)
		return of.sums;
	const next = ints(size);
	const [first, open, places] = [0, 0, 0].map(() => ints(names.length));
	const sums = of.sums = { next, first, places };
	// frames to begin, and the complement of those to end
	const todo = ints(2 * size);
	for (let last = 0; last >= 0;) {
		const i = todo[last--], n = nOf[i < 0 ? ~i : i];
		if (i < 0) {
			open[n]--;
			continue;
		}
		places[n]++;
		if (open[n]++ === 0) {
			next[i] = first[n] || -1;
			first[n] = i;
		}
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
			if (next[i])
				total[n] += counts[i];
		});
	}
	return sums;
};

// Returns a tree with the stacks alone that end in some frames, or, unless
// isExact, above them.
const treeOf = (from, is, isExact) => {
	const { up } = from, made = { ...newTree(), up };
	const isIn = ints(size), as = ints(size);
	for (let i = 0; i < size; i++)
		isIn[i] = is(i) || !isExact && isIn[up[i]];
	for (const [all, ...own] of kinds)
		for (let i = size - 1; i >= 0; i--) {
			if (isIn[i])
				for (const k of own)
					made[all][i] += made[k][i] = from[k][i];
			if (i)
				made[all][up[i]] += made[all][i];
			as[i] = as[i] === i || made[all][i] ? i : -1;
		}
	link(made, as);
	return made;
};

// Returns the tree of the stacks in view: those of the zoomed frame, and in a
// chart those of its time.
let viewed;
const viewTree = () => {
	const from = viewed || added.cutView() || tree;
	if (viewed || zoom === root && (turned || !root.stems) || inLanes())
		return viewed = from;
	const ends = new Set(zoom.stems || zoom.parts);
	return viewed = treeOf(from, i => ends.has(i), turned);
};

// Returns the outermost frames of a function.
const topsOf = n => listFrom(sumsOf(tree).first[n], tree.sums.next);
