/*
 * The frames, as they are printed: the children of <g id="frames">, in
 * pre-order: a parent, then its subtree, from left to right.  They are read
 * once, when idle or needed, into arrays indexed by a frame's place in that
 * order.  There a subtree is a range, frame to end[frame], and a frame that is
 * too narrow to be seen is skipped with all above it.
 *
 * A frame's group has data that the picture does not tell: data-count where the
 * title does not say it, data-self where it is not what the frames on it leave,
 * and data-change, what its counts tell in a differential.
 */
const groups = Array.from(base.children);
const count = groups.length;
if (count === 0)
	return;
const left = new Float64Array(count);
const top = new Float64Array(count);
const width = new Float64Array(count);
const parent = new Int32Array(count);
const end = new Int32Array(count).fill(count);
// those that are wide enough in the base
const drawn = [];

let isRead = false;
// pixels in a unit of x and width
let scale = 1;
let height, fontSize, ruler;

function read() {
	if (isRead)
		return;
	isRead = true;
	const style = getComputedStyle(details);
	fontSize = parseFloat(style.fontSize);
	ruler = create("canvas", {}, XHTML).getContext("2d");
	scale = fluid ? svg.getBoundingClientRect().width / 100 : 1;
	ruler.font = style.fontSize + " " + style.fontFamily;
	height = Number(rectOf(groups[0]).getAttribute("height"));
	// stacks grow up, or down in an inverted picture
	const level = frame => Math.abs(top[frame] - top[0]);
	for (let i = 0; i < count; i++) {
		const rect = rectOf(groups[i]);
		left[i] = parseFloat(rect.getAttribute("x"));
		top[i] = parseFloat(rect.getAttribute("y"));
		width[i] = parseFloat(rect.getAttribute("width"));
		if (width[i] >= narrowest)
			drawn.push(i);
		let below = i - 1;
		while (below > 0 && level(below) >= level(i)) {
			end[below] = i;
			below = parent[below];
		}
		parent[i] = below;
	}
}

const rectOf = group => group.firstElementChild.nextElementSibling;
const titles = [];
const titleOf = i => titles[i] ??= groups[i].firstElementChild.textContent;

// "main (1,234 samples, 56.78%)" -> "main"
const withoutCounts = title => title.replace(/ ?\([^(]*\)$/, "");

// A title from --nameattr need not tell the name, a whole label does, as
// printed.
const names = [];
function nameOf(frame) {
	const label = rectOf(groups[frame]).nextElementSibling?.textContent;
	return names[frame] ??= label && !label.endsWith("..") ?
	    label : withoutCounts(titleOf(frame));
}

// "main (1,234 samples, 56.78%)" -> 1234, or NaN
function countOf(frame) {
	const digits = groups[frame].dataset.count ??
	    /\(([\d,]+) [^(]*\)$/.exec(titleOf(frame))?.[1] ?? NaN;
	return Number(String(digits).replaceAll(",", ""));
}

function selfOf(frame) {
	let self = countOf(frame);
	for (let i = frame + 1; i < end[frame]; i = end[i])
		self -= countOf(i);
	return Number(groups[frame].dataset.self ?? Math.max(self, 0));
}

const withCommas = n => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
const percentage = (part, whole) => (100 * part / whole).toFixed(2) + "%";
