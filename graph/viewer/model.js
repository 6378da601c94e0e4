/*
 * The frames as they are printed, in pre-order: a parent, then its subtree,
 * from left to right.  Those that are drawn are children of <g id="frames">,
 * the others are in a table.  They are read once, when the browser is idle or
 * they are needed, into arrays indexed by a frame's place in that order.
 * Counts are those of the input; shown counts are multiplied by --factor.
 *
 * What the titles do not say is in lists, see graph/counts.c.
 *
 * All modules say i and j for a frame's index, n for a name's number, up for a
 * parent; f for a frame of the layout (see layout.js), g for an element of
 * #frames and el for any other; e for an event, and s for a text.
 */
const gs = base.children;
const lists = script.dataset;
const { falls = "" } = lists;
const size = falls.replace(/z/g, "").length;
if (!size)
	return;
const table = byId("narrow");
const factor = given.factor || 1;

const names = [];
const nOf = ints(size);
// the looks of frames that are not drawn, "#e8a33b\tread"; by frame the number
// of its look, and its place in gs, from 1, or 0; by element its frame
let looks = [];
const lookOf = ints(size);
const placeIn = ints(size);
const drawn = ints(gs.length);
const depthOf = ints(size);
// in counts; and the frame of its thread, on the root
const startOf = floats(size);
const endOf = floats(size);
const threadOf = ints(size);

// All counts of a frame, its own, and those of frames too narrow to be printed.
const kinds = [["total", "self", "rest"]];

const newTree = () => {
	// first child and next sibling, or 0
	const made = { up: ints(size), first: ints(size), next: ints(size) };
	for (const k of kinds.flat())
		made[k] = floats(size);
	return made;
};

// the tree as it is printed, and as it is shown
let printed, tree;
// pixels in a unit of x and width
let scale = 1;
// the place and the size of the root
let left, top, width, height, inverted, deepest;
let fontSize;

// Returns the element of a frame that is drawn, or undefined.
const elOf = i => gs[placeIn[i] - 1];
const rectOf = g => g.querySelector("rect");

const readList = (name, values) => {
	let i = -1;
	if (lists[name])
		for (const item of lists[name].split(" ")) {
			const [v, steps = 1] = item.split(":").reverse();
			values[i += +steps] = v;
		}
};

const readTable = () => {
	const { total } = printed;
	let i = 0, at = 0, next = 0, n = 0, from = 0, look = -1, isFirst = true;
	const skip = many => {
		for (; many > 0; many--) {
			drawn[at] = i;
			placeIn[i++] = ++at;
		}
	};
	// in Chromium textContent takes twenty times as long
	const [before, after = ""] = (table ? [...table.childNodes] : [])
	    .map(el => el.nodeType === 3 ? el.data : "").join("").split("\n\n");
	looks = before ? before.split("\n") : [];
	// to split the text takes twice as long
	for (let k = 0; k <= after.length; k++) {
		const c = after.charCodeAt(k);
		if (c > 47 && c < 58)
			n = 10 * n + c - 48;
		else if (c > 32 && c !== 58)
			// a fraction, "1.5e-7"
			n = NaN;
		else {
			if (c === 58)
				look = n;
			else if (isFirst)
				skip(n);
			else {
				lookOf[i] = look < 0 ? next++ : look;
				total[i++] = n >= 0 ? n : after.slice(from, k);
				look = -1;
			}
			isFirst = c === 10;
			n = 0;
			from = k + 1;
		}
	}
	skip(gs.length - at);
};

// Titles are "main (1,234 samples, 56.78%)"; a label may follow.
const readNames = () => {
	// far faster than the elements
	const lines = base.textContent.split("\n");
	const isTold = lines.length === gs.length + 2;
	const all = [];
	const counted = ` ${given.unit}, `;
	drawn.forEach((i, at) => {
		const title = isTold ? lines[at + 1] :
		    gs[at].children[0].textContent;
		const end = title.lastIndexOf(counted);
		const open = title.lastIndexOf(" (", end);
		all[at] = title.slice(0, open);
		printed.total[i] = title.slice(open + 2, end)
		    .replace(/,/g, "") / factor;
	});
	added.names(all);
	const numbers = new Map();
	const numberOf = name => {
		let n = numbers.get(name);
		if (!n)
			numbers.set(name, n = names.push(name) - 1);
		return n;
	};
	const [first, ...rest] = all;
	// a function may have the name of the root
	names.push(first);
	rest.forEach((name, at) => nOf[drawn[at + 1]] = numberOf(name));
	const ns = looks.map(look =>
		numberOf(look.slice(look.indexOf("\t") + 1)));
	for (let i = 0; i < size; i++)
		if (!placeIn[i])
			nOf[i] = ns[lookOf[i]];
};

const readDepths = () => {
	const path = [];
	let at = 0, depth = -1;
	for (let i = 0; i < size; i++) {
		let digit;
		depth++;
		do
			depth -= digit = parseInt(falls[at++], 36);
		while (digit === 35);
		path[depth] = i;
		depthOf[i] = depth;
		threadOf[i] = path[1];
		printed.up[i] = depth && path[depth - 1];
	}
};

const readCounts = ([all, own, rest]) => {
	const { [all]: total, [own]: self, [rest]: more, up } = printed;
	readList(all, total);
	more.set(total);
	for (let i = size - 1; i > 0; i--)
		more[up[i]] -= total[i];
	self.set(more);
	readList(own, self);
	for (let i = 0; i < size; i++)
		more[i] -= self[i];
};

const readStarts = () => {
	const { up, total, self } = printed;
	const free = floats(size);
	readList("gap", startOf);
	readList("span", endOf);
	for (let i = 0; i < size; i++) {
		if (i)
			startOf[i] += free[up[i]];
		endOf[i] = startOf[i] + (endOf[i] || total[i]);
		free[i] = startOf[i] + self[i];
		if (i)
			free[up[i]] = startOf[i] + total[i];
	}
};

// Lists children; a frame is shown as itself, as another one, or not (-1).
const link = ({ up, first, next }, as) => {
	for (let i = size - 1; i > 0; i--)
		if (!as || as[i] === i) {
			next[i] = first[up[i]];
			first[up[i]] = i;
		}
};

const read = () => {
	if (tree)
		return;
	tree = printed = newTree();
	[fontSize] = fontOf();
	if (unit)
		scale = boxOf(svg).width / 100;
	[left, top, width, height] = ["x", "y", "width", "height"].map(k =>
		num(rectOf(gs[0]), k));
	inverted = table ? "inverted" in table.dataset :
	    size > 1 && num(rectOf(gs[1]), "y") > top;
	readTable();
	readNames();
	readDepths();
	kinds.forEach(readCounts);
	readStarts();
	link(printed);
	sumOf = floats(names.length);
	groupOf = ints(names.length);
	deepest = depthOf.reduce((a, b) => max(a, b));
	layOut([]);
	zoom = root;
	seen = frames = arrange(root, narrowest);
	placeRows(seen);
	for (const f of seen)
		f.el = elOf(f.parts[0]) || null;
};

// as lib/text.c's text_add_count
const commas = n => String(abs(n * factor) < 100 ?
    +(n * factor).toPrecision(3) : Math.round(n * factor))
    .replace(/\B(?=(\d{3})+$)/g, ",");
const percent = (n, whole) => (100 * n / whole).toFixed(2) + "%";
