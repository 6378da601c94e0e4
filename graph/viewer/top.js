/* Top: the table of the functions in view; in a search of those that match. */
let order = "self";
// the number of the name whose row has the focus, or 0
let chosen = 0;
const cell = inner => html("td", {}, inner);

// Returns cells with a share, which is also a bar, and the counts.
const showShare = (counts, most) => {
	const el = cell(percent(counts, viewTree().total[0]));
	// a page's policy may forbid a style attribute
	el.style.backgroundSize = 100 * abs(counts) / most + "% 100%";
	return [el, cell(commas(counts))];
};

const fillTop = (el, rows = 100) => {
	const of = viewTree(), sums = sumsOf(of);
	const cols = ["self", "total", ...kinds[1] ? ["change"] : []];
	const rank = n => abs(sums[order][n]);
	const found = [...names.keys()].filter(n => n && sums.places[n] &&
	    (!term() || matches[n]));
	const more = found.length - rows;
	// to sort numbers takes a tenth of the time for names
	const least = floats(found.map(rank)).sort()[more] || 0;
	const first = found.filter(n => rank(n) >= least).sort((a, b) =>
		rank(b) - rank(a) || sums.total[b] - sums.total[a] ||
		(names[a] < names[b] ? -1 : 1))
	    .slice(0, rows);
	const about = [zoom.up ? names[zoom.n] : "all",
		...changes.map(added.label), ...term() ? ["matches"] : []];
	const head = [...cols, "places"].map((col, i) => html("th",
	    { colspan: cols[i] ? 2 : 1,
		...col === order && { "aria-sort": "descending" } },
	    button(col, () => {
		    order = col;
		    fillTop(el);
	    })));
	write(el, html("table", {}, html("caption", {},
	    `Top of ${about.join(", ")}: ${amount(of.total[0])}`),
	    html("tr", {}, html("th", {}, given.nametype), ...head,
		html("th", {})), ...first.map(n => {
		const item = button(names[n], () => {
			dismiss();
			seekName(n);
		});
		item.onfocus = () => chosen = n;
		return html("tr", {}, cell(item), ...cols.flatMap(col =>
			showShare(sums[col][n], rank(first[0]) || 1)),
		    cell(sums.places[n]), cell(button("callers", () => {
			    dismiss();
			    toggle("c" + names[n]);
		    }, { title: WORDS.c + names[n] })));
	})));
	if (more > 0)
		el.append(button(more + " more", () => fillTop(el, 5 * rows)));
};

const openTop = () => openPanel("top", fillTop);

const showTop = () => panel && panel.id === "top" &&
    fillTop(panel.querySelector("div div"));
