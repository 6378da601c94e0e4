/*
 * The detail line: the facts of one frame and of its function, and what is
 * copied of them.
 */

// the frame that it tells, or null
let told = null;
let wasPressed;

// "self 1,234, 12.34%"
const share = (what, counts) => `${what} ${withCommas(counts)}, ${
	percentage(counts, root.total)}`;

// Outlines the other frames of the function.
const markKin = frame => set(kin, { d: outline(shown.filter(other => frame &&
    other !== frame && other.name === frame.name)) });

function tell(frame) {
	told = frame;
	markKin(frame);
	if (!frame) {
		showFacts([], "");
		return;
	}
	const facts = [`${withCommas(frame.total)} ${given.unit}, ${
		percentage(frame.total, root.total)}`, share("self", frame.self)];
	for (const more of added.facts)
		facts.push(...more(frame));
	if (zoomed.parent && pathTo(frame).includes(zoomed))
		facts.push(percentage(frame.total, zoomed.total) + " of view");
	const { total, self, places } = sumsOf(tree);
	if (places[frame.name] > 1)
		facts.push(share("in all " + places[frame.name] + " places",
		    total[frame.name]), share("self", self[frame.name]));
	showFacts(facts, given.nametype + " " + names[frame.name]);
}

const sayCopied = text => showFacts([], "Copied: " + text);

function putText(event, text) {
	event.clipboardData.setData("text/plain", text);
	event.preventDefault();
	sayCopied(text);
}

function copy(text) {
	// forbidden in sandboxes; only HTML documents have commands
	const retry = () => {
		const put = event => putText(event, text);
		document.addEventListener("copy", put);
		if (document.body)
			document.execCommand("copy");
		document.removeEventListener("copy", put);
	};
	const { clipboard } = navigator;
	if (clipboard)
		clipboard.writeText(text).then(() => sayCopied(text), retry);
	else
		retry();
}

// Without a selection a document without a body has no copy event.
function copyName(event) {
	if (!event || document.body || !told || !navigator.clipboard ||
	    !getSelection().isCollapsed)
		return false;
	copy(names[told.name]);
}
