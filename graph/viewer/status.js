/* The detail line: the facts of a frame and its function, and copying them. */

// the frame in the line, or null, and the last one; what to copy for its name
let told = null, pointed = null, copied;
let held;
const TIMES = [[1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"]];
const SIZES = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];

const unitOf = (n, units) => units.find(([least]) => n >= least) ||
	units[units.length - 1];
const timeUnit = seconds => unitOf(seconds, TIMES);

// "5.57 s", "12.4 MB", "1.24 M samples"; counts below 10,000 are exact
const amount = (n, name = " " + given.unit) => {
	if (!n)
		return 0 + name;
	const [second] = TIMES.find(([, s]) => s === given.unit) || [];
	const isBytes = given.unit === "bytes", all = n * factor;
	const [least, sign] = second ? timeUnit(abs(all) * second) :
	    unitOf(abs(all) < 1e4 && !isBytes ? 1 : abs(all), SIZES);
	if (least === 1 && !second)
		return commas(n) + name;
	return +(all * (second || 1) / least).toPrecision(3) + " " + sign +
	    (second ? "" : isBytes ? "B" : name);
};

// Outlines the other frames of the function.
const markKin = f => set(kin, { d: outline(f ? seen.filter(o =>
	o !== f && o.n === f.n) : []) });

const tell = f => {
	told = f;
	pointed = f || pointed;
	markKin(f);
	if (!f)
		return added.blank() || say("");
	const facts = ["self " + amount(f.self, ""),
	    "total " + amount(f.total), percent(f.total, root.total),
	    ...added.facts.flatMap(more => more(f))];
	if (zoom.up && pathTo(f).includes(zoom))
		facts.push(percent(f.total, zoom.total) + " of view");
	const { total, self, places } = sumsOf(tree), { n } = f;
	if (places[n] > 1)
		facts.push(`in ${places[n]} places: self ${
			amount(self[n], "")}, total ${amount(total[n], "")}, ${
			percent(total[n], root.total)}`);
	// a name is taken for a function's, unless --nametype has another word
	const word = given.nametype === "Function:" ? "" : given.nametype + " ";
	say(word + names[n], facts);
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
