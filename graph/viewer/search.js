/*
 * The search: its box, the functions that match and what they add up to.
 */

// by the name's number: true if it matches
let matches = [];
let anyCase = false;
let box, input;

const term = () => input ? input.value : "";
const isMatch = f => matches[f.n] === true;

const compile = s => {
	const flags = anyCase ? "i" : "";
	try {
		return new RegExp(s, flags);
	} catch {
		return new RegExp(s.replace(/[^\w\s]/g, "\\$&"), flags);
	}
};

const search = () => {
	const s = term(), pattern = compile(s);
	matches = names.map(name => s !== "" && pattern.test(name));
	tree.hits = null;
	for (const f of [...baseFrames, ...shown])
		if (f.el && f.w * scale >= fontSize)
			setClass(f.el, "match", isMatch(f));
	markNarrow();
	showMatched();
	showTop();
};

// Matches without labels are covered by one shape: to restyle ten thousand
// rectangles takes twice as long as all the rest of a search.
const markNarrow = () => {
	set(marks, { d: outline(shown.filter(f => isMatch(f) &&
	    f.w * scale < fontSize)) });
};

// Sums the counts of the tree's frames in stacks with a match: above each
// frame, and whether there is one below.
const findHits = ({ up, total }) => {
	const hits = tree.hits = floats(count);
	const below = tree.below = ints(count);
	for (let i = 0; i < count; i++)
		below[i] = matches[nameOf[i]] || below[up[i]];
	for (let i = count - 1; i > 0; i--) {
		if (matches[nameOf[i]])
			hits[i] = total[i];
		hits[up[i]] += hits[i];
	}
};

// Returns the counts in view whose stacks have a match.
const countMatched = () => {
	if (pathTo(zoomed).some(isMatch))
		return zoomed.total;
	if (!tree.hits)
		findHits(tree);
	const { hits, below, total, up } = tree, { parts, stems } = zoomed;
	if (turned && zoomed === root)
		return hits[0];
	if (isCaller(zoomed))
		return sum(stems.filter((_, at) => below[parts[at]]),
		    tree[borne]);
	// of the function whose callers are shown
	return parts.reduce((all, i) => all + (stems && below[up[i]] ?
	    total : hits)[i], 0);
};

// "Matched: 12.3% (1,234 samples, 3 of 17)", of what is shown
const describeMatches = () => {
	const n = countMatched(), found = shown.filter(isMatch);
	const at = found.indexOf(ringed) + 1;
	return `Matched: ${(100 * n / zoomed.total || 0).toFixed(1)
	    .replace("100.0", "100")}% (${commas(n)} ${given.unit}, ${
		at ? at + " of " : ""}${found.length}${at ? "" : " found"})`;
};

const showMatched = () => {
	matched.textContent = term() ? describeMatches() : " ";
	placeBars();
};

// Moves the ring to the next match, or the one before.
const step = ({ shiftKey }) => {
	if (!term())
		return false;
	const from = max(0, shown.indexOf(ringed) + !shiftKey);
	const others = [...shown.slice(from), ...shown.slice(0, from)];
	const next = (shiftKey ? others.reverse() : others).find(isMatch);
	if (next)
		focus(next);
};

const searchNow = () => {
	search();
	save();
};

const openBox = s => {
	if (!box) {
		input = html("input", { placeholder: "regular expression",
		    spellcheck: false, autocomplete: "off",
		    "aria-label": "Search" });
		input.oninput = searchNow;
		box = addHtml("searchbox", input);
		placeBars();
	}
	if (s !== undefined) {
		input.value = s;
		search();
	}
};

const closeBox = () => {
	if (input.matches(":focus"))
		focusOn(svg);
	box.remove();
	box = input = null;
	searchNow();
};

const askForTerm = () => {
	openBox();
	input.focus();
	input.select();
};

const toggleCase = () => {
	anyCase = !anyCase;
	set(byId("ignorecase"), { "aria-pressed": anyCase });
	searchNow();
};
