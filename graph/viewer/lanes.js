/*
 * Lanes: each thread of a flame chart has one, and all have one axis of time.
 * A zoom shows the time of a frame in all lanes.  Other pictures leave this
 * out.
 *
 * Changes of the lanes: l folds one, or opens it if L has folded all; x opens
 * the others, and o puts them in another order than that of their first times.
 */
const LANE_GAP = 6;
const ORDERS = {
	name: (a, b) => names[nOf[a.i]] < names[nOf[b.i]] ? -1 : 1,
	count: (a, b) => b.count - a.count || a.i - b.i
};
const others = byId("others");
// in the printed order: the frame and its rows; and in view what it counts, if
// it is one of the others, rows, the place of the frame, and the last one
const lanes = [];
let firstTop, othersTop, rootTop, printedHigh;
// those that are shown, in their order, and the others of the view
let shown, late = [];
// the lane that stays where it is in the window, and the part of the picture
// that this shows, from top to bottom
let kept, near = [0, 0];
// how much higher the lanes are than they are printed
let more = 0;

Object.assign(WORDS, { l: "folded: ", L: "all folded", x: "others",
	o: "by " });

const isDown = () => inverted !== flipped;
const has = a => changes.includes(a);
const laneOf = f => lanes.find(({ i }) => i === threadOf[f.parts[0]]);
const orderNow = () => (changes.find(c => c[0] === "o") || "o").slice(1);
const isFolded = ({ i }) => has("L") !== has("l" + names[nOf[i]]);

// Returns what is left of a lane's counts in a time.
const countIn = (i, [begin, end]) => listFrom(printed.first[i], printed.next)
    .reduce((all, j) =>
	all + max(0, min(endOf[j], end) - max(startOf[j], begin)), 0);

// Chooses the lanes that are there at a time, and sorts them: in a zoom, those
// that count most in it are first.
const chooseLanes = span => {
	const [begin, end] = span || [0, endOf[0]];
	const there = lanes.filter(({ i }) =>
		startOf[i] < end && endOf[i] > begin);
	for (const lane of there)
		lane.count = span ? countIn(lane.i, span) :
		    printed.total[lane.i];
	const ranked = span ? [...there].sort(ORDERS.count) : lanes;
	ranked.forEach((lane, at) => lane.isOther = at >= given.lanes);
	const by = ORDERS[orderNow()] || span && ORDERS.count;
	if (by)
		there.sort(by);
	late = there.filter(lane => lane.isOther);
	shown = [...there.filter(lane => !lane.isOther),
		...has("x") ? late : []];
};

// Gives the lanes their places, and returns how high they are with the root.
const placeLanes = () => {
	const row = height + 1;
	let y = firstTop + (isDown() ? row + LANE_GAP : 0);
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

// Places the lanes as they are printed.
const resetLanes = () => {
	for (const lane of lanes)
		lane.high = lane.rows;
	chooseLanes();
	printedHigh = placeLanes();
};

const readLanes = () => {
	const rows = given.rows.split(" ");
	for (let i = 1; i < size; i++)
		if (depthOf[i] === 1)
			lanes.push({ i, rows: +rows[lanes.length],
				high: 0, y: 0, was: 0 });
	firstTop = inverted ? top : num(rectOf(elOf(lanes[0].i)), "y") -
	    (height + 1) * (lanes[0].rows - 1);
	resetLanes();
	for (const lane of lanes)
		lane.was = lane.y;
};

// Returns the frames that are wide enough, from the root on, lane by lane, if
// the time of the target is as wide as the picture.  A zoom gives a lane rows
// for the frames that are a pixel wide, as graph/lanes.c does for the whole.
added.arrange = (to, least) => {
	const [begin, end] = spanOf(to);
	const pixels = width / (end - begin || 1);
	const path = new Map(pathTo(to).map(f => [f.parts[0], f]));
	const { first, next } = printed;
	const isWhole = !to.up && !added.span();
	const isIn = i => (min(endOf[i], end) - max(startOf[i], begin)) *
	    pixels >= least;
	const put = (i, up) => {
		const f = path.get(i) || frameOf(i, up);
		const [x0, x1] = spanOf(f).map(time =>
			(min(max(time, begin), end) - begin) * pixels);
		return Object.assign(f, { x: left + x0, w: x1 - x0,
			el: null });
	};
	if (!lanes[0])
		readLanes();
	const ground = put(0, null), fs = [ground];
	chooseLanes(isWhole ? null : [begin, end]);
	for (const lane of shown) {
		const own = [], open = [[lane.i, ground]];
		const most = isFolded(lane) ? 1 : isWhole ? lane.rows : size;
		let high = isWhole ? most : 1;
		while (open[0]) {
			const [i, up] = open.pop(), f = put(i, up);
			own.push(f);
			if (f.w * scale >= 1)
				high = max(high, f.depth);
			if (f.depth === most)
				continue;
			for (const j of listFrom(first[i], next).reverse())
				if (isIn(j))
					open.push([j, f]);
		}
		lane.high = high;
		for (const f of own)
			if (f.depth <= high)
				fs.push(f);
	}
	return fs;
};

// Finds the lane of the zoom, and where the window will be (see keepLane).
const findNear = () => {
	const [, y0, , y1] = partSeen(), high = y1 - y0;
	kept = zoom && laneOf(zoom) || kept;
	let from = y0;
	if (shown.includes(kept)) {
		const { y, was } = kept;
		from = max(0, y + height + 4 * em - high,
		    min(y - 4 * em, y0 + y - was));
	}
	near = [from - height, from + high];
};

added.placeRows = fs => {
	const row = height + 1;
	if (merged) {
		const depths = fs.map(({ depth }) => depth);
		const low = depths.reduce((a, b) => min(a, b));
		const high = depths.reduce((a, b) => max(a, b));
		for (const f of fs)
			f.y = firstTop + row *
			    (isDown() ? f.depth - low : high - f.depth);
		return more = (high - low + 1) * row - printedHigh;
	}
	more = placeLanes() - printedHigh;
	findNear();
	const yOf = new Map(lanes.map(({ i, y }) => [i, y]));
	for (const f of fs)
		f.y = f.depth ? yOf.get(threadOf[f.parts[0]]) +
		    row * (f.depth - 1) * (isDown() ? 1 : -1) : rootTop;
	return more;
};

added.isNear = ({ y }) => merged || y > near[0] && y < near[1];

// Returns the curve of the part of each pixel's time in which a lane has stacks,
// as graph/frames.c draws it.
const usageOf = (i, y, [begin, end]) => {
	const columns = floats(Math.ceil(width * scale));
	const pixels = width * scale / (end - begin || 1);
	for (let j = printed.first[i]; j; j = printed.next[j]) {
		const from = max(0, (startOf[j] - begin) * pixels);
		const to = min(columns.length, (endOf[j] - begin) * pixels);
		for (let x = floor(from); x < to; x++)
			columns[x] += min(to, x + 1) - max(from, x);
	}
	let d = "", last = 0;
	const goTo = (usage, x) => {
		// sums may be off by a little
		const now = usage > 1e-6 ?
		    Math.round(max(1, min(usage, 1) * height) * 10) / 10 : 0;
		if (now !== last)
			d += (last ? "H" : "M") + (left * scale + x) +
			    (last ? "V" : ` ${y + height}V`) +
			    (y + height - now);
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
	// labels of the printed picture may be fitted behind a view; its curve
	// counts narrow frames, too
	const isPrinted = el.parentNode === base;
	if (!isPrinted || unit) {
		const curve = el.querySelector("path") || make("path");
		el.append(set(curve, { d: usageOf(f.parts[0], f.y,
		    spanOf(isPrinted ? baseRoot : zoom)) }));
	}
	el.append(set(label, { x: left + unit, dx: INDENT,
		y: f.y + height / 2 + 3 }));
	const lane = laneOf(f);
	const marker = !isPrinted && isFolded(lane) ? "\u25b8 " :
	    (isPrinted ? lane.rows : lane.high) > 1 ? "\u25be " : "";
	label.textContent = marker + names[f.n];
	return true;
};

const { isWide, draw: drawMore } = added;
added.isWide = f => !merged && f.depth < 2 || isWide(f);

const laneChange = (to, lane) => {
	kept = lane;
	visit([to], merged ? null : zoom);
};
const flip = (a, lane) => laneChange(has(a) ?
    changes.filter(c => c !== a) : [...changes, a], lane);
const foldAll = () => laneChange([...changes.filter(c => !/^l/i.test(c)),
	...has("L") ? [] : ["L"]], laneOf(zoom));
const fold = f => flip("l" + names[nOf[threadOf[f.parts[0]]]], laneOf(f));
const sortNext = () => {
	const orders = [...Object.keys(ORDERS), ""];
	const to = orders[(orders.indexOf(orderNow()) + 1) % orders.length];
	laneChange([...changes.filter(c => c[0] !== "o"),
		...to ? ["o" + to] : []]);
};

ACTIONS.splice(-1, 0,
    ["l", "fold or open the lane", () => !merged && subject().depth > 0 &&
	fold(subject())],
    ["L", "fold or open all lanes", foldAll],
    ["x", "open or close the other lanes", () => !!others && flip("x")],
    ["o", "order of lanes: by name, count, first time", sortNext]);

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
	on(others, "click", () => flip("x"));
}

// Scrolls as far as the lane was moved that stays where it is, and if that was
// not in the window until it is.
const keepLane = () => {
	const f = seen.find(({ parts: [i] }) => i === kept.i);
	if (kept.y !== kept.was)
		scrollBy(0, (kept.y - kept.was) * boxOf(canvas).height /
		    bottom());
	if (f && f.el)
		f.el.scrollIntoView({ block: "nearest", inline: "nearest" });
};

// What is below the lanes moves with them.
added.draw = () => {
	drawMore();
	if (!view) {
		resetLanes();
		more = 0;
	}
	if (kept && !merged)
		keepLane();
	for (const lane of lanes)
		lane.was = lane.y;
	added.down = more;
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
};

// The name of the lane whose row is outside of the window, at its edge.
const edgeName = make("text", { dx: INDENT, class: "halo" });
details.before(edgeName);
const { stick } = added;
added.stick = at => {
	stick(at);
	const [x0, y0, , y1] = at, row = height + 1;
	const edge = isDown() ? y0 + 3 * em : y1 - 4 * em - row;
	const lane = !merged && shown && shown.find(({ y, high }) => isDown() ?
		y < edge && y + (high - 1) * row > edge :
		y > edge && y - (high - 1) * row < edge);
	write(edgeName, lane ? names[nOf[lane.i]] : "");
	set(edgeName, { x: max(left * scale, x0), y: edge + height / 2 + 3 });
};

// In a zoom, matches are parts of what all lanes count in its time.
added.hits = () => {
	if (merged || zoom === root)
		return;
	const [begin, end] = spanOf(zoom), below = ints(size);
	let n = 0, all = 0;
	for (let i = 0; i < size; i++) {
		const j = printed.up[i], depth = depthOf[i];
		below[i] = matches[nOf[i]] || below[j];
		const counts = min(endOf[i], end) - max(startOf[i], begin);
		if (depth < 2 || counts <= 0)
			continue;
		all += depth === 2 && counts;
		n += below[i] && (depth === 2 || !below[j]) && counts;
	}
	return [n, all];
};
