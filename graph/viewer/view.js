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
const outline = frames => frames.map(({ x, y, wide }) => {
	const r = Math.min(2, wide * scale / 2), h = wide * scale - 2 * r;
	const v = height - 2 * r;
	return `M${x * scale + r} ${y}h${h}q${r} 0 ${r} ${r}v${v}q0 ${r} ${-r} ${
		r}h${-h}q${-r} 0 ${-r} ${-r}v${-v}q0 ${-r} ${r} ${-r}`;
}).join("");

// "parse (1,234 samples, 12.34%; +1.20%)"
function titleOf(frame) {
	const [i] = frame.members;
	if (!isMerged)
		return groups[i].firstElementChild.textContent.split("\n")[0];
	const more = added.tint && i ? "; " + added.changeShare(frame) : "";
	return `${names[frame.name]} (${withCommas(frame.total)} ${
		given.unit}, ${percentage(frame.total, root.total)}${more})`;
}

// Returns a frame's fill, and its style, which theme.css reads.
function paintOf(frame) {
	if (isMerged && added.tint)
		return added.tint(frame);
	const rect = rectOf(groups[frame.members[0]]);
	return { fill: rect.getAttribute("fill"),
	    style: rect.getAttribute("style") || "" };
}

function copyFrame(frame) {
	const { x, y, wide, members: [i] } = frame;
	let element = groups[i].cloneNode(true);
	if (element.localName === "view") {
		const seen = create("g");
		seen.append(...element.children);
		element = seen;
	}
	element.removeAttribute("id");
	set(rectOf(element), { x: x + unit, y, width: wide + unit });
	if (isMerged) {
		element.firstElementChild.textContent = titleOf(frame);
		set(rectOf(element), paintOf(frame));
	}
	setLabel(element, frame);
	setClass(element, "match", isMatch(frame));
	frame.element = element;
	view.append(element);
}

// Colors as #rrggbb are told apart by three bits of red, green and blue: of
// frames that narrow the reader sees a blend anyway.
const shadeOf = fill => fill.length === 7 ?
    Number("0x" + fill.slice(1)) & 0xe0e0e0 : fill;

// Draws four frames of a row in each pixel, which have the room of the others.
function drawNarrow(frames) {
	const shades = new Map(), ends = {}, least = 0.25 / scale;
	for (const frame of frames) {
		const { x, y, wide } = frame;
		const gap = x - (ends[y] || 0);
		if (gap + wide < least)
			continue;
		ends[y] = x + wide;
		const paint = paintOf(frame), shade = shadeOf(paint.fill);
		if (!shades.has(shade))
			shades.set(shade, { ...paint, d: "" });
		const from = gap < least ? x - gap : x;
		shades.get(shade).d += `M${from * scale} ${y}v${height}H${
			(x + wide) * scale}v${-height}`;
	}
	for (const shade of shades.values()) {
		const path = create("path", shade);
		path.append(create("title"));
		view.append(path);
	}
}

// Makes the picture higher than it was printed, or as high again.
function growBy(more) {
	const high = fullHeight + more;
	// which browsers lay out again, frame by frame
	if (high === bottom())
		return;
	seenPart = null;
	for (const element of [svg, canvas])
		set(element, { height: high });
	if (!fluid)
		svg.viewBox.baseVal.height = high;
}

// Gives the frames their rows.  Callers have negative depths, and may need more
// rows than were printed.
function placeRows(frames) {
	const depths = frames.map(({ depth }) => depth);
	const lowest = depths.reduce((a, b) => Math.min(a, b));
	const highest = depths.reduce((a, b) => Math.max(a, b)) - lowest;
	const last = Math.max(deepest, highest), row = height + 1;
	const upper = isInverted ? top : top - deepest * row;
	for (const frame of frames) {
		const level = frame.depth - lowest;
		frame.y = upper + row *
		    (isInverted !== isFlipped ? level : last - level);
	}
	return (last - deepest) * row;
}

function showView() {
	// frames of the base stay as they are
	if (!isMerged)
		zoomed = frameFor(zoomed.members[0]);
	view = base.cloneNode(false);
	base.removeAttribute("id");
	shown = arrange(zoomed, narrowest);
	growBy(placeRows(shown));
	cover = canvas.cloneNode();
	cover.removeAttribute("id");
	const narrow = [];
	for (const frame of shown)
		if (frame.wide * scale < 1 && !added.isSpecial(frame))
			narrow.push(frame);
		else
			copyFrame(frame);
	for (const { element } of pathTo(zoomed.parent))
		element.classList.add("parent");
	drawNarrow(narrow);
	base.after(cover, view);
}

function hideView() {
	shown = baseFrames;
	if (!view)
		return;
	growBy(0);
	cover.remove();
	view.remove();
	view = null;
	base.id = "frames";
	Object.assign(printedRoot, { y: top, element: groups[0] });
}

// True if both stand for the same counts, also from different views.
const isSame = (a, b) => a.name === b.name && a.depth === b.depth &&
    a.start === b.start;

const isBase = () => changes.length === 0 && zoomed === root;

// Shows what is zoomed to; the base where nothing is changed.
function draw() {
	hideView();
	if (!isBase())
		showView();
	added.draw.forEach(show => show());
	markNarrow();
	setClass(unzoomButton, "hide", isBase());
	markKin(null);
	const again = frame => shown.find(other => isSame(other, frame));
	if (focused)
		focus(again(focused) || zoomed);
	else if (told)
		tell(again(told) || zoomed);
	showMatched();
	showBar();
}

// Fits the labels as they were printed; there the root of a fixed picture has
// none.
function fitLabels() {
	for (const frame of baseFrames)
		if ((frame.wide * scale >= fontSize ||
		    frame.element.childElementCount > 2) &&
		    (fluid || frame.parent))
			setLabel(frame.element, frame);
}

