/* A differential: texts about changes or ratios, colors of merged frames. */
const { widths } = given;
const beforeOf = (w, change, before) => widths === "change" ? before :
    widths === "sum" ? (w - change) / 2 : widths ? w : w - change;
kinds.push(["change", "changeSelf", "changeRest"]);
if (widths === "change")
	kinds.push(["before", "beforeSelf", "beforeRest"]);

// Returns the count before and the change, as --delta says, or of a caller or a
// whole frame with all that it calls.
const countsOf = (f, isWhole = given.delta) => {
	const add = (total, self) => isCaller(f) ?
	    sum(f.stems, tree[turned ? self : total]) :
	    sum(f.parts, tree[isWhole ? total : self]);
	const counts = kinds.map(([all, own]) => add(all, own));
	return [beforeOf(...counts), counts[1]];
};

const sign = "negate" in given ? -1 : 1;
const changeOf = f => countsOf(f)[1] * sign;

// the names of the counts of a ratio, or nothing
const counted = given.counts && given.counts.split(",");
const ratioOf = ([first, more]) => first / (first + more);
const ratioText = r => isFinite(r) ? +r.toPrecision(3) :
    r ? "infinite" : "none";

// as difference_lean
const leanOf = f => Math.log2(ratioOf(countsOf(f)) / given.ratio) * sign || 0;

// "800 instructions; ratio 1.5", after the count that makes the width
const otherOf = f => {
	const [first, more] = countsOf(f), isAfter = widths === "before";
	return `; ${commas(first + isAfter * more)} ${counted[+isAfter]}; ` +
	    "ratio " + ratioText(ratioOf([first, more]));
};

// The same as in graph/difference.c.
const tellRatio = (what, [first, more]) => {
	const r = ratioOf([first, more]);
	return `${what}${counted[0]} ${commas(first)}, ${counted[1]} ${
		commas(first + more)}, ratio ${ratioText(r)}, ${
		ratioText(r / given.ratio)} times the whole's`;
};

// Of a hundred per cent: in the printed picture of the larger profile.
const shareOf = f => {
	const [before, change] = countsOf(root, true), c = changeOf(f);
	return (c > 0 ? "+" : "") + percent(c, merged || !widths ?
	    root.total : max(before, before + change));
};
// a frame of the table may be of lines with one count
const hasChange = ([i]) => merged || placeIn[i] ||
    /^[^\t]*;/.test(looks[lookOf[i]]);
added.change = f => !hasChange(f.parts) ? "" :
    counted ? otherOf(f) : f.parts[0] ? "; " + shareOf(f) : "";

// see fold/chance.h
const isChance = ([before, c]) => {
	const [sigmas, sample, later, whole] =
	    (given.noise || "0 0 0 0").split(" ").map(Number);
	const variance = (later * before + sample * (before + c)) *
	    (1 - (2 * before + c) * whole);
	return c ** 2 < sigmas ** 2 * variance;
};

const hex = rgb => "#" + rgb.map(v =>
	v.toString(16).padStart(2, "0")).join("");

// The largest change of a function except the root has the full color.
added.tint = f => {
	const whole = countsOf(f, true), [before, more] = whole;
	// fractions are rounded
	const isAlone = !counted && widths && abs(before + more / 2) <
	    0.5000001 * abs(more);
	const c = counted ? leanOf(f) : changeOf(f);
	const isNoise = !counted && isChance(isAlone ? whole : countsOf(f));
	const isBlind = given.palette, isMore = more * sign > 0;
	if (isAlone && !isNoise && c)
		return { fill: isBlind ? isMore ? "#fadc32" : "#1e468c" :
		    isMore ? "#f5a000" : "#8c50d2", style: "" };
	const sums = sumsOf(tree);
	const k = given.delta && !turned ? "change" : "changeSelf";
	const largest = counted ? 1 : sums["max" + k] = sums["max" + k] ||
	    sums[k].reduce((most, self, n) =>
		n ? max(most, abs(self)) : most, 1);
	const much = min(abs(c) / largest, 1);
	const full = isBlind ? c > 0 ? [235, 125, 25] : [70, 145, 225] :
	    c > 0 ? [255, 0, 0] : [0, 0, 255];
	const none = isBlind ? 255 : 210;
	// the integers of graph/palette.c
	const rgb = isNoise ? [205, 205, 205] : full.map(v => v === 255 ? v :
	    floor(none + (v - none) * much));
	const white = min(...rgb), { theme } = svg.dataset;
	const less = max(0, floor((white - 95) * 75 / 160));
	const dark = hex(rgb.map(v => v - less));
	// white has a color of its own in the dark
	return { fill: c === 0 ? "#fff" : theme === "dark" ? dark : hex(rgb),
	    style: c && theme === "auto" ? "--dark: " + dark : "" };
};

added.hasLongFacts = true;
added.split = (...counts) => {
	const before = beforeOf(...counts);
	return [before, before + counts[1]];
};

// The tooltips in the file are those of flamegraph.pl, without the facts below.
added.facts.push(f => {
	if (merged)
		return [counted ? tellRatio("", countsOf(f)) : shareOf(f)];
	const g = elOf(f.parts[0]), c = g && g.dataset.change;
	if (c && f.el)
		f.el.children[0].textContent = titleOf(f) + "\n" +
		    c.replace("; ", "\n");
	return c ? [c] : [];
});
