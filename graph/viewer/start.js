/*
 * Starts the viewer: listens to mouse and keys, names what assistive technology
 * should know, and opens the picture as the URL says.
 */
let press, isTouched;

const groupAt = event => event.target.closest("g[data-nametype] > *");

function frameAt(event) {
	const group = groupAt(event);
	const found = shown.find(({ element }) => element === group);
	if (found)
		return found;
	if (!view) {
		const i = Array.prototype.indexOf.call(groups, group);
		return Object.assign(frameFor(i), { x: exactX(i), element: group,
		    y: number(rectOf(group), "y"),
		    wide: printed.total[i] * width / root.total });
	}
	// the middle of the pixel that the mouse is on
	const [right, down] = inPicture(event.clientX + 0.5, event.clientY + 0.5);
	return shown.find(({ element, x, y, wide }) => !element &&
	    down >= y && down <= y + height && right <= (x + wide) * scale) ||
	    zoomed;
}

function listen(target, type, listener) {
	target.addEventListener(type, event => {
		read();
		listener(event);
	});
}

listen(svg, "click", event => {
	const group = groupAt(event);
	if (group && (group.localName !== "a" || withCtrl(event) ||
	    wasPressed)) {
		event.preventDefault();
		if (!wasPressed)
			zoomTo(frameAt(event));
	}
	wasPressed = false;
});

listen(svg, "mouseover", event => groupAt(event) && tell(frameAt(event)));
// from frame to frame within a path
listen(svg, "mousemove", event => {
	const group = groupAt(event);
	if (!group || group.localName !== "path")
		return;
	tell(frameAt(event));
	event.target.firstChild.textContent = titleOf(told);
});
// a finger that is lifted is no mouse that went away
listen(svg, "mouseout", event => groupAt(event) && !isTouched &&
    tell(focused));

listen(svg, "pointerdown", event => {
	wasPressed = false;
	isTouched = event.pointerType === "touch";
	if (!isTouched || !groupAt(event))
		return;
	const frame = frameAt(event);
	tell(frame);
	press = setTimeout(() => {
		wasPressed = true;
		copy(names[frame.name]);
	}, 500);
});

for (const type of ["pointerup", "pointercancel"])
	svg.addEventListener(type, () => clearTimeout(press));

listen(document, "copy", event => {
	if (told && isMeant(event) && getSelection().isCollapsed &&
	    !(event.target.closest && event.target.closest("input, textarea")))
		putText(event, names[told.name]);
});

listen(window, "keydown", event => {
	const action = event.key && isMeant(event) && actionOf(event);
	if (action && action(event) !== false)
		event.preventDefault();
});

window.addEventListener("popstate", restoreState);

set(svg, { tabindex: 0, role: "application",
    "aria-roledescription": "flame graph",
    "aria-label": titleText.textContent });
set(details, { "aria-live": "polite" });
details.before(lowerBar);
unzoomButton.before(upperBar);
addButton("ignorecase", toggleCase, "ic", "Ignore letter case");
addButton("search", () => box ? closeBox() : askForTerm(), "Search");
addButton("help", openKeys, "?", "Keys");
addButton("functions", openTop, "Top",
    "Top functions");
addButton("unzoom", () => {
	focusOn(svg);
	goAndSave([[]]);
}, "Reset Zoom");
requestAnimationFrame(followPart);
restoreState();
(window.requestIdleCallback || setTimeout)(() => {
	read();
	fitLabels();
});
