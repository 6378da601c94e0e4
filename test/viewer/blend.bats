# Narrow frames of lanes, which are merged near their times.
load ../helper

# titles PICTURE: the place and the title of each frame.
titles() {
	sed -n 's,.*<title>\(.*\)</title><rect x="\([^"]*\)".*,\2 \1,p' "$1"
}

# Four counts are the least width, and 40 a grain: ten times a and b.
@test "narrow frames of a name are one within ten times the least width" {
	awk 'BEGIN {
		for (i = 0; i < 250; i++)
			print "t;main;a 1\nt;main;b 3"
	}' | flamegraph --lanes --width=1020 --minwidth=4 > picture.svg
	{
		echo '10 all (1,000 samples, 100%)'
		echo '10 t (1,000 samples, 100.00%)'
		echo '10 main (1,000 samples, 100.00%)'
		for i in $(seq 0 24); do
			echo "$((40 * i + 10)) a (10 samples, 1.00%)"
			echo "$((40 * i + 20)) b (30 samples, 3.00%)"
		done
	} | diff - <(titles picture.svg)
}

@test "frames move with everything above them, wide ones stay" {
	{
		printf '%s\n' 't;a;x 1' 't;b;y 1' 't;a;z 1' 't;b 1' 't;a;x;u 1' \
		    't;wide;x 5' 't;a;x 1' 't 30' 't;c 959'
	} | flamegraph --lanes --width=1020 --minwidth=2 > picture.svg
	diff - <(titles picture.svg) <<-'END'
	10 all (970 samples, 100%)
	10 t (970 samples, 100.00%)
	10 a (3 samples, 0.31%)
	10 x (2 samples, 0.21%)
	13 b (2 samples, 0.21%)
	15 wide (5 samples, 0.52%)
	15 x (5 samples, 0.52%)
	51 c (959 samples, 98.87%)
	END
}

@test "of very many frames the narrowest are left out" {
	local count
	awk 'BEGIN {
		srand(1)
		for (i = 0; i < 60000; i++)
			print "t" i % 20 ";f" i % 7 ";g" int(rand() * 30), 1
	}' | flamegraph --lanes > picture.svg
	count=$({ titles picture.svg; undrawn < picture.svg; } | wc -l)
	[ "$count" -gt 20000 ]
	[ "$count" -le 100000 ]
	# all counts are there, as those of their callers
	titles picture.svg | awk '$2 ~ /^t/ {
		gsub(/[(,]/, "", $3)
		sum += $3
		n++
	} END { exit !(n == 20 && sum == 60000) }'
}
