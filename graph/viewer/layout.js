/*
 * The layout: the frames of a view, made when they are needed.
 *
 * A frame of the layout is made of frames of the tree, its parts, and begins at
 * a count, `start`.  If stacks are turned over, parts are callers; each has a
 * stem, the frame in which its calls end, and bears the stem's counts.
 */

// the changes: r turns the stacks over, i the picture, c shows callers and
// callees of a function, k keeps stacks with a match, v hides matches, K and V
// in any letter case; b puts the largest siblings first, or not; h, d, m are in
// functions.js, s, z and f in range.js
let changes = [];
// frames of the layout; the one of the printed tree stays the same
let root, baseRoot;
let merged, flipped, turned, bySize;
// the counts of stems that are borne: "total" or "self"
let borne;
// by name, for group: sums, the place of a group, from 1, and the name's in the
// order of all but the root's
let sumOf, groupOf, ranks;
const sum = (fs, values) => fs.reduce((all, i) => all + values[i], 0);

const changedBy = a => changes.filter(([b]) => b === a)
    .map(c => names.lastIndexOf(c.slice(1))).filter(n => n > 0);

// Returns a frame and those after it in a list, or above it.
const listFrom = (i, next) => {
	const is = [];
	for (; i > 0; i = next[i])
		is.push(i);
	return is;
};

const listAbove = i => listFrom(printed.first[i], printed.next);

const changesBut = (letters, ...more) =>
    [...changes.filter(([a]) => !letters.includes(a)), ...more];

const newFrame = (n, up, depth, start, total, parts, stems, self = 0) => ({
	n, up, depth, start, total, parts, stems, self,
	// the place and the element
	x: 0, y: 0, w: 0, el: null });

const layOut = to => {
	changes = to;
	const edits = [];
	for (const a of "hdm")
		for (const n of changedBy(a))
			edits[n] = a;
	let from = added.cut();
	for (const c of changes.filter(([a]) => /[kv]/i.test(a))) {
		const found = findMatches(c.slice(1), /^[KV]/.test(c));
		if (/^k/i.test(c))
			from = treeOf(from || printed, i => found[nOf[i]]);
		else
			found.forEach((is, n) => is && n && (edits[n] = "h"));
	}
	from = from || printed;
	tree = edits.length ? changeTree(edits, from) : from;
	const [n] = changedBy("c");
	// the function may be missing, or dropped
	const called = n ? topsOf(n) : [], calls = called[0] && called;
	flipped = changes.includes("i");
	turned = !calls && changes.includes("r");
	const sorts = changes.includes("b");
	bySize = sorts !== (given.sort === "size");
	merged = tree !== printed || turned || calls || sorts;
	borne = turned ? "self" : "total";
	const parts = calls || [0];
	root = newFrame(nOf[parts[0]], null, 0, 0, sum(parts, tree.total),
	    parts, calls || turned &&
	    [...nOf.keys()].filter(i => i && tree.self[i]));
	if (!merged)
		root = baseRoot = baseRoot || root;
};

const frameOf = (i, up) => newFrame(nOf[i], up, depthOf[i], startOf[i],
    tree.total[i], [i], null, tree.self[i]);

const inLanes = () => given.lanes && !merged;

// Returns when a frame begins and ends, in counts, if none are merged.
const spanOf = ({ up, parts: [i] }) =>
	!up && added.span() || [startOf[i], endOf[i]];

const frameFor = i => listFrom(i, printed.up)
    .reduceRight((up, j) => frameOf(j, up), baseRoot);

// Groups frames of the tree by name, sorted, and returns the groups with
// `least` counts or more.  It runs often, so its loops are plain ones.
const group = (up, depth, start, least, parts, stems) => {
	const counts = tree[stems ? borne : "total"], bear = stems || parts;
	const ns = [], fs = [];
	// most frames have one part or none, and need no sums
	if (!parts[1]) {
		const total = counts[bear[0]];
		return total && total >= least ? [newFrame(nOf[parts[0]], up,
		    depth, start, total, parts, stems)] : [];
	}
	for (let at = 0; at < parts.length; at++) {
		const n = nOf[parts[at]], more = counts[bear[at]];
		if (!sumOf[n] && more)
			ns.push(n);
		sumOf[n] += more;
	}
	if (!ranks) {
		ranks = ints(names.length);
		[...names.keys()].slice(1).sort((a, b) =>
			names[a] < names[b] ? -1 : 1)
		    .forEach((n, rank) => ranks[n] = rank + 1);
	}
	ns.sort((a, b) => (bySize && sumOf[b] - sumOf[a]) ||
	    ranks[a] - ranks[b]);
	for (const n of ns) {
		const total = sumOf[n];
		sumOf[n] = 0;
		if (total >= least)
			groupOf[n] = fs.push(newFrame(n, up, depth, start,
			    total, [], stems && []));
		start += total;
	}
	for (let at = 0; at < parts.length; at++) {
		const f = fs[groupOf[nOf[parts[at]]] - 1];
		if (f) {
			f.parts.push(parts[at]);
			if (stems)
				f.stems.push(stems[at]);
		}
	}
	for (const { n } of fs)
		groupOf[n] = 0;
	return fs;
};

const callersOf = (f, least) => {
	const { parts, stems } = f, ups = [], bear = [];
	if (turned && f === root)
		return group(f, 1, 0, least, stems, stems);
	// frames that nothing calls
	let own = 0;
	for (let at = 0; at < stems.length; at++) {
		const i = tree.up[parts[at]], stem = stems[at];
		if (i) {
			ups.push(i);
			bear.push(stem);
		} else
			own += tree[borne][stem];
	}
	if (f.up)
		f.self = own;
	return group(f, f.depth + (turned ? 1 : -1), f.start + own,
	    least, ups, bear);
};

// Also finds the own counts of a merged frame, which nothing else does.
const childrenOf = (f, least) => {
	if (turned || f.depth < 0)
		return callersOf(f, least);
	const parts = [];
	f.self = sum(f.parts, tree.self);
	for (const i of f.parts)
		for (let j = tree.first[i]; j; j = tree.next[j])
			if (merged || (given.lanes ? endOf[j] - startOf[j] :
			    tree.total[j]) >= least)
				parts.push(j);
	if (!merged)
		return parts.map(i => frameOf(i, f));
	const above = group(f, f.depth + 1, f.start + f.self, least,
	    parts);
	return f.stems ? [...above, ...callersOf(f, least)] : above;
};

const pathTo = f => {
	const path = [];
	for (; f; f = f.up)
		path.push(f);
	return path.reverse();
};

// Returns the frames that are wide enough if the target is as wide as the
// picture: the path to it, then its subtree.  Lanes show its time.
const arrange = (to, least) => {
	const [begin, end] = merged ? [to.start, to.start + to.total] :
	    spanOf(to);
	const pixels = width / (end - begin || 1);
	const path = pathTo(to), fs = inLanes() ? [] : path.slice(0, -1);
	for (const f of path)
		[f.x, f.w, f.el] = [left, width, null];
	const open = [inLanes() ? root : to];
	while (open[0]) {
		const f = open.pop(), above = f === root && inLanes() ?
		    added.lanes(to, [begin, end]).map(i => frameOf(i, f)) :
		    childrenOf(f, least / pixels);
		fs.push(f);
		for (const child of above.reverse()) {
			const known = path[child.depth];
			const c = known && known.parts[0] === child.parts[0] ?
			    known : child;
			// a zoom to a time cuts frames
			const [start, stop] = merged ?
			    [c.start, c.start + c.total] : spanOf(c);
			const from = max(start, begin);
			const much = min(stop, end) - from;
			c.x = left + (from - begin) * pixels;
			c.w = much * pixels;
			if (much > 0)
				open.push(c);
		}
	}
	return inLanes() ? added.cutRows(fs) : fs;
};

const isCaller = ({ stems }) => stems && stems !== root.stems;
