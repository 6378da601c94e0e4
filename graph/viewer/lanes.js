/*
 * Lanes: each thread of a flame chart has one, and all have one axis of time.
 * A zoom shows the time of a frame in all lanes.
 *
 * Changes: l folds a lane, or opens it if L has folded all; x opens the others,
 * and o gives them another order.
 */
const LANE_GAP = 6;
const ORDERS = {
	name: (a, b) => names[nOf[a.i]] < names[nOf[b.i]] ? -1 : 1,
	count: (a, b) => b.count - a.count || a.i - b.i
};
const others = byId("others");
// in the printed order: the frame i and its rows; in view what it counts, the
// most rows and those it has, and the place; and by the frame
const lanes = [], laneAt = [];
let firstTop, othersTop, rootTop;
// those that are shown, in their order, and the others of the view
let shown, late = [];
// the lane that stays where it is in the window, its last place, and the rows
// of the picture that the window shows then
let kept, keptWas, near = [0, 0];

Object.assign(WORDS, { l: "folded: ", L: "all folded", x: "others",
	o: "by " });

const isDown = () => inverted !== flipped;
const has = a => changes.includes(a);
const laneOf = f => laneAt[threadOf[f.parts[0]]];
const orderNow = () => (changes.find(c => c[0] === "o") || "o").slice(1);
const isFolded = ({ i }) => has("L") !== has("l" + names[nOf[i]]);

// Sorts the lanes that are there at a time, or at all.
const chooseLanes = span => {
	const [begin, end] = span || [0, endOf[0]];
	const there = lanes.filter(({ i }) =>
		startOf[i] < end && endOf[i] > begin);
	for (const lane of there) {
		lane.count = span ? listAbove(lane.i).reduce((all, j) =>
			all + overlap(j, span), 0) : printed.total[lane.i];
		lane.most = isFolded(lane) ? 1 : span ? size : lane.rows;
		lane.high = span ? 1 : lane.most;
	}
	const ranked = span ? [...there].sort(ORDERS.count) : lanes;
	ranked.forEach((lane, at) => lane.isOther = at >= given.lanes);
	const by = ORDERS[orderNow()] || span && ORDERS.count;
	if (by)
		there.sort(by);
	late = there.filter(lane => lane.isOther);
	shown = [...there.filter(lane => !lane.isOther),
		...has("x") ? late : []];
};

// Returns how high the lanes are with the root.
const placeLanes = () => {
	const row = height + 1;
	let y = firstTop + (isDown() ? row + LANE_GAP : 0);
	kept = zoom && laneOf(zoom) || kept;
	keptWas = kept && kept.y;
	const placeOthers = () => {
		othersTop = y;
		y += row + LANE_GAP;
	};
	othersTop = 0;
	for (const lane of shown) {
		if (lane.isOther && !othersTop)
			placeOthers();
		lane.y = y + (isDown() ? 0 : row * (lane.high - 1));
		y += lane.high * row + LANE_GAP;
	}
	if (late[0] && !othersTop)
		placeOthers();
	rootTop = isDown() ? firstTop : y;
	return y + (isDown() ? 0 : row) - firstTop;
};

const resetLanes = () => {
	chooseLanes();
	deepest = placeLanes() / (height + 1) - 1;
};

added.lanes = (to, span) => {
	if (!lanes[0]) {
		const rows = given.rows.split(" ");
		for (const i of listAbove(0))
			lanes.push(laneAt[i] = { i, rows: +rows[lanes.length],
				y: 0 });
		firstTop = inverted ? top :
		    num(rectOf(elOf(lanes[0].i)), "y") -
		    (height + 1) * (lanes[0].rows - 1);
		resetLanes();
	}
	chooseLanes(to.up || added.span() ? span : null);
	return shown.map(({ i }) => i);
};

// In a zoom a lane has rows for frames a pixel wide, as in graph/measure.c.
added.cutRows = fs => {
	for (const f of fs) {
		const lane = laneOf(f);
		if (lane && f.w * scale >= 1)
			lane.high = max(lane.high, min(lane.most, f.depth));
	}
	return fs.filter(f => !f.up || f.depth <= laneOf(f).high);
};

added.placeRows = fs => {
	const row = height + 1;
	const more = placeLanes() - (deepest + 1) * row;
	for (const f of fs)
		f.y = f.depth ? laneOf(f).y +
		    row * (f.depth - 1) * (isDown() ? 1 : -1) : rootTop;
	// where the window will be, once the lane that is kept is in its place
	const [, y0, , y1] = partSeen(), high = y1 - y0;
	const from = shown.includes(kept) ? max(0,
	    kept.y + height + 4 * em - high,
	    min(kept.y - 4 * em, y0 + kept.y - keptWas)) : y0;
	near = [from - height, from + high];
	return more;
};

added.isNear = ({ y }) => merged || y > near[0] && y < near[1];

// Sums spans of time (see findSpans) in each pixel's part of a time.
const countColumns = (spans, [begin, end]) => {
	const columns = floats(Math.ceil(width * scale) + 1);
	// what is added from a pixel on
	const steps = floats(columns.length + 1);
	const pixels = width * scale / (end - begin || 1);
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

// Returns a curve of columns from 0 to 1, as graph/frames.c draws it.
const curveOf = (columns, y, high) => {
	let d = "", last = 0;
	const goTo = (share, x) => {
		// sums may be off by a little
		const now = share > 1e-6 ?
		    Math.round(max(1, min(share, 1) * high) * 10) / 10 : 0;
		if (now !== last)
			d += (last ? "H" : "M") + (left * scale + x) +
			    (last ? "V" : ` ${y + high}V`) + (y + high - now);
		last = now;
	};
	columns.forEach(goTo);
	goTo(0, columns.length);
	return d;
};

// A lane's name has all of its row.
added.nameLane = (el, f) => {
	if (merged || f.depth !== 1)
		return false;
	const label = el.querySelector("text") || make("text");
	// copies of what was not shown lack it
	set(el, { "data-lane": "" });
	// those behind a view, too; their curves have narrow frames
	const isPrinted = el.parentNode === base;
	if (!isPrinted || unit) {
		const curve = el.querySelector("path") || make("path");
		const columns = countColumns(listAbove(f.parts[0])
		    .flatMap(j => [startOf[j], endOf[j], j, 1]),
		    spanOf(isPrinted ? baseRoot : zoom));
		el.append(set(curve, { d: curveOf(columns, f.y, height) }));
	}
	el.append(set(label, { x: left + unit, dx: INDENT,
		y: f.y + height / 2 + 3 }));
	const lane = laneOf(f);
	const marker = !isPrinted && isFolded(lane) ? "\u25b8 " :
	    (isPrinted ? lane.rows : lane.high) > 1 ? "\u25be " : "";
	label.textContent = marker + names[f.n];
	return true;
};

const laneChange = to => visit([to], !merged && zoom);
const fold = f => {
	kept = laneOf(f);
	toggle("l" + names[nOf[kept.i]]);
};
ACTIONS.splice(-1, 0,
    ["l", "fold or open the lane", () => !merged && subject().depth > 0 &&
	fold(subject())],
    ["L", "fold or open all lanes", () =>
	laneChange(changesBut("lL", ...has("L") ? [] : ["L"]))],
    ["x", "open or close the other lanes", () => !!others && toggle("x")],
    ["o", "order of lanes: by name, count, first time", () => {
		const orders = [...Object.keys(ORDERS), ""];
		const to = orders[(orders.indexOf(orderNow()) + 1) %
		    orders.length];
		laneChange(changesBut("o", ...to ? ["o" + to] : []));
	}]);

added.cutView = () => inLanes() && zoom !== root && cutTree(spanOf(zoom));

on(svg, "click", e => {
	if (merged || e.target.localName !== "text" ||
	    !e.target.closest("[data-lane]"))
		return;
	e.preventDefault();
	e.stopPropagation();
	fold(frameAt(e));
}, true);

if (others) {
	set(others, { tabindex: 0, role: "button" });
	on(others, "click", () => toggle("x"));
}

added.draws.push(() => {
	if (!view)
		resetLanes();
	if (kept && !merged) {
		const f = seen.find(({ parts: [i] }) => i === kept.i);
		scrollBy(0, (kept.y - keptWas) * boxOf(canvas).height /
		    bottom());
		if (f && f.el)
			f.el.scrollIntoView({ block: "nearest",
				inline: "nearest" });
	}
	if (others) {
		set(others, { y: othersTop + height / 2 + 3,
			visibility: merged || !late[0] ? "hidden" : "visible",
			"aria-expanded": has("x") });
		const all = shown.concat(has("x") ? [] : late);
		const [rest, whole] = [late, all].map(some =>
			some.reduce((n, { count }) => n + count, 0));
		write(others, `${has("x") ? "\u25be" : "\u25b8"} others: ${
			late.length} lanes, ${percent(rest, whole)}`);
	}
});

// The name of a lane whose own row is outside of the window.
const edgeName = make("text", { dx: INDENT, class: "halo" });
details.before(edgeName);
added.sticks.push(([x0, y0, , y1]) => {
	const row = height + 1;
	const edge = isDown() ? y0 + 3 * em : y1 - 4 * em - spare - row;
	const lane = !merged && shown && shown.find(({ y, high }) => isDown() ?
		y < edge && y + (high - 1) * row > edge :
		y > edge && y - (high - 1) * row < edge);
	write(edgeName, lane ? names[nOf[lane.i]] : "");
	if (lane)
		set(edgeName, { x: max(left * scale, x0),
			y: edge + height / 2 + 3 });
});
