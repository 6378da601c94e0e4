/*
 * A differential: what is told of changes, and the colors of frames that stand
 * for several.  Pictures of one profile leave this out.
 */

// Returns what there is in all that callers call, and of any other frame in all
// that --delta says, or in all on it: before, and the change.
function countsOf(frame, isWhole = given.delta) {
	const add = (total, self) => isCaller(frame) ?
	    sum(frame.stems, tree[isTurned ? self : total]) :
	    sum(frame.members, tree[isWhole ? total : self]);
	const wide = add("total", "self");
	const change = add("change", "changeSelf");
	const { widths } = given;
	return [widths === "change" ? add("before", "beforeSelf") :
	    widths === "sum" ? (wide - change) / 2 :
	    widths ? wide : wide - change, change];
}

const sign = "negate" in given ? -1 : 1;
const changeOf = frame => countsOf(frame)[1] * sign;

const changeShare = frame => (changeOf(frame) > 0 ? "+" : "") +
    percentage(changeOf(frame), root.total);

// True if a change is less than --noise says, as graph/difference.h tells.
function isChance([before, change]) {
	const [sigmas, sample, later, part] =
	    (given.noise || "0 0 0 0").split(" ").map(Number);
	const variance = (later * before + sample * (before + change)) *
	    (1 - (2 * before + change) * part);
	return change ** 2 < sigmas ** 2 * variance;
}

const hex = rgb => "#" + rgb.map(value =>
	value.toString(16).padStart(2, "0")).join("");

// The color of a change, full for the largest one of a function but the root;
// where widths are told, of what one profile has alone.
function tint(frame) {
	const whole = countsOf(frame, true), [before, more] = whole;
	// fractions are rounded
	const isAlone = given.widths && Math.abs(before + more / 2) <
	    0.5000001 * Math.abs(more);
	const change = isChance(isAlone ? whole : countsOf(frame)) ? 0 :
	    changeOf(frame);
	const isBlind = given.palette, isMore = more * sign > 0;
	if (isAlone && change)
		return { fill: isBlind ? isMore ? "#fadc32" : "#1e468c" :
		    isMore ? "#f5a000" : "#8c50d2", style: "" };
	const sums = sumsOf(tree);
	const key = given.delta && !isTurned ? "change" : "changeSelf";
	const max = sums["max" + key] = sums["max" + key] || sums[key].reduce(
	    (most, self, n) => n ? Math.max(most, Math.abs(self)) : most, 1);
	const part = Math.min(Math.abs(change) / max, 1);
	const full = isBlind ? change > 0 ? [235, 125, 25] : [70, 145, 225] :
	    change > 0 ? [255, 0, 0] : [0, 0, 255];
	const none = isBlind ? 255 : 210;
	// the integers of graph/palette.c
	const rgb = full.map(value => value === 255 ? value :
	    Math.floor(none + (value - none) * part));
	const white = Math.min(...rgb), { theme } = svg.dataset;
	const less = Math.max(0, Math.floor((white - 95) * 75 / 160));
	const dark = hex(rgb.map(value => value - less));
	// which has a color of its own in the dark
	return { fill: change === 0 ? "#fff" : theme === "dark" ? dark : hex(rgb),
	    style: change && theme === "auto" ? "--dark: " + dark : "" };
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
