/*
 * What stays in the visible part of the window, also where the picture is
 * larger: above the frames what is pressed, the search box and the title, below
 * them what is told.  Where the window is narrow they share their rows, and then
 * take more of them.
 *
 * Lengths are in the picture's units, and what is seen of it is a part: its left,
 * upper, right and lower edge.
 */
const MARGIN = 10;
const GAP = 14;
const fullTitle = svg.querySelector(":scope > title");
const titleText = byId("title");
const em = number(svg, "font-size");
const wholeWidth = () => fluid ? seenPart[4] :
    number(canvas, "width");
const bottom = () => number(canvas, "height");

// from the right
const RIGHT_BUTTONS = ["ignorecase", "search", "functions", "help"];
// panels that fill the part between the bars
const panels = new Set();
const [upperBar, lowerBar] = ["upper", "lower"].map(id =>
	byId(id) || create("rect", { id }));
let seenPart;
let toldFacts = [], toldName = "";

// Makes a button of a text, which may not be printed.
function addButton(id, action, label, name) {
	const control = byId(id) || create("text", { id });
	if (!control.parentNode)
		searchButton.before(control);
	set(control, { tabindex: 0, role: "button" });
	control.textContent = label;
	if (name)
		set(control, { "aria-label": name });
	listen(control, "click", action);
}

// Returns a point of the window in the picture's units.  In Firefox getScreenCTM
// knows nothing of scrolling.
function inPicture(x, y) {
	const box = boxOf(canvas);
	const pixel = bottom() / box.height;
	return [(x - box.left) * pixel, (y - box.top) * pixel];
}

// Finds what is seen of the picture, and as the fifth its width.
function findPart() {
	const { clientWidth, clientHeight } = page;
	const own = boxOf(svg);
	let edges = [0, 0, clientWidth, clientHeight];
	const narrow = ({ left: a, top: b, right: c, bottom: d }) =>
		edges = [a, b, c, d].map((edge, i) => i < 2 ?
		    Math.max(edge, edges[i]) : Math.min(edge, edges[i]));
	narrow(own);
	for (let outer = svg.parentElement; outer; outer = outer.parentElement)
		if (getComputedStyle(outer).overflow !== "visible")
			narrow(boxOf(outer));
	const [x0, y0, x1, y1] = edges;
	return [...inPicture(x0, y0), ...inPicture(x1, y1), own.width];
}

// Centers the title, unless there is more room aside.
function fitTitle(from, to) {
	const larger = number(titleText, "font-size") / em;
	const text = fitText(fullTitle.textContent, (to - from) / larger, "end");
	const half = textWidth(text) * larger / 2;
	const middle = Math.floor(wholeWidth() / 2);
	titleText.textContent = text;
	set(titleText, { x: Math.max(from + half, Math.min(middle, to - half)) });
}

function placeRight(to, y) {
	for (const control of RIGHT_BUTTONS.map(byId)) {
		to -= textWidth(control.textContent);
		set(control, { x: to, y, dx: 0 });
		to -= GAP;
	}
	return to;
}

// Returns where the bar ends.
function placeControls([x0, y0, x1]) {
	const y = Math.max(2 * em, y0 + 1.5 * em);
	let from = x0 + MARGIN, rows = 0;
	set(unzoomButton, { x: from, y });
	if (!unzoomButton.classList.contains("hide"))
		from += textWidth(unzoomButton.textContent) + GAP;
	let to = placeRight(x1 - MARGIN, y);
	if (box && to - from < 12 * em) {
		searchButton.textContent = "\u00d7";
		to = placeRight(x1 - MARGIN, y);
	}
	if (box) {
		rows = to - from < 8 * em ? 1 : 0;
		const wide = Math.min(200, rows ? x1 - x0 - 2 * MARGIN : to - from);
		set(box, { x: rows ? x0 + MARGIN : to - wide, width: wide,
		    y: y + (2.2 * rows - 1.3) * em, height: 1.8 * em });
		to -= rows ? 0 : wide + GAP;
	}
	if (bar) {
		const wide = to - from < 8 * em ? 0 : to - from;
		set(bar, { x: from, width: wide, y: y - 1.3 * em,
		    height: 1.8 * em });
		to = from;
	}
	fitTitle(from, to);
	const below = y + (0.7 + 2.2 * rows) * em;
	set(upperBar, { x: x0, y: y0, width: x1 - x0, height: below - y0 });
	setClass(upperBar, "hide", y0 <= 0 && !rows);
	return below;
}

// Breaks the facts into lines; returns them, and whether there is room for so
// much beside them.  The name is the one that is shortened.
function breakFacts(room, beside) {
	const lines = [""];
	let last = 0;
	const add = (text, between) => {
		if (lines[last] && textWidth(lines[last] + between + text) > room) {
			lines[last] += between;
			last = lines.push("") - 1;
		}
		lines[last] += (lines[last] && between) + text;
	};
	for (const fact of toldFacts)
		add(fact, ", ");
	const least = fitText(toldName, 12 * em, "middle");
	const fitting = last === 0 &&
	    textWidth(lines[0] + "; " + least) + beside <= room;
	if (toldName) {
		add(least, "; ");
		const start = lines[last].slice(0, -least.length);
		lines[last] = start + fitText(toldName, room - textWidth(start) -
		    (fitting ? beside : 0), "middle");
	}
	return [lines, fitting];
}

function placeStatus([x0, , x1, y1]) {
	const matched = matchedText.textContent.trim();
	const room = x1 - x0 - 2 * MARGIN, x = x0 + MARGIN;
	const [lines, fitting] = breakFacts(room,
	    matched && textWidth(matched) + GAP);
	// the last one below; what is matched is beside a single line or above all
	const y = Math.min(bottom() - em - 5, y1 - 0.7 * em);
	const rise = row => y - 1.4 * em * row;
	const most = lines.length - 1;
	const above = matched && lines[0] && !fitting ? most + 1 : 0;
	details.textContent = most ? "" : lines[0] || " ";
	set(details, { x, y });
	for (const line of most ? lines : []) {
		const row = create("tspan",
		    { x, y: rise(most - details.childElementCount) });
		row.textContent = line;
		details.append(row);
	}
	set(matchedText, { x: x1 - MARGIN, y: rise(above), dx: 0 });
	const from = rise(Math.max(above, most)) - 1.1 * em;
	const floats = y1 < bottom() - 1;
	set(lowerBar, { x: x0, y: from, width: x1 - x0,
	    height: (floats ? y1 : y + 0.3 * em) - from });
	setClass(lowerBar, "hide", !(lines[0] || matched) ||
	    !floats && y - from < 2 * em);
}

function partSeen() {
	seenPart = seenPart || findPart();
	return seenPart;
}

function placeBars() {
	const [x0, , x1, y1] = partSeen();
	searchButton.textContent = term() ? "Reset Search" : "Search";
	const below = placeControls(seenPart);
	placeStatus(seenPart);
	for (const item of panels)
		set(item, { x: x0, y: below, width: x1 - x0,
		    height: Math.max(y1 - below, 0) });
}

// Runs when the picture or the window is scrolled, or has another size.
function followPart() {
	const found = findPart();
	if (found[2] > found[0] && found[3] > found[1]) {
		seenPart = found;
		placeBars();
	}
}

// Paper shows all there is.
function showWhole() {
	const own = findPart()[4];
	seenPart = [0, 0, own, bottom(), own];
	seenPart[2] = wholeWidth();
	placeBars();
}

function showFacts(facts, name) {
	toldFacts = facts;
	toldName = name;
	if (seenPart)
		placeStatus(seenPart);
	else
		placeBars();
}

for (const type of ["scroll", "resize"])
	window.addEventListener(type, followPart, true);
listen(window, "beforeprint", showWhole);
listen(window, "afterprint", followPart);
