/*
 * The viewer of a flame graph: runs inside the SVG that flamegraph prints,
 * opened as a file, embedded, or pasted into an HTML page.
 *
 * The frames are the children of <g id="frames">, in pre-order: a parent,
 * then its subtree, from left to right.  They are read once, into arrays
 * indexed by a frame's place in that order.  There a subtree is a range,
 * frame to end[frame], and what is too narrow to be seen is skipped with
 * all that stands on it.
 *
 * The picture as printed, the base, is never moved or resized.  To zoom, a
 * cover that looks like the background hides it, and a view on the cover
 * holds copies of just the frames that the zoom makes visible: a zoom costs
 * as much as it shows, a reset only drops cover and view.  While there is a
 * view it has the id "frames", so whoever looks for frames finds those that
 * are seen.
 *
 * Zoom and search are kept in the URL: x and y are the zoomed frame's
 * coordinates in the base, s is the search term.
 */
(() => {
	"use strict";

	const XHTML = "http://www.w3.org/1999/xhtml";
	// pixels; what flamegraph leaves out too unless told otherwise
	const NARROWEST = 0.1;
	const LABEL_INDENT = 3;

	const svg = document.currentScript.closest("svg");
	// frames may have ids of their own, from --nameattr
	const byId = id => svg.querySelector(":scope > #" + id);
	const base = byId("frames");
	const details = byId("details");
	const unzoomButton = byId("unzoom");
	const searchButton = byId("search");
	const caseButton = byId("ignorecase");
	const matchedText = byId("matched");

	// the second picture in a page keeps its state in x2, y2 and s2
	const pictures = document.querySelectorAll("#frames").length;
	const suffix = pictures > 1 ? pictures : "";

	const textStyle = getComputedStyle(details);
	const fontSize = parseFloat(textStyle.fontSize);
	const ruler = makeRuler(textStyle);

	const groups = Array.from(base.children);
	const count = groups.length;
	const titles = new Array(count);
	const left = new Float64Array(count);
	const top = new Float64Array(count);
	const width = new Float64Array(count);
	const parent = new Int32Array(count);
	const end = new Int32Array(count).fill(count);

	let zoomed = 0;
	let cover = null;
	let view = null;
	// the frames of the view's children, in their order
	let shown = [];
	let input = null;
	let ignoreCase = false;
	let matches = new Uint8Array(count);

	function readFrames() {
		// stacks grow up, or down in an inverted picture
		const level = frame => Math.abs(top[frame] - top[0]);
		for (let i = 0; i < count; i++) {
			const title = groups[i].firstElementChild;
			const rect = title.nextElementSibling;
			titles[i] = title.textContent;
			left[i] = Number(rect.getAttribute("x"));
			top[i] = Number(rect.getAttribute("y"));
			width[i] = Number(rect.getAttribute("width"));
			let below = i - 1;
			while (below >= 0 && level(below) >= level(i)) {
				end[below] = i;
				below = parent[below];
			}
			parent[i] = below;
		}
	}

	function highlight(group, frame) {
		group.classList.toggle("match", matches[frame] === 1);
	}

	function create(name, attributes) {
		const element = document.createElementNS(svg.namespaceURI, name);
		for (const key in attributes)
			element.setAttribute(key, attributes[key]);
		return element;
	}

	// Labels

	function makeRuler(style) {
		const canvas = document.createElementNS(XHTML, "canvas");
		const context = canvas.getContext("2d");
		context.font = style.fontSize + " " + style.fontFamily;
		return context;
	}

	function fits(text, room) {
		return ruler.measureText(text).width <= room;
	}

	function fitLabel(name, room) {
		let most = Math.min(name.length, Math.ceil(room));
		if (most === name.length && fits(name, room))
			return name;
		let least = 0;
		while (least < most) {
			const middle = (least + most + 1) >> 1;
			if (fits(name.slice(0, middle) + "..", room))
				least = middle;
			else
				most = middle - 1;
		}
		// half a surrogate pair is no character
		const start = name.slice(0, least).replace(/[\uD800-\uDBFF]$/, "");
		return start && start + "..";
	}

	// "main (1,234 samples, 56.78%)" -> "main"
	function nameOf(title) {
		return title.replace(/ ?\([^(]*\)$/, "");
	}

	function refit(group, rect, title, x, room) {
		// nothing is legible in less, and most frames have less
		if (room < fontSize)
			return;
		let text = rect.nextElementSibling;
		// a title from --nameattr need not tell the name, a whole label does
		const old = text ? text.textContent : "..";
		const name = old.endsWith("..") ? nameOf(title) : old;
		if (!text) {
			const middle = Number(rect.getAttribute("y")) +
			    Number(rect.getAttribute("height")) / 2;
			text = group.appendChild(create("text", { y: middle + 3 }));
		}
		text.setAttribute("x", x);
		text.textContent = fitLabel(name, room);
	}

	// Zoom

	function copyFrame(frame, x, wide) {
		const group = groups[frame].cloneNode(true);
		const rect = group.firstElementChild.nextElementSibling;
		rect.setAttribute("x", x);
		rect.setAttribute("width", wide);
		refit(group, rect, titles[frame], x + LABEL_INDENT,
		    wide - LABEL_INDENT);
		shown.push(frame);
		return view.appendChild(group);
	}

	function showView(target) {
		const scale = width[0] / width[target];
		const right = left[0] + width[0];
		cover = byId("canvas").cloneNode();
		cover.removeAttribute("id");
		view = base.cloneNode(false);
		base.removeAttribute("id");

		const path = [];
		for (let i = target; i >= 0; i = parent[i])
			path.unshift(i);
		for (const frame of path) {
			const group = copyFrame(frame, left[0], width[0]);
			group.classList.toggle("parent", frame !== target);
		}
		for (let i = target + 1; i < end[target];) {
			// both are rounded in the file: a large scale carries that far
			const x = left[0] + Math.max(left[i] - left[target], 0) * scale;
			const wide = Math.min(width[i] * scale, right - x);
			if (wide >= NARROWEST)
				copyFrame(i++, x, wide);
			else
				i = end[i];
		}
		base.after(cover, view);
	}

	function dropView() {
		if (!view)
			return;
		cover.remove();
		view.remove();
		cover = view = null;
		shown = [];
		base.id = "frames";
	}

	// Zooming into the root shows the picture as printed.
	function zoom(target) {
		dropView();
		zoomed = target;
		if (target > 0)
			showView(target);
		unzoomButton.classList.toggle("hide", target === 0);
		showMatched();
	}

	// Search

	function boxIsOpen() {
		return input !== null && input.isConnected;
	}

	function term() {
		return boxIsOpen() ? input.value : "";
	}

	function compile(source) {
		const flags = ignoreCase ? "i" : "";
		try {
			return new RegExp(source, flags);
		} catch {
			return new RegExp(source.replace(/[^\w\s]/g, "\\$&"), flags);
		}
	}

	function findMatches() {
		const found = new Uint8Array(count);
		const source = term();
		if (source === "")
			return found;
		const pattern = compile(source);
		// "foo$" means the name, though counts stand behind it
		const ends = source.endsWith("$");
		for (let i = 0; i < count; i++)
			if (pattern.test(titles[i]) ||
			    ends && pattern.test(nameOf(titles[i])))
				found[i] = 1;
		return found;
	}

	function search() {
		const before = matches;
		matches = findMatches();
		for (let i = 0; i < count; i++)
			if (matches[i] !== before[i] && width[i] >= NARROWEST)
				highlight(groups[i], i);
		shown.forEach((frame, i) => highlight(view.children[i], frame));
		showMatched();
	}

	// Of the width that is shown, the percentage that stands on a match or is
	// one itself: what stands on a match is not counted again.
	function matchedPercentage() {
		for (let i = parent[zoomed]; i >= 0; i = parent[i])
			if (matches[i])
				return 100;
		let sum = 0;
		for (let i = zoomed; i < end[zoomed];) {
			if (matches[i])
				sum += width[i];
			i = matches[i] ? end[i] : i + 1;
		}
		return Math.min(100 * sum / width[zoomed] || 0, 100);
	}

	function showMatched() {
		const searching = term() !== "";
		searchButton.classList.toggle("show", searching);
		searchButton.textContent = searching ? "Reset Search" : "Search";
		const share = matchedPercentage().toFixed(1).replace("100.0", "100");
		matchedText.textContent = searching ? `Matched: ${share}%` : " ";
	}

	function makeBox() {
		const x = Number(searchButton.getAttribute("x"));
		const y = Number(searchButton.getAttribute("y"));
		const wide = Math.max(Math.min(200, x - 20), 60);
		const place = create("foreignObject", {
			id: "searchbox",
			x: x - wide - 10,
			y: y - 1.3 * fontSize,
			width: wide,
			height: 1.8 * fontSize,
		});
		const field = document.createElementNS(XHTML, "input");
		field.placeholder = "regular expression";
		field.spellcheck = false;
		field.autocomplete = "off";
		field.setAttribute("aria-label", "Search");
		field.addEventListener("input", () => {
			search();
			saveState();
		});
		place.append(field);
		return field;
	}

	function openBox() {
		input ??= makeBox();
		svg.append(input.parentNode);
	}

	function closeBox() {
		input.value = "";
		input.parentNode.remove();
		search();
		saveState();
	}

	function askForTerm() {
		openBox();
		input.focus();
		input.select();
	}

	function toggleCase() {
		ignoreCase = !ignoreCase;
		caseButton.classList.toggle("show", ignoreCase);
		search();
	}

	// The URL

	function saveState() {
		const state = {
			x: zoomed ? left[zoomed] : "",
			y: zoomed ? top[zoomed] : "",
			s: term(),
		};
		const own = Object.keys(state).map(key => key + suffix);
		// the page's own parameters stay as they are
		const pairs = location.search.slice(1).split("&").filter(pair =>
			pair !== "" && !own.includes(pair.split("=")[0]));
		for (const key in state)
			if (state[key] !== "")
				pairs.push(key + suffix + "=" +
				    encodeURIComponent(state[key]));
		const url = new URL(location.href);
		url.search = pairs.join("&");
		try {
			history.replaceState(history.state, "", url);
		} catch {
			// some sandboxes and data: URLs have no history
		}
	}

	function restoreState() {
		// "+" is common in regular expressions, and stands for itself
		const query = new URLSearchParams(
		    location.search.replaceAll("+", "%2B"));
		const value = key => query.get(key + suffix) || "";
		const x = Number(value("x"));
		const y = Number(value("y"));
		const target = groups.findIndex((_, i) =>
			left[i] === x && top[i] === y && width[i] > 0);
		if (target > 0)
			zoom(target);
		if (value("s")) {
			openBox();
			input.value = value("s");
			search();
		}
	}

	// Events

	function groupAt(event) {
		return event.target.closest("g[data-nametype] > *");
	}

	function frameOf(group) {
		return group.parentNode === base ? groups.indexOf(group) :
		    shown[Array.from(view.children).indexOf(group)];
	}

	function zoomAndSave(frame) {
		zoom(frame);
		saveState();
	}

	function clickFrame(group, event) {
		const link = group.localName === "a";
		if (link && !event.ctrlKey && !event.metaKey)
			return;
		event.preventDefault();
		zoomAndSave(frameOf(group));
	}

	svg.addEventListener("click", event => {
		const group = groupAt(event);
		if (group)
			clickFrame(group, event);
		else if (event.target === unzoomButton)
			zoomAndSave(0);
		else if (event.target === searchButton)
			boxIsOpen() ? closeBox() : askForTerm();
		else if (event.target === caseButton)
			toggleCase();
	});

	svg.addEventListener("mouseover", event => {
		const group = groupAt(event);
		if (group)
			details.textContent = base.dataset.nametype + " " +
			    group.firstElementChild.textContent;
	});

	svg.addEventListener("mouseout", event => {
		if (groupAt(event))
			details.textContent = " ";
	});

	// In a page of other things, keys are for the picture under the mouse.
	function isMeant(event) {
		return svg === document.documentElement || svg.matches(":hover") ||
		    event.composedPath().includes(svg);
	}

	window.addEventListener("keydown", event => {
		if (!event.key || !isMeant(event))
			return;
		const ctrl = event.ctrlKey && !event.shiftKey && !event.altKey;
		const key = event.key.toLowerCase();
		if (key === "f3" || ctrl && key === "f")
			askForTerm();
		else if (ctrl && key === "i")
			toggleCase();
		else if (key === "escape" && boxIsOpen())
			closeBox();
		else
			return;
		event.preventDefault();
	});

	readFrames();
	restoreState();
})();
