# foldedtop tells what the viewer of a picture does, frame for frame.
load ../helper
load ../viewer/browser

setup_file() {
	needs_browser
	cd "$BATS_FILE_TMPDIR" || return
	stackcollapse-perf "$DATA/demo.perf" > demo.folded
	# calls of itself, by way of others and at once
	cat > small.folded <<-'END'
	main;a;x 40
	main;a;y;a;y 20
	main;b;a;a;x 1000
	main;b 20
	other;y;b;a 7
	x 3
	END
	flamegraph --minwidth=0 small.folded > small.svg 2> err
	flamegraph --minwidth=0 demo.folded > demo.svg 2> err
}

setup() {
	[ -z "${LACKING-}" ] || skip "$LACKING"
	cd "$BATS_FILE_TMPDIR" || return
}

# table FILE [OPTION...]: rows of foldedtop's, as "SELF% SELF ... NAME", without
# the number of stacks, as pictures have no lines.
table() {
	foldedtop --lines=0 "${@:2}" "$1" |
		sed -e 1,2d -e 's/^ *//' -e 's/  */ /g' |
		sed 's/^\(\([^ ]* \)\{4\}\)[^ ]* /\1/'
}

# The same of the viewer's table, which has a button for more rows.
viewed='const table = () => {
	const last = () => [...svg.querySelectorAll("#top button")].pop();
	while (/^[0-9]+ more$/.test(last().textContent))
		last().click();
	[...svg.querySelectorAll("#top tr")].slice(1).forEach(row => {
		const [name, ...sums] =
		    [...row.children].map(cell => cell.textContent);
		say([...sums.slice(0, 4), name].join(" "));
	});
    };'

@test "the table is the viewer's, by self and by total" {
	in_browser small.svg demo.svg > said <<-JS
	$viewed
	for (const i of [0, 1]) {
		look(i);
		key("t");
		table();
		say("by total");
		svg.querySelectorAll("#top th button")[1].click();
		table();
		key("Escape");
	}
	JS
	for file in small demo; do
		table $file.folded
		echo 'by total'
		table $file.folded --sort=total
	done | sed 's/  */ /g' > expected
	[ "$(wc -l < expected)" -gt 30 ]
	sed -e '/^$/d' -e 's/  */ /g' said | diff - expected
}

# Frames of the view of a function, each as the path to it from there.
sandwich='const sandwich = name => {
	hover(name);
	key("c");
	const frames = seen().map(({ title, rect }) => ({ title,
	    box: rect.getBBox() }));
	const named = frames.filter(({ title }) =>
		title.startsWith(name + " (")).map(({ box }) => box.y);
	const row = Math.max(...named);
	const [, self] = text("details").textContent.match(/, self ([^ ]*),/);
	const pathOf = f => {
		const { x, y, width } = f.box;
		const next = y < row ? y + 16 : y - 16;
		const [path] = f.title.match(/^.*(?= \()/);
		return y === row ? path : pathOf(frames.find(({ box }) =>
			box.y === next && box.x <= x + width / 2 &&
			x + width / 2 < box.x + box.width)) + "<" + path;
	};
	for (const f of frames) {
		const [, sums] = f.title.match(/ \(([^(]*) samples, .*\)$/);
		const [, share] = f.title.match(/ samples, ([^(]*)%\)$/);
		const line = `${pathOf(f)} ${sums} ${share}`;
		if (f.box.y >= row)
			say("callers " + line);
		if (f.box.y <= row)
			say("callees " + line);
	}
	key("Escape");
    };'

# paths: reads what foldedtop --tsv prints of trees.
paths() {
	awk -F '\t' '
	function commas(n) {
		while (n ~ /[0-9][0-9][0-9][0-9]/ &&
		    match(n, /[0-9][0-9][0-9](,|$)/))
			n = substr(n, 1, RSTART - 1) "," substr(n, RSTART)
		return n
	}
	NR > 1 {
		path = $2 == 0 ? $7 : above[$2 - 1] "<" $7
		above[$2] = path
		printf "%s %s %s %.2f\n", $1, path, commas($3), $4
	}'
}

@test "the trees of callers and callees are the viewer's" {
	local name
	in_browser small.svg > said <<-JS
	$sandwich
	["a", "b", "x", "y", "main"].forEach(sandwich);
	JS
	for name in a b x y main; do
		foldedtop --tsv --min-share=0 --callers="^$name\$" \
			--callees="^$name\$" small.folded | paths
	done | sort > expected
	[ "$(wc -l < expected)" -ge 25 ]
	sed '/^$/d' said | sort | diff - expected
}

@test "the changes of two profiles are the viewer's" {
	cat > in.folded <<-'END'
	main;a;x 40 50
	main;a;y;a;y 20 10
	main;b;a;a;x 1000 700
	main;b 20 21
	other;y;b;a 7 7
	x 0 3
	END
	flamegraph --minwidth=0 in.folded > picture.svg 2> err
	in_browser picture.svg > said <<-'JS'
	key("t");
	[...svg.querySelectorAll("#top tr")].slice(1).forEach(row => {
		const [name, , self, , total, , change] =
		    [...row.children].map(cell => cell.textContent);
		say([self, total, change, name].join(" "));
	});
	JS
	sed '/^$/d' said | sort > seen
	foldedtop --tsv in.folded | awk -F '\t' 'NR > 1 {
		print $2, $7, $7 - $6, $13
	}' | sort | diff seen -
	[ "$(wc -l < seen)" -eq 6 ]
}
