/*
 * The axis of time below a flame chart, and the times of a frame.  Merged
 * frames are not in the order of time, so it is hidden then.
 */
const axis = byId("axis");
const [printedLine, printedLabel] = axis.children;
const axisTop = num(printedLine, "y1");
const axisPaper = make("rect", { class: "paper" });
details.before(axisPaper, axis);
const mostTicks = 1000;
const secondsOf = n => n * axis.dataset.unit * factor;

const timesOf = f => spanOf(f).map(secondsOf);

// Rounds up to 1, 2, 5 or 10 times a power of ten.
const roundUp = least => {
	const power = 10 ** floor(Math.log10(least));
	return power * [1, 2, 5, 10].find(times => least <= times * power);
};

// Returns the middle of a text that is in the picture.
const centerText = (s, x) => {
	const half = widthOf(s) / 2;
	return max(half, min(right() - half, x));
};

added.draws.push(() => {
	const [begin, end] = timesOf(merged ? baseRoot : zoom);
	const apart = roundUp((end - begin) *
	    max(1 / mostTicks, fontSize * 6 / (width * scale)));
	const [seconds, name] = timeUnit(end);
	const decimals = max(0, -floor(Math.log10(apart / seconds) + 1e-9));
	const ticks = [];
	const first = Math.ceil(begin / apart);
	for (let n = 0; n <= mostTicks && (first + n) * apart <= end; n++) {
		const i = first + n;
		const at = (i * apart - begin) / (end - begin) * width;
		const x = left + at + unit;
		const s = i === 0 ? "0" :
		    (i * apart / seconds).toFixed(decimals) + " " + name;
		const label = set(printedLabel.cloneNode(),
		    { x: centerText(s, (left + at) * scale) });
		write(label, s);
		ticks.push(set(printedLine.cloneNode(), { x1: x, x2: x }),
		    label);
	}
	show(axis, !merged);
	write(axis, ...ticks);
});

// Keeps the axis in the window, above the line of details.
added.sticks.push(([x0, , x1, y1]) => {
	const by = min(grown, y1 - fullHeight - spare), y = axisTop + by;
	set(axis, { transform: `translate(0 ${by})` });
	place(axisPaper, x0, y, x1 - x0, by < grown ? y1 - y : 0);
});

// "from 1.25 s to 1.5 s"
added.times = span => {
	const [seconds, name] = timeUnit(timesOf(baseRoot)[1]);
	return "from " + span.map(n =>
		Number((secondsOf(n) / seconds).toFixed(6)) + " " + name)
	    .join(" to ");
};

// "250 ms"
added.spell = n => {
	const time = secondsOf(n), [seconds, name] = timeUnit(time);
	return Number((time / seconds).toPrecision(6)) + " " + name;
};

added.facts.push(f => merged ? [] : [added.times(spanOf(f))]);
