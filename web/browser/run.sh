#!/usr/bin/env bash
# Does what people do on the web page in a real browser, and looks at it with axe-core.
# What drives the browser is installed into bin/, in the versions of package-lock.json; the
# browser is CHROMIUM, or the first of those that systems bring. Where something is missing
# the script says so, and the exit status is 77: not run. SHOTS names a directory for
# pictures of every view.
set -euo pipefail
cd "$(dirname "$0")/../.."

for tool in node npm; do
	if ! command -v "$tool" >/dev/null; then
		echo "the page was not looked at: $tool is not installed (Node 20 or newer brings node and npm)"
		exit 77
	fi
done
browser=${CHROMIUM:-}
for name in chromium chromium-browser google-chrome; do
	[ -n "$browser" ] || browser=$(command -v "$name" || true)
done
if [ -z "$browser" ]; then
	echo "the page was not looked at: there is no Chromium (Debian's package is chromium); CHROMIUM names another"
	exit 77
fi

here=web/browser
there=bin/page
if ! cmp -s "$here/package-lock.json" "$there/installed.json"; then
	mkdir -p "$there"
	cp "$here/package.json" "$here/package-lock.json" "$there/"
	npm ci --prefix "$there" --ignore-scripts --no-audit --no-fund --loglevel=error
	cp "$here/package-lock.json" "$there/installed.json"
fi

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
[ -z "${SHOTS:-}" ] || mkdir -p "$SHOTS"
node "$here/check.mjs" "$browser" "$PWD/bin/strata" "$PWD/bin/scriptedmodel" "$home" ${SHOTS:+"$SHOTS"}
