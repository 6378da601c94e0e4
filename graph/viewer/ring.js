/*
 * The ring around the frame that keys are for; they move it from frame to frame.
 * The picture is one tab stop.
 */
// the frame in the ring, or -1
let focused = -1;
let ring;

function focus(frame) {
	const { x, wide } = placeOf(frame);
	focused = frame;
	ring ??= create("rect", { id: "ring" });
	set(ring, { x: x + unit, y: top[frame], width: wide + unit, height });
	(marks ?? view ?? base).after(ring);
	ring.scrollIntoView({ block: "nearest", inline: "nearest" });
	tell(frame);
	showMatched();
}

// Returns the next frame in an arrow's direction, or the same.
function neighbor(frame, key) {
	const visible = visibleFrames();
	const row = visible.filter(i => top[i] === top[frame]);
	const aside = { ArrowLeft: -1, ArrowRight: 1 }[key];
	const inverted = top[count - 1] > top[0];
	if (aside)
		return row[row.indexOf(frame) + aside] ?? frame;
	if (inverted === (key === "ArrowUp"))
		return Math.max(parent[frame], 0);
	return visible.filter(i => parent[i] === frame)
	    .sort((a, b) => width[b] - width[a])[0] ?? frame;
}

// Does what the mouse would do.
function click(element, ctrlKey = false) {
	element.dispatchEvent(new MouseEvent("click",
	    { bubbles: true, cancelable: true, view: window, ctrlKey }));
}

// Frames that share a path are no links.
function enter(frame, ctrlKey) {
	const group = view ? shown.get(frame).copy : groups[frame];
	group ? click(group, ctrlKey) : zoomAndSave(frame);
}
