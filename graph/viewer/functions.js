/*
 * Functions: what the frames of one name have in common.  Here the tree is
 * made that is shown when functions are left out, and the sums over all of
 * its stacks.
 *
 * A frame of such a tree is one of those printed, so its arrays have the
 * same indices: a frame that is left out gives its counts and its children to
 * the one that it is shown as.
 */

// Returns the tree with the changes, by names' numbers a letter each: h hides
// the frames, d drops them with all above, m merges recursion.
function changeTree(edits) {
	const made = newTree();
	const { parent, total, self, rest, change, changeSelf, changeRest,
	    before, beforeSelf } = made;
	const shownAs = new Int32Array(count);
	// by name the last frame that is merged into, and by depth a path
	const outermost = new Int32Array(names.length), path = [];
	for (let i = 0; i < count; i++) {
		const name = nameOf[i], letter = edits[name];
		const outer = outermost[name];
		let to = i && shownAs[printed.parent[i]];
		parent[i] = to;
		path[depthOf[i]] = i;
		if (letter === "d")
			to = -1;
		else if (to >= 0 && letter !== "h") {
			to = letter && outer && depthOf[outer] < depthOf[i] &&
			    path[depthOf[outer]] === outer ? outer : i;
			outermost[name] = to;
		}
		shownAs[i] = to;
		if (to >= 0) {
			self[to] += printed.self[i];
			rest[to] += printed.rest[i];
			changeSelf[to] += printed.changeSelf[i];
			changeRest[to] += printed.changeRest[i];
			beforeSelf[to] += printed.beforeSelf[i];
		}
	}
	for (let i = count - 1; i >= 0; i--) {
		if (shownAs[i] !== i)
			continue;
		total[i] += self[i] + rest[i];
		change[i] += changeSelf[i] + changeRest[i];
		before[i] += beforeSelf[i];
		if (i > 0) {
			total[parent[i]] += total[i];
			change[parent[i]] += change[i];
			before[parent[i]] += before[i];
		}
	}
	linkChildren(made, shownAs);
	return made;
}

// Sums over all stacks, by the name's number; of frames of one name in a stack
// the outermost counts.  Those are marked, too.
function sumsOf(of) {
	if (of.sums)
		return of.sums;
	const sums = { outer: new Uint8Array(count) };
	for (const key of ["total", "self", "change", "changeSelf", "places"])
		sums[key] = new Float64Array(names.length);
	const open = new Int32Array(names.length);
	// frames to begin, and the complement of those to end
	const todo = new Int32Array(2 * count);
	for (let last = 0; last >= 0;) {
		const i = todo[last--], name = nameOf[i < 0 ? ~i : i];
		if (i < 0) {
			open[name]--;
			continue;
		}
		sums.places[name]++;
		sums.self[name] += of.self[i];
		sums.changeSelf[name] += of.changeSelf[i];
		if (open[name]++ === 0) {
			sums.outer[i] = 1;
			sums.total[name] += of.total[i];
			sums.change[name] += of.change[i];
		}
		todo[++last] = ~i;
		for (let j = of.first[i]; j; j = of.next[j])
			todo[++last] = j;
	}
	return of.sums = sums;
}
