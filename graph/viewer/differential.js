/*
 * A differential: what is told of changes, and the colors of frames that stand
 * for several.  Pictures of one profile leave this out.
 */

// How much there is of a frame itself, and of callers in all that they call:
// in the picture's widths, and how much more than in the first profile.
const countsOf = ({ members, stems }) => isCaller({ stems }) ?
    [sum(stems, tree[carried]),
	sum(stems, tree[isTurned ? "changeSelf" : "change"])] :
    [sum(members, tree.self), sum(members, tree.changeSelf)];

const changeOf = frame => countsOf(frame)[1] *
    ("negate" in given ? -1 : 1);

const changeShare = frame => (changeOf(frame) > 0 ? "+" : "") +
    percentage(changeOf(frame), root.total);

// True if a change is less than --noise says, as graph/difference.h tells.
function isChance(frame) {
	const { noise, widths } = given;
	if (!noise || widths === "change")
		return false;
	const [sigmas, sample, later, part] = noise.split(" ").map(Number);
	const [wide, change] = countsOf(frame);
	const before = widths === "before" ? wide :
	    widths === "sum" ? (wide - change) / 2 : wide - change;
	const variance = (later * before + sample * (before + change)) *
	    (1 - (2 * before + change) * part);
	return change ** 2 < sigmas ** 2 * variance;
}

// The color of a change, full for the largest one of a function.
function tint(frame) {
	const change = isChance(frame) ? 0 : changeOf(frame);
	const sums = sumsOf(tree);
	const { max = sums.changeSelf.reduce((most, more) =>
		Math.max(most, Math.abs(more)), 1) } = sums;
	sums.max = max;
	const part = Math.min(Math.abs(change) / max, 1);
	const isBlind = given.palette, more = change > 0;
	const full = isBlind ? more ? [235, 125, 25] : [70, 145, 225] :
	    more ? [255, 0, 0] : [0, 0, 255];
	const none = isBlind ? 255 : 210;
	// the integers of graph/palette.c
	const rgb = full.map(value => value === 255 ? value :
	    Math.floor(none + (value - none) * part));
	const dim = svg.dataset.theme === "dark" ?
	    Math.floor(Math.min(...rgb) * 75 / 255) : 0;
	// which has a color of its own in the dark
	return change === 0 ? "#fff" : "#" + rgb.map(value =>
		(value - dim).toString(16).padStart(2, "0")).join("");
}

Object.assign(added, { changeShare, tint });

// Files hold the tooltips of flamegraph.pl, which tell less of a change.
added.facts.push(frame => {
	if (isMerged)
		return [changeShare(frame)];
	const { firstElementChild, dataset: { change } } =
	    groups[frame.members[0]];
	if (change)
		firstElementChild.textContent = titleOf(frame) + "\n" +
		    change.replace("; ", "\n");
	return change ? [change] : [];
});
