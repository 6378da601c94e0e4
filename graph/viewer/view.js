/*
 * The view: the frames, if the picture is not as it was printed.
 *
 * The picture as printed, the base, stays.  A cover that looks like the
 * background hides it, and a view on the cover has copies of the frames that
 * are wide enough.  Narrower ones of the same shade share a path, and the one
 * under the mouse is found by its place.  The view takes over the id "frames".
 */
let cover, view;
// the frames that are seen, in pre-order; those of the base
let seen = [], frames;
let zoom;

// Frames have round corners, which the style sheet gives to rectangles alone.
const side = (r, h, v) => `h${h}q${r} 0 ${r} ${r}v${v}q0 ${r} ${-r} ${r}`;
const outline = fs => fs.map(({ x, y, w }) => {
	const r = min(2, w * scale / 2), h = w * scale - 2 * r;
	const v = height - 2 * r;
	return `M${x * scale + r} ${y}` + side(r, h, v) + side(-r, -h, -v);
}).join("");

// "parse (1,234 samples, 12.34%; +1.20%)"
const titleOf = f => {
	const g = !merged && elOf(f.parts[0]);
	return g ? g.children[0].textContent.split("\n")[0] :
	    `${names[f.n]} (${commas(f.total)} ${given.unit}, ${
		percent(f.total, root.total)}${added.change(f)})`;
};

// by the name's number
const paints = [];

// To look at an element takes long: of merged frames once a name.  The table
// has a color, for a change also ";" and that in the dark, for theme.css.
const paintOf = f => {
	const known = merged && (added.tint(f) || paints[f.n]);
	if (known)
		return known;
	const [i] = f.parts, g = elOf(i);
	const [fill, dark] = g ? [get(rectOf(g), "fill")] :
	    looks[lookOf[i]].split("\t")[0].split(";");
	const style = g ? get(rectOf(g), "style") : dark && "--dark: " + dark;
	return paints[f.n] = { fill, ...style && { style },
		// lanes and what is below have gaps
		...given.lanes && depthOf[i] < 2 && { "fill-opacity": ".2" } };
};

const copyFrame = f => {
	const { x, y, w, parts: [i] } = f, g = elOf(i);
	const el = g ? g.cloneNode() : make("g");
	el.removeAttribute("id");
	el.removeAttribute("display");
	el.append(make("title", {}, titleOf(f)), make("rect",
	    { x: x + unit, y, width: w + unit, height, ...paintOf(f) }));
	setLabel(el, f);
	if (isMatch(f))
		el.classList.add("match");
	return f.el = el;
};

// Draws the frames that are not elements: four in each pixel of a row, which
// fill the room of the others, with some bits of a color #rrggbb.
const drawNarrow = (fs, into, bits = 0xe0e0e0) => {
	const shades = {}, ends = {}, least = .25 / scale;
	for (const f of fs) {
		const { x, y, w } = f;
		const gap = x - (ends[y] || 0);
		if (f.el || gap + w < least)
			continue;
		ends[y] = x + w;
		const { fill, style } = paintOf(f);
		const shade = fill.length === 7 ?
		    "0x" + fill.slice(1) & bits : fill;
		const path = shades[shade] = shades[shade] ||
		    { fill, ...style && { style }, d: "" };
		path.d += `M${(gap < least ? x - gap : x) * scale} ${y}v${
			height}H${(x + w) * scale}v${-height}`;
	}
	for (const shade in shades)
		into.append(make("path", shades[shade], make("title")));
};

// Gives elements to the frames that may have labels in the window, and to some
// others.  Two thousand take longer than everything else, so the rest get
// theirs later; until then one element has them, drawn like narrow frames.
const copySome = (fs, many, rest) => {
	const isUrgent = f => f.w * scale >= fontSize && added.isNear(f);
	let next = null;
	for (const f of [...fs].reverse()) {
		if (!f.el && (isUrgent(f) || many-- > 0))
			view.insertBefore(copyFrame(f), next);
		next = f.el || next;
	}
	if (many >= 0)
		return rest.remove();
	setTimeout(() => rest.isConnected && copySome(fs, 1e3, rest), 100);
};

// room below for a second line of details, above the legend
let spare = 0;
const findSpare = () => {
	spare = added.hasLongFacts || innerWidth < 50 * em ? 1.4 * em : 0;
	growBy(0);
};

// how much higher the picture is than it was printed
let grown = 0;

const growBy = more => {
	grown = more;
	const to = fullHeight + spare + more;
	if (to === bottom())
		return;
	part = null;
	for (const el of [svg, canvas])
		set(el, { height: to });
	if (!unit)
		svg.viewBox.baseVal.height = to;
};

// Callers have negative depths, and may need more rows than were printed.
const placeRows = fs => {
	if (inLanes())
		return added.placeRows(fs);
	let low = 0, high = 0;
	for (const { depth } of fs) {
		low = min(low, depth);
		high = max(high, depth);
	}
	const row = height + 1, most = high - low;
	// a flame graph is lower than its lanes
	const last = given.lanes ? most : max(deepest, most);
	const y0 = inverted ? top : top - deepest * row;
	for (const f of fs)
		f.y = y0 + row * (inverted !== flipped ? f.depth - low :
		    last + low - f.depth);
	return (last - deepest) * row;
};

const showView = () => {
	// frames of the base stay as they are
	if (!merged)
		zoom = frameFor(zoom.parts[0]);
	view = base.cloneNode();
	base.id = "base";
	seen = arrange(zoom, narrowest);
	growBy(placeRows(seen));
	cover = set(canvas.cloneNode(), { id: "cover" });
	const wide = seen.filter(f => f.w * scale >= 1 ||
		inLanes() && f.depth < 2 || added.isWide(f));
	const rest = view.appendChild(make("g"));
	copySome(wide, 200, rest);
	drawNarrow(wide, rest, 0xf0f0f0);
	for (const { el } of pathTo(zoom.up))
		if (el)
			el.classList.add("parent");
	drawNarrow(seen.filter(f => f.w * scale < 1), view);
	base.after(cover, view);
};

const isZoomed = () => zoom !== root || !!added.span();
const isBase = () => !changes[0] && !isZoomed();
// a selection alone changes no frame
const isPlain = () => changes.every(([a]) => a === "s");

const draw = () => {
	seen = frames;
	if (view) {
		growBy(0);
		cover.remove();
		view.remove();
		view = null;
		base.id = "frames";
		baseRoot.y = top;
		baseRoot.el = gs[0];
	}
	if (zoom !== root || !isPlain())
		showView();
	added.draws.forEach(act => act());
	markNarrow();
	markKin(null);
	pointed = viewed = hits = null;
	// the frame with the same counts, which may be from another view
	const again = f => seen.find(o => o.n === f.n &&
	    o.depth === f.depth && o.start === f.start) || zoom;
	if (here)
		focus(again(here));
	else if (told)
		tell(again(told));
	showBar();
	showHits();
};

const fitLabels = () => {
	// a view has other places for the root
	for (const f of frames)
		if (f.el)
			setLabel(f.el, f.up ? f : { ...f, y: top });
};
