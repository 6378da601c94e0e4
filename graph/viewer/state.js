/*
 * The state: what is zoomed to and what is changed.  The URL keeps it as x and
 * y, the place of the zoomed frame (see placeOf), and t, the changes, a line
 * each; and beside it s, the search term, and i=1, which ignores letter case.
 * A zoom and a change are steps in the browser's history, a search is not.
 */

// Where the URL finds a frame: a printed one by its coordinates in the file,
// or as it would be if it were wide enough, others by where they begin and
// their depth.
const exactX = i => left + startOf[i] * width / printed.total[0];

function placeOf(frame) {
	const [i] = frame.members, rect = rectOf(groups[i]);
	return changes.length > 0 ? [frame.start, frame.depth] :
	    [number(rect, "width") > 0 ? number(rect, "x") : exactX(i),
		number(rect, "y")];
}

// Returns the root if there is no frame.
function frameAtPlace(x, y) {
	let frame = root;
	if (changes.length === 0)
		// what is printed is rounded
		return frameFor(nameOf.findIndex((_, j) =>
		    Math.abs(exactX(j) - x) < narrowest &&
		    String(placeOf({ members: [j] })) === String([x, y])));
	while (frame && frame.depth !== y)
		frame = childrenOf(frame, 0).find(child => child.start <= x &&
		    x < child.start + child.total && child.depth * y > 0);
	return frame || root;
}

// the states to go back to
const earlier = [];
const stateOf = () => isBase() ? [[]] :
    [changes, ...(zoomed === root ? [] : placeOf(zoomed))];

function saveState(method = "replaceState") {
	const [t, x, y] = stateOf();
	const state = { x, y, t: t.join("\n"), s: term(), i: Number(ignoreCase) };
	const own = Object.keys(state).map(key => key + suffix);
	// the page's own parameters stay as they are
	const pairs = location.search.slice(1).split("&").filter(pair =>
		pair !== "" && !own.includes(pair.split("=")[0]));
	for (const key in state)
		// an empty search replaces that of the file
		if (state[key] || key === "s" && given.search)
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

function apply([to, x, y], frame) {
	layOut(to);
	zoomed = frame || (x === undefined ? root : frameAtPlace(x, y));
	draw();
}

// To where one came from is a step back.
function go(state, frame) {
	const from = stateOf();
	apply(state, frame);
	if (String(stateOf()) === String(earlier[earlier.length - 1]))
		earlier.pop();
	else
		earlier.push(from);
	if (isBase())
		earlier.length = 0;
}

function goAndSave(state, frame) {
	go(state, frame);
	saveState("pushState");
}

function zoomTo(frame) {
	if (frame !== zoomed)
		goAndSave([changes], frame);
}

function goBack() {
	if (isBase())
		return false;
	goAndSave(earlier[earlier.length - 1] || [[]]);
}

// Applies a change, or takes it back.  One is turned over, or sees callers.
function toggleChange(letter, name = "") {
	const change = letter + name;
	const others = changes.filter(other => other !== change &&
	    !("rc".includes(letter) && "rc".includes(other[0])));
	goAndSave([changes.includes(change) ? others : [...others, change]],
	    letter === "i" && !isMerged ? zoomed : undefined);
}

function restoreState(event) {
	// "+" is common in regular expressions, and no blank
	const query = new URLSearchParams(location.search.replace(/\+/g, "%2B"));
	const [x, y, t, s, i] = ["x", "y", "t", "s", "i"].map(key =>
		query.get(key + suffix));
	if (event || x || t) {
		read();
		go([(t || "").split("\n").filter(change => /^[hdmric]/.test(change)),
		    ...(x ? [Number(x), Number(y)] : [])]);
	}
	// a search is no step
	if (event)
		return saveState();
	const text = s === null ? given.search : s;
	if (text || i === "1")
		read();
	if (i === "1")
		toggleCase();
	if (text)
		openBox(text);
}
