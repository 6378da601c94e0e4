/* The search: its box, the functions that match, and their sum. */

// by the name's number
let matches = [];
// nothing matches then
let isSlow = false;
// what is wrong with the pattern, which is taken as text then
let broken = "";
let anyCase = false;
let box, input;
const term = () => input ? input.value : "";
const isMatch = f => matches[f.n];
const quote = s => s.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");

const compile = (s, isAnyCase) => {
	const flags = isAnyCase ? "i" : "";
	broken = "";
	try {
		return RegExp(s, flags);
	} catch (e) {
		broken = e.message.replace(/.*: /, "");
		return RegExp(quote(s), flags);
	}
};

// A link may hold a pattern that takes twice as long with each character, such
// as (a+)+$, and no test can be stopped.  So beginnings are tried first.
const isSlowFor = (pattern, name) => {
	let last = performance.now();
	for (let n = 16; n < name.length; n += n < 40 ? 3 : n >> 2) {
		const begin = name.slice(0, n), before = last;
		pattern.test(begin);
		pattern.test(begin + "\uffff");
		last = performance.now();
		if (last - before > 100)
			return true;
	}
	return false;
};

// Gives up after two seconds.
const findMatches = (s, isAnyCase) => {
	const pattern = compile(s, isAnyCase), end = performance.now() + 2000;
	// a group that repeats, of what repeats or branches; or much that repeats
	const isSuspect = /\(.*[*+{|].*\)[*+{]|([*+{].*){4}/.test(s);
	isSlow = false;
	const found = names.map(name => {
		isSlow = isSlow || performance.now() > end ||
		    (isSuspect && isSlowFor(pattern, name));
		return s && !isSlow && pattern.test(name);
	});
	return isSlow ? found.fill(false) : found;
};

const search = () => {
	read();
	matches = findMatches(term(), anyCase);
	hits = null;
	svg.toggleAttribute("data-found", !!matches.find(is => is));
	for (const f of [...frames, ...seen])
		if (f.el && f.w * scale >= fontSize)
			f.el.classList.toggle("match", isMatch(f));
	markNarrow();
	if (input)
		set(input, { "aria-invalid": !!broken });
	showHits();
	showTop();
};

// To restyle ten thousand rectangles takes twice as long as the search.
const markNarrow = () => set(marks, { d: outline(term() ? seen.filter(f =>
	isMatch(f) && f.w * scale < fontSize) : []) });

// the counts of the stacks in view that have a match
let hits;
const countHits = () => {
	const { up, total } = viewTree(), found = ints(size);
	return hits = total.reduce((all, counts, i) => {
		const isBelow = found[up[i]];
		found[i] = isBelow || matches[nOf[i]];
		return found[i] && !isBelow ? all + counts : all;
	}, 0);
};

// "Matched: 12.3% (1,234 samples, 3 of 17)", as parts of the view
const tellHits = () => {
	const n = hits ?? countHits(), all = viewTree().total[0];
	const fs = seen.filter(isMatch);
	const at = fs.indexOf(here) + 1;
	if (broken && !fs[0])
		return "Not a regular expression: " + broken;
	return `Matched: ${(100 * n / all || 0).toFixed(1)
	    .replace("100.0", "100")}% (${commas(n)} ${given.unit}, ${
		at ? at + " of " : ""}${fs.length}${at ? "" : " found"}${
		broken && " as text: " + broken})`;
};

const showHits = () => {
	write(matched, isSlow ? "The pattern is too slow" :
	    term() ? tellHits() : " ");
	fitBars();
};

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
		    spellcheck: false, "aria-label": "Search" });
		input.oninput = seek;
		box = addHtml("searchbox", html("div", {}, input,
		    button("keep", changeByTerm("k"),
			{ title: "only stacks that match (K)" }),
		    button("hide", changeByTerm("v"),
			{ title: "frames that match (H)" })));
		fitBars();
	}
	if (s) {
		input.value = s;
		search();
	}
};

const seekName = n => {
	openBox("^" + quote(names[n]) + "$");
	save();
};

const closeBox = () => {
	focusOn(svg);
	box.remove();
	box = input = null;
	seek();
};

// The chip has the term then.
const changeByTerm = a => () => {
	const s = term();
	if (!s)
		return false;
	closeBox();
	toggle((anyCase ? a.toUpperCase() : a) + s);
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
