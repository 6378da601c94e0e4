/*
 * The layout: what a view shows, as frames that are made when they are
 * needed, so that a view costs as much as it shows.
 *
 * A frame of the layout stands for one or more frames of the tree, its
 * members, and begins at a count, `start`.  Where stacks are turned over its
 * members are callers, and each has the frame that it calls at last, its stem,
 * whose counts it carries.
 */

// what is changed: r turns the stacks over, i the picture, c shows callers and
// callees of a function; h, d, m are in functions.js
let changes = [];
// frames of the layout; that of the printed tree stays
let root, printedRoot;
let isMerged, isFlipped, isTurned;
// the counts of stems: of each tree the total, or self
let carried;
// by name, for groupByName: sums, and the place of a group, from 1
let sumOf, groupOf;

const sum = (frames, values) => frames.reduce((all, i) => all + values[i], 0);

const changedBy = letter => changes.filter(change => change[0] === letter)
    .map(change => names.lastIndexOf(change.slice(1)));

// Returns the indices of an array's items that pass.
function indicesOf(array, passes) {
	const found = [];
	for (let i = 0; i < array.length; i++)
		if (passes(i))
			found.push(i);
	return found;
}

function layOut(to) {
	changes = to;
	const edits = Array(names.length);
	isMerged = false;
	for (const letter of ["h", "d", "m"])
		for (const name of changedBy(letter))
			if (name > 0) {
				edits[name] = letter;
				isMerged = true;
			}
	tree = isMerged ? changeTree(edits) : printed;
	const [name] = changedBy("c");
	// there may be no such function, or none left
	const outer = name > 0 ? sumsOf(tree).outer : [];
	const called = indicesOf(outer, i => outer[i] && nameOf[i] === name);
	const isCalled = called.length > 0;
	isFlipped = changedBy("i").length > 0;
	isTurned = !isCalled && changedBy("r").length > 0;
	isMerged = isMerged || isTurned || isCalled;
	carried = isTurned ? "self" : "total";
	const members = isCalled ? called : [0];
	root = { name: isCalled ? name : 0, members, depth: 0, start: 0,
	    total: sum(members, tree.total), self: sum(members, tree.self) };
	if (isCalled)
		root.stems = called;
	if (isTurned) {
		root.self = 0;
		root.stems = indicesOf(nameOf, i => i && tree.self[i]);
	}
	if (!isMerged)
		root = printedRoot = printedRoot || root;
}

const plainFrame = (i, parent) => ({ name: nameOf[i], parent, members: [i],
    depth: depthOf[i], start: startOf[i], total: tree.total[i],
    self: tree.self[i] });

// Returns the layout's frame for one that is printed.
function frameFor(i) {
	const path = [];
	for (; i > 0; i = printed.parent[i])
		path.push(i);
	return path.reduceRight((parent, j) => plainFrame(j, parent), printedRoot);
}

// Groups frames of the tree by name, in the order of names, each group behind
// the last one, and returns those with as many counts.
function groupByName(parent, depth, start, least, members, stems) {
	const counts = stems ? tree[carried] : tree.total;
	const found = [], frames = [];
	for (let at = 0; at < members.length; at++) {
		const name = nameOf[members[at]];
		const more = counts[stems ? stems[at] : members[at]];
		if (!sumOf[name] && more)
			found.push(name);
		sumOf[name] += more;
	}
	for (const name of found.length > 1 ? Int32Array.from(found).sort() :
	    found) {
		const total = sumOf[name];
		sumOf[name] = 0;
		if (total >= least)
			groupOf[name] = frames.push({ name, parent, depth, start,
			    total, self: 0, members: [], stems: stems && [] });
		start += total;
	}
	for (let at = 0; at < members.length; at++) {
		const i = members[at], group = groupOf[nameOf[i]];
		if (!group)
			continue;
		const frame = frames[group - 1];
		frame.members.push(i);
		if (stems)
			frame.stems.push(stems[at]);
		// nothing calls it
		if (!stems || !tree.parent[i])
			frame.self += stems ? counts[stems[at]] : tree.self[i];
	}
	for (const { name } of frames)
		groupOf[name] = 0;
	return frames;
}

function callersOf(frame, least) {
	const { members, stems } = frame;
	if (isTurned && frame === root)
		return groupByName(frame, 1, 0, least, stems, stems);
	const callers = [], carriers = [];
	members.forEach((i, at) => {
		if (tree.parent[i]) {
			callers.push(tree.parent[i]);
			carriers.push(stems[at]);
		}
	});
	return groupByName(frame, frame.depth + (isTurned ? 1 : -1), frame.start +
	    frame.total - sum(carriers, tree[carried]), least, callers, carriers);
}

// Returns the frames on it that have as many counts, from left to right.
function childrenOf(frame, least) {
	const members = [];
	for (const i of isTurned || frame.depth < 0 ? [] : frame.members)
		for (let j = tree.first[i]; j; j = tree.next[j])
			if (isMerged || tree.total[j] >= least)
				members.push(j);
	if (!isMerged)
		return members.map(i => plainFrame(i, frame));
	return [...groupByName(frame, frame.depth + 1, frame.start + frame.self,
	    least, members), ...(frame.stems ? callersOf(frame, least) : [])];
}

function pathTo(frame) {
	const path = [];
	for (; frame; frame = frame.parent)
		path.push(frame);
	return path.reverse();
}

// Returns all that is wide enough when the target is as wide as the picture,
// each frame with x and wide: its path, then its subtree in pre-order.
function arrange(target, least) {
	const pixels = width / target.total;
	const frames = pathTo(target);
	for (const frame of frames)
		Object.assign(frame, { x: left, wide: width });
	const open = [target];
	while (open.length > 0) {
		const frame = open.pop();
		if (frame !== target)
			frames.push(frame);
		for (const child of childrenOf(frame, least / pixels).reverse()) {
			child.x = left + (child.start - target.start) * pixels;
			child.wide = child.total * pixels;
			open.push(child);
		}
	}
	return frames;
}

const isCaller = ({ stems }) => stems && stems !== root.stems;
