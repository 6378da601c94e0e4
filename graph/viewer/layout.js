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
// the names in their order, and the place of each
let ordered, ranks;

const sum = (frames, values) => frames.reduce((all, i) => all + values[i], 0);

const changedBy = letter => changes.filter(change => change[0] === letter)
    .map(change => names.lastIndexOf(change.slice(1)));

function layOut(to) {
	changes = to;
	const edits = new Map();
	for (const letter of ["h", "d", "m"])
		for (const name of changedBy(letter))
			edits.set(name, letter);
	tree = edits.size ? changeTree(edits) : printed;
	const [wanted] = changedBy("c");
	const outer = wanted === undefined ? [] :
	    sumsOf(tree).outer.filter(i => nameOf[i] === wanted);
	// there may be no such function, or none left
	const name = outer.length > 0 ? wanted : undefined;
	isFlipped = changedBy("i").length > 0;
	isTurned = name === undefined && changedBy("r").length > 0;
	isMerged = edits.size > 0 || isTurned || name !== undefined;
	carried = isTurned ? "self" : "total";
	const members = name === undefined ? [0] : outer;
	root = { name: name || 0, members, depth: 0, start: 0,
	    total: sum(members, tree.total), self: sum(members, tree.self) };
	if (name !== undefined)
		root.stems = members;
	if (isTurned) {
		root.self = 0;
		root.stems = Array.from(nameOf.keys())
		    .filter(i => i && tree.self[i]);
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

// Returns the numbers of names in the order of the names.
function sortNames(numbers) {
	if (!ranks) {
		ordered = Array.from(names.keys())
		    .sort((a, b) => names[a] < names[b] ? -1 : 1);
		ranks = new Int32Array(names.length);
		ordered.forEach((name, rank) => ranks[name] = rank);
	}
	return Array.from(Int32Array.from(numbers, name => ranks[name]).sort(),
	    rank => ordered[rank]);
}

// Groups frames of the tree by name, each group beginning behind the last one,
// and returns those with as many counts.
function groupByName(parent, depth, start, least, members, stems) {
	const counts = stems ? tree[carried] : tree.total;
	const totals = new Map(), found = new Map();
	members.forEach((i, at) => totals.set(nameOf[i],
	    (totals.get(nameOf[i]) || 0) + counts[stems ? stems[at] : i]));
	for (const name of totals.size > 1 ? sortNames(totals.keys()) :
	    totals.keys()) {
		const total = totals.get(name);
		if (total >= least)
			found.set(name, { name, parent, depth, start, total,
			    self: 0, members: [], stems: stems && [] });
		start += total;
	}
	members.forEach((i, at) => {
		const frame = found.get(nameOf[i]);
		if (!frame)
			return;
		frame.members.push(i);
		if (!stems)
			frame.self += tree.self[i];
		else {
			frame.stems.push(stems[at]);
			// nothing calls it
			if (!tree.parent[i])
				frame.self += counts[stems[at]];
		}
	});
	return Array.from(found.values());
}

function callersOf(frame, least) {
	const { members, stems } = frame;
	if (isTurned && frame === root)
		return groupByName(frame, 1, 0, least, stems, stems);
	const called = Array.from(stems.keys())
	    .filter(at => tree.parent[members[at]]);
	const carriers = called.map(at => stems[at]);
	return groupByName(frame, frame.depth + (isTurned ? 1 : -1), frame.start +
	    frame.total - sum(carriers, tree[carried]), least,
	    called.map(at => tree.parent[members[at]]), carriers);
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
	return [...(members.length ? groupByName(frame, frame.depth + 1,
	    frame.start + frame.self, least, members) : []),
	...(frame.stems ? callersOf(frame, least) : [])];
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

// Where the URL finds a frame: a printed one by its coordinates in the file,
// or as it would be if it were wide enough, others by where they begin and
// their depth.
const exactX = i => left + startOf[i] * width / printed.total[0];

function placeOf(frame) {
	const [i] = frame.members, rect = rectOf(groups[i]);
	return changes.length > 0 ? [frame.start, frame.depth] :
	    [number(rect, "width") > 0 ? number(rect, "x") : exactX(i),
		number(rect, "y")];
}

// Returns the root if there is no frame.
function frameAtPlace(x, y) {
	let frame = root;
	if (changes.length === 0) {
		// what is printed is rounded
		const i = nameOf.findIndex((_, j) =>
		    Math.abs(exactX(j) - x) < narrowest &&
		    String(placeOf({ members: [j] })) === String([x, y]));
		return frameFor(i);
	}
	while (frame && frame.depth !== y)
		frame = childrenOf(frame, 0).find(child => child.start <= x &&
		    x < child.start + child.total && child.depth * y > 0);
	return frame || root;
}

const isCaller = ({ stems }) => stems && stems !== root.stems;

// How much more there is than in a differential's first profile: of the frame
// itself, and of callers in all that they call.
const changeOf = frame => (isCaller(frame) ?
    sum(frame.stems, tree[isTurned ? "changeSelf" : "change"]) :
    sum(frame.members, tree.changeSelf)) *
    ("negate" in base.dataset ? -1 : 1);

// The color of a change, full for the largest one of a function.
function tint(change) {
	const max = sumsOf(tree).changeSelf.reduce((most, more) =>
		Math.max(most, Math.abs(more)), 1);
	const part = Math.min(Math.abs(change) / max, 1);
	const isBlind = base.dataset.palette, more = change > 0;
	const full = isBlind ? more ? [235, 125, 25] : [70, 145, 225] :
	    more ? [255, 0, 0] : [0, 0, 255];
	const none = isBlind || change === 0 ? 255 : 210;
	return "#" + full.map(value => value === 255 ? "ff" :
	    Math.round(none + (value - none) * part).toString(16)
	        .padStart(2, "0")).join("");
}
