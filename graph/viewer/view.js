/*
 * The view: what is shown where the picture is not as it was printed.
 *
 * The picture as printed, the base, is never moved or resized.  A cover that
 * looks like the background hides it, and a view on the cover holds just the
 * frames that are wide enough, as copies of printed ones: it costs as much as
 * it shows, and to show the base again only drops cover and view.  Of frames
 * narrower than a pixel those of a shade share a path instead, and the one
 * under the mouse is found by its place.  The view takes over the id "frames",
 * so whoever looks for frames finds those that are seen.
 */
let cover, view;
// the frames that are seen, in pre-order; those of the base
let shown = [], baseFrames;
let zoomed;

// Frames have round corners, which the style sheet gives to rectangles alone.
const outline = fs => fs.map(({ x, y, w }) => {
	const r = min(2, w * scale / 2), h = w * scale - 2 * r;
	const v = height - 2 * r;
	return `M${x * scale + r} ${y}h${h}q${r} 0 ${r} ${r}v${v}q0 ${r} ${
		-r} ${r}h${-h}q${-r} 0 ${-r} ${-r}v${-v}q0 ${-r} ${r} ${-r}`;
}).join("");

// "1,234 samples, 12.34%"
const countOf = ({ total }) => `${commas(total)} ${given.unit}, ${
	percent(total, root.total)}`;

// "parse (1,234 samples, 12.34%; +1.20%)"
const titleOf = f => {
	const [i] = f.parts;
	if (!merged)
		return groups[i].firstElementChild.textContent.split("\n")[0];
	const more = added.tint && i ? "; " + added.changeShare(f) : "";
	return `${names[f.n]} (${countOf(f)}${more})`;
};

// Returns a frame's fill, and its style, which theme.css reads.
const paintOf = f => {
	if (merged && added.tint)
		return added.tint(f);
	const rect = rectOf(groups[f.parts[0]]);
	return { fill: rect.getAttribute("fill"),
	    style: rect.getAttribute("style") || "" };
};

const copyFrame = f => {
	const { x, y, w, parts: [i] } = f;
	let el = groups[i].cloneNode(true);
	if (el.localName === "view") {
		const seen = create("g");
		seen.append(...el.children);
		el = seen;
	}
	el.removeAttribute("id");
	const title = el.firstElementChild;
	set(title.nextElementSibling, { x: x + unit, y, width: w + unit,
	    ...merged && added.tint && added.tint(f) });
	if (merged)
		title.textContent = titleOf(f);
	setLabel(el, f);
	if (isMatch(f))
		el.classList.add("match");
	f.el = el;
	view.append(el);
};

// Colors as #rrggbb are told apart by three bits of red, green and blue: of
// frames that narrow the reader sees a blend anyway.
const shadeOf = fill => fill.length === 7 ?
    Number("0x" + fill.slice(1)) & 0xe0e0e0 : fill;

// Draws those of the frames that are no elements: four of a row in each pixel,
// which have the room of the others.
const drawNarrow = fs => {
	const shades = {}, ends = {}, least = 0.25 / scale;
	for (const f of fs) {
		const { x, y, w } = f;
		const gap = x - (ends[y] || 0);
		if (f.el || gap + w < least)
			continue;
		ends[y] = x + w;
		const paint = paintOf(f), shade = shadeOf(paint.fill);
		const from = gap < least ? x - gap : x;
		shades[shade] = shades[shade] || { ...paint, d: "" };
		shades[shade].d += `M${from * scale} ${y}v${height}H${
			(x + w) * scale}v${-height}`;
	}
	for (const shade in shades)
		view.append(create("path", shades[shade], create("title")));
};

// Makes the picture higher than it was printed, or as high again.
const growBy = more => {
	const high = fullHeight + more;
	// which browsers lay out again, frame by frame
	if (high === bottom())
		return;
	part = null;
	for (const el of [svg, canvas])
		set(el, { height: high });
	if (!fluid)
		svg.viewBox.baseVal.height = high;
};

// Gives the frames their rows.  Callers have negative depths, and may need more
// rows than were printed.
const placeRows = fs => {
	let lowest = 0, highest = 0;
	for (const { depth } of fs) {
		lowest = min(lowest, depth);
		highest = max(highest, depth);
	}
	const last = max(deepest, highest - lowest), row = height + 1;
	const upper = inverted ? top : top - deepest * row;
	for (const f of fs)
		f.y = upper + row * (inverted !== flipped ? f.depth - lowest :
		    last + lowest - f.depth);
	return (last - deepest) * row;
};

const showView = () => {
	// frames of the base stay as they are
	if (!merged)
		zoomed = frameFor(zoomed.parts[0]);
	view = base.cloneNode(false);
	base.removeAttribute("id");
	shown = arrange(zoomed, narrowest);
	growBy(placeRows(shown));
	cover = canvas.cloneNode();
	cover.removeAttribute("id");
	for (const f of shown)
		if (f.w * scale >= 1 || added.isSpecial(f))
			copyFrame(f);
	for (const { el } of pathTo(zoomed.up))
		el.classList.add("parent");
	drawNarrow(shown);
	base.after(cover, view);
};

const hideView = () => {
	shown = baseFrames;
	if (!view)
		return;
	growBy(0);
	cover.remove();
	view.remove();
	view = null;
	base.id = "frames";
	Object.assign(baseRoot, { y: top, el: groups[0] });
};

// True if both stand for the same counts, also from different views.
const isSame = (a, b) => a.n === b.n && a.depth === b.depth &&
    a.start === b.start;

const isBase = () => changes.length === 0 && zoomed === root;

// Shows what is zoomed to; the base where nothing is changed.
const draw = () => {
	hideView();
	if (!isBase())
		showView();
	added.draw.forEach(show => show());
	markNarrow();
	setClass(unzoom, "hide", isBase());
	markKin(null);
	const again = f => shown.find(o => isSame(o, f));
	if (ringed)
		focus(again(ringed) || zoomed);
	else if (told)
		tell(again(told) || zoomed);
	showBar();
	showMatched();
};

// Fits the labels as they were printed; there the root of a fixed picture has
// none.
const fitLabels = () => {
	for (const f of baseFrames)
		if (fluid || f.up)
			setLabel(f.el, f);
};

