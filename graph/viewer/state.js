/*
 * The state: the zoomed frame and the changes.  The URL has x and y, the place
 * of that frame; t, the changes, a line each; s, the search term; and i=1 to
 * ignore letter case.  A search is no step in the browser's history.
 */

// The place is coordinates in the file; in lanes the start and the index; for a
// frame that is not in the file the start and the depth.
const exactX = i => left + startOf[i] * width / printed.total[0];

const placeOf = f => {
	const [i] = f.parts, rect = elOf(i) && rectOf(elOf(i));
	const y = top + depthOf[i] * (height + 1) * (inverted ? 1 : -1);
	if (inLanes())
		return [startOf[i], i];
	return !isPlain() ? [f.start, f.depth] :
	    [rect && num(rect, "width") ? num(rect, "x") : exactX(i),
		// in hundredths, as it would be printed
		rect ? num(rect, "y") : Math.round(100 * y) / 100];
};

const frameBy = (x, y) => {
	let f = root;
	if (inLanes())
		return frameFor(y in nOf ? y : 0);
	if (isPlain())
		// printed numbers are rounded
		return frameFor(nOf.findIndex((_, j) =>
		    abs(exactX(j) - x) < narrowest &&
		    String(placeOf({ parts: [j] })) === String([x, y])));
	while (f && f.depth !== y)
		f = childrenOf(f, 0).find(c => c.start <= x &&
		    x < c.start + c.total && c.depth * y > 0);
	return f || root;
};

// the states to go back to, the last one first
const past = [];
const stateOf = () => [changes, ...zoom === root ? [] : placeOf(zoom)];

// A step in the browser's history takes as long as drawing the picture, so it
// is made a little later.  This is the timer of a step that is due.
let due;

const endWait = () => {
	clearTimeout(due);
	due = 0;
};

const save = () => {
	const [t, x, y] = stateOf();
	const to = { x, y, t: t.join("\n"), s: term(), i: +anyCase };
	// the page's own parameters stay as they are
	const pairs = location.search.slice(1).split("&").filter(pair =>
		pair && !RegExp("^[xytsi]" + suffix + "(=|$)").test(pair));
	for (const k in to)
		// an empty search replaces that of the file
		if (to[k] || k === "s" && given.search)
			pairs.push(k + suffix + "=" +
			    encodeURIComponent(to[k]));
	const url = new URL(location);
	url.search = pairs.join("&");
	try {
		history[due ? "pushState" : "replaceState"](history.state,
		    "", url);
	} catch {
		// some sandboxes and data: URLs have no history
	}
	endWait();
};

const saveStep = () => due && save();

// A change to the state before is a step back.
const go = ([to, x, y], f) => {
	const from = stateOf();
	if (to !== changes)
		layOut(to);
	zoom = f || (x === undefined ? root : frameBy(x, y));
	draw();
	if (String(stateOf()) === String(past[0]))
		past.shift();
	else
		past.unshift(from);
	if (isBase())
		past.length = 0;
};

// A change that goes on is one step with the change before.
const visit = (to, f, isMore) => {
	const { length } = past, goesOn = isMore && due;
	if (goesOn)
		endWait();
	saveStep();
	go(to, f);
	if (goesOn)
		past.splice(0, past.length - length);
	due = setTimeout(saveStep, 200);
};

const zoomTo = f => {
	if (f !== zoom)
		visit([changes], f);
};

const goBack = () => {
	if (isBase())
		return false;
	// of a link, the last change first
	if (!past[0])
		past[0] = [zoom === root ? changes.slice(0, -1) : changes];
	visit(past[0]);
};

// Stacks are turned over or show callers, not both.
const toggle = c => {
	const others = changes.filter(o => o !== c &&
	    ![c, o].every(s => /^[rc]/.test(s)));
	visit([changes.includes(c) ? others : [...others, c]],
	    /^[ilsxz]/.test(c) && !merged && zoom);
};

const restore = e => {
	endWait();
	// "+" is common in regular expressions, so it is not a blank
	const query =
	    new URLSearchParams(location.search.replace(/\+/g, "%2B"));
	const [x, y, t, s, i] = [..."xytsi"].map(k => query.get(k + suffix));
	if (e || x || t) {
		read();
		go([(t || "").split("\n").filter(added.label),
		    ...(y ? [+x, +y] : [])]);
	}
	// a search is not a step
	if (e)
		return save();
	past.length = 0;
	const from = s === null ? given.search : s;
	if (i === "1")
		flipCase();
	if (from)
		openBox(from);
};
