/*
 * Mouse and keys: which frame an event is for, and what it does.
 */
const groupAt = event => event.target.closest("g[data-nametype] > *");

function frameAt(event) {
	const group = groupAt(event);
	if (!view)
		return groups.indexOf(group);
	// the middle of the pixel that the mouse is on
	const at = new DOMPoint(event.clientX + 0.5, event.clientY + 0.5)
	    .matrixTransform(svg.getScreenCTM().inverse());
	for (const [frame, { x, wide, copy }] of shown)
		if (copy ? copy === group : group.localName === "path" &&
		    at.y >= top[frame] && at.y <= top[frame] + height &&
		    at.x <= (x + wide) * scale)
			return frame;
	return zoomed;
}

// In a page of other things, keys are for the picture with the focus,
// those that type nothing also for the picture under the mouse.
const isInside = event => svg === document.documentElement ||
    event.composedPath().includes(svg);
const isMeant = event => isInside(event) || svg.matches(":hover");

// Returns what a key does, or undefined.
function actionOf(event) {
	const { key, target, altKey, shiftKey } = event;
	const ctrl = event.ctrlKey || event.metaKey;
	const letter = event.ctrlKey && !shiftKey && !altKey &&
	    key.toLowerCase();
	if (key === "F3" || letter === "f")
		return askForTerm;
	if (letter === "i")
		return toggleCase;
	if (key === "Escape" && (keys || box))
		return keys ? toggleKeys : closeBox;
	if (!isInside(event) || altKey || ctrl && key !== "Enter")
		return;
	if (target === input)
		return key === "Enter" ? () => step(shiftKey) : undefined;
	if (/^(Enter| )$/.test(key) && target.matches("[role=button]"))
		return () => click(target);
	if (key === "Enter" && focused >= 0)
		return () => enter(focused, ctrl);
	if (/^Arrow/.test(key))
		return () => focus(focused >= 0 ? neighbor(focused, key) :
		    visibleFrames().includes(told) ? told : zoomed);
	if (/^(Escape|Backspace)$/.test(key) && zoomed > 0)
		return () => zoomAndSave(earlier.at(-1) ?? 0);
	if (/^n$/i.test(key) && term() !== "")
		return () => step(shiftKey);
	return { "/": askForTerm, "?": toggleKeys }[key];
}
