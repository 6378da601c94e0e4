load ../helper

# rows XML: an export of rows, folded.
rows() {
	printf '<?xml version="1.0"?>\n<trace-query-result>%s</trace-query-result>\n' \
		"$1" | stackcollapse-xctrace
}

@test "rows with a stack count, wherever lines end" {
	# rows with a stack count, also those that refer to one
	stackcollapse-xctrace "$DATA/collapse/xctrace" |
		are_lines 'start 2' 'start;app::{{closure}} 1' \
		'start;operator<<(A&, char) 2'
	# line ends may be anywhere between tags, and in them
	stackcollapse-xctrace "$DATA/collapse/xctrace" > whole
	sed -e 's/></>\n</g' -e 's/ \([a-z]*=\)/\n\1/g' "$DATA/collapse/xctrace" |
		stackcollapse-xctrace | diff whole -
	tr -d '\n' < "$DATA/collapse/xctrace" | stackcollapse-xctrace |
		diff whole -
}

@test "character references are decoded" {
	while read -r name is; do
		echo "<row><backtrace><frame name=\"$name\"/></backtrace></row>"
		echo "$is 1" >> expected
	done > in <<-'END'
	a&lt;b&gt; a<b>
	&amp;lt; &lt:
	&quot;&apos; "'
	&#955;&#x3bb;&#x1F600; λλ😀
	&nbsp;&; &nbsp:&:
	&#0;&#xd800;&#x110000; &#0:&#xd800:&#x110000:
	[&#xd7ff;&#xdfff;&#xe000;] [퟿&#xdfff:]
	&a65;&#a65;&#65a; &a65:&#a65:&#65a:
	a>b a>b
	a;b a:b
	a'b a'b
	END
	rows "$(cat in)" | diff - <(sort expected)
	rows "<row><backtrace><frame name='a\"b'/></backtrace></row>" |
		is_line 'a"b 1'
	rows "<row><backtrace><frame name='a
b&#10;c'/></backtrace></row>" | diff - <(echo 'a b c 1')
}

@test "frames and references are in rows and backtraces of all kinds" {
	# rows without a stack do not count, those of an empty one do
	rows '<row></row><row><sentinel/></row><backtrace id="1"><frame name="a"/></backtrace><row><backtrace id="2"/></row><row><backtrace ref="2"/></row>' |
		is_line ' 2'
	# frames may be in rows, backtraces and tagged ones, as may references
	rows '<row id="1"><tagged-backtrace id="2"><frame id="3" name="b"/><frame id="4" name="a"/></tagged-backtrace></row><row><tagged-backtrace ref="2"/></row><row ref="1"/><row><frame ref="4"/></row><row><backtrace id="5"><tagged-backtrace id="6"><frame ref="3"/></tagged-backtrace></backtrace></row><row><backtrace ref="5"/></row><row><tagged-backtrace ref="6"/></row>' |
		are_lines 'a 1' 'a;b 3' 'b 3'
	# a reference to an unknown frame or stack is left out, with a warning
	fails 1 rows '<row><backtrace ref="7"/></row><row><tagged-backtrace ref="7"/></row><row><backtrace><frame ref="7"/><frame name="a"/></backtrace></row>' \
		2> err | is_line 'a 1'
	is_line 'stackcollapse-xctrace: references to unknown' \
		'frames and stacks, left out: 3' < err
}

@test "each export has ids of its own" {
	printf '<trace-query-result><row><backtrace id="1"><frame id="2" name="%s"/></backtrace></row></trace-query-result>\n' \
		a b | stackcollapse-xctrace | are_lines 'a 1' 'b 1'
	printf '<trace-query-result><row><backtrace ref="1"/></row></trace-query-result>\n' > two
	fails 1 stackcollapse-xctrace "$DATA/collapse/xctrace" two 2>&1 > out |
		has 'unknown frames and stacks, left out: 1'
	for _ in 1 2; do
		echo '<trace-query-result>'
		[ -e begun ] || echo '<row><tagged-backtrace id="1"><backtrace>
			<frame name="a"/></backtrace></tagged-backtrace></row>'
		echo '<row><tagged-backtrace ref="1"/></row></trace-query-result>'
		: > begun
	done > tagged
	fails 1 stackcollapse-xctrace tagged 2> err | is_line 'a 2'
	has 'unknown frames and stacks, left out: 1$' err
}

@test "a tag that is too long is left out, and one that never ends takes no time" {
	# a tag that never ends takes no time
	awk 'BEGIN {
		printf "<trace-query-result><frame name=\""
		for (; i < 100000; i++)
			print ">"
	}' > in
	fails 1 timeout 20 stackcollapse-xctrace in 2> err > out
	[ ! -s out ]
	grep -q 'damaged lines, left out: 1; ' err
	# each tag that is too long is left out, and what follows counts
	{
		echo '<trace-query-result>'
		for _ in 1 2; do
			echo '<row'
			seq 20
			echo '>'
		done
		echo '<row><backtrace id="1"><frame id="2" name="f"/></backtrace></row>'
		echo '</trace-query-result>'
	} | fails 1 stackcollapse-xctrace 2> err | is_line f 1
	has 'damaged lines, left out: 2; the first is line 18' err
}

@test "a deep backtrace that many rows name is no more work than its rows" {
	awk 'BEGIN {
		printf "<trace-query-result><row><backtrace id=\"1\">"
		printf "<frame id=\"2\" name=\"a\"/>"
		for (; i < 100000; i++)
			printf "<frame ref=\"2\"/>"
		print "</backtrace></row>"
		for (; rows < 100000; rows++)
			print "<row><backtrace ref=\"1\"/></row>"
		print "</trace-query-result>"
	}' > in
	timeout 20 stackcollapse-xctrace in |
		awk '{ print gsub(/a/, ""), $2 }' | is_line 100001 100001
}

@test "a row that a file ends in is reported, also before another file" {
	printf '%s\n' '<?xml version="1.0"?>' '<trace-query-result>' \
	    '<row><backtrace id="1"><frame id="2" name="f"/></backtrace></row>' \
	    '</trace-query-result>' > whole
	for length in 60 80 100; do
		head -c $length whole > part
		fails 1 stackcollapse-xctrace part whole 2> err | is_line f 1
		is_line 'stackcollapse-xctrace: part ends inside a row,' \
			'which is left out' < err
	done
	sed '$d' whole > part
	fails 1 stackcollapse-xctrace part 2>&1 > out | is_line \
		'stackcollapse-xctrace: part: it is cut off: it has no' \
		'</trace-query-result>'
	is_line f 1 < out
}
