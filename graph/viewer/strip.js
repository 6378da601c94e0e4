/*
 * The strip above lanes: how many threads are on a processor at each time.
 * Other pictures leave this out.
 */
const stripArea = make("path", {});
const stripLabel = make("text", { dx: INDENT });
const strip = make("g", { id: "strip" }, make("rect"), stripArea, stripLabel);
// as graph/measure.h has it
const STRIP_HEIGHT = 26;
const stripTop = () => firstTop - STRIP_HEIGHT;
// the threads of each pixel's time in view, in the mean
let busy;

const countBusy = ([begin, end]) => {
	const columns = floats(Math.ceil(width * scale) + 1);
	// what is added from a pixel on
	const steps = floats(columns.length + 1);
	const pixels = width * scale / (end - begin);
	for (let at = 0; at < spans.length; at += 4) {
		const much = spans[at + 3];
		const from = max(0, (spans[at] - begin) * pixels);
		const to = min(width * scale, (spans[at + 1] - begin) * pixels);
		const first = floor(from), last = floor(to);
		if (from >= to)
			continue;
		// whole pixels, less what is not of them
		steps[first] += much;
		steps[last + 1] -= much;
		columns[first] -= much * (from - first);
		columns[last] -= much * (last + 1 - to);
	}
	steps.reduce((all, much, x) => {
		columns[x] += all + much;
		return all + much;
	}, 0);
	return columns.slice(0, -1);
};

const threads = n => +n.toFixed(2) + (n === 1 ? " thread" : " threads");

const drawStrip = () => {
	const high = STRIP_HEIGHT - 4, y = stripTop();
	show(strip, !merged);
	marks.before(strip);
	if (merged)
		return;
	if (!spans)
		findSpans();
	busy = countBusy(spanOf(zoom));
	const most = busy.reduce((a, b) => max(a, b));
	let d = `M${left * scale} ${y + high}`, last = "";
	busy.forEach((n, x) => {
		const to = (y + high -
		    high * max(0, n) / (most || 1)).toFixed(1);
		if (to !== last)
			d += `H${left * scale + x}V${to}`;
		last = to;
	});
	set(stripArea, { d: `${d}H${(left + width) * scale}V${y + high}z` });
	place(strip.firstChild, left + unit, y, width + unit, high);
	set(stripLabel, { x: left + unit, y: y + fontSize });
	write(stripLabel, `on a processor: at most ${threads(most)}`);
};

const { draw: drawBelow } = added;
added.draw = () => {
	drawBelow();
	drawStrip();
};

on(svg, "mousemove", e => {
	if (!e.target.closest("#strip"))
		return;
	const [x] = inPicture(e.clientX, e.clientY);
	const n = busy[floor(x - left * scale)];
	if (n >= 0)
		say("", ["at " + spell(timeAt(e)),
			threads(n) + " on a processor"]);
});

// soon after the picture was seen
(window.requestIdleCallback || setTimeout)(() => {
	read();
	drawStrip();
}, { timeout: 500 });

on(svg, "mouseout", e => e.target.closest("#strip") && tell(here));
