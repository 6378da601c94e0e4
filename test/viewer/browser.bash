# Loaded by the tests that need a browser: they drive headless Chromium, with
# nothing else installed, by a page that holds the picture and some steps.
#
# TEST_BROWSER=firefox or webkit runs them in another one: by hand, since they
# take seconds each and wait by the clock.  They need node, and firefox or
# WebKitWebDriver in a display, as of xvfb-run.  Tests whose cases are Chromium's
# own are skipped there.

case ${TEST_BROWSER=chromium} in
chromium)
	chromium=$(command -v "${CHROMIUM:-chromium}" chromium-browser \
	    google-chrome | head -n 1) || true;;
firefox)
	chromium=$(command -v firefox-esr firefox | head -n 1) || true;;
webkit)
	chromium=$(command -v WebKitWebDriver) || true;;
esac

# only_chromium REASON: skips the test in other browsers.
only_chromium() {
	[ "$TEST_BROWSER" = chromium ] || skip "$1"
}

# dump PAGE [QUERY]: the page as it is when its scripts have run.  Once in some
# thousand times Chromium does not end; unless it has printed all, it is then
# begun anew.
# shellcheck disable=SC2086 # the flags are several
dump() {
	local status
	[ "$TEST_BROWSER" = chromium ] || {
		"$TOP/test/viewer/browse" "$TEST_BROWSER" "$chromium" \
		    "$BATS_TEST_TMPDIR/profile" 1300 900 "file://$PWD/$1${2-}"
		return
	}
	for _ in 1 2 3; do
		status=0
		timeout -k 5 120 "$chromium" --headless --no-sandbox \
		    --disable-gpu --disable-quic --no-first-run \
		    --disable-background-networking \
		    --disable-component-update --disable-sync \
		    --allow-file-access-from-files --window-size=1300,900 \
		    --disable-features=IsolateSandboxedIframes \
		    --user-data-dir="$BATS_TEST_TMPDIR/profile" \
		    ${CHROMIUM_FLAGS-} --virtual-time-budget=5000 --dump-dom \
		    "file://$PWD/$1${2-}" 2> browser.log > dumped.html ||
			status=$?
		[ $status -eq 124 ] || break
		! tail -n 1 dumped.html | grep -q '</html>$' || {
			status=0
			break
		}
		rm -rf "$BATS_TEST_TMPDIR/profile"
	done
	cat dumped.html
	return $status
}

# write_page PICTURE... < STEPS > PAGE: pictures that end in .svg are pasted
# into the page, any other argument is markup that embeds one.
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
	echo '<script>onload = () => { look(0);'
	cat
	echo '};</script>'
}

# in_browser PICTURE... < STEPS: what the steps said, a line each.
in_browser() {
	write_page "$@" > page.html
	dump page.html "${QUERY-}" |
	    sed -e '1,/<pre id="said">/{' -e '/<pre id="said">/!d' -e '}' \
		-e '/<\/pre>/,$d' -e 's/<pre id="said">//' \
		-e 's/&lt;/</g' -e 's/&gt;/>/g' -e 's/&amp;/\&/g'
}
