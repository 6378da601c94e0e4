/*
 * The frames, as they are printed: the children of <g id="frames">, in
 * pre-order: a parent, then its subtree, from left to right.  They are read
 * once, when idle or needed, into arrays indexed by a frame's place in that
 * order.  Counts are those of the input, from which all widths follow; those
 * that are shown are multiplied by --factor.
 *
 * The script's element has what the titles do not tell.  data-falls has a digit
 * (of 36) a frame: by how many levels it is below a frame on the one before it;
 * z and another digit add up.  data-total, data-self (where it is not what the
 * frames above leave), data-gap (where a frame does not begin where the one
 * before it ends) and, in a differential, data-more and data-more-self
 * (where it is not what the changes above leave), with data-before and
 * data-before-self where widths are changes, are lists of counts: "7 12:3" is
 * one for the first frame, and one for the twelfth behind it.
 */
const groups = base.children;
const count = groups.length;
if (count === 0)
	return;
const lists = script.dataset;
const factor = Number(given.factor || 1);

// the names in their order, the root's first, and the number of each frame's
let names;
const nameOf = new Int32Array(count);
const depthOf = new Int32Array(count);
const startOf = new Float64Array(count);

const newTree = () => {
	const made = {};
	// first child and next sibling: 0 is none
	for (const key of ["parent", "first", "next"])
		made[key] = new Int32Array(count);
	// rest: of frames above that were too narrow to be printed
	for (const key of ["total", "self", "rest", "change", "changeSelf",
	    "changeRest", "before", "beforeSelf"])
		made[key] = new Float64Array(count);
	return made;
};

// the tree as it is printed, and as it is shown
const printed = newTree();
let tree = printed;
let isRead = false;
// pixels in a unit of x and width
let scale = 1;
// of the root: where it is, and how high
let left, top, width, height, isInverted, deepest;
let fontSize;

const rectOf = group => group.firstElementChild.nextElementSibling;

function readList(name, values) {
	let i = -1;
	for (const item of lists[name] ? lists[name].split(" ") : []) {
		const [value, steps] = item.split(":").reverse();
		values[i += Number(steps || 1)] = Number(value);
	}
}

// Reads "main (1,234 samples, 56.78%)", which a label may follow, unless it is
// from --nameattr.
function readTitles() {
	// a line a frame, which is far faster than an element a frame
	const lines = base.textContent.split("\n");
	const isTold = lines.length === count + 2;
	// a function may be called as the root is
	const numbers = new Map(), all = [];
	const counted = " " + given.unit + ", ";
	const hidden = new Uint8Array(count);
	readList("total", hidden);
	for (let i = 0; i < count; i++) {
		const title = isTold ? lines[i + 1] :
		    groups[i].firstElementChild.textContent;
		const behind = title.lastIndexOf(counted);
		const open = title.lastIndexOf(" (", behind);
		all[i] = hidden[i] && groups[i].dataset.name ||
		    title.slice(0, open);
		numbers.set(i && all[i], 0);
		printed.total[i] = title.slice(open + 2, behind)
		    .replace(/,/g, "") / factor;
	}
	numbers.delete(0);
	names = [all[0], ...Array.from(numbers.keys()).sort()];
	names.forEach((name, n) => n && numbers.set(name, n));
	for (let i = 1; i < count; i++)
		nameOf[i] = numbers.get(all[i]);
}

function readDepths() {
	const path = [];
	let at = 0, depth = -1;
	for (let i = 0; i < count; i++) {
		let digit;
		depth++;
		do
			depth -= digit = parseInt(lists.falls[at++], 36);
		while (digit === 35);
		path[depth] = i;
		depthOf[i] = depth;
		printed.parent[i] = depth && path[depth - 1];
	}
}

// Sets self to what the frames above leave, unless a list tells it.
function readSelf(total, self, name) {
	self.set(total);
	for (let i = count - 1; i > 0; i--)
		self[printed.parent[i]] -= total[i];
	readList(name, self);
}

function readStarts() {
	const { parent, total, self } = printed;
	const free = new Float64Array(count);
	readList("gap", startOf);
	free[0] = self[0];
	for (let i = 1; i < count; i++) {
		startOf[i] += free[parent[i]];
		free[i] = startOf[i] + self[i];
		free[parent[i]] = startOf[i] + total[i];
	}
}

// Lists children; a frame is shown as itself, as another one, or not (-1).
function linkChildren({ parent, first, next }, shownAs) {
	for (let i = count - 1; i > 0; i--)
		if (!shownAs || shownAs[i] === i) {
			next[i] = first[parent[i]];
			first[parent[i]] = i;
		}
}

function read() {
	if (isRead)
		return;
	isRead = true;
	[fontSize] = fontOf();
	scale = fluid ? boxOf(svg).width / 100 : 1;
	[left, top, width, height] = ["x", "y", "width", "height"].map(name =>
		number(rectOf(groups[0]), name));
	isInverted = number(rectOf(groups[count - 1]), "y") > top;
	readTitles();
	readDepths();
	const { total, self, rest, change, changeSelf, changeRest, before,
	    beforeSelf } = printed;
	readList("total", total);
	readSelf(total, rest, "");
	readSelf(total, self, "self");
	readList("more", change);
	readSelf(change, changeRest, "");
	readSelf(change, changeSelf, "moreSelf");
	for (let i = 0; i < count; i++) {
		rest[i] -= self[i];
		changeRest[i] -= changeSelf[i];
	}
	readList("before", before);
	readSelf(before, beforeSelf, "beforeSelf");
	readStarts();
	linkChildren(printed);
	sumOf = new Float64Array(names.length);
	groupOf = new Int32Array(names.length);
	deepest = depthOf.reduce((a, b) => Math.max(a, b));
	layOut([]);
	zoomed = root;
	shown = baseFrames = arrange(root, narrowest);
	placeRows(shown);
	for (const frame of shown)
		frame.element = groups[frame.members[0]];
}

const withCommas = n => String(Math.round(n * factor))
    .replace(/\B(?=(\d{3})+$)/g, ",");
const percentage = (part, whole) => (100 * part / whole).toFixed(2) + "%";
