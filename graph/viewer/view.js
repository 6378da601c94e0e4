/*
 * The view of a zoom.
 *
 * The picture as printed, the base, is never moved or resized.  To zoom, a cover
 * that looks like the background hides it, and a view on the cover holds copies
 * of just the frames that the zoom makes visible: a zoom costs as much as it
 * shows, a reset only drops cover and view.  Of frames narrower than a pixel
 * those of a shade share a path instead, and the one under the mouse is found by
 * its place.  The view takes over the id "frames", so whoever looks for frames
 * finds those that are seen.
 */
let cover, view;
// the frames in view, in order: frame -> { x, wide, copy (or none) }
const shown = new Map();
let zoomed = 0;
// the zooms to go back to
const earlier = [];

// Returns where the frame is seen now, and its copy if it has one.
const placeOf = frame => view ? shown.get(frame) :
    { x: left[frame], wide: width[frame] };

const outline = frames => frames.map(frame => {
	const { x, wide } = placeOf(frame);
	return `M${x * scale} ${top[frame]}` +
	    `h${wide * scale}v${height}h${-wide * scale}`;
}).join("");

// True if the frame has neither a link nor more from --nameattr.
const isPlain = group => group.localName === "g" &&
    group.attributes.length === Object.keys(group.dataset).length;

function copyFrame(frame, x, wide) {
	const copy = groups[frame].cloneNode(true);
	set(rectOf(copy), { x: x + unit, width: wide + unit });
	setLabel(copy, frame, x, wide);
	copy.classList.toggle("match", matches[frame]);
	shown.set(frame, { x, wide, copy });
	return view.appendChild(copy);
}

// Colors are told apart by three bits of red, green and blue: of frames
// that narrow the reader sees a blend anyway.
function drawNarrow(frames) {
	const shades = new Map();
	for (const frame of frames) {
		const fill = rectOf(groups[frame]).getAttribute("fill");
		const shade = fill.replace(/[\da-f]{2}/g,
		    pair => Number("0x" + pair) >> 5);
		if (!shades.has(shade))
			shades.set(shade, { fill, alike: [] });
		shades.get(shade).alike.push(frame);
	}
	for (const { fill, alike } of shades.values()) {
		const path = create("path", { fill, d: outline(alike) });
		path.append(create("title"));
		view.append(path);
	}
}

function showView(target) {
	const factor = width[0] / width[target];
	const right = left[0] + width[0];
	const narrow = [];
	cover = byId("canvas").cloneNode();
	cover.removeAttribute("id");
	view = base.cloneNode(false);
	base.removeAttribute("id");
	const path = [];
	for (let i = target; i >= 0; i = parent[i])
		path.unshift(i);
	for (const frame of path)
		copyFrame(frame, left[0], width[0])
		    .classList.toggle("parent", frame !== target);
	for (let i = target + 1; i < end[target];) {
		// both are rounded in the file: a large scale carries that far
		const x = left[0] + Math.max(left[i] - left[target], 0) * factor;
		const wide = Math.min(width[i] * factor, right - x);
		if (wide < narrowest) {
			i = end[i];
			continue;
		}
		if (wide * scale < 1 && isPlain(groups[i])) {
			shown.set(i, { x, wide });
			narrow.push(i);
		} else
			copyFrame(i, x, wide);
		i++;
	}
	drawNarrow(narrow);
	base.after(cover, view);
}

function hideView() {
	if (!view)
		return;
	cover.remove();
	view.remove();
	view = null;
	shown.clear();
	base.id = "frames";
}

// Zooming into the root shows the picture as printed.
function zoom(target) {
	if (target === earlier.at(-1))
		earlier.pop();
	else
		earlier.push(zoomed);
	hideView();
	zoomed = target;
	if (target > 0)
		showView(target);
	else
		earlier.length = 0;
	markNarrow();
	unzoomButton.classList.toggle("hide", target === 0);
	if (focused >= 0)
		focus(visibleFrames().includes(focused) ? focused : target);
	showMatched();
}

function zoomAndSave(target) {
	if (target === zoomed)
		return;
	zoom(target);
	saveState("pushState");
}

// Runs when a fluid picture is drawn, and when its width has changed.
function refit() {
	read();
	scale = svg.getBoundingClientRect().width / 100;
	for (let i = 0; i < count; i++)
		if (width[i] * scale >= fontSize ||
		    groups[i].childElementCount > 2)
			setLabel(groups[i], i, left[i], width[i]);
	if (zoomed > 0) {
		hideView();
		showView(zoomed);
	}
	markNarrow();
	if (focused >= 0)
		focus(focused);
}

// in pre-order, so from left to right in each row
const visibleFrames = () => view ? Array.from(shown.keys()) : drawn;
