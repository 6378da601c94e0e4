/*
 * The detail line: the facts of one frame and of its function, and what is
 * copied of them.
 */

// the frame that it tells, or null
let told = null;
let pressed;

// "self 1,234, 12.34%"
const share = (what, counts) => `${what} ${commas(counts)}, ${
	percent(counts, root.total)}`;

// Outlines the other frames of the function.
const markKin = f => set(kin, { d: outline(shown.filter(o =>
	f && o !== f && o.n === f.n)) });

const tell = f => {
	told = f;
	markKin(f);
	if (!f)
		return say([], "");
	const facts = [countOf(f), share("self", f.self)];
	for (const more of added.facts)
		facts.push(...more(f));
	if (zoomed.up && pathTo(f).includes(zoomed))
		facts.push(percent(f.total, zoomed.total) + " of view");
	const { total, self, places } = sumsOf(tree);
	if (places[f.n] > 1)
		facts.push(share("in all " + places[f.n] + " places",
		    total[f.n]), share("self", self[f.n]));
	say(facts, given.nametype + " " + names[f.n]);
};

const sayCopied = s => say([], "Copied: " + s);

const putText = (e, s) => {
	e.clipboardData.setData("text/plain", s);
	e.preventDefault();
	sayCopied(s);
};

const copy = s => {
	// forbidden in sandboxes; only HTML documents have commands
	const retry = () => {
		const put = e => putText(e, s);
		document.addEventListener("copy", put);
		if (document.body)
			document.execCommand("copy");
		document.removeEventListener("copy", put);
	};
	const { clipboard } = navigator;
	if (clipboard)
		clipboard.writeText(s).then(() => sayCopied(s), retry);
	else
		retry();
};

// Without a selection a document without a body has no copy event.
const copyName = e => {
	if (!e || document.body || !told || !navigator.clipboard ||
	    !getSelection().isCollapsed)
		return false;
	copy(names[told.n]);
};
