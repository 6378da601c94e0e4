/*
 * Starts the viewer: listens to mouse and keys, names what assistive technology
 * should know, and opens the picture as the URL says.
 */
let press, touched;

const groupAt = e => e.target.closest("g[data-nametype] > *");

const frameAt = e => {
	const g = groupAt(e);
	const found = shown.find(({ el }) => el === g);
	if (found)
		return found;
	if (!view) {
		const i = [].indexOf.call(groups, g);
		return Object.assign(frameFor(i), { x: exactX(i), el: g,
		    y: num(rectOf(g), "y"),
		    w: printed.total[i] * width / root.total });
	}
	// the middle of the pixel that the mouse is on
	const [right, down] = inPicture(e.clientX + 0.5, e.clientY + 0.5);
	return shown.find(({ el, x, y, w }) => !el &&
	    down >= y && down <= y + height && right <= (x + w) * scale) ||
	    zoomed;
};

listen(svg, "click", e => {
	const g = groupAt(e);
	if (g && (g.localName !== "a" || withCtrl(e) || pressed)) {
		e.preventDefault();
		if (!pressed)
			zoomTo(frameAt(e));
	}
	pressed = false;
});

listen(svg, "mouseover", e => groupAt(e) && tell(frameAt(e)));
// from frame to frame within a path
listen(svg, "mousemove", e => {
	if (groupAt(e) && e.target.localName === "path") {
		tell(frameAt(e));
		e.target.firstChild.textContent = titleOf(told);
	}
});
// a finger that is lifted is no mouse that went away
listen(svg, "mouseout", e => groupAt(e) && !touched && tell(ringed));

listen(svg, "pointerdown", e => {
	pressed = false;
	touched = e.pointerType === "touch";
	if (!touched || !groupAt(e))
		return;
	const f = frameAt(e);
	tell(f);
	press = setTimeout(() => {
		pressed = true;
		copy(names[f.n]);
	}, 500);
});

listen(svg, "pointerup pointercancel", () => clearTimeout(press));

listen(document, "copy", e => {
	if (told && isMeant(e) && getSelection().isCollapsed &&
	    !(e.target.closest && e.target.closest("input, textarea")))
		putText(e, names[told.n]);
});

listen(window, "keydown", e => {
	const act = e.key && isMeant(e) && actionOf(e);
	if (act && act(e) !== false)
		e.preventDefault();
});

listen(window, "popstate", restore);

set(svg, { tabindex: 0, role: "application",
    "aria-roledescription": "flame graph",
    "aria-label": heading.textContent });
set(details, { "aria-live": "polite" });
details.before(lowerBar);
unzoom.before(upperBar);
addButton("ignorecase", toggleCase, "ic", "Ignore letter case");
addButton("search", () => box ? closeBox() : askForTerm(), "Search");
addButton("help", openKeys, "?", "Keys");
addButton("functions", openTop, "Top", "Top functions");
addButton("unzoom", () => {
	focusOn(svg);
	visit([[]]);
}, "Reset Zoom");
requestAnimationFrame(follow);
restore();
(window.requestIdleCallback || setTimeout)(() => {
	read();
	fitLabels();
});
