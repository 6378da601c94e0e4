/*
 * Functions: what the frames of one name have in common.  Here the tree is
 * made that is shown when functions are left out, and the sums over all of
 * its stacks.
 *
 * A frame of such a tree is one of those printed, so its arrays have the
 * same indices: a frame that is left out gives its counts and its children to
 * the one that it is shown as.
 */

// Adds each frame's counts to those of the frame that it is shown as.
const addTo = (own, total, counts, as) => {
	for (let i = 0; i < count; i++)
		if (as[i] >= 0) {
			own[as[i]] += counts[i];
			total[as[i]] += counts[i];
		}
};

// Returns the tree with the changes, by names' numbers a letter each: h hides
// the frames, d drops them with all above, m merges recursion.
const changeTree = edits => {
	const made = newTree(), { up } = made;
	const as = ints(count);
	// by name the last frame that is merged into, and by depth a path
	const outermost = ints(names.length), path = [];
	for (let i = 0; i < count; i++) {
		const n = nameOf[i], edit = edits[n], outer = outermost[n];
		let to = i && as[printed.up[i]];
		up[i] = to;
		path[depthOf[i]] = i;
		if (edit === "d")
			to = -1;
		else if (to >= 0 && edit !== "h") {
			to = edit && outer && depthOf[outer] < depthOf[i] &&
			    path[depthOf[outer]] === outer ? outer : i;
			outermost[n] = to;
		}
		as[i] = to;
	}
	for (const [all, ...own] of kinds) {
		const total = made[all];
		for (const k of own)
			addTo(made[k], total, printed[k], as);
		for (let i = count - 1; i > 0; i--)
			if (as[i] === i)
				total[up[i]] += total[i];
	}
	linkChildren(made, as);
	return made;
};

// Sums over all stacks, by the name's number; of frames of one name in a stack
// the outermost counts.  Those are listed: the name's first, and by frame the
// next one, or -1; 0 for others.
const sumsOf = of => {
	if (of.sums)
		return of.sums;
	const sums = of.sums = { next: ints(count) }, { next } = sums;
	const [first, open, places] = ["first", "open", "places"].map(k =>
		sums[k] = ints(names.length));
	// frames to begin, and the complement of those to end
	const todo = ints(2 * count);
	for (let last = 0; last >= 0;) {
		const i = todo[last--], n = nameOf[i < 0 ? ~i : i];
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
		for (let i = 0; i < count; i++) {
			self[nameOf[i]] += owns[i];
			if (next[i] !== 0)
				total[nameOf[i]] += counts[i];
		}
	}
	return sums;
};

// Returns the outermost frames of a function.
const outermostOf = n => {
	const { first, next } = sumsOf(tree), found = [];
	for (let i = first[n]; i > 0; i = next[i])
		found.push(i);
	return found;
};
