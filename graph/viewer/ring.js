/*
 * The ring around the frame that keys are for; they move it from frame to frame.
 * The picture is one tab stop.
 */

// the frame in the ring, or null
let focused = null;

function focus(frame) {
	focused = frame;
	set(ring, { x: frame.x + unit, y: frame.y, width: frame.wide + unit,
	    height });
	tell(frame);
	kin.after(ring);
	ring.scrollIntoView({ block: "nearest", inline: "nearest" });
	showMatched();
}

// Where the ring begins: what is zoomed to may be far from the window.
function findStart() {
	const [, y0, , y1] = partSeen();
	const isSeen = ({ y }) => (y0 <= 0 || y >= y0 + 4 * em) &&
	    (y1 >= bottom() || y + height <= y1 - 4 * em);
	return [told, zoomed].find(frame => shown.includes(frame) &&
	    (frame === told || isSeen(frame))) || shown.filter(isSeen)
	    .reduce((a, b) => a && a.wide >= b.wide ? a : b, null) || zoomed;
}

// Moves the ring in an arrow's direction.
function move({ key }) {
	if (!focused)
		return focus(findStart());
	const { parent, y } = focused;
	const aside = { ArrowLeft: -1, ArrowRight: 1 }[key];
	if (aside) {
		const row = shown.filter(frame => frame.y === y);
		return focus(row[row.indexOf(focused) + aside] || focused);
	}
	const isThere = frame => frame && frame.y < y === (key === "ArrowUp");
	focus(isThere(parent) ? parent : shown.filter(frame =>
	    frame.parent === focused && isThere(frame))
	    .sort((a, b) => b.total - a.total)[0] || focused);
}

// Does what the mouse would do.
function click(element, ctrlKey = false) {
	element.dispatchEvent(new MouseEvent("click",
	    { bubbles: true, cancelable: true, view: window, ctrlKey }));
}

const withCtrl = ({ ctrlKey, metaKey }) => ctrlKey || metaKey;

// Frames that share a path are no links.
function enter(event) {
	if (!focused)
		return false;
	if (focused.element)
		click(focused.element, withCtrl(event));
	else
		zoomTo(focused);
}
