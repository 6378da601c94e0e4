/*
 * The bars, which stay in the window even if the picture is larger: above the
 * frames the buttons, the search box and the title, below them the details.  In
 * a narrow window they take more rows.
 *
 * Lengths are in the picture's units.  A part is the visible part of the
 * picture: its left, upper, right and lower edge.
 */
const EDGE = 10;
const GAP = 14;
const em = num(svg, "font-size");
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

// Returns the visible part of the picture.
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

const fitRight = (to, y) => {
	for (const id of ["ignorecase", "search", "functions", "help"]) {
		const el = byId(id);
		to -= widthOf(el.textContent);
		set(el, { x: to, y, dx: 0 });
		to -= GAP;
	}
	return to;
};

// Returns where the bar ends.
const fitControls = ([x0, y0, x1]) => {
	const y = max(2 * em, y0 + 1.5 * em);
	let from = x0 + EDGE, rows = 0;
	for (const [el, isActive] of [[unzoom, isZoomed()],
	    [byId("reset"), changes[0] || term()]]) {
		show(set(el, { x: from, y }), isActive);
		from += isActive ? widthOf(el.textContent) + GAP : 0;
	}
	let to = fitRight(x1 - EDGE, y);
	if (box && to - from < 12 * em) {
		write(finder, "\u00d7");
		to = fitRight(x1 - EDGE, y);
	}
	if (box) {
		rows = to - from < 8 * em ? 1 : 0;
		const w = min(200, rows ? x1 - x0 - 2 * EDGE : to - from);
		place(box, rows ? x0 + EDGE : to - w,
		    y + (2.2 * rows - 1.3) * em, w, 1.8 * em);
		to -= rows ? 0 : w + GAP;
	}
	if (bar) {
		const w = to - from < 8 * em ? 0 : to - from;
		place(bar, from, y - 1.3 * em, w, 1.8 * em);
		to = from;
	}
	fitTitle(from, to);
	const below = y + (.7 + 2.2 * rows) * em;
	place(upper, x0, y0, x1 - x0, y0 > 0 || rows ? below - y0 : 0);
	return below;
};

// Breaks the facts into lines; returns these, and true if there is as much room
// beside them.  Shortens only the name.
const breakFacts = (room, beside) => {
	const lines = [""];
	let at = 0;
	const add = (s, sep) => {
		if (lines[at] && widthOf(lines[at] + sep + s) > room) {
			lines[at] += sep;
			at = lines.push("") - 1;
		}
		lines[at] += (lines[at] && sep) + s;
	};
	for (const fact of toldFacts)
		add(fact, ", ");
	const least = fitText(toldName, 12 * em);
	const fits = !at &&
	    widthOf(lines[0] + "; " + least) + beside <= room;
	if (toldName) {
		add(least, "; ");
		const start = lines[at].slice(0, -least.length);
		lines[at] = start + fitText(toldName, room - widthOf(start) -
		    (fits ? beside : 0));
	}
	return [lines, fits];
};

const fitStatus = ([x0, , x1, y1]) => {
	const told = matched.textContent.trim();
	const room = x1 - x0 - 2 * EDGE, x = x0 + EDGE;
	const [lines, fits] = breakFacts(room, told && widthOf(told) + GAP);
	// the last one below; the matches are beside a single line, or above
	const y = min(bottom() - em - 5, y1 - .7 * em);
	const rise = row => y - 1.4 * em * row;
	const most = lines.length - 1;
	const above = told && lines[0] && !fits ? most + 1 : 0;
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
	if (panel)
		place(panel, x0, below, x1 - x0, max(y1 - below, 0));
};

// Runs when the picture or the window is scrolled, or has another size.
const follow = () => {
	const found = findPart();
	if (found[2] > found[0] && found[3] > found[1]) {
		part = found;
		fitBars();
	}
};

// Scrolls the window to a frame, unless it is between the bars, and puts it at a
// part of the height between them.
const reveal = ({ x, y }, where) => {
	const [x0, y0, x1, y1] = findPart(), bars = 4 * em;
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
