/*
 * Top: the table of functions, by their self or total counts over all stacks;
 * while there is a search, of those that match.
 */
let sortedBy = "self";
// the number of the name whose row has the focus, or 0
let chosen = 0;

// Searches for the function, and for nothing like it.
function choose(name) {
	closePanel();
	openBox("^" + names[name].replace(/[$()*+.?[\\\]^{|}]/g, "\\$&") + "$");
	saveState();
}

// Returns cells with a share, which is also a bar, and the counts.
function showShare(counts, most) {
	const cell = html("td", {}, percentage(counts, tree.total[0]));
	// a style attribute is what a page's policy may forbid
	cell.style.backgroundSize = 100 * Math.abs(counts) / most + "% 100%";
	return [cell, html("td", {}, withCommas(counts))];
}

function fillTop(content, rows = 100) {
	const sums = sumsOf(tree), columns = ["self", "total"];
	if (added.tint)
		columns.push("change");
	const key = name => Math.abs(sums[sortedBy][name]);
	const found = indicesOf(names, name => name && sums.places[name] &&
	    (term() === "" || matches[name]));
	const more = found.length - rows;
	// to sort numbers takes a tenth of what names by their numbers do
	const least = Float64Array.from(found, key).sort()[more] || 0;
	const first = found.filter(name => key(name) >= least).sort((a, b) =>
		key(b) - key(a) || sums.total[b] - sums.total[a]).slice(0, rows);
	const head = [...columns, "places"].map((column, i) => html("th",
	    { colspan: columns[i] ? 2 : 1,
		"aria-sort": column === sortedBy ? "descending" : "none" },
	    button(column, () => {
		    sortedBy = column;
		    fillTop(content);
	    })));
	content.textContent = "";
	content.append(html("table", {}, html("tr", {}, html("th", {},
	    given.nametype), ...head), ...first.map(name => {
		const item = button(names[name], () => choose(name));
		item.onfocus = () => chosen = name;
		return html("tr", {}, html("td", {}, item),
		    ...columns.map(column => showShare(sums[column][name],
			key(first[0]) || 1)).flat(),
		    html("td", {}, sums.places[name]));
	})));
	if (more > 0)
		content.append(button(more + " more", () =>
			fillTop(content, 5 * rows)));
}

const openTop = () => openPanel("top", fillTop);

const showTop = () => panel && panel.id === "top" &&
    fillTop(panel.firstChild);
