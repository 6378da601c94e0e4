/*
 * The axis of time below a flame chart, and the times of a frame.  The axis is
 * drawn again for a zoom, and hidden if frames are merged, since they are not
 * in the order of time then.
 */
const axis = byId("axis");
const [printedLine, printedLabel] = axis.children;
const axisTop = num(printedLine, "y1");
const axisPaper = make("rect", { class: "paper" });
details.before(axisPaper, axis);
// However small the font is.
const mostTicks = 1000;
const secondsOf = n => n * axis.dataset.unit * factor;

// Returns the begin and the end of a frame, in seconds.
const timesOf = f => spanOf(f).map(secondsOf);

// Rounds up to 1, 2, 5 or 10 times a power of ten.
const roundUp = least => {
	const power = 10 ** floor(Math.log10(least));
	return power * [1, 2, 5, 10].find(times => least <= times * power);
};

// Returns the middle of a text near a place, so that it is in the picture.
const centerText = (s, x) => {
	const half = widthOf(s) / 2;
	return max(half, min(right() - half, x));
};

const makeTicks = ([begin, end]) => {
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
	return ticks;
};

added.draws.push(() => {
	show(axis, !merged);
	write(axis, ...makeTicks(timesOf(merged ? baseRoot : zoom)));
});

// Keeps the axis in the window, above the line of details.
added.sticks.push(([x0, , x1, y1]) => {
	const by = min(grown, y1 - fullHeight - spare), y = axisTop + by;
	set(axis, { transform: `translate(0 ${by})` });
	place(axisPaper, x0, y, x1 - x0, by < grown ? y1 - y : 0);
});

// "from 1.25 s to 1.5 s"
const tellTimes = span => {
	const [seconds, name] = timeUnit(timesOf(baseRoot)[1]);
	return "from " + span.map(n =>
		Number((secondsOf(n) / seconds).toFixed(6)) + " " + name)
	    .join(" to ");
};

// "250 ms"
const tellTime = n => {
	const time = secondsOf(n), [seconds, name] = timeUnit(time);
	return Number((time / seconds).toPrecision(6)) + " " + name;
};

Object.assign(added, { times: tellTimes, spell: tellTime });
added.facts.push(f => merged ? [] : [tellTimes(spanOf(f))]);
