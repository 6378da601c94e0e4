/*
 * The detail line: the facts of one frame, and its name for the clipboard.
 */
// the frame that it tells, or -1
let told = -1;
let wasPressed;

// Files hold the tooltips of flamegraph.pl, which tell less of a change.
function tellOnTooltip(frame, change) {
	const title = groups[frame].firstElementChild;
	if (title.textContent === titleOf(frame))
		title.textContent += "\n" + change.replace("; ", "\n");
}

function tell(frame) {
	told = frame;
	details.textContent = " ";
	if (frame < 0)
		return;
	const own = countOf(frame);
	const self = selfOf(frame);
	const { change } = groups[frame].dataset;
	const facts = [base.dataset.nametype + " " + titleOf(frame)];
	if (self >= 0)
		facts.push("self " + withCommas(self),
		    percentage(self, countOf(0)));
	if (change) {
		facts.push(change);
		tellOnTooltip(frame, change);
	}
	if (zoomed > 0 && frame >= zoomed && frame < end[zoomed] && own >= 0)
		facts.push(percentage(own, countOf(zoomed)) + " of view");
	details.textContent = facts.join(", ");
}

const sayCopied = () => details.textContent = "Copied: " + nameOf(told);

function putName(event) {
	event.clipboardData.setData("text/plain", nameOf(told));
	event.preventDefault();
	sayCopied();
}

function copyName() {
	wasPressed = true;
	// forbidden in sandboxes; only HTML documents have commands
	const retry = () => {
		document.addEventListener("copy", putName);
		if (document.body)
			document.execCommand("copy");
		document.removeEventListener("copy", putName);
	};
	const { clipboard } = navigator;
	clipboard?.writeText(nameOf(told)).then(sayCopied, retry) ?? retry();
}
