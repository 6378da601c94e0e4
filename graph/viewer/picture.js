/*
 * The viewer runs inside the SVG, which may be a file, embedded, or pasted into
 * an HTML page.  make joins the modules of this folder into one function: all
 * see what one declares, and start.js starts them.
 *
 * This module owns the picture around the frames.
 */
const { abs, floor, max, min, sqrt } = Math;
const script = document.currentScript;
const svg = script.closest("svg");
// frames may have ids of their own, from --nameattr
const byId = id => svg.querySelector(":scope>#" + id);
const base = svg.querySelector(":scope>g");

// A page that was saved with a view or a panel opens as it was printed.  A
// selector for all of it would make loading take a tenth longer.
for (const el of [...svg.children])
	if (el.matches("g~:not(text):not(#axis):not(script):not(metadata)"))
		el.remove();
base.id = "frames";
for (const el of base.querySelectorAll(".match"))
	el.classList.remove("match");
for (const el of base.querySelectorAll(":scope>:first-child>text"))
	el.remove();

const [canvas, heading, details, matched, unzoom, finder, legend] =
    ["canvas", "title", "details", "matched", "unzoom", "search", "legend"]
    .map(byId);
const get = (el, k) => el.getAttribute(k);
const num = (el, k) => parseFloat(get(el, k));
const fullHeight = +base.dataset.high || num(svg, "height");

// A fluid picture is as wide as the window: x and width are per cent.
const given = base.dataset;
const unit = "fluid" in given ? "%" : "";
// 0.1 pixels, the default of --minwidth
const narrowest = unit ? .01 : .1;
const page = document.documentElement;
const boxOf = el => el.getBoundingClientRect();

// the second picture in a page keeps its state in x2, y2, s2 and i2
const pictures = document.querySelectorAll("svg>#frames").length;
const suffix = pictures > 1 ? pictures : "";

// Hooks for the modules that only some pictures have, EXTRAS in the Makefile.
const added = {
	// facts of a frame; what is drawn with a view, or stays in the window
	facts: [], draws: [], sticks: [],
	// frames that are never narrow; names that titles hide
	isWide() {}, names() {},
	// both counts of folded text; the share and the color of a change
	split: n => [n], change: () => "", tint() {},
	// the rows of lanes, those in the window, and the names of lanes
	placeRows() {}, isNear: () => true, nameLane() {},
	// the time of a zoom, and the trees of a selection and of the view
	span() {}, cut() {}, cutView() {},
	// counts or, with an axis, times
	spell: n => commas(n) + " " + given.unit,
	times: ([begin, end]) => `from ${commas(begin)} to ${commas(end)}`,
	// the text of a change, the line without a frame, and what can wait
	label: c => WORDS[c[0]] && WORDS[c[0]] + c.slice(1),
	blank() {}, start() {}
};

const ints = n => new Int32Array(n);
const floats = n => new Float64Array(n);

const set = (el, attrs) => {
	for (const k in attrs)
		el.setAttribute(k, attrs[k]);
	return el;
};

const maker = ns => (tag, attrs, ...inner) => {
	const el = set(document.createElementNS(ns, tag), attrs);
	el.append(...inner);
	return el;
};
const make = maker(svg.namespaceURI);
const html = maker("http://www.w3.org/1999/xhtml");
const show = (el, isShown) => set(el, { display: isShown ? "inline" : "none" });
const place = (el, x, y, width, height) => set(el, { x, y, width, height });

// on the frames: narrow matches, a function's other frames, the ring for keys;
// under the texts around them two papers
const [marks, kin] = ["marks", "kin"].map(id => make("path", { id }));
const [ring, upper, lower] = ["ring", "upper", "lower"].map(id =>
	make("rect", { id }));
base.after(marks, kin);

const write = (el, ...inner) => {
	el.textContent = "";
	el.append(...inner);
};

// Puts HTML over the picture, where fitBars sets its size.
const addHtml = (id, inner) =>
	svg.appendChild(make("foreignObject",
	    { id, "pointer-events": "none" }, inner));

// Returns the target.
const on = (target, types, act, capture) => {
	for (const type of types.split(" "))
		target.addEventListener(type, e => {
			read();
			act(e);
		}, capture);
	return target;
};

const focusOn = el => {
	isKeyed(true);
	el.focus({ preventScroll: true });
};

// Browsers outline what has the focus once a key is pressed, here the window.
// Only the Tab key asks for it.
const isKeyed = to => svg.classList.toggle("keyed", to);
