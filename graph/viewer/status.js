/*
 * The detail line: the facts of one frame and of its function, and copying
 * them.
 */

// the frame in the line, or null; the text to copy instead of its name
let told = null, copied;
let held;

// "self 1,234, 12.34%"
const share = (what, counts) => `${what} ${commas(counts)}, ${
	percent(counts, root.total)}`;

// Outlines the other frames of the function.
const markKin = f => set(kin, { d: outline(f ? seen.filter(o =>
	o !== f && o.n === f.n) : []) });

const tell = f => {
	told = f;
	markKin(f);
	if (!f)
		return added.blank() || say("");
	const facts = [countOf(f), share("self", f.self),
	    ...added.facts.flatMap(more => more(f))];
	if (zoom.up && pathTo(f).includes(zoom))
		facts.push(percent(f.total, zoom.total) + " of view");
	const { total, self, places } = sumsOf(tree), { n } = f;
	if (places[n] > 1)
		facts.push(share("in all " + places[n] + " places", total[n]),
		    share("self", self[n]));
	say(given.nametype + " " + names[n], facts);
};

const sayCopy = s => say("Copied: " + s);

const copy = s => {
	// forbidden in sandboxes; only HTML documents have commands
	const retry = () => {
		copied = s;
		if (document.body)
			document.execCommand("copy");
		copied = null;
	};
	const { clipboard } = navigator;
	if (clipboard)
		clipboard.writeText(s).then(() => sayCopy(s), retry);
	else
		retry();
};

// A document without a body has no copy event unless something is selected.
const copyName = e => {
	if (!e || document.body || !told || !navigator.clipboard ||
	    !getSelection().isCollapsed)
		return false;
	copy(names[told.n]);
};
