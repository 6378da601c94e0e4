/* The ring around the frame that keys are for.  The picture is one tab stop. */
let here = null;

const focus = f => {
	here = f;
	place(ring, f.x + unit, f.y, f.w + unit, height);
	tell(f);
	kin.after(ring);
	ring.scrollIntoView({ block: "nearest", inline: "nearest" });
	showHits();
};

const widest = fs => fs.reduce((a, b) => a && a.w >= b.w ? a : b, null);

const move = ({ key: k }) => {
	if (!here) {
		// the zoomed frame may be outside the window
		const [, y0, , y1] = partSeen();
		const isSeen = ({ y }) => (y0 <= 0 || y >= y0 + 4 * em) &&
		    (y1 >= bottom() || y + height <= y1 - 4 * em);
		return focus(seen.includes(told) ? told : isSeen(zoom) ? zoom :
		    widest(seen.filter(isSeen)) || zoom);
	}
	const { up, y } = here;
	const aside = { ArrowLeft: -1, ArrowRight: 1 }[k];
	if (aside) {
		const row = seen.filter(f => f.y === y);
		return focus(row[row.indexOf(here) + aside] || here);
	}
	const isThere = f => f && f.y < y === (k === "ArrowUp");
	focus(isThere(up) ? up : widest(seen.filter(f =>
	    f.up === here && isThere(f))) || here);
};

const click = (el, ctrlKey) => {
	el.dispatchEvent(new MouseEvent("click",
	    { bubbles: true, cancelable: true, view: window, ctrlKey }));
};

const withCtrl = ({ ctrlKey, metaKey }) => ctrlKey || metaKey;

// Frames that share a path are not links.
const enter = e => {
	if (!here)
		return false;
	if (here.el)
		click(here.el, withCtrl(e));
	else
		zoomTo(here);
};
