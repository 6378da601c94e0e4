/* The strip above lanes: how many threads are on a processor at each time. */
const stripArea = make("path", {});
const stripLabel = make("text", { dx: INDENT });
const strip = make("g", { id: "strip" }, make("rect"), stripArea, stripLabel);
// as in graph/picture.h
const STRIP_HEIGHT = 26;
const stripTop = () => firstTop - STRIP_HEIGHT;
// the mean of each pixel's time in view
let busy;
const threads = n => +n.toFixed(2) + (n === 1 ? " thread" : " threads");

const drawStrip = () => {
	const high = STRIP_HEIGHT - 4, y = stripTop();
	show(strip, !merged);
	marks.before(strip);
	if (merged)
		return;
	if (!spans)
		findSpans();
	busy = countColumns(spans, spanOf(zoom));
	const most = busy.reduce((a, b) => max(a, b));
	set(stripArea, { d: curveOf(busy.map(n => n / (most || 1)), y, high) });
	place(strip.firstChild, left + unit, y, width + unit, high);
	set(stripLabel, { x: left + unit, y: y + fontSize });
	write(stripLabel, `on a processor: at most ${threads(most)}`);
};

added.draws.push(drawStrip);
added.start = drawStrip;

on(svg, "mousemove", e => {
	if (!e.target.closest("#strip"))
		return;
	const [x] = pointOf(e);
	const n = busy[floor(x - left * scale)];
	if (n >= 0)
		say("", ["at " + spell(timeAt(e)),
			threads(n) + " on a processor"]);
});

on(svg, "mouseout", e => e.target.closest("#strip") && tell(here));
