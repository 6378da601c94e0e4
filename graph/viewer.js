/*
 * The viewer of a flame graph: runs inside the SVG that flamegraph prints,
 * opened as a file, embedded, or pasted into an HTML page.
 *
 * The frames are the children of <g id="frames">, in pre-order: a parent,
 * then its subtree, from left to right.  They are read once, when idle or
 * needed, into arrays indexed by a frame's place in that order.  There a
 * subtree is a range, frame to end[frame], and a frame that is too narrow to be
 * seen is skipped with all above it.
 *
 * The picture as printed, the base, is never moved or resized.  To zoom, a
 * cover that looks like the background hides it, and a view on the cover
 * holds copies of just the frames that the zoom makes visible: a zoom costs
 * as much as it shows, a reset only drops cover and view.  Of frames narrower
 * than a pixel those of a shade share a path instead, and the one under the
 * mouse is found by its place.  The view takes over the id "frames", so whoever
 * looks for frames finds those that are seen.
 *
 * Keys move a ring from frame to frame; the picture is one tab stop.
 *
 * The URL keeps x and y, the zoomed frame's coordinates in the base, s, the
 * search term, and i=1, which ignores letter case.  A zoom is a step in the
 * browser's history, a search is not.
 *
 * A frame's group has data that the picture does not tell: data-count where
 * the title does not say it, data-self where it is not what the frames on it
 * leave, and data-before, the first profile's count in a differential.
 */
(() => {
	"use strict";

	const XHTML = "http://www.w3.org/1999/xhtml";
	const LABEL_INDENT = 3;
	const KEYS = `Arrows\tparent, widest child, neighbors
		Enter\tzoom, or follow a link (with Ctrl: zoom)
		Esc, Backspace\tback to the previous zoom
		/, Ctrl-F, F3\tsearch (Esc: close)
		n, N\tnext, previous match
		Ctrl-I\tignore letter case
		Ctrl-C\tcopy the name
		?\tthese keys`;

	const svg = document.currentScript.closest("svg");
	// frames may have ids of their own, from --nameattr
	const byId = id => svg.querySelector(":scope > #" + id);
	const base = byId("frames");
	const details = byId("details");
	const unzoomButton = byId("unzoom");
	const searchButton = byId("search");
	const caseButton = byId("ignorecase");
	const matchedText = byId("matched");

	// A fluid picture is as wide as the window: x and width are per cent.
	const fluid = svg.getAttribute("width") === "100%";
	const unit = fluid ? "%" : "";
	// 0.1 pixels, what flamegraph leaves out too unless told otherwise
	const narrowest = fluid ? 0.01 : 0.1;

	// the second picture in a page keeps its state in x2, y2, s2 and i2
	const pictures = document.querySelectorAll("#frames").length;
	const suffix = pictures > 1 ? pictures : "";

	const groups = Array.from(base.children);
	const count = groups.length;
	if (count === 0)
		return;
	const left = new Float64Array(count);
	const top = new Float64Array(count);
	const width = new Float64Array(count);
	const parent = new Int32Array(count);
	const end = new Int32Array(count).fill(count);
	// those that are wide enough in the base
	const drawn = [];

	let isRead = false, ignoreCase = false;
	// pixels in a unit of x and width
	let scale = 1;
	let height, fontSize;
	let ruler, cover, view, box, input, marks, ring, keys;
	let press, wasPressed;
	// the frames in view, in order: frame -> { x, wide, copy (or none) }
	const shown = new Map();
	let zoomed = 0;
	// the zooms to go back to
	const earlier = [];
	const matches = new Array(count).fill(false);
	// the frame in the ring and that of the detail line, or -1
	let focused = -1, told = -1;

	function set(element, attributes) {
		for (const key in attributes)
			element.setAttribute(key, attributes[key]);
		return element;
	}

	function create(name, attributes, namespace = svg.namespaceURI) {
		return set(document.createElementNS(namespace, name), attributes);
	}

	function read() {
		if (isRead)
			return;
		isRead = true;
		const style = getComputedStyle(details);
		fontSize = parseFloat(style.fontSize);
		ruler = create("canvas", {}, XHTML).getContext("2d");
		scale = fluid ? svg.getBoundingClientRect().width / 100 : 1;
		ruler.font = style.fontSize + " " + style.fontFamily;
		height = Number(rectOf(groups[0]).getAttribute("height"));
		// stacks grow up, or down in an inverted picture
		const level = frame => Math.abs(top[frame] - top[0]);
		for (let i = 0; i < count; i++) {
			const rect = rectOf(groups[i]);
			left[i] = parseFloat(rect.getAttribute("x"));
			top[i] = parseFloat(rect.getAttribute("y"));
			width[i] = parseFloat(rect.getAttribute("width"));
			if (width[i] >= narrowest)
				drawn.push(i);
			let below = i - 1;
			while (below > 0 && level(below) >= level(i)) {
				end[below] = i;
				below = parent[below];
			}
			parent[i] = below;
		}
	}

	const rectOf = group => group.firstElementChild.nextElementSibling;
	const titles = [];
	const titleOf = i => titles[i] ??= groups[i].firstElementChild.textContent;

	// "main (1,234 samples, 56.78%)" -> "main"
	const withoutCounts = title => title.replace(/ ?\([^(]*\)$/, "");

	// A title from --nameattr need not tell the name, a whole label does, as
	// printed.
	const names = [];
	function nameOf(frame) {
		const label = rectOf(groups[frame]).nextElementSibling?.textContent;
		return names[frame] ??= label && !label.endsWith("..") ?
		    label : withoutCounts(titleOf(frame));
	}

	// "main (1,234 samples, 56.78%)" -> 1234, or NaN
	function countOf(frame) {
		const digits = groups[frame].dataset.count ??
		    /\(([\d,]+) [^(]*\)$/.exec(titleOf(frame))?.[1] ?? NaN;
		return Number(String(digits).replaceAll(",", ""));
	}

	function selfOf(frame) {
		let self = countOf(frame);
		for (let i = frame + 1; i < end[frame]; i = end[i])
			self -= countOf(i);
		return Number(groups[frame].dataset.self ?? Math.max(self, 0));
	}

	const fits = (text, room) => ruler.measureText(text).width <= room;

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

	// Gives the frame's group, the printed one or a copy, the label that fits.
	function setLabel(group, frame, x, wide) {
		const rect = rectOf(group);
		const room = wide * scale - LABEL_INDENT;
		let text = rect.nextElementSibling;
		// nothing is legible in less, and most frames have less
		if (room < fontSize && !text)
			return;
		const name = nameOf(frame);
		if (!text) {
			text = create("text", { y: top[frame] + height / 2 + 3 });
			group.append(text);
		}
		set(text, fluid ? { x: x + unit, dx: LABEL_INDENT } :
		    { x: x + LABEL_INDENT });
		text.textContent = room < fontSize ? "" : fitLabel(name, room);
	}

	// Zoom

	// Returns where the frame is seen now, and its copy if it has one.
	const placeOf = frame => view ? shown.get(frame) :
	    { x: left[frame], wide: width[frame] };

	const outline = frames => frames.map(frame => {
		const { x, wide } = placeOf(frame);
		return `M${x * scale} ${top[frame]}` +
		    `h${wide * scale}v${height}h${-wide * scale}`;
	}).join("");

	// True if the frame has neither a link nor more from --nameattr.
	const isPlain = group => group.localName === "g" &&
	    group.attributes.length === Object.keys(group.dataset).length;

	function copyFrame(frame, x, wide) {
		const copy = groups[frame].cloneNode(true);
		set(rectOf(copy), { x: x + unit, width: wide + unit });
		setLabel(copy, frame, x, wide);
		copy.classList.toggle("match", matches[frame]);
		shown.set(frame, { x, wide, copy });
		return view.appendChild(copy);
	}

	// Colors are told apart by three bits of red, green and blue: of frames
	// that narrow the reader sees a blend anyway.
	function drawNarrow(frames) {
		const shades = new Map();
		for (const frame of frames) {
			const fill = rectOf(groups[frame]).getAttribute("fill");
			const shade = fill.replace(/[\da-f]{2}/g,
			    pair => Number("0x" + pair) >> 5);
			if (!shades.has(shade))
				shades.set(shade, { fill, alike: [] });
			shades.get(shade).alike.push(frame);
		}
		for (const { fill, alike } of shades.values()) {
			const path = create("path", { fill, d: outline(alike) });
			path.append(create("title"));
			view.append(path);
		}
	}

	function showView(target) {
		const factor = width[0] / width[target];
		const right = left[0] + width[0];
		const narrow = [];
		cover = byId("canvas").cloneNode();
		cover.removeAttribute("id");
		view = base.cloneNode(false);
		base.removeAttribute("id");
		const path = [];
		for (let i = target; i >= 0; i = parent[i])
			path.unshift(i);
		for (const frame of path)
			copyFrame(frame, left[0], width[0])
			    .classList.toggle("parent", frame !== target);
		for (let i = target + 1; i < end[target];) {
			// both are rounded in the file: a large scale carries that far
			const x = left[0] + Math.max(left[i] - left[target], 0) * factor;
			const wide = Math.min(width[i] * factor, right - x);
			if (wide < narrowest) {
				i = end[i];
				continue;
			}
			if (wide * scale < 1 && isPlain(groups[i])) {
				shown.set(i, { x, wide });
				narrow.push(i);
			} else
				copyFrame(i, x, wide);
			i++;
		}
		drawNarrow(narrow);
		base.after(cover, view);
	}

	function hideView() {
		if (!view)
			return;
		cover.remove();
		view.remove();
		view = null;
		shown.clear();
		base.id = "frames";
	}

	// Zooming into the root shows the picture as printed.
	function zoom(target) {
		if (target === earlier.at(-1))
			earlier.pop();
		else
			earlier.push(zoomed);
		hideView();
		zoomed = target;
		if (target > 0)
			showView(target);
		else
			earlier.length = 0;
		markNarrow();
		unzoomButton.classList.toggle("hide", target === 0);
		if (focused >= 0)
			focus(visibleFrames().includes(focused) ? focused : target);
		showMatched();
	}

	function zoomAndSave(target) {
		if (target === zoomed)
			return;
		zoom(target);
		saveState("pushState");
	}

	// Runs when a fluid picture is drawn, and when its width has changed.
	function refit() {
		read();
		scale = svg.getBoundingClientRect().width / 100;
		for (let i = 0; i < count; i++)
			if (width[i] * scale >= fontSize ||
			    groups[i].childElementCount > 2)
				setLabel(groups[i], i, left[i], width[i]);
		if (zoomed > 0) {
			hideView();
			showView(zoomed);
		}
		markNarrow();
		if (focused >= 0)
			focus(focused);
	}

	// The detail line

	const withCommas = n => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
	const percentage = (part, whole) => (100 * part / whole).toFixed(2) + "%";

	function tell(frame) {
		told = frame;
		details.textContent = " ";
		if (frame < 0)
			return;
		const own = countOf(frame);
		const self = selfOf(frame);
		const before = groups[frame].dataset.before;
		const facts = [base.dataset.nametype + " " + titleOf(frame)];
		if (self >= 0)
			facts.push("self " + withCommas(self),
			    percentage(self, countOf(0)));
		if (before)
			facts.push("before " + withCommas(Number(before)));
		if (zoomed > 0 && frame >= zoomed && frame < end[zoomed] && own >= 0)
			facts.push(percentage(own, countOf(zoomed)) + " of view");
		details.textContent = facts.join(", ");
	}

	const sayCopied = () => details.textContent = "Copied: " + nameOf(told);

	function putName(event) {
		event.clipboardData.setData("text/plain", nameOf(told));
		event.preventDefault();
		sayCopied();
	}

	function copyName() {
		wasPressed = true;
		// forbidden in sandboxes; only HTML documents have commands
		const retry = () => {
			document.addEventListener("copy", putName);
			if (document.body)
				document.execCommand("copy");
			document.removeEventListener("copy", putName);
		};
		const { clipboard } = navigator;
		clipboard?.writeText(nameOf(told)).then(sayCopied, retry) ?? retry();
	}

	// The ring

	// in pre-order, so from left to right in each row
	const visibleFrames = () => view ? Array.from(shown.keys()) : drawn;

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

	function toggleKeys() {
		if (keys) {
			keys.remove();
			keys = null;
			svg.focus({ preventScroll: true });
			return;
		}
		const panel = create("div", { tabindex: -1, role: "note" }, XHTML);
		panel.textContent = KEYS;
		keys = create("foreignObject",
		    { id: "keys", width: "100%", height: "100%" });
		keys.append(panel);
		svg.append(keys);
		panel.focus({ preventScroll: true });
	}

	// Search

	const term = () => input?.value ?? "";

	function compile(source) {
		const flags = ignoreCase ? "i" : "";
		try {
			return new RegExp(source, flags);
		} catch {
			return new RegExp(source.replace(/[^\w\s]/g, "\\$&"), flags);
		}
	}

	function search() {
		const source = term();
		const pattern = compile(source);
		// "foo$" means the name, though counts follow it
		const isMatch = title => pattern.test(title) ||
		    source.endsWith("$") && pattern.test(withoutCounts(title));
		for (let i = 0; i < count; i++) {
			const match = source !== "" && isMatch(titleOf(i));
			if (match !== matches[i] && width[i] * scale >= fontSize)
				groups[i].classList.toggle("match", match);
			matches[i] = match;
		}
		for (const [frame, { copy }] of shown)
			copy?.classList.toggle("match", matches[frame]);
		markNarrow();
		showMatched();
	}

	// Matches without labels are covered by one shape: to restyle ten thousand
	// rectangles takes twice as long as all the rest of a search.
	function markNarrow() {
		marks ??= create("path", { id: "marks" });
		marks.setAttribute("d", outline(visibleMatches().filter(
		    frame => placeOf(frame).wide * scale < fontSize)));
		(view ?? base).after(marks);
	}

	const visibleMatches = () => visibleFrames().filter(i => matches[i]);

	// "Matched: 12.3% (1,234 samples, 3 of 17)", of what is shown
	function describeMatches() {
		const inside = visibleFrames().some(i => i < zoomed && matches[i]);
		let sum = 0, wide = 0;
		for (let i = zoomed; i < end[zoomed];) {
			// frames above a match are not counted again
			const counts = inside || matches[i];
			if (counts) {
				sum += countOf(i);
				wide += width[i];
			}
			i = counts ? end[i] : i + 1;
		}
		// widths are rounded, but titles from --nameattr need not tell counts
		const part = sum >= 0 ? sum / countOf(zoomed) : wide / width[zoomed];
		const share = Math.min(100 * part || 0, 100);
		const found = visibleMatches();
		// the root's title tells what is counted: "all (99 samples, 100%)"
		const what = /\([\d,]+( .*), 100%\)$/.exec(titleOf(0))?.[1] ?? "";
		const samples = sum >= 0 ? withCommas(sum) + what + ", " : "";
		return `Matched: ${share.toFixed(1).replace("100.0", "100")}% ` +
		    `(${samples}${found.indexOf(focused) + 1} of ${found.length})`;
	}

	function showMatched() {
		const searching = term() !== "";
		searchButton.classList.toggle("show", searching);
		searchButton.textContent = searching ? "Reset Search" : "Search";
		matchedText.textContent = searching ? describeMatches() : " ";
	}

	function step(back) {
		const found = visibleMatches();
		if (found.length > 0)
			focus(back ?
			    found.findLast(i => i < focused) ?? found.at(-1) :
			    found.find(i => i > focused) ?? found[0]);
	}

	function openBox() {
		if (box)
			return;
		const y = Number(searchButton.getAttribute("y"));
		box = create("foreignObject", { id: "searchbox",
		    y: y - 1.3 * fontSize, height: 1.8 * fontSize });
		input = create("input", { placeholder: "regular expression",
		    spellcheck: false, autocomplete: "off",
		    "aria-label": "Search" }, XHTML);
		input.addEventListener("input", () => {
			search();
			saveState();
		});
		box.append(input);
		svg.append(box);
	}

	function closeBox() {
		if (input.matches(":focus"))
			svg.focus({ preventScroll: true });
		box.remove();
		box = input = null;
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
		caseButton.setAttribute("aria-pressed", ignoreCase);
		search();
		saveState();
	}

	// The URL

	function saveState(method = "replaceState") {
		const state = { x: zoomed && left[zoomed], y: zoomed && top[zoomed],
		    s: term(), i: Number(ignoreCase) };
		const own = Object.keys(state).map(key => key + suffix);
		// the page's own parameters stay as they are
		const pairs = location.search.slice(1).split("&").filter(pair =>
			pair !== "" && !own.includes(pair.split("=")[0]));
		for (const key in state)
			if (state[key])
				pairs.push(key + suffix + "=" +
				    encodeURIComponent(state[key]));
		const url = new URL(location.href);
		url.search = pairs.join("&");
		try {
			history[method](history.state, "", url);
		} catch {
			// some sandboxes and data: URLs have no history
		}
	}

	function restoreState() {
		// "+" is common in regular expressions, and no blank
		const query = new URLSearchParams(
		    location.search.replaceAll("+", "%2B"));
		const [x, y, s, i] = ["x", "y", "s", "i"].map(key =>
			query.get(key + suffix) ??
			(key === "s" && !isRead && base.dataset.search || ""));
		if (x + s + i === "" && !isRead)
			return;
		read();
		const target = Math.max(0, groups.findIndex((_, frame) => width[frame] > 0 &&
			left[frame] === Number(x) && top[frame] === Number(y)));
		if (target !== zoomed)
			zoom(target);
		if (s !== "") {
			openBox();
			input.value = s;
			search();
		} else if (term() !== "")
			closeBox();
		if (ignoreCase !== (i === "1"))
			toggleCase();
	}

	// Events

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

	const listen = (target, type, listener) =>
		target.addEventListener(type, event => {
			read();
			listener(event);
		});

	listen(svg, "click", event => {
		const group = groupAt(event);
		const ctrl = event.ctrlKey || event.metaKey;
		if (group && (group.localName !== "a" || ctrl || wasPressed)) {
			event.preventDefault();
			zoomAndSave(wasPressed ? zoomed : frameAt(event));
		} else if (event.target === unzoomButton) {
			svg.focus({ preventScroll: true });
			zoomAndSave(0);
		} else if (event.target === searchButton)
			box ? closeBox() : askForTerm();
		else if (event.target === caseButton)
			toggleCase();
		wasPressed = false;
	});

	listen(svg, "mouseover", event => groupAt(event) && tell(frameAt(event)));
	// from frame to frame within a path
	listen(svg, "mousemove", event => {
		if (groupAt(event)?.localName !== "path")
			return;
		tell(frameAt(event));
		event.target.firstChild.textContent = titleOf(told);
	});
	listen(svg, "mouseout", event => groupAt(event) && tell(focused));

	listen(svg, "pointerdown", event => {
		wasPressed = false;
		if (event.pointerType !== "touch" || !groupAt(event))
			return;
		tell(frameAt(event));
		press = setTimeout(copyName, 500);
	});

	for (const type of ["pointerup", "pointercancel"])
		svg.addEventListener(type, () => clearTimeout(press));

	listen(document, "copy", event => {
		if (told >= 0 && isMeant(event) && getSelection().isCollapsed &&
		    !event.target.closest?.("input, textarea"))
			putName(event);
	});

	listen(window, "keydown", event => {
		const action = event.key && isMeant(event) && actionOf(event);
		if (action) {
			action();
			event.preventDefault();
		}
	});

	window.addEventListener("popstate", restoreState);

	set(svg, { tabindex: 0, role: "application",
	    "aria-roledescription": "flame graph",
	    "aria-label": byId("title").textContent });
	set(details, { "aria-live": "polite" });
	set(caseButton, { "aria-label": "Ignore letter case" });
	for (const button of [unzoomButton, searchButton, caseButton])
		set(button, { tabindex: 0, role: "button" });
	// links are followed from the ring, those under a cover never
	for (const link of base.querySelectorAll(":scope > a"))
		set(link, { tabindex: -1 });
	if (fluid) {
		new ResizeObserver(refit).observe(svg);
		// on paper it is what it was on the screen, at another size
		listen(window, "beforeprint", () => set(svg, { viewBox:
		    `0 0 ${100 * scale} ${svg.getAttribute("height")}` }));
		listen(window, "afterprint", () => svg.removeAttribute("viewBox"));
	}
	restoreState();
	(window.requestIdleCallback ?? setTimeout)(read);
})();
