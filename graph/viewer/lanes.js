/*
 * Lanes: each thread of a flame chart has one, and all have one axis of time.
 * A zoom shows the time of a frame in all lanes.  Other pictures leave this out.
 *
 * Changes of the lanes: l folds one, or opens it if L has folded all; x opens
 * the others, and o puts them in another order than that of their first times.
 */
const LANE_GAP = 6;
const ORDERS = {
	name: (a, b) => names[nOf[a.i]] < names[nOf[b.i]] ? -1 : 1,
	count: (a, b) => printed.total[b.i] - printed.total[a.i] || a.i - b.i
};
const others = byId("others");
// in the printed order: the frame, the rows, if it is one of the others, and as
// it is shown: if it is folded, and the place of its own frame
const lanes = [];
let firstTop, othersTop, printedHigh;

Object.assign(WORDS, { l: "folded: ", L: "all folded", x: "others",
	o: "by " });

const isDown = () => inverted !== flipped;
const has = a => changes.includes(a);

// Returns the lanes that are shown, in their order.
const shownLanes = () => {
	const by = (changes.find(c => c[0] === "o") || "").slice(1);
	const sorted = ORDERS[by] ? [...lanes].sort(ORDERS[by]) : lanes;
	return [...sorted.filter(lane => !lane.isOther),
		...sorted.filter(lane => lane.isOther && has("x"))];
};

// Gives the lanes their places, and returns how high they are with the root.
const placeLanes = () => {
	const row = height + 1, folded = changedBy("l");
	let y = firstTop + (isDown() ? row + LANE_GAP : 0);
	const placeOthers = () => {
		othersTop = y;
		y += row + LANE_GAP;
	};
	othersTop = -1;
	for (const lane of shownLanes()) {
		if (lane.isOther && othersTop < 0)
			placeOthers();
		lane.isFolded = has("L") !== folded.includes(nOf[lane.i]);
		const rows = lane.isFolded ? 1 : lane.rows;
		lane.y = y + (isDown() ? 0 : row * (rows - 1));
		y += rows * row + LANE_GAP;
	}
	if (others && othersTop < 0)
		placeOthers();
	lanes.rootY = isDown() ? firstTop : y;
	return y + (isDown() ? 0 : row) - firstTop;
};

const readLanes = () => {
	for (let i = 1; i < size; i++) {
		if (depthOf[i] === 1)
			lanes.push({ i, rows: 1, isFolded: false, y: 0,
				isOther: lanes.length >= given.lanes });
		const lane = lanes[lanes.length - 1];
		lane.rows = max(lane.rows, depthOf[i]);
	}
	firstTop = inverted ? top : num(rectOf(gs[lanes[0].i]), "y") -
	    (height + 1) * (lanes[0].rows - 1);
	printedHigh = placeLanes();
};

// Returns the frames that are wide enough, from the root on, lane by lane, if
// the time of the target is as wide as the picture.
added.arrange = (to, least) => {
	const [begin, end] = spanOf(to);
	const pixels = width / (end - begin || 1);
	const path = new Map(pathTo(to).map(f => [f.parts[0], f]));
	const { first, next } = printed;
	const fs = [], open = [];
	const isIn = i => (min(endOf[i], end) - max(startOf[i], begin)) *
	    pixels >= least;
	const add = (i, up) => {
		const f = path.get(i) || frameOf(i, up);
		const [x0, x1] = spanOf(f).map(time =>
			(min(max(time, begin), end) - begin) * pixels);
		fs.push(Object.assign(f, { x: left + x0, w: x1 - x0,
			el: null }));
		return f;
	};
	if (!lanes[0])
		readLanes();
	placeLanes();
	const bottomFrame = add(0, null);
	for (const lane of shownLanes()) {
		open.push([lane.i, bottomFrame]);
		while (open[0]) {
			const [i, up] = open.pop(), f = add(i, up);
			if (lane.isFolded)
				continue;
			for (const j of listFrom(first[i], next).reverse())
				if (isIn(j))
					open.push([j, f]);
		}
	}
	return fs;
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
		return (high - low + 1) * row - printedHigh;
	}
	const high = placeLanes();
	const yOf = new Map(lanes.map(({ i, y }) => [i, y]));
	for (const f of fs)
		f.y = f.depth ? yOf.get(threadOf[f.parts[0]]) +
		    row * (f.depth - 1) * (isDown() ? 1 : -1) : lanes.rootY;
	return high - printedHigh;
};

// A lane's name has all of its row.
added.nameLane = (el, f) => {
	if (merged || f.depth !== 1)
		return false;
	const [, , label = make("text")] = el.children;
	const { isFolded } = lanes.find(({ i }) => i === f.parts[0]);
	el.append(set(label, { x: left + unit, dx: INDENT,
		y: f.y + height / 2 + 3 }));
	label.textContent = (isFolded ? "\u25b8 " : "\u25be ") + names[f.n];
	return true;
};

const { isWide, draw: drawMore } = added;
added.isWide = f => !merged && f.depth < 2 || isWide(f);

const laneChange = to => visit([to], merged ? null : zoom);
const flip = a => laneChange(has(a) ? changes.filter(c => c !== a) :
	[...changes, a]);
const foldAll = () => laneChange([...changes.filter(c =>
	!/^l/i.test(c)), ...has("L") ? [] : ["L"]]);
const fold = f => flip("l" + names[nOf[threadOf[f.parts[0]]]]);
const sortNext = () => {
	const by = [...Object.keys(ORDERS), ""];
	const last = (changes.find(c => c[0] === "o") || "o").slice(1);
	const to = by[(by.indexOf(last) + 1) % by.length];
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

// What is below the lanes moves with them.
added.draw = () => {
	drawMore();
	const to = bottom() - fullHeight;
	for (const el of [byId("axis"), byId("legend")].filter(el => el))
		set(el, { transform: `translate(0 ${to})` });
	if (others) {
		set(others, { y: othersTop + height / 2 + 3,
			visibility: merged ? "hidden" : "visible",
			"aria-expanded": has("x") });
		const s = others.textContent.replace(/^[\u25b8\u25be] /, "");
		write(others, (has("x") ? "\u25be " : "\u25b8 ") + s);
	}
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
		const part = min(endOf[i], end) - max(startOf[i], begin);
		if (depth < 2 || part <= 0)
			continue;
		all += depth === 2 && part;
		n += below[i] && (depth === 2 || !below[j]) && part;
	}
	return [n, all];
};
