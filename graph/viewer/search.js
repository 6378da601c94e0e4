/*
 * The search: its box, the functions that match, and their sum.
 */

// by the name's number: true if it matches
let matches = [];
let anyCase = false;
let box, input;

const term = () => input ? input.value : "";
const isMatch = f => matches[f.n];
const quote = s => s.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");

const compile = s => {
	const flags = anyCase ? "i" : "";
	try {
		return RegExp(s, flags);
	} catch {
		return RegExp(quote(s), flags);
	}
};

const search = () => {
	read();
	const s = term(), pattern = compile(s);
	matches = names.map(name => s && pattern.test(name));
	tree.hits = null;
	for (const f of [...frames, ...seen])
		if (f.el && f.w * scale >= fontSize)
			f.el.classList.toggle("match", isMatch(f));
	markNarrow();
	showHits();
	showTop();
};

// One shape covers the matches without labels: to restyle ten thousand
// rectangles takes twice as long as the rest of a search.
const markNarrow = () => set(marks, { d: outline(term() ? seen.filter(f =>
	isMatch(f) && f.w * scale < fontSize) : []) });

// Sums the counts of stacks with a match: above each frame of the tree, and
// whether a match is below it.
const findHits = ({ up, total }) => {
	const hits = tree.hits = floats(size);
	const below = tree.below = ints(size);
	nOf.forEach((n, i) => below[i] = matches[n] || below[up[i]]);
	for (let i = size - 1; i > 0; i--) {
		if (matches[nOf[i]])
			hits[i] = total[i];
		hits[up[i]] += hits[i];
	}
};

// Returns the counts in view whose stacks have a match.
const countHits = () => {
	if (pathTo(zoom).some(isMatch))
		return zoom.total;
	if (!tree.hits)
		findHits(tree);
	const { hits, below, total, up } = tree, { parts, stems } = zoom;
	if (turned && zoom === root)
		return hits[0];
	if (isCaller(zoom))
		return sum(stems.filter((_, at) => below[parts[at]]),
		    tree[borne]);
	// of the function whose callers are shown
	return parts.reduce((all, i) => all + (stems && below[up[i]] ?
	    total : hits)[i], 0);
};

// "Matched: 12.3% (1,234 samples, 3 of 17)", as parts of the view
const tellHits = () => {
	const [n, all] = added.hits() || [countHits(), zoom.total];
	const fs = seen.filter(isMatch);
	const at = fs.indexOf(here) + 1;
	return `Matched: ${(100 * n / all || 0).toFixed(1)
	    .replace("100.0", "100")}% (${commas(n)} ${given.unit}, ${
		at ? at + " of " : ""}${fs.length}${at ? "" : " found"})`;
};

const showHits = () => {
	write(matched, term() ? tellHits() : " ");
	fitBars();
};

// Moves the ring to the next match, or the one before.
const step = ({ shiftKey }) => {
	if (!term())
		return false;
	const from = max(0, seen.indexOf(here) + !shiftKey);
	const others = [...seen.slice(from), ...seen.slice(0, from)];
	const next = (shiftKey ? others.reverse() : others).find(isMatch);
	if (next)
		focus(next);
};

const seek = () => {
	search();
	save();
};

const openBox = s => {
	if (!box) {
		input = html("input", { placeholder: "regular expression",
		    spellcheck: false,
		    "aria-label": "Search" });
		input.oninput = seek;
		box = addHtml("searchbox", input);
		fitBars();
	}
	if (s) {
		input.value = s;
		search();
	}
};

const closeBox = () => {
	focusOn(svg);
	box.remove();
	box = input = null;
	seek();
};

const ask = () => {
	openBox();
	input.focus();
	input.select();
};

const flipCase = () => {
	anyCase = !anyCase;
	set(byId("ignorecase"), { "aria-pressed": anyCase });
	seek();
};
