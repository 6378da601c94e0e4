/*
 * What stays in the visible part of the window, also where the picture is
 * larger: above the frames what is pressed, the search box and the title, below
 * them what is told.  Where the window is narrow they share their rows, and
 * then take more of them.
 *
 * Lengths are in the picture's units, and what is seen of it is a part: its
 * left, upper, right and lower edge.
 */
const EDGE = 10;
const GAP = 14;
const fullTitle = svg.querySelector(":scope > title");
const heading = byId("title");
const em = num(svg, "font-size");
const wholeWidth = () => fluid ? 100 * scale : num(canvas, "width");
const bottom = () => num(canvas, "height");

const [upperBar, lowerBar] = ["upper", "lower"].map(id =>
	byId(id) || create("rect", { id }));
let part;
let toldFacts = [], toldName = "";

// Makes a button of a text, which may not be printed.
const addButton = (id, act, label, told) => {
	const el = byId(id) || create("text", { id });
	if (!el.parentNode)
		searchButton.before(el);
	set(el, { tabindex: 0, role: "button" });
	el.textContent = label;
	if (told)
		set(el, { "aria-label": told });
	listen(el, "click", act);
};

// Returns a point of the window in the picture's units.  In Firefox
// getScreenCTM knows nothing of scrolling.
const inPicture = (x, y) => {
	const from = boxOf(canvas), pixel = bottom() / from.height;
	return [(x - from.left) * pixel, (y - from.top) * pixel];
};

// Finds what is seen of the picture.
const findPart = () => {
	let x0 = 0, y0 = 0, x1 = page.clientWidth, y1 = page.clientHeight;
	for (let el = svg; el; el = el.parentElement)
		if (el === svg || getComputedStyle(el).overflow !== "visible") {
			const edges = boxOf(el);
			x0 = max(x0, edges.left);
			y0 = max(y0, edges.top);
			x1 = min(x1, edges.right);
			y1 = min(y1, edges.bottom);
		}
	return [...inPicture(x0, y0), ...inPicture(x1, y1)];
};

// Centers the title, unless there is more room aside.
const fitTitle = (from, to) => {
	const larger = num(heading, "font-size") / em;
	const s = fitText(fullTitle.textContent, (to - from) / larger, "end");
	const half = widthOf(s) * larger / 2;
	heading.textContent = s;
	set(heading, { x: max(from + half,
	    min(floor(wholeWidth() / 2), to - half)) });
};

const placeRight = (to, y) => {
	for (const id of ["ignorecase", "search", "functions", "help"]) {
		const el = byId(id);
		to -= widthOf(el.textContent);
		set(el, { x: to, y, dx: 0 });
		to -= GAP;
	}
	return to;
};

// Returns where the bar ends.
const placeControls = ([x0, y0, x1]) => {
	const y = max(2 * em, y0 + 1.5 * em);
	let from = x0 + EDGE, rows = 0;
	set(unzoom, { x: from, y });
	if (!unzoom.classList.contains("hide"))
		from += widthOf(unzoom.textContent) + GAP;
	let to = placeRight(x1 - EDGE, y);
	if (box && to - from < 12 * em) {
		searchButton.textContent = "\u00d7";
		to = placeRight(x1 - EDGE, y);
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
	const below = y + (0.7 + 2.2 * rows) * em;
	place(upperBar, x0, y0, x1 - x0, y0 > 0 || rows ? below - y0 : 0);
	return below;
};

// Breaks the facts into lines; returns them, and whether there is room for so
// much beside them.  The name is the one that is shortened.
const breakFacts = (room, beside) => {
	const lines = [""];
	let line = 0;
	const add = (s, between) => {
		if (lines[line] && widthOf(lines[line] + between + s) > room) {
			lines[line] += between;
			line = lines.push("") - 1;
		}
		lines[line] += (lines[line] && between) + s;
	};
	toldFacts.forEach(fact => add(fact, ", "));
	const least = fitText(toldName, 12 * em, "middle");
	const isBeside = !line &&
	    widthOf(lines[0] + "; " + least) + beside <= room;
	if (toldName) {
		add(least, "; ");
		const start = lines[line].slice(0, -least.length);
		lines[line] = start + fitText(toldName, room - widthOf(start) -
		    (isBeside ? beside : 0), "middle");
	}
	return [lines, isBeside];
};

const placeStatus = ([x0, , x1, y1]) => {
	const told = matched.textContent.trim();
	const room = x1 - x0 - 2 * EDGE, x = x0 + EDGE;
	const [lines, isBeside] = breakFacts(room, told && widthOf(told) + GAP);
	// the last one below; what is matched is beside a single line or on top
	const y = min(bottom() - em - 5, y1 - 0.7 * em);
	const rise = row => y - 1.4 * em * row;
	const most = lines.length - 1;
	const above = told && lines[0] && !isBeside ? most + 1 : 0;
	details.textContent = "";
	details.append(...lines[0] ? lines.map((line, i) =>
		create("tspan", { x, y: rise(most - i) }, line)) : [" "]);
	set(matched, { x: x1 - EDGE, y: rise(above), dx: 0 });
	const from = rise(max(above, most)) - 1.1 * em;
	const to = y1 < bottom() - 1 ? y1 : y - from < 2 * em ? from :
	    y + 0.3 * em;
	place(lowerBar, x0, from, x1 - x0, lines[0] || told ? to - from : 0);
};

const partSeen = () => part = part || findPart();

const placeBars = () => {
	const [x0, , x1, y1] = partSeen();
	searchButton.textContent = term() ? "Reset Search" : "Search";
	const below = placeControls(part);
	placeStatus(part);
	if (panel)
		place(panel, x0, below, x1 - x0, max(y1 - below, 0));
};

// Runs when the picture or the window is scrolled, or has another size.
const follow = () => {
	const found = findPart();
	if (found[2] > found[0] && found[3] > found[1]) {
		part = found;
		placeBars();
	}
};

// Paper shows all there is.
const showWhole = () => {
	part = [0, 0, wholeWidth(), bottom()];
	placeBars();
};

const say = (facts, name) => {
	[toldFacts, toldName] = [facts, name];
	placeStatus(partSeen());
};

listen(window, "scroll resize", follow, true);
listen(window, "beforeprint", showWhole);
listen(window, "afterprint", follow);
