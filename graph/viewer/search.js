/*
 * The search: its box, the functions that match and what they add up to.
 */

// by the name's number: 1 if it matches
let matches = [];
let ignoreCase = false;
let box, input;

const term = () => input ? input.value : "";
const isMatch = frame => matches[frame.name] === 1;

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
	matches = names.map(name => Number(source !== "" && pattern.test(name)));
	tree.hits = null;
	for (const frames of [baseFrames, shown])
		for (const frame of frames)
			if (frame.element && frame.wide * scale >= fontSize)
				setClass(frame.element, "match", isMatch(frame));
	markNarrow();
	showMatched();
	showTop();
}

// Matches without labels are covered by one shape: to restyle ten thousand
// rectangles takes twice as long as all the rest of a search.
function markNarrow() {
	set(marks, { d: outline(shown.filter(frame => isMatch(frame) &&
	    frame.wide * scale < fontSize)) });
}

// Returns the counts of the tree's frames in stacks with a match: above each
// frame, and whether there is one below.
function findHits() {
	if (tree.hits)
		return tree;
	const { parent, total } = tree;
	tree.hits = new Float64Array(count);
	tree.below = new Uint8Array(count);
	for (let i = 0; i < count; i++)
		tree.below[i] = matches[nameOf[i]] | tree.below[parent[i]];
	for (let i = count - 1; i >= 0; i--) {
		if (matches[nameOf[i]])
			tree.hits[i] = total[i];
		if (i > 0)
			tree.hits[parent[i]] += tree.hits[i];
	}
	return tree;
}

// Returns the counts in view whose stacks have a match.
function countMatched() {
	if (pathTo(zoomed).some(isMatch))
		return zoomed.total;
	const { hits, below, total, parent } = findHits();
	const { members, stems } = zoomed;
	if (isTurned && zoomed === root)
		return hits[0];
	if (isCaller(zoomed))
		return sum(stems.filter((_, at) => below[members[at]]),
		    tree[carried]);
	// of the function whose callers are shown
	return members.reduce((all, i) => all + (stems && below[parent[i]] ?
	    total : hits)[i], 0);
}

// "Matched: 12.3% (1,234 samples, 3 of 17)", of what is shown
function describeMatches() {
	const matched = countMatched();
	const found = shown.filter(isMatch);
	const at = found.indexOf(focused) + 1;
	return `Matched: ${(100 * matched / zoomed.total || 0).toFixed(1)
	    .replace("100.0", "100")}% (${withCommas(matched)} ${
		given.unit}, ${at ? `${at} of ${found.length}` :
		`${found.length} found`})`;
}

function showMatched() {
	const searching = term() !== "";
	matchedText.textContent = searching ? describeMatches() : " ";
	placeBars();
}

// Moves the ring to the next match, or the one before.
function step({ shiftKey }) {
	if (term() === "")
		return false;
	const from = shown.indexOf(focused);
	const found = Array.from(shown.keys()).filter(i => isMatch(shown[i]));
	const [next] = shiftKey ?
	    [...found.filter(i => i < from).reverse(), ...found.reverse()] :
	    [...found.filter(i => i > from), ...found];
	if (next >= 0)
		focus(shown[next]);
}

function searchAndSave() {
	search();
	saveState();
}

function openBox(text) {
	if (!box) {
		input = html("input", { placeholder: "regular expression",
		    spellcheck: false, autocomplete: "off",
		    "aria-label": "Search" });
		input.oninput = searchAndSave;
		box = addHtml("searchbox", input);
		placeBars();
	}
	if (text !== undefined) {
		input.value = text;
		search();
	}
}

function closeBox() {
	if (input.matches(":focus"))
		focusOn(svg);
	box.remove();
	box = input = null;
	searchAndSave();
}

function askForTerm() {
	openBox();
	input.focus();
	input.select();
}

function toggleCase() {
	ignoreCase = !ignoreCase;
	setClass(caseButton, "show", ignoreCase);
	set(caseButton, { "aria-pressed": ignoreCase });
	searchAndSave();
}
