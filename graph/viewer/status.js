/*
 * The detail line: the facts of one frame and of its function, and what is
 * copied of them.
 */

// the frame that it tells, or null
let told = null;
let wasPressed, kin;

// "self 1,234, 12.34%"
const share = (what, counts) => `${what} ${withCommas(counts)}, ${
	percentage(counts, root.total)}`;

// Outlines the other frames of the function.
function markKin(frame) {
	kin = kin || create("path", { id: "kin" });
	set(kin, { d: outline(frame ? shown.filter(other => other !== frame &&
	    other.name === frame.name) : []) });
	(marks || view || base).after(kin);
}

function tell(frame) {
	told = frame;
	details.textContent = " ";
	markKin(frame);
	if (!frame)
		return;
	const facts = [base.dataset.nametype + " " + titleOf(frame),
	    share("self", frame.self)];
	const [i] = frame.members;
	if (axis && !isMerged)
		facts.push(tellTimes(frame));
	if (!isMerged && tipOf(i)) {
		facts.push(groups[i].dataset.change);
		groups[i].firstElementChild.textContent =
		    titleOf(frame) + tipOf(i);
	}
	if (zoomed.parent && pathTo(frame).includes(zoomed))
		facts.push(percentage(frame.total, zoomed.total) + " of view");
	const { total, self, places } = sumsOf(tree);
	if (places[frame.name] > 1)
		facts.push(share("in all " + places[frame.name] + " places",
		    total[frame.name]), share("self", self[frame.name]));
	details.textContent = facts.join(", ");
}

const sayCopied = text => details.textContent = "Copied: " + text;

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
