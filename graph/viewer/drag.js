/*
 * The drag of a mouse, which selects a range of time in a flame chart.  Other
 * pictures leave this out.
 */

// where the button went down, the range so far, and where the button was let go
let origin = null, dragged = null, released = null;
// keeps frames from being pointed at
const sheet = make("rect", { id: "sheet" });

// Returns the time at a place, to a round number that is less than a pixel.
const timeAt = ({ clientX, clientY }) => {
	const [x] = inPicture(clientX, clientY), [begin, end] = spanOf(zoom);
	const pixel = (end - begin) / (width * scale);
	const grain = 10 ** floor(Math.log10(pixel));
	const at = begin + (x - left * scale) * pixel;
	return max(begin, min(end,
	    +(Math.round(at / grain) * grain).toPrecision(15)));
};

// The time under the pointer, on the axis.
const cursor = ["path", "text"].map(tag => make(tag, { class: "halo" }));
const hideCursor = () => cursor.forEach(el => el.remove());
const showCursor = e => {
	const [x, y] = inPicture(e.clientX, e.clientY);
	measureRows();
	if (merged || y < upperEdge || x < left * scale ||
	    x > (left + width) * scale)
		return hideCursor();
	const [line, time] = cursor, s = spell(timeAt(e));
	const half = widthOf(s) / 2;
	write(time, s);
	set(line, { d: `M${x} ${axisTop}V-99999` });
	set(time, { x: max(half, min(right() - half, x)),
		y: axisTop + fontSize });
	axis.append(...cursor);
};
if (byId("axis")) {
	on(svg, "mousemove", showCursor);
	on(svg, "mouseleave", hideCursor);
}

const isNear = (e, to) => to &&
    abs(e.clientX - to.clientX) + abs(e.clientY - to.clientY) < 5;

const endDrag = () => {
	origin = dragged = null;
	sheet.remove();
};

const cancelDrag = () => {
	endDrag();
	showRange(rangeNow());
	tell(here);
};

// True if a drag may begin: on frames, between them or on the axis.  Other
// buttons and fingers scroll; with Shift, text is selected.
const isHandle = e => {
	const [, y] = inPicture(e.clientX, e.clientY);
	measureRows();
	return e.pointerType === "mouse" && !e.button && !merged &&
	    !e.shiftKey && !e.altKey && !withCtrl(e) &&
	    e.target.closest("g, rect") &&
	    y > upperEdge && y < lowerEdge + 1.5 * em;
};

on(svg, "pointerdown", e => {
	endDrag();
	if (isHandle(e))
		origin = e;
});

on(window, "pointermove", e => {
	if (!isNear(e, released))
		released = null;
	if (!origin || !dragged && isNear(e, origin))
		return;
	if (!dragged) {
		getSelection().removeAllRanges();
		svg.append(place(sheet, 0, 0, get(canvas, "width"), bottom()));
	}
	dragged = [origin, e].map(timeAt).sort((a, b) => a - b);
	showRange(dragged);
	sayRange(dragged);
});

on(window, "pointerup", e => {
	const range = dragged;
	endDrag();
	if (!range)
		return;
	released = e;
	told = null;
	select(range);
});

// A wheel with Ctrl zooms at the pointer.
on(svg, "wheel", e => {
	if (merged || !withCtrl(e))
		return;
	e.preventDefault();
	const at = timeAt(e), much = 1.25 ** Math.sign(e.deltaY);
	const [begin, end] = spanOf(zoom).map(time => at + (time - at) * much);
	if (end - begin > endOf[0] / 1e9)
		zoomToTime([max(0, begin), min(endOf[0], end)], true);
}, { passive: false });

on(window, "pointercancel", () => dragged && cancelDrag());

// the line tells of the selection until the mouse moves on
on(window, "mouseover mousemove mouseout", e => isNear(e, released) &&
    e.stopPropagation(), true);

on(window, "keydown", e => {
	if (dragged && e.key === "Escape") {
		cancelDrag();
		e.stopPropagation();
	}
}, true);
