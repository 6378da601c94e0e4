/*
 * Functions: what the frames of one name have in common.  Here the tree is
 * made that is shown when functions are left out, and the sums over all of
 * its stacks.
 *
 * A frame of such a tree is one of those printed, so its arrays have the
 * same indices: a frame that is left out gives its counts and its children to
 * the one that it is shown as.
 */

// Returns the tree with the changes, names' numbers with a letter each: h
// hides the frames, d drops them with all above, m merges recursion.
function changeTree(changes) {
	const made = newTree();
	const shownAs = new Int32Array(count);
	const outermost = new Map();
	for (const [name, change] of changes)
		if (change === "m")
			outermost.set(name, new Int32Array(count));
	for (let i = 1; i < count; i++) {
		const below = printed.parent[i];
		for (const frames of outermost.values())
			frames[i] = frames[below];
		const change = changes.get(nameOf[i]);
		shownAs[i] = change === "d" || shownAs[below] < 0 ? -1 :
		    change === "h" ? shownAs[below] : i;
		if (change === "m" && shownAs[i] > 0) {
			const outer = outermost.get(nameOf[i]);
			outer[i] = shownAs[i] = outer[i] || i;
		}
		made.parent[i] = shownAs[below];
	}
	for (const key of ["self", "rest", "changeSelf"]) {
		const from = printed[key], to = made[key];
		for (let i = 0; i < count; i++)
			if (shownAs[i] >= 0)
				to[shownAs[i]] += from[i];
	}
	for (let i = count - 1; i >= 0; i--) {
		if (shownAs[i] !== i)
			continue;
		made.total[i] += made.self[i] + made.rest[i];
		made.change[i] += made.changeSelf[i];
		if (i > 0) {
			made.total[made.parent[i]] += made.total[i];
			made.change[made.parent[i]] += made.change[i];
		}
	}
	linkChildren(made, shownAs);
	return made;
}

// Calls begin for each frame of the tree, parents first, and finish after all
// on it.
function walk({ parent, first, next }, begin, finish) {
	for (let i = 0;;) {
		begin(i);
		if (first[i]) {
			i = first[i];
			continue;
		}
		finish(i);
		while (i && !next[i])
			finish(i = parent[i]);
		if (!i)
			return;
		i = next[i];
	}
}

// Sums over all stacks, by the name's number; of frames of one name in a stack
// the outermost counts.  Those are listed, too.
function sumsOf(of) {
	if (of.sums)
		return of.sums;
	const sums = { outer: [] };
	for (const key of ["total", "self", "change", "changeSelf", "places"])
		sums[key] = new Float64Array(names.length);
	const open = new Int32Array(names.length);
	walk(of, i => {
		const name = nameOf[i];
		sums.places[name]++;
		sums.self[name] += of.self[i];
		sums.changeSelf[name] += of.changeSelf[i];
		if (open[name]++ === 0) {
			sums.outer.push(i);
			sums.total[name] += of.total[i];
			sums.change[name] += of.change[i];
		}
	}, i => open[nameOf[i]]--);
	return of.sums = sums;
}
