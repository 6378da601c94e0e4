/*
 * The selection: a range of time in a flame chart, and its flame graph.
 *
 * Changes: "s1.5 3" selects from 1.5 to 3 counts, "z1.5 3" shows them alone;
 * "f" merges frames, "fNAME" those of one thread, all within the range.
 */
const [veil, edges] = ["veil", "edges"].map(id => make("path", { id }));

const rangeOf = c => {
	const [begin, end] = c.slice(1).split(" ").map(Number);
	return /^[sz]/.test(c) && begin >= 0 && begin < end &&
	    end <= endOf[0] && [begin, end];
};

const rangeBy = a => changes.filter(([b]) => a === b).map(rangeOf)
    .find(range => range);
const rangeNow = () => rangeBy("s");
added.span = () => rangeBy("z");

const threadNow = () => (changes.find(([a, b]) => a === "f" && b) || "")
    .slice(1);

added.cut = () => {
	const range = rangeNow(), thread = threadNow();
	return changes.some(c => /^[bcdfhkmrv]/i.test(c)) && (range || thread ?
	    cutTree(range || spanOf(baseRoot), thread) :
	    changes.includes("f") && { ...printed });
};

added.cutView = () => {
	const [begin, end] = spanOf(inLanes() ? zoom : baseRoot);
	const [from, to] = rangeNow() || [begin, end];
	const range = [max(begin, from), max(begin, min(end, to))];
	return !merged && String(range) !== String([0, endOf[0]]) &&
	    cutTree(range);
};

// The spans of time in which a thread is on a processor, four numbers each:
// begin, end, the thread's frame, and how much: 1; -1 takes the time of a wait
// away again; less has the counts of narrow frames somewhere in it.
let spans;
const findSpans = () => {
	const waits = names.map(name =>
		/^\[(blocked|uninterruptible|preempted)]$/.test(name));
	const isIdle = names.map(name => /^swapper(-|$)/.test(name));
	const found = [];
	for (let i = 1; i < size; i++) {
		const isWait = waits[nOf[i]], depth = depthOf[i];
		if (isIdle[nOf[threadOf[i]]])
			continue;
		if (depth === 1 && printed.rest[i])
			addGaps(found, i);
		else if (depth > 1 && isWait !== (depth === 2))
			found.push(startOf[i], endOf[i], threadOf[i],
			    isWait ? -1 : 1);
	}
	spans = floats(found);
};

// Adds the spans of a thread between its frames, with the counts of those that
// are too narrow to be printed.
const addGaps = (found, i) => {
	const above = listAbove(i);
	const density = printed.rest[i] / (endOf[i] - startOf[i] -
	    above.reduce((all, j) => all + endOf[j] - startOf[j], 0));
	let from = startOf[i];
	for (const j of [...above, i]) {
		const to = j === i ? endOf[i] : startOf[j];
		if (to > from)
			found.push(from, to, i, density);
		from = endOf[j];
	}
};

const busyIn = ([begin, end], thread) => {
	let all = 0;
	if (!spans)
		findSpans();
	for (let at = 0; at < spans.length; at += 4) {
		const time = min(spans[at + 1], end) - max(spans[at], begin);
		if (time > 0 && isInThread(spans[at + 2], thread))
			all += time * spans[at + 3];
	}
	return all;
};

const { spell, times: spellRange, label: textOf } = added;
added.label = c => {
	const range = rangeOf(c), thread = c.slice(1);
	if (c[0] === "f")
		return "flame graph" + (thread && " of " + thread);
	return !/^[sz]/.test(c) ? textOf(c) : range &&
	    (c[0] === "z" ? "zoom to " : "") +
	    spell(range[1] - range[0]) + " " + spellRange(range);
};

const sayRange = range => {
	const length = range[1] - range[0], busy = busyIn(range, threadNow());
	say("", [spell(length) + " selected", spellRange(range),
	    "on a processor " + spell(busy), percent(busy, length)]);
};

added.blank = () => {
	const range = rangeNow();
	if (range)
		sayRange(range);
	return range;
};

// with the strip above lanes
const findEdges = () => {
	const high = deepest * (height + 1), y = inverted ? top : top - high;
	return [given.lanes ? stripTop() : y, y + high + height + grown];
};

const showRange = range => {
	kin.before(veil, edges);
	const [y, to] = findEdges();
	const [x0, x1] = [left, left + width].map(x => x * scale);
	const [begin, end] = merged ? [] : spanOf(zoom);
	const [from, until] = !range || merged ? [x0, x1] : range.map(at =>
		x0 + (x1 - x0) * max(0, min(1, (at - begin) / (end - begin))));
	set(veil, { d: `M${x0} ${y}H${from}V${to}H${x0}zM${until} ${y}H${
		x1}V${to}H${until}z` });
	set(edges, { d: [from, until].filter(x => x > x0 && x < x1)
	    .map(x => `M${x} ${y}V${to}`).join("") });
};

added.draws.push(() => {
	showRange(rangeNow());
	if (!told && !here)
		tell(null);
});

const withRange = ([begin, end]) => changesBut("s", `s${begin} ${end}`);
const select = range => range[0] < range[1] &&
    visit([withRange(range)], zoom);

// Moves an end of the range to that of a frame.  The other end, if it is on the
// wrong side, becomes that of the view.
const moveEdge = isEnd => {
	if (merged)
		return false;
	const [from, to] = spanOf(subject()), all = spanOf(zoom);
	const [begin, end] = rangeNow() || all;
	select(isEnd ? [begin < to ? begin : all[0], to] :
	    [from, end > from ? end : all[1]]);
};

const toggleMerge = thread => {
	const inTime = changesBut("f");
	if (inTime.length < changes.length)
		return visit([inTime]);
	const isAll = rangeNow() || merged || !isZoomed();
	visit([[...isAll ? changes : withRange(spanOf(zoom)), "f" + thread]]);
	// stacks may be higher than the window
	root.el.style.scrollMargin = "4em";
	root.el.scrollIntoView({ block: "nearest" });
};

// Shows a time alone; all of it is no zoom.
const zoomToTime = (range, isMore) => {
	const [begin, end] = range.map(at => +at.toPrecision(12));
	const isAll = begin <= 0 && end >= endOf[0];
	visit([changesBut("sz", ...isAll ? [] : [`z${begin} ${end}`])],
	    root, isMore);
};

ACTIONS.splice(-4, 0,
	["[ ,", "select from the begin of the frame", () => moveEdge(false)],
	["] .", "select to the end of the frame", () => moveEdge(true)],
	["z", "zoom to the selection (Ctrl-wheel: at the pointer)",
		() => !merged && !!rangeNow() && zoomToTime(rangeNow())],
	["f", "flame graph of the selection", () => toggleMerge("")],
	["F", "flame graph of the frame's thread", () => {
		const { parts: [i] } = subject();
		return !merged && !!i && toggleMerge(names[nOf[threadOf[i]]]);
	}]);

// where the button went down, the range so far, and where the button was let go
let origin = null, dragged = null, released = null;
// keeps frames from being pointed at
const sheet = make("rect", { id: "sheet" });

// Returns the time at a place, to a round number that is less than a pixel.
const timeAt = e => {
	const [x] = pointOf(e), [begin, end] = spanOf(zoom);
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
	const [x, y] = pointOf(e);
	if (merged || y < findEdges()[0] || x < left * scale ||
	    x > (left + width) * scale)
		return hideCursor();
	const [line, time] = cursor, s = spell(timeAt(e));
	write(time, s);
	set(line, { d: `M${x} ${axisTop}V-99999` });
	set(time, { x: centerText(s, x), y: axisTop + fontSize });
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

// True if a drag may begin: on frames, between them or on the axis.  Fingers
// scroll; with Shift, text is selected.
const isHandle = e => {
	const [, y] = pointOf(e), [from, to] = findEdges();
	return e.pointerType === "mouse" && !e.button && !merged &&
	    !e.shiftKey && !e.altKey && !withCtrl(e) &&
	    e.target.closest("g, rect") &&
	    y > from && y < to + 1.5 * em;
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
