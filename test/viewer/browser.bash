# Loaded by the tests that need a browser: they drive headless Chromium by a page
# that holds the picture and some steps.  The tests of a file share a browser,
# unless BROWSER names one that runs already:
#
#	BROWSER=$(test/viewer/browser start FOLDER $$) && export BROWSER
#	bats ...
#	test/viewer/browser stop FOLDER
#
# TEST_BROWSER=firefox or webkit runs them in another one: by hand, since they
# take seconds each and wait by the clock.  They need node, and firefox or
# WebKitWebDriver in a display, as of xvfb-run.  Tests whose cases are Chromium's
# own are skipped there.

case ${TEST_BROWSER=chromium} in
chromium)
	chromium=$(command -v python3 > /dev/null && command -v \
	    "${CHROMIUM:-chromium}" chromium-browser google-chrome |
	    head -n 1) || true;;
firefox)
	chromium=$(command -v firefox-esr firefox | head -n 1) || true;;
webkit)
	chromium=$(command -v WebKitWebDriver) || true;;
esac

# needs_browser: skips all tests of a file where there is none, for setup_file.
needs_browser() {
	[ -n "$chromium" ] || lacks 'no browser: install chromium and python3'
}

# only_chromium REASON: skips the test in other browsers.
only_chromium() {
	[ "$TEST_BROWSER" = chromium ] || skip "$1"
}

# A file's own teardown_file must do the same.
teardown_file() {
	stop_browser
}

stop_browser() {
	[ ! -d "$BATS_FILE_TMPDIR/browser" ] ||
	    "$TOP/test/viewer/browser" stop "$BATS_FILE_TMPDIR/browser"
}

# evaluate PAGE EXPRESSION: opens the page, which may have a query, and prints
# the expression's value when its scripts have run.  MEDIA is a media feature to
# emulate, for example prefers-color-scheme=dark.
evaluate() {
	local url=file://$PWD/$1 answer=$BATS_TEST_TMPDIR/answer said fd
	[ "$TEST_BROWSER" = chromium ] || {
		"$TOP/test/viewer/browse" "$TEST_BROWSER" "$chromium" \
		    "$BATS_TEST_TMPDIR/profile" 1300 900 "$url" "$2"
		return
	}
	[ -n "${BROWSER-}" ] || {
		BROWSER=$BATS_FILE_TMPDIR/browser
		[ -p "$BROWSER/pages" ] || "$TOP/test/viewer/browser" start \
		    "$BROWSER" "$BATS_ROOT_PID" > /dev/null
	}
	[ -p "$answer" ] || mkfifo "$answer"
	# opened for both, a pipe does not wait for its other end
	exec {fd}<> "$answer"
	printf '%s\t%s\t%s\t%s\t%s\n' "$answer" "$answer.value" "$url" "$2" \
	    "${MEDIA-}" 1<> "$BROWSER/pages"
	IFS= read -r -t 90 said <&"$fd" || said='no answer'
	exec {fd}<&-
	[ "$said" = ok ] || {
		echo "$url: $said" >&2
		return 1
	}
	cat "$answer.value"
}

# dump PAGE [QUERY]: the page as it is when its scripts have run.
dump() {
	evaluate "$1${2-}" 'document.documentElement.outerHTML + "\n"'
}

# write_page PICTURE... < STEPS > PAGE: pictures that end in .svg are pasted
# into the page, any other argument is markup that embeds one.  STEPS is what all
# steps of a file begin with.
write_page() {
	local picture
	echo '<!DOCTYPE html><meta charset="utf-8">'
	echo '<body style="margin: 0">'
	for picture; do
		case $picture in
		*.svg)
			echo '<div class="picture">'
			sed 1d "$picture"
			echo '</div>';;
		*)
			echo "$picture";;
		esac
	done
	cat "$TOP/test/data/browser.html"
	echo "<script>onload = async () => { look(0); ${STEPS-}"
	cat
	echo '};</script>'
}

# in_browser PICTURE... < STEPS: what the steps said, a line each.  QUERY is the
# query of the page.
in_browser() {
	write_page "$@" > page.html
	evaluate "page.html${QUERY-}" \
	    'document.getElementById("said").textContent'
}

# holds PICTURE... < STEPS: whether all checks of the steps hold.
holds() {
	{
		cat
		echo 'say("end");'
		echo '(self.ended || String)("");'
	} | in_browser "$@" > said
	diff - said <<< end
}
