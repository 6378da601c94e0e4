/*
 * Top: the table of functions, by their self or total counts over all stacks;
 * while there is a search, of those that match.
 */
const MOST_ROWS = 500;
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

function fillTop(content) {
	const sums = sumsOf(tree);
	const columns = { self: sums.self, total: sums.total };
	if (added.tint)
		columns.change = sums.change;
	const key = sums[sortedBy];
	const found = Array.from(names.keys()).filter(name => name > 0 &&
	    sums.places[name] && (term() === "" || matches[name]))
	    .sort((a, b) => Math.abs(key[b]) - Math.abs(key[a]) ||
		sums.total[b] - sums.total[a]);
	const most = Math.abs(key[found[0]]) || 1;
	const rows = found.slice(0, MOST_ROWS).map(name => {
		const item = button(names[name], () => choose(name));
		item.addEventListener("focus", () => chosen = name);
		return html("tr", {}, ...Object.keys(columns).map(column =>
			showShare(columns[column][name], most)).flat(),
		    html("td", {}, sums.places[name]), html("td", {}, item));
	});
	const head = [...Object.keys(columns), "places"].map(column =>
		html("th", { colspan: column in columns ? 2 : 1,
		    "aria-sort": column === sortedBy ? "descending" : "none" },
		button(column, () => {
			sortedBy = column;
			fillTop(content);
		})));
	content.textContent = "";
	content.append(html("table", {}, html("tr", {}, ...head,
	    html("th", {}, base.dataset.nametype)), ...rows),
	    found.length > MOST_ROWS ? `${found.length - MOST_ROWS} more` : "");
}

const showTop = () => panel && panel.id === "top" &&
    fillTop(panel.firstChild);
