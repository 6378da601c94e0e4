/*
 * The detail line: the facts of one frame, and its name for the clipboard.
 */
// the frame that it tells, or -1
let told = -1;
let wasPressed;

function tell(frame) {
	told = frame;
	details.textContent = " ";
	if (frame < 0)
		return;
	const own = countOf(frame);
	const self = selfOf(frame);
	const before = groups[frame].dataset.before;
	const facts = [base.dataset.nametype + " " + titleOf(frame)];
	if (self >= 0)
		facts.push("self " + withCommas(self),
		    percentage(self, countOf(0)));
	if (before)
		facts.push("before " + withCommas(Number(before)));
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
