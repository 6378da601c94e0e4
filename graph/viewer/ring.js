/*
 * The ring around the frame that keys are for; they move it from frame to
 * frame.  The picture is one tab stop.
 */

// the frame in the ring, or null
let ringed = null;

const focus = f => {
	ringed = f;
	place(ring, f.x + unit, f.y, f.w + unit, height);
	tell(f);
	kin.after(ring);
	ring.scrollIntoView({ block: "nearest", inline: "nearest" });
	showMatched();
};

const widest = fs => fs.reduce((a, b) => a && a.w >= b.w ? a : b, null);

// Where the ring begins: what is zoomed to may be far from the window.
const findStart = () => {
	const [, y0, , y1] = partSeen();
	const isSeen = ({ y }) => (y0 <= 0 || y >= y0 + 4 * em) &&
	    (y1 >= bottom() || y + height <= y1 - 4 * em);
	return shown.includes(told) ? told : isSeen(zoomed) ? zoomed :
	    widest(shown.filter(isSeen)) || zoomed;
};

// Moves the ring in an arrow's direction.
const move = ({ key: k }) => {
	if (!ringed)
		return focus(findStart());
	const { up, y } = ringed;
	const aside = { ArrowLeft: -1, ArrowRight: 1 }[k];
	if (aside) {
		const row = shown.filter(f => f.y === y);
		return focus(row[row.indexOf(ringed) + aside] || ringed);
	}
	const isThere = f => f && f.y < y === (k === "ArrowUp");
	focus(isThere(up) ? up : widest(shown.filter(f =>
	    f.up === ringed && isThere(f))) || ringed);
};

// Does what the mouse would do.
const click = (el, ctrlKey = false) => {
	el.dispatchEvent(new MouseEvent("click",
	    { bubbles: true, cancelable: true, view: window, ctrlKey }));
};

const withCtrl = ({ ctrlKey, metaKey }) => ctrlKey || metaKey;

// Frames that share a path are no links.
const enter = e => {
	if (!ringed)
		return false;
	if (ringed.el)
		click(ringed.el, withCtrl(e));
	else
		zoomTo(ringed);
};
