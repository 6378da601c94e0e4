/*
 * The bars stay in the window: above the frames the buttons, the search box and
 * the title, below them the details.  In a narrow window they take more rows.
 *
 * Lengths are in the picture's units.  A part is the visible part of the
 * picture: its left, upper, right and lower edge.
 */
const EDGE = 10;
const GAP = 14;
const SEP = " \u00b7 ";
const em = num(svg, "font-size");
// for fingers controls are 24 pixels high
const isCoarse = matchMedia("(pointer: coarse)").matches;
const large = isCoarse ? 24 / em : 1;
const HIGH = isCoarse ? 26 / em : 1.8;
svg.toggleAttribute("data-coarse", isCoarse);
const right = () => num(canvas, "width") * scale;
const bottom = () => num(canvas, "height");
let part;
let toldFacts = [], toldName = "";

// Returns a point of the window in the picture's units.  In Firefox
// getScreenCTM knows nothing of scrolling.
const inPicture = (x, y) => {
	const from = boxOf(canvas), pixel = bottom() / from.height;
	return [(x - from.left) * pixel, (y - from.top) * pixel];
};
const pointOf = ({ clientX, clientY }) => inPicture(clientX, clientY);

const findPart = () => {
	let x0 = 0, y0 = 0, x1 = page.clientWidth, y1 = page.clientHeight;
	// an <object> of other proportions has room beside the picture
	for (let el = canvas; el; el = el.parentElement)
		if (el === canvas ||
		    getComputedStyle(el).overflow !== "visible") {
			const edges = boxOf(el);
			x0 = max(x0, edges.left);
			y0 = max(y0, edges.top);
			x1 = min(x1, edges.right);
			y1 = min(y1, edges.bottom);
		}
	return [...inPicture(x0, y0), ...inPicture(x1, y1)];
};

// Centers the title, unless there is more room at a side.
const fitTitle = (from, to) => {
	const larger = num(heading, "font-size") / em;
	const s = fitText(svg.querySelector("title").textContent,
	    (to - from) / larger, "end");
	const half = widthOf(s) * larger / 2;
	write(heading, s);
	set(heading, { x: max(from + half,
	    min(floor(right() / 2), to - half)) });
};

// Places a button to the left or right of x, and returns the room it takes.
const placeButton = (el, x, y, isLeft) => {
	const s = el.textContent.trim();
	write(el, isCoarse && s.length < 2 ? `\u00a0${s}\u00a0` : s);
	const w = widthOf(el.textContent) * large;
	set(el, { x: x - isLeft * w, y, dx: 0, "font-size": em * large });
	return w + GAP;
};

const fitRight = (to, y) => {
	for (const id of ["ignorecase", "search", "functions", "help"])
		to -= placeButton(byId(id), to, y, 1);
	return to;
};

const fitControls = ([x0, y0, x1]) => {
	const y = max(2 * em, y0 + 1.5 * em * sqrt(large));
	let from = x0 + EDGE, rows = 0;
	const up = y - (HIGH + .8) / 2 * em;
	for (const [el, isActive] of [[unzoom, isZoomed()],
	    [byId("reset"), changes[0] || term()]]) {
		const w = placeButton(el, from, y, 0);
		show(el, isActive);
		from += isActive ? w : 0;
	}
	let to = fitRight(x1 - EDGE, y);
	if (box && to - from < 12 * em) {
		write(finder, "\u00d7");
		to = fitRight(x1 - EDGE, y);
	}
	if (box) {
		rows = to - from < 8 * em ? 1 : 0;
		const w = min(300, rows ? x1 - x0 - 2 * EDGE : to - from);
		place(box, rows ? x0 + EDGE : to - w,
		    up + (HIGH + .4) * rows * em, w, HIGH * em);
		to -= rows ? 0 : w + GAP;
	}
	if (bar) {
		const w = to - from < 8 * em ? 0 : to - from;
		place(bar, from, up, w, HIGH * em);
		to = from;
	}
	fitTitle(from, to);
	const below = y + (.7 + (HIGH + .4) * rows) * em;
	place(upper, x0, y0, x1 - x0, y0 > 0 || rows ? below - y0 : 0);
	return below;
};

// Makes at most two lines.  The name loses its middle, the last facts their
// ends.
const breakFacts = (room, beside, most) => {
	const least = fitText(toldName, 12 * em), lines = [least];
	for (const fact of toldFacts) {
		const last = lines.pop(), more = (last && last + SEP) + fact;
		if (lines.length + 1 < most && last &&
		    widthOf(more) > room - beside)
			lines.push(last + SEP, fact);
		else
			lines.push(more);
	}
	const rest = lines[0].slice(least.length);
	lines[0] = fitText(toldName, max(12 * em,
	    room - beside - widthOf(rest))) + rest;
	return lines.map((s, at) =>
		fitText(s, room - (at ? 0 : beside), "end"));
};

const fitStatus = ([x0, , x1, y1]) => {
	const told = matched.textContent.trim();
	const room = x1 - x0 - 2 * EDGE, x = x0 + EDGE;
	const wide = told && widthOf(told) + GAP;
	// what a search found is at the right, or above
	const fits = wide < room - 12 * em;
	const lines = breakFacts(room, fits && wide, fits ? 2 : 1);
	const y = min(bottom() - em - 5, y1 - .7 * em);
	const rise = row => y - 1.4 * em * row;
	const most = lines.length - 1;
	const above = told && lines[0] && !fits ? 1 : most;
	write(details, ...lines[0] ? lines.map((s, i) =>
		make("tspan", { x, y: rise(most - i) }, s)) : [" "]);
	set(matched, { x: x1 - EDGE - widthOf(told), y: rise(above), dx: 0 });
	const from = rise(max(above, most)) - 1.1 * em;
	const to = y1 < bottom() - 1 ? y1 : y - from < 2 * em ? from :
	    y + .3 * em;
	place(lower, x0, from, x1 - x0, lines[0] || told ? to - from : 0);
};

const partSeen = () => part = part || findPart();

const fitBars = () => {
	const [x0, , x1, y1] = partSeen();
	write(finder, term() ? "Reset Search" : "Search");
	const below = fitControls(part);
	fitStatus(part);
	added.sticks.forEach(act => act(part));
	if (legend)
		set(legend, { transform: `translate(0 ${grown + spare})` });
	if (panel)
		place(panel, x0, below, x1 - x0, max(y1 - below, 0));
};

const follow = () => {
	const found = findPart();
	if (found[2] > found[0] && found[3] > found[1]) {
		part = found;
		fitBars();
	}
};

// Scrolls a frame to a part of the height between the bars.
const reveal = ({ x, y }, where) => {
	const [x0, y0, x1, y1] = findPart(), bars = 4 * em + spare;
	const isSeen = y >= y0 + bars && y <= y1 - bars;
	scrollBy(x * scale < x1 ? 0 : x * scale - (x0 + x1) / 2,
	    isSeen ? 0 : y - y0 - bars - where * (y1 - y0 - 2 * bars));
};

const say = (name, facts = []) => {
	toldFacts = facts;
	toldName = name;
	fitStatus(partSeen());
};

on(window, "scroll resize afterprint", follow, true);
// paper shows all there is
on(window, "beforeprint", () => {
	part = [0, 0, right(), bottom()];
	fitBars();
});
